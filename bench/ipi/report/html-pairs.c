// SPDX-License-Identifier: GPL-2.0
/*
 * The pairs of the page, where a result is a matrix: a line for each distance, and the CPUs, pairs
 * and groups that are unlike others.
 */
#include <errno.h>
#include <stdio.h>

#include "../stats/matrix.h"
#include "html.h"
#include "plot-pairs.h"

#define FINDS_MAX	30	/* of a kind */

static int put_classes(const struct ipi_page *page, const struct ipi_matrix *matrix)
{
	struct ipi_matrix_class class;
	char text[48];
	int i, err = 0;

	ipi_html__table(page, "distance|#pairs|#measured|#p50|#p99|#fastest p50|pair|#slowest\n"
			"p50|pair");
	for (i = 0; i < IPI_DISTANCE_NR && !err; i++) {
		err = ipi_matrix__class(matrix, (enum ipi_distance)i, &class);
		if (err || !class.all)
			continue;
		ipi_html__row(page, NULL);
		ipi_html__cell(page, ipi_distance__name((enum ipi_distance)i));
		ipi_html__number(page, class.all);
		ipi_html__number(page, class.nr);
		ipi_html__number(page, class.nr ? (double)class.p50 : -1);
		ipi_html__number(page, class.nr ? (double)class.p99 : -1);
		ipi_html__number(page, class.nr ? (double)class.fastest : -1);
		snprintf(text, sizeof(text), "%d>%d", class.fastest_src, class.fastest_dst);
		ipi_html__cell(page, class.nr ? text : "-");
		ipi_html__number(page, class.nr ? (double)class.slowest : -1);
		snprintf(text, sizeof(text), "%d>%d", class.slowest_src, class.slowest_dst);
		ipi_html__cell(page, class.nr ? text : "-");
		ipi_html__row_end(page);
	}
	ipi_html__table_end(page);
	return err;
}

static void begin_item(const struct ipi_page *page, int nr)
{
	fputs(nr ? "<li>" : "<ul>\n<li>", page->file);
}

static void put_skew(const struct ipi_page *page, const struct ipi_matrix *matrix,
		     const struct ipi_matrix_skew *skew)
{
	const struct ipi_level *level = &matrix->topology->level[skew->level];
	const char *name = ipi_distance__name(skew->level);
	char from[64], to[64];

	fprintf(page->file, "%s of CPUs %s to that of CPUs %s: %lld ns, back %lld ns (%d pairs)",
		name, ipi_cpus__format(&level->group[skew->from], from, sizeof(from)),
		ipi_cpus__format(&level->group[skew->to], to, sizeof(to)), (long long)skew->there,
		(long long)skew->back, skew->pairs);
}

static void put_finds(const struct ipi_page *page, const struct ipi_matrix *matrix,
		      const struct ipi_matrix_finds *finds)
{
	int nr = 0;
	int i;

	for (i = 0; i < finds->nr_outlier && i < FINDS_MAX; i++) {
		begin_item(page, nr++);
		fprintf(page->file, "CPU %d as %s: %.2f times the median of its distances (%d\n"
			"pairs)</li>\n",
			finds->outlier[i].cpu, finds->outlier[i].sends ? "sender" : "target",
			finds->outlier[i].ratio, finds->outlier[i].pairs);
	}
	for (i = 0; i < finds->nr_skew && i < FINDS_MAX; i++) {
		begin_item(page, nr++);
		put_skew(page, matrix, &finds->skew[i]);
		fputs("</li>\n", page->file);
	}
	for (i = 0; i < finds->nr_odd && i < FINDS_MAX; i++) {
		begin_item(page, nr++);
		fprintf(page->file, "%d to %d: %lld ns, back %lld ns (%.2f times)</li>\n",
			finds->odd[i].src, finds->odd[i].dst, (long long)finds->odd[i].there,
			(long long)finds->odd[i].back, finds->odd[i].ratio);
	}
	if (nr)
		fputs("</ul>\n", page->file);
	else
		ipi_html__note(page, "No CPU, pair or group is unlike the others.");
	if (finds->nr_outlier > FINDS_MAX || finds->nr_skew > FINDS_MAX ||
	    finds->nr_odd > FINDS_MAX)
		ipi_html__note(page, "In all %d CPUs, %d groups, %d pairs.", finds->nr_outlier,
			       finds->nr_skew, finds->nr_odd);
}

static int put_matrix(const struct ipi_page *page, int run, enum ipi_target target, int *nr)
{
	struct ipi_matrix_finds finds;
	struct ipi_pairs_view view;
	struct ipi_matrix *matrix;
	int err;

	err = ipi_pairs_view__make(&view, page->plot->conf.run[run].result, target);
	if (err <= 0)
		return err;
	++*nr;
	fputs("<h3>", page->file);
	ipi_html__text(page->file, page->plot->conf.run[run].name);
	fprintf(page->file, ", normal %s, total</h3>\n", ipi_target__name(target));
	matrix = ipi_matrix__new(&view.result, IPI_STAGE_TOTAL);
	err = matrix ? put_classes(page, matrix) : -ENOMEM;
	if (!err) {
		err = ipi_matrix__find(matrix, &finds);
		if (!err)
			put_finds(page, matrix, &finds);
		ipi_matrix_finds__free(&finds);
	}
	ipi_matrix__delete(matrix);
	ipi_pairs_view__free(&view);
	return err;
}

int ipi_html__pairs(const struct ipi_page *page)
{
	int run, target;
	int nr = 0, err = 0;

	ipi_html__section(page, "pairs", "Pairs");
	for (run = 0; run < page->plot->conf.nr; run++) {
		if (!ipi_plot__wants(&page->plot->conf, IPI_SCENARIO_NORMAL))
			break;
		for (target = 0; target < IPI_TARGET_NR && !err; target++)
			err = put_matrix(page, run, (enum ipi_target)target, &nr);
	}
	if (!nr)
		ipi_html__note(page, "None: none of these runs is a matrix that is shown.");
	ipi_html__section_end(page);
	return err;
}
