// SPDX-License-Identifier: GPL-2.0
/*
 * How many samples take up to how long, a figure a stage: on the left the share up to each time, on
 * the right that at least as long, whose logarithm shows the tail. A curve for each row; of several
 * runs, overlaid, each has a dash of its own.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "plot-draw.h"

#define HEIGHT		400	/* px */
#define LEGEND_PX	18	/* of a line of it */
/* A point that would be nearer to the last one is left out: half a pixel. */
#define NEAR_LN_NS	0.002
#define NEAR_SHARE	0.002
#define NEAR_LN_SHARE	0.01

struct span {
	double low;
	double high;
	u64 most;	/* samples in a curve */
};

static void widen(struct span *span, const struct ipi_hist *hist)
{
	double low = ipi_plot__log_ns(ipi_hist__min(hist));
	double high = ipi_plot__log_ns(ipi_hist__max(hist));

	if (!ipi_hist__count(hist))
		return;
	if (!span->most || low < span->low)
		span->low = low;
	if (!span->most || high > span->high)
		span->high = high;
	if (ipi_hist__count(hist) > span->most)
		span->most = ipi_hist__count(hist);
}

/* Lines of "ns, percent up to it, share at least as long"; the first is where the curve starts. */
static void put_curve(FILE *file, const struct ipi_hist *hist)
{
	u64 min = ipi_hist__min(hist), max = ipi_hist__max(hist);
	double all = ipi_plot__count(hist);
	double last_ln = 0, last_share = -1, last_left = 2;
	u64 low, width, count, below = 0;
	unsigned int pos = 0;

	fprintf(file, "%.6g 0 1\n", ipi_plot__log_ns(min));
	while (ipi_hist__next(hist, &pos, &low, &width, &count)) {
		u64 middle = low + (width - 1) / 2;
		double left = (all - (double)below) / all;
		double ns, share;

		below += count;
		middle = middle < min ? min : middle > max ? max : middle;
		ns = ipi_plot__log_ns(middle);
		share = (double)below / all;
		if (log(ns) - last_ln < NEAR_LN_NS && share - last_share < NEAR_SHARE &&
		    log(last_left / left) < NEAR_LN_SHARE && below < ipi_hist__count(hist))
			continue;
		fprintf(file, "%.6g %.4f %.6g\n", ns, 100 * share, left);
		last_ln = log(ns);
		last_share = share;
		last_left = left;
	}
}

static void put_data(struct ipi_drawing *drawing, const int *rows, int nr, enum ipi_stage stage,
		     struct span *span)
{
	int i, run;

	for (i = 0; i < nr; i++) {
		for (run = 0; run < drawing->plot->conf.nr; run++) {
			const struct ipi_hist *hist;

			hist = ipi_plot__hist(&drawing->plot->row[rows[i]], run, stage);
			if (!hist)
				continue;
			fprintf(drawing->file, "$curve_%d_%d << EOD\n", i, run);
			put_curve(drawing->file, hist);
			fputs("EOD\n", drawing->file);
			widen(span, hist);
		}
	}
}

/* Several runs have dashes; of one, the target states have. */
static int dash_of(const struct ipi_plot *plot, int row, int run)
{
	if (plot->conf.nr > 1)
		return ipi_plot__dash(run);
	return plot->row[row].cell->target == IPI_TARGET_IDLE ? 2 :
	       plot->row[row].cell->target == IPI_TARGET_KERNEL ? 4 : 1;
}

/* The plot command: a curve for every row and run; @column of the data, drawn as @style. */
static void put_plot(struct ipi_drawing *drawing, const int *rows, int nr, enum ipi_stage stage,
		     int column, const char *style)
{
	const struct ipi_plot *plot = drawing->plot;
	const char *sep = "plot ";
	char shade[8];
	int i, run;

	for (i = 0; i < nr; i++) {
		const struct ipi_plot_row *row = &plot->row[rows[i]];
		bool named = false;

		if (ipi_plot__group(row) != IPI_ROWS_PLAIN)
			ipi_plot__shade(shade, i, nr);
		else
			snprintf(shade, sizeof(shade), "%s",
				 ipi_plot__row_colour(plot, rows[i]));
		for (run = 0; run < plot->conf.nr; run++) {
			if (!ipi_plot__hist(row, run, stage))
				continue;
			fprintf(drawing->file,
				"%s$curve_%d_%d using 1:%d with %s linewidth 1.8 dashtype %d \\\n"
				"linecolor rgb '%s' title ",
				sep, i, run, column, style, dash_of(plot, rows[i], run), shade);
			ipi_plot__quote(drawing->file, named ? "" : row->label);
			named = true;
			sep = ", \\\n  ";
			drawing->figure.curves++;
		}
	}
	ipi_drawing__run_keys(drawing);
	putc('\n', drawing->file);
}

/* Percentiles by the share of what lies above them. */
static void put_tail_axis(FILE *file, u64 most)
{
	char nines[24] = "p99.9";
	double share = 0.001;
	int i;

	fprintf(file, "set logscale y\nset yrange [%.6g:1]\n", 0.8 / (double)most);
	fputs("set ytics ('all' 1, 'p50' 0.5, 'p90' 0.1, 'p99' 0.01", file);
	for (i = 0; i < 8 && share * (double)most >= 0.8; i++) {
		fprintf(file, ", '%s' %.0e", nines, share);
		snprintf(nines, sizeof(nines), "p99.9%.*s", i + 1, "999999999");
		share /= 10;
	}
	fputs(")\n", file);
}

static void put_panels(struct ipi_drawing *drawing, const int *rows, int nr,
		       enum ipi_stage stage, const struct span *span)
{
	double low = span->low / 1.04, high = fmax(span->high * 1.04, low * 1.2);

	ipi_drawing__panel(drawing, 0, 0.40, "share of samples up to that long");
	ipi_plot__log_axis(drawing->file, "x", low, high);
	fputs("set xlabel 'ns'\nset ylabel 'percent'\nset yrange [0:100]\nset ytics 25\n"
	      "set xtics rotate by -35\n", drawing->file);
	put_plot(drawing, rows, nr, stage, 2, "steps");
	ipi_drawing__panel(drawing, 0.40, 0.60, "share of samples at least that long");
	ipi_plot__log_axis(drawing->file, "x", low, high);
	fputs("set xlabel 'ns'\nset ylabel 'percentile'\nset key outside right top vertical \\\n"
	      "maxcols 1 Left reverse\n"
	      "set xtics rotate by -35\n", drawing->file);
	put_tail_axis(drawing->file, span->most);
	put_plot(drawing, rows, nr, stage, 3, "fsteps");
}

static int make(struct ipi_figures *figures, const struct ipi_plot *plot, enum ipi_stage stage,
		enum ipi_row_group group)
{
	static const char *const of[] = { "", " of multicasts", " of storms" };
	int rows[IPI_PLOT_CURVES_MAX];
	int nr = ipi_plot__rows(plot, group, stage, rows, IPI_PLOT_CURVES_MAX);
	struct span span = { 0 };
	struct ipi_drawing drawing;

	if (!nr)
		return 0;
	if (ipi_drawing__begin(&drawing, plot, figures, IPI_FIGURE_CDF))
		return -ENOMEM;
	drawing.figure.height = HEIGHT;
	if (HEIGHT / LEGEND_PX < nr + plot->conf.nr + 6)
		drawing.figure.height = LEGEND_PX * (nr + plot->conf.nr + 6);
	ipi_drawing__title(&drawing, "%s%s, ns", ipi_stage__name(stage), of[group]);
	ipi_drawing__caption(&drawing,
			     "Left: further left is faster, steeper is steadier. Right: the same\n"
			     "samples from their slow end, the share on a logarithmic scale:\n"
			     "where a curve crosses p99, one in a hundred took at least so long.");
	put_data(&drawing, rows, nr, stage, &span);
	put_panels(&drawing, rows, nr, stage, &span);
	return ipi_drawing__end(&drawing);
}

int ipi_plot__cdf(struct ipi_figures *figures, const struct ipi_plot *plot)
{
	return ipi_plot__each_stage(figures, plot, make);
}
