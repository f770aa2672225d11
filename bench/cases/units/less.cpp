// clang++ -std=c++17 -w -Wno-invalid-constexpr
// invalid operands to binary expression
#include <map>
#include <string>
#include <iostream>
#include <memory>
#include <algorithm>
#include <set>
#include <chrono>
#include <random>
#include <numeric>
#include <unordered_map>
#include <locale>
struct Point { int x, y; };
struct Grid {
  std::map<Point, std::string> names;
  std::unordered_map<std::string, std::shared_ptr<Point>> by;
  void put(Point p, const std::string &n) { by[n] = std::make_shared<Point>(p); names.insert({p, n}); }
  std::set<int> xs() const { std::set<int> r; for (auto &b : by) r.insert(b.second->x); return r; }
};
int main() {
  Grid g;
  std::mt19937 gen(std::chrono::system_clock::now().time_since_epoch().count());
  std::uniform_int_distribution<int> d(0, 9);
  for (int i = 0; i < 10; i++) g.put({d(gen), d(gen)}, std::to_string(i));
  auto s = g.xs();
  std::cout << std::accumulate(s.begin(), s.end(), 0) << std::endl;
}
