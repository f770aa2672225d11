/* SQLite databases as the SQL that makes them, by SQLite's own library (binary/anew.h): a row, its
 * entries in indexes and the pages of all depend on one another. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Was whittle built with SQLite? */
bool database_has(void);

/* Do the SIZE bytes at BYTES begin as a database does? */
bool database_is(const uint8_t *bytes, uint32_t size);

/* The SQL that makes the SIZE bytes at BYTES, a statement a line, which the caller frees, and *LEN
 * of it. NULL: it is no database, is damaged, holds what is no text, would be more than 64 MB, or
 * whittle was built without SQLite. What it does not say: numbers of rows that no column has,
 * statistics, and contents of tables that a module keeps for itself. */
uint8_t *database_read(const uint8_t *bytes, uint32_t size, uint32_t *len);

/* The database that LEN bytes of such SQL make, without the statements that fail; the caller frees
 * it, and *SIZE of it. NULL: there is nothing in it. Takes a bounded number of steps. */
uint8_t *database_make(const uint8_t *sql, uint32_t len, uint32_t *size);

/* Bytes in front of the SQL that set how large pages are. */
uint32_t database_settings(const uint8_t *sql, uint32_t len);
