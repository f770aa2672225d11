#include "config.h"

#include "binary/database.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/work.h"
#include "text/testcase.h"

enum { HEADER = 100 };

bool database_is(const uint8_t *bytes, uint32_t size)
{
	static const char magic[] = "SQLite format 3";
	return size > HEADER && !memcmp(bytes, magic, sizeof magic);
}

#ifdef HAVE_SQLITE3

#include <sqlite3.h>

enum {
	READ_VERSION = 18, /* 2 where a log is beside the file, which memory has not */
	CHANGES = 24,      /* how often it was written */
	WRITTEN = 92,      /* when and by which version: 8 bytes */
	STEPS = 1 << 14,   /* of SQLite's machine, between two looks at how many there were */
	LOOKS = 1
	        << 8, /* that a small text has; of a larger one each STEPS / EACH bytes one more */
	EACH = 64,
	OPEN_MOST = 16, /* bytes of a database for each of its SQL */
	SQL_MOST = 1 << 26,
	SMALL = 1 << 20,
	PAGE = 512,
};

/* Of a database in memory. */
struct base {
	sqlite3 *db;
	uint32_t looks; /* that it may yet take */
	bool writes;
};

static int count_steps(void *arg)
{
	struct base *b = arg;
	return !b->looks || !--b->looks;
}

/* What a text from a test case may do: nothing beyond its own database. */
static int permit(void *arg, int action, const char *name, UNUSED const char *value,
                  UNUSED const char *of, UNUSED const char *trigger)
{
	static const char *const settings[] = {
		"page_size",    "encoding",       "auto_vacuum",
		"user_version", "application_id", "data_version"
	}; /* read by FTS5 */
	const struct base *b = arg;
	if (action == SQLITE_ATTACH || action == SQLITE_DETACH || action == SQLITE_TRANSACTION ||
	    action == SQLITE_SAVEPOINT)
		return SQLITE_DENY;
	for (size_t i = 0; action == SQLITE_PRAGMA && i < sizeof settings / sizeof *settings; i++)
		if (!strcmp(name, settings[i]))
			return SQLITE_OK;
	return action == SQLITE_PRAGMA && b->writes ? SQLITE_DENY : SQLITE_OK;
}

/* SIZE: bytes that there are of what is read, or of the text that makes it. */
static bool open_base(struct base *b, uint32_t size, bool writes)
{
	*b = (struct base){ .looks = LOOKS + size / (STEPS / EACH), .writes = writes };
	if (sqlite3_open_v2(":memory:", &b->db,
	                    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY |
	                            SQLITE_OPEN_NOMUTEX,
	                    NULL) != SQLITE_OK)
		return false;
	uint64_t most = (uint64_t)size * OPEN_MOST + SMALL;
	sqlite3_limit(b->db, SQLITE_LIMIT_LENGTH, most < INT32_MAX ? (int)most : INT32_MAX);
	sqlite3_db_config(b->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(b->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_progress_handler(b->db, STEPS, count_steps, b);
	return true;
}

static void close_base(struct base *b)
{
	sqlite3_close(b->db);
	b->db = NULL;
}

/* ---- reading ---- */

struct reader {
	struct base base;
	struct buf sql;
	bool failed;
};

/* What each row of the first column of QUERY says goes behind BEFORE, and AFTER behind it. */
static void add_rows(struct reader *r, const char *query, const char *before, const char *after)
{
	sqlite3_stmt *s = NULL;
	int rc = sqlite3_prepare_v2(r->base.db, query, -1, &s, NULL);
	while (rc == SQLITE_OK || rc == SQLITE_ROW) {
		rc = sqlite3_step(s);
		const char *text =
			rc == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 0) : NULL;
		if (!text)
			continue;
		buf_addf(&r->sql, "%s%s%s", before, text, after);
		if (r->sql.len > SQL_MOST)
			rc = SQLITE_TOOBIG;
	}
	sqlite3_finalize(s);
	r->failed |= rc != SQLITE_DONE;
}

/* Likewise where QUERY names a table in its one parameter; the caller's. */
static char *one_text(struct reader *r, const char *query, const char *table)
{
	sqlite3_stmt *s = NULL;
	char *text = NULL;
	if (sqlite3_prepare_v2(r->base.db, query, -1, &s, NULL) == SQLITE_OK &&
	    sqlite3_bind_text(s, 1, table, -1, SQLITE_STATIC) == SQLITE_OK &&
	    sqlite3_step(s) == SQLITE_ROW && sqlite3_column_text(s, 0))
		text = mem_strdup((const char *)sqlite3_column_text(s, 0));
	sqlite3_finalize(s);
	r->failed |= !text;
	return text;
}

/* The rows of TABLE; columns that others say are left out, and then the rest is named. */
static void add_table(struct reader *r, const char *table)
{
	MEM_SCOPED char *query = one_text(
		r,
		"SELECT printf('SELECT ''INSERT INTO %s%s VALUES(''||%s||'')'' FROM %s',"
		"replace(q,'''',''''''),CASE WHEN every THEN '' ELSE"
		" replace('('||columns||')','''','''''') END,quoted,q)"
		" FROM (SELECT '\"'||replace(?1,'\"','\"\"')||'\"' q,min(hidden=0) every,"
		"group_concat(CASE hidden WHEN 0 THEN c END,',') columns,"
		"group_concat(CASE hidden WHEN 0 THEN 'quote('||c||')' END,'||'',''||') quoted"
		" FROM (SELECT hidden,'\"'||replace(name,'\"','\"\"')||'\"' c"
		" FROM pragma_table_xinfo(?1)))",
		table);
	if (query)
		add_rows(r, query, "", ";\n");
}

/* A setting that is not what it is when nothing is said. */
static void add_setting(struct reader *r, const char *name, const char *usual)
{
	MEM_SCOPED char *query = mem_printf("PRAGMA %s", name), *value = NULL;
	sqlite3_stmt *s = NULL;
	if (sqlite3_prepare_v2(r->base.db, query, -1, &s, NULL) == SQLITE_OK &&
	    sqlite3_step(s) == SQLITE_ROW && sqlite3_column_text(s, 0))
		value = mem_strdup((const char *)sqlite3_column_text(s, 0));
	sqlite3_finalize(s);
	r->failed |= !value;
	if (value && strcmp(value, usual) != 0)
		buf_addf(&r->sql, "PRAGMA %s='%s';\n", name, value);
}

static void read_all(struct reader *r)
{
	sqlite3_stmt *s = NULL;
	/* only what was read once says how large pages are */
	r->failed =
		sqlite3_exec(r->base.db, "PRAGMA schema_version", NULL, NULL, NULL) != SQLITE_OK;
	add_setting(r, "page_size", "512");
	add_setting(r, "encoding", "UTF-8");
	add_setting(r, "auto_vacuum", "0");
	add_setting(r, "user_version", "0");
	add_setting(r, "application_id", "0");
	int rc = sqlite3_prepare_v2(
		r->base.db,
		"SELECT m.name,m.sql FROM sqlite_schema m JOIN pragma_table_list l USING(name)"
		" WHERE m.type='table' AND l.type<>'shadow' AND l.schema='main'"
		" AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY m.rowid",
		-1, &s, NULL);
	while (!r->failed && (rc == SQLITE_OK || rc == SQLITE_ROW)) {
		rc = sqlite3_step(s);
		if (rc != SQLITE_ROW)
			break;
		const char *name = (const char *)sqlite3_column_text(s, 0);
		const char *sql = (const char *)sqlite3_column_text(s, 1);
		if (!name || !sql)
			continue;
		buf_addf(&r->sql, "%s;\n", sql);
		add_table(r, name);
	}
	sqlite3_finalize(s);
	r->failed |= rc != SQLITE_DONE;
	add_rows(
		r,
		"SELECT sql FROM sqlite_schema WHERE type<>'table' AND sql NOT NULL ORDER BY rowid",
		"", ";\n");
}

bool database_has(void)
{
	return true;
}

uint8_t *database_read(const uint8_t *bytes, uint32_t size, uint32_t *len)
{
	struct reader r = { 0 };
	if (!database_is(bytes, size) || !open_base(&r.base, size, false))
		return NULL;
	work_step(size);
	uint8_t *copy = sqlite3_malloc64(size);
	r.failed = !copy;
	if (copy) {
		memcpy(copy, bytes, size);
		copy[READ_VERSION] = copy[READ_VERSION + 1] = 1;
		r.failed = sqlite3_deserialize(r.base.db, "main", copy, size, size,
		                               SQLITE_DESERIALIZE_FREEONCLOSE |
		                                       SQLITE_DESERIALIZE_READONLY) != SQLITE_OK;
	}
	sqlite3_set_authorizer(r.base.db, permit, &r.base);
	if (!r.failed)
		read_all(&r);
	close_base(&r.base);
	*len = (uint32_t)r.sql.len;
	if (!r.failed && r.sql.len <= SQL_MOST &&
	    testcase_utf8((const uint8_t *)r.sql.data, (uint32_t)r.sql.len))
		return (uint8_t *)r.sql.data;
	buf_release(&r.sql);
	return NULL;
}

/* ---- making ---- */

/* Runs the statement at P; returns where the next one begins. After one that fails this is the next
 * line behind a semicolon. */
static const char *run(struct base *b, const char *p)
{
	sqlite3_stmt *s = NULL;
	const char *next = p;
	int rc = sqlite3_prepare_v2(b->db, p, -1, &s, &next);
	if (rc == SQLITE_OK && s)
		while ((rc = sqlite3_step(s)) == SQLITE_ROW)
			;
	sqlite3_finalize(s);
	if ((rc == SQLITE_OK || rc == SQLITE_DONE) && next > p)
		return next;
	next = strstr(p, ";\n");
	return next ? next + 2 : p + strlen(p);
}

/* What statements of the text may not say. */
static bool command(struct base *b, const char *what)
{
	sqlite3_set_authorizer(b->db, NULL, NULL);
	bool fine = sqlite3_exec(b->db, what, NULL, NULL, NULL) == SQLITE_OK;
	sqlite3_set_authorizer(b->db, permit, b);
	return fine;
}

/* Newer versions of SQLite (3.46 does, 3.40 does not) serialize an empty database as a page. */
static bool is_written(struct base *b)
{
	sqlite3_stmt *s = NULL;
	bool is = sqlite3_prepare_v2(b->db, "PRAGMA page_count", -1, &s, NULL) == SQLITE_OK &&
	          sqlite3_step(s) == SQLITE_ROW && sqlite3_column_int(s, 0) > 0;
	sqlite3_finalize(s);
	return is;
}

uint8_t *database_make(const uint8_t *sql, uint32_t len, uint32_t *size)
{
	MEM_SCOPED char *text = mem_printf("%.*s", (int)len, (const char *)sql); /* with an end */
	struct base b;
	const char *p = text;
	uint8_t *out = NULL;
	bool begun = false;
	if (!open_base(&b, len, true))
		return NULL;
	uint64_t pages = ((uint64_t)len * OPEN_MOST + SMALL) / PAGE;
	MEM_SCOPED char *set = mem_printf("PRAGMA page_size=%d;PRAGMA max_page_count=%llu", PAGE,
	                                  (unsigned long long)pages);
	bool fine = command(&b, set);
	while (fine && *p) {
		if (!begun && strncmp(p, "PRAGMA", 6) != 0) /* settings come before it */
			fine = begun = command(&b, "BEGIN");
		const char *next = run(&b, p);
		work_step((uint64_t)(next - p));
		p = next;
	}
	fine = fine && (!begun || command(&b, "COMMIT"));
	sqlite3_int64 n = 0;
	sqlite3_set_authorizer(b.db, NULL, NULL); /* what follows asks in SQL itself */
	unsigned char *made =
		fine && is_written(&b) ? sqlite3_serialize(b.db, "main", &n, 0) : NULL;
	if (made && n > HEADER && n <= UINT32_MAX) {
		out = mem_alloc((size_t)n);
		memcpy(out, made, (size_t)n);
		memset(out + CHANGES, 0, 4);
		memset(out + WRITTEN, 0, 8);
		*size = (uint32_t)n;
	}
	sqlite3_free(made);
	close_base(&b);
	return out;
}

uint32_t database_settings(const uint8_t *sql, uint32_t len)
{
	static const char setting[] = "PRAGMA page_size=";
	const uint8_t *end = memchr(sql, '\n', len);
	bool is_set = end && len >= sizeof setting && !memcmp(sql, setting, sizeof setting - 1);
	return is_set ? (uint32_t)(end - sql) + 1 : 0;
}

#else

bool database_has(void)
{
	return false;
}

uint8_t *database_read(UNUSED const uint8_t *bytes, UNUSED uint32_t size, UNUSED uint32_t *len)
{
	return NULL;
}

uint8_t *database_make(UNUSED const uint8_t *sql, UNUSED uint32_t len, UNUSED uint32_t *size)
{
	return NULL;
}

uint32_t database_settings(UNUSED const uint8_t *sql, UNUSED uint32_t len)
{
	return 0;
}

#endif
