// SPDX-License-Identifier: GPL-2.0
/*
 * perf bench ipi show: results that "--json" wrote, in any output, and held against limits. One is
 * in memory at a time, however many there are.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd-options.h"
#include "cmd-output.h"
#include "cmd-show.h"
#include "why.h"

static const char *const usage[] = {
	"perf bench ipi show [<options>] <run.json>...",
	NULL
};

/* One that can't be read must not hide the others. */
static int show(struct ipi_output *output, const char *path)
{
	struct ipi_result *result;
	struct ipi_why why;
	char name[64];

	ipi_cmd__name_result(name, sizeof(name), path);
	result = ipi_json__read(path, &why);
	if (!result) {
		ipi_why__print(&why);
		ipi_output__print(output, NULL, name);
		return why.err == EOPNOTSUPP ? IPI_EXIT_UNSUPPORTED : IPI_EXIT_FAILED;
	}
	ipi_output__head(output, result, name);
	ipi_output__print(output, result, name);
	ipi_result__delete(result);
	return IPI_EXIT_DONE;
}

static int show_all(struct ipi_output *output, int argc, const char **argv)
{
	int status = ipi_output__begin(output, argc);
	int i;

	if (status)
		return status;
	for (i = 0; i < argc; i++)
		status = ipi_cmd__graver(status, show(output, argv[i]));
	return ipi_cmd__graver(status, ipi_output__end(output));
}

int ipi_cmd__show(int argc, const char **argv, const char *version)
{
	struct option options[IPI_OUTPUT_OPTIONS];
	struct ipi_output output = { .nr = 0 };
	int status;

	(void)version;
	ipi_output__options(options, &output);
	argc = parse_options(argc, argv, options, usage, 0);
	status = ipi_output__check(&output);
	if (!status && !argc) {
		ipi_err("show: no result named");
		fprintf(stderr, "  perf bench ipi show run.json, as --json run.json wrote it\n");
		status = IPI_EXIT_USAGE;
	}
	if (!status)
		status = show_all(&output, argc, argv);
	ipi_output__free(&output);
	return status;
}
