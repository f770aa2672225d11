/* What clang leaves to the linker, and gcc refuses: functions made of a type that is local to a
 * function, which nobody else can define.
 */
#pragma once

#include "parse.h"

#include <clang/AST/ASTContext.h>

/* An error for each function of that kind that is used without a definition. */
void add_undefined(clang::ASTContext &ctx, Messages &messages);
