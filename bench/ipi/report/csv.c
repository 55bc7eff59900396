// SPDX-License-Identifier: GPL-2.0
/*
 * The output of "-x SEP", for scripts and spreadsheets, after perf stat's: a line for each row and
 * stage, its fields between separators, no quotes. The one comment line names the columns; later
 * programs only add some behind. "-" is what was not measured, or has no right to a headline.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../stats/quantile.h"
#include "report.h"
#include "row.h"

static const char *const columns[] = {
	"scenario", "target_state", "src", "dst", "repetition", "verdict", "ipis_per_call",
	"storm_calls_per_s", "stage", "count", "min_ns", "p50_ns", "p90_ns", "p99_ns", "p999_ns",
	"max_ns", "mean_ns", "result",
};

#define FIGURES		8	/* count to mean_ns */

bool ipi_csv__may_separate(const char *sep)
{
	size_t i;

	for (i = 0; sep[i]; i++) {
		if (isalnum((unsigned char)sep[i]) || strchr("-+.:_/>#\"\n\r", sep[i]))
			return false;
	}
	return i > 0;
}

void ipi_csv__heading(FILE *file, const char *sep)
{
	size_t i;

	for (i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		fprintf(file, "%s%s", i ? sep : "# ", columns[i]);
	fputc('\n', file);
}

/* No comma of a list may be taken for a separator. */
static void put_dst(FILE *file, const struct ipi_cell *cell)
{
	char *list = ipi_row__dst(cell);
	char *pos;

	for (pos = list; pos && *pos; pos++) {
		if (*pos == ',')
			*pos = '+';
	}
	fputs(list && *list ? list : "-", file);
	free(list);
}

/* A file may be called anything. */
static void put_name(FILE *file, const char *name, const char *sep)
{
	for (; *name; name++)
		fputc(strchr(sep, *name) || iscntrl((unsigned char)*name) ? '_' : *name, file);
}

static void put_real(FILE *file, const char *sep, double value)
{
	if (value >= 0)
		fprintf(file, "%.2f%s", value, sep);
	else
		fprintf(file, "-%s", sep);
}

static void put_figures(FILE *file, const char *sep, const struct ipi_hist *hist)
{
	double mean = ipi_hist__sum(hist);
	int i;

	mean /= ipi_hist__count(hist);
	fprintf(file, "%llu%s", (unsigned long long)ipi_hist__count(hist), sep);
	for (i = 0; i < IPI_QUANTILE_NR; i++)
		fprintf(file, "%llu%s",
			(unsigned long long)ipi_quantile__of(hist, (enum ipi_quantile)i), sep);
	fprintf(file, "%.2f%s", mean, sep);
}

/* One line; @hist is NULL where there are no figures. */
static void print_line(FILE *file, const struct ipi_cell *cell, enum ipi_stage stage,
		       const struct ipi_hist *hist, const char *name, const char *sep)
{
	char label[32];
	int i;

	fprintf(file, "%s%s%s%s%d%s", ipi_cell__label(cell, label, sizeof(label)), sep,
		ipi_target__name(cell->target), sep, cell->src, sep);
	put_dst(file, cell);
	fprintf(file, "%s%u%s%s%s", sep, cell->repetition, sep, ipi_verdict__name(cell->verdict),
		sep);
	put_real(file, sep, cell->ipis_per_call);
	put_real(file, sep, cell->storm_rate);
	fprintf(file, "%s%s", ipi_stage__name(stage), sep);
	if (hist)
		put_figures(file, sep, hist);
	for (i = 0; i < FIGURES && !hist; i++)
		fprintf(file, "-%s", sep);
	put_name(file, name, sep);
	fputc('\n', file);
}

void ipi_csv__print(FILE *file, const struct ipi_result *result, const char *name,
		    const char *sep)
{
	int i, stage;

	for (i = 0; i < result->nr_cell; i++) {
		const struct ipi_cell *cell = &result->cell[i];

		if (cell->verdict != IPI_VERDICT_OK || !ipi_cell__measured(cell, IPI_STAGE_TOTAL))
			print_line(file, cell, IPI_STAGE_TOTAL, NULL, name, sep);
		for (stage = 0; stage < IPI_STAGE_NR; stage++) {
			if (cell->verdict == IPI_VERDICT_OK &&
			    ipi_cell__measured(cell, (enum ipi_stage)stage))
				print_line(file, cell, (enum ipi_stage)stage, cell->stage[stage],
					   name, sep);
		}
	}
}
