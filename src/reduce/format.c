#include "reduce/session_def.h"

#include "base/buf.h"
#include "base/io.h"
#include "base/mem.h"
#include "external/external_host.h"
#include "lang/tokenizer.h"

enum {
	ROOM_FACTOR = 16,
	ROOM_LEAST = 1 << 16
}; /* a formatted file may be so much larger, and so many bytes more */
static const uint64_t LIMIT_NS = 60000000000u;

const char *format_command(const struct tokenizer *tok)
{
	const char *command;
	for (size_t i = 0; (command = tokenizer_formatter(tok, i)); i++) {
		MEM_SCOPED char *word = mem_printf("%.*s", (int)strcspn(command, " "), command);
		char *program = io_find_program(NULL, word);
		free(program);
		if (program)
			return command;
	}
	return NULL;
}

int format_run(const char *command, const struct testcase *tc, const struct oracle_asker *asker,
               struct testcase **out, const char **why, struct err *err)
{
	MEM_SCOPED char *script = mem_printf("%s \"$@\"", command);
	const char *const words[] = { "/bin/sh", "-c", script, "sh", NULL };
	struct buf text = { 0 };
	size_t room = ROOM_FACTOR * (size_t)tc->size + ROOM_LEAST;
	int rc = external_run_once(words, tc, room, LIMIT_NS, asker, &text, why, err);
	if (rc == 0 && !*why && !text.len)
		*why = "wrote nothing";
	if (rc < 0 || *why) {
		buf_release(&text);
		return rc;
	}
	*out = testcase_new(tc->files[0].path, tc->files[0].mode, (uint8_t *)text.data,
	                    (uint32_t)text.len);
	return 1;
}
