// g++ -std=c++20 -w
// invalid application of .sizeof. to incomplete type
#include <algorithm>
#include <array>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace ui {

struct Style;
struct Font {
	std::string family;
	int size = 10;
};

class Widget {
public:
	explicit Widget(std::string name) : name_(std::move(name)) {}
	const std::string &name() const { return name_; }
	void add(std::unique_ptr<Widget> child)
	{
		std::lock_guard<std::mutex> lock(mutex_);
		children_.push_back(std::move(child));
	}
	std::size_t count() const
	{
		std::size_t n = 1;
		for (const auto &c : children_)
			n += c->count();
		return n;
	}
	std::vector<std::string> names() const
	{
		std::vector<std::string> all{ name_ };
		for (const auto &c : children_)
			std::ranges::copy(c->names(), std::back_inserter(all));
		return all;
	}

private:
	std::string name_;
	std::mutex mutex_;
	std::list<std::unique_ptr<Widget>> children_;
	std::unique_ptr<Style> style_;
	std::variant<std::monostate, Font, int> font_;
};

std::set<char> letters(std::span<const std::string> words)
{
	std::set<char> all;
	for (const std::string &w : words)
		all.insert(w.begin(), w.end());
	return all;
}

} // namespace ui

int main(int argc, char **argv)
{
	ui::Widget root("root");
	for (int i = 1; i < argc; i++)
		root.add(std::make_unique<ui::Widget>(argv[i]));
	std::array<int, 3> sizes{ 1, 2, 3 };
	std::map<std::string, int> order;
	for (const auto &n : root.names())
		order.emplace(n, sizes[order.size() % 3]);
	auto names = root.names();
	std::cout << root.count() << ui::letters(names).size() << order.size() << '\n';
	return 0;
}
