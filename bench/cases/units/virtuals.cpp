// g++-12 -std=c++17 -Woverloaded-virtual
// Woverloaded-virtual
#include <boost/spirit/include/qi.hpp>
#include <boost/phoenix.hpp>
#include <string>
namespace qi = boost::spirit::qi;
struct node { virtual ~node() {} virtual int eval(int depth) const { return depth; } };
struct leaf : node { int v = 0; int eval() const { return v; } };
template <class It> struct grammar : qi::grammar<It, int()> {
  grammar() : grammar::base_type(sum) { sum = qi::int_[qi::_val = qi::_1] >> *('+' >> qi::int_[qi::_val += qi::_1]); }
  qi::rule<It, int()> sum;
};
int main() { std::string s = "1+2"; int r = 0; grammar<std::string::iterator> g; auto it = s.begin(); qi::parse(it, s.end(), g, r); leaf l; l.v = r; return l.eval(); }
