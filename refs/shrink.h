/* Takes declarations, bodies and statements out of a text as long as clang accepts what is left.
 * What an error newly stands in goes as well, since it needs what has gone.
 */
#pragma once

#include "judge.h"
#include "text.h"
#include "units.h"

#include <functional>

class Shrink
{
      public:
	enum Where { TAIL, FRONT, ALL };
	typedef std::function<void(const Text &)> Report;

	/* REPORT is called with each text that was accepted. */
	Shrink(Judge &judge, const Text &text, Report report);
	/* Bodies of functions and their statements go only if the judge has a target: else clang
	 * needs none of them. True: something went. */
	bool run(Where where);
	/* Only what errors stand in that are new to the judge goes. False: the text is not
	 * accepted. */
	bool references();
	const Text &result() const { return best; }

      private:
	enum Kind { BODIES, PARTS, MEMBERS, STATEMENTS, KINDS };
	struct State {
		int level, body_level;
	};

	bool is_in(int unit) const;
	bool is_there(int unit) const;
	bool is_needed_return(int unit) const;
	bool is_of(Kind kind, int unit) const;
	bool drop(Kind kind, int unit);
	bool drop_at(const Text &text, unsigned at);
	bool drop_all(const Text &text, const std::vector<Message> &errors);
	bool settle();
	bool attempt(Kind kind, const int *from, size_t n);
	void divide(Kind kind, const int *from, size_t n, bool fails);
	bool sweep(Kind kind);
	std::vector<State> save() const;
	void restore(const std::vector<State> &saved);

	Judge &judge;
	Text base, best;
	Report report;
	std::unique_ptr<clang::ASTUnit> tree;
	std::unique_ptr<Units> units;
	unsigned tail;
	Where where = ALL;
};
