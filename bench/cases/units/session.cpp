// g++-12 -std=c++17 -Wsuggest-final-types -Wdeprecated-copy-dtor
// session.*Wdeprecated-copy-dtor
#include <boost/asio.hpp>
#include <iostream>
#include <memory>
using boost::asio::ip::tcp;
struct session : std::enable_shared_from_this<session> {
  explicit session(int n) : n_(n) {}
  session(const session &) = default;
  virtual ~session() { std::cout << n_; }
  int n_;
};
struct server {
  boost::asio::io_context io;
  std::vector<std::shared_ptr<session>> all;
  void start(session s) { session t(0); t = s; all.push_back(std::make_shared<session>(t)); }
};
int main() { server s; s.start(session(3)); boost::asio::steady_timer t(s.io, std::chrono::seconds(1)); t.async_wait([](auto) {}); return s.all.size(); }
