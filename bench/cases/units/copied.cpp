// clang++ -std=c++17 -w -Wno-invalid-constexpr
// call to deleted constructor of
#include <deque>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <unordered_set>
#include <vector>

namespace store {

class Handle {
public:
	explicit Handle(int fd) : fd_(fd) {}
	Handle(Handle &&o) noexcept : fd_(o.fd_) { o.fd_ = -1; }
	Handle(const Handle &) = delete;
	Handle &operator=(Handle &&o) noexcept
	{
		std::swap(fd_, o.fd_);
		return *this;
	}
	int fd() const { return fd_; }

private:
	int fd_;
};

class Pool {
public:
	void open(const std::string &name, int fd)
	{
		byName_.emplace(name, fd);
		order_.push_back(name);
	}
	std::vector<Handle> snapshot() const
	{
		std::vector<Handle> all;
		all.reserve(byName_.size());
		for (const auto &name : order_)
			all.push_back(byName_.at(name));
		return all;
	}
	std::string pick(std::mt19937 &r) const
	{
		std::uniform_int_distribution<std::size_t> d(0, order_.size() - 1);
		return order_.empty() ? "" : order_[d(r)];
	}
	std::size_t unique() const { return std::unordered_set<std::string>(order_.begin(), order_.end()).size(); }

private:
	std::map<std::string, Handle> byName_;
	std::deque<std::string> order_;
};

} // namespace store

int main(int argc, char **argv)
{
	store::Pool pool;
	std::mt19937 random(argc);
	for (int i = 0; i < argc; i++)
		pool.open(argv[i], i);
	std::ofstream out("log");
	for (const auto &h : pool.snapshot())
		out << h.fd() << '\n';
	std::function<std::string()> next = [&] { return pool.pick(random); };
	std::cout << next() << pool.unique() << '\n';
	return 0;
}
