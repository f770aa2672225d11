// clang++ -std=c++17 -w
// no type named .iterator_category. in
#include <vector>
#include <string>
#include <iterator>
#include <iostream>
#include <algorithm>
#include <map>
#include <memory>
#include <regex>
struct Step { std::string text; int next; };
struct Walk {
  const std::vector<Step> *steps; int at;
  const Step &operator*() const { return (*steps)[at]; }
  Walk &operator++() { at = (*steps)[at].next; return *this; }
  bool operator!=(const Walk &o) const { return at != o.at; }
};
int main(int argc, char **argv) {
  std::vector<Step> steps{{"a", 1}, {"b", 2}, {"c", -1}};
  std::map<std::string, int> count;
  std::regex word("[a-z]+");
  for (int i = 1; i < argc; i++) if (std::regex_match(argv[i], word)) count[argv[i]]++;
  std::vector<Step> copy;
  std::copy_if(steps.begin(), steps.end(), std::back_inserter(copy), [&](const Step &s) { return count.count(s.text) > 0; });
  std::vector<std::string> texts;
  std::transform(copy.begin(), copy.end(), std::back_inserter(texts), [](const Step &s) { return s.text; });
  std::string all = std::string(Walk{&steps, 0}, Walk{&steps, -1});
  std::reverse_iterator<Walk> back(Walk{&steps, 0});
  std::cout << all << (*back).text << std::endl;
}
