// SPDX-License-Identifier: GPL-2.0
/*
 * The map of a matrix: a line for each sender, or block of senders, a cell for each target. All of
 * it is comment lines: rows of the table alone are not.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "map-blocks.h"
#include "matrix.h"
#include "text.h"

#define LABEL_MIN	7		/* "from\to" */
#define LABEL_MAX	14
#define LEVELS		10
#define FILLED_PERCENT	90	/* of the cells of a map that is fine enough */

/* From fast to slow; the first ones are so dark that their text is white. */
static const struct {
	int back;
	int text;
} shades[LEVELS] = {
	{ 53, 231 }, { 54, 231 }, { 60, 231 }, { 24, 231 }, { 30, 231 },
	{ 36, 16 }, { 71, 16 }, { 113, 16 }, { 185, 16 }, { 226, 16 },
};

/* How a map is drawn. */
struct drawing {
	FILE *file;
	const struct ipi_map *map;
	const struct ipi_matrix_conf *conf;
	int label;		/* columns of a row's name */
	int width;		/* columns of a cell */
	bool numbers;
	double low;		/* ns of the fastest level */
	double high;		/* and of the slowest */
};

static int compare_values(const void *left, const void *right)
{
	s64 a = *(const s64 *)left;
	s64 b = *(const s64 *)right;

	return (a > b) - (a < b);
}

/* From the 2nd to the 98th of 100 values: one that is odd doesn't hide the rest. */
static int make_scale(struct drawing *drawing)
{
	const struct ipi_map *map = drawing->map;
	s64 *sorted = calloc((size_t)map->filled + 1, sizeof(*sorted));
	int nr = 0;
	int cut, i;

	if (!sorted)
		return -ENOMEM;
	for (i = 0; i < map->nr * map->nr; i++) {
		if (map->value[i] >= 0)
			sorted[nr++] = map->value[i];
	}
	qsort(sorted, (size_t)nr, sizeof(*sorted), compare_values);
	cut = nr * 2 / 100;
	drawing->low = nr ? fmax(1, (double)sorted[cut]) : 1;
	drawing->high = nr ? fmax(1, (double)sorted[nr - 1 - cut]) : 1;
	free(sorted);
	return 0;
}

static int level_of(const struct drawing *drawing, s64 value)
{
	double span = log(drawing->high / drawing->low);
	int level;

	if (value <= drawing->low || span <= 0)
		return 0;
	level = (int)(LEVELS * log((double)value / drawing->low) / span);
	return level < LEVELS ? level : LEVELS - 1;
}

static int digits(s64 value)
{
	int nr = 1;

	while (value /= 10)
		nr++;
	return nr;
}

/* "0-3,56-59" */
static const char *label_of(const struct ipi_map *map, int row, char buf[LABEL_MAX])
{
	const struct ipi_map_block *block = &map->block[row];
	struct ipi_cpus cpus = { 0 };
	int i, err = 0;

	for (i = block->first; !err && i < block->first + block->nr; i++)
		err = ipi_cpus__add(&cpus, map->matrix->cpu[i]);
	if (err)
		snprintf(buf, LABEL_MAX, "?");
	else
		ipi_cpus__format(&cpus, buf, LABEL_MAX);
	ipi_cpus__free(&cpus);
	return buf;
}

static int label_columns(const struct ipi_map *map)
{
	int widest = LABEL_MIN;
	char label[LABEL_MAX];
	int i;

	for (i = 0; i < map->nr; i++)
		widest = max_t(int, widest, strlen(label_of(map, i, label)));
	return widest;
}

static bool fits(const struct drawing *drawing)
{
	return 3 + drawing->label + drawing->map->nr * drawing->width + drawing->map->gaps <=
	       drawing->conf->columns;
}

/* Numbers if they fit, else letters with or without blanks. Return: fits it at all? */
static bool choose_width(struct drawing *drawing)
{
	const struct ipi_map *map = drawing->map;
	s64 greatest = 0;
	int i;

	for (i = 0; i < map->nr * map->nr; i++) {
		if (map->value[i] > greatest)
			greatest = map->value[i];
	}
	/* As wide as the number of any CPU, too. */
	if (greatest < map->matrix->topology->cpus.cpu[map->matrix->nr - 1])
		greatest = map->matrix->topology->cpus.cpu[map->matrix->nr - 1];
	drawing->label = label_columns(map);
	drawing->numbers = true;
	drawing->width = digits(greatest) + 1;
	if (fits(drawing))
		return true;
	drawing->numbers = false;
	drawing->width = 2;
	if (!fits(drawing))
		drawing->width = 1;
	return fits(drawing);
}

static void draw_value(const struct drawing *drawing, s64 value)
{
	int level = value < 0 ? -1 : level_of(drawing, value);
	bool shaded = drawing->conf->shades && level >= 0;

	if (shaded)
		fprintf(drawing->file, "\033[48;5;%dm\033[38;5;%dm", shades[level].back,
			shades[level].text);
	if (value < 0)
		fprintf(drawing->file, "%*s", drawing->width, "-");
	else if (drawing->numbers)
		fprintf(drawing->file, "%*lld", drawing->width, (long long)value);
	else
		fprintf(drawing->file, "%*c", drawing->width, 'a' + level);
	if (shaded)
		fputs("\033[0m", drawing->file);
}

static void draw_row(const struct drawing *drawing, int row)
{
	const struct ipi_map *map = drawing->map;
	char label[LABEL_MAX];
	int column;

	if (map->block[row].gap)
		fputs("#\n", drawing->file);
	fprintf(drawing->file, "# %*s ", drawing->label, label_of(map, row, label));
	for (column = 0; column < map->nr; column++) {
		if (map->block[column].gap)
			fputc(' ', drawing->file);
		if (column == row && map->block[row].nr == 1)
			fprintf(drawing->file, "%*s", drawing->width, ".");
		else
			draw_value(drawing, map->value[row * map->nr + column]);
	}
	fputc('\n', drawing->file);
}

/* The first CPU of each column; of narrow ones digit below digit. */
static void draw_heading(const struct drawing *drawing)
{
	const struct ipi_map *map = drawing->map;
	int lines = 1;
	int line, column;

	for (column = 0; !drawing->numbers && column < map->nr; column++)
		lines = max(lines, digits(map->matrix->cpu[map->block[column].first]));
	for (line = lines; line; line--) {
		fprintf(drawing->file, "# %*s ", drawing->label, line == 1 ? "from\\to" : "");
		for (column = 0; column < map->nr; column++) {
			int cpu = map->matrix->cpu[map->block[column].first];
			int k;

			if (map->block[column].gap)
				fputc(' ', drawing->file);
			if (drawing->numbers) {
				fprintf(drawing->file, "%*d", drawing->width, cpu);
				continue;
			}
			for (k = 1; k < line; k++)
				cpu /= 10;
			fprintf(drawing->file, "%*c", drawing->width,
				cpu || line == 1 ? '0' + cpu % 10 : ' ');
		}
		fputc('\n', drawing->file);
	}
}

/* Where each letter begins. */
static void draw_legend(const struct drawing *drawing)
{
	struct ipi_line line = { .file = drawing->file };
	int i;

	if (drawing->numbers)
		return;
	ipi_line__add(&line, "ns: a up to %.0f", drawing->low *
		      pow(drawing->high / drawing->low, 1.0 / LEVELS));
	for (i = 1; i < LEVELS && drawing->high > drawing->low; i++)
		ipi_line__add(&line, "%c from %.0f", 'a' + i, drawing->low *
			      pow(drawing->high / drawing->low, (double)i / LEVELS));
	ipi_line__end(&line);
}

static int draw(FILE *file, const struct ipi_map *map, const struct ipi_matrix_conf *conf,
		bool p99)
{
	struct drawing drawing = { .file = file, .map = map, .conf = conf };
	bool blocks = map->nr < map->matrix->nr;
	int row;

	if (make_scale(&drawing))
		return -ENOMEM;
	choose_width(&drawing);
	fprintf(file, "#\n%s# %s of %s, ns, from row to column%s%s\n",
		conf->colour ? "\033[1m" : "",
		p99 ? "p99" : "p50", ipi_stage__name(map->matrix->stage),
		blocks ? "; a cell is the median of the pairs measured in it" : "",
		conf->colour ? "\033[0m" : "");
	draw_heading(&drawing);
	for (row = 0; row < map->nr; row++)
		draw_row(&drawing, row);
	draw_legend(&drawing);
	return 0;
}

/* Does it fit, and has it something to show in nearly every cell? */
static bool is_good(const struct ipi_map *map, const struct ipi_matrix_conf *conf)
{
	struct drawing drawing = { .map = map, .conf = conf };

	return choose_width(&drawing) && map->filled * 100 >= map->possible * FILLED_PERCENT;
}

/* 1, 2, 3, 4, 6, 8, 12, ... */
static int next_size(int size)
{
	if (size < 4)
		return size + 1;
	return (size & (size - 1)) ? size / 3 * 4 : size / 2 * 3;
}

int ipi_matrix__map(FILE *file, const struct ipi_matrix *matrix,
		    const struct ipi_matrix_conf *conf, bool p99)
{
	struct ipi_map map;
	int size, err;

	for (size = 1; ; size = next_size(size)) {
		err = ipi_map__make(&map, matrix, size, p99);
		/* Two blocks are the coarsest there is. */
		if (err || is_good(&map, conf) || map.nr <= 2 || size > matrix->nr)
			break;
		ipi_map__free(&map);
	}
	if (!err)
		err = draw(file, &map, conf, p99);
	ipi_map__free(&map);
	return err;
}
