#include "parse.h"

#include <clang/Tooling/Tooling.h>

using namespace clang;

static const char prelude[] =
	"typedef long double __float80;\n"
	"typedef float _Float32;\ntypedef double _Float64;\ntypedef double _Float32x;\n"
	"typedef long double _Float64x;\ntypedef __float128 _Float128;\n"
	"#define __is_layout_compatible(a, b) __is_same(a, b)\n"
	"#define __is_pointer_interconvertible_base_of(a, b) __is_base_of(a, b)\n"
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

void Messages::HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic &d)
{
	bool note = level == DiagnosticsEngine::Note;
	if (!note)
		about_error = level >= DiagnosticsEngine::Error;
	if (!about_error)
		return;
	SmallString<256> text;
	d.FormatDiagnostic(text);
	Message m{ text.str().str(), 0, false, note };
	if (d.hasSourceManager() && d.getLocation().isValid()) {
		SourceManager &s = d.getSourceManager();
		auto place = s.getDecomposedLoc(s.getFileLoc(d.getLocation()));
		m.at = place.second;
		m.here = place.first == s.getMainFileID();
	}
	all.push_back(m);
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
		"-w",
		"-fsyntax-only",
		"-ferror-limit=0",
		"-fno-spell-checking",
		"-Wno-invalid-constexpr",
		"-fsized-deallocation",
	};
	const tooling::FileContentMappings files = { { "/prelude.h", prelude } };
	return tooling::buildASTFromCodeWithArgs(for_clang(text), args, "/input.cc", "clang",
	                                         std::make_shared<PCHContainerOperations>(),
	                                         tooling::getClangStripDependencyFileAdjuster(),
	                                         files, &messages);
}

/* C++17 first: a file that both read alike is hardly meant for C++20, and only that finds a == b
 * behind a != b. */
std::string find_standard(const std::string &text)
{
	std::string best;
	size_t fewest = 0;
	for (const char *standard : { "gnu++17", "gnu++20", "gnu++14", "gnu++2b", "gnu++11" }) {
		Messages messages;
		size_t errors = 0;
		bool parsed = parse(text, standard, messages) != nullptr;
		for (const Message &m : messages.all)
			errors += !m.note && !m.is_of_dialect();
		if (parsed && (best.empty() || errors < fewest)) {
			best = standard;
			fewest = errors;
		}
		if (!best.empty() && !fewest)
			break;
	}
	return best;
}
