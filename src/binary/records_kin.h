/* Which records are of one thing: a row of a table and its entries in indexes. They stand in
 * different records, and share bytes that hardly any other has. */
#pragma once

#include "binary/record.h"

enum { RECORDS_KIN = 6 }; /* at most so many are of one thing */

struct kin {
	uint32_t n, records[RECORDS_KIN];
};

/* Those of RECORDS that hold no others, by what they and what they have elsewhere share; the caller
 * frees *OUT. How many there are. Takes time n log n. */
uint32_t records_kin(const struct records *records, const uint8_t *bytes, struct kin **out);
