/* Schemas: the records of a binary format as data of a tokenizer, its `record` lines
 * (whittle-tokenizer(5)). Where the records of a format that nobody names are found by what agrees
 * with the bytes (records.h), a schema says them.
 *
 * A schema is an ordered choice of sequences for each type, as in a parsing expression grammar
 * (Ford, "Parsing Expression Grammars", 2004), over bytes; numbers that were read are lengths,
 * counts, offsets and places of what follows.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct records;
struct schema;

/* What SCHEMA says of SIZE bytes; NULL when it does not fit. LOOSE: as far as it does, for files
 * that are damaged; what fits nothing is bytes, a list has the records that there are, a region
 * ends with what it is in. *FARTHEST: up to which byte some alternative did. Takes a bounded number
 * of steps. */
struct records *schema_records(const struct schema *schema, const uint8_t *bytes, uint32_t size,
                               bool loose, uint32_t *farthest);

void schema_free(struct schema *schema); /* NULL is fine */
