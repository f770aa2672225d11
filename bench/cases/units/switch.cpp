// g++ -std=c++17 -Wswitch
// enumeration value .Closed. not handled in switch
#include <variant>
#include <optional>
#include <string_view>
#include <string>
#include <vector>
#include <map>
#include <memory>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <algorithm>
#include <functional>
#include <regex>
#include <chrono>
namespace net {
enum class State { Idle, Open, Closed };
struct Error : std::runtime_error { State at; Error(State s, const std::string &w) : std::runtime_error(w), at(s) {} };
using Value = std::variant<int, double, std::string>;
struct Message { std::string_view topic; std::vector<Value> values; std::chrono::steady_clock::time_point when; };
class Session {
  std::map<std::string, std::function<void(const Message &)>, std::less<>> handlers_;
  std::optional<Message> last_;
  State state_ = State::Idle;
 public:
  void on(const std::string &t, std::function<void(const Message &)> f) { handlers_.emplace(t, std::move(f)); }
  const char *name() const { return state_ == State::Idle ? "idle" : last_ ? last_->topic.data() : "none"; }
  int count() const { return last_ ? last_->values.size() : -1; }
  int step(const Message &m) {
    auto it = handlers_.find(m.topic);
    if (it == handlers_.end()) throw Error(state_, "no handler for " + std::string(m.topic));
    it->second(m);
    last_ = m;
    switch (state_) {
    case State::Idle: state_ = State::Open; return 0;
    case State::Open: return std::count_if(m.values.begin(), m.values.end(), [](const Value &v) { return std::holds_alternative<int>(v); });
    }
    return 1;
  }
};
std::ostream &operator<<(std::ostream &o, const Value &v) { std::visit([&](auto &x) { o << x; }, v); return o; }
}
int main(int argc, char **argv) {
  net::Session s;
  s.on("a", [](const net::Message &m) { for (auto &v : m.values) std::cout << v << ' '; });
  std::regex r("[a-z]");
  try {
    for (int i = 1; i < argc; i++) if (std::regex_match(argv[i], r)) s.step({argv[i], {i, 1.5, std::to_string(i)}, std::chrono::steady_clock::now()});
  } catch (const net::Error &e) { std::cerr << e.what() << s.name() << s.count(); return 1; }
}
