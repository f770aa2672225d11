/* What one declaration needs: its own text, or an instance that was made of it. */
#include "reach.h"

using namespace clang;

enum { SMALL = 200 }; /* bytes of a specialization that stays with its template */

void Reach::scan_parameters(TemplateParameterList *list)
{
	if (!list)
		return;
	for (NamedDecl *p : *list)
		TraverseDecl(p);
	TraverseStmt(list->getRequiresClause());
}

template <class D> void Reach::scan_outer_parameters(D *d)
{
	TraverseNestedNameSpecifierLoc(d->getQualifierLoc());
	for (unsigned i = 0; i < d->getNumTemplateParameterLists(); i++)
		scan_parameters(d->getTemplateParameterList(i));
}

/* Where it stands, and in what. */
bool Reach::scan_around(Decl *d)
{
	unsigned at;
	if (!d->getParentFunctionOrMethod() && units.offset(d->getLocation(), at))
		keep(units.innermost(at));
	auto *around = dyn_cast<Decl>(d->getDeclContext());
	if (auto *space = dyn_cast<NamespaceDecl>(around))
		reach_space(space);
	else if (!isa<TranslationUnitDecl>(around) && !isa<LinkageSpecDecl>(around))
		reach(around);
	for (Attr *a : d->attrs())
		TraverseAttr(a);
	if (auto *linkage = dyn_cast<LinkageSpecDecl>(d)) {
		if (!linkage->hasBraces())
			for (Decl *k : linkage->decls())
				reach(k);
		return true;
	}
	return isa<TranslationUnitDecl>(d) || isa<AccessSpecDecl>(d) || isa<EmptyDecl>(d) ||
	       isa<TemplateTypeParmDecl>(d) || isa<NonTypeTemplateParmDecl>(d);
}

void Reach::scan(Decl *d)
{
	if (scan_around(d))
		return;
	for (Decl *other : d->redecls())
		if (!isa<NamespaceDecl>(d) && !isa<FriendDecl>(d))
			reach(other);
	if (auto *x = dyn_cast<UsingShadowDecl>(d)) {
		reach(x->getTargetDecl());
		reach(x->getIntroducer());
	} else if (auto *x = dyn_cast<UsingDecl>(d))
		scan_using(x);
	else if (auto *x = dyn_cast<FriendDecl>(d))
		scan_friend(x);
	else if (auto *x = dyn_cast<NamespaceDecl>(d))
		reach_space(x);
	else if (auto *x = dyn_cast<NamespaceAliasDecl>(d)) {
		reach_space(x->getNamespace());
		TraverseNestedNameSpecifierLoc(x->getQualifierLoc());
	} else if (auto *x = dyn_cast<UsingDirectiveDecl>(d)) {
		reach_space(x->getNominatedNamespace());
		TraverseNestedNameSpecifierLoc(x->getQualifierLoc());
	} else if (auto *x = dyn_cast<TemplateDecl>(d))
		scan_template(x);
	else if (auto *x = dyn_cast<FunctionDecl>(d)) {
		unsigned at;
		scan_function(x, units.offset(x->getLocation(), at) ? units.innermost(at) : -1);
	} else if (auto *x = dyn_cast<CXXRecordDecl>(d))
		scan_class(x);
	else if (auto *x = dyn_cast<EnumDecl>(d))
		scan_enum(x);
	else if (auto *x = dyn_cast<TypedefNameDecl>(d))
		scan_type_name(x);
	else if (auto *x = dyn_cast<ValueDecl>(d))
		scan_value(x);
	else
		TraverseDecl(d);
}

void Reach::scan_friend(FriendDecl *f)
{
	for (unsigned i = 0; i < f->getFriendTypeNumTemplateParameterLists(); i++)
		scan_parameters(f->getFriendTypeTemplateParameterList(i));
	if (f->getFriendType()) {
		TraverseTypeLoc(f->getFriendType()->getTypeLoc());
		return;
	}
	NamedDecl *d = f->getFriendDecl();
	reach(d);
	/* In a template it is not known to be one of these. */
	DeclContext *around = d ? d->getDeclContext() : nullptr;
	if (d && !isa<FunctionDecl>(d) && around->isFileContext())
		for (NamedDecl *other : around->lookup(d->getDeclName()))
			reach(other);
}

/* What is named may itself be there by a using. */
void Reach::scan_using(UsingDecl *u)
{
	std::vector<NamedDecl *> set;
	for (UsingShadowDecl *s : u->shadows())
		set.push_back(s->getTargetDecl());
	reach_one_of(set);
	TraverseNestedNameSpecifierLoc(u->getQualifierLoc());
	NestedNameSpecifier *q = u->getQualifier();
	DeclContext *in = nullptr;
	if (q && q->getAsNamespace())
		in = q->getAsNamespace();
	else if (q && q->getAsType())
		in = q->getAsType()->getAsCXXRecordDecl();
	else if (q && q->getKind() == NestedNameSpecifier::Global)
		in = units.ctx.getTranslationUnitDecl();
	if (!in)
		return;
	for (NamedDecl *d : in->lookup(u->getDeclName()))
		if (isa<UsingShadowDecl>(d))
			reach(d);
}

bool Reach::is_small(Decl *d) const
{
	unsigned begin, end;
	return units.offset(d->getBeginLoc(), begin) && units.offset(d->getEndLoc(), end) &&
	       end - begin < SMALL;
}

/* Which specialization a trait was looked up in is not in the tree: small ones stay. */
void Reach::scan_class_template(ClassTemplateDecl *t)
{
	SmallVector<ClassTemplatePartialSpecializationDecl *, 8> partial;
	t->getPartialSpecializations(partial);
	for (auto *p : partial)
		if (is_small(p))
			reach(p);
	for (auto *s : t->specializations()) {
		auto *from = s->getSpecializedTemplateOrPartial()
		                     .dyn_cast<ClassTemplatePartialSpecializationDecl *>();
		if (s->getSpecializationKind() == TSK_ExplicitSpecialization && is_small(s))
			reach(s);
		while (from && from->getInstantiatedFromMember())
			from = from->getInstantiatedFromMember();
		reach(from);
	}
}

void Reach::scan_template(TemplateDecl *t)
{
	scan_parameters(t->getTemplateParameters());
	reach(t->getTemplatedDecl());
	if (auto *x = dyn_cast<RedeclarableTemplateDecl>(t))
		reach(x->getInstantiatedFromMemberTemplate());
	if (auto *x = dyn_cast<ClassTemplateDecl>(t))
		scan_class_template(x);
	if (auto *x = dyn_cast<VarTemplateDecl>(t))
		for (auto *s : x->specializations())
			reach(s);
	if (auto *x = dyn_cast<ConceptDecl>(t))
		TraverseStmt(x->getConstraintExpr());
}

static ExplicitSpecifier explicit_of(FunctionDecl *f)
{
	if (auto *x = dyn_cast<CXXConstructorDecl>(f))
		return x->getExplicitSpecifier();
	if (auto *x = dyn_cast<CXXConversionDecl>(f))
		return x->getExplicitSpecifier();
	if (auto *x = dyn_cast<CXXDeductionGuideDecl>(f))
		return x->getExplicitSpecifier();
	return ExplicitSpecifier();
}

void Reach::scan_function(FunctionDecl *f, int i)
{
	scan_outer_parameters(f);
	if (f->getTypeSourceInfo())
		TraverseTypeLoc(f->getTypeSourceInfo()->getTypeLoc());
	for (ParmVarDecl *p : f->parameters())
		TraverseDecl(p);
	reach_type(f->getType());
	TraverseStmt(explicit_of(f).getExpr());
	TraverseStmt(f->getTrailingRequiresClause());
	reach(f->getDescribedFunctionTemplate());
	reach(f->getPrimaryTemplate());
	reach(f->getTemplateInstantiationPattern());
	reach(f->getInstantiatedFromMemberFunction());
	if (auto *guide = dyn_cast<CXXDeductionGuideDecl>(f))
		reach(guide->getDeducedTemplate());
	if (auto *list = f->getTemplateSpecializationArgs())
		reach_arguments(list->asArray());
	reach_written(f->getTemplateSpecializationArgsAsWritten());
	if (auto *method = dyn_cast<CXXMethodDecl>(f))
		for (const CXXMethodDecl *other : method->overridden_methods())
			reach(other);
	auto *constructor = dyn_cast<CXXConstructorDecl>(f);
	if (constructor && constructor->isInheritingConstructor())
		reach(constructor->getInheritedConstructor().getConstructor());
	if (f->doesThisDeclarationHaveABody() && i >= 0)
		want_body(i, f);
	else if (f->isDefaulted() || f->isImplicit())
		scan_body(f);
}

void Reach::scan_specialization(ClassTemplateSpecializationDecl *s)
{
	reach(s->getSpecializedTemplate());
	reach(s->getSpecializedTemplateOrPartial()
	              .dyn_cast<ClassTemplatePartialSpecializationDecl *>());
	reach_arguments(s->getTemplateArgs().asArray());
#if CLANG_VERSION_MAJOR < 19
	if (s->getTypeAsWritten())
		TraverseTypeLoc(s->getTypeAsWritten()->getTypeLoc());
#else
	reach_written(s->getTemplateArgsAsWritten());
#endif
	if (auto *p = dyn_cast<ClassTemplatePartialSpecializationDecl>(s)) {
		scan_parameters(p->getTemplateParameters());
		reach(p->getInstantiatedFromMember());
	}
}

void Reach::scan_class(CXXRecordDecl *r)
{
	scan_outer_parameters(r);
	reach(r->getDescribedClassTemplate());
	reach(r->getInstantiatedFromMemberClass());
	if (auto *s = dyn_cast<ClassTemplateSpecializationDecl>(r))
		scan_specialization(s);
	if (!r->isThisDeclarationADefinition())
		return;
	for (CXXBaseSpecifier &b : r->bases()) {
		if (b.getTypeSourceInfo())
			TraverseTypeLoc(b.getTypeSourceInfo()->getTypeLoc());
		reach_type(b.getType());
	}
	for (FieldDecl *f : r->fields())
		reach(f);
	for (CXXMethodDecl *m : r->methods())
		if (m->isVirtual())
			reach(m);
	reach(r->getDestructor());
}

void Reach::scan_enum(EnumDecl *e)
{
	if (e->getIntegerTypeSourceInfo())
		TraverseTypeLoc(e->getIntegerTypeSourceInfo()->getTypeLoc());
	for (EnumConstantDecl *c : e->enumerators())
		TraverseStmt(c->getInitExpr());
	reach(e->getInstantiatedFromMemberEnum());
}

void Reach::scan_type_name(TypedefNameDecl *t)
{
	if (t->getTypeSourceInfo())
		TraverseTypeLoc(t->getTypeSourceInfo()->getTypeLoc());
	reach_type(t->getUnderlyingType());
	if (auto *alias = dyn_cast<TypeAliasDecl>(t))
		reach(alias->getDescribedAliasTemplate());
}

void Reach::scan_variable(VarDecl *v)
{
	TraverseStmt(v->getInit());
	reach(v->getDescribedVarTemplate());
	reach(v->getTemplateInstantiationPattern());
	auto *s = dyn_cast<VarTemplateSpecializationDecl>(v);
	if (!s)
		return;
	reach(s->getSpecializedTemplate());
	reach_arguments(s->getTemplateArgs().asArray());
	if (auto *p = dyn_cast<VarTemplatePartialSpecializationDecl>(s)) {
		scan_parameters(p->getTemplateParameters());
		reach_written(p->getTemplateArgsAsWritten());
	}
}

void Reach::scan_value(ValueDecl *v)
{
	if (auto *c = dyn_cast<EnumConstantDecl>(v))
		TraverseStmt(c->getInitExpr());
	if (auto *x = dyn_cast<IndirectFieldDecl>(v))
		for (NamedDecl *c : x->chain())
			reach(c);
	if (auto *x = dyn_cast<DeclaratorDecl>(v)) {
		scan_outer_parameters(x);
		if (x->getTypeSourceInfo())
			TraverseTypeLoc(x->getTypeSourceInfo()->getTypeLoc());
	}
	reach_type(v->getType());
	if (auto *x = dyn_cast<VarDecl>(v))
		scan_variable(x);
	if (auto *x = dyn_cast<FieldDecl>(v)) {
		TraverseStmt(x->getBitWidth());
		if (x->hasInClassInitializer())
			TraverseStmt(x->getInClassInitializer());
	}
}
