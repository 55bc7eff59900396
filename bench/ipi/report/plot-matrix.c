// SPDX-License-Identifier: GPL-2.0
/*
 * A heat map of the pairs of each result and target state: p50 on the left, p99 on the right, the
 * senders down, the targets across, in the order of the topology with lines where one of its groups
 * ends. Pairs that were not measured stay grey.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../stats/matrix.h"
#include "plot-draw.h"
#include "plot-pairs.h"

#define HEIGHT		560
#define LABELS_MAX	16
#define LINES_MAX	24		/* of a level; more would hide the map */
#define LOG_FROM	4		/* greatest by least, from which colours are logarithmic */

struct map {
	struct ipi_drawing drawing;
	const struct ipi_matrix *matrix;
	double low[2];
	double high[2];
};

/* "target sender p50 p99" of each pair. */
static void put_data(struct map *map)
{
	const struct ipi_matrix *matrix = map->matrix;
	int from, to, i;

	fputs("$pairs << EOD\n", map->drawing.file);
	for (from = 0; from < matrix->nr; from++) {
		for (to = 0; to < matrix->nr; to++) {
			const struct ipi_matrix_pair *pair = ipi_matrix__at(matrix, from, to);
			double ns[2] = { (double)pair->p50, (double)pair->p99 };

			if (!pair->nr)
				continue;
			fprintf(map->drawing.file, "%d %d %.17g %.17g\n", to, from, ns[0], ns[1]);
			for (i = 0; i < 2; i++) {
				map->low[i] = fmin(map->low[i], ns[i]);
				map->high[i] = fmax(map->high[i], ns[i]);
			}
		}
	}
	fputs("EOD\n", map->drawing.file);
}

/* CPU numbers, as many as there is room for. */
static void put_labels(const struct map *map)
{
	const struct ipi_matrix *matrix = map->matrix;
	int step = (matrix->nr + LABELS_MAX - 1) / LABELS_MAX;
	const char *axis;
	int i;

	for (axis = "xy"; *axis; axis++) {
		fprintf(map->drawing.file, "set %ctics (", *axis);
		for (i = 0; i < matrix->nr; i += step)
			fprintf(map->drawing.file, "%s'%d' %d", i ? ", " : "", matrix->cpu[i], i);
		fputs(")\n", map->drawing.file);
	}
}

/* Does a group of the level end between these two places? */
static bool ends_at(const struct ipi_matrix *matrix, enum ipi_distance level, int place)
{
	return ipi_topology__group(matrix->topology, level, matrix->cpu[place - 1]) !=
	       ipi_topology__group(matrix->topology, level, matrix->cpu[place]);
}

/* Lines down and across; those of wider levels are thicker, and drawn later. */
static void put_borders(const struct map *map)
{
	const struct ipi_matrix *matrix = map->matrix;
	enum ipi_distance level[IPI_LEVEL_NR];
	int levels = ipi_topology__levels(matrix->topology, level);
	double end = matrix->nr - 0.5;
	int i, k, nr;

	for (i = 0; i < levels; i++) {
		for (k = 1, nr = 0; k < matrix->nr; k++)
			nr += ends_at(matrix, level[i], k);
		if (!nr || nr > LINES_MAX || nr > matrix->nr / 2)
			continue;
		for (k = 1; k < matrix->nr; k++) {
			if (!ends_at(matrix, level[i], k))
				continue;
			fprintf(map->drawing.file,
				"set arrow from %d.5, -0.5 to %d.5, %.1f nohead front \\\n"
				"linewidth %.1f linecolor rgb 'white'\n"
				"set arrow from -0.5, %d.5 to %.1f, %d.5 nohead front \\\n"
				"linewidth %.1f linecolor rgb 'white'\n",
				k - 1, k - 1, end, 0.5 + 0.8 * i, k - 1, end, k - 1, 0.5 + 0.8 * i);
		}
	}
}

static void put_panel(struct map *map, int i)
{
	static const char *const names[] = { "p50", "p99" };
	FILE *file = map->drawing.file;
	double end = map->matrix->nr - 0.5;

	ipi_drawing__panel(&map->drawing, i * 0.5, 0.5, names[i]);
	put_labels(map);
	put_borders(map);
	fprintf(file, "unset grid\nset size ratio -1\nset border 0\nset tics scale 0\n"
		"set xrange [-0.5:%.1f]\nset yrange [%.1f:-0.5]\n"
		"set xlabel 'target CPU'\nset ylabel 'sender CPU'\n", end, end);
	fputs("set object 1 rectangle from graph 0, graph 0 to graph 1, graph 1 behind \\\n"
	      "fillcolor rgb '#b0b0b0' fillstyle solid noborder\n"
	      "set palette defined (0 '#440154', 1 '#3b528b', 2 '#21918c', \\\n"
	      "3 '#5ec962', 4 '#fde725')\n"
	      "set cblabel 'ns' offset 1, 0\nset format cb '%.0f'\n", file);
	if (map->high[i] >= LOG_FROM * map->low[i] && map->low[i] > 0)
		ipi_plot__log_axis(file, "cb", map->low[i], map->high[i]);
	else
		fprintf(file, "set cbrange [%.17g:%.17g]\n", map->low[i],
			fmax(map->high[i], map->low[i] + 1));
	fprintf(file, "plot $pairs using 1:2:(0.52):(0.52):%d with boxxyerror fill solid \\\n"
		"noborder linecolor palette title ''\n",
		3 + i);
	map->drawing.figure.curves++;
}

/* What the lines are. */
static void put_level_names(struct map *map)
{
	enum ipi_distance level[IPI_LEVEL_NR];
	int nr = ipi_topology__levels(map->matrix->topology, level);
	int i;

	if (nr)
		ipi_drawing__caption(&map->drawing, " CPUs in the order of the topology; lines\n"
				     "end its groups, wider ones thicker:");
	else
		ipi_drawing__caption(&map->drawing,
				     " CPUs by number: this result has no topology.");
	for (i = 0; i < nr; i++)
		ipi_drawing__caption(&map->drawing, "%s %s%s", i ? "," : "",
				     ipi_distance__name(level[i]), i + 1 == nr ? "." : "");
}

static int make(struct ipi_figures *figures, const struct ipi_plot *plot, int run,
		const struct ipi_matrix *matrix, enum ipi_target target)
{
	struct map map = {
		.matrix = matrix, .low = { INFINITY, INFINITY }, .high = { 0, 0 },
	};
	int all = matrix->nr * (matrix->nr - 1);

	if (ipi_drawing__begin(&map.drawing, plot, figures, IPI_FIGURE_MATRIX))
		return -ENOMEM;
	map.drawing.figure.height = HEIGHT;
	ipi_drawing__title(&map.drawing, "pairs: %s of normal %s, ns%s%s",
			   ipi_stage__name(matrix->stage), ipi_target__name(target),
			   plot->conf.nr > 1 ? " | " : "",
			   plot->conf.nr > 1 ? plot->conf.run[run].name : "");
	ipi_drawing__caption(&map.drawing,
			     "%d of %d ordered pairs; grey: not measured, or refused.",
			     matrix->measured, all);
	put_level_names(&map);
	put_data(&map);
	put_panel(&map, 0);
	put_panel(&map, 1);
	return ipi_drawing__end(&map.drawing);
}

static int make_state(struct ipi_figures *figures, const struct ipi_plot *plot, int run,
		      enum ipi_target target)
{
	struct ipi_pairs_view view;
	int stage;
	int err;

	err = ipi_pairs_view__make(&view, plot->conf.run[run].result, target);
	if (err <= 0)
		return err;
	for (stage = 0, err = 0; stage < IPI_STAGE_NR && !err; stage++) {
		struct ipi_matrix *matrix;

		if (!ipi_plot__wants_stage(plot, (enum ipi_stage)stage, 1U << IPI_STAGE_TOTAL))
			continue;
		matrix = ipi_matrix__new(&view.result, (enum ipi_stage)stage);
		if (!matrix)
			err = -ENOMEM;
		else if (matrix->measured)
			err = make(figures, plot, run, matrix, target);
		ipi_matrix__delete(matrix);
	}
	ipi_pairs_view__free(&view);
	return err;
}

int ipi_plot__matrix(struct ipi_figures *figures, const struct ipi_plot *plot)
{
	int run, target;
	int err = 0;

	if (!ipi_plot__wants(&plot->conf, IPI_SCENARIO_NORMAL))
		return 0;
	for (run = 0; run < plot->conf.nr; run++) {
		for (target = 0; target < IPI_TARGET_NR && !err; target++)
			err = make_state(figures, plot, run, (enum ipi_target)target);
	}
	return err;
}
