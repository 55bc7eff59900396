// SPDX-License-Identifier: GPL-2.0
/*
 * What the figures share: how a string, a colour and an axis are said to gnuplot, and the figure
 * being written.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/kernel.h>

#include "plot-draw.h"
#include "plain-text.h"

/* Okabe, Ito: Color Universal Design (2008), without its black and yellow; three of Tol's. */
static const char *const colours[] = {
	"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#7f7f7f",
	"#aa4499",
};

const char *ipi_plot__colour(int index)
{
	return colours[(size_t)index % ARRAY_SIZE(colours)];
}

/* From blue to orange, both of a middle brightness. */
void ipi_plot__shade(char buf[8], int index, int nr)
{
	static const int from[3] = { 0x2b, 0x6c, 0xb0 }, to[3] = { 0xe0, 0x8a, 0x1e };
	double place = nr > 1 ? (double)index / (nr - 1) : 0;
	unsigned int part[3];
	int i;

	for (i = 0; i < 3; i++)
		part[i] = (unsigned int)lround(from[i] + place * (to[i] - from[i])) & 0xff;
	snprintf(buf, 8, "#%02x%02x%02x", part[0], part[1], part[2]);
}

/* gnuplot's dash types: 1 is solid. */
int ipi_plot__dash(int index)
{
	return 1 + index % 5;
}

static void quote(FILE *file, const char *str, bool format)
{
	int len;

	putc('\'', file);
	for (; *str; str += len) {
		len = ipi_plain__char(str);
		if (!len) {
			putc('?', file);
			len = 1;
			continue;
		}
		if (*str == '\'' || (format && *str == '%'))
			putc(*str, file);
		fwrite(str, 1, (size_t)len, file);
	}
	putc('\'', file);
}

void ipi_plot__quote(FILE *file, const char *str)
{
	quote(file, str, false);
}

void ipi_plot__quote_format(FILE *file, const char *str)
{
	quote(file, str, true);
}

double ipi_plot__log_ns(u64 ns)
{
	return ns ? (double)ns : 1;
}

double ipi_plot__count(const struct ipi_hist *hist)
{
	u64 count = ipi_hist__count(hist);

	return (double)count;
}

double ipi_plot__percentile(const struct ipi_hist *hist, unsigned int permille10)
{
	u64 ns = ipi_hist__percentile(hist, permille10);

	return (double)ns;
}

/* One mark, "12 500". */
static void put_tic(FILE *file, double value, bool *first)
{
	char text[40];

	ipi_plain__grouped(text, sizeof(text), value);
	fprintf(file, "%s'%s' %.17g", *first ? "" : ", ", text, value);
	*first = false;
}

/* A round step that gives about @nr marks. */
static double round_step(double range, int nr)
{
	double step = pow(10, floor(log10(range / nr)));

	if (range / step > nr * 5)
		return 10 * step;
	if (range / step > nr * 2)
		return 5 * step;
	return range / step > nr ? 2 * step : step;
}

static void put_steps(FILE *file, double low, double high)
{
	double step = fmax(round_step(high - low, 5), 1);
	long i, last = lround(floor(high / step));
	bool first = true;

	for (i = lround(ceil(low / step)); i <= last; i++)
		put_tic(file, (double)i * step, &first);
}

/* @nr of @times each power of ten. */
static void put_decades(FILE *file, double low, double high, size_t nr, const double *times)
{
	long power, last = lround(floor(log10(high)));
	bool first = true;
	size_t i;

	for (power = lround(floor(log10(low))); power <= last; power++) {
		for (i = 0; i < nr; i++) {
			double value = pow(10, (double)power) * times[i];

			if (value >= low && value <= high)
				put_tic(file, value, &first);
		}
	}
}

/* Where the axis is short, marks at equal steps say more than the powers of ten. */
void ipi_plot__log_axis(FILE *file, const char *axis, double low, double high)
{
	static const double times[] = { 1, 2, 5 };
	double decades = log10(high / low);

	fprintf(file, "set logscale %s\nset %srange [%.17g:%.17g]\nset %stics (", axis, axis, low,
		high, axis);
	if (decades < 0.7)
		put_steps(file, low, high);
	else
		put_decades(file, low, high, decades > 2.2 ? 1 : ARRAY_SIZE(times), times);
	fputs(")\n", file);
}

int ipi_drawing__begin(struct ipi_drawing *drawing, const struct ipi_plot *plot,
		       struct ipi_figures *figures, enum ipi_figure_kind kind)
{
	memset(drawing, 0, sizeof(*drawing));
	drawing->plot = plot;
	drawing->figures = figures;
	drawing->figure.kind = kind;
	drawing->file = open_memstream(&drawing->text, &drawing->size);
	return drawing->file ? 0 : -ENOMEM;
}

int ipi_drawing__end(struct ipi_drawing *drawing)
{
	struct ipi_figures *figures = drawing->figures;
	bool failed = ferror(drawing->file);
	struct ipi_figure *figure;

	failed = fclose(drawing->file) || failed;
	figure = failed ? NULL : reallocarray(figures->figure, (size_t)figures->nr + 1,
					      sizeof(*figure));
	if (!figure) {
		free(drawing->text);
		return -ENOMEM;
	}
	figures->figure = figure;
	figure += figures->nr++;
	*figure = drawing->figure;
	figure->script = drawing->text;
	return 0;
}

void ipi_drawing__drop(struct ipi_drawing *drawing)
{
	fclose(drawing->file);
	free(drawing->text);
}

void ipi_drawing__title(struct ipi_drawing *drawing, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(drawing->figure.title, sizeof(drawing->figure.title), fmt, args);
	va_end(args);
}

void ipi_drawing__caption(struct ipi_drawing *drawing, const char *fmt, ...)
{
	size_t len = strlen(drawing->figure.caption);
	va_list args;

	va_start(args, fmt);
	vsnprintf(drawing->figure.caption + len, sizeof(drawing->figure.caption) - len, fmt,
		  args);
	va_end(args);
}

void ipi_drawing__panel(struct ipi_drawing *drawing, double left, double width, const char *title)
{
	FILE *file = drawing->file;

	fprintf(file, "reset\nset origin %.4f, IPI_Y\nset size %.4f, IPI_H\n", left, width);
	fputs("set border 3 linecolor rgb '#808080'\nset tics nomirror out scale 0.5\n"
	      "set grid linecolor rgb '#d8d8d8' linewidth 1 dashtype 1\nset key off\n", file);
	if (*title) {
		fputs("set title ", file);
		ipi_plot__quote(file, title);
		fputs(" font ',12' offset 0, -0.5\n", file);
	}
}

void ipi_drawing__run_keys(struct ipi_drawing *drawing)
{
	const struct ipi_plot_conf *conf = &drawing->plot->conf;
	int run;

	for (run = 0; conf->nr > 1 && run < conf->nr; run++) {
		fprintf(drawing->file,
			", \\\n  NaN with lines linewidth 1.5 dashtype %d linecolor rgb \\\n"
			"'black' title ",
			ipi_plot__dash(run));
		ipi_plot__quote(drawing->file, conf->run[run].name);
	}
}

bool ipi_plot__wants_stage(const struct ipi_plot *plot, enum ipi_stage stage, unsigned int usual)
{
	return (plot->conf.stages ? plot->conf.stages : usual) & (1U << stage);
}

enum ipi_row_group ipi_plot__group(const struct ipi_plot_row *row)
{
	if (row->cell->scenario == IPI_SCENARIO_MULTICAST)
		return IPI_ROWS_MULTICAST;
	return row->cell->scenario == IPI_SCENARIO_STORM ? IPI_ROWS_STORM : IPI_ROWS_PLAIN;
}

const char *ipi_plot__row_colour(const struct ipi_plot *plot, int row)
{
	int place = 0;
	int i;

	for (i = 0; i < row; i++)
		place += ipi_plot__group(&plot->row[i]) == IPI_ROWS_PLAIN;
	return ipi_plot__colour(place);
}

int ipi_plot__rows(const struct ipi_plot *plot, enum ipi_row_group group, enum ipi_stage stage,
		   int *rows, int max)
{
	int row, run;
	int nr = 0;

	for (row = 0; row < plot->nr_row && nr < max; row++) {
		if (ipi_plot__group(&plot->row[row]) != group)
			continue;
		for (run = 0; run < plot->conf.nr; run++) {
			if (ipi_plot__hist(&plot->row[row], run, stage))
				break;
		}
		if (run < plot->conf.nr)
			rows[nr++] = row;
	}
	return nr;
}

int ipi_plot__each_stage(struct ipi_figures *figures, const struct ipi_plot *plot,
			 int (*make)(struct ipi_figures *figures, const struct ipi_plot *plot,
				     enum ipi_stage stage, enum ipi_row_group group))
{
	static const enum ipi_stage plain[] = {
		IPI_STAGE_TOTAL, IPI_STAGE_DELIVERY, IPI_STAGE_SEND, IPI_STAGE_DELIVER,
		IPI_STAGE_DISPATCH, IPI_STAGE_HANDLE, IPI_STAGE_ACK,
	};
	unsigned int usual = 0;
	int group, stage;
	int err = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(plain); i++)
		usual |= 1U << plain[i];
	for (group = 0; group < IPI_ROW_GROUP_NR; group++) {
		for (stage = 0; stage < IPI_STAGE_NR && !err; stage++) {
			if (ipi_plot__wants_stage(plot, (enum ipi_stage)stage, usual))
				err = make(figures, plot, (enum ipi_stage)stage,
					   (enum ipi_row_group)group);
		}
		usual = 1U << IPI_STAGE_TOTAL;
	}
	return err;
}
