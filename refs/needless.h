/* What clang says is not needed for the errors of a file, or for it to have none. */
#pragma once

#include "repair.h"
#include "text.h"

#include <functional>
#include <memory>

/* What the tail of a text reaches, level by level (reach.h), with what clang misses in that. */
class Closure
{
      public:
	/* TAIL: where it begins, 0: where what the user wrote seems to. What the messages are about
	 * stays. */
	Closure(const std::string &text, const std::string &standard, unsigned tail);
	bool is_there() const { return tree != nullptr; } /* clang could read the text */

	void references() { repair->run(); }
	bool next_level() { return reach->next_level(); }
	void last_level();  /* and mends */
	void be_generous(); /* all functions of a name stay, on all levels; and mends */
	std::vector<Cut> cuts() const { return cuts_of(*units, reach->level()); }

	Messages messages;
	unsigned tail;

      private:
	std::unique_ptr<clang::ASTUnit> tree;
	std::unique_ptr<Units> units;
	std::unique_ptr<Reach> reach;
	std::unique_ptr<Repair> repair;
};

typedef std::function<void(const std::vector<Cut> &)> Propose;

/* Calls PROPOSE with candidates, the most promising ones last. */
void find_needless(const std::string &text, const std::string &standard, const Propose &propose);
