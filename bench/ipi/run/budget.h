/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many repetitions, where the user gave a time or a precision instead of their number: a few of
 * everything first, then more where the repetitions agree least.
 */
#ifndef IPI_RUN_BUDGET_H
#define IPI_RUN_BUDGET_H

#include "../stats/result.h"
#include "plan.h"

struct ipi_options;

/**
 * ipi_budget__choose - which cells to run in the next repetition
 * @plan:	the cells
 * @opt:	the number of repetitions, or the time and the precision asked for
 * @result:	what was measured so far
 * @repetition:	of the next one, from 0
 * @spent_ns:	time spent so far
 * @chosen:	set for each cell of @plan
 *
 * Without time and precision: all cells, @opt->repeat times. With either: all three times, for
 * less tells nothing; from then on of those whose interval is wider than the precision the wider
 * half, until the time is over or none is left.
 *
 * Return: how many are chosen, 0: enough; or -ENOMEM.
 */
int ipi_budget__choose(const struct ipi_plan *plan, const struct ipi_options *opt,
		       const struct ipi_result *result, unsigned int repetition, u64 spent_ns,
		       bool *chosen);

/* The share of the work that is done, in 1/1000, by time where that is given. */
unsigned int ipi_budget__permille(const struct ipi_options *opt, u64 spent_ns,
				  unsigned int permille);

#endif
