// g++ -std=c++20 -Wshift-count-overflow
// left shift count >= width of type
#include <bitset>
#include <array>
#include <span>
#include <concepts>
#include <ranges>
#include <numeric>
#include <string>
#include <vector>
#include <iostream>
#include <bit>
#include <cstdint>
#include <thread>
#include <atomic>
#include <future>
namespace bits {
template <std::unsigned_integral T> constexpr T rotl(T x, int s) { return std::rotl(x, s); }
class Hash {
  std::array<std::uint32_t, 8> state_{};
  std::atomic<std::uint64_t> length_ = 0;
 public:
  void update(std::span<const std::uint8_t> data) {
    for (auto b : data | std::views::transform([](std::uint8_t x) { return x ^ 0x5a; })) {
      std::uint32_t &w = state_[length_++ % state_.size()];
      w = rotl(w, 5) + b;
      w += std::popcount(w) > 16 ? w << 40 : std::uint32_t(b);
    }
  }
  std::string hex() const {
    std::string s;
    for (std::uint32_t w : state_) for (int i = 7; i >= 0; i--) s += "0123456789abcdef"[w >> 4 * i & 15];
    return s;
  }
};
}
int main(int argc, char **argv) {
  std::vector<std::future<std::string>> all;
  for (int i = 1; i < argc; i++) {
    std::vector<std::uint8_t> v(argv[i], argv[i] + std::char_traits<char>::length(argv[i]));
    all.push_back(std::async(std::launch::async, [v] { bits::Hash h; h.update(v); return h.hex(); }));
  }
  for (auto &f : all) std::cout << f.get() << ' ' << std::bitset<8>(f.valid()) << '\n';
}
