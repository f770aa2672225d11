// clang++ -std=c++17 -w -Wno-invalid-constexpr
// tuple index must be in range
#include <chrono>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <numeric>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

using Row = std::tuple<int, std::string, double>;

template <std::size_t I> struct Column {
	static std::string text(const Row &r)
	{
		std::ostringstream out;
		out << std::get<I>(r);
		return out.str();
	}
};

class Sheet {
public:
	explicit Sheet(std::istream &in)
	{
		std::string line;
		while (std::getline(in, line)) {
			std::istringstream words(line);
			int n = 0;
			std::string name;
			double value = 0;
			if (words >> n >> name >> value)
				rows_.emplace_back(n, name, value);
		}
	}
	double sum() const
	{
		return std::accumulate(rows_.begin(), rows_.end(), 0.0, [](double s, const Row &r) { return s + std::get<2>(r); });
	}
	std::optional<Row> find(const std::string &name) const
	{
		for (const Row &r : rows_)
			if (std::get<1>(r) == name)
				return r;
		return std::nullopt;
	}
	std::unordered_map<std::string, int> numbers() const
	{
		std::unordered_map<std::string, int> all;
		for (const auto &[n, name, value] : rows_)
			all[name] = value > 0 ? n : -n;
		return all;
	}

private:
	std::vector<Row> rows_;
};

int main(int argc, char **argv)
{
	std::ifstream in(argc > 1 ? argv[1] : "sheet");
	Sheet sheet(in);
	auto start = std::chrono::steady_clock::now();
	std::cout << sheet.sum() << ' ' << sheet.numbers().size() << '\n';
	if (auto row = sheet.find("total"))
		std::cout << Column<1>::text(*row) << Column<3>::text(*row) << '\n';
	std::cout << (std::chrono::steady_clock::now() - start).count() << '\n';
	return 0;
}
