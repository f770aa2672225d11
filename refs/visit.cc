/* What expressions and types mention: what the visitor of clang's tree sees. */
#include "reach.h"

using namespace clang;

bool Reach::VisitDeclRefExpr(DeclRefExpr *e)
{
	reach(e->getDecl());
	reach(e->getFoundDecl());
	return true;
}

bool Reach::VisitMemberExpr(MemberExpr *e)
{
	reach(e->getMemberDecl());
	reach(e->getFoundDecl().getDecl());
	return true;
}

bool Reach::VisitCXXConstructExpr(CXXConstructExpr *e)
{
	reach(e->getConstructor());
	return true;
}

bool Reach::VisitCXXInheritedCtorInitExpr(CXXInheritedCtorInitExpr *e)
{
	reach(e->getConstructor());
	return true;
}

bool Reach::VisitCXXNewExpr(CXXNewExpr *e)
{
	reach(e->getOperatorNew());
	reach(e->getOperatorDelete());
	return true;
}

bool Reach::VisitCXXDeleteExpr(CXXDeleteExpr *e)
{
	reach(e->getOperatorDelete());
	return true;
}

bool Reach::VisitOverloadExpr(OverloadExpr *e)
{
	reach_one_of(std::vector<NamedDecl *>(e->decls_begin(), e->decls_end()));
	return true;
}

bool Reach::VisitCXXDefaultArgExpr(CXXDefaultArgExpr *e)
{
	if (seen.insert(e->getParam()).second)
		TraverseStmt(e->getExpr());
	return true;
}

bool Reach::VisitCXXDefaultInitExpr(CXXDefaultInitExpr *e)
{
	if (seen.insert(e->getExpr()).second)
		TraverseStmt(e->getExpr());
	return true;
}

bool Reach::VisitConceptSpecializationExpr(ConceptSpecializationExpr *e)
{
	reach(e->getNamedConcept());
	return true;
}

bool Reach::VisitCXXBindTemporaryExpr(CXXBindTemporaryExpr *e)
{
	reach(e->getTemporary()->getDestructor());
	return true;
}

bool Reach::VisitDependentScopeDeclRefExpr(DependentScopeDeclRefExpr *e)
{
	reach_name(e->getDeclName());
	return true;
}

bool Reach::VisitCXXDependentScopeMemberExpr(CXXDependentScopeMemberExpr *e)
{
	reach_name(e->getMember());
	return true;
}

bool Reach::VisitUnresolvedMemberExpr(UnresolvedMemberExpr *e)
{
	reach_name(e->getMemberName());
	return true;
}

bool Reach::VisitTemplateTypeParmDecl(TemplateTypeParmDecl *d)
{
	if (const TypeConstraint *c = d->getTypeConstraint())
		reach(c->getNamedConcept());
	return true;
}

bool Reach::VisitExpr(Expr *e)
{
	reach_type(e->getType());
	return true;
}

bool Reach::VisitVarDecl(VarDecl *d)
{
	reach_type(d->getType());
	return true;
}

bool Reach::VisitTypeLoc(TypeLoc l)
{
	reach_type(l.getType());
	return true;
}

bool Reach::TraverseNestedNameSpecifierLoc(NestedNameSpecifierLoc l)
{
	if (l)
		reach_qualifier(l.getNestedNameSpecifier());
	return Visitor::TraverseNestedNameSpecifierLoc(l);
}

bool Reach::TraverseTemplateName(TemplateName n)
{
	reach_template(n);
	return Visitor::TraverseTemplateName(n);
}
