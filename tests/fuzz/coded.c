/* Coded words in any bytes: they lie in order, each is written back as it was, and an edit of what
 * one says is an edit of the bytes. Programs and HDF5's files are what is made of what they say.
 * Input: four bytes of edit and more, "%%", a file. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "binary/anew.h"
#include "binary/hdf5.h"
#include "binary/linked.h"
#include "fuzz.h"
#include "lang/coded.h"
#include "text/edit.h"
#include "text/testcase.h"

/* What WORD says after an edit of it is what the edited word says, if it is still one. */
static void check_edit(const struct coded *word, struct testcase *tc, const uint8_t *says,
                       struct fuzz *edits)
{
	struct arena arena = { 0 };
	struct edit plain = fuzz_edit(edits, word->size, &arena);
	struct edit edit = coded_edit(word, tc->bytes, says, plain, &arena);
	fuzz_check_edit(tc, edit);
	for (uint32_t i = 0; i < edit.n; i++)
		FUZZ_REQUIRE(edit.parts[i].begin >= word->begin && edit.parts[i].end <= word->end);
	arena_release(&arena);
}

static void check_word(const struct coded *word, struct testcase *tc, struct fuzz edits)
{
	struct arena arena = { 0 };
	uint32_t len;
	/* Not of the arena: reading behind it shows. */
	uint8_t *says = mem_alloc(word->size ? word->size : 1);
	coded_read(word, tc->bytes, says);
	const uint8_t *again = coded_write(word, says, word->size, &arena, &len);
	FUZZ_REQUIRE(len == word->end - word->begin);
	FUZZ_REQUIRE(!memcmp(again, tc->bytes + word->begin, len));
	check_edit(word, tc, says, &edits);
	arena_release(&arena);
	free(says);
}

/* What is made of the bytes as lines, or of the file of that kind that they are. */
static void check_lines(const struct anew *kind, const uint8_t *bytes, uint32_t size)
{
	uint32_t len;
	for (int way = 0; way < 3; way++) {
		if (way && !kind->is(bytes, size))
			break;
		uint8_t *made = way ? anew_open(bytes, size, way == 1, &len)
		                    : kind->make(bytes, size, &len);
		FUZZ_REQUIRE(!made || anew_is_open(made, len));
		free(made);
	}
}

int target_coded(const uint8_t *data, size_t size)
{
	struct fuzz text = { data, data + size }, edits = fuzz_section(&text);
	struct testcase *tc = fuzz_testcase(text.at, fuzz_left(&text));
	struct coded_list words = { 0 };
	uint32_t end = 0;
	for (uint32_t i = 0; i < ANEW_KINDS; i++)
		if (anew_kinds[i].is == linked_is || anew_kinds[i].is == hdf5_is)
			check_lines(&anew_kinds[i], tc->bytes, tc->size);
	coded_find(tc->bytes, 0, tc->size, &words);
	for (uint32_t i = 0; i < words.n; i++) {
		const struct coded *word = &words.list[i];
		FUZZ_REQUIRE(word->begin >= end && word->begin < word->end);
		FUZZ_REQUIRE(word->end <= tc->size);
		check_word(word, tc, edits);
		end = word->end;
	}
	coded_release(&words);
	testcase_unref(tc);
	return 0;
}
