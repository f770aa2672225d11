// g++-12 -std=c++20 -Wdangling-pointer=2 -Wfloat-equal
// Wfloat-equal
#include <ranges>
#include <algorithm>
#include <numeric>
#include <vector>
#include <map>
#include <regex>
#include <iostream>
struct sample { double at; int n; };
template <std::ranges::range R> double mean(R &&r) { double s = 0; int n = 0; for (auto &&x : r) { s += x.at; n++; } return n ? s / n : 0; }
static bool same(const sample &a, const sample &b) { return a.n == b.n && a.at == b.at; }
int main() { std::vector<sample> v{{1.5, 2}, {2.5, 3}}; auto big = v | std::views::filter([](auto &s) { return s.n > 2; }); std::map<std::string, double> m{{"a", mean(big)}}; std::cout << m["a"]; return std::ranges::adjacent_find(v, same) == v.end(); }
