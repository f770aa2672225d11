// clang++ -std=c++17 -Wlogical-op-parentheses -Wno-invalid-constexpr
// '&&' within '||'
#include <string>
#include <vector>
#include <map>
#include <optional>
#include <iostream>
#include <sstream>
#include <cctype>
#include <memory>
#include <functional>
#include <stdexcept>
#include <complex>
#include <stack>
#include <iterator>
#include <algorithm>
#include <cmath>
#include <limits>
namespace calc {
using Number = std::complex<double>;
enum class Kind { Num, Op, Open, Close };
struct Token { Kind kind; Number value; char op = 0; };
class Parser {
 public:
  explicit Parser(std::istream &in) : in_(in) {}
  std::optional<Token> next() {
    int c = in_.get();
    while (std::isspace(c)) c = in_.get();
    if (c == std::char_traits<char>::eof()) return std::nullopt;
    if (std::isdigit(c) || c == '-' && std::isdigit(in_.peek())) { in_.unget(); double d; in_ >> d; return Token{Kind::Num, d}; }
    if (c == '(') return Token{Kind::Open, 0.0};
    if (c == ')') return Token{Kind::Close, 0.0};
    return Token{Kind::Op, std::numeric_limits<double>::infinity(), static_cast<char>(c)};
  }
 private:
  std::istream &in_;
};
struct Node { virtual ~Node() {} virtual Number eval() const = 0; };
struct Leaf : Node { Number n; Leaf(Number n) : n(n) {} Number eval() const override { return n; } };
struct Binary : Node {
  std::unique_ptr<Node> l, r;
  std::function<Number(Number, Number)> f;
  Binary(std::unique_ptr<Node> a, std::unique_ptr<Node> b, std::function<Number(Number, Number)> g) : l(std::move(a)), r(std::move(b)), f(g) {}
  Number eval() const override { return f(l->eval(), r->eval()); }
};
static const std::map<char, std::function<Number(Number, Number)>> ops = {
  {'+', std::plus<Number>()}, {'*', [](Number a, Number b) { return a * b; }}, {'^', [](Number a, Number b) { return std::pow(a, b); }},
};
std::unique_ptr<Node> build(Parser &p) {
  std::stack<std::unique_ptr<Node>> s;
  char op = 0;
  while (auto t = p.next()) {
    if (t->kind == Kind::Num) s.push(std::make_unique<Leaf>(t->value));
    else if (t->kind == Kind::Op) op = t->op;
    if (s.size() == 2 && ops.count(op)) {
      auto b = std::move(s.top()); s.pop();
      auto a = std::move(s.top()); s.pop();
      s.push(std::make_unique<Binary>(std::move(a), std::move(b), ops.at(op)));
    }
  }
  if (s.empty()) throw std::invalid_argument("nothing");
  return std::move(s.top());
}
}
int main(int argc, char **argv) {
  std::istringstream in(argc > 1 ? argv[1] : "1 + 2");
  calc::Parser p(in);
  std::cout << calc::build(p)->eval() << '\n';
}
