// clang++-14 -std=c++17 -Winconsistent-missing-override
// Winconsistent-missing-override
// lines
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <fmt/format.h>
struct store { virtual ~store() = default; virtual int get(const std::string &) const = 0; virtual void put(const std::string &, int) = 0; };
class json_store : public store {
  nlohmann::json j;
public:
  int get(const std::string &k) const override { return j.at(k).get<int>(); }
  void put(const std::string &k, int v) { j[k] = v; }
};
TEST(store, keeps) { json_store s; s.put("a", 3); EXPECT_EQ(s.get("a"), 3) << fmt::format("{} {}", "a", 3); }
class suite : public ::testing::TestWithParam<int> {};
TEST_P(suite, all) { json_store s; s.put(fmt::format("k{}", GetParam()), GetParam()); ASSERT_EQ(s.get("k1"), 1); }
