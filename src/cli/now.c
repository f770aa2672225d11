#include "cli/now.h"

#include "base/mem.h"
#include "cli/stored_place.h"
#include "reduce/session_store.h"
#include "store/history.h"
#include "text/testcase.h"

static int compare(struct reduction *r, const struct testcase *last, struct now *now,
                   struct err *err)
{
	struct hash content = step_content(now->tc);
	now->is = NOW_LAST;
	if (hash_equal(content, r->chain.last.content))
		return 0;
	now->is = NOW_OTHER;
	int known = reduction_has(r, content, err);
	if (known)
		return known < 0 ? -1 : 0;
	struct hash identity;
	if (reduction_identity(r, &identity, err) < 0 ||
	    (known = reduction_says_yes(r, identity, now->tc, err)) < 0)
		return -1;
	now->is = !known                                ? NOW_FOREIGN
	          : testcase_compare(now->tc, last) < 0 ? NOW_AHEAD
	                                                : NOW_OTHER;
	return 0;
}

int now_look(struct reduction *r, struct now *now, struct err *err)
{
	*now = (struct now){ 0 };
	TESTCASE_SCOPED struct testcase *last = reduction_at(r, r->chain.n - 1, err);
	if (!last)
		return -1;
	MEM_SCOPED char *out = reduction_local(r, SESSION_STORE_OUT);
	/* Where it would be resumed: a repository may have moved, or a work tree be gone. */
	SCOPED(stored_release) struct stored_place place = { 0 };
	const char *file = r->location.file;
	bool found = file && stored_find(&place, r, last, out, NULL) == 0;
	if (found && !last->is_tree)
		file = place.in.operands[0].path;
	if (out || file)
		now->path = mem_strdup(out ? out : file);
	if (found)
		now->tc = stored_read(&place, last, NULL);
	return now->tc ? compare(r, last, now, err) : 0;
}

void now_release(struct now *now)
{
	free(now->path);
	testcase_unref(now->tc);
	*now = (struct now){ 0 };
}

uint64_t now_bytes(const struct reduction_info *info, bool *ahead)
{
	struct reduction r;
	SCOPED(now_release) struct now now = { 0 };
	uint64_t bytes = info->last.bytes;
	if (!info->damaged && info->run_here && info->last.kind != STEP_FINISHED) {
		if (reduction_open(&r, NULL, info->common, info->name, NULL) == 0 &&
		    now_look(&r, &now, NULL) == 0 && now.is == NOW_AHEAD)
			bytes = testcase_shown_size(now.tc);
		reduction_close(&r);
	}
	if (ahead)
		*ahead = now.is == NOW_AHEAD;
	return bytes;
}
