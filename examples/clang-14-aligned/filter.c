/* Filters for grey-scale images: box and Gaussian blur, edges, median, histogram equalisation, and a thumbnail scaler.
 * Images are read and written as binary PGM; without an argument a test picture is drawn.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WIDTH 4096
#define MAX_TAPS 31
#define ALIGNMENT 32
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

struct image {
	int width, height;
	uint8_t *pixels; /* rows from top to bottom, without padding */
};

struct kernel {
	int taps;
	float weight[MAX_TAPS];
};

/* One row with a border on both sides, shared by all filters. */
static float row_buffer[MAX_WIDTH + 2 * MAX_TAPS];
static _Alignas(ALIGNMENT) uint8_t window[MAX_TAPS * MAX_TAPS];

static int clamp(int value, int low, int high)
{
	return MAX(low, MIN(value, high));
}

static uint8_t to_pixel(float value)
{
	return (uint8_t)clamp((int)lrintf(value), 0, 255);
}

/* ---- images ------------------------------------------------------------------------------------------------------ */

static bool image_init(struct image *image, int width, int height)
{
	if (width <= 0 || height <= 0 || width > MAX_WIDTH) {
		errno = EINVAL;
		return false;
	}
	image->width = width;
	image->height = height;
	image->pixels = calloc((size_t)width, (size_t)height);
	return image->pixels != NULL;
}

static void image_release(struct image *image)
{
	free(image->pixels);
	image->pixels = NULL;
}

static uint8_t image_get(const struct image *image, int x, int y)
{
	x = clamp(x, 0, image->width - 1);
	y = clamp(y, 0, image->height - 1);
	return image->pixels[y * image->width + x];
}

static void image_set(struct image *image, int x, int y, uint8_t value)
{
	image->pixels[y * image->width + x] = value;
}

static bool image_copy(struct image *to, const struct image *from)
{
	if (!image_init(to, from->width, from->height))
		return false;
	memcpy(to->pixels, from->pixels, (size_t)from->width * (size_t)from->height);
	return true;
}

static void draw_disc(struct image *image, int cx, int cy, int radius, uint8_t value)
{
	int x, y;

	for (y = MAX(0, cy - radius); y <= MIN(image->height - 1, cy + radius); y++)
		for (x = MAX(0, cx - radius); x <= MIN(image->width - 1, cx + radius); x++)
			if ((x - cx) * (x - cx) + (y - cy) * (y - cy) <= radius * radius)
				image_set(image, x, y, value);
}

static bool image_draw(struct image *image)
{
	int x, y;

	if (!image_init(image, 320, 200))
		return false;
	for (y = 0; y < image->height; y++)
		for (x = 0; x < image->width; x++)
			image_set(image, x, y, (uint8_t)((x * 3 + y * 5) & 63));
	draw_disc(image, 90, 80, 50, 200);
	draw_disc(image, 110, 90, 20, 40);
	draw_disc(image, 230, 120, 60, 150);
	return true;
}

/* ---- PGM --------------------------------------------------------------------------------------------------------- */

static int pgm_number(FILE *in)
{
	int c, n = 0;

	while ((c = getc(in)) != EOF && (isspace(c) || c == '#'))
		if (c == '#')
			while ((c = getc(in)) != EOF && c != '\n')
				;
	if (!isdigit(c))
		return -1;
	for (; isdigit(c); c = getc(in))
		n = n * 10 + c - '0';
	return n;
}

static bool pgm_read(struct image *image, FILE *in)
{
	int width, height, depth;

	if (getc(in) != 'P' || getc(in) != '5')
		return false;
	width = pgm_number(in);
	height = pgm_number(in);
	depth = pgm_number(in);
	if (depth != 255 || !image_init(image, width, height))
		return false;
	if (fread(image->pixels, (size_t)width, (size_t)height, in) == (size_t)height)
		return true;
	image_release(image);
	return false;
}

static bool pgm_write(const struct image *image, FILE *out)
{
	fprintf(out, "P5\n%d %d\n255\n", image->width, image->height);
	return fwrite(image->pixels, (size_t)image->width, (size_t)image->height, out) == (size_t)image->height;
}

/* ---- kernels ----------------------------------------------------------------------------------------------------- */

static void kernel_normalise(struct kernel *kernel)
{
	float sum = 0;
	int i;

	for (i = 0; i < kernel->taps; i++)
		sum += kernel->weight[i];
	for (i = 0; i < kernel->taps; i++)
		kernel->weight[i] /= sum;
}

static struct kernel kernel_box(int radius)
{
	struct kernel kernel = { .taps = 2 * clamp(radius, 0, MAX_TAPS / 2) + 1 };
	int i;

	for (i = 0; i < kernel.taps; i++)
		kernel.weight[i] = 1;
	kernel_normalise(&kernel);
	return kernel;
}

static struct kernel kernel_gauss(float sigma)
{
	struct kernel kernel = { .taps = 2 * clamp((int)ceilf(3 * sigma), 0, MAX_TAPS / 2) + 1 };
	int i, middle = kernel.taps / 2;

	for (i = 0; i < kernel.taps; i++)
		kernel.weight[i] = expf(-(float)((i - middle) * (i - middle)) / (2 * sigma * sigma));
	kernel_normalise(&kernel);
	return kernel;
}

/* ---- filters ----------------------------------------------------------------------------------------------------- */

/* The row with its border, where the vectoriser may assume that it starts on a vector. */
static float *row_load(const struct image *image, int y, int border)
{
	float *row = __builtin_assume_aligned(row_buffer, ALIGNMENT);
	int x;

	for (x = -border; x < image->width + border; x++)
		row[x + border] = image_get(image, x, y);
	return row;
}

static void convolve_rows(struct image *image, const struct kernel *kernel)
{
	int x, y, i, border = kernel->taps / 2;

	for (y = 0; y < image->height; y++) {
		const float *row = row_load(image, y, border);

		for (x = 0; x < image->width; x++) {
			float sum = 0;

			for (i = 0; i < kernel->taps; i++)
				sum += kernel->weight[i] * row[x + i];
			image_set(image, x, y, to_pixel(sum));
		}
	}
}

static bool transpose(struct image *image)
{
	struct image turned;
	int x, y;

	if (!image_init(&turned, image->height, image->width))
		return false;
	for (y = 0; y < image->height; y++)
		for (x = 0; x < image->width; x++)
			image_set(&turned, y, x, image_get(image, x, y));
	image_release(image);
	*image = turned;
	return true;
}

static bool convolve(struct image *image, const struct kernel *kernel)
{
	convolve_rows(image, kernel);
	if (!transpose(image))
		return false;
	convolve_rows(image, kernel);
	return transpose(image);
}

static bool filter_box(struct image *image, int amount)
{
	struct kernel kernel = kernel_box(amount);

	return convolve(image, &kernel);
}

static bool filter_gauss(struct image *image, int amount)
{
	struct kernel kernel = kernel_gauss((float)amount);

	return convolve(image, &kernel);
}

static bool filter_sharpen(struct image *image, int amount)
{
	struct image soft;
	int i;

	if (!image_copy(&soft, image))
		return false;
	if (!filter_gauss(&soft, 2)) {
		image_release(&soft);
		return false;
	}
	for (i = 0; i < image->width * image->height; i++)
		image->pixels[i] = to_pixel((float)image->pixels[i] +
		                            (float)amount / 100.0f * (float)(image->pixels[i] - soft.pixels[i]));
	image_release(&soft);
	return true;
}

static bool filter_edges(struct image *image, int amount)
{
	struct image from;
	int x, y;

	if (!image_copy(&from, image))
		return false;
	for (y = 0; y < image->height; y++) {
		for (x = 0; x < image->width; x++) {
			int dx = image_get(&from, x + 1, y) - image_get(&from, x - 1, y);
			int dy = image_get(&from, x, y + 1) - image_get(&from, x, y - 1);

			image_set(image, x, y, to_pixel(hypotf((float)dx, (float)dy) * (float)amount / 100.0f));
		}
	}
	image_release(&from);
	return true;
}

static int compare_pixels(const void *a, const void *b)
{
	return *(const uint8_t *)a - *(const uint8_t *)b;
}

static bool filter_median(struct image *image, int amount)
{
	struct image from;
	int x, y, dx, dy, radius = clamp(amount, 1, MAX_TAPS / 2);

	if (!image_copy(&from, image))
		return false;
	for (y = 0; y < image->height; y++) {
		for (x = 0; x < image->width; x++) {
			size_t n = 0;

			for (dy = -radius; dy <= radius; dy++)
				for (dx = -radius; dx <= radius; dx++)
					window[n++] = image_get(&from, x + dx, y + dy);
			qsort(window, n, 1, compare_pixels);
			image_set(image, x, y, window[n / 2]);
		}
	}
	image_release(&from);
	return true;
}

static bool filter_equalise(struct image *image, int amount)
{
	unsigned long count[256] = { 0 }, below = 0;
	uint8_t map[256];
	int i, n = image->width * image->height;

	for (i = 0; i < n; i++)
		count[image->pixels[i]]++;
	for (i = 0; i < 256; i++) {
		float even = 255.0f * (float)below / (float)n;

		map[i] = to_pixel((float)i + (even - (float)i) * (float)amount / 100.0f);
		below += count[i];
	}
	for (i = 0; i < n; i++)
		image->pixels[i] = map[image->pixels[i]];
	return true;
}

static bool filter_shrink(struct image *image, int amount)
{
	struct image small;
	int x, y, dx, dy, step = MAX(1, amount);

	if (!image_init(&small, MAX(1, image->width / step), MAX(1, image->height / step)))
		return false;
	for (y = 0; y < small.height; y++) {
		for (x = 0; x < small.width; x++) {
			int sum = 0;

			for (dy = 0; dy < step; dy++)
				for (dx = 0; dx < step; dx++)
					sum += image_get(image, x * step + dx, y * step + dy);
			image_set(&small, x, y, (uint8_t)(sum / (step * step)));
		}
	}
	image_release(image);
	*image = small;
	return true;
}

/* ---- command ----------------------------------------------------------------------------------------------------- */

static const struct filter {
	const char *name;
	bool (*run)(struct image *, int amount);
	int amount;
	const char *help;
} filters[] = {
	{ "box", filter_box, 3, "mean of a square; amount: radius" },
	{ "gauss", filter_gauss, 2, "soft blur; amount: standard deviation" },
	{ "sharpen", filter_sharpen, 80, "unsharp mask; amount: percent" },
	{ "edges", filter_edges, 100, "length of the gradient; amount: percent" },
	{ "median", filter_median, 1, "removes specks; amount: radius" },
	{ "equalise", filter_equalise, 100, "flat histogram; amount: percent" },
	{ "shrink", filter_shrink, 4, "thumbnail; amount: factor" },
};

static const struct filter *filter_find(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < sizeof filters / sizeof filters[0]; i++)
		if (strlen(filters[i].name) == len && !memcmp(filters[i].name, name, len))
			return &filters[i];
	return NULL;
}

static int usage(const char *program)
{
	size_t i;

	fprintf(stderr, "usage: %s FILTER[=AMOUNT]... [<IN] >OUT\n", program);
	for (i = 0; i < sizeof filters / sizeof filters[0]; i++)
		fprintf(stderr, "  %-10s %s (%d)\n", filters[i].name, filters[i].help, filters[i].amount);
	return 2;
}

int main(int argc, char **argv)
{
	struct image image;
	int i;

	if (argc > 1 && !strcmp(argv[1], "-") ? !pgm_read(&image, stdin) : !image_draw(&image)) {
		fprintf(stderr, "%s: no image: %s\n", argv[0], strerror(errno));
		return 1;
	}
	for (i = 1; i < argc; i++) {
		const char *equals = strchr(argv[i], '=');
		const struct filter *filter;

		if (!strcmp(argv[i], "-"))
			continue;
		filter = filter_find(argv[i], equals ? (size_t)(equals - argv[i]) : strlen(argv[i]));
		if (!filter)
			return usage(argv[0]);
		if (!filter->run(&image, equals ? atoi(equals + 1) : filter->amount)) {
			fprintf(stderr, "%s: %s: %s\n", argv[0], filter->name, strerror(errno));
			return 1;
		}
	}
	i = pgm_write(&image, stdout) ? 0 : 1;
	image_release(&image);
	return i;
}
