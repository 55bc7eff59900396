// SPDX-License-Identifier: GPL-2.0
/*
 * perf bench ipi: how long an inter-processor interrupt takes here and where that time goes.
 *
 * One operation is one call of a scenario, from the caller's stamp before it to the one after it.
 * The metric is its duration in ns, as percentiles, and those of its stages. It is not throughput,
 * and not what an IPI costs the thread it hits.
 *
 * The front door of both builds: reads options, calls run/, hands the result to report/, decides
 * the exit status. Measures nothing and formats no result itself.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/kernel.h>
#include <subcmd/parse-options.h>

#include "bench/bench.h"
#include "bench/ipi/cmd-ab.h"
#include "bench/ipi/cmd-diff.h"
#include "bench/ipi/cmd-matrix.h"
#include "bench/ipi/cmd-options.h"
#include "bench/ipi/cmd-output.h"
#include "bench/ipi/cmd-plot.h"
#include "bench/ipi/cmd-report.h"
#include "bench/ipi/cmd-show.h"
#include "bench/ipi/report/report.h"
#include "bench/ipi/run/backend.h"
#include "bench/ipi/run/run.h"
#include "bench/ipi/run/signals.h"
#include "bench/ipi/why.h"
#include "builtin-bench-ipi.h"

/* In a perf tree its version is that of perf. */
#ifndef IPI_VERSION
#define IPI_VERSION	"perf " PERF_VERSION
#endif

/* Everything the command line says. */
struct front {
	struct ipi_options run;
	struct ipi_output output;
	struct ipi_progress progress;
	const char *json;
	bool no_rt;
	bool no_trace;
};

static const char *const usage[] = {
	"perf bench ipi [<scenario>[,<scenario>...] | all] [<options>]",
	"perf bench ipi ab --a <command> --b <command> [<scenario>...] [<options>]",
	"perf bench ipi diff [<options>] <base.json> <new.json>...",
	"perf bench ipi list",
	"perf bench ipi matrix [<options>]",
	"perf bench ipi plot [<options>] -o <file.svg|png|html> <run.json>...",
	"perf bench ipi report [<options>]",
	"perf bench ipi show [<options>] <run.json>...",
	NULL
};

/* Those of the 2017 module. */
static void classic_scenarios(struct ipi_options *out)
{
	out->scenario[IPI_SCENARIO_DRY_RUN] = true;
	out->scenario[IPI_SCENARIO_SELF_CALL] = true;
	out->scenario[IPI_SCENARIO_NORMAL] = true;
	out->scenario[IPI_SCENARIO_BROADCAST] = true;
	out->scenario[IPI_SCENARIO_BROADCAST_LOCK] = true;
	out->explicit = true;
	if (!out->targets)
		out->targets = 1U << IPI_TARGET_BUSY;
}

static void list_trigger(void *ctx, enum ipi_scenario scenario, const char *name,
			 const char *needs, const struct ipi_why *why)
{
	char line[512];

	(void)ctx;
	printf("  %-14s  %-36s  %s\n", ipi_scenario__name(scenario), name,
	       why ? "no" : "yes");
	printf("  %-14s    needs: %s\n", "", needs);
	if (why)
		printf("  %-14s    why not: %s\n", "", ipi_why__line(why, line, sizeof(line)));
}

static void list_event(void *ctx, const char *event, bool usable, const char *tells,
		       const char *reason)
{
	(void)ctx;
	printf("  %-40s  %-3s  %s\n", event, usable ? "yes" : "no", usable ? tells : reason);
}

static void list_backend(const struct ipi_backend *backend)
{
	printf("# Scenarios and what triggers them, by the backend '%s' (%s); usable here?\n",
	       backend->name, backend->what);
	backend->list(list_trigger, NULL);
}

static int list(void)
{
	struct ipi_why why;
	char line[512];

	list_backend(&ipi_backend_user);
	list_backend(&ipi_backend_module);
	printf("# The backend '%s': %s\n", ipi_backend_fake.name, ipi_backend_fake.what);
	printf("# Events that split a delivery into stages; usable here?\n");
	if (ipi_live__probe(list_event, NULL, &why))
		printf("  none: %s\n", ipi_why__line(&why, line, sizeof(line)));
	return fflush(stdout) ? IPI_EXIT_FAILED : IPI_EXIT_DONE;
}

static void begin(void *ctx, const struct ipi_result *result)
{
	struct front *front = ctx;

	ipi_progress__begin(&front->progress);
	ipi_output__head(&front->output, result, "");
}

static void progress(void *ctx, unsigned int permille, const char *what)
{
	struct front *front = ctx;

	ipi_progress__show(&front->progress, permille, 1000, what);
}

static void untraced(void *ctx, const struct ipi_why *why)
{
	struct front *front = ctx;

	ipi_progress__end(&front->progress);
	ipi_why__print(why);
}

/* JSON first: where both fail, the file is what somebody will miss. */
static int print(struct front *front, const struct ipi_result *result)
{
	int status = IPI_EXIT_DONE;
	struct ipi_why why;
	int err;

	if (front->json && ipi_json__write(result, front->json, &why)) {
		ipi_why__print(&why);
		status = IPI_EXIT_FAILED;
	}
	err = ipi_output__begin(&front->output, 1);
	if (err)
		return err;
	ipi_output__print(&front->output, result, "-");
	return ipi_cmd__graver(status, ipi_output__end(&front->output));
}

static int run(struct front *front)
{
	static const struct ipi_run_ops ops = {
		.begin = begin, .progress = progress, .untraced = untraced,
	};
	struct ipi_result *result = ipi_result__new();
	struct ipi_why why;
	int status;
	int err;

	if (!result) {
		ipi_err("out of memory");
		return IPI_EXIT_FAILED;
	}
	ipi_signals__catch();
	err = ipi_run(&front->run, result, &ops, front, &why);
	ipi_progress__end(&front->progress);
	if (err) {
		ipi_why__print(&why);
		status = ipi_cmd__status(err);
	} else {
		status = ipi_cmd__judge(result);
		status = ipi_cmd__graver(status, print(front, result));
	}
	ipi_signals__restore();
	ipi_result__delete(result);
	return status;
}

/* What the options mean for one another. */
static int settle(struct front *front, int argc, const char **argv)
{
	struct ipi_options *opt = &front->run;
	struct ipi_why why;

	if (front->output.classic && !argc)
		classic_scenarios(opt);
	else if (ipi_cmd__scenarios(opt, argc, argv))
		return IPI_EXIT_USAGE;
	opt->rt = !front->no_rt;
	opt->trace = !front->no_trace;
	if (ipi_cmd__check_backend(opt))
		return IPI_EXIT_USAGE;
	if (front->json && ipi_json__check(front->json, &why)) {
		ipi_why__print(&why);
		return IPI_EXIT_FAILED;
	}
	return ipi_output__check(&front->output);
}

/* Those with options of their own. */
static const struct {
	const char *name;
	int (*main)(int argc, const char **argv, const char *version);
} commands[] = {
	{ "ab",		ipi_cmd__ab },
	{ "diff",	ipi_cmd__diff },
	{ "matrix",	ipi_cmd__matrix },
	{ "plot",	ipi_cmd__plot },
	{ "report",	ipi_cmd__report },
	{ "show",	ipi_cmd__show },
};

int bench_ipi(int argc, const char **argv)
{
	struct front front = {
		.run = {
			.backend = "auto",
			.loop = IPI_LOOP_DEFAULT,
			.repeat = bench_repeat == IPI_REPEAT_NOT_GIVEN ? 1 : bench_repeat,
			.gap_ns = IPI_GAP_DEFAULT_NS,
			.pages = IPI_PAGES_DEFAULT,
			.version = IPI_VERSION,
		},
	};
	struct ipi_options *opt = &front.run;
	const struct option own[] = {
	OPT_STRING('C', "cpus", &opt->cpus, "list",
		   "CPUs that take part, as 0-3,8 (default: all we may use)"),
	OPT_STRING(0, "src", &opt->src, "cpu", "the sender (default: the first of them)"),
	OPT_STRING(0, "dst", &opt->dst, "list", "the targets (default: the others)"),
	OPT_CALLBACK(0, "target", opt, "state[,...]",
		     "what targets do when hit: busy, kernel, idle, any", ipi_cmd__target),
	OPT_CALLBACK('l', "loop", opt, "n",
		     "calls per row, as 4000 or 20k (default: 2000, or what 120 ms allow)",
		     ipi_cmd__loop),
	OPT_CALLBACK('r', "repeat", opt, "n", "independent repetitions (default: 1)",
		     ipi_cmd__repeat),
	OPT_CALLBACK(0, "time", &opt->time_ns, "time",
		     "repeat for so long instead, most where repetitions differ most, as 5s",
		     ipi_cmd__time),
	OPT_CALLBACK(0, "precision", &opt->precision, "share",
		     "repeat until the intervals of all rows are that narrow, as 1%",
		     ipi_cmd__threshold),
	OPT_STRING(0, "json", &front.json, "file", "write the whole result, - for stdout"),
	OPT_STRING(0, "backend", &opt->backend, "auto|module|user|fake",
		   "what sends the IPIs (default: auto, the module where there is one)"),
	OPT_STRING(0, "module", &opt->module, "file", "the module to load: ipi_bench.ko"),
	OPT_CALLBACK(0, "inject", opt, "handler=time|irqoff=time",
		     "have the module delay its function, or the target, by a known time",
		     ipi_cmd__inject),
	OPT_BOOLEAN(0, "no-wait", &opt->nowait,
		    "have the module's calls return once they are sent"),
	OPT_BOOLEAN(0, "stop-tick", &opt->stop_tick,
		    "let the module's idle targets stop their tick"),
	OPT_CALLBACK(0, "gap", opt, "time",
		     "pause before a call to an idle or sleeping target, or without wait (default: 50us)",
		     ipi_cmd__gap),
	OPT_CALLBACK('m', "mmap-pages", opt, "pages",
		     "ring pages per CPU, a power of two (default: 1024, or what is allowed)",
		     ipi_cmd__pages),
	OPT_BOOLEAN(0, "no-rt", &front.no_rt, "no SCHED_FIFO for sender and targets"),
	OPT_BOOLEAN(0, "no-trace", &front.no_trace, "no traced pass: totals only, no split"),
	OPT_END()
	};
	struct option options[ARRAY_SIZE(own) + IPI_OUTPUT_OPTIONS];
	int status;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(commands) && argc > 1; i++) {
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].main(argc - 1, argv + 1, IPI_VERSION);
	}
	memcpy(options, own, sizeof(own));
	ipi_output__options(&options[ARRAY_SIZE(own) - 1], &front.output);
	argc = parse_options(argc, argv, options, usage, 0);
	if (argc == 1 && !strcmp(argv[0], "list"))
		return list();
	status = settle(&front, argc, argv);
	if (!status)
		status = run(&front);
	ipi_output__free(&front.output);
	return status;
}
