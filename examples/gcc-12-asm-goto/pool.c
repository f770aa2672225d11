/* A pool of fixed-size objects with reference counts, used by an event queue. Counting is done in assembly so that
 * overflow can be branched on directly; the generic path below it is for other compilers and machines.
 */
#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POOL_CHUNK 64
#define POOL_MAGIC 0x9e3779b9u
#define QUEUE_SIZE 256
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARNING, LOG_ERROR };

static enum log_level log_threshold = LOG_WARNING;
static const char *const log_names[] = { "debug", "info", "warning", "error" };

static void log_write(enum log_level level, const char *format, ...)
{
	va_list args;

	if (level < log_threshold)
		return;
	fprintf(stderr, "%s: ", log_names[level]);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

/* ---- lists ------------------------------------------------------------------------------------------------------- */

struct list {
	struct list *next, *prev;
};

static inline void list_init(struct list *list)
{
	list->next = list->prev = list;
}

static inline bool list_empty(const struct list *list)
{
	return list->next == list;
}

static inline void list_insert(struct list *after, struct list *node)
{
	node->next = after->next;
	node->prev = after;
	after->next->prev = node;
	after->next = node;
}

static inline void list_remove(struct list *node)
{
	node->prev->next = node->next;
	node->next->prev = node->prev;
	list_init(node);
}

static size_t list_length(const struct list *list)
{
	size_t n = 0;
	const struct list *p;

	for (p = list->next; p != list; p = p->next)
		n++;
	return n;
}

/* ---- reference counts -------------------------------------------------------------------------------------------- */

struct count {
	unsigned strong;
	unsigned weak;
};

enum count_result { COUNT_OK, COUNT_OVERFLOW, COUNT_DEAD };

static enum count_result count_generic_add(struct count *count, unsigned n)
{
	if (count->strong == 0)
		return COUNT_DEAD;
	if (count->strong + n < count->strong)
		return COUNT_OVERFLOW;
	count->strong += n;
	return COUNT_OK;
}

static enum count_result count_generic_sub(struct count *count, unsigned n)
{
	if (count->strong < n)
		return COUNT_OVERFLOW;
	count->strong -= n;
	return count->strong ? COUNT_OK : COUNT_DEAD;
}

/* What the counter would be, without storing it; leaves through OVERFLOW when it would wrap. */
static unsigned count_peek(const struct count *count, unsigned n)
{
	struct count next = { count->strong, count->weak };

	if (n == 0)
		return next.strong;
#if defined __GNUC__ && defined __x86_64__
	__asm__ goto("addl %1, %0\n\tjc %l[overflow]" : "+r"(next.strong) : "r"(n) : "cc" : overflow);
	return next.strong;
overflow:
	log_write(LOG_WARNING, "count: %u + %u overflows (%u weak)", count->strong, n, next.weak);
	return next.weak;
#else
	return next.strong + n;
#endif
}

/* ---- the pool ---------------------------------------------------------------------------------------------------- */

struct object {
	uint32_t magic;
	struct count count;
	struct list link;
	void (*destroy)(struct object *);
	unsigned char payload[];
};

struct chunk {
	struct chunk *next;
	size_t used;
	unsigned char bytes[];
};

struct pool {
	size_t object_size;
	size_t live, peak, total;
	struct chunk *chunks;
	struct list free, busy;
};

static size_t round_up(size_t n, size_t to)
{
	return (n + to - 1) / to * to;
}

static void pool_init(struct pool *pool, size_t payload)
{
	memset(pool, 0, sizeof *pool);
	pool->object_size = round_up(sizeof(struct object) + payload, _Alignof(max_align_t));
	list_init(&pool->free);
	list_init(&pool->busy);
}

static int pool_grow(struct pool *pool)
{
	struct chunk *chunk = malloc(sizeof *chunk + pool->object_size * POOL_CHUNK);
	size_t i;

	if (!chunk)
		return -ENOMEM;
	chunk->next = pool->chunks;
	chunk->used = POOL_CHUNK;
	pool->chunks = chunk;
	for (i = 0; i < POOL_CHUNK; i++) {
		struct object *object = (struct object *)(chunk->bytes + i * pool->object_size);

		object->magic = 0;
		list_insert(pool->free.prev, &object->link);
	}
	pool->total += POOL_CHUNK;
	return 0;
}

static struct object *pool_take(struct pool *pool, void (*destroy)(struct object *))
{
	struct object *object;

	if (list_empty(&pool->free) && pool_grow(pool) < 0) {
		log_write(LOG_ERROR, "pool: out of memory after %zu objects", pool->total);
		return NULL;
	}
	object = container_of(pool->free.next, struct object, link);
	list_remove(&object->link);
	list_insert(&pool->busy, &object->link);
	object->magic = POOL_MAGIC;
	object->count.strong = 1;
	object->count.weak = 0;
	object->destroy = destroy;
	memset(object->payload, 0, pool->object_size - sizeof *object);
	if (++pool->live > pool->peak)
		pool->peak = pool->live;
	return object;
}

static struct object *object_ref(struct object *object)
{
	assert(object->magic == POOL_MAGIC);
	switch (count_generic_add(&object->count, 1)) {
	case COUNT_OK:
		return object;
	case COUNT_OVERFLOW:
		log_write(LOG_ERROR, "object %p: too many references", (void *)object);
		break;
	case COUNT_DEAD:
		log_write(LOG_ERROR, "object %p: already dead", (void *)object);
		break;
	}
	return NULL;
}

static void object_unref(struct pool *pool, struct object *object)
{
	assert(object->magic == POOL_MAGIC);
	if (count_generic_sub(&object->count, 1) != COUNT_DEAD)
		return;
	if (object->destroy)
		object->destroy(object);
	object->magic = 0;
	list_remove(&object->link);
	list_insert(&pool->free, &object->link);
	pool->live--;
}

static void pool_release(struct pool *pool)
{
	struct chunk *chunk, *next;

	if (pool->live)
		log_write(LOG_WARNING, "pool: %zu objects still in use", pool->live);
	for (chunk = pool->chunks; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	pool->chunks = NULL;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

enum event_kind { EVENT_NONE, EVENT_KEY, EVENT_POINTER, EVENT_TIMER, EVENT_QUIT, EVENT_KINDS };

struct event {
	enum event_kind kind;
	uint64_t time;
	union {
		struct {
			int code;
			bool down;
		} key;
		struct {
			int x, y;
			unsigned buttons;
		} pointer;
		unsigned timer;
	} u;
};

struct queue {
	struct pool *pool;
	struct object *slots[QUEUE_SIZE];
	unsigned head, tail;
	unsigned long posted, dropped, delivered[EVENT_KINDS];
};

typedef bool (*event_handler)(const struct event *event, void *context);

static const struct {
	enum event_kind kind;
	const char *name;
	unsigned priority;
} event_table[] = {
	{ EVENT_NONE, "none", 0 }, { EVENT_KEY, "key", 3 }, { EVENT_POINTER, "pointer", 1 },
	{ EVENT_TIMER, "timer", 2 }, { EVENT_QUIT, "quit", 4 },
};

static const char *event_name(enum event_kind kind)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(event_table); i++)
		if (event_table[i].kind == kind)
			return event_table[i].name;
	return "?";
}

static struct event *event_of(struct object *object)
{
	return (struct event *)object->payload;
}

static void event_destroy(struct object *object)
{
	log_write(LOG_DEBUG, "event %s at %llu is gone", event_name(event_of(object)->kind),
	          (unsigned long long)event_of(object)->time);
}

static bool queue_full(const struct queue *queue)
{
	return (queue->tail + 1) % QUEUE_SIZE == queue->head;
}

static int queue_post(struct queue *queue, const struct event *event)
{
	struct object *object;

	if (queue_full(queue)) {
		queue->dropped++;
		return -ENOBUFS;
	}
	object = pool_take(queue->pool, event_destroy);
	if (!object)
		return -ENOMEM;
	memcpy(object->payload, event, sizeof *event);
	queue->slots[queue->tail] = object;
	queue->tail = (queue->tail + 1) % QUEUE_SIZE;
	queue->posted++;
	return 0;
}

static unsigned queue_drain(struct queue *queue, event_handler handler, void *context)
{
	unsigned handled = 0;

	while (queue->head != queue->tail) {
		struct object *object = queue->slots[queue->head];
		struct event *event = event_of(object);

		queue->head = (queue->head + 1) % QUEUE_SIZE;
		queue->delivered[event->kind]++;
		if (object_ref(object)) {
			if (handler(event, context))
				handled++;
			object_unref(queue->pool, object);
		}
		object_unref(queue->pool, object);
	}
	return handled;
}

/* ---- a small program that uses all this -------------------------------------------------------------------------- */

struct statistics {
	unsigned long keys, moves, ticks;
	long min_x, max_x;
};

static bool collect(const struct event *event, void *context)
{
	struct statistics *stats = context;

	switch (event->kind) {
	case EVENT_KEY:
		stats->keys += event->u.key.down;
		return true;
	case EVENT_POINTER:
		if (event->u.pointer.x < stats->min_x)
			stats->min_x = event->u.pointer.x;
		if (event->u.pointer.x > stats->max_x)
			stats->max_x = event->u.pointer.x;
		stats->moves++;
		return true;
	case EVENT_TIMER:
		stats->ticks++;
		return true;
	default:
		return false;
	}
}

static uint32_t next_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static struct event random_event(uint32_t *state, uint64_t now)
{
	struct event event = { .kind = EVENT_NONE, .time = now };

	switch (next_random(state) % 3) {
	case 0:
		event.kind = EVENT_KEY;
		event.u.key.code = (int)(next_random(state) % 128);
		event.u.key.down = next_random(state) & 1;
		break;
	case 1:
		event.kind = EVENT_POINTER;
		event.u.pointer.x = (int)(next_random(state) % 1920);
		event.u.pointer.y = (int)(next_random(state) % 1080);
		event.u.pointer.buttons = next_random(state) & 7;
		break;
	default:
		event.kind = EVENT_TIMER;
		event.u.timer = next_random(state) % 16;
		break;
	}
	return event;
}

int main(int argc, char **argv)
{
	struct pool pool;
	struct queue queue = { .pool = &pool };
	struct statistics stats = { .min_x = 1 << 20, .max_x = -1 };
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
	uint32_t state = 2463534242u;
	unsigned long i;

	pool_init(&pool, sizeof(struct event));
	for (i = 0; i < rounds; i++) {
		struct event event = random_event(&state, i);
		int rc = queue_post(&queue, &event);

		if (rc == -ENOBUFS)
			queue_drain(&queue, collect, &stats);
		else if (rc < 0)
			return EXIT_FAILURE;
	}
	queue_drain(&queue, collect, &stats);
	printf("%lu keys, %lu moves between %ld and %ld, %lu ticks\n", stats.keys, stats.moves, stats.min_x, stats.max_x,
	       stats.ticks);
	printf("%lu posted, %lu dropped, peak %zu of %zu objects, %zu free, next count %u\n", queue.posted, queue.dropped,
	       pool.peak, pool.total, list_length(&pool.free), count_peek(&(struct count){ 1, 0 }, (unsigned)pool.peak));
	pool_release(&pool);
	return EXIT_SUCCESS;
}
