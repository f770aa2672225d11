// clang++-14 -std=c++17 -Wrange-loop-construct
// creates a copy
// lines
#include <boost/multi_index_container.hpp>
#include <boost/multi_index/ordered_index.hpp>
#include <boost/multi_index/hashed_index.hpp>
#include <boost/multi_index/member.hpp>
#include <boost/spirit/include/qi.hpp>
#include <string>
#include <map>
using namespace boost::multi_index;
struct person { int id; std::string name; double data[20]; };
typedef multi_index_container<person, indexed_by<ordered_unique<member<person, int, &person::id>>, hashed_non_unique<member<person, std::string, &person::name>>>> people;
int total(const people &p) { int n = 0; for (const person x : p) n += x.id; return n; }
int main() { people p; p.insert(person{1, "a"}); std::string s = "1,2"; std::vector<int> v; auto it = s.begin(); boost::spirit::qi::parse(it, s.end(), boost::spirit::qi::int_ % ',', v); return total(p) + v.size(); }
