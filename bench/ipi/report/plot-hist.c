// SPDX-License-Identifier: GPL-2.0
/*
 * Where the samples lie: a figure a stage, in it a ridge for each row over a logarithmic axis, the
 * runs over each other. 32 bins make an octave, each is two of the histogram's buckets. Each ridge
 * is as high as its fullest bin, so heights compare within a row alone.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "plot-draw.h"

#define RIDGE_PX	44
#define AROUND_PX	100
#define RIDGE_HEIGHT	0.86		/* of the distance of two rows */
#define SHOWN		9900		/* the axis ends with that percentile, in 1/10000 */
#define BIN_BITS	5		/* bins in an octave, their logarithm */

/* The bin a value is in: its first value and the first one behind it. */
static void bin_of(u64 value, u64 *low, u64 *high)
{
	int top = 63 - __builtin_clzll(value | 1);
	int shift = top > BIN_BITS ? top - BIN_BITS : 0;

	*low = value >> shift << shift;
	*high = *low + ((u64)1 << shift);
}

/* The samples of the fullest bin per width of a bin on the axis. */
static double density(u64 count, u64 low, u64 high)
{
	return (double)count / log((double)high / ipi_plot__log_ns(low));
}

/* One bin after another; those that are empty are left out. */
struct bins {
	const struct ipi_hist *hist;
	unsigned int pos;
	u64 low;
	u64 high;
	u64 count;
	u64 next_low;	/* a bucket that is not in this bin any more */
	u64 next_count;
};

static bool next_bin(struct bins *bins)
{
	u64 low, width, count;

	bins->count = 0;
	if (bins->next_count) {
		bin_of(bins->next_low, &bins->low, &bins->high);
		bins->count = bins->next_count;
		bins->next_count = 0;
	}
	while (ipi_hist__next(bins->hist, &bins->pos, &low, &width, &count)) {
		if (bins->count && low >= bins->high) {
			bins->next_low = low;
			bins->next_count = count;
			break;
		}
		if (!bins->count)
			bin_of(low, &bins->low, &bins->high);
		bins->count += count;
	}
	return bins->count;
}

static double fullest(const struct ipi_hist *hist)
{
	struct bins bins = { .hist = hist };
	double most = 0;

	while (next_bin(&bins))
		most = fmax(most, density(bins.count, bins.low, bins.high));
	return most;
}

/*
 * Lines of "ns, floor, ridge", two for each bin, an empty one for each gap: where floor and ridge
 * meet, or where it has to clip, gnuplot draws stray lines. So nothing lies beyond @limit either.
 */
static void put_ridge(FILE *file, const struct ipi_hist *hist, double most, int floor, u64 limit)
{
	struct bins bins = { .hist = hist };
	u64 end = 0;

	while (next_bin(&bins) && bins.low < limit) {
		double top = floor + RIDGE_HEIGHT * density(bins.count, bins.low, bins.high) / most;

		if (end && bins.low != end)
			putc('\n', file);
		end = bins.high < limit ? bins.high : limit;
		fprintf(file, "%.6g %d %.8f\n", ipi_plot__log_ns(bins.low), floor, top);
		fprintf(file, "%.6g %d %.8f\n", (double)end, floor, top);
	}
}

struct ridges {
	struct ipi_drawing drawing;
	enum ipi_stage stage;
	int row[IPI_PLOT_CURVES_MAX];
	int nr;
	double low;
	double high;
};

static const struct ipi_hist *hist_of(const struct ridges *ridges, int i, int run)
{
	return ipi_plot__hist(&ridges->drawing.plot->row[ridges->row[i]], run, ridges->stage);
}

/* The ends of the axis. */
static void measure(struct ridges *ridges)
{
	int i, run;

	ridges->low = INFINITY;
	for (i = 0; i < ridges->nr; i++) {
		for (run = 0; run < ridges->drawing.plot->conf.nr; run++) {
			const struct ipi_hist *hist = hist_of(ridges, i, run);

			if (!hist)
				continue;
			ridges->low = fmin(ridges->low, ipi_plot__log_ns(ipi_hist__min(hist)));
			ridges->high = fmax(ridges->high,
					    ipi_plot__percentile(hist, SHOWN));
		}
	}
	ridges->high = fmax(ridges->high * 1.08, ridges->low * 1.3);
	ridges->low /= 1.15;
}

static void put_row(struct ridges *ridges, int i)
{
	FILE *file = ridges->drawing.file;
	int floor = ridges->nr - 1 - i;
	double most = 0;
	int run;

	for (run = 0; run < ridges->drawing.plot->conf.nr; run++) {
		const struct ipi_hist *hist = hist_of(ridges, i, run);

		if (hist)
			most = fmax(most, fullest(hist) / ipi_plot__count(hist));
	}
	for (run = 0; run < ridges->drawing.plot->conf.nr; run++) {
		const struct ipi_hist *hist = hist_of(ridges, i, run);

		if (!hist)
			continue;
		fprintf(file, "$ridge_%d_%d << EOD\n", i, run);
		put_ridge(file, hist, most * ipi_plot__count(hist), floor, (u64)ridges->high);
		fprintf(file, "EOD\n$mark_%d_%d << EOD\n%.6g %d\n%.6g %d\nEOD\n", i, run,
			ipi_plot__log_ns(ipi_hist__percentile(hist, 5000)), floor,
			ipi_plot__log_ns(ipi_hist__percentile(hist, 9900)), floor);
	}
}

static void put_labels(struct ridges *ridges)
{
	FILE *file = ridges->drawing.file;
	int i;

	fputs("set ytics (", file);
	for (i = 0; i < ridges->nr; i++) {
		if (i)
			fputs(", ", file);
		ipi_plot__quote_format(file, ridges->drawing.plot->row[ridges->row[i]].label);
		fprintf(file, " %d", ridges->nr - 1 - i);
	}
	fprintf(file, ")\nset yrange [-0.08:%d]\n", ridges->nr);
}

/* The runs by colour; of one run each row has a colour. */
static void put_plot(struct ridges *ridges)
{
	const struct ipi_plot_conf *conf = &ridges->drawing.plot->conf;
	FILE *file = ridges->drawing.file;
	const char *sep = "plot ";
	int i, run;

	for (run = 0; run < conf->nr; run++) {
		bool named = conf->nr < 2;

		for (i = 0; i < ridges->nr; i++) {
			const char *colour;

			if (!hist_of(ridges, i, run))
				continue;
			colour = conf->nr > 1 ? ipi_plot__colour(run) :
				 ipi_plot__row_colour(ridges->drawing.plot, ridges->row[i]);
			fprintf(file, "%s$ridge_%d_%d using 1:2:3 with filledcurves ", sep, i, run);
			fprintf(file, "fillcolor rgb '%s' fillstyle transparent solid 0.45 \\\n"
				"border rgb '%s' title ",
				colour, colour);
			ipi_plot__quote(file, named ? "" : conf->run[run].name);
			fprintf(file, ", \\\n  $mark_%d_%d using 1:2:(0):(0.5) ", i, run);
			fprintf(file, "with vectors nohead linewidth 1.6 \\\n"
				"linecolor rgb '%s' title ''", colour);
			named = true;
			sep = ", \\\n  ";
			ridges->drawing.figure.curves++;
		}
	}
	putc('\n', file);
}

static int make(struct ipi_figures *figures, const struct ipi_plot *plot, enum ipi_stage stage,
		enum ipi_row_group group)
{
	static const char *const of[] = { "", " of multicasts", " of storms" };
	struct ridges ridges = { .stage = stage };
	int i;

	ridges.nr = ipi_plot__rows(plot, group, stage, ridges.row, IPI_PLOT_CURVES_MAX);
	if (!ridges.nr)
		return 0;
	if (ipi_drawing__begin(&ridges.drawing, plot, figures, IPI_FIGURE_HIST))
		return -ENOMEM;
	ridges.drawing.figure.height = AROUND_PX + RIDGE_PX * ridges.nr;
	ipi_drawing__title(&ridges.drawing, "histograms of %s%s, ns", ipi_stage__name(stage),
			   of[group]);
	ipi_drawing__caption(&ridges.drawing,
			     "Samples by time, each row as high as its fullest bin; upright\n"
			     "marks: p50 and p99. What is slower than the greatest p99 lies\n"
			     "beyond the right edge.");
	measure(&ridges);
	for (i = 0; i < ridges.nr; i++)
		put_row(&ridges, i);
	ipi_drawing__panel(&ridges.drawing, 0, 1, "");
	ipi_plot__log_axis(ridges.drawing.file, "x", ridges.low, ridges.high);
	put_labels(&ridges);
	fputs("set xlabel 'ns'\nset border 1\nset tics scale 0.5, 0\nset key outside right top \\\n"
	      "vertical maxcols 1 Left reverse\n",
	      ridges.drawing.file);
	put_plot(&ridges);
	return ipi_drawing__end(&ridges.drawing);
}

int ipi_plot__hists(struct ipi_figures *figures, const struct ipi_plot *plot)
{
	return ipi_plot__each_stage(figures, plot, make);
}
