// SPDX-License-Identifier: GPL-2.0
/*
 * A matrix as text: a row for each stage and distance, the map, and what is odd in words. It
 * computes nothing: stats/matrix*.c do.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "../stats/matrix.h"
#include "matrix.h"
#include "text.h"

#define ODD_SHOWN	8
#define OUTLIERS_SHOWN	8
#define SKEWS_SHOWN	4

/* Is there anything of a stage? */
static bool has_stage(const struct ipi_result *result, enum ipi_stage stage)
{
	int i;

	for (i = 0; i < result->nr_cell; i++) {
		if (result->cell[i].verdict == IPI_VERDICT_OK &&
		    ipi_cell__measured(&result->cell[i], stage))
			return true;
	}
	return false;
}

static void print_row(FILE *file, const struct ipi_matrix *matrix, enum ipi_distance distance,
		      const struct ipi_matrix_class *class)
{
	struct ipi_word fastest, slowest;

	fprintf(file, "  %-15s %-8s %6d %8d", ipi_stage__name(matrix->stage),
		ipi_distance__name(distance), class->all, class->nr);
	if (!class->nr) {
		fprintf(file, " %8s %8s %8s %-9s %8s %s\n", "-", "-", "-", "-", "-", "-");
		return;
	}
	snprintf(fastest.str, sizeof(fastest.str), "%d>%d", class->fastest_src,
		 class->fastest_dst);
	snprintf(slowest.str, sizeof(slowest.str), "%d>%d", class->slowest_src,
		 class->slowest_dst);
	fprintf(file, " %8lld %8lld %8lld %-9s %8lld %s\n", (long long)class->p50,
		(long long)class->p99, (long long)class->fastest, fastest.str,
		(long long)class->slowest, slowest.str);
}

/* The distances there are, the nearest first. */
static int print_rows(FILE *file, const struct ipi_matrix *matrix)
{
	enum ipi_distance level[IPI_LEVEL_NR];
	int nr = ipi_topology__levels(matrix->topology, level);
	struct ipi_matrix_class class;
	int i;

	for (i = 0; i <= nr; i++) {
		enum ipi_distance distance = i < nr ? level[i] : IPI_DISTANCE_REMOTE;

		if (ipi_matrix__class(matrix, distance, &class))
			return -ENOMEM;
		if (class.all)
			print_row(file, matrix, distance, &class);
	}
	return 0;
}

static void print_heading(const struct ipi_text *text)
{
	fputs("#\n", text->file);
	ipi_text__mark(text, IPI_MARK_HEAD);
	fprintf(text->file, "# %-15s %-8s %6s %8s %8s %8s %8s %-9s %8s %s", "stage", "distance",
		"pairs", "measured", "p50", "p99", "fastest", "from>to", "slowest", "from>to");
	ipi_text__unmark(text, IPI_MARK_HEAD);
	fputc('\n', text->file);
}

static int percent(double ratio)
{
	return (int)lround((ratio - 1) * 100);
}

static void print_outliers(const struct ipi_text *text, const struct ipi_matrix *matrix,
			   const struct ipi_matrix_finds *finds)
{
	int i;

	for (i = 0; i < finds->nr_outlier && i < OUTLIERS_SHOWN; i++) {
		const struct ipi_matrix_outlier *outlier = &finds->outlier[i];

		ipi_text__comment(text, IPI_MARK_ALARM,
				  "%s CPU %d as %s: its %s is %+d %% from others of the same distance (median of %d pairs)",
				  outlier->ratio > 1 ? "slow" : "fast", outlier->cpu,
				  outlier->sends ? "sender" : "target",
				  ipi_stage__name(matrix->stage), percent(outlier->ratio),
				  outlier->pairs);
	}
	if (finds->nr_outlier > OUTLIERS_SHOWN)
		ipi_text__comment(text, IPI_MARK_ALARM, "and %d more such CPUs",
				  finds->nr_outlier - OUTLIERS_SHOWN);
}

static void print_skews(const struct ipi_text *text, const struct ipi_matrix *matrix,
			const struct ipi_matrix_finds *finds)
{
	char from[64], to[64];
	int i;

	for (i = 0; i < finds->nr_skew && i < SKEWS_SHOWN; i++) {
		const struct ipi_matrix_skew *skew = &finds->skew[i];
		const struct ipi_level *level = &matrix->topology->level[skew->level];

		ipi_text__comment(text, IPI_MARK_ALARM,
				  "uneven %ss: %s of %s to %s is %lld ns, back %lld (%+d %%, %d pairs)",
				  ipi_distance__name(skew->level), ipi_stage__name(matrix->stage),
				  ipi_cpus__format(&level->group[skew->from], from, sizeof(from)),
				  ipi_cpus__format(&level->group[skew->to], to, sizeof(to)),
				  (long long)skew->there, (long long)skew->back,
				  percent(skew->ratio), skew->pairs);
	}
}

static void print_odd(const struct ipi_text *text, const struct ipi_matrix *matrix,
		      const struct ipi_matrix_finds *finds)
{
	struct ipi_line line = { .file = text->file };
	int i;

	if (!finds->nr_odd)
		return;
	ipi_text__mark(text, IPI_MARK_ALARM);
	ipi_line__add(&line, "uneven pairs, %s, ns: %d of %d", ipi_stage__name(matrix->stage),
		      finds->nr_odd, finds->nr_both_ways);
	for (i = 0; i < finds->nr_odd && i < ODD_SHOWN; i++) {
		const struct ipi_matrix_odd *odd = &finds->odd[i];

		ipi_line__add(&line, "%d>%d %lld, back %lld (%+d %%)", odd->src, odd->dst,
			      (long long)odd->there, (long long)odd->back, percent(odd->ratio));
	}
	ipi_line__end(&line);
	ipi_text__unmark(text, IPI_MARK_ALARM);
}

/* What was looked for and not found is worth a word, too. */
static void print_nothing(const struct ipi_text *text, const struct ipi_matrix *matrix,
			  const struct ipi_matrix_finds *finds)
{
	struct ipi_line line = { .file = text->file };
	const char *stage = ipi_stage__name(matrix->stage);

	if (!finds->judged)
		ipi_line__add(&line, "%s: too few CPUs or pairs to call one an outlier", stage);
	else if (!finds->nr_outlier)
		ipi_line__add(&line, "%s: no CPU is an outlier", stage);
	if (finds->nr_both_ways && !finds->nr_odd)
		ipi_line__add(&line, "%s: no uneven pair among %d", stage, finds->nr_both_ways);
	if (finds->excused)
		ipi_line__add(&line, "%d uneven pairs of these CPUs", finds->excused);
	if (matrix->noise >= 0)
		ipi_line__add(&line, "noise of a p50 between repetitions %.1f %%",
			      100 * matrix->noise);
	ipi_line__end(&line);
}

static int print_finds(const struct ipi_text *text, const struct ipi_matrix *matrix)
{
	struct ipi_matrix_finds finds;
	int err = ipi_matrix__find(matrix, &finds);

	if (!err) {
		print_outliers(text, matrix, &finds);
		print_skews(text, matrix, &finds);
		print_odd(text, matrix, &finds);
		print_nothing(text, matrix, &finds);
	}
	ipi_matrix_finds__free(&finds);
	return err;
}

/* Cells without a headline: how many, and of the first one why. */
static void print_failures(const struct ipi_text *text)
{
	const struct ipi_result *result = text->result;
	const struct ipi_cell *first = NULL;
	int nr = 0;
	int i;

	for (i = 0; i < result->nr_cell; i++) {
		if (result->cell[i].verdict == IPI_VERDICT_OK)
			continue;
		if (!first)
			first = &result->cell[i];
		nr++;
	}
	if (first)
		ipi_text__comment(text, IPI_MARK_ALARM,
				  "%d of %d measurements without a headline; the first, %d>%d, is %s: %s",
				  nr, result->nr_cell, first->src, first->dst.cpu[0],
				  ipi_verdict__name(first->verdict), first->note);
}

static void print_disturbance(const struct ipi_text *text)
{
	const struct ipi_result *result = text->result;
	struct ipi_line line = { .file = text->file };
	u64 lost = 0, negative = 0, errors = 0;
	double steal_ms = -1;
	int i;

	for (i = 0; i < result->nr_cell; i++) {
		const struct ipi_cell *cell = &result->cell[i];

		lost += cell->lost + cell->vanished;
		negative += cell->negative;
		errors += cell->untraced.errors + cell->traced.errors;
		if (cell->steal_ms >= 0)
			steal_ms = (steal_ms < 0 ? 0 : steal_ms) + cell->steal_ms;
	}
	if (errors)
		ipi_line__add(&line, "%llu errors", (unsigned long long)errors);
	if (lost)
		ipi_line__add(&line, "%llu records lost", (unsigned long long)lost);
	if (negative)
		ipi_line__add(&line, "%llu negative intervals", (unsigned long long)negative);
	if (steal_ms >= 0)
		ipi_line__add(&line, "steal %.0f ms", steal_ms);
	if (result->trace[0])
		ipi_line__add(&line, "no stages: %s", result->trace);
	if (result->interrupted)
		ipi_line__add(&line, "interrupted");
	ipi_line__end(&line);
}

/* "56 smt | 2 llc | 2 socket | die not told" */
static void print_topology(const struct ipi_text *text)
{
	const struct ipi_topology *topology = text->result->topology;
	struct ipi_line line = { .file = text->file };
	enum ipi_distance level[IPI_LEVEL_NR];
	int nr = ipi_topology__levels(topology, level);
	const char *pos = topology->missing;
	char buf[96];
	int i;

	ipi_line__add(&line, "topology by %s: %d CPUs", topology->source, topology->cpus.nr);
	for (i = 0; i < nr; i++)
		ipi_line__add(&line, "%d %s", topology->level[level[i]].nr,
			      ipi_distance__name(level[i]));
	while (ipi_text__next_line(&pos, buf, sizeof(buf)))
		ipi_line__add(&line, "%s", buf);
	ipi_line__end(&line);
}

/* The stages to print, in order. */
static int choose_stages(const struct ipi_result *result, unsigned int stages,
			 enum ipi_stage stage[IPI_STAGE_NR])
{
	int nr = 0;
	int i;

	for (i = 0; i < IPI_STAGE_NR; i++) {
		if (stages & 1U << i && has_stage(result, i))
			stage[nr++] = i;
	}
	return nr;
}

/* Called for each stage, for one part of the output after the other. */
typedef int (*part_fn)(const struct ipi_text *text, const struct ipi_matrix *matrix,
		       const struct ipi_matrix_conf *conf, bool first);

static int rows_part(const struct ipi_text *text, const struct ipi_matrix *matrix,
		     const struct ipi_matrix_conf *conf, bool first)
{
	(void)conf;
	(void)first;
	return print_rows(text->file, matrix);
}

static int map_part(const struct ipi_text *text, const struct ipi_matrix *matrix,
		    const struct ipi_matrix_conf *conf, bool first)
{
	int err;

	if (!first && !conf->verbose)
		return 0;
	err = ipi_matrix__map(text->file, matrix, conf, false);
	if (!err && conf->verbose)
		err = ipi_matrix__map(text->file, matrix, conf, true);
	return err;
}

static int finds_part(const struct ipi_text *text, const struct ipi_matrix *matrix,
		      const struct ipi_matrix_conf *conf, bool first)
{
	(void)conf;
	if (first)
		fputs("#\n", text->file);
	return print_finds(text, matrix);
}

void ipi_matrix__print(FILE *file, const struct ipi_result *result,
		       const struct ipi_matrix_conf *conf)
{
	static const part_fn part[] = { rows_part, map_part, finds_part };
	const struct ipi_text_conf text_conf = { .colour = conf->colour };
	const struct ipi_text text = { .file = file, .result = result, .conf = &text_conf };
	enum ipi_stage stage[IPI_STAGE_NR];
	int nr = choose_stages(result, conf->stages, stage);
	int err = 0;
	size_t k;
	int i;

	print_heading(&text);
	for (k = 0; k < ARRAY_SIZE(part); k++) {
		for (i = 0; !err && i < nr; i++) {
			struct ipi_matrix *matrix = ipi_matrix__new(result, stage[i]);

			err = matrix ? part[k](&text, matrix, conf, !i) : -ENOMEM;
			ipi_matrix__delete(matrix);
		}
	}
	if (!nr)
		ipi_text__comment(&text, IPI_MARK_ALARM, "nothing was measured");
	if (err)
		ipi_text__comment(&text, IPI_MARK_ALARM, "out of memory");
	print_failures(&text);
	print_topology(&text);
	print_disturbance(&text);
	fflush(file);
}
