#include "text.h"

#include <algorithm>
#include <numeric>

Text::Text(const std::string &original)
    : bytes(original), from(original.size()), size((unsigned)original.size())
{
	std::iota(from.begin(), from.end(), 0u);
}

Text Text::after(const std::vector<Cut> &cuts) const
{
	Text t;
	unsigned at = 0;
	auto take = [&](unsigned end) {
		t.bytes.append(bytes, at, end - at);
		t.from.insert(t.from.end(), from.begin() + at, from.begin() + end);
	};
	t.size = size;
	for (const Cut &c : cuts) {
		take(c.begin);
		t.bytes.append(c.by);
		t.from.insert(t.from.end(), c.by.size(), NEW);
		at = c.end;
	}
	take((unsigned)bytes.size());
	return t;
}

std::vector<Cut> Text::cuts() const
{
	std::vector<Cut> all;
	unsigned next = 0;
	std::string by;
	auto close = [&](unsigned at) {
		if (at > next || !by.empty())
			all.push_back({ next, at, by });
		by.clear();
	};
	for (size_t i = 0; i < bytes.size(); i++) {
		if (from[i] == NEW) {
			by += bytes[i];
			continue;
		}
		close(from[i]);
		next = from[i] + 1;
	}
	close(size);
	return all;
}

unsigned Text::place_of(unsigned at) const
{
	for (size_t i = 0; i < from.size(); i++)
		if (from[i] != NEW && from[i] >= at)
			return (unsigned)i;
	return (unsigned)from.size();
}

unsigned Text::origin_of(unsigned at) const
{
	for (size_t i = at; i < from.size(); i++)
		if (from[i] != NEW)
			return from[i];
	return size;
}
