#include "units.h"

#include <algorithm>
#include <cctype>
#include <clang/Lex/Lexer.h>
#include <map>

using namespace clang;

FunctionDecl *function_of(Decl *decl)
{
	if (auto *f = dyn_cast<FriendDecl>(decl))
		decl = f->getFriendDecl();
	if (!decl)
		return nullptr;
	if (auto *t = dyn_cast<FunctionTemplateDecl>(decl))
		return t->getTemplatedDecl();
	return dyn_cast<FunctionDecl>(decl);
}

bool has_body(const FunctionDecl *f)
{
	return f->doesThisDeclarationHaveABody() && !f->isDefaulted() && !f->isDeleted();
}

static CXXRecordDecl *class_of(Decl *decl)
{
	if (auto *t = dyn_cast<ClassTemplateDecl>(decl))
		return t->getTemplatedDecl();
	return dyn_cast<CXXRecordDecl>(decl);
}

Units::Units(ASTContext &c, const std::string &t)
    : ctx(c), text(t), sources(c.getSourceManager()), main(sources.getMainFileID())
{
	tokenize();
	all.push_back({ 0, (unsigned)text.size(), -1 });
	all[0].kind = Unit::SPACE;
	all[0].level = 0;
	fill(ctx.getTranslationUnitDecl(), 0, 0, (unsigned)text.size());
}

void Units::tokenize()
{
	SourceLocation start = sources.getLocForStartOfFile(main);
	Lexer lexer(start, ctx.getLangOpts(), text.data(), text.data(), text.data() + text.size());
	clang::Token t;
	unsigned line_end = 0;
	for (lexer.LexFromRawLexer(t); !t.is(tok::eof); lexer.LexFromRawLexer(t)) {
		unsigned at = t.getLocation().getRawEncoding() - start.getRawEncoding();
		if (at < line_end)
			continue;
		bool directive = t.is(tok::hash) && t.isAtStartOfLine();
		if (directive)
			line_end = (unsigned)std::min(text.find('\n', at), text.size());
		tokens.push_back(
			{ at, directive ? line_end - at : t.getLength(), t.getKind(), directive });
	}
}

size_t Units::first_token(unsigned from) const
{
	auto before = [](const ::Token &t, unsigned at) { return t.at < at; };
	return (size_t)(std::lower_bound(tokens.begin(), tokens.end(), from, before) -
	                tokens.begin());
}

std::string Units::text_of(const Unit &u) const
{
	return text.substr(u.begin, u.end - u.begin);
}

bool Units::offset(SourceLocation where, unsigned &at) const
{
	if (where.isInvalid())
		return false;
	auto place = sources.getDecomposedLoc(sources.getFileLoc(where));
	at = place.second;
	return place.first == main;
}

unsigned Units::own_part() const
{
	std::string first;
	unsigned from = 0;
	for (const ::Token &t : tokens) {
		std::string line = t.directive ? text.substr(t.at, t.len) : "";
		size_t open = line.find('"'), close = line.rfind('"');
		bool marker = line.size() > 2 && line[1] == ' ' && isdigit((unsigned char)line[2]);
		if (!marker || open == close)
			continue;
		std::string name = line.substr(open, close - open);
		first = first.empty() ? name : first;
		from = name != first ? 0 : from ? from : t.at + t.len;
	}
	return from;
}

unsigned Units::behind_libraries(unsigned bytes) const
{
	std::map<std::string, unsigned> sizes;
	unsigned end = 0;
	for (int pass = 0; pass < 2; pass++)
		for (int i : all[0].inside) {
			const Unit &u = all[(size_t)i];
			auto *space =
				u.decls.empty() ? nullptr : dyn_cast<NamespaceDecl>(u.decls[0]);
			unsigned &size = sizes[space ? space->getNameAsString() : ""];
			size += space && !pass ? u.end - u.begin : 0;
			end = pass && size > bytes ? u.end : end;
		}
	return end;
}

unsigned Units::last_declaration() const
{
	unsigned begin = 0;
	for (size_t i = 1; i < all.size(); i++) {
		const Unit &u = all[i];
		bool space = u.kind == Unit::SPACE || u.kind == Unit::NOTHING;
		if (!space && all[(size_t)u.parent].kind == Unit::SPACE)
			begin = std::max(begin, u.begin);
	}
	return begin;
}

static int depth_of(tok::TokenKind kind)
{
	switch (kind) {
	case tok::l_brace:
	case tok::l_paren:
	case tok::l_square:
		return 1;
	case tok::r_brace:
	case tok::r_paren:
	case tok::r_square:
		return -1;
	default:
		return 0;
	}
}

/* FROM when there is none in front of LIMIT, or of the end of what is around it. Declarations stand
 * in braces or in none, so parentheses that close were opened by this one: the tree lets `int
 * i(j);` end at the j. */
unsigned Units::behind_semicolon(unsigned from, unsigned limit) const
{
	int depth = 0;
	for (size_t i = first_token(from); i < tokens.size() && tokens[i].at < limit; i++) {
		depth += depth_of(tokens[i].kind);
		if (depth < 0 && tokens[i].kind == tok::r_brace)
			break;
		depth = depth < 0 ? 0 : depth;
		if (!depth && tokens[i].kind == tok::semi)
			return tokens[i].at + 1;
	}
	return from;
}

unsigned Units::brace_behind(unsigned from) const
{
	size_t i = first_token(from);
	while (i < tokens.size() && tokens[i].kind != tok::l_brace)
		i++;
	return i < tokens.size() ? tokens[i].at : (unsigned)text.size();
}

/* Where a declaration begins: what its tree leaves out (attributes, __extension__) belongs to it,
 * lines of the preprocessor do not. */
unsigned Units::start_behind(unsigned last, unsigned begin) const
{
	unsigned at = begin;
	bool first = true;
	for (size_t i = first_token(last); i < tokens.size() && tokens[i].at < begin; i++) {
		if (tokens[i].directive)
			at = begin;
		else if (first)
			at = tokens[i].at;
		first = tokens[i].directive;
	}
	return at;
}

int Units::add(int parent, unsigned begin, unsigned end)
{
	all.push_back({ begin, end, parent });
	all[(size_t)parent].inside.push_back((int)all.size() - 1);
	return (int)all.size() - 1;
}

/* What ends with a semicolon between two declarations (extern template of functions). Returns where
 * the last one ends. */
unsigned Units::add_gap(int parent, unsigned from, unsigned to)
{
	int depth = 0;
	for (size_t i = first_token(from); i < tokens.size() && tokens[i].at < to; i++) {
		depth += depth_of(tokens[i].kind);
		if (depth || tokens[i].kind != tok::semi)
			continue;
		int unit = add(parent, start_behind(from, tokens[i].at), tokens[i].at + 1);
		all[(size_t)unit].kind = Unit::NOTHING;
		from = tokens[i].at + 1;
	}
	return from;
}

/* Does the text of DECL end where its tree says, rather than at a semicolon? */
static bool ends_itself(Decl *decl, const std::string &text, unsigned end)
{
	FunctionDecl *f = function_of(decl);
	bool by_brace = isa<LinkageSpecDecl>(decl) && end && text[end - 1] == '}';
	return by_brace || isa<NamespaceDecl>(decl) || isa<AccessSpecDecl>(decl) ||
	       isa<EmptyDecl>(decl) || (f && has_body(f));
}

void Units::gather(DeclContext *of, unsigned begin, unsigned end, std::vector<Piece> &pieces)
{
	for (Decl *d : of->decls()) {
		SourceLocation from = d->getBeginLoc();
		if (auto *declarator = dyn_cast<DeclaratorDecl>(d))
			from = declarator->getOuterLocStart();
		else if (auto *tag = dyn_cast<TagDecl>(d))
			from = tag->getOuterLocStart();
		unsigned b, e;
		if (d->isImplicit() || !offset(from, b) || !offset(d->getEndLoc(), e) ||
		    b < begin || e >= end)
			continue;
		size_t t = first_token(e); /* the tree has the e of `delete` as the end */
		t -= t && tokens[t - 1].at + tokens[t - 1].len > e;
		e = t < tokens.size() ? tokens[t].at + tokens[t].len : e;
		pieces.push_back({ b, ends_itself(d, text, e) ? e : behind_semicolon(e, end), d });
	}
	std::stable_sort(pieces.begin(), pieces.end(),
	                 [](const Piece &x, const Piece &y) { return x.begin < y.begin; });
}

void Units::fill(DeclContext *of, int parent, unsigned begin, unsigned end)
{
	std::vector<Piece> pieces;
	gather(of, begin, end, pieces);
	unsigned last = begin;
	for (size_t i = 0, k; i < pieces.size(); i = k) {
		unsigned to = pieces[i].end;
		for (k = i + 1; k < pieces.size() && pieces[k].begin < to; k++)
			to = std::max(to, pieces[k].end);
		last = add_gap(parent, last, pieces[i].begin);
		add_pieces(parent, start_behind(last, pieces[i].begin), to, &pieces[i],
		           pieces.data() + k);
		last = to;
	}
	add_gap(parent, last, end);
}

void Units::add_pieces(int parent, unsigned begin, unsigned end, const Piece *from, const Piece *to)
{
	int unit = add(parent, begin, end);
	for (const Piece *p = from; p < to; p++)
		all[(size_t)unit].decls.push_back(p->decl);
	FunctionDecl *f = to - from == 1 ? function_of(from->decl) : nullptr;
	if (f)
		find_body(unit, f);
	for (const Piece *p = from; p < to && !f; p++)
		if (enter(unit, p->decl))
			return;
}

/* The declarations inside DECL; false when there are none. */
bool Units::enter(int unit, Decl *decl)
{
	unsigned at, to;
	if (auto *space = dyn_cast<NamespaceDecl>(decl)) {
		all[(size_t)unit].kind = Unit::SPACE;
		if (!offset(space->getLocation(), at) || !offset(space->getRBraceLoc(), to))
			return true;
		unsigned open = brace_behind(at), inner;
		while (!space->decls_empty()) { /* namespace a::b { */
			auto *next = dyn_cast<NamespaceDecl>(*space->decls_begin());
			if (!next || !offset(next->getLocation(), inner) || inner > open)
				break;
			all[(size_t)unit].decls.push_back(space = next);
		}
		fill(space, unit, open + 1, to);
		return true;
	}
	if (auto *linkage = dyn_cast<LinkageSpecDecl>(decl)) {
		if (!linkage->hasBraces() || !offset(linkage->getExternLoc(), at) ||
		    !offset(linkage->getRBraceLoc(), to))
			return false;
		all[(size_t)unit].kind = Unit::SPACE;
		fill(linkage, unit, brace_behind(at) + 1, to);
		return true;
	}
	CXXRecordDecl *r = class_of(decl);
	if (!r || !r->isThisDeclarationADefinition() ||
	    !offset(r->getBraceRange().getBegin(), at) ||
	    !offset(r->getBraceRange().getEnd(), to) || at <= all[(size_t)unit].begin ||
	    to >= all[(size_t)unit].end)
		return false;
	all[(size_t)unit].kind = Unit::CLASS;
	fill(r, unit, at + 1, to);
	return true;
}

void Units::find_body(int unit, FunctionDecl *f)
{
	Unit &u = all[(size_t)unit];
	unsigned at;
	if (!has_body(f) || !f->getBody() || !offset(f->getBody()->getBeginLoc(), at))
		return;
	auto *constructor = dyn_cast<CXXConstructorDecl>(f);
	for (unsigned init; constructor && constructor->getNumCtorInitializers();) {
		for (auto *i : constructor->inits())
			if (i->isWritten() && offset(i->getSourceLocation(), init))
				at = std::min(at, init);
		break;
	}
	size_t t = first_token(at);
	while (t && tokens[t].at > u.begin && tokens[t].kind != tok::colon &&
	       tokens[t].kind != tok::l_brace)
		t--;
	if (t && tokens[t - 1].kind == tok::kw_try)
		t--;
	u.kind = Unit::FUNCTION;
	u.body_begin = tokens[t].at;
	u.body_end = u.end;
}

/* A statement with its semicolon; those whose end is not seen, as in macros, are left out. */
void Units::add_statements_of(int parent, const CompoundStmt *block)
{
	for (const Stmt *s : block->body()) {
		const std::vector<int> &in = all[(size_t)parent].inside;
		unsigned last = in.empty() ? all[(size_t)parent].begin : all[(size_t)in.back()].end;
		unsigned begin, end;
		if (!offset(s->getBeginLoc(), begin) || !offset(s->getEndLoc(), end) ||
		    begin < last || end < begin)
			continue;
		size_t t = first_token(end);
		if (t >= tokens.size())
			continue;
		if (tokens[t].kind != tok::semi && t + 1 < tokens.size() &&
		    tokens[t + 1].kind == tok::semi)
			t++;
		if (tokens[t].kind != tok::semi && tokens[t].kind != tok::r_brace)
			continue;
		int unit = add(parent, begin, tokens[t].at + tokens[t].len);
		all[(size_t)unit].kind = Unit::STATEMENT;
		add_statements_below(unit, s);
	}
}

void Units::add_statements_below(int parent, const Stmt *s)
{
	if (auto *block = dyn_cast<CompoundStmt>(s)) {
		add_statements_of(parent, block);
		return;
	}
	for (const Stmt *inner : s->children())
		if (inner)
			add_statements_below(parent, inner);
}

void Units::add_statements()
{
	for (size_t i = 0, n = all.size(); i < n; i++) {
		FunctionDecl *f =
			all[i].kind == Unit::FUNCTION ? function_of(all[i].decls[0]) : nullptr;
		if (f && f->getBody())
			add_statements_below((int)i, f->getBody());
	}
}

int Units::innermost(unsigned at) const
{
	int found = 0;
	for (;;) {
		const std::vector<int> &in = all[(size_t)found].inside;
		auto next = std::partition_point(in.begin(), in.end(),
		                                 [&](int k) { return all[(size_t)k].end <= at; });
		if (next == in.end() || all[(size_t)*next].begin > at)
			return found;
		found = *next;
	}
}

bool is_using_of_calls(const Decl *decl)
{
	DeclarationName name;
	if (auto *x = dyn_cast<UnresolvedUsingValueDecl>(decl))
		name = x->getDeclName();
	else if (auto *x = dyn_cast<UsingDecl>(decl))
		name = x->getDeclName();
	return name.getCXXOverloadedOperator() == OO_Call;
}
