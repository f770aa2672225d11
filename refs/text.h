/* A text that is made smaller in steps, and what has become of the original in it. */
#pragma once

#include <string>
#include <vector>

struct Cut {
	unsigned begin, end;
	std::string by; /* what stands there then */
};

class Text
{
      public:
	explicit Text(const std::string &original);
	/* CUTS: sorted, disjoint, of this text. */
	Text after(const std::vector<Cut> &cuts) const;
	std::vector<Cut> cuts() const;         /* of the original */
	unsigned place_of(unsigned at) const;  /* what stood there, or behind it, stands now */
	unsigned origin_of(unsigned at) const; /* the other way */

	std::string bytes;

      private:
	Text() = default;
	static constexpr unsigned NEW = ~0u; /* stood nowhere */
	std::vector<unsigned> from;          /* of each byte, where it stood */
	unsigned size = 0;                   /* of the original */
};
