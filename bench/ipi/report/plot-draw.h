/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the figures share: strings, colours, axes, and the figure being written. Only plot*.c
 * include it.
 */
#ifndef IPI_REPORT_PLOT_DRAW_H
#define IPI_REPORT_PLOT_DRAW_H

#include <stdio.h>
#include <linux/compiler.h>

#include "plot.h"

/* Curves in a figure: more than kinds of cells there are. */
#define IPI_PLOT_CURVES_MAX	64

/**
 * ipi_plot__quote - a string for gnuplot
 * @file:	where to
 * @str:	anything
 *
 * In single quotes, in which gnuplot neither escapes nor runs anything. What XML can't hold
 * (control characters, what is no UTF-8) becomes "?".
 */
void ipi_plot__quote(FILE *file, const char *str);

/* The same where gnuplot takes a format: "%" is one. */
void ipi_plot__quote_format(FILE *file, const char *str);

/*
 * A logarithmic axis ("x", "y", "cb") from @low to @high ns, with marks at round numbers, their
 * thousands apart.
 */
void ipi_plot__log_axis(FILE *file, const char *axis, double low, double high);

/* As many ns as a logarithm can take: 0 ns and 1 ns share a place. */
double ipi_plot__log_ns(u64 ns);

/* What a histogram says, as coordinates: its samples, and a percentile in ns. */
double ipi_plot__count(const struct ipi_hist *hist);
double ipi_plot__percentile(const struct ipi_hist *hist, unsigned int permille10);

/* Colours that the colour-blind tell apart, on white and on black; and of a series, by place. */
const char *ipi_plot__colour(int index);
void ipi_plot__shade(char buf[8], int index, int nr);

/* "solid", then dashes. */
int ipi_plot__dash(int index);

/**
 * struct ipi_drawing - a figure being written
 * @plot:	what is drawn
 * @figures:	where the figure goes
 * @file:	its script
 * @text:	of @file
 * @size:	of @file
 * @figure:	the rest of it
 */
struct ipi_drawing {
	const struct ipi_plot *plot;
	struct ipi_figures *figures;
	FILE *file;
	char *text;
	size_t size;
	struct ipi_figure figure;
};

/* Begin a figure. Return: 0 or -ENOMEM, then nothing is begun. */
int ipi_drawing__begin(struct ipi_drawing *drawing, const struct ipi_plot *plot,
		       struct ipi_figures *figures, enum ipi_figure_kind kind);
/* It is complete: into the figures. Return: 0 or -ENOMEM. */
int ipi_drawing__end(struct ipi_drawing *drawing);
/* It has turned out empty. */
void ipi_drawing__drop(struct ipi_drawing *drawing);

void ipi_drawing__title(struct ipi_drawing *drawing, const char *fmt, ...) __printf(2, 3);
void ipi_drawing__caption(struct ipi_drawing *drawing, const char *fmt, ...) __printf(2, 3);

/* A panel from @left, @width wide, both in the width of the canvas; @title may be "". */
void ipi_drawing__panel(struct ipi_drawing *drawing, double left, double width,
			const char *title);

/* After the curves of a plot command: what dashes stand for, where there are several runs. */
void ipi_drawing__run_keys(struct ipi_drawing *drawing);

/* Should a figure of that kind show the stage? @usual: where none was asked for. */
bool ipi_plot__wants_stage(const struct ipi_plot *plot, enum ipi_stage stage,
			   unsigned int usual);

/* Rows that are shown together: those but multicasts and storms, multicasts, storms. */
enum ipi_row_group { IPI_ROWS_PLAIN, IPI_ROWS_MULTICAST, IPI_ROWS_STORM, IPI_ROW_GROUP_NR };
enum ipi_row_group ipi_plot__group(const struct ipi_plot_row *row);

/* Of a plain row: the same in every figure. */
const char *ipi_plot__row_colour(const struct ipi_plot *plot, int row);

/* Those of a group of which any run has the stage; -1 in none. Return: how many, up to @max. */
int ipi_plot__rows(const struct ipi_plot *plot, enum ipi_row_group group, enum ipi_stage stage,
		   int *rows, int max);

/*
 * A figure for each group of rows and each stage that was asked for, or else that is usual: all
 * that make up a delivery, of multicasts and storms the total. Return: 0 or -ENOMEM.
 */
int ipi_plot__each_stage(struct ipi_figures *figures, const struct ipi_plot *plot,
			 int (*make)(struct ipi_figures *figures, const struct ipi_plot *plot,
				     enum ipi_stage stage, enum ipi_row_group group));

/* Figures of each kind, as many as there are data for. Return: 0 or -ENOMEM. */
int ipi_plot__cdf(struct ipi_figures *figures, const struct ipi_plot *plot);
int ipi_plot__hists(struct ipi_figures *figures, const struct ipi_plot *plot);
int ipi_plot__stages(struct ipi_figures *figures, const struct ipi_plot *plot);
int ipi_plot__fanout(struct ipi_figures *figures, const struct ipi_plot *plot);
int ipi_plot__matrix(struct ipi_figures *figures, const struct ipi_plot *plot);

#endif
