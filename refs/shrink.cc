#include "shrink.h"

#include "repair.h"

#include <algorithm>

using namespace clang;

enum { SHRINK_ROUNDS = 5 }; /* in which what has new errors goes, too */

Shrink::Shrink(Judge &j, const Text &text, Report r)
    : judge(j), base(text), best(text), report(r), tail(text.place_of(j.tail))
{
	Messages messages;
	tree = parse(text.bytes, judge.standard, messages);
	if (!tree)
		return;
	units = std::make_unique<Units>(tree->getASTContext(), text.bytes);
	units->add_statements();
	for (Unit &u : units->all)
		u.level = u.body_level = 0;
}

/* ---- what stays ---- */

std::vector<Shrink::State> Shrink::save() const
{
	std::vector<State> all;
	for (const Unit &u : units->all)
		all.push_back({ u.level, u.body_level });
	return all;
}

void Shrink::restore(const std::vector<State> &saved)
{
	for (size_t i = 0; i < saved.size(); i++) {
		units->all[i].level = saved[i].level;
		units->all[i].body_level = saved[i].body_level;
	}
}

bool Shrink::is_in(int i) const
{
	const Unit &u = units->all[(size_t)i];
	return where == ALL || (where == TAIL ? u.begin >= tail : u.end <= tail);
}

bool Shrink::is_there(int i) const
{
	bool there = units->all[(size_t)i].level >= 0;
	for (i = units->all[(size_t)i].parent; i >= 0 && there; i = units->all[(size_t)i].parent) {
		const Unit &u = units->all[(size_t)i];
		there = u.level >= 0 && (u.kind != Unit::FUNCTION || u.body_level >= 0);
	}
	return there;
}

/* Compilers know what this class looks like. */
static bool is_known_to_compilers(const Unit &u)
{
	auto *r = u.decls.empty() ? nullptr : dyn_cast<CXXRecordDecl>(u.decls[0]->getDeclContext());
	return r && r->getName() == "initializer_list";
}

/* For gcc a constexpr function has one, even in a template that is never instantiated. */
bool Shrink::is_needed_return(int i) const
{
	const Unit &u = units->all[(size_t)i];
	bool returns = u.kind == Unit::STATEMENT && !units->text.compare(u.begin, 6, "return");
	while (returns && units->all[(size_t)i].kind == Unit::STATEMENT)
		i = units->all[(size_t)i].parent;
	return returns && function_of(units->all[(size_t)i].decls[0])->isConstexpr();
}

bool Shrink::is_of(Kind kind, int i) const
{
	const Unit &u = units->all[(size_t)i];
	if (i == 0 || !is_there(i) || !is_in(i))
		return false;
	bool statement = u.kind == Unit::STATEMENT;
	bool member = units->all[(size_t)u.parent].kind == Unit::CLASS;
	switch (kind) {
	case BODIES:
		return judge.has_target() && u.kind == Unit::FUNCTION && u.body_level >= 0;
	case PARTS:
		return u.kind != Unit::SPACE && !statement && !member;
	case MEMBERS:
		return !statement && member && !is_known_to_compilers(u) &&
		       (u.decls.empty() || !is_using_of_calls(u.decls[0]));
	default:
		return judge.has_target() && statement && !is_needed_return(i);
	}
}

bool Shrink::drop(Kind kind, int i)
{
	if (!is_of(kind, i))
		return false;
	Unit &u = units->all[(size_t)i];
	(kind == BODIES ? u.body_level : u.level) = -1;
	return true;
}

/* Drops what stands at AT of TEXT: the statement, else the body, else the declaration. */
bool Shrink::drop_at(const Text &text, unsigned at)
{
	at = base.place_of(text.origin_of(at));
	int i = units->innermost(at);
	const Unit &u = units->all[(size_t)i];
	if (i == 0)
		return false;
	bool inside = u.kind == Unit::FUNCTION && at >= u.body_begin;
	return drop(STATEMENTS, i) || (inside && drop(BODIES, i)) || drop(PARTS, i) ||
	       drop(MEMBERS, i);
}

/* False: nothing can go for one of them. */
bool Shrink::drop_all(const Text &text, const std::vector<Message> &errors)
{
	bool any = false;
	for (const Message &m : errors) {
		if (!m.here)
			return false;
		any |= drop_at(text, m.at);
	}
	return any;
}

/* ---- the search ---- */

/* What is left becomes the best, once what new errors stand in has gone; false: they would not end.
 */
bool Shrink::settle()
{
	for (int round = 0; round < SHRINK_ROUNDS; round++) {
		std::vector<Message> errors;
		Text text = base.after(cuts_of(*units, 0));
		bool kept = judge.misses(text.bytes, errors);
		if (kept && errors.empty()) {
			best = text;
			report(best);
			return true;
		}
		if (!kept || !drop_all(text, errors))
			break;
	}
	return false;
}

bool Shrink::attempt(Kind kind, const int *from, size_t n)
{
	std::vector<State> saved = save();
	bool any = false;
	for (size_t i = 0; i < n; i++)
		any |= drop(kind, from[i]);
	if (any && settle())
		return true;
	restore(saved);
	return !any;
}

bool Shrink::references()
{
	where = ALL;
	return units && settle();
}

/* FAILS: known already. */
void Shrink::divide(Kind kind, const int *from, size_t n, bool fails)
{
	if (!n || judge.is_tired() || (!fails && attempt(kind, from, n)) || n == 1)
		return;
	size_t half = n / 2;
	bool gone = true;
	divide(kind, from, half, false);
	for (size_t i = 0; i < half; i++)
		gone &= !is_of(kind, from[i]);
	divide(kind, from + half, n - half, gone && n - half > 1);
}

/* A number that a text has at random, and always. */
static size_t place_in(const std::string &text)
{
	size_t n = 0;
	for (unsigned char c : text)
		n = n * 31 + c;
	return n;
}

bool Shrink::sweep(Kind kind)
{
	enum { GROUPS = 8 }; /* to begin with */
	std::vector<int> all;
	for (size_t i = 1; i < units->all.size(); i++)
		if (is_of(kind, (int)i))
			all.push_back((int)i);
	/* Where it begins depends on the text: if the test does not follow clang from some step on,
	 * the steps behind it may come first another time. */
	if (!all.empty())
		std::rotate(all.begin(), all.begin() + (long)(place_in(base.bytes) % all.size()),
		            all.end());
	size_t size = best.bytes.size(), step = std::max<size_t>(1, all.size() / GROUPS);
	for (size_t i = 0; i < all.size(); i += step)
		divide(kind, all.data() + i, std::min(step, all.size() - i), false);
	return best.bytes.size() < size;
}

bool Shrink::run(Where w)
{
	size_t size = best.bytes.size();
	where = w;
	for (bool any = units != nullptr; any && !judge.is_tired();) {
		any = false;
		for (int k = 0; k < KINDS; k++)
			any |= sweep((Kind)k);
	}
	return best.bytes.size() < size;
}
