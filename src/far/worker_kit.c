#include "far/worker_kit.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/path.h"
#include "far/frames.h"

enum { TEXTS_MOST = 1 << 16 };

static int nonsense(const struct frame *frame, struct err *err)
{
	return err_set(err, ERR_USAGE, "unexpected line \"%s\"", frame->words[0]);
}

/* The body as a string, the caller's; NULL: there is none, or a NUL is in it. */
static char *text_of(const struct frame *frame)
{
	if (!frame->body || memchr(frame->body, '\0', frame->len))
		return NULL;
	char *text = mem_alloc(frame->len + 1);
	memcpy(text, frame->body, frame->len);
	text[frame->len] = '\0';
	return text;
}

static int add_text(char ***list, unsigned *n, const struct frame *frame, struct err *err)
{
	char *text = *n < TEXTS_MOST ? text_of(frame) : NULL;
	if (!text)
		return nonsense(frame, err);
	*list = mem_resize(*list, *n + (size_t)2, sizeof **list);
	(*list)[(*n)++] = text;
	(*list)[*n] = NULL;
	return 1;
}

static int take_name(struct worker_kit *kit, const struct frame *frame, struct err *err)
{
	free(kit->name);
	if (!(kit->name = text_of(frame)))
		return nonsense(frame, err);
	return path_check(kit->name, 0, "a file for the test", err) < 0 ? -1 : 1;
}

/* A directory's path has a slash behind it. */
static int take_operand(struct worker_kit *kit, const struct frame *frame, struct err *err)
{
	if (add_text(&kit->operands, &kit->n_operands, frame, err) < 0)
		return -1;
	char *path = mem_strdup(kit->operands[kit->n_operands - 1]);
	size_t len = strlen(path);
	if (len && path[len - 1] == '/')
		path[len - 1] = '\0';
	int rc = path_check(path, 0, "an operand", err);
	free(path);
	return rc < 0 ? -1 : 1;
}

static bool read_mode(const char *word, mode_t *mode)
{
	char *end;
	unsigned long n = strtoul(word, &end, 8);
	*mode = (mode_t)n;
	return *word >= '0' && *word <= '7' && !*end && n <= 0777;
}

/* A file, below the directory that is made when the first one comes. Its path; NULL and err. */
static char *take_file(struct worker_kit *kit, const char *dir, const struct frame *frame,
                       struct err *err)
{
	mode_t mode;
	if (!kit->name || !frame->body || frame->n < 2 || !read_mode(frame->words[1], &mode)) {
		nonsense(frame, err);
		return NULL;
	}
	if (!kit->work.path && workdir_init(&kit->work, dir, 1, 0, err) < 0)
		return NULL;
	char *path = mem_printf("%s/test/%s", kit->work.path, kit->name);
	char *end = strrchr(path, '/');
	*end = '\0';
	int rc = io_make_dirs(path, strlen(kit->work.path), err);
	*end = '/';
	if (rc == 0)
		rc = io_replace_file(path, frame->body, frame->len, mode | 0400, err);
	if (rc == 0)
		return path;
	free(path);
	return NULL;
}

static int take_test(struct worker_kit *kit, const char *dir, const struct frame *frame,
                     struct err *err)
{
	if (kit->test)
		return nonsense(frame, err);
	return (kit->test = take_file(kit, dir, frame, err)) ? 1 : -1;
}

static int take_with(struct worker_kit *kit, const char *dir, const struct frame *frame,
                     struct err *err)
{
	char *path = take_file(kit, dir, frame, err);
	free(path);
	return path ? 1 : -1;
}

/* Up to two numbers. */
static int take_numbers(const struct frame *frame, uint64_t most, uint64_t out[2], struct err *err)
{
	out[1] = 0;
	bool good = frame->n > 1 && frames_number(frame->words[1], most, &out[0]) &&
	            (frame->n < 3 || frames_number(frame->words[2], most, &out[1]));
	return good ? 1 : nonsense(frame, err);
}

static int take_setup(struct worker_kit *kit, const struct frame *frame, struct err *err)
{
	const char *kind = frame->words[0];
	uint64_t n[2] = { 0 };
	bool input = !strcmp(kind, "input"), room = !strcmp(kind, "room"),
	     forks = !strcmp(kind, "forks"), alive = forks || !strcmp(kind, "alive");
	uint64_t most = room ? UINT64_MAX : alive ? UINT32_MAX : input ? SETUP_INPUT_ALL : 255;
	if (take_numbers(frame, most, n, err) < 0)
		return -1;
	kit->forks = kit->forks || forks;
	if (input)
		kit->setup.input = (unsigned)n[0];
	else if (alive)
		kit->setup.live.answers = (unsigned)n[0];
	else if (room) {
		kit->setup.input_size = n[0];
		kit->setup.files_size = n[1];
	} else {
		kit->setup.exit_code = (int)n[0];
		kit->setup.no_answer = (int)n[1];
	}
	return 1;
}

int worker_kit_take(struct worker_kit *kit, const char *dir, const struct frame *frame,
                    struct err *err)
{
	const char *kind = frame->words[0];
	if (!strcmp(kind, "input") || !strcmp(kind, "exit") || !strcmp(kind, "room") ||
	    !strcmp(kind, "alive") || !strcmp(kind, "forks"))
		return take_setup(kit, frame, err);
	if (!strcmp(kind, "argument"))
		return add_text(&kit->args, &kit->n_args, frame, err);
	if (!strcmp(kind, "operand"))
		return take_operand(kit, frame, err);
	if (!strcmp(kind, "name"))
		return take_name(kit, frame, err);
	if (!strcmp(kind, "test"))
		return take_test(kit, dir, frame, err);
	if (!strcmp(kind, "with"))
		return take_with(kit, dir, frame, err);
	if (strcmp(kind, "groups"))
		return 0;
	kit->setup.groups = true;
	return 1;
}

/* The condition that the test is says what the fork server is, and how what it starts must end. */
static int find_server(struct worker_kit *kit, struct err *err)
{
	enum { MOST = 1 << 20 };
	struct condition *c = &kit->condition;
	struct buf text = { 0 };
	int rc = io_read_bounded(kit->test, (struct io_bounds){ MOST, true }, &text, err);
	buf_addch(&text, '\0');
	if (rc == 0)
		rc = condition_parse(c, text.data, err);
	buf_release(&text);
	if (rc == 0 && c->shell)
		rc = err_set(err, ERR_USAGE, "there is no command that could be a fork server");
	if (rc < 0)
		return -1;
	if (!(kit->program = condition_program(c)))
		return err_errno(err, "cannot run %s", c->words[0]);
	kit->setup.live.forks = c;
	kit->setup.live.program = kit->program;
	return 0;
}

int worker_kit_finish(struct worker_kit *kit, struct err *err)
{
	if (!kit->test || !kit->setup.input)
		return err_set(err, ERR_USAGE, "there is no test to run");
	kit->setup.test = kit->test;
	kit->setup.args = (const char *const *)kit->args;
	kit->setup.operands = (const char *const *)kit->operands;
	return kit->forks && kit->setup.live.answers ? find_server(kit, err) : 0;
}

static void free_texts(char **list, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		free(list[i]);
	free(list);
}

void worker_kit_release(struct worker_kit *kit)
{
	if (kit->work.path)
		workdir_release(&kit->work);
	free(kit->name);
	free(kit->test);
	free(kit->program);
	condition_release(&kit->condition);
	free_texts(kit->args, kit->n_args);
	free_texts(kit->operands, kit->n_operands);
}
