// g++ -std=c++17 -Wmisleading-indentation
// clause does not guard
#include <string>
#include <vector>
#include <list>
#include <unordered_set>
#include <fstream>
#include <iostream>
#include <regex>
#include <thread>
#include <mutex>
#include <shared_mutex>
#include <chrono>
#include <atomic>
#include <iomanip>
#include <algorithm>
#include <type_traits>
#include <system_error>
template <typename K, typename V, typename = std::enable_if_t<std::is_default_constructible_v<V>>>
class Cache {
  struct Entry { K key; V value; std::chrono::system_clock::time_point at; };
  mutable std::shared_mutex m_;
  std::list<Entry> list_;
  std::atomic<std::size_t> hits_{0}, misses_{0};
  const std::size_t most_;
 public:
  explicit Cache(std::size_t most = 16) : most_(most) {}
  template <typename F> V get(const K &k, F &&make) {
    {
      std::shared_lock lock(m_);
      auto it = std::find_if(list_.begin(), list_.end(), [&k](const auto &e) { return e.key == k; });
      if (it != list_.end()) { ++hits_; return it->value; }
    }
    std::unique_lock lock(m_);
    ++misses_;
    V v = std::forward<F>(make)(k);
    list_.push_front({k, v, std::chrono::system_clock::now()});
    if (list_.size() > most_)
      list_.pop_back();
      ++hits_;
    return v;
  }
  std::pair<std::size_t, std::size_t> stats() const { return {hits_.load(), misses_.load()}; }
};
struct LineReader {
  std::ifstream in;
  std::error_code last;
  LineReader(const std::string &p) : in(p) { if (!in) last = std::make_error_code(std::errc::no_such_file_or_directory); }
  std::vector<std::string> matching(const std::regex &r) {
    std::vector<std::string> out;
    for (std::string l; std::getline(in, l);) if (std::smatch m; std::regex_search(l, m, r)) out.emplace_back(m.str(0));
    return out;
  }
};
int main(int argc, char *argv[]) {
  Cache<std::string, int> cache;
  std::vector<std::thread> ts;
  std::unordered_set<std::string> seen{argv, argv + argc};
  for (auto &s : seen) ts.emplace_back([&cache, s] { cache.get(s, [](auto &x) { return static_cast<int>(x.size()); }); });
  std::for_each(ts.begin(), ts.end(), std::mem_fn(&std::thread::join));
  auto [h, m] = cache.stats();
  std::cout << std::fixed << std::setprecision(2) << double(h) / (h + m) << std::endl;
  LineReader r("x");
  return r.last ? r.last.value() : 0;
}
