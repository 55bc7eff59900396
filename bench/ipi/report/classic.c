// SPDX-License-Identifier: GPL-2.0
/*
 * The five lines of the ipi_benchmark module of 2017, to the letter, so that scripts made for it
 * still parse: "LABEL: DELIVERY, TOTAL ns", both for all calls made, or "LABEL FAILED: ERROR". Its
 * "Self-IPI" was a call to one's own CPU, and still is here.
 *
 * Where the module was wrong the line is not: the delivery of a broadcast is measured, and "-"
 * stands for what was not. The dry run delivers nothing, in 0 ns.
 */
#include <errno.h>
#include <string.h>

#include <linux/kernel.h>

#include "report.h"

static const struct {
	enum ipi_scenario scenario;
	const char *label;
} lines[] = {
	{ IPI_SCENARIO_DRY_RUN,		"Dry-run" },
	{ IPI_SCENARIO_SELF_CALL,	"Self-IPI" },
	{ IPI_SCENARIO_NORMAL,		"Normal IPI" },
	{ IPI_SCENARIO_BROADCAST,	"Broadcast IPI" },
	{ IPI_SCENARIO_BROADCAST_LOCK,	"Broadcast lock" },
};

#define LABEL_WIDTH	16	/* of the label and its colon */
#define NUMBER_WIDTH	18

static const struct ipi_cell *find_cell(const struct ipi_result *result,
					enum ipi_scenario scenario)
{
	int i;

	for (i = 0; i < result->nr_cell; i++) {
		if (result->cell[i].scenario == scenario)
			return &result->cell[i];
	}
	return NULL;
}

/* 0, or the error the module would have had, or should have. */
static int cell_error(const struct ipi_cell *cell)
{
	static const char two_cpus[] = "needs two CPUs";

	switch (cell->verdict) {
	case IPI_VERDICT_OK:
		return ipi_cell__measured(cell, IPI_STAGE_TOTAL) ? 0 : -ENODATA;
	case IPI_VERDICT_REFUSED:
		return -ENODATA;
	case IPI_VERDICT_UNSUPPORTED:
		return strncmp(cell->note, two_cpus, strlen(two_cpus)) ? -EOPNOTSUPP : -ENOENT;
	case IPI_VERDICT_FAILED:
	case IPI_VERDICT_NR:
	default:
		return -EIO;
	}
}

/* The mean of those deliveries that were split, times the calls. */
static void put_delivery(const struct ipi_cell *cell, char *buf, size_t size)
{
	const struct ipi_hist *hist = cell->stage[IPI_STAGE_DELIVERY];
	double mean = ipi_hist__sum(hist);

	if (cell->scenario == IPI_SCENARIO_DRY_RUN) {
		snprintf(buf, size, "0");
	} else if (ipi_hist__count(hist)) {
		mean /= ipi_hist__count(hist);
		snprintf(buf, size, "%.0f", mean * ipi_hist__count(cell->stage[IPI_STAGE_TOTAL]));
	} else {
		snprintf(buf, size, "-");
	}
}

static void print_cell(FILE *file, const char *label, const struct ipi_cell *cell)
{
	char delivery[32];
	int err;

	err = cell_error(cell);
	if (err) {
		fprintf(file, "%s FAILED: %d\n", label, err);
		return;
	}
	put_delivery(cell, delivery, sizeof(delivery));
	fprintf(file, "%s:%*s%*s, %*llu ns\n", label, LABEL_WIDTH - 1 - (int)strlen(label), "",
		NUMBER_WIDTH, delivery, NUMBER_WIDTH,
		(unsigned long long)ipi_hist__sum(cell->stage[IPI_STAGE_TOTAL]));
}

void ipi_classic__print(FILE *file, const struct ipi_result *result)
{
	const struct ipi_cell *cell;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		cell = find_cell(result, lines[i].scenario);
		if (cell)
			print_cell(file, lines[i].label, cell);
	}
	fflush(file);
}
