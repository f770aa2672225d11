// g++ -std=c++20 -w
// Cannot format an argument
#include <fmt/format.h>
#include <fmt/chrono.h>
#include <fmt/ranges.h>
#include <map>
#include <string>
#include <vector>
#include <iostream>
#include <algorithm>
namespace geo {
struct Point { double x, y; };
struct Track { std::string name; std::vector<Point> points; std::map<std::string, int> tags; };
std::string describe(const Track &t) {
  std::string s = fmt::format("{} has {} points\n", t.name, t.points.size());
  for (auto &p : t.points) s += fmt::format("({:.2f}, {:.2f})", p.x, p.y);
  return s + fmt::format("{}", fmt::join(std::vector<int>{1, 2, 3}, ", ")) + fmt::format("{}", t.points.front());
}
}
int main() {
  geo::Track t{"a", {{1, 2}, {3, 4}}, {{"k", 1}}};
  std::sort(t.points.begin(), t.points.end(), [](auto &a, auto &b) { return a.x < b.x; });
  std::cout << geo::describe(t) << std::endl;
}
