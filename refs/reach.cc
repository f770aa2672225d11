#include "reach.h"

using namespace clang;

enum {
	SMALL_BODY = 120, /* of a constexpr function, which stays with its body */
	FEW = 4,          /* overloads that all stay */
};

Reach::Reach(Units &u, unsigned t) : units(u), tail(t) {}

/* ---- what is reached ---- */

void Reach::reach(const Decl *d)
{
	if (d && seen.insert(d).second)
		work.push_back(const_cast<Decl *>(d));
}

void Reach::reach_one_of(std::vector<NamedDecl *> set)
{
	if (set.size() > FEW && !generous) {
		sets.push_back(set);
		return;
	}
	for (NamedDecl *d : set)
		reach(d);
}

void Reach::reach_space(NamespaceDecl *space)
{
	unsigned at;
	space = space->getCanonicalDecl();
	if (spaces.insert(space).second && units.offset(space->getLocation(), at))
		keep(units.innermost(at));
}

void Reach::reach_qualifier(NestedNameSpecifier *q)
{
	for (; q; q = q->getPrefix()) {
		reach(q->getAsNamespaceAlias());
		if (q->getAsIdentifier())
			reach_name(q->getAsIdentifier());
		if (q->getAsNamespace())
			reach_space(q->getAsNamespace());
		if (q->getAsType())
			reach_type(QualType(q->getAsType(), 0));
	}
}

void Reach::reach_template(TemplateName name)
{
	if (auto *q = name.getAsQualifiedTemplateName())
		reach_qualifier(q->getQualifier());
	reach(name.getAsTemplateDecl());
}

void Reach::reach_arguments(ArrayRef<TemplateArgument> list)
{
	for (const TemplateArgument &a : list)
		reach_argument(a);
}

void Reach::reach_written(const ASTTemplateArgumentListInfo *list)
{
	for (unsigned i = 0; list && i < list->NumTemplateArgs; i++)
		TraverseTemplateArgumentLoc((*list)[i]);
}

void Reach::reach_argument(const TemplateArgument &a)
{
	switch (a.getKind()) {
	case TemplateArgument::Type:
		reach_type(a.getAsType());
		break;
	case TemplateArgument::Declaration:
		reach(a.getAsDecl());
		break;
	case TemplateArgument::Template:
	case TemplateArgument::TemplateExpansion:
		reach_template(a.getAsTemplateOrTemplatePattern());
		break;
	case TemplateArgument::Expression:
		TraverseStmt(a.getAsExpr());
		break;
	case TemplateArgument::Pack:
		reach_arguments(a.pack_elements());
		break;
	case TemplateArgument::Integral:
		reach_type(a.getIntegralType());
		break;
	default:
		break;
	}
}

/* Steps from what is written to what it stands for, one name after the other. */
void Reach::reach_type(QualType q)
{
	const Type *t = q.getTypePtrOrNull();
	if (!t || !seen.insert(t).second)
		return;
	if (auto *x = dyn_cast<TypedefType>(t))
		reach(x->getDecl());
	else if (auto *x = dyn_cast<UsingType>(t))
		reach(x->getFoundDecl());
	else if (auto *x = dyn_cast<UnresolvedUsingType>(t))
		reach(x->getDecl());
	else if (auto *x = dyn_cast<TagType>(t))
		reach(x->getDecl());
	else if (auto *x = dyn_cast<InjectedClassNameType>(t))
		reach(x->getDecl());
	else if (auto *x = dyn_cast<TemplateSpecializationType>(t)) {
		reach_template(x->getTemplateName());
		reach_arguments(x->template_arguments());
		if (x->isTypeAlias())
			reach_type(x->getAliasedType());
	} else if (auto *x = dyn_cast<DeducedTemplateSpecializationType>(t)) {
		reach_template(x->getTemplateName());
		reach_type(x->getDeducedType());
	} else if (auto *x = dyn_cast<AutoType>(t)) {
		reach(x->getTypeConstraintConcept());
		reach_type(x->getDeducedType());
	} else if (auto *x = dyn_cast<DependentNameType>(t)) {
		reach_name(x->getIdentifier());
		reach_qualifier(x->getQualifier());
	} else if (auto *x = dyn_cast<DependentTemplateSpecializationType>(t)) {
		reach_name(x->getIdentifier());
		reach_qualifier(x->getQualifier());
		reach_arguments(x->template_arguments());
	} else if (auto *x = dyn_cast<MemberPointerType>(t)) {
		reach_type(x->getPointeeType());
		reach_type(QualType(x->getClass(), 0));
	} else if (auto *x = dyn_cast<ArrayType>(t))
		reach_type(x->getElementType());
	else if (auto *x = dyn_cast<FunctionProtoType>(t)) {
		reach_type(x->getReturnType());
		for (QualType p : x->param_types())
			reach_type(p);
		TraverseStmt(x->getNoexceptExpr());
	} else if (auto *x = dyn_cast<DecltypeType>(t))
		TraverseStmt(x->getUnderlyingExpr());
	else if (auto *x = dyn_cast<TypeOfExprType>(t))
		TraverseStmt(x->getUnderlyingExpr());
	else if (auto *x = dyn_cast<ElaboratedType>(t))
		reach_qualifier(x->getQualifier());
	else if (t->isPointerType() || t->isReferenceType())
		reach_type(t->getPointeeType());
	QualType next = q.getSingleStepDesugaredType(units.ctx);
	if (next != q)
		reach_type(next);
	reach_type(q.getUnqualifiedType());
}

/* ---- names that depend on a parameter ---- */

void Reach::reach_name(DeclarationName name)
{
	if (name.isEmpty() || !names.insert(name).second)
		return;
	std::vector<int> found = members[name];
	for (int i : found)
		keep(i);
}

void Reach::note_name(DeclarationName name, int i)
{
	members[name].push_back(i);
	if (names.count(name))
		keep(i);
}

/* Members, of a class that stays, that a name may mean without a reference. */
void Reach::note_names(int i)
{
	for (Decl *d : std::vector<Decl *>(unit(i).decls)) {
		auto *method = dyn_cast_or_null<CXXMethodDecl>(function_of(d));
		if (function_of(d) && !(method && method->isStatic()))
			continue;
		auto *named = dyn_cast<NamedDecl>(d);
		if (named && !named->getDeclName().isEmpty())
			note_name(named->getDeclName(), i);
		if (auto *e = dyn_cast<EnumDecl>(d))
			for (auto *c : e->enumerators())
				note_name(c->getDeclName(), i);
	}
}

void Reach::note_functions(int i)
{
	for (Decl *d : std::vector<Decl *>(unit(i).decls))
		if (FunctionDecl *f = function_of(d))
			note_name(f->getDeclName(), i);
}

/* ---- units ---- */

void Reach::keep(int i)
{
	if (unit(i).level >= 0)
		return;
	unit(i).level = now;
	if (unit(i).parent >= 0)
		keep(unit(i).parent);
	if (unit(i).kind == Unit::SPACE) {
		for (int k : std::vector<int>(unit(i).inside))
			for (Decl *d : unit(k).decls)
				if (isa<UsingDirectiveDecl>(d))
					keep(k);
		return;
	}
	for (Decl *d : unit(i).decls) {
		seen.insert(d);
		work.push_back(d);
	}
	if (unit(i).kind == Unit::CLASS)
		for (int k : std::vector<int>(unit(i).inside))
			keep_member(k);
}

void Reach::keep_reported(int i)
{
	int around = unit(i).kind == Unit::CLASS ? i : unit(i).parent;
	keep(i);
	if (around > 0 && unit(around).kind == Unit::CLASS && reported.insert(around).second)
		for (int k : std::vector<int>(unit(around).inside))
			note_functions(k);
}

/* What a class is not the same without: its layout, virtual functions, and what would be there
 * unsaid. */
static bool belongs_to_class(Decl *d)
{
	auto *constructor = dyn_cast<CXXConstructorDecl>(d);
	auto *method = dyn_cast<CXXMethodDecl>(d);
	auto *record = dyn_cast<CXXRecordDecl>(d);
	return isa<AccessSpecDecl>(d) || isa<FieldDecl>(d) || isa<IndirectFieldDecl>(d) ||
	       isa<CXXDestructorDecl>(d) || isa<CXXConversionDecl>(d) || is_using_of_calls(d) ||
	       (method && (method->isVirtual() || method->isCopyAssignmentOperator() ||
	                   method->isMoveAssignmentOperator())) ||
	       (constructor &&
	        (constructor->isCopyOrMoveConstructor() || constructor->isDefaultConstructor())) ||
	       (record && record->isAnonymousStructOrUnion());
}

void Reach::keep_member(int i)
{
	for (Decl *d : std::vector<Decl *>(unit(i).decls)) {
		if (auto *f = dyn_cast<FriendDecl>(d))
			note_friend(i, f);
		else if (belongs_to_class(d))
			keep(i);
	}
	note_names(i);
}

/* `friend class X;` needs nothing else, nor does that of a template, which nothing connects with
 * its definition where the class around it is one, too; other friends stay when what they name
 * does. */
void Reach::note_friend(int i, FriendDecl *f)
{
	std::string text = units.text_of(unit(i));
	size_t at = text.find("friend"); /* behind the parameters of a template */
	bool plain = !function_of(f) && text.find("::") == std::string::npos &&
	             text.find('<', at == std::string::npos ? 0 : at) == std::string::npos;
	if (plain)
		unit(i).level = now;
	else
		friends.push_back({ i, f });
}

bool Reach::is_seen(Decl *d)
{
	bool any = false;
	if (d)
		for (Decl *other : d->redecls())
			any |= seen.count(other) != 0;
	return any;
}

bool Reach::is_live(FriendDecl *f)
{
	if (NamedDecl *d = f->getFriendDecl()) {
		bool live = false;
		for (Decl *other : d->redecls())
			live |= other != d && seen.count(other);
		return live;
	}
	QualType type = f->getFriendType()->getType();
	auto *written = type->getAs<TemplateSpecializationType>();
	Decl *d = written ? written->getTemplateName().getAsTemplateDecl() : nullptr;
	return is_seen(d) || is_seen(type->getAsCXXRecordDecl());
}

void Reach::follow()
{
	do {
		while (!work.empty()) {
			Decl *d = work.back();
			work.pop_back();
			scan(d);
		}
		auto waiting_sets = std::move(sets);
		sets.clear();
		for (auto &set : waiting_sets) {
			bool any = set.empty();
			for (NamedDecl *d : set)
				any |= seen.count(d) != 0;
			if (!any)
				reach(set[0]);
			large.push_back(std::move(set));
		}
		for (size_t i = 0; i < friends.size(); i++)
			if (unit(friends[i].first).level < 0 && is_live(friends[i].second))
				keep(friends[i].first);
	} while (!work.empty() || !sets.empty());
}

void Reach::be_generous()
{
	std::vector<std::vector<NamedDecl *>> all = std::move(large);
	large.clear();
	generous = true;
	for (auto &set : all)
		for (NamedDecl *d : set)
			reach(d);
	follow();
}

bool Reach::next_level()
{
	std::vector<int> due = std::move(waiting);
	waiting.clear();
	now++;
	for (int i : due)
		keep_body(i);
	follow();
	return !due.empty();
}

/* ---- bodies ---- */

void Reach::keep_body(int i)
{
	if (unit(i).kind != Unit::FUNCTION || unit(i).body_level >= 0)
		return;
	unit(i).body_level = now;
	for (Decl *d : unit(i).decls)
		scan_body(d);
	std::vector<FunctionDecl *> all = std::move(instances[i]);
	instances[i].clear();
	for (FunctionDecl *f : all)
		scan_body(f);
}

bool Reach::needs_body_now(int i, FunctionDecl *f) const
{
	const Unit &u = units.all[(size_t)i];
	FunctionDecl *pattern = f->getTemplateInstantiationPattern();
	pattern = pattern ? pattern : f;
	bool deduced = pattern->getReturnType()->getContainedDeducedType() ||
	               pattern->getDeclaredReturnType()->getContainedDeducedType();
	bool is_friend = !u.decls.empty() && isa<FriendDecl>(u.decls[0]);
	return u.begin >= tail || u.kind != Unit::FUNCTION || deduced || is_friend ||
	       f->isImplicit() || f->isDefaulted() || f->getParentFunctionOrMethod() ||
	       (f->isConstexpr() && u.body_end - u.body_begin < SMALL_BODY);
}

void Reach::want_body(int i, FunctionDecl *f)
{
	bool known = unit(i).body_level >= 0;
	if (known || needs_body_now(i, f)) {
		keep_body(i);
		scan_body(f);
		return;
	}
	if (instances[i].empty())
		waiting.push_back(i);
	instances[i].push_back(f);
}

void Reach::scan_body(Decl *d)
{
	FunctionDecl *f = function_of(d);
	if (!f || !seen_bodies.insert(f).second)
		return;
	if (auto *constructor = dyn_cast<CXXConstructorDecl>(f))
		for (CXXCtorInitializer *i : constructor->inits()) {
			if (i->getTypeSourceInfo())
				TraverseTypeLoc(i->getTypeSourceInfo()->getTypeLoc());
			reach(i->getMember());
			TraverseStmt(i->getInit());
		}
	if (auto *destructor = dyn_cast<CXXDestructorDecl>(f))
		reach(destructor->getOperatorDelete());
	if (f->doesThisDeclarationHaveABody())
		TraverseStmt(f->getBody());
}
