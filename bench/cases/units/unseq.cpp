// clang++ -std=c++17 -Wunsequenced -Wno-invalid-constexpr
// multiple unsequenced modifications to
#include <string>
#include <vector>
#include <unordered_map>
#include <set>
#include <memory>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <random>
#include <locale>
#include <tuple>
#include <queue>
#include <utility>
template <class T> class Heap {
  std::priority_queue<T, std::vector<T>, std::greater<T>> q_;
 public:
  template <class... A> void put(A &&... a) { q_.emplace(std::forward<A>(a)...); }
  T take() { T t = q_.top(); q_.pop(); return t; }
  bool empty() const { return q_.empty(); }
};
class Graph {
  std::unordered_map<std::string, std::set<std::pair<std::string, int>>> edges_;
 public:
  void edge(const std::string &a, const std::string &b, int w) { edges_[a].insert({b, w}); edges_[b].insert({a, w}); }
  std::unordered_map<std::string, int> distances(const std::string &from) const {
    std::unordered_map<std::string, int> d;
    Heap<std::tuple<int, std::string>> h;
    h.put(0, from);
    int seen = 0;
    while (!h.empty()) {
      auto [w, n] = h.take();
      if (d.count(n)) continue;
      d[n] = w;
      seen = std::max(seen++, seen++) + w;
      for (auto &[to, c] : edges_.at(n)) if (!d.count(to)) h.put(w + c, to);
    }
    return d;
  }
};
int main(int argc, char **argv) {
  Graph g;
  std::ifstream in(argc > 1 ? argv[1] : "graph.txt");
  std::string a, b;
  int w;
  while (in >> a >> b >> w) g.edge(a, b, w);
  std::mt19937 gen{std::random_device{}()};
  auto d = g.distances("x");
  int sum = std::accumulate(d.begin(), d.end(), 0, [](int s, auto &p) { return s + p.second; });
  std::cout << std::setw(10) << std::left << sum << gen() << std::endl;
}
