/* What a part of a C++ file reaches over exact references: names, types, members, templates with
 * what they were instantiated to. References are those of clang's tree, where instances of
 * templates have the place of what they were made from.
 *
 * Not in the tree, and so looked for by name: members of what depends on a parameter (unless they
 * are functions), and what decided an overload or an argument by default. repair.h finds what is
 * missing.
 *
 * Levels: on level 0 a function that is called needs its declaration only; on each further one the
 * bodies count of those that the level before calls.
 */
#pragma once

#include "units.h"

#include <clang/AST/RecursiveASTVisitor.h>
#include <map>
#include <set>
#include <unordered_set>

class Reach : public clang::RecursiveASTVisitor<Reach>
{
      public:
	/* What lies behind TAIL has its bodies on all levels. */
	Reach(Units &units, unsigned tail);

	void keep(int unit);      /* the unit stays */
	void keep_body(int unit); /* of a function that stays */
	/* A message is about it. It may count overloads that were tried in vain, of which the tree
	 * has no trace: functions of the class around it count as soon as they are mentioned. */
	void keep_reported(int unit);
	void follow();      /* all that is not followed yet */
	bool next_level();  /* and follows; false: no body is left */
	void be_generous(); /* all functions of a name stay, where one was enough so far */
	int level() const { return now; }

	/* --- called by the visitor --- */
	bool shouldVisitImplicitCode() const { return true; }
	bool VisitDeclRefExpr(clang::DeclRefExpr *e);
	bool VisitMemberExpr(clang::MemberExpr *e);
	bool VisitCXXConstructExpr(clang::CXXConstructExpr *e);
	bool VisitCXXInheritedCtorInitExpr(clang::CXXInheritedCtorInitExpr *e);
	bool VisitCXXNewExpr(clang::CXXNewExpr *e);
	bool VisitCXXDeleteExpr(clang::CXXDeleteExpr *e);
	bool VisitOverloadExpr(clang::OverloadExpr *e);
	bool VisitCXXDefaultArgExpr(clang::CXXDefaultArgExpr *e);
	bool VisitCXXDefaultInitExpr(clang::CXXDefaultInitExpr *e);
	bool VisitConceptSpecializationExpr(clang::ConceptSpecializationExpr *e);
	bool VisitCXXBindTemporaryExpr(clang::CXXBindTemporaryExpr *e);
	bool VisitDependentScopeDeclRefExpr(clang::DependentScopeDeclRefExpr *e);
	bool VisitCXXDependentScopeMemberExpr(clang::CXXDependentScopeMemberExpr *e);
	bool VisitUnresolvedMemberExpr(clang::UnresolvedMemberExpr *e);
	bool VisitTemplateTypeParmDecl(clang::TemplateTypeParmDecl *d);
	bool VisitExpr(clang::Expr *e);
	bool VisitVarDecl(clang::VarDecl *d);
	bool VisitTypeLoc(clang::TypeLoc l);
	bool TraverseNestedNameSpecifierLoc(clang::NestedNameSpecifierLoc l);
	bool TraverseTemplateName(clang::TemplateName n);

      private:
	typedef clang::RecursiveASTVisitor<Reach> Visitor;
	void reach(const clang::Decl *decl);
	void reach_type(clang::QualType type);
	void reach_template(clang::TemplateName name);
	void reach_argument(const clang::TemplateArgument &a);
	void reach_arguments(llvm::ArrayRef<clang::TemplateArgument> list);
	void reach_written(const clang::ASTTemplateArgumentListInfo *list);
	void reach_qualifier(clang::NestedNameSpecifier *q);
	void reach_space(clang::NamespaceDecl *space);
	void reach_one_of(std::vector<clang::NamedDecl *> set);
	void reach_name(clang::DeclarationName name);
	void keep_member(int unit);
	void note_names(int unit);
	void note_functions(int unit);
	void note_name(clang::DeclarationName name, int unit);
	void note_friend(int unit, clang::FriendDecl *f);
	bool is_seen(clang::Decl *d);
	bool is_live(clang::FriendDecl *f);
	void scan(clang::Decl *d);
	bool scan_around(clang::Decl *d); /* true: that is all of it */
	void scan_friend(clang::FriendDecl *f);
	void scan_using(clang::UsingDecl *u);
	void scan_template(clang::TemplateDecl *t);
	void scan_class_template(clang::ClassTemplateDecl *t);
	void scan_function(clang::FunctionDecl *f, int unit);
	void scan_class(clang::CXXRecordDecl *r);
	void scan_specialization(clang::ClassTemplateSpecializationDecl *s);
	void scan_enum(clang::EnumDecl *e);
	void scan_value(clang::ValueDecl *v);
	void scan_variable(clang::VarDecl *v);
	void scan_type_name(clang::TypedefNameDecl *t);
	void scan_parameters(clang::TemplateParameterList *list);
	template <class D> void scan_outer_parameters(D *d);
	void scan_body(clang::Decl *d);
	void want_body(int unit, clang::FunctionDecl *f);
	bool needs_body_now(int unit, clang::FunctionDecl *f) const;
	bool is_small(clang::Decl *d) const;
	Unit &unit(int i) { return units.all[(size_t)i]; }

	Units &units;
	unsigned tail;
	int now = 0;
	std::vector<clang::Decl *> work;
	std::unordered_set<const void *> seen, seen_bodies; /* declarations, types, expressions */
	std::vector<int> waiting; /* functions whose bodies belong to the next level */
	std::map<int, std::vector<clang::FunctionDecl *>> instances; /* of functions that wait */
	std::vector<std::vector<clang::NamedDecl *>> sets;           /* of which one has to stay */
	std::vector<std::vector<clang::NamedDecl *>> large;          /* and those that were seen */
	bool generous = false;                                       /* all of them stay */
	std::vector<std::pair<int, clang::FriendDecl *>> friends;
	std::set<clang::NamespaceDecl *> spaces;
	std::set<clang::DeclarationName> names;
	std::set<int> reported; /* classes */
	std::map<clang::DeclarationName, std::vector<int>> members;
};
