/* A job server for tests of its clients. */
#pragma once

#define TOKENS "+abc" /* no two alike, so that each must come back itself */
enum { N_TOKENS = sizeof TOKENS - 1 };

/* A directory with a FIFO, which is a pipe to who gets descriptors. */
struct server {
	char *dir, *path;
	int get, put;
};

void server_start(struct server *s);

/* Waits until all tokens are there: the same, and no more. */
void server_is_whole(const struct server *s);

/* The same, and removes it. */
void server_stop(struct server *s);
