/* Finders: each looks for one kind of evidence in BYTES and states what it finds (found.h); NULL:
 * nothing. They take time linear in SIZE. */
#pragma once

#include "binary/record.h"

/* Numbers in text that say what follows: in a header how many lines are below it (one number of
 * all lines or pairs of lines, or several of one part after the other), how many there are above
 * the last ones, or how many bytes there are after the first blank line. Only numbers that are
 * exactly right count. */
struct records *counts_find(const uint8_t *bytes, uint32_t size);

/* Numbers in text that say how many lines or blocks of lines follow, several of them in one header
 * or each in front of its own, and numbers that are places in what they count. No format is known:
 * what agrees with where lines begin to look different is taken to be meant (sections.c), and then
 * what goes from one end of a list to the other (their places).
 */
struct records *sections_find(const uint8_t *bytes, uint32_t size);

/* Numbers in text that are places among lines that begin with the same word, as faces name corners;
 * nothing says how many these are. */
struct records *places_find(const uint8_t *bytes, uint32_t size);

/* Numbers in digits that say where things are in a file, without a chain of records: behind a word
 * a length, of bytes that begin some lines later; with zeros in front an offset, at which a line
 * begins. What all numbers behind one word say, or all of one width, is taken to be meant. */
struct records *lengths_find(const uint8_t *bytes, uint32_t size);

/* Directories: at the end of a file a table that says where things in front of it begin, as
 * archives have it. A table is found by its description, which says how large it is and where it
 * begins, and is where that ends; its entries begin alike, and so does what they point at.
 * Nothing is known of any format. */
struct records *directory_find(const uint8_t *bytes, uint32_t size);

/* Values that a tag and a length in DER's way stand in front of, and that hold others. Where the
 * tag says that a value holds others, they fill it to the last byte, or nothing here is one; any
 * other value may happen to hold one more, with a zero in front at most (the string of bits around
 * a key). It tells small files, in which too little speaks for a chain (chains.h).
 */
struct records *tagged_find(const uint8_t *bytes, uint32_t size);

/* Members that begin with the same bytes, just as many as a number in digits in front of all or
 * behind them says; and one of their numbers says how long each is, or what they are together is
 * said there, too. */
struct records *repeated_find(const uint8_t *bytes, uint32_t size);
/* Adds what such numbers say to KNOWN, records one behind the other; what is known stays. */
void repeated_add(struct records *known, const uint8_t *bytes, uint32_t size);

/* Adds what else a file says about records that were found in it; what is known stays as it is if
 * that is SURE. */
void about_add(struct records *records, const uint8_t *bytes, uint32_t size, bool sure);
