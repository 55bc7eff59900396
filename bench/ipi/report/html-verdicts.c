// SPDX-License-Identifier: GPL-2.0
/*
 * Verdicts of the page: every result compared with the first, as "diff" does.
 */
#include <math.h>
#include <stdio.h>

#include "../stats/compare.h"
#include "html.h"
#include "text.h"

static void put_ratio(const struct ipi_page *page, double ratio)
{
	if (isnan(ratio))
		fputs("<td class=\"n\">-</td>", page->file);
	else
		fprintf(page->file, "<td class=\"n\">%.3f</td>", ratio);
}

static void put_change(const struct ipi_page *page, const struct ipi_change *change)
{
	const char *verdict = ipi_change_verdict__name(change->verdict);
	const struct ipi_effect *effect = &change->p50;
	char label[32], name[64], list[32], text[64];

	ipi_html__row(page, verdict);
	snprintf(name, sizeof(name), "%s %s", ipi_cell__label(change->base, label, sizeof(label)),
		 ipi_target__name(change->base->target));
	ipi_html__cell(page, name);
	snprintf(text, sizeof(text), "%d>%s", change->base->src,
		 ipi_cpus__format(&change->base->dst, list, sizeof(list)));
	ipi_html__cell(page, change->base->dst.nr ? text : "-");
	ipi_html__cell(page, ipi_stage__name(change->stage));
	ipi_html__number(page, effect->base);
	ipi_html__number(page, effect->new);
	put_ratio(page, effect->ratio);
	snprintf(text, sizeof(text), "%.3f to %.3f", effect->low, effect->high);
	ipi_html__cell(page, isnan(effect->low) ? "-" : text);
	put_ratio(page, change->p99.ratio);
	snprintf(text, sizeof(text), "%.1f %%", 100 * (effect->visible - 1));
	ipi_html__cell(page, isnan(effect->visible) ? "-" : text);
	ipi_html__cell(page, verdict);
	ipi_html__row_end(page);
}

/* "3 same, 1 worse": of how many which verdict. */
static void put_sum(const struct ipi_page *page, const struct ipi_compare *compare)
{
	int count[IPI_CHANGE_NR] = { 0 };
	bool few = false;
	int i;

	for (i = 0; i < compare->nr; i++) {
		if (!ipi_plot__wants(&page->plot->conf, compare->change[i].base->scenario))
			continue;
		count[compare->change[i].verdict]++;
		few = few || isnan(compare->change[i].p50.low);
	}
	ipi_html__note(page, "%d same, %d better, %d worse, %d undecided; changes up to %.3g %%\n"
		       "don't matter.%s",
		       count[IPI_CHANGE_SAME], count[IPI_CHANGE_BETTER], count[IPI_CHANGE_WORSE],
		       count[IPI_CHANGE_UNDECIDED], 100 * page->threshold,
		       few ? " Nothing is claimed of less than 3 repetitions: -r 10." : "");
	if (compare->only_base || compare->only_new)
		ipi_html__note(page, "Kinds of rows without a counterpart: %d in the base, %d in\n"
			       "the new one.",
			       compare->only_base, compare->only_new);
}

static void put_differences(const struct ipi_page *page, const struct ipi_compare *compare)
{
	const char *lines = compare->differs;
	char line[256];
	bool any = false;

	while (ipi_text__next_line(&lines, line, sizeof(line))) {
		fprintf(page->file, "%s<li>", any ? "" : "<p>What differs besides:</p>\n<ul>\n");
		ipi_html__text(page->file, line);
		fputs("</li>\n", page->file);
		any = true;
	}
	if (any)
		fputs("</ul>\n", page->file);
}

static void put_changes(const struct ipi_page *page, const struct ipi_compare *compare)
{
	bool all = compare->nr <= IPI_HTML_ROWS_MAX;
	int shown = 0;
	int i;

	ipi_html__table(page, "row|CPUs|stage|#base, p50|#new, p50|#ratio|95 % interval|#p99\n"
			"ratio|visible|verdict");
	for (i = 0; i < compare->nr; i++) {
		const struct ipi_change *change = &compare->change[i];

		if (!ipi_plot__wants(&page->plot->conf, change->base->scenario))
			continue;
		if (!all && change->verdict != IPI_CHANGE_BETTER &&
		    change->verdict != IPI_CHANGE_WORSE)
			continue;
		if (shown++ < IPI_HTML_ROWS_MAX)
			put_change(page, change);
	}
	ipi_html__table_end(page);
	if (!all)
		ipi_html__note(page, "%d of %d are better or worse, the first %d of them are here.",
			       shown, compare->nr,
			       shown < IPI_HTML_ROWS_MAX ? shown : IPI_HTML_ROWS_MAX);
}

static int put_comparison(const struct ipi_page *page, int run)
{
	const struct ipi_plot_conf *conf = &page->plot->conf;
	struct ipi_compare compare;
	int err;

	err = ipi_compare__make(&compare, conf->run[0].result, conf->run[run].result,
				page->threshold);
	if (!err) {
		fputs("<h3>", page->file);
		ipi_html__text(page->file, conf->run[run].name);
		fputs(" against ", page->file);
		ipi_html__text(page->file, conf->run[0].name);
		fputs("</h3>\n", page->file);
		put_sum(page, &compare);
		put_differences(page, &compare);
		if (compare.nr)
			put_changes(page, &compare);
		else
			ipi_html__note(page, "Nothing to compare: no row with a headline in both.");
	}
	ipi_compare__free(&compare);
	return err;
}

int ipi_html__verdicts(const struct ipi_page *page)
{
	int err = 0;
	int run;

	ipi_html__section(page, "verdicts", "Verdicts");
	if (page->plot->conf.nr < 2)
		ipi_html__note(page, "One run: there is nothing to compare it with. Its rows are\n"
			       "below, with those that have no headline and why.");
	else
		ipi_html__note(page, "Ratios are new by base, above 1 is slower, of p50; visible:\n"
			       "the smallest change that these data would have shown.");
	for (run = 1; run < page->plot->conf.nr && !err; run++)
		err = put_comparison(page, run);
	ipi_html__section_end(page);
	return err;
}
