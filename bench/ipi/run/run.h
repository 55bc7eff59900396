/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The driver: a whole run from options to a result.
 */
#ifndef IPI_RUN_RUN_H
#define IPI_RUN_RUN_H

#include "../stats/result.h"
#include "options.h"

struct ipi_why;

/**
 * struct ipi_run_ops - who wants to hear of it
 * @begin:	the result holds title, environment and options; nothing is measured yet
 * @progress:	@permille of the run is done, @what is under way
 * @untraced:	there will be no split into stages, and why; once
 * @projected:	of a matrix: @nr pairs will be measured, and all of it will take about @ns; before
 *		the first of them
 */
struct ipi_run_ops {
	void (*begin)(void *ctx, const struct ipi_result *result);
	void (*progress)(void *ctx, unsigned int permille, const char *what);
	void (*untraced)(void *ctx, const struct ipi_why *why);
	void (*projected)(void *ctx, int nr, u64 ns);
};

/**
 * ipi_run - run the scenarios
 * @opt:	the options; @opt->rt is cleared where SCHED_FIFO is not permitted
 * @result:	from ipi_result__new(), or of an earlier run, whose cells stay; filled, and valid
 *		also after an error or a signal
 * @ops:	hears of it
 * @ctx:	passed to @ops
 * @why:	filled on failure
 *
 * Each repetition makes the untraced passes of all cells, opens the events, and makes the traced
 * ones: an event that is open costs every call something, whether or not it is enabled.
 *
 * Return: 0, or -errno where nothing could be run. A cell that can't be run is no failure: it
 * says so in its verdict.
 */
int ipi_run(struct ipi_options *opt, struct ipi_result *result, const struct ipi_run_ops *ops,
	    void *ctx, struct ipi_why *why);

#endif
