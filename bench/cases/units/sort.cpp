// g++ -std=c++17 -w
// no match for .operator-
#include <algorithm>
#include <list>
#include <iostream>
#include <map>
#include <string>
#include <regex>
#include <functional>
#include <vector>
namespace shop {
struct Item { std::string name; double price; };
class Stock {
  std::list<Item> items_;
  std::map<std::string, int> count_;
 public:
  void add(const std::string &n, double p) { items_.push_back({n, p}); count_[n]++; }
  void order() { std::sort(items_.begin(), items_.end(), [](const Item &a, const Item &b) { return a.price < b.price; }); }
  double total() const { double t = 0; for (auto &i : items_) t += i.price; return t; }
};
}
int main(int argc, char **argv) {
  shop::Stock s;
  std::regex word("[a-z]+");
  for (int i = 1; i < argc; i++) if (std::regex_match(argv[i], word)) s.add(argv[i], i * 1.5);
  s.order();
  std::cout << s.total() << std::endl;
}
