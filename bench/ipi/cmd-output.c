// SPDX-License-Identifier: GPL-2.0
/*
 * The outputs of results, as options. Decides which one is printed and holds limits against what is
 * there; how an output looks is report/'s.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "cmd-options.h"
#include "cmd-output.h"
#include "report/ktap.h"
#include "report/outfile.h"
#include "report/row.h"
#include "why.h"

static int parse_format(const struct option *opt, const char *arg, int unset)
{
	struct ipi_output *output = opt->value;

	if (unset)
		return -1;
	if (strcmp(arg, BENCH_FORMAT_DEFAULT_STR) && strcmp(arg, BENCH_FORMAT_SIMPLE_STR))
		return ipi_cmd__bad_value(opt, arg, -EINVAL, "default or simple");
	output->simple = !strcmp(arg, BENCH_FORMAT_SIMPLE_STR);
	return 0;
}

static int parse_separator(const struct option *opt, const char *arg, int unset)
{
	struct ipi_output *output = opt->value;

	if (unset)
		return -1;
	/* As perf stat has it. */
	if (!strcmp(arg, "\\t"))
		arg = "\t";
	if (!ipi_csv__may_separate(arg))
		return ipi_cmd__bad_value(opt, arg, -EINVAL,
					  "characters that no field has, as , or ; or \\t");
	output->separator = arg;
	return 0;
}

static int parse_limits(const struct option *opt, const char *arg, int unset)
{
	const char *form = "row.stage.figure=time[,...], as normal/busy.total.p99=20us";
	struct ipi_output *output = opt->value;
	int err;

	if (unset)
		return -1;
	err = ipi_limits__add(&output->limits, arg);
	return err ? ipi_cmd__bad_value(opt, arg, err, form) : 0;
}

void ipi_output__options(struct option *options, struct ipi_output *output)
{
	const struct option list[IPI_OUTPUT_OPTIONS] = {
	OPT_CALLBACK('f', "format", output, "default|simple", "format of the output",
		     parse_format),
	OPT_BOOLEAN(0, "classic", &output->classic, "print the five lines of the 2017 module"),
	OPT_BOOLEAN(0, "normalize", &output->text.normalize,
		    "print times as multiples of the dry run"),
	OPT_BOOLEAN(0, "hist", &output->text.hist, "print histograms"),
	OPT_CALLBACK('x', "field-separator", output, "separator",
		     "print a line for each row and stage, with that between fields",
		     parse_separator),
	OPT_BOOLEAN(0, "ktap", &output->ktap, "print KTAP, for kernel CI systems"),
	OPT_CALLBACK(0, "limit", output, "row.stage.figure=time[,...]",
		     "exit with 2 if it is more, as normal.total.p99=20us", parse_limits),
	OPT_STRING(0, "openmetrics", &output->openmetrics, "file",
		   "write metrics for Prometheus' node exporter, - for stdout"),
	OPT_INCR('v', "verbose", &output->text.verbose, "say more: ledgers, all columns, hints"),
	OPT_END()
	};

	memcpy(options, list, sizeof(list));
	/* What perf bench itself was told. */
	output->simple = bench_format == BENCH_FORMAT_SIMPLE;
}

int ipi_output__check(struct ipi_output *output)
{
	struct ipi_why why;

	if (output->simple + output->classic + output->ktap + !!output->separator > 1) {
		ipi_err("one of -f simple, -x, --classic and --ktap at a time");
		fprintf(stderr, "  --json and --openmetrics may stand beside them\n");
		return IPI_EXIT_USAGE;
	}
	if (output->openmetrics && ipi_outfile__check(output->openmetrics, &why)) {
		ipi_why__print(&why);
		return IPI_EXIT_FAILED;
	}
	output->text.colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
	ipi_dbg__set(output->text.verbose);
	return 0;
}

int ipi_output__begin(struct ipi_output *output, int nr)
{
	output->nr = nr;
	output->kept = calloc((size_t)output->limits.nr + 1, sizeof(*output->kept));
	if (!output->kept ||
	    (output->openmetrics && ipi_openmetrics__begin(&output->metrics, nr > 1))) {
		ipi_err("out of memory");
		return IPI_EXIT_FAILED;
	}
	if (output->separator)
		ipi_csv__heading(stdout, output->separator);
	if (output->ktap)
		ipi_ktap__begin(stdout, nr);
	return 0;
}

static void hold(struct ipi_output *output, int index, const struct ipi_result *result,
		 const struct ipi_cell *cell, const char *name)
{
	const struct ipi_limit *limit = &output->limits.limit[index];
	enum ipi_kept kept;
	char row[256];
	u64 ns = 0;

	kept = ipi_limit__check(limit, cell, &ns);
	if (kept == IPI_KEPT_YES || kept == IPI_KEPT_NO)
		output->kept[index] = true;
	if (kept != IPI_KEPT_NO)
		return;
	output->exceeded = true;
	ipi_err("%s%slimit exceeded: %s: %s %s is %llu ns, the limit %llu ns",
		output->nr > 1 ? name : "", output->nr > 1 ? ": " : "",
		ipi_row__name(result, cell, row, sizeof(row)), ipi_stage__name(limit->stage),
		ipi_quantile__name(limit->quantile), (unsigned long long)ns,
		(unsigned long long)limit->ns);
}

static void hold_all(struct ipi_output *output, const struct ipi_result *result, const char *name)
{
	int i, k;

	for (i = 0; i < output->limits.nr; i++) {
		for (k = 0; k < result->nr_cell; k++)
			hold(output, i, result, &result->cell[k], name);
	}
}

/*
 * The first failure is the one that says why; later ones know only that there was one. It may have
 * come in an output's own fflush(), since errno was 0.
 */
static void flush(struct ipi_output *output)
{
	if ((fflush(stdout) || ferror(stdout)) && !output->write_err)
		output->write_err = errno ? errno : EIO;
}

/* The default, for people. */
static bool is_text(const struct ipi_output *output)
{
	return !output->simple && !output->classic && !output->ktap && !output->separator;
}

void ipi_output__head(struct ipi_output *output, const struct ipi_result *result,
		      const char *name)
{
	errno = 0;
	/* The others say in every line whose it is. */
	if (output->nr > 1 && !output->ktap && !output->separator)
		printf("%s# result: %s\n", output->done ? "#\n" : "", name);
	if (is_text(output))
		ipi_text__begin(stdout, result, &output->text);
	flush(output);
}

void ipi_output__print(struct ipi_output *output, const struct ipi_result *result,
		       const char *name)
{
	int number = output->nr > 1 ? output->done + 1 : 0;

	errno = 0;
	if (output->ktap)
		ipi_ktap__print(stdout, number, name, result, &output->limits);
	if (result && !output->ktap) {
		if (output->separator)
			ipi_csv__print(stdout, result, name, output->separator);
		else if (output->classic)
			ipi_classic__print(stdout, result);
		else if (output->simple)
			ipi_simple__print(stdout, result);
		else
			ipi_text__end(stdout, result, &output->text);
	}
	output->done++;
	if (!result)
		return;
	if (output->openmetrics)
		ipi_openmetrics__add(&output->metrics, result, name);
	/* What goes to stderr comes after what it is about. */
	flush(output);
	hold_all(output, result, name);
}

static int judge(const struct ipi_output *output)
{
	int status = IPI_EXIT_DONE;
	int i;

	for (i = 0; i < output->limits.nr; i++) {
		if (output->kept[i])
			continue;
		ipi_err("limit not checked, no row has that figure: %s",
			output->limits.limit[i].text);
		status = IPI_EXIT_UNSUPPORTED;
	}
	return output->exceeded ? IPI_EXIT_WORSE : status;
}

int ipi_output__end(struct ipi_output *output)
{
	struct ipi_why why;
	int status = judge(output);

	if (output->openmetrics &&
	    ipi_openmetrics__end(&output->metrics, output->openmetrics, &why)) {
		ipi_why__print(&why);
		status = IPI_EXIT_FAILED;
	}
	flush(output);
	if (output->write_err) {
		ipi_why__set(&why, output->write_err, NULL, "can't write the results");
		ipi_why__print(&why);
		status = IPI_EXIT_FAILED;
	}
	return status;
}

void ipi_output__free(struct ipi_output *output)
{
	free(output->kept);
	ipi_limits__free(&output->limits);
}
