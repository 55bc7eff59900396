// SPDX-License-Identifier: GPL-2.0
/*
 * Totals of several results side by side, for a commit message: plain text, no more than it takes.
 * Times are p50s, geometric means over repetitions.
 */
#include <math.h>
#include <string.h>

#include "../stats/compare.h"
#include "report.h"

#define NAME_MAX_LEN	28

/* p50 of the total in one column's result, negative where it has none. */
static double total_of(const struct ipi_compare *compare, int column, const struct ipi_cell *base)
{
	const struct ipi_compare *of = &compare[column ? column - 1 : 0];
	int i;

	for (i = 0; i < of->nr; i++) {
		const struct ipi_change *change = &of->change[i];

		if (change->stage == IPI_STAGE_TOTAL && change->base == base)
			return column ? change->p50.new : change->p50.base;
	}
	return -1;
}

static const struct ipi_cell *dry_run(const struct ipi_compare *compare)
{
	int i;

	for (i = 0; i < compare->nr; i++) {
		if (compare->change[i].base->scenario == IPI_SCENARIO_DRY_RUN)
			return compare->change[i].base;
	}
	return NULL;
}

/* In ns, or as a multiple of @dry where that is asked for. */
static void put_value(char *buf, size_t size, double value, bool normalize, double dry)
{
	if (value < 0 || (normalize && dry <= 0))
		snprintf(buf, size, "-");
	else if (normalize)
		snprintf(buf, size, "%.1f", value / dry);
	else
		snprintf(buf, size, "%.*f", value < 100 ? 1 : 0, value);
}

static void print_change(FILE *file, const struct ipi_change *change)
{
	const struct ipi_effect *effect = &change->p50;

	fprintf(file, "  %+7.1f %%", 100 * (effect->ratio - 1));
	if (!isnan(effect->low))
		fprintf(file, "  [%+.1f, %+.1f]", 100 * (effect->low - 1),
			100 * (effect->high - 1));
	fprintf(file, "  %s", ipi_change_verdict__name(change->verdict));
}

/* The name of a column, and as wide as it has to be. */
static int width_of(const struct ipi_table_conf *conf)
{
	int width = 10;
	int i;

	for (i = 0; i < conf->nr; i++) {
		int len = (int)strlen(conf->name[i]);

		if (len > width)
			width = len;
	}
	return width < NAME_MAX_LEN ? width : NAME_MAX_LEN;
}

static void print_heading(FILE *file, const struct ipi_table_conf *conf, int width)
{
	int i;

	fprintf(file, "%-24s", conf->normalize ? "x dry-run" : "ns per call, p50");
	for (i = 0; i < conf->nr; i++)
		fprintf(file, "  %*.*s", width, width, conf->name[i]);
	if (conf->nr == 2)
		fprintf(file, "  %9s", "change");
	fputc('\n', file);
}

void ipi_table__print(FILE *file, const struct ipi_compare *compare,
		      const struct ipi_table_conf *conf)
{
	const struct ipi_cell *dry = dry_run(compare);
	int width = width_of(conf);
	char label[32], name[64], value[32];
	int i, column;

	print_heading(file, conf, width);
	for (i = 0; i < compare->nr; i++) {
		const struct ipi_change *change = &compare->change[i];
		const struct ipi_cell *base = change->base;

		if (change->stage != IPI_STAGE_TOTAL)
			continue;
		snprintf(name, sizeof(name), "%s%s%s", ipi_cell__label(base, label, sizeof(label)),
			 base->target == IPI_TARGET_NONE ? "" : " ",
			 base->target == IPI_TARGET_NONE ? "" : ipi_target__name(base->target));
		fprintf(file, "%-24s", name);
		for (column = 0; column < conf->nr; column++) {
			put_value(value, sizeof(value), total_of(compare, column, base),
				  conf->normalize, dry ? total_of(compare, column, dry) : -1);
			fprintf(file, "  %*s", width, value);
		}
		if (conf->nr == 2)
			print_change(file, change);
		fputc('\n', file);
	}
}
