/* The job server of a make above (GNU make's manual, "Sharing Job Slots with GNU make"): a pipe or
 * FIFO that holds one byte, a token, for each job that may be started beside the one that every
 * client may run anyway. Who reads a token writes the same byte back when that job has ended.
 *
 * The descriptors of a pipe are shared by all clients, and so is its O_NONBLOCK, which some set and
 * some clear. We open the pipe once more and read without blocking from a file description of our
 * own.
 */
#pragma once

struct jobserver {
	int get, put;  /* our own, non-blocking, close-on-exec; -1: none */
	unsigned jobs; /* make's -j; 0: it does not say */
};

enum jobserver_found {
	JOBSERVER_NONE,
	JOBSERVER_FOUND,
	JOBSERVER_UNUSABLE, /* there is one that cannot be reached: make left the recipe without its
	                       descriptors */
};

/* Looks for a job server in MAKEFLAGS, the variable's value (may be NULL): --jobserver-auth=R,W or
 * fifo:PATH, or the older
 * --jobserver-fds=R,W; the last one counts. Call it before other files are opened: a closed
 * descriptor's number is soon that of something else. When found, js->get and js->put are open
 * until jobserver_close. */
enum jobserver_found jobserver_find(struct jobserver *js, const char *makeflags);

void jobserver_close(struct jobserver *js);

/* The number of tokens that nobody has taken, as of now. */
unsigned jobserver_left(const struct jobserver *js);
