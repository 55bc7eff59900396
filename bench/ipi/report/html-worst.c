// SPDX-License-Identifier: GPL-2.0
/*
 * The slowest samples of the page, and the words it uses.
 */
#include <stdio.h>
#include <stdlib.h>

#include "html.h"

#define SLOW	10	/* times the median */

/* A row of one run, and how far its slowest sample is off. */
struct worst {
	int row;
	int run;
	double times;
};

static int compare(const void *left, const void *right)
{
	const struct worst *a = left, *b = right;

	return (a->times < b->times) - (a->times > b->times);
}

/* Samples beyond so many times the median; in a bucket that ends there none is. */
static u64 count_slow(const struct ipi_hist *hist)
{
	u64 limit = SLOW * ipi_hist__percentile(hist, 5000);
	u64 low, width, count, slow = 0;
	unsigned int pos = 0;

	while (ipi_hist__next(hist, &pos, &low, &width, &count)) {
		if (low > limit)
			slow += count;
	}
	return slow;
}

static void put_slowest(const struct ipi_page *page, const struct ipi_cell *cell)
{
	char list[48], text[96];

	if (cell->dst.nr)
		snprintf(text, sizeof(text), "%d>%s", cell->src,
			 ipi_cpus__format(&cell->dst, list, sizeof(list)));
	else
		snprintf(text, sizeof(text), "%d", cell->src);
	ipi_html__cell(page, text);
}

/* "3 (71 %)": which target of a stamped broadcast most often answered last. */
static void put_last(const struct ipi_page *page, const struct ipi_cell *cell)
{
	u64 sum = 0;
	char text[64];
	int most = 0;
	int i;

	for (i = 0; cell->last && i < cell->dst.nr; i++) {
		sum += cell->last[i];
		if (cell->last[i] > cell->last[most])
			most = i;
	}
	if (sum)
		snprintf(text, sizeof(text), "%d (%.0f %%)", cell->dst.cpu[most],
			 100.0 * (double)cell->last[most] / (double)sum);
	ipi_html__cell(page, sum ? text : "-");
}

static void put_worst(const struct ipi_page *page, const struct worst *worst)
{
	const struct ipi_plot_row *row = &page->plot->row[worst->row];
	const struct ipi_plot_data *data = &row->data[worst->run];
	const struct ipi_hist *hist = data->stage[IPI_STAGE_TOTAL];
	u64 slow = count_slow(hist), count = ipi_hist__count(hist);

	ipi_html__row(page, NULL);
	ipi_html__cell(page, row->label);
	ipi_html__cell(page, page->plot->conf.run[worst->run].name);
	ipi_html__percentile(page, hist, 5000);
	ipi_html__percentile(page, hist, 9990);
	ipi_html__percentile(page, hist, 10000);
	ipi_html__number(page, worst->times);
	ipi_html__number(page, (double)slow);
	ipi_html__number(page, 1e6 * (double)slow / (double)count);
	put_slowest(page, data->slowest);
	put_last(page, data->slowest);
	ipi_html__row_end(page);
}

static int collect(const struct ipi_plot *plot, struct worst *worst)
{
	int row, run;
	int nr = 0;

	for (row = 0; row < plot->nr_row; row++) {
		for (run = 0; run < plot->conf.nr; run++) {
			const struct ipi_hist *hist = ipi_plot__hist(&plot->row[row], run,
								     IPI_STAGE_TOTAL);
			u64 p50 = ipi_hist__percentile(hist, 5000), max = ipi_hist__max(hist);

			if (!hist || !p50)
				continue;
			worst[nr++] = (struct worst){ row, run, (double)max / (double)p50 };
		}
	}
	return nr;
}

void ipi_html__worst(const struct ipi_page *page)
{
	size_t rows = (size_t)page->plot->nr_row * (size_t)page->plot->conf.nr;
	struct worst *worst = calloc(rows + 1, sizeof(*worst));
	int nr = worst ? collect(page->plot, worst) : 0;
	int i;

	ipi_html__section(page, "worst", "Slowest samples");
	ipi_html__note(page, "Totals of the untraced pass, the row with the longest tail first.\n"
		       "Slow: more than %d times its own p50. Where: the cell that the slowest is\n"
		       "of.",
		       SLOW);
	if (nr)
		qsort(worst, (size_t)nr, sizeof(*worst), compare);
	ipi_html__table(page, "row|run|#p50|#p99.9|#max|#max / p50|#slow|#slow per million|where|\n"
			"answered last");
	for (i = 0; i < nr; i++)
		put_worst(page, &worst[i]);
	ipi_html__table_end(page);
	ipi_html__section_end(page);
	free(worst);
}

void ipi_html__glossary(const struct ipi_page *page)
{
	static const char *const words[][2] = {
		{ "total", "from before the call until the caller goes on, tracepoints off" },
		{ "send", "from the call until the IPI leaves the sender" },
		{ "deliver", "from there to the interrupt's entry on the target" },
		{ "dispatch", "from the interrupt's entry until the function starts" },
		{ "handle", "from there until the function ends" },
		{ "ack", "from the end of the last function until the caller goes on" },
		{ "send latency", "send and deliver, where a kernel can't tell them apart" },
		{ "handler latency", "dispatch and handle, so as well" },
		{ "delivery", "from the call until the function starts" },
		{ "busy, kernel, idle, any", "what the target did when it was hit" },
		{ "repetition", "an independent run of a row; the unit of the verdicts" },
	};
	size_t i;

	ipi_html__section(page, "words", "Words");
	fputs("<dl>\n", page->file);
	for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
		fputs("<dt>", page->file);
		ipi_html__text(page->file, words[i][0]);
		fputs("</dt><dd>", page->file);
		ipi_html__text(page->file, words[i][1]);
		fputs("</dd>\n", page->file);
	}
	fputs("</dl>\n", page->file);
	ipi_html__section_end(page);
}
