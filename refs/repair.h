/* What is left of a file is parsed, and what clang misses in it is kept: names that its errors
 * quote, or that stand where they are.
 */
#pragma once

#include "parse.h"
#include "reach.h"
#include "text.h"

/* What goes when the units of LEVEL stay. */
std::vector<Cut> cuts_of(const Units &units, int level);

class Repair
{
      public:
	/* KNOWN: the errors of the whole file. */
	Repair(Units &units, Reach &reach, const std::string &standard, const Messages &known);
	void run(); /* until nothing is missed, or nothing is found for it */

      private:
	bool round();
	bool references(const Message &m, const std::string &text, bool again);
	bool want(const std::string &name, const std::string &in, bool anywhere);
	bool want_at(const std::string &text, unsigned at);
	void name(clang::NamedDecl *d, int unit);
	std::string name_around(int unit) const;

	Units &units;
	Reach &reach;
	std::string standard;
	std::map<std::string, std::vector<int>> named;
	std::set<std::string> known;
	std::map<std::string, unsigned> times; /* an error was met */
};
