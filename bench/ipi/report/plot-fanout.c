// SPDX-License-Identifier: GPL-2.0
/*
 * What more targets and more senders cost: of multicasts the total against the number of targets,
 * of storms the rate of all senders and the total against the number of senders. Measured points,
 * a curve for each run and target state.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "plot-draw.h"

#define HEIGHT	400

enum what { MULTICAST, STORM_RATE, STORM_TOTAL, WHAT_NR };

static bool belongs(const struct ipi_plot_row *row, enum what what)
{
	enum ipi_row_group group = what == MULTICAST ? IPI_ROWS_MULTICAST : IPI_ROWS_STORM;

	return ipi_plot__group(row) == group;
}

struct fanout {
	struct ipi_drawing drawing;
	int curves[WHAT_NR];
};

/* A row's point: "number p50 p99", or the rate. Return: was there one? */
static bool put_point(struct fanout *fanout, const struct ipi_plot_row *row, int run,
		      enum what what)
{
	const struct ipi_hist *hist = ipi_plot__hist(row, run, IPI_STAGE_TOTAL);
	FILE *file = fanout->drawing.file;
	double rate = row->data[run].rate;

	if (what == STORM_RATE) {
		if (rate >= 0)
			fprintf(file, "%d %.6g\n", row->cell->senders.nr, rate / 1000);
		return rate >= 0;
	}
	if (!hist)
		return false;
	fprintf(file, "%d %.17g %.17g\n", what == MULTICAST ? row->cell->dst.nr :
		row->cell->senders.nr,
		ipi_plot__percentile(hist, 5000),
		ipi_plot__percentile(hist, 9900));
	return true;
}

/* All of one target state and run. */
static bool put_curve(struct fanout *fanout, enum what what, int run, int target)
{
	const struct ipi_plot *plot = fanout->drawing.plot;
	bool any = false;
	int row;

	fprintf(fanout->drawing.file, "$fan_%d_%d_%d << EOD\n", what, run, target);
	for (row = 0; row < plot->nr_row; row++) {
		if (belongs(&plot->row[row], what) && (int)plot->row[row].cell->target == target &&
		    put_point(fanout, &plot->row[row], run, what))
			any = true;
	}
	fputs("EOD\n", fanout->drawing.file);
	return any;
}

/* A curve's part of the plot command. */
static void put_style(struct fanout *fanout, FILE *file, enum what what, int run, int target)
{
	const struct ipi_plot_conf *conf = &fanout->drawing.plot->conf;
	int colour = run * 2 + target % 2;
	char name[160];

	snprintf(name, sizeof(name), "%s%s%s%s", conf->nr > 1 ? conf->run[run].name : "",
		 conf->nr > 1 ? ", " : "", ipi_target__name((enum ipi_target)target),
		 what == STORM_RATE ? "" : ", p50");
	fprintf(file, "%s$fan_%d_%d_%d using 1:2 with linespoints pointtype 7 pointsize 0.6 \\\n"
		"linewidth 1.8 linecolor rgb '%s' title ",
		fanout->curves[what] ? ", \\\n  " : "plot ", what, run, target,
		ipi_plot__colour(colour));
	ipi_plot__quote(file, name);
	fanout->curves[what]++;
	if (what == STORM_RATE)
		return;
	snprintf(name, sizeof(name), "%s%s%s, p99", conf->nr > 1 ? conf->run[run].name : "",
		 conf->nr > 1 ? ", " : "", ipi_target__name((enum ipi_target)target));
	fprintf(file, ", \\\n  $fan_%d_%d_%d using 1:3 with linespoints pointtype 6 \\\n"
		"pointsize 0.6 dashtype 2 linewidth 1.4 linecolor rgb '%s' title ",
		what, run, target, ipi_plot__colour(colour));
	ipi_plot__quote(file, name);
	fanout->curves[what]++;
}

/* Data into the script, and the plot command, to follow the panel, into @plot. */
static void put_curves(struct fanout *fanout, enum what what, FILE *plot)
{
	int run, target;

	for (run = 0; run < fanout->drawing.plot->conf.nr; run++) {
		for (target = 0; target < IPI_TARGET_NR; target++) {
			if (put_curve(fanout, what, run, target))
				put_style(fanout, plot, what, run, target);
		}
	}
	putc('\n', plot);
}

static void put_panels(struct fanout *fanout, char *const plot[WHAT_NR])
{
	static const struct {
		const char *title, *x, *y;
	} words[WHAT_NR] = {
		{ "multicast: total", "targets", "ns" },
		{ "storm: rate of all senders", "senders", "1000 calls per second" },
		{ "storm: total", "senders", "ns" },
	};
	FILE *file = fanout->drawing.file;
	double left = 0;
	int i, nr = 0;

	for (i = 0; i < WHAT_NR; i++)
		nr += fanout->curves[i] > 0;
	for (i = 0; i < WHAT_NR; i++) {
		if (!fanout->curves[i])
			continue;
		ipi_drawing__panel(&fanout->drawing, left, 1.0 / nr, words[i].title);
		fprintf(file, "set xlabel '%s'\nset ylabel '%s'\nset xrange [0:*]\n"
			"set yrange [0:*]\nset format y '%%.0f'\n"
			"set key inside top left vertical maxcols 1 Left reverse\nset offsets 0, 0, graph %.2f, 0\n%s",
			words[i].x, words[i].y, fmin(0.06 * (fanout->curves[i] + 1), 0.8), plot[i]);
		left += 1.0 / nr;
		fanout->drawing.figure.curves += fanout->curves[i];
	}
}

int ipi_plot__fanout(struct ipi_figures *figures, const struct ipi_plot *plot)
{
	struct fanout fanout = { 0 };
	char *text[WHAT_NR] = { NULL };
	bool failed = false;
	size_t size;
	FILE *file;
	int i;

	if (ipi_drawing__begin(&fanout.drawing, plot, figures, IPI_FIGURE_FANOUT))
		return -ENOMEM;
	fanout.drawing.figure.height = HEIGHT;
	ipi_drawing__title(&fanout.drawing, "what more targets and more senders cost");
	ipi_drawing__caption(&fanout.drawing,
			     "Measured points. A straight line: every target costs the same; a\n"
			     "bend: from there on something else does.");
	for (i = 0; i < WHAT_NR && !failed; i++) {
		file = open_memstream(&text[i], &size);
		if (file)
			put_curves(&fanout, (enum what)i, file);
		failed = !file || fclose(file);
	}
	if (!failed)
		put_panels(&fanout, text);
	for (i = 0; i < WHAT_NR; i++)
		free(text[i]);
	if (!failed && fanout.drawing.figure.curves)
		return ipi_drawing__end(&fanout.drawing);
	ipi_drawing__drop(&fanout.drawing);
	return failed ? -ENOMEM : 0;
}
