// SPDX-License-Identifier: GPL-2.0
/*
 * A comparison of two results as text. Times are p50s in ns, geometric means over the repetitions;
 * ratios are new by base, so above 1 is slower. Every line but a row of the table begins with "# ".
 */
#include <math.h>
#include <string.h>

#include "../stats/compare.h"
#include "report.h"
#include "text.h"

/* A table longer than that shows what changed, and -v the rest. */
#define ROWS_MAX	200

#define ROW	"%-*s %-6s %-*s %-15s %9s %9s %7s %-16s %7s %8s  "

static int digits_of(double ns)
{
	return ns < 100 ? 1 : 0;
}

static void put_ns(char *buf, size_t size, double ns)
{
	snprintf(buf, size, "%.*f", digits_of(ns), ns);
}

static void put_ratio(char *buf, size_t size, double ratio)
{
	if (isnan(ratio) || ratio >= 1e4)
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, "%.*f", ratio < 100 ? 3 : 0, ratio);
}

static void put_interval(char *buf, size_t size, const struct ipi_effect *effect)
{
	char low[16], high[16];

	put_ratio(low, sizeof(low), effect->low);
	put_ratio(high, sizeof(high), effect->high);
	if (isnan(effect->low))
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, "[%s, %s]", low, high);
}

/* What these data could have shown, as a change. */
static void put_visible(char *buf, size_t size, const struct ipi_effect *effect)
{
	if (isnan(effect->visible))
		snprintf(buf, size, "-");
	else if (effect->visible > 10)
		snprintf(buf, size, ">900%%");
	else
		snprintf(buf, size, "%.1f%%", 100 * (effect->visible - 1));
}

static const char *put_path(char *buf, size_t size, const struct ipi_cell *cell)
{
	char dst[24];

	if (cell->dst.nr)
		snprintf(buf, size, "%d>%s", cell->src,
			 ipi_cpus__format(&cell->dst, dst, sizeof(dst)));
	else
		snprintf(buf, size, "%d", cell->src);
	return buf;
}

/* Widths of the columns that vary. */
struct widths {
	int label;
	int path;
};

static void widen(int *width, const char *word)
{
	int len = (int)strlen(word);

	if (len > *width)
		*width = len;
}

static struct widths measure(const struct ipi_compare *compare)
{
	struct widths widths = { .label = 8, .path = 4 };
	char buf[48];
	int i;

	for (i = 0; i < compare->nr; i++) {
		widen(&widths.label, ipi_cell__label(compare->change[i].base, buf, sizeof(buf)));
		widen(&widths.path, put_path(buf, sizeof(buf), compare->change[i].base));
	}
	return widths;
}

static void print_row(FILE *file, const struct ipi_change *change, const struct widths *widths,
		      bool colour)
{
	char label[32], path[48], base[16], new[16], ratio[16], interval[40], p99[16], visible[16];
	const struct ipi_effect *effect = &change->p50;
	const char *on = "";

	put_ns(base, sizeof(base), effect->base);
	put_ns(new, sizeof(new), effect->new);
	put_ratio(ratio, sizeof(ratio), effect->ratio);
	put_interval(interval, sizeof(interval), effect);
	put_ratio(p99, sizeof(p99), change->p99.ratio);
	put_visible(visible, sizeof(visible), effect);
	if (colour && change->verdict == IPI_CHANGE_WORSE)
		on = "\033[31m";
	else if (colour && change->verdict == IPI_CHANGE_BETTER)
		on = "\033[32m";
	fprintf(file, "  " ROW "%s%s%s\n", widths->label,
		ipi_cell__label(change->base, label, sizeof(label)),
		ipi_target__name(change->base->target), widths->path,
		put_path(path, sizeof(path), change->base), ipi_stage__name(change->stage), base,
		new, ratio, interval, p99, visible, on, ipi_change_verdict__name(change->verdict),
		*on ? "\033[0m" : "");
}

static void print_lines(FILE *file, const char *what, const char *lines)
{
	char line[256];

	while (ipi_text__next_line(&lines, line, sizeof(line)))
		fprintf(file, "# %s: %s\n", what, line);
}

/* Repetitions of the cells compared, as "3" or "3-5". */
static void put_repetitions(char *buf, size_t size, const struct ipi_compare *compare, bool new)
{
	int least = 0, most = 0;
	int i, nr;

	for (i = 0; i < compare->nr; i++) {
		nr = new ? compare->change[i].nr_new : compare->change[i].nr_base;
		if (!least || nr < least)
			least = nr;
		if (nr > most)
			most = nr;
	}
	if (least == most)
		snprintf(buf, size, "%d", most);
	else
		snprintf(buf, size, "%d-%d", least, most);
}

static void print_head(FILE *file, const struct ipi_compare *compare,
		       const struct ipi_diff_conf *conf)
{
	char base[24], new[24];

	put_repetitions(base, sizeof(base), compare, false);
	put_repetitions(new, sizeof(new), compare, true);
	fprintf(file, "# base: %s | new: %s | repetitions: %s, %s | threshold %.3g %%\n",
		conf->base, conf->new, base, new, conf->threshold * 100);
	print_lines(file, "differs", compare->differs);
	if (compare->only_base)
		fprintf(file, "# only in the base: %d kinds of rows\n", compare->only_base);
	if (compare->only_new)
		fprintf(file, "# only in the new one: %d kinds of rows\n", compare->only_new);
}

static void print_sum(FILE *file, const struct ipi_compare *compare)
{
	int count[IPI_CHANGE_NR] = { 0 };
	bool few = false;
	int i;

	for (i = 0; i < compare->nr; i++) {
		count[compare->change[i].verdict]++;
		few = few || isnan(compare->change[i].p50.low);
	}
	fputs("#\n# ", file);
	for (i = 0; i < IPI_CHANGE_NR; i++)
		fprintf(file, "%s%d %s", i ? " | " : "", count[i],
			ipi_change_verdict__name((enum ipi_change_verdict)i));
	fputc('\n', file);
	if (few)
		fprintf(file, "# nothing is claimed of less than %d repetitions: -r 10\n",
			IPI_EFFECT_MIN);
}

void ipi_diff__print(FILE *file, const struct ipi_compare *compare,
		     const struct ipi_diff_conf *conf)
{
	bool all = conf->verbose || compare->nr <= ROWS_MAX;
	struct widths widths = measure(compare);
	int hidden = 0;
	int i;

	print_head(file, compare, conf);
	if (!compare->nr) {
		fputs("# nothing to compare: no row with a headline in both\n", file);
		return;
	}
	fputs("# p50 in ns | ratio: new/base, with its 95 % interval over repetitions\n"
	      "# visible: the smallest change that these data would have shown\n#\n", file);
	fprintf(file, "# " ROW "%s\n", widths.label, "scenario", "target", widths.path,
		"CPUs", "stage", "base", "new", "ratio", "interval", "p99", "visible", "verdict");
	for (i = 0; i < compare->nr; i++) {
		const struct ipi_change *change = &compare->change[i];

		if (all || change->verdict == IPI_CHANGE_BETTER ||
		    change->verdict == IPI_CHANGE_WORSE)
			print_row(file, change, &widths, conf->colour);
		else
			hidden++;
	}
	if (hidden)
		fprintf(file, "# %d rows without a change not shown (-v)\n", hidden);
	print_sum(file, compare);
}
