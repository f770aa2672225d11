/* A lender: an object in somebody else's memory, which libgit2 sees as if the repository had it.
 *
 * libgit2's own backend in memory (mempack) keeps a copy, and whoever reads an object gets another;
 * for a test case of 30 MB that is one too many. A lender shows one object at a time and holds
 * none.
 */
#ifndef WHITTLE_STORE_LENDER_H
#define WHITTLE_STORE_LENDER_H

#include <git2.h>
#include <git2/sys/odb_backend.h>
#include <stddef.h>

/* To be added to an object database, which then owns it. NULL when memory is short. */
git_odb_backend *lender_new(void);

/* Shows an object until lender_hide; BYTES stays the caller's. */
void lender_show(git_odb_backend *lender, const git_oid *id, git_object_t type, const void *bytes,
                 size_t len);
void lender_hide(git_odb_backend *lender);

#endif
