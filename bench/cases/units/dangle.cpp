// clang++ -std=c++17 -Wdangling-gsl -Wreturn-stack-address -Wno-invalid-constexpr
// reference to stack memory associated with local variable
#include <string>
#include <string_view>
#include <vector>
#include <map>
#include <set>
#include <array>
#include <memory>
#include <iostream>
#include <algorithm>
#include <utility>
#include <numeric>
#include <deque>
#include <forward_list>
#include <valarray>
#include <bitset>
#include <initializer_list>
namespace geo {
template <std::size_t N> struct Vec {
  std::array<double, N> a{};
  Vec(std::initializer_list<double> l) { std::copy(l.begin(), l.end(), a.begin()); }
  double operator[](std::size_t i) const { return a[i]; }
  friend Vec operator-(const Vec &x, const Vec &y) { Vec r{}; std::transform(x.a.begin(), x.a.end(), y.a.begin(), r.a.begin(), std::minus<>()); return r; }
  double dot(const Vec &o) const { return std::inner_product(a.begin(), a.end(), o.a.begin(), 0.0); }
};
struct Shape {
  std::string name;
  std::deque<Vec<2>> points;
  std::bitset<8> flags = 3;
  const std::string &label(bool full) const {
    std::string s = full ? name + "!" : std::string(1, name.front());
    return s;
  }
  std::valarray<double> xs() const { std::valarray<double> v(points.size()); for (std::size_t i = 0; i < v.size(); ++i) v[i] = points[i][0]; return v; }
};
class Scene : private std::map<std::string, std::shared_ptr<Shape>> {
  using base = std::map<std::string, std::shared_ptr<Shape>>;
 public:
  using base::size;
  using base::begin;
  using base::end;
  Shape &operator[](std::string_view n) { auto [it, fresh] = try_emplace(std::string(n), std::make_shared<Shape>()); if (fresh) it->second->name = n; return *it->second; }
  std::set<std::string> names() const { std::set<std::string> s; for (auto &[k, v] : *this) s.insert(k + (v ? ":" + v->name : "")); return s; }
};
}
int main() {
  geo::Scene s;
  s["a"].points = {{1, 2}, {3, 4}};
  std::cout << s["a"].label(true) << s["a"].xs().sum() << s.names().size() << (s["a"].points[1] - s["a"].points[0]).dot({1, 1}) << s["a"].flags << '\n';
}
