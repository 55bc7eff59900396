// SPDX-License-Identifier: GPL-2.0
/*
 * perf bench ipi matrix: how long an IPI takes from every CPU to every other one.
 *
 * One operation is one call of "normal", for each ordered pair of CPUs. The metric is the p50 and
 * the p99 of its duration, or of a stage, by pair; pairs are told apart by what the two CPUs share.
 * It is not what several senders at once get.
 *
 * Reads options and the topology, chooses pairs, calls run/ and hands the result to report/.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <linux/kernel.h>
#include <subcmd/parse-options.h>

#include "../bench.h"
#include "cmd-matrix.h"
#include "cmd-options.h"
#include "parse.h"
#include "report/matrix.h"
#include "report/report.h"
#include "run/clock.h"
#include "run/pairs.h"
#include "run/run.h"
#include "run/signals.h"
#include "topology.h"
#include "why.h"

#define LOOP_DEFAULT	200
#define REPEAT_DEFAULT	3
/* What a sample may take, so that all of it takes less than 10 s. */
#define SAMPLE_NS	(8 * IPI_NSEC_PER_SEC)
/* Without a terminal. */
#define COLUMNS		100
#define COLUMNS_MIN	60

/* A matrix being made. */
struct cmd {
	struct ipi_options run;
	struct ipi_matrix_conf conf;
	struct ipi_progress progress;
	struct ipi_pairs pairs;
	struct ipi_cpus cpus;
	char *list;		/* of all CPUs of another machine */
	const char *sysfs;
	const char *json;
	const char *stages;
	bool full;
	bool no_rt;
	bool no_color;
	int verbose;
};

static const char *const usage[] = {
	"perf bench ipi matrix [<options>]",
	NULL
};

/* "total,send": those that tracepoints tell need a traced pass. */
static int add_stage(void *ctx, char *name)
{
	unsigned int *stages = ctx;
	int stage = ipi_stage__find(name);

	if (stage < 0)
		return -EINVAL;
	*stages |= 1U << stage;
	return 0;
}

static int parse_stages(const struct option *opt, const char *arg, int unset)
{
	struct cmd *cmd = opt->value;

	if (unset)
		return -1;
	cmd->stages = arg;
	if (!ipi_parse__list(arg, add_stage, &cmd->conf.stages))
		return 0;
	return ipi_cmd__bad_value(opt, arg, -EINVAL,
				  "one or more of total,delivery,send,deliver,dispatch,handle,ack, send_latency,handler_latency");
}

static void begin(void *ctx, const struct ipi_result *result)
{
	struct cmd *cmd = ctx;
	const struct ipi_text_conf conf = { .verbose = cmd->verbose, .colour = cmd->conf.colour };

	ipi_progress__begin(&cmd->progress);
	if (!cmd->json || strcmp(cmd->json, "-"))
		ipi_text__begin(stdout, result, &conf);
}

static void progress(void *ctx, unsigned int permille, const char *what)
{
	struct cmd *cmd = ctx;

	ipi_progress__show(&cmd->progress, permille, 1000, what);
}

static void untraced(void *ctx, const struct ipi_why *why)
{
	struct cmd *cmd = ctx;

	ipi_progress__end(&cmd->progress);
	ipi_why__print(why);
}

static u64 all_pairs(const struct cmd *cmd)
{
	return (u64)cmd->cpus.nr * (u64)(cmd->cpus.nr - 1);
}

/* "12 s", "3.4 s", "2 min" */
static void print_seconds(double ns)
{
	if (ns < 10e9)
		printf("%.1f s", ns / 1e9);
	else if (ns < 120e9)
		printf("%.0f s", ns / 1e9);
	else
		printf("%.0f min", ns / 60e9);
}

static enum ipi_target target_of(const struct cmd *cmd)
{
	return cmd->run.targets ? (enum ipi_target)(ffs((int)cmd->run.targets) - 1) :
				  IPI_TARGET_BUSY;
}

/* What will be measured, and how long that takes. */
static void tell_plan(void *ctx, int nr, u64 ns)
{
	struct cmd *cmd = ctx;
	u64 all = all_pairs(cmd);

	if (cmd->json && !strcmp(cmd->json, "-"))
		return;
	printf("# %d of %llu pairs | %s targets | %u repetitions of %llu calls | ns per call\n",
	       nr, (unsigned long long)all, ipi_target__name(target_of(cmd)), cmd->run.repeat,
	       (unsigned long long)cmd->run.loop);
	printf("# projected: ");
	print_seconds((double)ns);
	if ((u64)nr < all) {
		printf(" | all pairs, with --full: ");
		print_seconds((double)ns / nr * (double)all);
	}
	if (nr < cmd->pairs.nr)
		printf(" | %d pairs of the sample left out, to keep within 10 s",
		       cmd->pairs.nr - nr);
	printf("\n");
	fflush(stdout);
}

/* Was any of the stages asked for measured? */
static bool any_stage(const struct cmd *cmd, const struct ipi_result *result)
{
	int i, stage;

	for (i = 0; i < result->nr_cell; i++) {
		for (stage = 0; stage < IPI_STAGE_NR; stage++) {
			if (cmd->conf.stages & 1U << stage &&
			    ipi_cell__measured(&result->cell[i], stage))
				return true;
		}
	}
	return false;
}

static int print(struct cmd *cmd, const struct ipi_result *result)
{
	int status = ipi_cmd__judge(result);
	struct ipi_why why;

	if (status == IPI_EXIT_DONE && !any_stage(cmd, result))
		status = IPI_EXIT_UNSUPPORTED;
	if (cmd->json && ipi_json__write(result, cmd->json, &why)) {
		ipi_why__print(&why);
		status = IPI_EXIT_FAILED;
	}
	if (!cmd->json || strcmp(cmd->json, "-"))
		ipi_matrix__print(stdout, result, &cmd->conf);
	return ipi_cmd__graver(status, ipi_cmd__written("results"));
}

/* The options that are the matrix's own. */
static int note_options(const struct cmd *cmd, struct ipi_facts *facts)
{
	int err = ipi_facts__num(facts, "full", cmd->full);

	if (!err)
		err = ipi_facts__str(facts, "sysfs", cmd->sysfs);
	return err ? err : ipi_facts__str(facts, "stage", cmd->stages);
}

/* @result has its topology. */
static int run(struct cmd *cmd, struct ipi_result *result)
{
	static const struct ipi_run_ops ops = {
		.begin = begin, .progress = progress, .untraced = untraced, .projected = tell_plan,
	};
	struct ipi_why why;
	int status;
	int err;

	if (note_options(cmd, &result->options)) {
		ipi_err("out of memory");
		return IPI_EXIT_FAILED;
	}
	ipi_signals__catch();
	err = ipi_run(&cmd->run, result, &ops, cmd, &why);
	ipi_progress__end(&cmd->progress);
	if (err)
		ipi_why__print(&why);
	status = err ? ipi_cmd__status(err) : print(cmd, result);
	ipi_signals__restore();
	return status;
}

static bool simulated(const struct cmd *cmd)
{
	return !strcmp(cmd->run.backend, "fake");
}

/* Those of -C, of the machine that is simulated, or that we may use. Return: an exit status. */
static int choose_cpus(struct cmd *cmd, struct ipi_why *why)
{
	size_t size;
	int err;

	if (cmd->run.cpus) {
		err = ipi_cpus__parse(&cmd->cpus, cmd->run.cpus, "--cpus", why);
		if (err)
			return ipi_cmd__status(err);
		if (!simulated(cmd))
			err = ipi_cpus__check(&cmd->cpus, "--cpus", why);
		return err ? IPI_EXIT_FAILED : 0;
	}
	if (!simulated(cmd) || !cmd->sysfs)
		return ipi_cpus__usable(&cmd->cpus, why) ? IPI_EXIT_FAILED : 0;
	if (ipi_topology__online(cmd->sysfs, &cmd->cpus, why))
		return IPI_EXIT_FAILED;
	size = (size_t)cmd->cpus.nr * 12 + 1;
	cmd->list = malloc(size);
	if (!cmd->list) {
		ipi_why__set(why, ENOMEM, NULL, "CPU list");
		return IPI_EXIT_FAILED;
	}
	cmd->run.cpus = ipi_cpus__format(&cmd->cpus, cmd->list, size);
	return 0;
}

/* CPUs, what they share, the pairs. Return: an exit status. */
static int prepare(struct cmd *cmd, struct ipi_result *result)
{
	struct ipi_why why = { 0 };
	int status = choose_cpus(cmd, &why);

	if (!status) {
		result->topology = ipi_topology__read(cmd->sysfs ? cmd->sysfs : "/sys", &cmd->cpus,
						      &why);
		if (!result->topology)
			status = IPI_EXIT_FAILED;
	}
	if (!status && ipi_pairs__make(&cmd->pairs, result->topology, cmd->full, &why))
		status = cmd->cpus.nr < 2 ? IPI_EXIT_UNSUPPORTED : IPI_EXIT_FAILED;
	if (status)
		ipi_why__print(&why);
	return status;
}

static int measure(struct cmd *cmd)
{
	struct ipi_result *result = ipi_result__new();
	int status;

	if (!result) {
		ipi_err("out of memory");
		return IPI_EXIT_FAILED;
	}
	status = prepare(cmd, result);
	if (!status)
		status = run(cmd, result);
	ipi_result__delete(result);
	ipi_pairs__free(&cmd->pairs);
	ipi_cpus__free(&cmd->cpus);
	free(cmd->list);
	return status;
}

/* How wide it is, and whether it can colour. */
static void look_at_terminal(struct cmd *cmd)
{
	const char *term = getenv("TERM");
	const char *more = getenv("COLORTERM");
	struct winsize size;

	cmd->conf.columns = COLUMNS;
	if (!isatty(STDOUT_FILENO))
		return;
	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col >= COLUMNS_MIN)
		cmd->conf.columns = size.ws_col;
	if (cmd->no_color || getenv("NO_COLOR") || !term || !strcmp(term, "dumb"))
		return;
	cmd->conf.colour = true;
	cmd->conf.shades = strstr(term, "256color") || (more && *more);
}

/* What the options mean for one another. Return: an exit status. */
static int settle(struct cmd *cmd)
{
	struct ipi_options *opt = &cmd->run;
	struct ipi_why why;

	if (ipi_cmd__check_backend(opt))
		return IPI_EXIT_USAGE;
	if (opt->targets & (opt->targets - 1)) {
		ipi_err("--target: a matrix has one state of its targets");
		fprintf(stderr, "  make a matrix for each\n");
		return IPI_EXIT_USAGE;
	}
	if (cmd->json && ipi_json__check(cmd->json, &why)) {
		ipi_why__print(&why);
		return IPI_EXIT_FAILED;
	}
	opt->scenario[IPI_SCENARIO_NORMAL] = true;
	opt->explicit = true;
	opt->rt = !cmd->no_rt;
	opt->trace = cmd->conf.stages & ~(1U << IPI_STAGE_TOTAL);
	if (!cmd->conf.stages)
		cmd->conf.stages = 1U << IPI_STAGE_TOTAL | 1U << IPI_STAGE_DELIVERY;
	opt->pairs = &cmd->pairs;
	opt->budget_ns = cmd->full ? 0 : SAMPLE_NS;
	cmd->conf.verbose = cmd->verbose;
	ipi_dbg__set(cmd->verbose);
	look_at_terminal(cmd);
	return 0;
}

int ipi_cmd__matrix(int argc, const char **argv, const char *version)
{
	struct cmd cmd = {
		.run = {
			.backend = "auto",
			.loop = LOOP_DEFAULT,
			.repeat = bench_repeat == IPI_REPEAT_NOT_GIVEN ? REPEAT_DEFAULT :
									 bench_repeat,
			.gap_ns = IPI_GAP_DEFAULT_NS,
			.pages = IPI_PAGES_DEFAULT,
			.version = version,
		},
	};
	struct ipi_options *opt = &cmd.run;
	const struct option options[] = {
	OPT_STRING('C', "cpus", &opt->cpus, "list",
		   "CPUs that take part, as 0-3,8 (default: all we may use)"),
	OPT_CALLBACK(0, "target", opt, "state",
		     "what targets do when hit: busy, kernel, idle, any (default: busy)",
		     ipi_cmd__target),
	OPT_BOOLEAN(0, "full", &cmd.full,
		    "measure every pair, whatever time it takes (default: a sample, within 10 s)"),
	OPT_CALLBACK(0, "stage", &cmd, "stage[,...]",
		     "stages to show (default: total, and delivery with the module)",
		     parse_stages),
	OPT_STRING(0, "sysfs", &cmd.sysfs, "dir",
		   "read which CPUs share what from there (default: /sys)"),
	OPT_CALLBACK('l', "loop", opt, "n", "calls per pair and repetition (default: 200)",
		     ipi_cmd__loop),
	OPT_CALLBACK('r', "repeat", opt, "n", "repetitions (default: 3)", ipi_cmd__repeat),
	OPT_STRING(0, "json", &cmd.json, "file",
		   "write the whole result, - for stdout and no text"),
	OPT_STRING(0, "backend", &opt->backend, "auto|module|user|fake",
		   "what sends the IPIs (default: auto, the module where there is one)"),
	OPT_STRING(0, "module", &opt->module, "file", "the module to load: ipi_bench.ko"),
	OPT_CALLBACK(0, "gap", opt, "time", "pause before a call to an idle target (default: 50us)",
		     ipi_cmd__gap),
	OPT_CALLBACK('m', "mmap-pages", opt, "pages",
		     "ring pages per CPU, a power of two (default: 1024, or what is allowed)",
		     ipi_cmd__pages),
	OPT_BOOLEAN(0, "no-rt", &cmd.no_rt, "no SCHED_FIFO for sender and targets"),
	OPT_BOOLEAN(0, "no-color", &cmd.no_color, "no colours, letters in the map"),
	OPT_INCR('v', "verbose", &cmd.verbose, "say more: a map of each stage, and of p99"),
	OPT_END()
	};
	int status;

	argc = parse_options(argc, argv, options, usage, 0);
	if (argc) {
		ipi_err("matrix: '%s' is no option", argv[0]);
		fprintf(stderr, "  CPUs are named with --cpus\n");
		return IPI_EXIT_USAGE;
	}
	status = settle(&cmd);
	return status ? status : measure(&cmd);
}
