#include "repair.h"

#include <cstring>

using namespace clang;

enum { REPAIR_ROUNDS = 12 };

/* ---- what is left ---- */

static void cut_unit(const Units &units, int i, int level, std::vector<Cut> &cuts)
{
	const Unit &u = units.all[(size_t)i];
	if (u.level < 0 || u.level > level) {
		cuts.push_back({ u.begin, u.end, "" });
		return;
	}
	if (u.kind == Unit::FUNCTION && (u.body_level < 0 || u.body_level > level)) {
		/* A member that is defined outside of its class is nothing without its body. */
		auto *f = function_of(u.decls[0]);
		bool whole =
			isa<CXXMethodDecl>(f) && f->isOutOfLine() && !isa<FriendDecl>(u.decls[0]);
		cuts.push_back({ whole ? u.begin : u.body_begin, u.body_end, whole ? "" : ";" });
		return;
	}
	for (int k : u.inside)
		cut_unit(units, k, level, cuts);
}

/* Where the last line marker begins between FROM and TO, when nothing but markers stands there;
 * else FROM. */
static unsigned last_marker(const Units &units, unsigned from, unsigned to)
{
	unsigned at = to;
	for (size_t i = units.first_token(from); i < units.tokens.size() && units.tokens[i].at < to;
	     i++) {
		const ::Token &t = units.tokens[i];
		if (!t.directive || !units.text.compare(t.at, 7, "#pragma"))
			return from;
		at = t.at;
	}
	return at;
}

/* Flags 1 and 2 of a line marker say that a file is entered or left. Where one of a pair goes with
 * what stands around it, the other is an error for clang, so that no marker keeps them. */
static void cut_flags(const Units &units, std::vector<Cut> &cuts)
{
	std::vector<Cut> all;
	size_t next = 0;
	for (const ::Token &t : units.tokens) {
		size_t close = t.directive ? units.text.find("\" ", t.at) : std::string::npos;
		unsigned at = (unsigned)close + 1;
		if (close == std::string::npos || at + 2 > t.at + t.len ||
		    units.text.compare(t.at, 2, "# ") || !strchr("12", units.text[at + 1]))
			continue;
		while (next < cuts.size() && cuts[next].end <= at)
			all.push_back(cuts[next++]);
		if (next == cuts.size() || cuts[next].begin >= at + 2)
			all.push_back({ at, at + 2, "" });
	}
	all.insert(all.end(), cuts.begin() + (long)next, cuts.end());
	cuts = std::move(all);
}

/* Lines of the preprocessor between two declarations that go: only the last marker stays. */
std::vector<Cut> cuts_of(const Units &units, int level)
{
	std::vector<Cut> all, out;
	cut_unit(units, 0, level, all);
	for (const Cut &c : all) {
		Cut *last = out.empty() || !out.back().by.empty() ? nullptr : &out.back();
		unsigned marker = last ? last_marker(units, last->end, c.begin) : 0;
		if (last && marker > last->end) {
			last->end = marker;
			last->by = marker < c.begin ? "\n" : "";
		}
		if (last && last->end == c.begin && last->by.empty()) {
			last->end = c.end;
			last->by = c.by;
		} else
			out.push_back(c);
	}
	cut_flags(units, out);
	return out;
}

/* ---- names ---- */

/* An error is the same as before when it says the same about the same words. */
static std::string key_of(const Message &m, const std::string &text)
{
	enum { WORDS = 24 };
	return m.here && m.at < text.size() ? m.text + "\n" + text.substr(m.at, WORDS) : m.text;
}

Repair::Repair(Units &u, Reach &r, const std::string &s, const Messages &messages)
    : units(u), reach(r), standard(s)
{
	for (const Message &m : messages.all)
		known.insert(key_of(m, units.text));
	for (size_t i = 1; i < units.all.size(); i++)
		for (Decl *d : units.all[i].decls) {
			if (auto *f = dyn_cast<FriendDecl>(d))
				name(f->getFriendDecl(), (int)i);
			name(dyn_cast<NamedDecl>(d), (int)i);
			if (auto *e = dyn_cast<EnumDecl>(d))
				for (auto *c : e->enumerators())
					name(c, (int)i);
		}
}

void Repair::name(NamedDecl *d, int i)
{
	if (!d)
		return;
	FunctionDecl *f = function_of(d);
	bool constructor = f && isa<CXXConstructorDecl>(f);
	std::string text =
		constructor ? "new " + cast<CXXConstructorDecl>(f)->getParent()->getNameAsString()
			    : d->getDeclName().getAsString();
	if (!text.empty())
		named[text].push_back(i);
}

std::string Repair::name_around(int i) const
{
	for (Decl *d : units.all[(size_t)units.all[(size_t)i].parent].decls)
		if (auto *n = dyn_cast<NamedDecl>(d))
			return n->getNameAsString();
	return "";
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The last name in what an error quotes, outside of angle brackets: `std::pair<int, T>` is `pair`.
 */
static std::string last_name(const std::string &quoted)
{
	size_t op = quoted.find("operator");
	if (op != std::string::npos)
		return quoted.substr(op);
	std::string word, last;
	int depth = 0;
	for (char c : quoted.substr(0, quoted.find('(')) + " ") {
		depth += c == '<';
		if (!depth && is_word(c))
			word += c;
		else if (!depth && !word.empty()) {
			last = word;
			word.clear();
		} else if (depth && !word.empty()) {
			last = word;
			word.clear();
		}
		depth -= c == '>';
	}
	return last;
}

static std::vector<std::string> quotes_of(const std::string &text)
{
	std::vector<std::string> all;
	for (size_t open = 0, close; (open = text.find('\'', open)) != std::string::npos;
	     open = close + 1) {
		close = text.find('\'', open + 1);
		if (close == std::string::npos)
			break;
		all.push_back(text.substr(open + 1, close - open - 1));
	}
	return all;
}

/* Keeps what is called NAME, with its body when it was kept without: members of IN when there are
 * such, else members of classes that stay, and what stands in namespaces. */
bool Repair::want(const std::string &name, const std::string &in, bool anywhere)
{
	auto found = named.find(name);
	if (found == named.end())
		return false;
	bool any = false, inside = false;
	for (int i : found->second)
		inside |= !in.empty() && name_around(i) == in;
	if (!in.empty() && !inside && !anywhere)
		return false;
	for (int i : found->second) {
		const Unit &u = units.all[(size_t)i], &around = units.all[(size_t)u.parent];
		if ((inside && !anywhere && name_around(i) != in) ||
		    (around.kind == Unit::CLASS && around.level < 0))
			continue;
		bool bare = u.kind == Unit::FUNCTION && u.body_level < 0;
		any |= u.level < 0 || bare;
		if (u.level < 0)
			reach.keep(i);
		else
			reach.keep_body(i);
	}
	return any;
}

/* The name or operator at AT. */
bool Repair::want_at(const std::string &text, unsigned at)
{
	unsigned end = at;
	while (end < text.size() && is_word(text[end]))
		end++;
	if (end > at)
		return want(text.substr(at, end - at), "", true);
	while (end < text.size() && end < at + 3 && strchr("+-*/%=<>!&|^[](),~", text[end]))
		end++;
	bool any = false;
	for (; end > at && !any; end--)
		any = want("operator" + text.substr(at, end - at), "", true);
	return any;
}

/* ---- errors ---- */

static bool tells_what_is_missing(const Message &m)
{
	for (const char *word : { "undefined", "incomplete", "forward", "would be invalid" })
		if (m.text.find(word) != std::string::npos)
			return true;
	return !m.note;
}

bool Repair::references(const Message &m, const std::string &text, bool again)
{
	std::vector<std::string> quotes = quotes_of(m.text);
	bool any = false;
	std::string in = quotes.size() > 1 && m.text.find(" in '") != std::string::npos
	                         ? last_name(quotes[1])
	                         : "";
	if (!quotes.empty()) {
		any = want(last_name(quotes[0]), in, again);
		if (m.text.find("object of type") != std::string::npos ||
		    m.text.find("call operator") != std::string::npos)
			any |= want("operator()", last_name(quotes[0]), again);
		if (m.text.find("constructor") != std::string::npos ||
		    m.text.find("conversion") != std::string::npos)
			any |= want("new " + last_name(quotes[0]), "", again);
	}
	if (m.here && (!any || again))
		any |= want_at(text, m.at);
	for (size_t i = 1; i < quotes.size() && !any && again; i++) {
		any = want(last_name(quotes[i]), "", false);
		any |= want("new " + last_name(quotes[i]), "", false);
	}
	return any;
}

/* True: something was kept. */
bool Repair::round()
{
	std::string text = Text(units.text).after(cuts_of(units, reach.level())).bytes;
	Messages messages;
	if (!parse(text, standard, messages))
		return false;
	bool any = false, skips = false;
	for (const Message &m : messages.all) {
		if (!m.note)
			skips = known.count(key_of(m, text)) ||
			        m.text.find("line marker") != std::string::npos;
		if (!skips && tells_what_is_missing(m))
			any |= references(m, text, times[m.text]++ > 0);
	}
	reach.follow();
	return any;
}

void Repair::run()
{
	for (int i = 0; i < REPAIR_ROUNDS && round(); i++)
		;
}
