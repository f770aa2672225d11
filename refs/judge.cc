#include "judge.h"

Judge::Judge(const std::string &s, unsigned t, const Messages &messages, size_t b)
    : standard(s), tail(t), bytes(b)
{
	const Message *error = nullptr;
	for (const Message &m : messages.all) {
		if (!m.note) {
			known[m.text]++;
			error = m.is_of_dialect() ? nullptr : &m;
		}
		if (error && m.here && m.at >= tail) {
			target[error->text]++;
			error = nullptr;
		}
	}
}

/* An error is the same as before when its text is: the places change. */
bool Judge::misses(const std::string &text, std::vector<Message> &new_errors)
{
	Messages messages;
	if (bytes < text.size()) {
		bytes = 0;
		return false;
	}
	bytes -= text.size();
	if (!parse(text, standard, messages))
		return false;
	Counts met;
	for (const Message &m : messages.all) {
		if (m.note || m.is_of_dialect())
			continue;
		auto old = known.find(m.text);
		if (++met[m.text] > (old == known.end() ? 0 : old->second))
			new_errors.push_back(m);
	}
	return std::all_of(target.begin(), target.end(),
	                   [&](auto &t) { return met[t.first] >= t.second; });
}

bool Judge::accepts(const std::string &text)
{
	std::vector<Message> errors;
	return misses(text, errors) && errors.empty();
}
