/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How the cost of a call grows with the number of its targets: the law behind the rows of
 * "multicast".
 */
#ifndef IPI_STATS_LAW_H
#define IPI_STATS_LAW_H

#include "fit.h"
#include "result.h"

/**
 * struct ipi_law - the law of one sweep: p50 of the total against the number of targets
 * @cell:	one of its rows, for what they have in common: sender, target state
 * @nr:		rows it was found in, repetitions included
 * @fit:	in ns, and ns per target
 */
struct ipi_law {
	const struct ipi_cell *cell;
	int nr;
	struct ipi_fit fit;
};

/**
 * ipi_law__list - the laws of a result's sweeps
 * @result:	the result, which must outlive them
 * @laws:	set, to be freed with free(); NULL where there are none
 *
 * A sweep is the rows of multicast with a headline, of one sender and one target state; one of less
 * than three different numbers of targets has no law.
 *
 * Return: how many, or -ENOMEM.
 */
int ipi_law__list(const struct ipi_result *result, struct ipi_law **laws);

#endif
