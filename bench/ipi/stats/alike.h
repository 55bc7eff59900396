/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What may be compared with what: rows of several results that are of one kind, stages that tell of
 * the machine, and the facts that make two results hard to compare.
 */
#ifndef IPI_STATS_ALIKE_H
#define IPI_STATS_ALIKE_H

#include "result.h"

/*
 * Order of rows, 0 of the same kind: scenario, target state, numbers of targets and of senders, and
 * whether a call waits.
 */
int ipi_alike__order(const struct ipi_cell *a, const struct ipi_cell *b);

/* And of the same CPUs. */
int ipi_alike__order_place(const struct ipi_cell *a, const struct ipi_cell *b);

/* Does the stage tell of the machine? Those of the bench's own passes don't. */
bool ipi_alike__compares(enum ipi_stage stage);

/* Facts of the environment that make results hard to compare, in the order of their weight. */
#define IPI_ALIKE_FACTS	18

const char *ipi_alike__fact(unsigned int index);		/* its key */

/* A fact in words into @buf, "-" where it is not known. Return: @buf. */
const char *ipi_alike__value(const struct ipi_facts *facts, const char *key, char *buf,
			     size_t size);

#endif
