// SPDX-License-Identifier: GPL-2.0
/*
 * Where the time of each scenario goes: the medians of its stages, stacked, a bar for each row and
 * run. The median of a sum is not the sum of medians, so the median of the whole stands beside as a
 * mark. What a kernel can't tell apart is one piece; what no stage tells is left open.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "plot-draw.h"

#define BAR_PX		26
#define AROUND_PX	120
#define LEGEND_PX	260
#define ROW_GAP		0.5

/* The pieces of a bar, in the order of time; a sum stands in for parts that are not known. */
static const struct {
	enum ipi_stage stage;
	const char *name;
	const char *colour;
	const char *fill;
} pieces[] = {
	{ IPI_STAGE_SEND,	     "send",	     "#0072b2", "solid 0.9" },
	{ IPI_STAGE_DELIVER,	     "deliver",	     "#56b4e9", "solid 0.9" },
	{ IPI_STAGE_SEND_LATENCY,    "send + deliver, not told apart", "#0072b2", "pattern 2" },
	{ IPI_STAGE_DELIVERY,	     "delivery, whole", "#0072b2", "pattern 1" },
	{ IPI_STAGE_DISPATCH,	     "dispatch",     "#e69f00", "solid 0.9" },
	{ IPI_STAGE_HANDLE,	     "handle",	     "#d55e00", "solid 0.9" },
	{ IPI_STAGE_HANDLER_LATENCY, "dispatch + handle, not told apart", "#d55e00", "pattern 2" },
	{ IPI_STAGE_ACK,	     "ack",	     "#009e73", "solid 0.9" },
};

#define PIECES	((int)(sizeof(pieces) / sizeof(*pieces)))

/* What is known of the time until the function starts, and of the time from the interrupt on. */
enum front { FRONT_PARTS, FRONT_LATENCY, FRONT_DELIVERY, FRONT_NONE };

static enum front front_of(const struct ipi_plot_data *data)
{
	if (data->stage[IPI_STAGE_SEND] && data->stage[IPI_STAGE_DELIVER])
		return FRONT_PARTS;
	if (data->stage[IPI_STAGE_SEND_LATENCY])
		return FRONT_LATENCY;
	return data->stage[IPI_STAGE_DELIVERY] ? FRONT_DELIVERY : FRONT_NONE;
}

/* Is the handler latency the best that is known? A delivery holds the dispatch already. */
static bool back_is_latency(const struct ipi_plot_data *data)
{
	return data->stage[IPI_STAGE_HANDLER_LATENCY] && front_of(data) != FRONT_DELIVERY &&
	       !(data->stage[IPI_STAGE_DISPATCH] && data->stage[IPI_STAGE_HANDLE]);
}

/* Should the bar show this piece: it was measured, and no other one says the same? */
static bool shows(const struct ipi_plot_data *data, enum ipi_stage stage)
{
	enum front front = front_of(data);

	if (!data->stage[stage])
		return false;
	if (stage == IPI_STAGE_SEND || stage == IPI_STAGE_DELIVER)
		return front == FRONT_PARTS;
	if (stage == IPI_STAGE_SEND_LATENCY)
		return front == FRONT_LATENCY;
	if (stage == IPI_STAGE_DELIVERY)
		return front == FRONT_DELIVERY;
	if (stage == IPI_STAGE_DISPATCH)
		return front != FRONT_DELIVERY && !back_is_latency(data);
	if (stage == IPI_STAGE_HANDLE)
		return !back_is_latency(data);
	if (stage == IPI_STAGE_HANDLER_LATENCY)
		return back_is_latency(data);
	return true;
}

static bool has_bar(const struct ipi_plot_data *data)
{
	int i;

	for (i = 0; i < PIECES; i++) {
		if (shows(data, pieces[i].stage))
			return true;
	}
	return false;
}

struct bars {
	struct ipi_drawing drawing;
	int nr;			/* bars */
	double end;		/* the place behind the last one */
	unsigned int used;	/* pieces that occur, by bit */
	unsigned int marks;	/* totals that occur, by bit of the stage */
	double high;
};

/* Bar by bar: begins with all zero. Between rows of several runs is a gap. */
struct walk {
	int row;
	int next_run;
	int run;
	double place;
	double next_place;
	const struct ipi_plot_data *data;
};

static bool next_bar(const struct ipi_plot *plot, struct walk *walk)
{
	for (; walk->row < plot->nr_row; walk->row++, walk->next_run = 0) {
		while (walk->next_run < plot->conf.nr) {
			walk->run = walk->next_run++;
			walk->data = &plot->row[walk->row].data[walk->run];
			if (!has_bar(walk->data))
				continue;
			walk->place = walk->next_place;
			walk->next_place += 1;
			return true;
		}
		if (plot->conf.nr > 1 && walk->next_place > walk->place)
			walk->next_place = walk->place + 1 + ROW_GAP;
	}
	return false;
}

/* "from to place" of every bar that has this piece. */
static void put_piece(struct bars *bars, int piece)
{
	FILE *file = bars->drawing.file;
	struct walk walk = { 0 };
	int i;

	bars->nr = 0;
	fprintf(file, "$piece_%d << EOD\n", piece);
	while (next_bar(bars->drawing.plot, &walk)) {
		const struct ipi_plot_data *data = walk.data;
		double at = 0, ns = 0;

		for (i = 0; i <= piece; i++) {
			at += ns;
			ns = shows(data, pieces[i].stage) ?
			     ipi_plot__percentile(data->stage[pieces[i].stage], 5000) : 0;
		}
		if (shows(data, pieces[piece].stage)) {
			fprintf(file, "%.6g %.6g %.1f\n", at, at + ns, walk.place);
			bars->used |= 1U << piece;
			bars->high = fmax(bars->high, at + ns);
		}
		bars->end = walk.next_place;
		bars->nr++;
	}
	fputs("EOD\n", file);
}

/* "ns place" of every bar's total. */
static void put_marks(struct bars *bars, enum ipi_stage stage)
{
	struct walk walk = { 0 };
	double ns;

	fprintf(bars->drawing.file, "$total_%d << EOD\n", stage);
	while (next_bar(bars->drawing.plot, &walk)) {
		if (!walk.data->stage[stage])
			continue;
		ns = ipi_plot__percentile(walk.data->stage[stage], 5000);
		fprintf(bars->drawing.file, "%.6g %.1f\n", ns, walk.place);
		bars->high = fmax(bars->high, ns);
		bars->marks |= 1U << stage;
	}
	fputs("EOD\n", bars->drawing.file);
}

/* Each bar has its row's name and, of several runs, its run's. */
static void put_labels(struct bars *bars)
{
	const struct ipi_plot *plot = bars->drawing.plot;
	FILE *file = bars->drawing.file;
	struct walk walk = { 0 };
	const char *sep = "";
	char label[160];

	fputs("set ytics (", file);
	while (next_bar(plot, &walk)) {
		snprintf(label, sizeof(label), "%s%s%s", plot->row[walk.row].label,
			 plot->conf.nr > 1 ? " | " : "",
			 plot->conf.nr > 1 ? plot->conf.run[walk.run].name : "");
		fputs(sep, file);
		ipi_plot__quote_format(file, label);
		fprintf(file, " %.1f", walk.place);
		sep = ", ";
	}
	fprintf(file, ")\nset yrange [%.1f:-0.5]\n", bars->end - 0.5);
}

static void put_plot(struct bars *bars)
{
	FILE *file = bars->drawing.file;
	const char *sep = "plot ";
	int i;

	for (i = 0; i < PIECES; i++) {
		if (!(bars->used & (1U << i)))
			continue;
		fprintf(file, "%s$piece_%d using 1:3:1:2:($3-0.36):($3+0.36) ", sep, i);
		fprintf(file, "with boxxyerror fillcolor rgb '%s' fillstyle %s \\\n"
			"border rgb '%s' title ",
			pieces[i].colour, pieces[i].fill, pieces[i].colour);
		ipi_plot__quote(file, pieces[i].name);
		sep = ", \\\n  ";
	}
	if (bars->marks & (1U << IPI_STAGE_TOTAL_TRACED))
		fprintf(file, "%s$total_%d using 1:2 with points pointtype 12 pointsize 1.1 \\\n"
			"linewidth 1.5 linecolor rgb 'black' title 'the whole, traced'",
			sep, IPI_STAGE_TOTAL_TRACED);
	if (bars->marks & (1U << IPI_STAGE_TOTAL))
		fprintf(file, "%s$total_%d using 1:2 with points pointtype 7 pointsize 0.7 \\\n"
			"linecolor rgb 'black' title 'the whole, untraced'",
			sep, IPI_STAGE_TOTAL);
	putc('\n', file);
}

int ipi_plot__stages(struct ipi_figures *figures, const struct ipi_plot *plot)
{
	struct bars bars = { 0 };
	int i;

	if (ipi_drawing__begin(&bars.drawing, plot, figures, IPI_FIGURE_STAGES))
		return -ENOMEM;
	for (i = 0; i < PIECES; i++)
		put_piece(&bars, i);
	if (!bars.nr) {
		ipi_drawing__drop(&bars.drawing);
		return 0;
	}
	put_marks(&bars, IPI_STAGE_TOTAL_TRACED);
	put_marks(&bars, IPI_STAGE_TOTAL);
	bars.drawing.figure.height = AROUND_PX + (int)(BAR_PX * bars.end);
	if (bars.drawing.figure.height < LEGEND_PX)
		bars.drawing.figure.height = LEGEND_PX;
	bars.drawing.figure.curves = bars.nr;
	ipi_drawing__title(&bars.drawing, "where the time goes: p50 of each stage, ns");
	ipi_drawing__caption(&bars.drawing,
			     "Medians, end to end; the median of the whole is a mark of its own,\n"
			     "since it is not their sum. Stages of broadcasts are each target's,\n"
			     "which overlap; time that no stage tells is not drawn.");
	ipi_drawing__panel(&bars.drawing, 0, 1, "");
	put_labels(&bars);
	fprintf(bars.drawing.file,
		"set xrange [0:%.6g]\nset xlabel 'ns'\nset format x '%%.0f'\nset border 1\n"
		"set grid noytics\nset tics scale 0.5, 0\n"
		"set key outside right top vertical maxcols 1 Left reverse\n",
		bars.high * 1.03 + 1);
	put_plot(&bars);
	return ipi_drawing__end(&bars.drawing);
}
