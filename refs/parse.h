/* Parses a file with clang, whatever compiler it is meant for: what only gcc has is replaced by
 * something of the same length, or declared in front; errors do not end it.
 */
#pragma once

#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/ASTUnit.h>
#include <memory>
#include <string>
#include <vector>

struct Message {
	std::string text;
	unsigned at;
	bool here; /* in the file, at that offset */
	bool note; /* about the error in front of it */

	bool is_of_dialect() const;  /* gcc has nothing against that */
	bool is_of_standard() const; /* nor with a later standard */
};

/* Collects errors, and the notes about them. */
class Messages : public clang::DiagnosticConsumer
{
      public:
	void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
	                      const clang::Diagnostic &d) override;
	void add(const std::string &text, const clang::SourceManager &sources,
	         clang::SourceLocation where); /* an error of our own */
	std::vector<Message> all;

      private:
	bool about_error = false;
};

std::unique_ptr<clang::ASTUnit> parse(const std::string &text, const std::string &standard,
                                      Messages &messages);

/* The standard of which TEXT has the fewest errors: "gnu++20", ... */
std::string find_standard(const std::string &text);
