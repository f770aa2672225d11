/* What is known about a reduction, compared with what the user has now. */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/show.h"
#include "store/history.h"
#include "store/store.h"
#include "store/writer.h"
#include "text/testcase.h"

void store_format_text(struct buf *out, struct hash identity, const char *prefix)
{
	buf_addf(out, "whittle-snapshots 1\nidentity " HASH_DIGITS "\nprefix %s\n",
	         HASH_OF(identity), prefix);
}

bool store_format_identity(const char *text, struct hash *identity)
{
	static const char key[] = "\nidentity ";
	const char *line = strstr(text, key);
	return line && sscanf(line + sizeof key - 1, "%16" SCNx64 "%16" SCNx64, &identity->hi,
	                      &identity->lo) == 2;
}

/* 1: the file PATH of the first commit holds these bytes (NULL: is missing); 0: not. */
static int first_has(struct store *s, const char *path, const void *bytes, size_t len,
                     struct err *err)
{
	BUF_SCOPED struct buf text = { 0 };
	int rc = step_file(s->r.location.repo, &s->r.chain.ids[0], path, &text, err);
	return rc < 0 ? rc : !bytes ? !rc : rc && text.len == len && !memcmp(text.data, bytes, len);
}

/* The line of TEXT that begins like LINE up to its '='; NULL when there is none. *len is its
 * length. */
static const char *line_of_key(const char *text, const char *line, size_t *len)
{
	size_t key = strcspn(line, "=\n");
	for (const char *p = text; *p;) {
		*len = strcspn(p, "\n");
		if (*len >= key && !strncmp(p, line, key) &&
		    (p[key] == '=' || p[key] == '\n' || !p[key]))
			return p;
		p += *len + (p[*len] == '\n');
	}
	return NULL;
}

/* Adds the LEN bytes at LINE, KEY=VALUE of the options that are kept, as one types them. What comes
 * of more than an option, such as the fence, stays as it is. */
static void add_typed(struct buf *out, const char *line, size_t len)
{
	static const char *const exact[][2] = {
		{ "input=1", "--input basename" },
		{ "input=2", "--input arg" },
		{ "input=4", "--input stdin" },
		{ "input=7", "--input all" },
		{ "keep-names=0", "no --keep-names" },
		{ "keep-names=1", "--keep-names" },
		{ "memory-limit=0", "no --memory-limit" },
		{ "repeat=flaky", "--flaky" },
		{ "spans=", "no --spans" },
		{ "tokenizer=auto", "no --tokenizer" },
	};
	static const char *const valued[] = { "certify=", "file-limit=",    "memory-limit=",
		                              "passes=",  "process-limit=", "repeat=",
		                              "seed=",    "tokenizer=" };
	for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
		if (strlen(exact[i][0]) == len && !strncmp(exact[i][0], line, len)) {
			buf_addf(out, "%s", exact[i][1]);
			return;
		}
	for (size_t i = 0; i < sizeof valued / sizeof *valued; i++) {
		size_t key = strlen(valued[i]);
		bool is = len > key && !strncmp(valued[i], line, key);
		if (is && strncmp(line + key, "file:", 5) != 0) {
			buf_addf(out, "--%.*s %.*s", (int)key - 1, line, (int)(len - key),
			         line + key);
			return;
		}
	}
	buf_addf(out, "%.*s", (int)len, line);
}

/* Lines of A that B has not, or has with another value. */
static void explain_lines(struct buf *why, const char *a, const char *b, const char *missing,
                          bool changed)
{
	for (const char *p = a; *p;) {
		size_t len = strcspn(p, "\n"), other_len;
		const char *other = line_of_key(b, p, &other_len);
		bool differs = !other || (changed && (len != other_len || strncmp(p, other, len)));
		if (differs) {
			buf_addf(why, "; %s ", other ? "was" : missing);
			add_typed(why, p, len);
		}
		if (differs && other) {
			buf_addf(why, ", is ");
			add_typed(why, other, other_len);
		}
		p += len + (p[len] == '\n');
	}
}

/* What keeps a reduction from being resumed. */
struct change {
	struct buf why;      /* lines; empty: nothing does */
	struct buf programs; /* external passes that have to be named again; empty: none */
	bool content;        /* FILE is none of its snapshots */
	bool apart;          /* and has never been: the result goes to another file */
	bool version;        /* another version of whittle began it, which alone can resume it */
	bool test;           /* the test, its arguments or the path of FILE is another one */
};

/* The value of KEY in TEXT, lines KEY=VALUE; the caller's. NULL: there is no such line. */
static char *value_of(const char *text, const char *key)
{
	size_t len, n = strlen(key);
	const char *line = line_of_key(text, key, &len);
	return line && len > n ? mem_printf("%.*s", (int)(len - n - 1), line + n + 1) : NULL;
}

/* Do the commands of the external passes, as they are known here, lead to other programs? */
static bool is_lost(const struct store *s)
{
	MEM_SCOPED char *known = reduction_local(&s->r, "external"),
			*used = value_of(s->local, "external");
	return !known || !*known || (used && !strcmp(known, used));
}

/* Adds "NAME VERSION, ..." of the external passes in the options OLD, "NAME VERSION HASH; ...",
 * when they are others in NOW and nothing here says where they are. */
static void add_programs(const struct store *s, struct buf *out, const char *old, const char *now)
{
	MEM_SCOPED char *was = value_of(old, "external"), *is = value_of(now, "external");
	if (was && *was && strcmp(was, is ? is : "") != 0 && is_lost(s))
		for (const char *p = was, *end; *p; p = end + strspn(end, "; ")) {
			size_t len = strcspn(p, ";");
			end = p + len;
			while (len && p[len] != ' ')
				len--;
			buf_addf(out, "%s%.*s", out->len ? ", " : "", (int)len, p);
		}
}

static int explain_options(struct store *s, const char *options, struct change *change,
                           struct err *err)
{
	struct buf *why = &change->why;
	BUF_SCOPED struct buf text = { 0 };
	if (step_file(s->r.location.repo, &s->r.chain.ids[0], STORE_OPTIONS, &text, err) < 0)
		return -1;
	const char *old = text.data ? text.data : "";
	MEM_SCOPED char *was = value_of(old, "format"), *is = value_of(options, "format");
	change->version = was && is && strcmp(was, is) != 0;
	if (change->version) {
		buf_addf(why, "another version of whittle began it (format %s, not %s)\n", was, is);
	} else {
		buf_addf(why, "the options have changed");
		explain_lines(why, old, options, "no longer", true);
		explain_lines(why, options, old, "new:", false);
		buf_addf(why, "\n");
		add_programs(s, &change->programs, old, options);
	}
	return 0;
}

int store_knows(struct store *s, const struct store_input *now, struct err *err)
{
	int rc = reduction_has(&s->r, step_content(now->tc), err);
	if (rc)
		return rc;
	/* By the test and the options that the reduction has, whatever those are NOW. */
	BUF_SCOPED struct buf format = { 0 };
	struct hash identity = now->identity;
	if (s->r.chain.n)
		rc = step_file(s->r.location.repo, &s->r.chain.ids[0], STORE_FORMAT, &format, err);
	if (rc < 0)
		return -1;
	if (rc)
		store_format_identity(format.data, &identity);
	return reduction_says_yes(&s->r, identity, now->tc, err);
}

static int explain(struct store *s, const struct store_input *now, struct change *change,
                   struct err *err)
{
	struct buf format = { 0 }, *why = &change->why;
	store_format_text(&format, now->identity, s->r.location.prefix);
	int test = first_has(s, STORE_TEST, now->test, now->test_len, err);
	int same = test < 0 ? -1 : first_has(s, STORE_FORMAT, format.data, format.len, err);
	buf_release(&format);
	if (same < 0)
		return -1;
	int options = first_has(s, STORE_OPTIONS, now->options, strlen(now->options), err);
	if (options < 0)
		return -1;
	change->test = !test || (!same && options); /* options are a part of the identity, too */
	if (change->test)
		buf_addf(why, "%s changed\n",
		         test ? "the test, its arguments or the path of the file" : "the test");
	if (!options && explain_options(s, now->options, change, err) < 0)
		return -1;
	int content = store_knows(s, now, err);
	if (content == 0)
		buf_addf(why,
		         "%s is neither the original of this reduction nor one of its snapshots\n",
		         s->r.location.file);
	change->content = !content;
	change->apart = now->apart;
	return content < 0 ? -1 : 0;
}

static void add_hint(struct buf *out, const char *text, const char *command)
{
	buf_addch(out, '\n');
	show_add_hint(out, text, command);
}

/* What is damaged, and which commands get past. */
static char *damage_text(const struct store *s)
{
	MEM_SCOPED char *removal =
		quote_command("prune --delete", NULL, s->r.location.asked, s->r.location.name);
	struct buf out = { 0 };
	buf_addf(&out, "reduction '%s' is damaged: %s", s->r.location.name, s->found.damage->msg);
	add_hint(&out,
	         "to start over with the verdicts of its journal: the same command with --fresh "
	         "(the old one is kept), or with another --name",
	         NULL);
	add_hint(&out, "to remove it:", removal);
	buf_addch(&out, '\0');
	return out.data;
}

/* How it goes on with the options that it has. */
static void advise_resume(const struct store *s, const struct change *change, struct buf *out)
{
	const char *name = s->r.location.name, *store = s->r.location.asked;
	bool lacks = change->programs.len;
	MEM_SCOPED char *back = quote_command("restore --force", NULL, store, name);
	MEM_SCOPED char *resume =
		quote_command(lacks ? "resume --external COMMAND" : "resume", NULL, store, name);
	MEM_SCOPED char *both = mem_printf("%s && %s", back, resume);
	MEM_SCOPED char *programs =
		lacks ? mem_printf(" (%s: their commands are not known here, or lead to other "
	                           "programs)",
	                           change->programs.data)
		      : mem_strdup("");
	MEM_SCOPED char *text = mem_printf("to resume it with its own options%s%s:", programs,
	                                   change->content ? ", from its last snapshot" : "");
	add_hint(out, text, change->content ? both : resume);
}

/* FILE is written by nobody but the user, as in a rule of make. */
static void advise_anew(struct buf *out)
{
	add_hint(out,
	         "to reduce it anew, now and whenever it changes: the same command with "
	         "--fresh-if-changed; for makefiles there is whittle.mk: man whittle-make",
	         NULL);
}

/* What changed, and which commands resume or start over. */
static char *with_advice(const struct store *s, const struct change *change)
{
	const char *name = s->r.location.name;
	MEM_SCOPED char *orig = mem_printf("%s.orig", s->r.location.file),
			*from = change->content           ? mem_strdup("what is there now")
	                        : access(orig, F_OK) == 0 ? mem_printf("the original (%s)", orig)
	                                                  : mem_strdup("the original");
	MEM_SCOPED char *over = mem_printf(
		"to start over from %s: the same command with --fresh (the old one is kept as "
		"'%s.1' or the next free number), or with --name to keep both",
		from, name);
	struct buf out = { 0 };
	/* The last of the lines of what changed ends with the first hint. */
	buf_addf(&out, "reduction '%s' cannot be resumed as it is:\n%.*s", name,
	         (int)change->why.len - 1, change->why.data);
	if (change->content && change->apart)
		advise_anew(&out);
	else if (!change->version)
		advise_resume(s, change, &out);
	add_hint(&out, over, NULL);
	buf_addch(&out, '\0');
	return out.data;
}

int store_state(struct store *s, const struct store_input *now, enum store_state *state, char **why,
                struct err *err)
{
	struct change change = { 0 };
	*why = NULL;
	*state = STORE_NEW;
	if (!s->found.has_ref || s->fresh)
		return 0;
	if (s->r.damaged) {
		*state = STORE_CHANGED;
		*why = damage_text(s);
		return 0;
	}
	int rc = explain(s, now, &change, err);
	if (rc < 0)
		err_context(err, "reduction '%s' is damaged (--fresh starts over)",
		            s->r.location.name);
	bool older = change.version && !change.test && !change.content;
	*state = older                                   ? STORE_OLDER
	         : change.why.len                        ? STORE_CHANGED
	         : s->r.chain.last.kind == STEP_FINISHED ? STORE_FINISHED
	                                                 : STORE_UNFINISHED;
	*why = rc == 0 && change.why.len ? with_advice(s, &change) : NULL;
	buf_release(&change.why);
	buf_release(&change.programs);
	return rc;
}

void store_be_fresh(struct store *s)
{
	s->fresh = s->found.has_ref;
}
