// g++ -std=c++20 -Wsizeof-pointer-memaccess
// argument to .sizeof. in .* call is the same
#include <cstring>
#include <string>
#include <vector>
#include <coroutine>
#include <exception>
#include <iostream>
#include <ranges>
#include <optional>
#include <source_location>
#include <compare>
#include <concepts>
#include <memory_resource>
#include <semaphore>
#include <map>
#include <cstdio>
#include <cstdlib>
#include <functional>
template <typename T> struct Generator {
  struct promise_type {
    std::optional<T> value;
    Generator get_return_object() { return Generator{std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(T v) { value = std::move(v); return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> h;
  ~Generator() { if (h) h.destroy(); }
  std::optional<T> next() { h.resume(); return h.done() ? std::nullopt : h.promise().value; }
};
Generator<int> count(int n) { for (int i = 0; i < n; i++) co_yield i; }
struct Version { int major_, minor_; auto operator<=>(const Version &) const = default; };
template <class R> requires std::ranges::input_range<R> auto total(R &&r) { std::ranges::range_value_t<R> t{}; for (auto &&x : r) t += x; return t; }
struct Buffer {
  std::pmr::monotonic_buffer_resource pool;
  std::pmr::vector<char> data{&pool};
  char *copy(const char *from) {
    char *p = static_cast<char *>(std::malloc(std::strlen(from) + 1));
    if (!p) throw std::bad_alloc();
    std::memset(p, 0, sizeof(p));
    return p;
  }
  void log(std::string_view m, std::source_location l = std::source_location::current()) { std::cerr << l.function_name() << ' ' << m << '\n'; }
};
int main(int argc, char **argv) {
  auto g = count(argc);
  while (auto v = g.next()) std::cout << *v << ' ';
  Buffer b;
  b.log(b.copy(argv[0]));
  std::map<Version, std::string, std::greater<>> m{{{1, 2}, "a"}, {{2, 0}, "b"}};
  std::counting_semaphore<4> sem(2);
  sem.acquire();
  std::vector<int> v{1, 2, 3};
  std::printf("%d %s\n", total(v | std::views::filter([](int x) { return x % 2; })), m.begin()->second.c_str());
}
