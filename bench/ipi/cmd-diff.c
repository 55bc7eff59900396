// SPDX-License-Identifier: GPL-2.0
/*
 * perf bench ipi diff: did it get better? Compares results that "--json" wrote, the first with each
 * of the others. The statistics are stats/compare's, this file reads options and files.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <subcmd/parse-options.h>

#include "cmd-diff.h"
#include "cmd-options.h"
#include "report/report.h"
#include "stats/compare.h"
#include "stats/outliers.h"
#include "why.h"

#define THRESHOLD_FLEET	0.1	/* machines differ more than a machine from itself */
#define FILES_MAX	64

/* Everything the command line says, and what was read. */
struct diff {
	double threshold;		/* negative: not given */
	bool outliers;
	const char *table;
	const char *normalize;
	int verbose;
	const char **path;
	int nr;
	char name[FILES_MAX][64];
	struct ipi_result *result[FILES_MAX];
	struct ipi_compare compare[FILES_MAX];
};

static const char *const usage[] = {
	"perf bench ipi diff [<options>] <base.json> <new.json>...",
	"perf bench ipi diff --outliers [<options>] <host.json>...",
	NULL
};

static int read_all(struct diff *diff)
{
	struct ipi_why why;
	int i;

	for (i = 0; i < diff->nr; i++) {
		diff->result[i] = ipi_json__read(diff->path[i], &why);
		if (!diff->result[i]) {
			ipi_why__print(&why);
			return why.err == EOPNOTSUPP ? IPI_EXIT_UNSUPPORTED : IPI_EXIT_FAILED;
		}
		ipi_cmd__name_result(diff->name[i], sizeof(diff->name[i]), diff->path[i]);
	}
	return IPI_EXIT_DONE;
}

static int compare_all(struct diff *diff)
{
	int i;

	for (i = 1; i < diff->nr; i++) {
		if (ipi_compare__make(&diff->compare[i - 1], diff->result[0], diff->result[i],
				      diff->threshold)) {
			ipi_err("out of memory");
			return IPI_EXIT_FAILED;
		}
	}
	return IPI_EXIT_DONE;
}

static void print_table(const struct diff *diff)
{
	const char *name[FILES_MAX];
	const struct ipi_table_conf conf = {
		.name = name, .nr = diff->nr, .normalize = diff->normalize,
	};
	int i;

	for (i = 0; i < diff->nr; i++)
		name[i] = diff->name[i];
	ipi_table__print(stdout, diff->compare, &conf);
}

static void print_all(const struct diff *diff)
{
	int i;

	for (i = 1; i < diff->nr; i++) {
		const struct ipi_diff_conf conf = {
			.base = diff->name[0],
			.new = diff->name[i],
			.threshold = diff->threshold,
			.verbose = diff->verbose,
			.colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR"),
		};

		if (i > 1)
			printf("#\n");
		ipi_diff__print(stdout, &diff->compare[i - 1], &conf);
	}
}

/* What a script may rely on. */
static int judge(const struct diff *diff)
{
	bool worse = false, compared = false;
	int i;

	for (i = 1; i < diff->nr; i++) {
		compared = compared || diff->compare[i - 1].nr;
		worse = worse || ipi_compare__any(&diff->compare[i - 1], IPI_CHANGE_WORSE);
	}
	if (worse)
		return IPI_EXIT_WORSE;
	return compared ? IPI_EXIT_DONE : IPI_EXIT_UNSUPPORTED;
}

static int run(struct diff *diff)
{
	int status = read_all(diff);

	if (!status)
		status = compare_all(diff);
	if (status)
		return status;
	if (diff->table || diff->normalize)
		print_table(diff);
	else
		print_all(diff);
	status = ipi_cmd__written("results");
	return status ? status : judge(diff);
}

/* Hosts whose files are called the same, in directories of their own, go by the whole path. */
static bool is_alone(const struct diff *diff, int index)
{
	char name[64], other[64];
	int i;

	ipi_cmd__name_result(name, sizeof(name), diff->path[index]);
	for (i = 0; i < diff->nr; i++) {
		ipi_cmd__name_result(other, sizeof(other), diff->path[i]);
		if (i != index && !strcmp(name, other))
			return false;
	}
	return true;
}

static int add_host(struct ipi_fleet *fleet, const struct diff *diff, int index)
{
	struct ipi_result *result;
	struct ipi_why why;
	char name[64];
	int err;

	/* One is in memory at a time. */
	result = ipi_json__read(diff->path[index], &why);
	if (!result) {
		ipi_why__print(&why);
		return why.err == EOPNOTSUPP ? IPI_EXIT_UNSUPPORTED : IPI_EXIT_FAILED;
	}
	ipi_cmd__name_result(name, sizeof(name), diff->path[index]);
	err = ipi_fleet__add(fleet, is_alone(diff, index) ? name : diff->path[index], result);
	ipi_result__delete(result);
	if (err)
		ipi_err("out of memory");
	return err ? IPI_EXIT_FAILED : IPI_EXIT_DONE;
}

static int judge_fleet(struct ipi_fleet *fleet, const struct diff *diff)
{
	int status, i;

	if (ipi_fleet__judge(fleet, diff->threshold)) {
		ipi_err("out of memory");
		return IPI_EXIT_FAILED;
	}
	ipi_outliers__print(stdout, fleet, diff->threshold, diff->verbose);
	status = ipi_cmd__written("results");
	if (status)
		return status;
	if (fleet->nr_off)
		return IPI_EXIT_WORSE;
	for (i = 0; i < fleet->nr_usual && fleet->usual[i].hosts < IPI_OUTLIERS_MIN; i++)
		;
	return i < fleet->nr_usual ? IPI_EXIT_DONE : IPI_EXIT_UNSUPPORTED;
}

static int find_outliers(struct diff *diff)
{
	struct ipi_fleet fleet = { .nr_host = 0 };
	int status = IPI_EXIT_DONE;
	int i;

	for (i = 0; i < diff->nr && !status; i++)
		status = add_host(&fleet, diff, i);
	if (!status)
		status = judge_fleet(&fleet, diff);
	ipi_fleet__free(&fleet);
	return status;
}

static int settle_fleet(struct diff *diff, int argc, const char **argv)
{
	if (argc < IPI_OUTLIERS_MIN) {
		ipi_err("diff --outliers: results of %d hosts are needed at least",
			IPI_OUTLIERS_MIN);
		fprintf(stderr, "  perf bench ipi --json HOST.json on each of them\n");
		return IPI_EXIT_USAGE;
	}
	if (diff->table || diff->normalize) {
		ipi_err("diff: --outliers has a table of its own");
		return IPI_EXIT_USAGE;
	}
	if (diff->threshold < 0)
		diff->threshold = THRESHOLD_FLEET;
	diff->path = argv;
	diff->nr = argc;
	return 0;
}

static int settle(struct diff *diff, int argc, const char **argv)
{
	if (diff->outliers)
		return settle_fleet(diff, argc, argv);
	if (diff->threshold < 0)
		diff->threshold = IPI_THRESHOLD_DEFAULT;
	if (argc < 2 || argc > FILES_MAX) {
		ipi_err(argc < 2 ? "diff: two results are needed" : "diff: too many results");
		fprintf(stderr, "  perf bench ipi -r 10 --json base.json, and so for new.json\n");
		return IPI_EXIT_USAGE;
	}
	if (ipi_cmd__table(diff->table))
		return IPI_EXIT_USAGE;
	if (diff->normalize && strcmp(diff->normalize, "dry-run")) {
		ipi_err("--normalize: can't divide by '%s'", diff->normalize);
		fprintf(stderr, "  dry-run\n");
		return IPI_EXIT_USAGE;
	}
	diff->path = argv;
	diff->nr = argc;
	return IPI_EXIT_DONE;
}

static int parse(struct diff *diff, int argc, const char **argv)
{
	const struct option options[] = {
	OPT_CALLBACK(0, "threshold", &diff->threshold, "share",
		     "changes up to this don't matter, as 3% or 0.03 (default: 3%, of --outliers 10%)",
		     ipi_cmd__threshold),
	OPT_BOOLEAN(0, "outliers", &diff->outliers,
		    "name the hosts that are off, of four or more"),
	OPT_STRING(0, "table", &diff->table, "commit",
		   "print a table of totals for a commit message"),
	OPT_STRING(0, "normalize", &diff->normalize, "dry-run",
		   "print it as multiples of each result's dry run"),
	OPT_INCR('v', "verbose", &diff->verbose, "every row, however many there are"),
	OPT_END()
	};

	diff->threshold = -1;
	argc = parse_options(argc, argv, options, usage, 0);
	return settle(diff, argc, argv);
}

int ipi_cmd__diff(int argc, const char **argv, const char *version)
{
	struct diff *diff = calloc(1, sizeof(*diff));
	int status;
	int i;

	(void)version;
	if (!diff) {
		ipi_err("out of memory");
		return IPI_EXIT_FAILED;
	}
	status = parse(diff, argc, argv);
	if (!status)
		status = diff->outliers ? find_outliers(diff) : run(diff);
	for (i = 0; i < diff->nr && i < FILES_MAX; i++) {
		ipi_compare__free(&diff->compare[i]);
		ipi_result__delete(diff->result[i]);
	}
	free(diff);
	return status;
}
