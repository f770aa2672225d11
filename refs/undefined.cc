#include "undefined.h"

#include <clang/AST/DeclTemplate.h>

using namespace clang;

static bool is_local(QualType type);

static bool any_is_local(ArrayRef<TemplateArgument> list)
{
	bool any = false;
	for (const TemplateArgument &a : list)
		any |= (a.getKind() == TemplateArgument::Type && is_local(a.getAsType())) ||
		       (a.getKind() == TemplateArgument::Pack && any_is_local(a.pack_elements()));
	return any;
}

static bool is_local(QualType type)
{
	while (!type->getPointeeType().isNull())
		type = type->getPointeeType();
	auto *r = type->getAsCXXRecordDecl();
	auto *s = dyn_cast_or_null<ClassTemplateSpecializationDecl>(r);
	return r && (r->isLambda() || r->getParentFunctionOrMethod() ||
	             (s && any_is_local(s->getTemplateArgs().asArray())));
}

static void add_function(const FunctionDecl *f, Messages &messages)
{
	if (f->isUsed(false) && !f->isDefined() && !f->isDefaulted() && !f->isDeleted() &&
	    !f->getBuiltinID())
		messages.add("'" + f->getQualifiedNameAsString() + "' is not defined",
		             f->getASTContext().getSourceManager(), f->getLocation());
}

static void add_below(const DeclContext *of, Messages &messages)
{
	for (const Decl *d : of->decls()) {
		if (auto *t = dyn_cast<FunctionTemplateDecl>(d)) {
			for (const FunctionDecl *f : t->specializations())
				if (any_is_local(f->getTemplateSpecializationArgs()->asArray()))
					add_function(f, messages);
		} else if (auto *t = dyn_cast<ClassTemplateDecl>(d)) {
			for (const ClassTemplateSpecializationDecl *s : t->specializations()) {
				bool local = any_is_local(s->getTemplateArgs().asArray());
				for (const Decl *member : s->decls())
					if (auto *m = local ? dyn_cast<CXXMethodDecl>(member)
					                    : nullptr)
						add_function(m, messages);
				add_below(s, messages);
			}
		} else if (isa<NamespaceDecl>(d) || isa<LinkageSpecDecl>(d) ||
		           isa<CXXRecordDecl>(d))
			add_below(cast<DeclContext>(d), messages);
	}
}

void add_undefined(ASTContext &ctx, Messages &messages)
{
	add_below(ctx.getTranslationUnitDecl(), messages);
}
