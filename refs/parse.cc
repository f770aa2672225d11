#include "parse.h"

#include "undefined.h"

#include <clang/Tooling/Tooling.h>

using namespace clang;

static const char prelude[] =
	"typedef long double __float80;\n"
	"typedef float _Float32;\ntypedef double _Float64;\ntypedef double _Float32x;\n"
	"typedef long double _Float64x;\ntypedef __float128 _Float128;\n"
	"#define __is_layout_compatible(a, b) __is_same(a, b)\n"
	"#define __is_pointer_interconvertible_base_of(a, b) __is_base_of(a, b)\n";

/* For what stands in place of __integer_pack, where the text has the class itself. */
static const char index_tuple[] =
	"namespace std {\ntemplate <unsigned long...> struct _Index_tuple;\n"
	"template <typename, unsigned long... I> using _I_ = _Index_tuple<I...>;\n}\n";

/* What clang does not know, and what it does, of the same length. */
static const struct {
	const char *gcc, *clang;
} alike[] = {
	{ "integer_sequence<_Tp, __integer_pack(_Num)...>",
	  "__make_integer_seq<integer_sequence,_Tp,_Num> " },
	{ "_Index_tuple<__integer_pack(_Num)...>", "__make_integer_seq<_I_,size_t,_Num>  " },
};

/* Without `extern template`, too: it keeps what is called from being instantiated. */
static std::string for_clang(std::string text)
{
	static const char hidden[] = "extern template";
	for (auto &pair : alike)
		for (size_t p = 0; (p = text.find(pair.gcc, p)) != std::string::npos; p++)
			text.replace(p, std::string(pair.gcc).size(), pair.clang);
	for (size_t p = 0; (p = text.find(hidden, p)) != std::string::npos;)
		for (size_t end = text.find(';', p); p < text.size() && p <= end; p++)
			if (text[p] != '\n')
				text[p] = ' ';
	return text;
}

/* __malloc__(fclose, 1) */
bool Message::is_of_dialect() const
{
	return text.find("takes no arguments") != std::string::npos;
}

bool Message::is_of_standard() const
{
	return text.find("C++20 extension") != std::string::npos;
}

/* ---- messages ---- */

/* The place of a lambda is no part of what is said. */
static std::string without_places(std::string text)
{
	static const char lambda[] = "(lambda at ";
	for (size_t p = 0; (p = text.find(lambda, p)) != std::string::npos; p++) {
		size_t end = text.find(')', p), from = p + sizeof lambda - 2;
		text.erase(from, end == std::string::npos ? end : end - from);
	}
	return text;
}

static void set_place(Message &m, const SourceManager &s, SourceLocation where)
{
	if (where.isInvalid())
		return;
	auto place = s.getDecomposedLoc(s.getFileLoc(where));
	m.at = place.second;
	m.here = place.first == s.getMainFileID();
}

void Messages::HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic &d)
{
	bool note = level == DiagnosticsEngine::Note;
	if (!note)
		about_error = level >= DiagnosticsEngine::Error;
	if (!about_error)
		return;
	SmallString<256> text;
	d.FormatDiagnostic(text);
	all.push_back({ without_places(text.str().str()), 0, false, note });
	if (d.hasSourceManager())
		set_place(all.back(), d.getSourceManager(), d.getLocation());
}

void Messages::add(const std::string &text, const SourceManager &sources, SourceLocation where)
{
	all.push_back({ without_places(text), 0, false, false });
	set_place(all.back(), sources, where);
}

std::unique_ptr<ASTUnit> parse(const std::string &text, const std::string &standard,
                               Messages &messages)
{
	const std::vector<std::string> args = {
		"-xc++",
		"-std=" + standard,
		"-nostdinc",
		"-include",
		"/prelude.h",
		"-Wno-everything", /* but what is an error for others */
		"-Werror=c++20-extensions",
		"-Werror=undefined-internal",
		"-Werror=undefined-inline",
		"-Werror=unusable-partial-specialization",
		"-fsyntax-only",
		"-ferror-limit=0",
		"-fno-spell-checking",
		"-Wno-invalid-constexpr",
		"-fsized-deallocation",
	};
	bool has_tuple = text.find("struct _Index_tuple") != std::string::npos;
	const tooling::FileContentMappings files = {
		{ "/prelude.h", std::string(prelude) + (has_tuple ? index_tuple : "") }
	};
	auto tree = tooling::buildASTFromCodeWithArgs(
		for_clang(text), args, "/input.cc", "clang",
		std::make_shared<PCHContainerOperations>(),
		tooling::getClangStripDependencyFileAdjuster(), files, &messages);
	if (tree)
		add_undefined(tree->getASTContext(), messages);
	return tree;
}

/* C++17 first: a file that both read alike is hardly meant for C++20, and only that finds a == b
 * behind a != b. An older one only when it has no errors: a file that has one on purpose may have
 * fewer where less of it is understood. */
std::string find_standard(const std::string &text)
{
	static const struct {
		const char *name;
		bool old;
	} standards[] = { { "gnu++17", false },
		          { "gnu++20", false },
		          { "gnu++2b", false },
		          { "gnu++14", true },
		          { "gnu++11", true } };
	std::string best;
	size_t fewest = 0;
	for (auto &s : standards) {
		Messages messages;
		size_t errors = 0;
		bool parsed = parse(text, s.name, messages) != nullptr;
		for (const Message &m : messages.all)
			errors += !m.note && !m.is_of_dialect() && !m.is_of_standard();
		if (parsed && (best.empty() || (errors < fewest && (!s.old || !errors)))) {
			best = s.name;
			fewest = errors;
		}
		if (!best.empty() && !fewest)
			break;
	}
	return best;
}
