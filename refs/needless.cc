#include "needless.h"

#include "detail.h"
#include "shrink.h"

#include <algorithm>

enum {
	LAST = 40,   /* level */
	PARSES = 48, /* of the whole file: as many bytes are parsed, so that it costs no more than
	                as many tests by a compiler */
	LEAST = 64 << 20,   /* bytes, some ten seconds: of a smaller file all declarations can be
	                       tried */
	WITHOUT = 16 << 20, /* without a target, of which less can be hoped for */
};

/* Where the part begins whose references count: what the user wrote, as far as that can be seen. */
static unsigned find_tail(const Units &units)
{
	enum { TAIL = 64 }; /* one part in so many */
	unsigned size = (unsigned)units.text.size(), last = units.last_declaration();
	for (unsigned own : { units.own_part(), units.behind_libraries(size / TAIL) })
		if (own && size - own < size / 4)
			return own <= last ? own : last;
	return size - size / TAIL;
}

Closure::Closure(const std::string &text, const std::string &standard, unsigned where)
    : tail(where), tree(parse(text, standard, messages))
{
	if (!tree)
		return;
	units = std::make_unique<Units>(tree->getASTContext(), text);
	tail = tail ? tail : find_tail(*units);
	reach = std::make_unique<Reach>(*units, tail);
	for (size_t i = 1; i < units->all.size(); i++)
		if (units->all[i].begin >= tail)
			reach->keep((int)i);
	for (const Message &m : messages.all)
		if (m.here && !m.is_of_dialect())
			reach->keep_reported(units->innermost(m.at));
	reach->follow();
	repair = std::make_unique<Repair>(*units, *reach, standard, messages);
}

void Closure::last_level()
{
	for (int level = 0; level < LAST && reach->next_level(); level++)
		;
	repair->run();
}

void Closure::be_generous()
{
	reach->be_generous();
	last_level();
}

/* ---- with an error that has to stay ---- */

/* TEXT becomes NEXT when the judge accepts that; or what is left of it without what needs something
 * that has gone. */
static bool take(Judge &judge, Text &text, Text next, const Shrink::Report &report)
{
	if (!judge.accepts(next.bytes)) {
		Shrink s(judge, next, report);
		if (!s.references())
			return false;
		next = s.result();
	}
	text = next;
	report(text);
	return true;
}

/* TEXT becomes what CLOSURE leaves of it. */
static void close(Judge &judge, Closure &closure, Text &text, const Shrink::Report &report)
{
	if (!closure.is_there())
		return;
	closure.last_level();
	if (take(judge, text, text.after(closure.cuts()), report))
		return;
	closure.be_generous();
	take(judge, text, text.after(closure.cuts()), report);
}

static bool shrink(Judge &judge, Text &text, Shrink::Where where, const Shrink::Report &report)
{
	Shrink s(judge, text, report);
	bool any = s.run(where);
	text = s.result();
	return any;
}

/* The tail first: what it mentions keeps the rest. */
static void find_for_target(Judge &judge, Closure &whole, Text &text, const Shrink::Report &report,
                            const Propose &propose)
{
	close(judge, whole, text, report);
	shrink(judge, text, Shrink::TAIL, report);
	Closure less(text.bytes, judge.standard, text.place_of(judge.tail));
	close(judge, less, text, report);
	shrink(judge, text, Shrink::FRONT, report);
	while (!judge.is_tired() && shrink(judge, text, Shrink::ALL, report))
		;
	propose(text.cuts()); /* compilers agree less about details */
	while (!judge.is_tired() && shrink_details(judge, text, report))
		shrink(judge, text, Shrink::ALL, report);
}

/* The texts on the way from the first to the last, which the test may see otherwise than clang
 * from some step on: those that halve the size, as they come, and in the end those that save a
 * half, a fourth, and so on, of what the last one saves. */
class Way
{
      public:
	Way(size_t s, const Propose &p) : size(s), least(s), kept(s), propose(p) {}
	void add(const Text &text);
	void end(const Text &text);

      private:
	enum { FINE = 64, SHARES = 4 };
	size_t size, least, kept;
	const Propose &propose;
	std::vector<std::pair<size_t, std::vector<Cut>>> steps; /* bytes saved, and how */
};

void Way::add(const Text &text)
{
	size_t now = text.bytes.size();
	if (now <= kept - kept / FINE) {
		steps.push_back({ size - now, text.cuts() });
		kept = now;
	}
	if (now <= least / 2) {
		least = now;
		propose(text.cuts());
	}
}

void Way::end(const Text &text)
{
	size_t saved = size - text.bytes.size();
	for (int share = SHARES; share && saved; share--) {
		auto behind = std::find_if(steps.begin(), steps.end(),
		                           [&](auto &step) { return step.first > saved >> share; });
		if (behind != steps.begin())
			propose((behind - 1)->second);
	}
	if (text.bytes.size() < least)
		propose(text.cuts());
}

void find_needless(const std::string &bytes, const std::string &standard, const Propose &propose)
{
	Text text(bytes);
	Way way(bytes.size(), propose);
	auto report = [&](const Text &now) { way.add(now); };
	Closure closure(bytes, standard, 0);
	if (!closure.is_there())
		return;
	Judge judge(standard, closure.tail, closure.messages, WITHOUT);
	if (judge.has_target()) {
		judge.allow(std::max<size_t>(LEAST, PARSES * bytes.size()));
		find_for_target(judge, closure, text, report, propose);
	} else
		shrink(judge, text, Shrink::FRONT, report);
	way.end(text);
}
