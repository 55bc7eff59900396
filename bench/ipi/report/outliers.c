// SPDX-License-Identifier: GPL-2.0
/*
 * A fleet for people: what is usual of each row, and the machines that are off with what they have
 * that others don't. Every line but a row of the table begins with "# ".
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../stats/outliers.h"
#include "report.h"
#include "row.h"

/* A table longer than that shows the rows where a machine is off, and -v the rest. */
#define ROWS_MAX	200
#define NAMED_MAX	3	/* machines named in a row */

#define ROW	"%-*s %-7s %6s %10s %8s %11s  "

/* "+38 %", "x 12" where a share is hard to read. */
static const char *put_change(char *buf, size_t size, double ratio)
{
	if (ratio >= 10)
		snprintf(buf, size, "x %.0f", ratio);
	else
		snprintf(buf, size, "%+.*f %%", fabs(ratio - 1) < 0.1 ? 1 : 0,
			 100 * (ratio - 1));
	return buf;
}

/* "normal/busy", and its CPUs where they count. To be freed. */
static char *name_of(const struct ipi_usual *usual)
{
	char *path = usual->places ? ipi_row__path(usual->cell) : NULL;
	char label[64];
	char *name;

	ipi_row__short(usual->cell, label, sizeof(label));
	if (asprintf(&name, "%s%s%s", label, path ? " " : "", path ? path : "") < 0)
		name = NULL;
	free(path);
	return name;
}

static int widest(const struct ipi_fleet *fleet)
{
	int width = 8;
	int i;

	for (i = 0; i < fleet->nr_usual; i++) {
		char *name = name_of(&fleet->usual[i]);

		if (name && (int)strlen(name) > width)
			width = (int)strlen(name);
		free(name);
	}
	return width;
}

/* The first machines that are off in one row. */
static void print_named(FILE *file, const struct ipi_fleet *fleet, int usual, int *pos)
{
	char change[32];
	int named = 0;

	for (; *pos < fleet->nr_off && fleet->off[*pos].usual == usual; ++*pos) {
		const struct ipi_off *off = &fleet->off[*pos];

		if (named++ < NAMED_MAX)
			fprintf(file, "%s%s %s", named > 1 ? ", " : "",
				fleet->host[off->host].name,
				put_change(change, sizeof(change), off->ratio));
	}
	if (named > NAMED_MAX)
		fprintf(file, ", %d more", named - NAMED_MAX);
}

static void print_row(FILE *file, const struct ipi_fleet *fleet, int index, int width, int *pos)
{
	const struct ipi_usual *usual = &fleet->usual[index];
	char hosts[16], median[24], spread[16], limit[32] = "-";
	char *name = name_of(usual);

	snprintf(hosts, sizeof(hosts), "%d", usual->hosts);
	snprintf(median, sizeof(median), "%.*f", usual->median < 100 ? 1 : 0, usual->median);
	snprintf(spread, sizeof(spread), "%.1f%%", 100 * usual->spread);
	if (!isnan(usual->limit))
		put_change(limit, sizeof(limit), usual->limit);
	fprintf(file, "  " ROW, width, name ? name : "?", ipi_quantile__name(usual->figure), hosts,
		median, spread, limit);
	print_named(file, fleet, index, pos);
	fputs(usual->off ? "\n" : "-\n", file);
	free(name);
}

static void print_table(FILE *file, const struct ipi_fleet *fleet, bool all)
{
	int width = widest(fleet);
	int hidden = 0, pos = 0;
	int i;

	fprintf(file, "#\n# " ROW "%s\n", width, "row", "total's", "hosts", "median ns", "spread",
		"off from", "who is off");
	for (i = 0; i < fleet->nr_usual; i++) {
		if (all || fleet->usual[i].off)
			print_row(file, fleet, i, width, &pos);
		else
			hidden++;
	}
	if (hidden)
		fprintf(file, "# %d rows where nobody is off not shown (-v)\n", hidden);
}

static void print_facts(FILE *file, const struct ipi_fleet *fleet, const struct ipi_host *host)
{
	unsigned int i;

	for (i = 0; i < IPI_ALIKE_FACTS; i++) {
		const char *usual = ipi_fleet__usual_fact(fleet, i);

		if (usual && strcmp(usual, host->fact[i]))
			fprintf(file, "#   %s: %s: %s, most have %s\n", host->name,
				ipi_alike__fact(i), host->fact[i], usual);
	}
}

static void print_host(FILE *file, const struct ipi_fleet *fleet, const struct ipi_host *host)
{
	const struct ipi_off *worst;
	char change[32], stage[32];
	char *name;

	if (host->off) {
		worst = &fleet->off[host->worst];
		name = name_of(&fleet->usual[worst->usual]);
		fprintf(file, "# outlier %s: %d of %d figures off | worst: %s %s %s, %.0f spreads",
			host->name, host->off, host->figures, name ? name : "?",
			ipi_quantile__name(fleet->usual[worst->usual].figure),
			put_change(change, sizeof(change), worst->ratio), worst->spreads);
		if (worst->stage != IPI_STAGE_TOTAL)
			fprintf(file, " | most of it in %s: %s", ipi_stage__name(worst->stage),
				put_change(stage, sizeof(stage), worst->stage_ratio));
		fputc('\n', file);
		free(name);
	}
	if (host->lacks) {
		char label[64];

		fprintf(file, "# %s has no headline in %d rows that most have: %s%s\n", host->name,
			host->lacks, ipi_row__short(host->first_lack, label, sizeof(label)),
			host->lacks > 1 ? ", ..." : "");
	}
	if (host->off || host->lacks)
		print_facts(file, fleet, host);
}

static int count_off(const struct ipi_fleet *fleet)
{
	int nr = 0;
	int i;

	for (i = 0; i < fleet->nr_host; i++)
		nr += fleet->host[i].off > 0;
	return nr;
}

void ipi_outliers__print(FILE *file, const struct ipi_fleet *fleet, double threshold, int verbose)
{
	int i;

	fprintf(file, "# %d hosts | threshold %.3g %%\n", fleet->nr_host, threshold * 100);
	if (!fleet->nr_usual) {
		fputs("# nothing to compare: no row with a headline\n", file);
		return;
	}
	fputs("# median over hosts; spread: 1.4826 times their median absolute deviation\n"
	      "# off from: the smallest difference that chance would not make in such a fleet\n",
	      file);
	print_table(file, fleet, verbose || fleet->nr_usual <= ROWS_MAX);
	fputs("#\n", file);
	for (i = 0; i < fleet->nr_host; i++)
		print_host(file, fleet, &fleet->host[i]);
	fprintf(file, "# %d of %d hosts are off\n", count_off(fleet), fleet->nr_host);
}
