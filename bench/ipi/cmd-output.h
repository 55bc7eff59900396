/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The outputs of results, as options: what runs or shows any prints them through this.
 */
#ifndef IPI_CMD_OUTPUT_H
#define IPI_CMD_OUTPUT_H

#include <stdbool.h>
#include <subcmd/parse-options.h>

#include "report/openmetrics.h"
#include "report/report.h"
#include "stats/limit.h"

/**
 * struct ipi_output - how results are to be printed, and how far that is
 * @text:	the default output
 * @simple:	"-f simple"
 * @classic:	--classic
 * @ktap:	--ktap
 * @separator:	-x, NULL without
 * @openmetrics: --openmetrics, NULL without
 * @limits:	--limit
 * @nr:		results to come
 * @done:	and printed
 * @metrics:	being made
 * @kept:	by limit: some row has such a figure
 * @exceeded:	some row's is more than its limit
 * @write_err:	why stdout could not be written, errno, 0 if it could
 */
struct ipi_output {
	struct ipi_text_conf text;
	bool simple;
	bool classic;
	bool ktap;
	const char *separator;
	const char *openmetrics;
	struct ipi_limits limits;
	int nr;
	int done;
	struct ipi_openmetrics metrics;
	bool *kept;
	bool exceeded;
	int write_err;
};

#define IPI_OUTPUT_OPTIONS	10	/* with the end */

/* Fills in the options that set @output, the last of which is the end of all. */
void ipi_output__options(struct option *options, struct ipi_output *output);

/* Do they go together, can the files be written? Return: 0 or an exit status, then it is said. */
int ipi_output__check(struct ipi_output *output);

/* Begin, with so many results to come. Return: 0 or an exit status. */
int ipi_output__begin(struct ipi_output *output, int nr);

/*
 * What stands above a result: may be printed before it was measured, and before anything was begun.
 * @name is said where there are several.
 */
void ipi_output__head(struct ipi_output *output, const struct ipi_result *result,
		      const char *name);

/* Print one. @result is NULL where it could not be read. */
void ipi_output__print(struct ipi_output *output, const struct ipi_result *result,
		       const char *name);

/* All are printed. Return: the exit status, by what was written and by the limits. */
int ipi_output__end(struct ipi_output *output);

/* To be called whatever became of it. */
void ipi_output__free(struct ipi_output *output);

#endif
