// clang++ -std=c++17 -Woverloaded-virtual -Wno-invalid-constexpr
// hides overloaded virtual function
#include <string>
#include <vector>
#include <memory>
#include <iostream>
#include <list>
#include <deque>
#include <iterator>
#include <exception>
#include <typeindex>
#include <any>
#include <mutex>
#include <condition_variable>
#include <filesystem>
#include <regex>
namespace ui {
namespace fs = std::filesystem;
struct Event { std::any data; std::type_index type; };
struct Widget : std::enable_shared_from_this<Widget> {
  std::list<std::weak_ptr<Widget>> children;
  virtual ~Widget() = default;
  virtual bool handle(const Event &e) { for (auto &c : children) if (auto p = c.lock(); p && p->handle(e)) return true; return false; }
  virtual void draw(std::ostream &o) const = 0;
};
struct Label final : Widget {
  std::string text;
  explicit Label(std::string t) : text(std::move(t)) {}
  bool handle(const std::string &s) { text = s.empty() ? "none" : s; return !text.empty(); }
  void draw(std::ostream &o) const override { std::copy(text.begin(), text.end(), std::ostream_iterator<char>(o)); }
};
class Loop {
  std::deque<Event> queue_;
  std::mutex m_;
  std::condition_variable cv_;
 public:
  void post(Event e) { { std::scoped_lock l(m_); queue_.push_back(std::move(e)); } cv_.notify_one(); }
  template <class W> void run(const std::shared_ptr<W> &root) {
    std::unique_lock l(m_);
    cv_.wait(l, [&] { return !queue_.empty(); });
    while (!queue_.empty()) { root->handle(queue_.front()); queue_.pop_front(); }
    root->draw(std::cout);
  }
};
}
int main(int argc, char **argv) {
  auto root = std::make_shared<ui::Label>("hi");
  ui::Loop l;
  for (auto &e : ui::fs::recursive_directory_iterator(argv[1])) if (e.is_regular_file()) l.post({e.path().string(), typeid(std::string)});
  l.run<ui::Widget>(root);
}
