// SPDX-License-Identifier: GPL-2.0
/*
 * Tables of the page: what ran, where, what came out, what did not, and the slowest samples.
 */
#include <stdio.h>
#include <string.h>

#include "html.h"
#include "plain-text.h"

static const char *fact_text(const struct ipi_facts *facts, const char *key, char buf[32])
{
	const struct ipi_fact *fact = ipi_facts__get(facts, key);

	if (!fact)
		return "-";
	if (fact->str)
		return fact->str;
	snprintf(buf, 32, "%lld", (long long)fact->num);
	return buf;
}

static void put_fact(const struct ipi_page *page, const struct ipi_facts *facts, const char *key)
{
	char buf[32];

	ipi_html__cell(page, fact_text(facts, key, buf));
}

/* "9 ok, 2 unsupported". */
static void put_outcome(const struct ipi_page *page, const struct ipi_result *result)
{
	int count[IPI_VERDICT_NR] = { 0 };
	char text[160] = "";
	size_t len = 0;
	int i;

	for (i = 0; i < result->nr_cell; i++)
		count[result->cell[i].verdict]++;
	for (i = 0; i < IPI_VERDICT_NR; i++) {
		if (count[i])
			len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%d %s",
						len ? ", " : "", count[i],
						ipi_verdict__name((enum ipi_verdict)i));
	}
	ipi_html__cell(page, *text ? text : "-");
}

void ipi_html__runs(const struct ipi_page *page)
{
	const struct ipi_plot_conf *conf = &page->plot->conf;
	int run;

	ipi_html__section(page, "runs", "Runs");
	ipi_html__table(page, "run|what|when|kernel|CPU|under|CPUs|backend|cells|trace");
	for (run = 0; run < conf->nr; run++) {
		const struct ipi_result *result = conf->run[run].result;
		const struct ipi_facts *env = &result->environment;

		ipi_html__row(page, NULL);
		ipi_html__cell(page, conf->run[run].name);
		ipi_html__cell(page, result->title);
		put_fact(page, env, "date");
		put_fact(page, env, "kernel");
		put_fact(page, env, "cpu_model");
		put_fact(page, env, "hypervisor");
		put_fact(page, env, "cpus");
		put_fact(page, env, "backend");
		put_outcome(page, result);
		ipi_html__cell(page, *result->trace ? result->trace : "by tracepoints");
		ipi_html__row_end(page);
	}
	ipi_html__table_end(page);
	for (run = 0; run < conf->nr; run++) {
		if (conf->run[run].result->interrupted)
			ipi_html__note(page, "%s was interrupted: rows may be short or missing.",
				       conf->run[run].name);
	}
	ipi_html__section_end(page);
}

static const struct ipi_facts *facts_of(const struct ipi_page *page, int run, bool options)
{
	const struct ipi_result *result = page->plot->conf.run[run].result;

	return options ? &result->options : &result->environment;
}

static void put_fact_row(const struct ipi_page *page, const char *key, bool options)
{
	char first[32], other[32];
	bool differs = false;
	int run;

	for (run = 1; run < page->plot->conf.nr; run++)
		differs = differs || strcmp(fact_text(facts_of(page, 0, options), key, first),
					    fact_text(facts_of(page, run, options), key, other));
	ipi_html__row(page, differs ? "differs" : NULL);
	ipi_html__cell(page, key);
	for (run = 0; run < page->plot->conf.nr; run++)
		put_fact(page, facts_of(page, run, options), key);
	ipi_html__row_end(page);
}

/* The facts of all runs, each once, where the first run that has it has it. */
static void put_facts(const struct ipi_page *page, bool options)
{
	const struct ipi_plot_conf *conf = &page->plot->conf;
	int run, before, i;

	for (run = 0; run < conf->nr; run++) {
		const struct ipi_facts *facts = facts_of(page, run, options);

		for (i = 0; i < facts->nr; i++) {
			for (before = 0; before < run; before++) {
				if (ipi_facts__get(facts_of(page, before, options),
						   facts->fact[i].key))
					break;
			}
			if (before == run)
				put_fact_row(page, facts->fact[i].key, options);
		}
	}
}

static void put_fact_table(const struct ipi_page *page, const char *what, bool options)
{
	int run;

	fprintf(page->file, "<div class=\"wide\"><table>\n<tr><th scope=\"col\">%s</th>",
		what);
	for (run = 0; run < page->plot->conf.nr; run++) {
		fputs("<th scope=\"col\">", page->file);
		ipi_html__text(page->file, page->plot->conf.run[run].name);
		fputs("</th>", page->file);
	}
	fputs("</tr>\n", page->file);
	put_facts(page, options);
	ipi_html__table_end(page);
}

void ipi_html__environment(const struct ipi_page *page)
{
	ipi_html__section(page, "environment", "Environment");
	if (page->plot->conf.nr > 1)
		ipi_html__note(page, "What differs between the runs has a bar beside its name.");
	put_fact_table(page, "fact", false);
	put_fact_table(page, "option", true);
	ipi_html__section_end(page);
}

/* "0>1", or of several pairs "12432 cells". */
static void put_where(const struct ipi_page *page, const struct ipi_plot_data *data)
{
	const struct ipi_cell *cell = data->slowest;
	char list[48], text[80];

	if (data->cells > 1)
		snprintf(text, sizeof(text), "%d cells", data->cells);
	else if (cell->dst.nr)
		snprintf(text, sizeof(text), "%d>%s", cell->src,
			 ipi_cpus__format(&cell->dst, list, sizeof(list)));
	else
		snprintf(text, sizeof(text), "%d", cell->src);
	ipi_html__cell(page, text);
}

/* Two stages; where neither is known alone, their sum as "=N" in the second, as in the text. */
static void put_parts(const struct ipi_page *page, const struct ipi_plot_data *data,
		      enum ipi_stage one, enum ipi_stage two, enum ipi_stage sum)
{
	u64 ns = ipi_hist__percentile(data->stage[sum], 5000);
	char text[40];

	ipi_html__percentile(page, data->stage[one], 5000);
	if (data->stage[one] || data->stage[two] || !data->stage[sum])
		ipi_html__percentile(page, data->stage[two], 5000);
	else
		fprintf(page->file, "<td class=\"n\">=%s</td>",
			ipi_plain__grouped(text, sizeof(text), (double)ns));
}

static void put_row(const struct ipi_page *page, const struct ipi_plot_row *row, int run)
{
	static const unsigned int percentiles[] = { 5000, 9000, 9900, 9990, 10000 };
	const struct ipi_plot_data *data = &row->data[run];
	const struct ipi_hist *total = data->stage[IPI_STAGE_TOTAL];
	u64 count = ipi_hist__count(total), min = ipi_hist__min(total);
	char ipis[32];
	size_t i;

	ipi_html__row(page, NULL);
	ipi_html__cell(page, row->label);
	ipi_html__cell(page, page->plot->conf.run[run].name);
	put_where(page, data);
	snprintf(ipis, sizeof(ipis), "%.2f", data->ipis);
	ipi_html__cell(page, data->ipis < 0 ? "-" : ipis);
	ipi_html__number(page, count ? (double)count : -1);
	ipi_html__number(page, count ? (double)min : -1);
	for (i = 0; i < sizeof(percentiles) / sizeof(*percentiles); i++)
		ipi_html__percentile(page, total, percentiles[i]);
	put_parts(page, data, IPI_STAGE_SEND, IPI_STAGE_DELIVER, IPI_STAGE_SEND_LATENCY);
	put_parts(page, data, IPI_STAGE_DISPATCH, IPI_STAGE_HANDLE, IPI_STAGE_HANDLER_LATENCY);
	ipi_html__percentile(page, data->stage[IPI_STAGE_ACK], 5000);
	ipi_html__row_end(page);
}

void ipi_html__rows(const struct ipi_page *page)
{
	int row, run;

	ipi_html__section(page, "rows", "Results");
	ipi_html__note(page, "Rows whose IPIs were proved. The total is of the untraced pass, ns\n"
		       "per call; stages are medians of the traced pass, =N where only the sum of\n"
		       "two is known. Repetitions, and of a matrix pairs, are put together.");
	ipi_html__table(page, "row|run|CPUs|#IPIs/call|#calls|#min|#p50|#p90|#p99|#p99.9|#max|\n"
			"#send|#deliver|#dispatch|#handle|#ack");
	for (row = 0; row < page->plot->nr_row; row++) {
		for (run = 0; run < page->plot->conf.nr; run++) {
			if (page->plot->row[row].data[run].cells)
				put_row(page, &page->plot->row[row], run);
		}
	}
	ipi_html__table_end(page);
	ipi_html__section_end(page);
}

static void put_refused(const struct ipi_page *page, const struct ipi_cell *cell, int run)
{
	char label[32], list[48], name[64];

	ipi_html__row(page, NULL);
	snprintf(name, sizeof(name), "%s %s", ipi_cell__label(cell, label, sizeof(label)),
		 ipi_target__name(cell->target));
	ipi_html__cell(page, name);
	ipi_html__cell(page, page->plot->conf.run[run].name);
	snprintf(name, sizeof(name), "%d>%s", cell->src,
		 ipi_cpus__format(&cell->dst, list, sizeof(list)));
	ipi_html__cell(page, cell->dst.nr ? name : "-");
	ipi_html__cell(page, ipi_verdict__name(cell->verdict));
	ipi_html__cell(page, *cell->note ? cell->note : "-");
	ipi_html__row_end(page);
}

void ipi_html__refused(const struct ipi_page *page)
{
	const struct ipi_plot_conf *conf = &page->plot->conf;
	int run, i;
	int nr = 0;

	ipi_html__section(page, "refused", "What has to be said of rows");
	for (run = 0; run < conf->nr; run++) {
		const struct ipi_result *result = conf->run[run].result;

		for (i = 0; i < result->nr_cell; i++) {
			const struct ipi_cell *cell = &result->cell[i];

			if ((cell->verdict == IPI_VERDICT_OK && !*cell->note) ||
			    !ipi_plot__wants(conf, cell->scenario))
				continue;
			if (nr++ >= IPI_HTML_ROWS_MAX)
				continue;
			if (nr == 1)
				ipi_html__table(page, "row|run|CPUs|verdict|note");
			put_refused(page, cell, run);
		}
	}
	if (nr)
		ipi_html__table_end(page);
	else
		ipi_html__note(page, "Nothing: every row has its headline.");
	if (nr > IPI_HTML_ROWS_MAX)
		ipi_html__note(page, "%d more are not shown.", nr - IPI_HTML_ROWS_MAX);
	ipi_html__section_end(page);
}
