// g++ -std=c++17 -w
// use of deleted function
#include <unordered_map>
#include <string>
#include <vector>
#include <iostream>
#include <sstream>
#include <algorithm>
#include <functional>
#include <set>
namespace net {
struct Address { unsigned ip; unsigned short port; bool operator==(const Address &o) const { return ip == o.ip && port == o.port; } };
class Table {
  std::unordered_map<Address, std::string> names_;
  std::set<std::string> seen_;
 public:
  void add(Address a, const std::string &n) { names_[a] = n; seen_.insert(n); }
  std::vector<std::string> all() const { std::vector<std::string> v(seen_.begin(), seen_.end()); std::sort(v.begin(), v.end()); return v; }
};
}
int main(int argc, char **argv) {
  net::Table t;
  for (int i = 1; i < argc; i++) { std::istringstream in(argv[i]); net::Address a{}; std::string n; in >> a.ip >> a.port >> n; t.add(a, n); }
  for (auto &n : t.all()) std::cout << n << std::endl;
}
