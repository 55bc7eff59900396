// SPDX-License-Identifier: GPL-2.0
/*
 * perf bench ipi ab: two settings, in turn and in one go, so that drift can't fake a win. One round
 * is a repetition of either setting, the order of the two changing from round to round; the result
 * is that of diff.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/kernel.h>
#include <subcmd/parse-options.h>

#include "cmd-ab.h"
#include "cmd-options.h"
#include "report/report.h"
#include "run/command.h"
#include "run/run.h"
#include "run/signals.h"
#include "stats/compare.h"
#include "why.h"

#define ROUNDS	10

/* One setting. */
struct side {
	const char *command;
	const char *json;
	struct ipi_result *result;
};

/* Everything the command line says, and what came of it. */
struct ab {
	struct ipi_options run;
	struct ipi_progress progress;
	struct side side[2];
	const char *after;
	const char *table;
	double threshold;
	bool no_rt;
	bool no_trace;
	int verbose;
	unsigned int rounds;
	unsigned int steps;	/* repetitions begun */
	bool told;		/* that there is no split */
};

static const char *const usage[] = {
	"perf bench ipi ab --a <command> --b <command> [<scenario>[,<scenario>...] | all] [<options>]",
	NULL
};

static void begin(void *ctx, const struct ipi_result *result)
{
	(void)ctx;
	(void)result;
}

static void progress(void *ctx, unsigned int permille, const char *what)
{
	struct ab *ab = ctx;

	ipi_progress__show(&ab->progress, (ab->steps - 1) * 1000 + permille, ab->rounds * 2000,
			   what);
}

static void untraced(void *ctx, const struct ipi_why *why)
{
	struct ab *ab = ctx;

	ipi_progress__end(&ab->progress);
	if (!ab->told)
		ipi_why__print(why);
	ab->told = true;
}

/* A repetition of one setting. */
static int run_side(struct ab *ab, struct side *side, unsigned int round, struct ipi_why *why)
{
	static const struct ipi_run_ops ops = {
		.begin = begin, .progress = progress, .untraced = untraced,
	};
	int err = ipi_command__run(side->command, why);

	if (err)
		return err;
	ab->steps++;
	ab->run.first = round;
	return ipi_run(&ab->run, side->result, &ops, ab, why);
}

static int run_rounds(struct ab *ab, struct ipi_why *why)
{
	unsigned int round;
	int err = 0;

	ipi_progress__begin(&ab->progress);
	for (round = 0; round < ab->rounds && !err && !ipi_signals__pending(); round++) {
		struct side *first = &ab->side[round & 1];
		struct side *second = &ab->side[!(round & 1)];

		err = run_side(ab, first, round, why);
		if (!err && !ipi_signals__pending())
			err = run_side(ab, second, round, why);
	}
	ipi_progress__end(&ab->progress);
	return err;
}

/* Whatever came of it: the machine is to be left as the user wants it. */
static int clean_up(const struct ab *ab)
{
	struct ipi_why why;

	if (!ab->after || !ipi_command__run(ab->after, &why))
		return IPI_EXIT_DONE;
	ipi_why__print(&why);
	return IPI_EXIT_FAILED;
}

static int save(const struct ab *ab)
{
	int status = IPI_EXIT_DONE;
	struct ipi_why why;
	int i;

	for (i = 0; i < 2; i++) {
		if (ab->side[i].json &&
		    ipi_json__write(ab->side[i].result, ab->side[i].json, &why)) {
			ipi_why__print(&why);
			status = IPI_EXIT_FAILED;
		}
	}
	return status;
}

static void print(const struct ab *ab, const struct ipi_compare *compare)
{
	static const char *const name[] = { "a", "b" };
	const struct ipi_table_conf table = { .name = name, .nr = 2 };
	const struct ipi_diff_conf diff = {
		.base = name[0],
		.new = name[1],
		.threshold = ab->threshold,
		.verbose = ab->verbose,
		.colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR"),
	};

	if (ab->table) {
		ipi_table__print(stdout, compare, &table);
		return;
	}
	printf("# a: %s\n# b: %s\n", ab->side[0].command, ab->side[1].command);
	if (ipi_signals__pending())
		printf("# *** interrupted: fewer repetitions than asked for ***\n");
	ipi_diff__print(stdout, compare, &diff);
}

/* A repetition that failed is missing in the table: the first says why. */
static void tell_failure(const struct side *side, const char *name)
{
	const struct ipi_result *result = side->result;
	char label[32];
	int i;

	for (i = 0; i < result->nr_cell; i++) {
		const struct ipi_cell *cell = &result->cell[i];

		if (cell->verdict != IPI_VERDICT_FAILED)
			continue;
		ipi_err("%s: %s, repetition %u: %s", name,
			ipi_cell__label(cell, label, sizeof(label)), cell->repetition + 1,
			cell->note);
		return;
	}
}

/* What both settings came to, and the exit status. */
static int compare(const struct ab *ab)
{
	struct ipi_compare compare;
	int status = IPI_EXIT_DONE;
	int i;

	if (ipi_compare__make(&compare, ab->side[0].result, ab->side[1].result, ab->threshold)) {
		ipi_err("out of memory");
		ipi_compare__free(&compare);
		return IPI_EXIT_FAILED;
	}
	print(ab, &compare);
	for (i = 0; i < 2; i++) {
		tell_failure(&ab->side[i], i ? "b" : "a");
		if (!status)
			status = ipi_cmd__judge(ab->side[i].result);
	}
	if (!status && ipi_compare__any(&compare, IPI_CHANGE_WORSE))
		status = IPI_EXIT_WORSE;
	ipi_compare__free(&compare);
	return ipi_cmd__graver(status, ipi_cmd__written("results"));
}

static int run(struct ab *ab)
{
	struct ipi_why why;
	int status = IPI_EXIT_DONE;
	int err;

	ab->side[0].result = ipi_result__new();
	ab->side[1].result = ipi_result__new();
	if (!ab->side[0].result || !ab->side[1].result) {
		ipi_err("out of memory");
		return IPI_EXIT_FAILED;
	}
	ipi_signals__catch();
	err = run_rounds(ab, &why);
	if (ipi_signals__pending()) {
		status = IPI_EXIT_FAILED;
	} else if (err) {
		ipi_why__print(&why);
		status = ipi_cmd__status(err);
	}
	if (clean_up(ab))
		status = IPI_EXIT_FAILED;
	if (save(ab))
		status = IPI_EXIT_FAILED;
	if (ab->side[0].result->nr_cell && ab->side[1].result->nr_cell) {
		int judged = compare(ab);

		status = status ? status : judged;
	} else if (ipi_signals__pending()) {
		ipi_err("interrupted before there was anything to compare");
	}
	ipi_signals__restore();
	return status;
}

static int settle(struct ab *ab, int argc, const char **argv)
{
	struct ipi_why why;
	int i;

	if (!ab->side[0].command || !ab->side[1].command) {
		ipi_err("ab: two settings are needed");
		fprintf(stderr, "  --a 'echo 0 > /sys/...' --b 'echo 1 > /sys/...'\n");
		return IPI_EXIT_USAGE;
	}
	if (ipi_cmd__table(ab->table) || ipi_cmd__scenarios(&ab->run, argc, argv) ||
	    ipi_cmd__check_backend(&ab->run))
		return IPI_EXIT_USAGE;
	for (i = 0; i < 2; i++) {
		if (ab->side[i].json && ipi_json__check(ab->side[i].json, &why)) {
			ipi_why__print(&why);
			return IPI_EXIT_FAILED;
		}
	}
	ab->rounds = ab->run.repeat;
	ab->run.repeat = 1;
	ab->run.rt = !ab->no_rt;
	ab->run.trace = !ab->no_trace;
	ipi_dbg__set(ab->verbose);
	return IPI_EXIT_DONE;
}

static int parse(struct ab *ab, int argc, const char **argv)
{
	struct ipi_options *opt = &ab->run;
	const struct option options[] = {
	OPT_STRING(0, "a", &ab->side[0].command, "command", "sets the one setting, by sh -c"),
	OPT_STRING(0, "b", &ab->side[1].command, "command", "sets the other"),
	OPT_STRING(0, "after", &ab->after, "command", "run in the end, whatever happens"),
	OPT_CALLBACK('r', "repeat", opt, "n", "rounds: repetitions of either (default: 10)",
		     ipi_cmd__repeat),
	OPT_CALLBACK(0, "threshold", &ab->threshold, "share",
		     "changes up to this don't matter, as 3% or 0.03 (default: 3%)",
		     ipi_cmd__threshold),
	OPT_STRING(0, "table", &ab->table, "commit",
		   "print a table of totals for a commit message"),
	OPT_STRING(0, "json-a", &ab->side[0].json, "file", "write the one's results"),
	OPT_STRING(0, "json-b", &ab->side[1].json, "file", "write the other's"),
	OPT_STRING('C', "cpus", &opt->cpus, "list", "CPUs that take part"),
	OPT_STRING(0, "src", &opt->src, "cpu", "the sender"),
	OPT_STRING(0, "dst", &opt->dst, "list", "the targets"),
	OPT_CALLBACK(0, "target", opt, "state[,...]", "what targets do when hit",
		     ipi_cmd__target),
	OPT_CALLBACK('l', "loop", opt, "n", "calls per row and repetition", ipi_cmd__loop),
	OPT_STRING(0, "backend", &opt->backend, "auto|module|user|fake", "what sends the IPIs"),
	OPT_STRING(0, "module", &opt->module, "file", "the module to load: ipi_bench.ko"),
	OPT_BOOLEAN(0, "no-wait", &opt->nowait, "have the module's calls return once sent"),
	OPT_CALLBACK(0, "gap", opt, "time", "pause before a call", ipi_cmd__gap),
	OPT_CALLBACK('m', "mmap-pages", opt, "pages", "ring pages per CPU", ipi_cmd__pages),
	OPT_BOOLEAN(0, "no-rt", &ab->no_rt, "no SCHED_FIFO for sender and targets"),
	OPT_BOOLEAN(0, "no-trace", &ab->no_trace, "no traced pass: totals only"),
	OPT_INCR('v', "verbose", &ab->verbose, "every row, hints on stderr"),
	OPT_END()
	};

	argc = parse_options(argc, argv, options, usage, 0);
	return settle(ab, argc, argv);
}

int ipi_cmd__ab(int argc, const char **argv, const char *version)
{
	struct ab ab = {
		.run = {
			.backend = "auto",
			.loop = IPI_LOOP_DEFAULT,
			.repeat = ROUNDS,
			.gap_ns = IPI_GAP_DEFAULT_NS,
			.pages = IPI_PAGES_DEFAULT,
			.version = version,
		},
		.threshold = IPI_THRESHOLD_DEFAULT,
	};
	int status = parse(&ab, argc, argv);

	if (!status)
		status = run(&ab);
	ipi_result__delete(ab.side[0].result);
	ipi_result__delete(ab.side[1].result);
	return status;
}
