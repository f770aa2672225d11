// g++ -std=c++17 -w
// std::visit requires the visitor to have the same return type
#include <variant>
#include <string>
#include <map>
#include <vector>
#include <iostream>
#include <optional>
#include <functional>
#include <iomanip>
struct Leaf { int value; };
struct Node { std::string name; std::vector<int> kids; };
using Tree = std::variant<Leaf, Node>;
template <class... F> struct overloaded : F... { using F::operator()...; };
template <class... F> overloaded(F...) -> overloaded<F...>;
struct Store {
  std::map<int, Tree> all;
  std::optional<Tree> find(int id) const { auto it = all.find(id); if (it == all.end()) return std::nullopt; return it->second; }
  int weigh(const Tree &t) const { return std::visit(overloaded{ [](const Leaf &l) { return l.value; }, [this](const Node &n) { int s = 0; for (int k : n.kids) if (auto t = find(k)) s += weigh(*t); return s; } }, t); }
  void show(const Tree &t) const { std::visit(overloaded{ [](const Leaf &l) { return l.value; }, [](const Node &n) { return n.name; } }, t); }
};
int main() {
  Store s;
  s.all[1] = Leaf{3};
  s.all[2] = Node{"top", {1}};
  if (auto t = s.find(2)) { s.show(*t); std::cout << std::setw(4) << s.weigh(*t) << std::endl; }
}
