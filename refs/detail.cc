#include "detail.h"

#include "parse.h"
#include "units.h"

#include <algorithm>
#include <cctype>
#include <set>

using namespace clang;

namespace
{

enum Kind { DIRECTIVES, GROUPS, ITEMS, WORDS, KINDS };

struct Range {
	unsigned begin, end;
};

/* The ranges of one kind in a text, in its order. */
class Finder
{
      public:
	Finder(const std::string &t, const std::vector<::Token> &all) : text(t), tokens(all) {}
	std::vector<Range> find(Kind k);

      private:
	struct Open {
		size_t token; /* of the bracket, or the colon in front of base classes */
		std::vector<size_t> commas; /* directly inside */
	};
	std::string word(size_t i) const { return text.substr(tokens[i].at, tokens[i].len); }
	unsigned end(size_t i) const { return tokens[i].at + tokens[i].len; }
	bool opens(size_t i) const;
	bool is_closed_by(size_t open, tok::TokenKind by) const;
	void close(tok::TokenKind by, size_t at);
	void add_list(const Open &open, size_t at);
	void step(size_t i);

	const std::string &text;
	const std::vector<::Token> &tokens;
	std::vector<Open> stack;
	std::vector<Range> found;
	Kind kind = GROUPS;
};

bool Finder::opens(size_t i) const
{
	static const std::set<std::string> access = { "public", "protected", "private", "default" };
	switch (tokens[i].kind) {
	case tok::l_paren:
	case tok::l_square:
	case tok::l_brace:
		return true;
	case tok::less:
		return i && tokens[i - 1].kind == tok::raw_identifier;
	case tok::colon:
		return i && !access.count(word(i - 1));
	default:
		return false;
	}
}

bool Finder::is_closed_by(size_t open, tok::TokenKind by) const
{
	switch (tokens[open].kind) {
	case tok::l_paren:
		return by == tok::r_paren;
	case tok::l_square:
		return by == tok::r_square;
	case tok::l_brace:
		return by == tok::r_brace;
	case tok::less:
		return by == tok::greater;
	default:
		return by == tok::l_brace;
	}
}

/* What is inside with the brackets, or between them; or each item with a comma. */
void Finder::add_list(const Open &open, size_t at)
{
	bool bases = tokens[open.token].kind == tok::colon;
	unsigned inside = end(open.token), last = tokens[at].at;
	if (kind == GROUPS) {
		if (bases)
			found.push_back({ tokens[open.token].at, last });
		else {
			found.push_back({ tokens[open.token].at, end(at) });
			if (open.token + 1 < at)
				found.push_back({ inside, last });
		}
		return;
	}
	unsigned begin = inside;
	for (size_t k = 0; k < open.commas.size(); k++) {
		found.push_back({ begin, end(open.commas[k]) });
		begin = end(open.commas[k]);
	}
	if (!open.commas.empty())
		found.push_back({ tokens[open.commas.back()].at, last });
}

/* Those that stay open inside were none. */
void Finder::close(tok::TokenKind by, size_t at)
{
	for (size_t k = stack.size(); k-- > 0;) {
		tok::TokenKind open = tokens[stack[k].token].kind;
		if (is_closed_by(stack[k].token, by)) {
			add_list(stack[k], at);
			stack.resize(k);
			return;
		}
		if (open != tok::less && open != tok::colon)
			return;
	}
}

/* Behind these nothing is left open that may not be a bracket. */
static bool ends_guesses(tok::TokenKind kind)
{
	return kind == tok::semi || kind == tok::l_brace;
}

void Finder::step(size_t i)
{
	tok::TokenKind by = tokens[i].kind;
	if (by == tok::greatergreater) {
		close(tok::greater, i);
		return;
	}
	if (by == tok::r_paren || by == tok::r_square || by == tok::r_brace || by == tok::greater ||
	    by == tok::l_brace)
		close(by, i);
	while (ends_guesses(by) && !stack.empty() &&
	       (tokens[stack.back().token].kind == tok::less ||
	        tokens[stack.back().token].kind == tok::colon))
		stack.pop_back();
	if (by == tok::comma && !stack.empty())
		stack.back().commas.push_back(i);
	if (opens(i))
		stack.push_back({ i, {} });
}

/* A declaration may do without these. */
static bool is_word(const std::string &word)
{
	static const std::set<std::string> words = {
		"const",         "constexpr", "explicit", "inline",
		"noexcept",      "static",    "virtual",  "volatile",
		"__extension__", "typename",  "template", "final",
		"mutable",       "&",         "&&",       "*",
		"...",
	};
	return words.count(word) != 0;
}

std::vector<Range> Finder::find(Kind k)
{
	kind = k;
	found.clear();
	stack.clear();
	for (size_t i = 0; i < tokens.size(); i++) {
		if (tokens[i].directive || kind == DIRECTIVES) {
			if (tokens[i].directive && kind == DIRECTIVES)
				found.push_back({ tokens[i].at, end(i) });
		} else if (kind == WORDS) {
			if (is_word(word(i)))
				found.push_back({ tokens[i].at, end(i) });
		} else
			step(i);
	}
	std::sort(found.begin(), found.end(), [](const Range &a, const Range &b) {
		return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
	});
	return found;
}

/* One pass over the ranges of a kind: eight groups, those that are too much are halved. */
class Sweep
{
      public:
	Sweep(Judge &j, const Text &t, const std::vector<Range> &r,
	      const std::function<void(const Text &)> &say)
	    : best(t), judge(j), base(t), ranges(r), gone(r.size()), report(say)
	{
	}
	void run();
	Text best;

      private:
	std::vector<Cut> cuts() const;
	bool attempt(size_t from, size_t n);
	void divide(size_t from, size_t n, bool fails);

	Judge &judge;
	const Text base;
	const std::vector<Range> &ranges;
	std::vector<bool> gone;
	const std::function<void(const Text &)> &report;
};

static bool is_of_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

std::vector<Cut> Sweep::cuts() const
{
	std::vector<Cut> all;
	for (size_t i = 0; i < ranges.size(); i++) {
		if (!gone[i])
			continue;
		if (!all.empty() && ranges[i].begin <= all.back().end)
			all.back().end = std::max(all.back().end, ranges[i].end);
		else
			all.push_back({ ranges[i].begin, ranges[i].end, "" });
	}
	for (Cut &c : all) /* words stay apart */
		if (c.begin && c.end < base.bytes.size() && is_of_word(base.bytes[c.begin - 1]) &&
		    is_of_word(base.bytes[c.end]))
			c.by = " ";
	return all;
}

bool Sweep::attempt(size_t from, size_t n)
{
	std::vector<bool> saved = gone;
	std::fill_n(gone.begin() + (long)from, n, true);
	Text text = base.after(cuts());
	if (text.bytes == best.bytes)
		return true; /* it is in what has gone */
	if (text.bytes.size() < best.bytes.size() && judge.accepts(text.bytes)) {
		best = text;
		report(best);
		return true;
	}
	gone = saved;
	return false;
}

void Sweep::divide(size_t from, size_t n, bool fails)
{
	if (!n || judge.is_tired() || (!fails && attempt(from, n)) || n == 1)
		return;
	size_t half = n / 2;
	divide(from, half, false);
	bool all = std::all_of(gone.begin() + (long)from, gone.begin() + (long)(from + half),
	                       [](bool g) { return g; });
	divide(from + half, n - half, all && n - half > 1);
}

void Sweep::run()
{
	enum { PARTS = 8 };
	size_t step = std::max<size_t>(1, ranges.size() / PARTS);
	for (size_t i = 0; i < ranges.size(); i += step)
		divide(i, std::min(step, ranges.size() - i), false);
}

} // namespace

/* RANGES without those that hold something of UNIT. */
static void spare(std::vector<Range> &ranges, const Unit &unit)
{
	ranges.erase(std::remove_if(ranges.begin(), ranges.end(),
	                            [&](const Range &r) {
					    return r.begin < unit.end && unit.begin < r.end;
				    }),
	             ranges.end());
}

bool shrink_details(Judge &judge, Text &text, const std::function<void(const Text &)> &report)
{
	size_t size = text.bytes.size();
	for (int k = 0; k < KINDS && !judge.is_tired(); k++) {
		Messages messages;
		auto tree = parse(text.bytes, judge.standard, messages);
		if (!tree)
			break;
		Units units(tree->getASTContext(), text.bytes);
		Finder finder(text.bytes, units.tokens);
		std::vector<Range> ranges = finder.find((Kind)k);
		for (const Unit &u : units.all)
			if (!u.decls.empty() && is_using_of_calls(u.decls[0]))
				spare(ranges, u);
		Sweep sweep(judge, text, ranges, report);
		sweep.run();
		text = sweep.best;
	}
	return text.bytes.size() < size;
}
