/* Chains: records one after another, each of which says how long it is, that fill a region to the
 * last byte. How a record is laid out is not known but found, by what fits exactly.
 *
 * What speaks for a format is measured in bits (sixteenths of them): bytes of lengths that must be
 * 0 for the length to be within the region, the end that is hit, bytes of headers that vary less
 * than bytes of the region do; from it goes what choosing the format costs.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "binary/codes.h"

enum {
	CHAIN_BIT = 16,                /* a bit of evidence */
	CHAIN_HEAD = 80,               /* bytes at most before the first length of a test case */
	CHAIN_INNER = 20,              /* and of a record within another */
	CHAIN_CLEARLY = 3 * CHAIN_BIT, /* what a column must say of each record */
};

/* A part of a row, or of a record: bytes of a given number, a number, what has its length in front,
 * what has a zero or a newline behind. */
enum part_kind { PART_BYTES, PART_NUMBER, PART_SIZED, PART_STRING, PART_LINE };

struct part {
	uint8_t kind, code, width; /* of a number; of PART_BYTES as many */
};

/* One of them: [begin, end), in which what has a length begins at BODY. */
struct cell {
	uint32_t begin, body, end;
};

/* The cell of PART at AT, which ends by END; false: there is none. */
bool part_read(const struct part *part, const uint8_t *bytes, uint32_t at, uint32_t end,
               struct cell *out);

/* A record: `offset` bytes, its length, and what it is the length of; or there is a part of another
 * kind, the lead, in front of that, behind `ahead` bytes: `offset` does not count it. */
struct format {
	uint8_t code, width; /* enum code; width of those that have a given one */
	uint8_t fill;        /* what padding is */
	uint8_t trail;       /* bytes behind what a length in digits counts, padding apart */
	struct part lead;    /* PART_BYTES: there is none */
	uint8_t said;   /* where the length of the lead stands: just in front of it (`ahead`), or in
	                   the bytes in front of both */
	uint16_t ahead; /* bytes in front of the lead */
	uint16_t offset; /* of the length in the record */
	uint16_t align;  /* records are padded to multiples of it; 1: not */
	int16_t more;  /* bytes of the record that its length does not count: of all of it, but the
	                  lead; of those whose width varies what is after the length */
	uint16_t unit; /* bytes that the length counts as one, 0: single ones */
};

struct format_record {
	uint32_t begin, end; /* padding included */
	uint32_t at, width;  /* its length */
	uint32_t from;       /* which with what it does not count (`more`) counts from there */
	uint32_t body_end;   /* without padding */
};

/* How the bytes of a region are distributed. */
struct background {
	uint32_t bits[256]; /* of evidence that a byte of this value is */
	uint32_t mean;      /* of a byte of the region */
};

struct chain {
	struct format format;
	uint32_t begin, end;
	uint32_t n;
	int32_t bits; /* what speaks for it, less what it costs */
};

/* Steps that searches may still take. */
struct chain_budget {
	uint64_t hops;
	uint32_t leads; /* places of a lead and its length that may still be tried */
	bool plain;     /* of records that say nothing else than how long they are */
};

void background_measure(struct background *b, const uint8_t *bytes, uint32_t begin, uint32_t end);

/* The record at AT; false when none ends by END. The last one may be without its padding. */
bool format_at(const struct format *f, const uint8_t *bytes, uint32_t at, uint32_t end,
               struct format_record *out);

/* Does the length count all of the record, what stands behind it, or what stands before it, too? */
bool format_is_plain(const struct format *f);

/* The lead of the record at AT; false: it does not end by END. */
bool format_lead(const struct format *f, const uint8_t *bytes, uint32_t at, uint32_t end,
                 struct cell *out);

/* The records from BEGIN on; 0 when they do not end at END. */
uint32_t chain_walk(const struct format *f, const uint8_t *bytes, uint32_t begin, uint32_t end,
                    struct chain_budget *budget);

/* The evidence of the chain of N records in [begin, end), without costs. */
int32_t chain_evidence(const struct format *f, const uint8_t *bytes, uint32_t begin, uint32_t end,
                       uint32_t n, const struct background *b);

/* What is best in the region, with its first length not more than HEAD bytes from its beginning.
 * bits <= 0: nothing is. */
struct chain chain_find(const uint8_t *bytes, uint32_t begin, uint32_t end, uint32_t head,
                        struct chain_budget *budget);

/* Chains of records with headers that are like one another, anywhere in the first 64 KB; they fill
 * nothing and do not overlap. At most MOST of them in OUT, in order; returns how many. Takes a
 * bounded number of steps. */
uint32_t chain_find_loose(const uint8_t *bytes, uint32_t size, struct chain *out, uint32_t most);

/* The chain of records whose lengths are written in digits, as in archives, network protocols and
 * library catalogues: a header with a number of any base, of a given width or as wide as it needs,
 * what it counts, perhaps padding; the last record may have nothing but zeros behind it. bits <= 0:
 * there is none. Takes a bounded number of steps. */
struct chain digits_find(const uint8_t *bytes, uint32_t size);

/* Where the body of a record of such a format begins. */
uint32_t digits_body(const struct format *f, const struct format_record *r);

/* The next multiple of ALIGN, which may be 0 or 1, from N on. */
uint64_t chain_round_up(uint64_t n, uint32_t align);

/* What it says that the bytes of a column of N records are so few (COUNT of each), less what the
 * few cost; 0: not CLEARLY of each record. */
int32_t chain_column(const uint16_t count[256], uint32_t n, const struct background *b,
                     uint32_t clearly);

/* x * CHAIN_BIT bits is what the choice among 2^x costs: the logarithm, in CHAIN_BITs. */
uint32_t chain_log(uint64_t x);
