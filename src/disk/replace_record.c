#include "disk/replace_record.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "disk/stamp.h"

#define RECORD_BEGIN "whittle-replace 2"
#define RECORD_END "end"

enum { FIELDS = 4, RECORD_MAX = 64 << 20 };

static void add_field(struct buf *text, char *field)
{
	buf_add(text, field, strlen(field) + 1);
	free(field);
}

static char *stamp_text(struct hash stamp)
{
	return mem_printf(HASH_DIGITS, HASH_OF(stamp));
}

/* For each item its target, the name of what is new, and both things' stamps; a NUL behind each. */
struct buf replace_record_text(const struct replacement_item *items, uint32_t n, uintmax_t inode)
{
	struct buf text = { 0 };
	add_field(&text, mem_printf(RECORD_BEGIN " %" PRIuMAX, inode));
	for (uint32_t i = 0; i < n; i++) {
		add_field(&text, mem_strdup(items[i].path));
		add_field(&text, mem_strdup(items[i].temp));
		add_field(&text, stamp_text(stamp_of(items[i].path)));
		add_field(&text, stamp_text(items[i].stamp));
	}
	add_field(&text, mem_strdup(RECORD_END));
	return text;
}

/* ---- what a killed process has left ---- */

struct left_item {
	struct replacement_item item;
	struct hash old;
};

struct record {
	struct buf text;
	char **fields;
	uint32_t n, cap;
	struct left_item *items;
	uint32_t n_items;
};

static void record_release(struct record *record)
{
	buf_release(&record->text);
	free(record->fields);
	free(record->items);
}

static void split(struct record *record)
{
	struct buf *text = &record->text; /* behind the last byte there is a NUL in any case */
	for (size_t at = 0; at < text->len; at += strlen(text->data + at) + 1)
		MEM_PUSH(record->fields, record->n, record->cap, text->data + at);
}

static bool parse_stamp(const char *text, struct hash *stamp)
{
	int end = 0;
	return strlen(text) == 32 && strspn(text, "0123456789abcdef") == 32 &&
	       sscanf(text, "%16" SCNx64 "%16" SCNx64 "%n", &stamp->hi, &stamp->lo, &end) == 2 &&
	       end == 32;
}

static bool is_target(const struct replacement_left *left, const char *path)
{
	for (uint32_t i = 0; i < left->n_targets; i++)
		if (!strcmp(left->targets[i], path))
			return true;
	return false;
}

/* What is wrong with the item; NULL: nothing. */
static const char *parse_item(const struct replacement_left *left, char *const *field,
                              struct left_item *out)
{
	*out = (struct left_item){ .item = { .path = field[0], .temp = field[1] } };
	if (!is_target(left, field[0]))
		return "it names something other than what is being reduced now";
	if (!replacement_is_name(field[1], field[0]))
		return "it names a file that is not whittle's";
	if (!parse_stamp(field[2], &out->old) || !parse_stamp(field[3], &out->item.stamp) ||
	    stamp_is_none(out->item.stamp))
		return "it is damaged";
	return NULL;
}

static const char *parse(struct record *record, const struct replacement_left *left,
                         const struct stat *st)
{
	const char *trouble = NULL;
	split(record);
	MEM_SCOPED char *begin = mem_printf(RECORD_BEGIN " %" PRIuMAX, (uintmax_t)st->st_ino);
	uint32_t n = record->n;
	bool whole = n > FIELDS && n % FIELDS == 2 && !strcmp(record->fields[0], begin) &&
	             !strcmp(record->fields[n - 1], RECORD_END);
	if (!whole)
		return "it was not written here";
	record->n_items = (n - 2) / FIELDS;
	record->items = mem_zero(record->n_items, sizeof *record->items);
	for (uint32_t i = 0; i < record->n_items && !trouble; i++)
		trouble = parse_item(left, record->fields + 1 + (size_t)i * FIELDS,
		                     &record->items[i]);
	return trouble;
}

static void remove_if(const char *path, struct hash a, struct hash b)
{
	struct hash now = stamp_of(path);
	if (!stamp_is_none(now) && (hash_equal(now, a) || hash_equal(now, b)))
		io_remove_tree(AT_FDCWD, path);
}

/* What is new replaces its target, unless it has done so or the target has become something else.
 * Nothing is removed but these two. */
static void finish_item(const struct left_item *left)
{
	const struct replacement_item *item = &left->item;
	struct hash here = stamp_of(item->path);
	MEM_SCOPED char *aside = replace_aside_name(item->temp);
	if (hash_equal(stamp_of(item->temp), item->stamp) &&
	    (stamp_is_none(here) || hash_equal(here, left->old)))
		replace_put(NULL, item, aside);
	if (!replace_is_edited(item->temp, item->path)) {
		remove_if(item->temp, item->stamp, left->old);
		remove_if(aside, left->old, left->old);
	}
}

static bool is_private(int fd, struct stat *st)
{
	return fstat(fd, st) == 0 && S_ISREG(st->st_mode) && st->st_uid == geteuid() &&
	       st->st_nlink == 1 && !(st->st_mode & 077) && st->st_size < RECORD_MAX;
}

/* 1, 0 (somebody is at work), or -1 and *trouble. */
static int look(int fd, const char *path, struct record *record,
                const struct replacement_left *left, const char **trouble)
{
	struct stat st;
	*trouble = "it was not written here";
	if (fd < 0 || !is_private(fd, &st))
		return -1;
	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		return 0;
	if (io_read_file(path, &record->text, NULL) < 0)
		return -1;
	*trouble = parse(record, left, &st);
	return *trouble ? -1 : 1;
}

int replacement_finish(const struct replacement_left *left, struct err *err)
{
	SCOPED(record_release) struct record record = { 0 };
	struct stat st;
	const char *trouble;
	MEM_SCOPED char *path = replace_record_path(left->first);
	int rc = 0;
	IO_SCOPED int fd = -1;
	if (lstat(path, &st) == 0) {
		fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		rc = look(fd, path, &record, left, &trouble);
	}
	for (uint32_t i = 0; rc > 0 && !left->look_only && i < record.n_items; i++)
		finish_item(&record.items[i]);
	if (rc > 0 && !left->look_only)
		unlink(path);
	if (rc < 0)
		err_set(err, ERR_USAGE, "%s is in the way: %s, so it is left alone; move it away",
		        path, trouble);
	return rc;
}
