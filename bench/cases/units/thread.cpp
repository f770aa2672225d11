// g++ -std=c++17 -w
// std::thread arguments must be invocable
#include <thread>
#include <mutex>
#include <queue>
#include <iostream>
#include <string>
#include <vector>
#include <sstream>
#include <iomanip>
#include <fstream>
#include <atomic>
struct Job { std::string name; int weight; };
class Pool {
  std::vector<std::thread> threads_;
  std::queue<Job> jobs_;
  std::mutex m_;
  std::atomic<int> done_{0};
  void work(int id, const std::string &tag) {
    for (;;) {
      std::unique_lock<std::mutex> l(m_);
      if (jobs_.empty()) return;
      Job j = jobs_.front(); jobs_.pop();
      std::cout << std::setw(8) << id << tag << j.name << '\n';
      done_ += j.weight;
    }
  }
 public:
  void push(Job j) { std::lock_guard<std::mutex> l(m_); jobs_.push(std::move(j)); }
  void run(int n) {
    for (int i = 0; i < n; i++) threads_.emplace_back(&Pool::work, this, i);
    for (auto &t : threads_) t.join();
  }
  int done() const { return done_; }
};
int main(int argc, char **argv) {
  Pool p;
  std::ifstream in(argv[1]);
  std::string line;
  while (std::getline(in, line)) { std::istringstream s(line); Job j; s >> j.name >> j.weight; p.push(j); }
  p.run(4);
  return p.done();
}
