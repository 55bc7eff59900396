/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Figures of one or several results, drawn by gnuplot: what there is to draw, the scripts, the
 * files. Documentation/perf-bench-ipi.txt, PLOT, says what each figure shows.
 */
#ifndef IPI_REPORT_PLOT_H
#define IPI_REPORT_PLOT_H

#include "../stats/result.h"

struct ipi_why;

enum ipi_figure_kind {
	IPI_FIGURE_STAGES,		/* medians of the stages, stacked */
	IPI_FIGURE_CDF,			/* how many take up to how long, and the tail */
	IPI_FIGURE_HIST,		/* where the samples lie */
	IPI_FIGURE_FANOUT,		/* against the number of targets, of senders */
	IPI_FIGURE_MATRIX,		/* heat map of pairs */
	IPI_FIGURE_KIND_NR,
};

const char *ipi_figure__name(enum ipi_figure_kind kind);	/* "stages", ... */
int ipi_figure__find(const char *name);				/* -1 if @name is none */

/**
 * struct ipi_plot_run - one result
 * @name:	what it is called in legends
 * @result:	the result
 */
struct ipi_plot_run {
	const char *name;
	const struct ipi_result *result;
};

/**
 * struct ipi_plot_conf - what to draw
 * @run:	results, the base first
 * @nr:		how many
 * @kinds:	a bit per enum ipi_figure_kind
 * @stages:	a bit per enum ipi_stage; 0: those that matter for each figure
 * @scenarios:	a bit per enum ipi_scenario; 0: all
 */
struct ipi_plot_conf {
	const struct ipi_plot_run *run;
	int nr;
	unsigned int kinds;
	unsigned int stages;
	unsigned int scenarios;
};

/* Is that scenario to be shown? */
bool ipi_plot__wants(const struct ipi_plot_conf *conf, enum ipi_scenario scenario);

/**
 * struct ipi_plot_data - what one result has of one row
 * @stage:	samples of all its cells by enum ipi_stage, repetitions put together; NULL: not
 *		measured
 * @cells:	cells whose headline stands
 * @nr_ipis:	cells for which IPIs per call are known
 * @ipis:	IPIs per call, their mean; negative if there are none
 * @nr_rates:	cells for which calls per second are: storms
 * @rate:	their mean; negative if there are none
 * @slowest:	the one with the slowest total of them, NULL if there is none
 */
struct ipi_plot_data {
	struct ipi_hist *stage[IPI_STAGE_NR];
	int cells;
	int nr_ipis;
	double ipis;
	int nr_rates;
	double rate;
	const struct ipi_cell *slowest;
};

/**
 * struct ipi_plot_row - cells of one kind: scenario, target state, numbers of targets and senders
 * @label:	"normal busy", "multicast:4 busy"
 * @cell:	the first of them
 * @data:	by run
 */
struct ipi_plot_row {
	char label[64];
	const struct ipi_cell *cell;
	struct ipi_plot_data *data;
};

/**
 * struct ipi_plot - results ready to be drawn
 * @conf:	what to draw; its results must stay
 * @row:	kinds of cells with a headline in any of the results, by scenario, target state, ...
 * @nr_row:	how many
 */
struct ipi_plot {
	struct ipi_plot_conf conf;
	struct ipi_plot_row *row;
	int nr_row;
};

/* NULL without memory. */
struct ipi_plot *ipi_plot__new(const struct ipi_plot_conf *conf);
void ipi_plot__delete(struct ipi_plot *plot);

/* Of one run's part of a row; NULL where it was not measured. */
const struct ipi_hist *ipi_plot__hist(const struct ipi_plot_row *row, int run,
				      enum ipi_stage stage);

/**
 * struct ipi_figure - one figure
 * @kind:	what it is
 * @title:	one line
 * @caption:	how to read it
 * @script:	gnuplot commands that draw it, without its title, into the strip of the canvas from
 *		IPI_Y, IPI_H high, both in its height
 * @height:	of that strip in px; all are IPI_FIGURE_WIDTH wide
 * @curves:	curves, rows of bars or maps in it
 */
struct ipi_figure {
	enum ipi_figure_kind kind;
	char title[160];
	char caption[480];
	char *script;
	int height;
	int curves;
};

#define IPI_FIGURE_WIDTH	1100

/**
 * struct ipi_figures - figures in the order they are shown
 * @figure:	them
 * @nr:		how many
 */
struct ipi_figures {
	struct ipi_figure *figure;
	int nr;
};

/**
 * ipi_figures__make - all figures there are data for
 * @figures:	filled; free with ipi_figures__free(), also after an error
 * @plot:	what to draw
 *
 * Return: 0 or -ENOMEM.
 */
int ipi_figures__make(struct ipi_figures *figures, const struct ipi_plot *plot);
void ipi_figures__free(struct ipi_figures *figures);

enum ipi_image { IPI_IMAGE_SVG, IPI_IMAGE_PNG };

/**
 * ipi_figures__draw - figures as one picture, one below the other
 * @figures:	some
 * @image:	what kind of picture
 * @path:	where it goes, whole or not at all
 * @why:	filled on failure; EOPNOTSUPP where there is no gnuplot
 *
 * Return: 0 or -errno.
 */
int ipi_figures__draw(const struct ipi_figures *figures, enum ipi_image image, const char *path,
		      struct ipi_why *why);

/**
 * ipi_figures__svg - every figure as a document of its own
 * @figures:	some
 * @svg:	set to the documents, to be freed; @figures->nr of them follow each other, each
 *		begins with "<?xml"
 * @why:	filled on failure; EOPNOTSUPP where there is no gnuplot
 *
 * Return: 0 or -errno.
 */
int ipi_figures__svg(const struct ipi_figures *figures, char **svg, struct ipi_why *why);

/**
 * ipi_html__write - everything on one page, which needs nothing but itself
 * @plot:	results
 * @figures:	their figures
 * @threshold:	for the verdicts between results, as ipi_compare__make()
 * @path:	where it goes, whole or not at all
 * @why:	filled on failure. EOPNOTSUPP: without gnuplot the page was written all the same,
 *		but has no figures
 *
 * Return: 0 or -errno.
 */
int ipi_html__write(const struct ipi_plot *plot, const struct ipi_figures *figures,
		    double threshold, const char *path, struct ipi_why *why);

#endif
