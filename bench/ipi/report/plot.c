// SPDX-License-Identifier: GPL-2.0
/*
 * What there is to draw: cells of the same kind put together, result by result. A kind is scenario,
 * target state and the numbers of targets and of senders; repetitions and, of a matrix, pairs are
 * merged sample by sample. Refused cells take no part: what they show is not an IPI's time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"

static const char *const kind_names[IPI_FIGURE_KIND_NR] = {
	[IPI_FIGURE_STAGES]	= "stages",
	[IPI_FIGURE_CDF]	= "cdf",
	[IPI_FIGURE_HIST]	= "hist",
	[IPI_FIGURE_FANOUT]	= "fanout",
	[IPI_FIGURE_MATRIX]	= "matrix",
};

const char *ipi_figure__name(enum ipi_figure_kind kind)
{
	return ipi_name__of(kind_names, IPI_FIGURE_KIND_NR, kind);
}

int ipi_figure__find(const char *name)
{
	return ipi_name__find(kind_names, IPI_FIGURE_KIND_NR, name);
}

static int compare_kinds(const struct ipi_cell *a, const struct ipi_cell *b)
{
	if (a->scenario != b->scenario)
		return a->scenario < b->scenario ? -1 : 1;
	if (a->target != b->target)
		return a->target < b->target ? -1 : 1;
	if (a->senders.nr != b->senders.nr)
		return a->senders.nr < b->senders.nr ? -1 : 1;
	return (a->dst.nr > b->dst.nr) - (a->dst.nr < b->dst.nr);
}

static int compare_rows(const void *left, const void *right)
{
	const struct ipi_plot_row *a = left, *b = right;

	return compare_kinds(a->cell, b->cell);
}

bool ipi_plot__wants(const struct ipi_plot_conf *conf, enum ipi_scenario scenario)
{
	return !conf->scenarios || conf->scenarios & (1U << scenario);
}

/* The row of a cell, NULL if it has none as yet. Neighbours are mostly alike: @last first. */
static struct ipi_plot_row *row_of(const struct ipi_plot *plot, const struct ipi_cell *cell,
				   int *last)
{
	int i;

	if (*last < plot->nr_row && !compare_kinds(plot->row[*last].cell, cell))
		return &plot->row[*last];
	for (i = 0; i < plot->nr_row; i++) {
		if (!compare_kinds(plot->row[i].cell, cell)) {
			*last = i;
			return &plot->row[i];
		}
	}
	return NULL;
}

static struct ipi_plot_row *add_row(struct ipi_plot *plot, const struct ipi_cell *cell)
{
	struct ipi_plot_row *row;
	char label[32];
	int run;

	row = reallocarray(plot->row, (size_t)plot->nr_row + 1, sizeof(*row));
	if (!row)
		return NULL;
	plot->row = row;
	row += plot->nr_row;
	memset(row, 0, sizeof(*row));
	row->cell = cell;
	row->data = calloc((size_t)plot->conf.nr, sizeof(*row->data));
	if (!row->data)
		return NULL;
	plot->nr_row++;
	for (run = 0; run < plot->conf.nr; run++) {
		row->data[run].ipis = -1;
		row->data[run].rate = -1;
	}
	snprintf(row->label, sizeof(row->label), "%s%s%s",
		 ipi_cell__label(cell, label, sizeof(label)),
		 cell->target == IPI_TARGET_NONE ? "" : " ",
		 cell->target == IPI_TARGET_NONE ? "" : ipi_target__name(cell->target));
	return row;
}

static int merge_stage(struct ipi_plot_data *data, const struct ipi_cell *cell, int stage)
{
	if (!ipi_cell__measured(cell, (enum ipi_stage)stage))
		return 0;
	if (!data->stage[stage])
		data->stage[stage] = ipi_hist__new();
	if (!data->stage[stage])
		return -1;
	ipi_hist__merge(data->stage[stage], cell->stage[stage]);
	return 0;
}

/* A mean that grows with every value; negative before the first. */
static void into_mean(double *mean, int *nr, double value)
{
	if (value < 0)
		return;
	*mean = ((*nr ? *mean * *nr : 0) + value) / (*nr + 1);
	++*nr;
}

static int add_cell(struct ipi_plot *plot, int run, const struct ipi_cell *cell, int *last)
{
	struct ipi_plot_row *row = row_of(plot, cell, last) ?: add_row(plot, cell);
	struct ipi_plot_data *data;
	int i;

	if (!row)
		return -1;
	data = &row->data[run];
	data->cells++;
	into_mean(&data->ipis, &data->nr_ipis, cell->ipis_per_call);
	into_mean(&data->rate, &data->nr_rates, cell->storm_rate);
	if (!data->slowest || ipi_hist__max(cell->stage[IPI_STAGE_TOTAL]) >
			      ipi_hist__max(data->slowest->stage[IPI_STAGE_TOTAL]))
		data->slowest = cell;
	for (i = 0; i < IPI_STAGE_NR; i++) {
		if (merge_stage(data, cell, i))
			return -1;
	}
	return 0;
}

/* Results of machines of different size have rows that differ in the number of targets alone. */
static void tell_apart(struct ipi_plot *plot)
{
	bool same_as_last = false;
	int i;

	for (i = 0; i < plot->nr_row; i++) {
		struct ipi_plot_row *row = &plot->row[i];
		bool same = i + 1 < plot->nr_row && !strcmp(row->label, row[1].label);
		size_t len = strlen(row->label);

		if (same || same_as_last)
			snprintf(row->label + len, sizeof(row->label) - len, ", to %d",
				 row->cell->dst.nr);
		same_as_last = same;
	}
}

static int collect(struct ipi_plot *plot)
{
	int last = 0;
	int run, i;

	for (run = 0; run < plot->conf.nr; run++) {
		const struct ipi_result *result = plot->conf.run[run].result;

		for (i = 0; i < result->nr_cell; i++) {
			const struct ipi_cell *cell = &result->cell[i];

			if (cell->verdict == IPI_VERDICT_OK &&
			    ipi_plot__wants(&plot->conf, cell->scenario) &&
			    add_cell(plot, run, cell, &last))
				return -1;
		}
	}
	if (plot->nr_row)
		qsort(plot->row, (size_t)plot->nr_row, sizeof(*plot->row), compare_rows);
	tell_apart(plot);
	return 0;
}

struct ipi_plot *ipi_plot__new(const struct ipi_plot_conf *conf)
{
	struct ipi_plot *plot = calloc(1, sizeof(*plot));

	if (!plot)
		return NULL;
	plot->conf = *conf;
	if (collect(plot)) {
		ipi_plot__delete(plot);
		return NULL;
	}
	return plot;
}

void ipi_plot__delete(struct ipi_plot *plot)
{
	int row, run, stage;

	for (row = 0; plot && row < plot->nr_row; row++) {
		for (run = 0; run < plot->conf.nr; run++) {
			for (stage = 0; stage < IPI_STAGE_NR; stage++)
				ipi_hist__delete(plot->row[row].data[run].stage[stage]);
		}
		free(plot->row[row].data);
	}
	if (plot)
		free(plot->row);
	free(plot);
}

const struct ipi_hist *ipi_plot__hist(const struct ipi_plot_row *row, int run,
				      enum ipi_stage stage)
{
	return row->data[run].stage[stage];
}
