/* Common to the tests of records: where one begins and ends, and cuts that are repaired. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "binary/records.h"
#include "text/testcase.h"

/* Is bytes [BEGIN, END) one of the records? */
bool cuts_is_border(const struct records *r, uint32_t begin, uint32_t end);

/* TC without bytes [FROM, TO), repaired; the caller's. Fails the test unless what is known of the
 * records afterwards agrees with the bytes. */
struct testcase *cuts_apply(const struct records *r, struct testcase *tc, uint32_t from,
                            uint32_t to);
