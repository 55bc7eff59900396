/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two results beside each other: which cells are of the same kind, what became of each stage, and
 * what else differed.
 */
#ifndef IPI_STATS_COMPARE_H
#define IPI_STATS_COMPARE_H

#include "effect.h"
#include "result.h"

/* In one of so many comparisons of two results that don't differ, chance may call one a change. */
#define IPI_COMPARE_ALPHA	0.001

enum ipi_change_verdict {
	IPI_CHANGE_SAME,	/* within the threshold, for sure */
	IPI_CHANGE_BETTER,	/* faster by more than the threshold, for sure */
	IPI_CHANGE_WORSE,	/* slower by more than the threshold, for sure */
	IPI_CHANGE_UNDECIDED,	/* these data can't tell */
	IPI_CHANGE_NR,
};

const char *ipi_change_verdict__name(enum ipi_change_verdict verdict);

/**
 * struct ipi_change - one stage of one kind of cell
 * @base:	its first cell in the base, of all repetitions
 * @new:	and in the new result
 * @stage:	the stage
 * @nr_base:	repetitions of the base
 * @nr_new:	of the new one
 * @p50:	the medians, compared
 * @p99:	the 99th percentiles, compared; nothing is claimed of them
 * @verdict:	what became of the median
 */
struct ipi_change {
	const struct ipi_cell *base;
	const struct ipi_cell *new;
	enum ipi_stage stage;
	int nr_base;
	int nr_new;
	struct ipi_effect p50;
	struct ipi_effect p99;
	enum ipi_change_verdict verdict;
};

/**
 * struct ipi_compare - two results compared
 * @change:	stages that both have, by scenario, target state and CPUs
 * @nr:		how many
 * @only_base:	kinds of cells with a headline that only the base has
 * @only_new:	that only the new result has
 * @differs:	what differed besides, one a line: "kernel: 6.1.0 / 6.12.0"
 */
struct ipi_compare {
	struct ipi_change *change;
	int nr;
	int only_base;
	int only_new;
	char differs[1024];
};

/**
 * ipi_compare__make - compare two results
 * @compare:	filled; free with ipi_compare__free(), also after an error. Its cells are the
 *		results', which must outlive it
 * @base:	the one
 * @new:	the other
 * @threshold:	changes up to this ratio don't matter: 0.03 for 3 %
 *
 * Cells are of the same kind if scenario, target state, numbers of targets and of senders are the
 * same, and sender and targets; or where each result has such cells for one sender and its targets
 * only, other CPUs (another machine). Repetitions of a kind are the statistics. Refused cells take
 * no part.
 *
 * A change is called one only where its interval lies beyond the threshold and chance gives as much
 * in less than IPI_COMPARE_ALPHA of the cases, divided by the number of medians compared
 * (Bonferroni): a table of a hundred rows must not make one up.
 *
 * Return: 0 or -ENOMEM.
 */
int ipi_compare__make(struct ipi_compare *compare, const struct ipi_result *base,
		      const struct ipi_result *new, double threshold);
void ipi_compare__free(struct ipi_compare *compare);

/* Did anything get worse, or better? */
bool ipi_compare__any(const struct ipi_compare *compare, enum ipi_change_verdict verdict);

#endif
