/* Clang as the judge of what is left of a file: the errors of the whole file that its tail brings
 * about stay, and no other error comes.
 */
#pragma once

#include "parse.h"

#include <algorithm>
#include <map>

class Judge
{
      public:
	/* TAIL: where what the user wrote begins. MESSAGES: those of the whole file. The judge
	 * parses so many BYTES and no more. */
	Judge(const std::string &standard, unsigned tail, const Messages &messages, size_t bytes);

	/* The errors that are new; false: one that has to stay is gone, or the judge is tired. */
	bool misses(const std::string &text, std::vector<Message> &new_errors);
	bool accepts(const std::string &text);
	bool has_target() const { return !target.empty(); }        /* an error that has to stay */
	void allow(size_t more) { bytes = std::max(bytes, more); } /* to be parsed */
	bool is_tired() const { return !bytes; }

	const std::string standard;
	const unsigned tail;

      private:
	typedef std::map<std::string, int> Counts;
	Counts known, target;
	size_t bytes;
};
