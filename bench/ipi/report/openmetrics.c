// SPDX-License-Identifier: GPL-2.0
/*
 * Results as metrics. Times are in seconds, Prometheus' base unit. No sample has a time of its own,
 * which the textfile collector refuses: that of the file counts. What was not measured has no
 * sample.
 *
 * Prometheus' text format and OpenMetrics differ in details that are avoided: only gauges and
 * summaries, units in names, quantiles with a decimal point, "# EOF" at the end, which is a comment
 * in the former.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../stats/alike.h"
#include "../stats/law.h"
#include "../stats/quantile.h"
#include "../why.h"
#include "openmetrics.h"
#include "outfile.h"
#include "row.h"

enum metric {
	METRIC_INFO,
	METRIC_VALID,
	METRIC_STAGE,
	METRIC_IPIS,
	METRIC_STORM,
	METRIC_BASE,
	METRIC_SLOPE,
	METRIC_ERRORS,
	METRIC_LOST,
};

static const struct {
	const char *name;
	const char *unit;	/* NULL: none */
	const char *type;
	const char *help;
} metrics_known[IPI_METRIC_NR] = {
	[METRIC_INFO] = { "perf_bench_ipi_info", NULL, "gauge",
		"What was measured where: labels are facts of the machine, the value is 1." },
	[METRIC_VALID] = { "perf_bench_ipi_row_valid", NULL, "gauge",
		"1 if the row has a headline, 0 if its IPIs were not proved or it could not run." },
	[METRIC_STAGE] = { "perf_bench_ipi_stage_seconds", "seconds", "summary",
		"Time of one stage of a call or delivery; quantiles 0 and 1 are the extremes." },
	[METRIC_IPIS] = { "perf_bench_ipi_ipis_per_call", NULL, "gauge",
		"Interrupts counted in /proc/interrupts for one call." },
	[METRIC_STORM] = { "perf_bench_ipi_storm_calls_per_second", NULL, "gauge",
		"Calls of all senders of a storm together." },
	[METRIC_BASE] = { "perf_bench_ipi_fanout_base_seconds", "seconds", "gauge",
		"Cost of a multicast call without its targets, by least squares." },
	[METRIC_SLOPE] = { "perf_bench_ipi_fanout_slope_seconds", "seconds", "gauge",
		"Cost of one more target of a multicast call, from that many targets on." },
	[METRIC_ERRORS] = { "perf_bench_ipi_failed_calls", NULL, "gauge",
		"Calls whose check failed." },
	[METRIC_LOST] = { "perf_bench_ipi_lost_records", NULL, "gauge",
		"Trace records that the rings lost." },
};

/* What the labels of a sample come from. */
struct source {
	const struct ipi_result *result;
	const char *name;	/* NULL: one result alone */
};

/* Quoted and escaped; what is no ASCII may be no UTF-8 either. */
static void put_label(FILE *file, const char *key, const char *value, bool *first)
{
	if (!value || !*value || !strcmp(value, "-"))
		return;
	fprintf(file, "%s%s=\"", *first ? "{" : ",", key);
	*first = false;
	for (; *value; value++) {
		if (*value == '\\' || *value == '"')
			fprintf(file, "\\%c", *value);
		else if (*value == '\n')
			fputs("\\n", file);
		else
			fputc(*value & 0x80 || (*value & 0x7f) < ' ' ? '?' : *value, file);
	}
	fputc('"', file);
}

static void put_number(FILE *file, const char *key, long value, bool *first)
{
	char word[24];

	snprintf(word, sizeof(word), "%ld", value);
	put_label(file, key, word, first);
}

/* Those of every sample. */
static void put_source(FILE *file, const struct source *source, bool *first)
{
	char kernel[128];

	put_label(file, "result", source->name, first);
	put_label(file, "kernel", ipi_alike__value(&source->result->environment, "kernel", kernel,
						   sizeof(kernel)), first);
}

/* Those of a row; leaves the brace open for more. */
static void put_row(FILE *file, const struct source *source, const struct ipi_cell *cell,
		    bool *first)
{
	char *dst = ipi_row__dst(cell);

	put_source(file, source, first);
	put_label(file, "scenario", ipi_scenario__name(cell->scenario), first);
	put_label(file, "target_state", ipi_target__name(cell->target), first);
	put_label(file, "backend", cell->backend, first);
	put_number(file, "src", cell->src, first);
	put_label(file, "dst", dst, first);
	put_number(file, "targets", cell->dst.nr, first);
	if (cell->senders.nr)
		put_number(file, "senders", cell->senders.nr, first);
	if (cell->scenario != IPI_SCENARIO_DRY_RUN)
		put_label(file, "class", ipi_class__name(ipi_cell__wanted_class(cell)), first);
	if (cell->nowait)
		put_label(file, "nowait", "true", first);
	free(dst);
}

/* One sample of a row's metric. */
static void add_sample(struct ipi_openmetrics *metrics, enum metric metric,
		       const struct source *source, const struct ipi_cell *cell, double value)
{
	FILE *file = metrics->buf[metric].file;
	bool first = true;

	fputs(metrics_known[metric].name, file);
	put_row(file, source, cell, &first);
	fprintf(file, "} %.12g\n", value);
}

static void put_stage_line(FILE *file, const struct source *source, const struct ipi_cell *cell,
			   enum ipi_stage stage, const char *suffix, const char *share,
			   double value)
{
	bool first = true;

	fprintf(file, "%s%s", metrics_known[METRIC_STAGE].name, suffix);
	put_row(file, source, cell, &first);
	put_label(file, "stage", ipi_stage__name(stage), &first);
	put_label(file, "quantile", share, &first);
	fprintf(file, "} %.12g\n", value);
}

static void add_stage(struct ipi_openmetrics *metrics, const struct source *source,
		      const struct ipi_cell *cell, enum ipi_stage stage,
		      const struct ipi_hist *hist)
{
	FILE *file = metrics->buf[METRIC_STAGE].file;
	int i;

	for (i = 0; i < IPI_QUANTILE_NR; i++)
		put_stage_line(file, source, cell, stage, "",
			       ipi_quantile__share((enum ipi_quantile)i),
			       ipi_quantile__of(hist, (enum ipi_quantile)i) / 1e9);
	put_stage_line(file, source, cell, stage, "_sum", NULL, ipi_hist__sum(hist) / 1e9);
	put_stage_line(file, source, cell, stage, "_count", NULL, ipi_hist__count(hist));
}

/* Repetitions of one row: their samples taken together. */
static void add_stages(struct ipi_openmetrics *metrics, const struct source *source,
		       struct ipi_cell *const *cell, int nr)
{
	int stage, i;

	for (stage = 0; stage < IPI_STAGE_NR; stage++) {
		struct ipi_hist *sum = ipi_alike__compares((enum ipi_stage)stage) ?
				       ipi_hist__new() : NULL;

		if (!sum) {
			if (ipi_alike__compares((enum ipi_stage)stage))
				metrics->err = -ENOMEM;
			continue;
		}
		for (i = 0; i < nr; i++) {
			if (cell[i]->verdict == IPI_VERDICT_OK &&
			    ipi_cell__measured(cell[i], (enum ipi_stage)stage))
				ipi_hist__merge(sum, cell[i]->stage[stage]);
		}
		if (ipi_hist__count(sum))
			add_stage(metrics, source, cell[0], (enum ipi_stage)stage, sum);
		ipi_hist__delete(sum);
	}
}

/* Mean of what is not negative; negative if all are. */
struct mean {
	double sum;
	int nr;
};

static void mean_add(struct mean *mean, double value)
{
	if (value >= 0) {
		mean->sum += value;
		mean->nr++;
	}
}

static void add_mean(struct ipi_openmetrics *metrics, enum metric metric,
		     const struct source *source, const struct ipi_cell *cell,
		     const struct mean *mean)
{
	if (mean->nr)
		add_sample(metrics, metric, source, cell, mean->sum / mean->nr);
}

/* The repetitions of a row. */
static void add_row(struct ipi_openmetrics *metrics, const struct source *source,
		    struct ipi_cell *const *cell, int nr)
{
	struct mean ipis = { 0 }, storm = { 0 };
	double errors = 0, lost = 0;
	bool any = false, traced = false, valid = true;
	int i;

	for (i = 0; i < nr; i++) {
		any = any || cell[i]->untraced.done || cell[i]->traced.done;
		traced = traced || cell[i]->traced.done;
		valid = valid && cell[i]->verdict == IPI_VERDICT_OK;
		errors += cell[i]->untraced.errors + cell[i]->traced.errors;
		lost += cell[i]->lost;
		mean_add(&ipis, cell[i]->ipis_per_call);
		mean_add(&storm, cell[i]->storm_rate);
	}
	add_sample(metrics, METRIC_VALID, source, cell[0], valid);
	add_stages(metrics, source, cell, nr);
	add_mean(metrics, METRIC_IPIS, source, cell[0], &ipis);
	add_mean(metrics, METRIC_STORM, source, cell[0], &storm);
	if (any)
		add_sample(metrics, METRIC_ERRORS, source, cell[0], errors);
	if (traced)
		add_sample(metrics, METRIC_LOST, source, cell[0], lost);
}

static void add_slope(FILE *file, const struct source *source, const struct ipi_law *law,
		      double from, double slope)
{
	bool first = true;

	fputs(metrics_known[METRIC_SLOPE].name, file);
	put_source(file, source, &first);
	put_label(file, "target_state", ipi_target__name(law->cell->target), &first);
	put_number(file, "src", law->cell->src, &first);
	if (law->cell->nowait)
		put_label(file, "nowait", "true", &first);
	put_number(file, "from", (long)from, &first);
	fprintf(file, "} %.12g\n", slope / 1e9);
}

static void add_laws(struct ipi_openmetrics *metrics, const struct source *source)
{
	FILE *file = metrics->buf[METRIC_BASE].file;
	struct ipi_law *laws;
	int nr = ipi_law__list(source->result, &laws);
	int i, k;

	if (nr < 0)
		metrics->err = nr;
	for (i = 0; i < nr; i++) {
		const struct ipi_fit *fit = &laws[i].fit;
		bool first = true;

		fputs(metrics_known[METRIC_BASE].name, file);
		put_source(file, source, &first);
		put_label(file, "target_state", ipi_target__name(laws[i].cell->target), &first);
		put_number(file, "src", laws[i].cell->src, &first);
		if (laws[i].cell->nowait)
			put_label(file, "nowait", "true", &first);
		fprintf(file, "} %.12g\n", fit->base / 1e9);
		add_slope(metrics->buf[METRIC_SLOPE].file, source, &laws[i], 1, fit->slope);
		for (k = 0; k < fit->nr_knee; k++)
			add_slope(metrics->buf[METRIC_SLOPE].file, source, &laws[i],
				  fit->knee[k].x, fit->knee[k].slope);
	}
	free(laws);
}

static void add_info(struct ipi_openmetrics *metrics, const struct source *source)
{
	FILE *file = metrics->buf[METRIC_INFO].file;
	char value[256];
	bool first = true;
	unsigned int i;

	fputs(metrics_known[METRIC_INFO].name, file);
	put_label(file, "result", source->name, &first);
	for (i = 0; i < IPI_ALIKE_FACTS; i++)
		put_label(file, ipi_alike__fact(i),
			  ipi_alike__value(&source->result->environment, ipi_alike__fact(i), value,
					   sizeof(value)), &first);
	fprintf(file, "%s 1\n", first ? "" : "}");
}

static int order_cells(const void *x, const void *y)
{
	return ipi_alike__order_place(*(const struct ipi_cell *const *)x,
				     *(const struct ipi_cell *const *)y);
}

static void add_rows(struct ipi_openmetrics *metrics, const struct source *source,
		     struct ipi_cell **cell)
{
	int nr = source->result->nr_cell;
	int i, end;

	for (i = 0; i < nr; i++)
		cell[i] = &source->result->cell[i];
	qsort(cell, (size_t)nr, sizeof(*cell), order_cells);
	for (i = 0; i < nr; i = end) {
		for (end = i + 1; end < nr && !ipi_alike__order_place(cell[i], cell[end]); end++)
			;
		add_row(metrics, source, &cell[i], end - i);
	}
}

void ipi_openmetrics__add(struct ipi_openmetrics *metrics, const struct ipi_result *result,
			  const char *name)
{
	const struct source source = { .result = result, .name = metrics->named ? name : NULL };
	struct ipi_cell **cell = calloc((size_t)result->nr_cell + 1, sizeof(*cell));

	if (!cell) {
		metrics->err = -ENOMEM;
		return;
	}
	add_info(metrics, &source);
	add_rows(metrics, &source, cell);
	add_laws(metrics, &source);
	free(cell);
}

static void drop(struct ipi_openmetrics *metrics)
{
	int i;

	for (i = 0; i < IPI_METRIC_NR; i++) {
		if (metrics->buf[i].file && fclose(metrics->buf[i].file))
			metrics->err = -ENOMEM;
		metrics->buf[i].file = NULL;
	}
}

static void free_texts(struct ipi_openmetrics *metrics)
{
	int i;

	for (i = 0; i < IPI_METRIC_NR; i++)
		free(metrics->buf[i].text);
}

int ipi_openmetrics__begin(struct ipi_openmetrics *metrics, bool named)
{
	int i;

	memset(metrics, 0, sizeof(*metrics));
	metrics->named = named;
	for (i = 0; i < IPI_METRIC_NR; i++) {
		struct ipi_metric_buf *buf = &metrics->buf[i];

		buf->file = open_memstream(&buf->text, &buf->size);
		if (!buf->file) {
			drop(metrics);
			free_texts(metrics);
			return -ENOMEM;
		}
	}
	return 0;
}

static void write_all(FILE *file, const struct ipi_openmetrics *metrics)
{
	int i;

	for (i = 0; i < IPI_METRIC_NR; i++) {
		if (!metrics->buf[i].size)
			continue;
		fprintf(file, "# HELP %s %s\n", metrics_known[i].name, metrics_known[i].help);
		fprintf(file, "# TYPE %s %s\n", metrics_known[i].name, metrics_known[i].type);
		if (metrics_known[i].unit)
			fprintf(file, "# UNIT %s %s\n", metrics_known[i].name,
				metrics_known[i].unit);
		fwrite(metrics->buf[i].text, 1, metrics->buf[i].size, file);
	}
	fputs("# EOF\n", file);
}

static int write_file(const struct ipi_openmetrics *metrics, const char *path, struct ipi_why *why)
{
	struct ipi_outfile out;
	int err = ipi_outfile__open(&out, path, why);

	if (err)
		return err;
	write_all(out.file, metrics);
	return ipi_outfile__commit(&out, why);
}

int ipi_openmetrics__end(struct ipi_openmetrics *metrics, const char *path, struct ipi_why *why)
{
	int err;

	drop(metrics);
	if (metrics->err)
		err = ipi_why__set(why, -metrics->err, NULL, "metrics");
	else
		err = write_file(metrics, path, why);
	free_texts(metrics);
	return err;
}
