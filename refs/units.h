/* The declarations of a C++ file as places in its text: what can be deleted, and what of it can
 * become
 * `;`. Built from the syntax tree of clang; offsets are those of the file.
 */
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclFriend.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Basic/TokenKinds.h>
#include <string>
#include <vector>

struct Token {
	unsigned at, len;
	clang::tok::TokenKind kind;
	bool directive; /* a whole line that begins with # */
};

/* A declaration, or several that share text (`int a, b;`), with the attributes in front of it. */
struct Unit {
	enum Kind {
		OTHER,
		SPACE, /* namespace, extern "C" { }, the file: stays while something in it stays */
		CLASS, /* its members are units of their own */
		FUNCTION,
		STATEMENT, /* only behind add_statements() */
		NOTHING,   /* text that no declaration covers: always deleted */
	};
	unsigned begin, end;
	int parent; /* -1: the file */
	Kind kind = OTHER;
	unsigned body_begin = 0, body_end = 0; /* of a function: from `{`, `:` or `try` on */
	std::vector<clang::Decl *> decls = {};
	std::vector<int> inside = {}; /* in the order of the text */
	int level = -1;               /* stays from this level on; -1: not at all */
	int body_level = -1;          /* so does its body */
};

class Units
{
      public:
	/* TEXT is that of the main file, which CTX may have been parsed from after changes that
	 * keep its length. */
	Units(clang::ASTContext &ctx, const std::string &text);

	/* The statements in braces become units, inside the function or the statement they are of.
	 */
	void add_statements();
	int innermost(unsigned offset) const;                         /* unit; 0: the file */
	bool offset(clang::SourceLocation where, unsigned &at) const; /* in the main file */
	/* Where what the user wrote begins, by the line markers that the preprocessor left; 0:
	 * there are none. */
	unsigned own_part() const;
	/* The same, by the namespaces that hold more than BYTES: behind the last of them. */
	unsigned behind_libraries(unsigned bytes) const;
	unsigned last_declaration() const;       /* where the last begins that is no namespace */
	size_t first_token(unsigned from) const; /* that begins there or behind */
	std::string text_of(const Unit &unit) const;

	clang::ASTContext &ctx;
	std::string text;
	std::vector<Token> tokens;
	std::vector<Unit> all;

      private:
	struct Piece {
		unsigned begin, end;
		clang::Decl *decl;
	};
	void tokenize();
	void fill(clang::DeclContext *of, int parent, unsigned begin, unsigned end);
	void gather(clang::DeclContext *of, unsigned begin, unsigned end,
	            std::vector<Piece> &pieces);
	int add(int parent, unsigned begin, unsigned end);
	unsigned add_gap(int parent, unsigned from, unsigned to);
	void add_pieces(int parent, unsigned begin, unsigned end, const Piece *from,
	                const Piece *to);
	bool enter(int unit, clang::Decl *decl);
	void find_body(int unit, clang::FunctionDecl *function);
	void add_statements_of(int parent, const clang::CompoundStmt *block);
	void add_statements_below(int parent, const clang::Stmt *s);
	unsigned start_behind(unsigned last, unsigned begin) const;
	unsigned behind_semicolon(unsigned from, unsigned limit) const;
	unsigned brace_behind(unsigned from) const;

	clang::SourceManager &sources;
	clang::FileID main;
};

/* The function that DECL declares, as a template or a friend, too; NULL: none. */
clang::FunctionDecl *function_of(clang::Decl *decl);

/* Does it say here what the function does? */
bool has_body(const clang::FunctionDecl *function);

/* `using base::operator();`: without it a call means those of all bases for clang, and for gcc
 * none. */
bool is_using_of_calls(const clang::Decl *decl);
