/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The figures of a histogram that outputs name: smallest, percentiles, largest. Their names are
 * those of the keys in JSON.
 */
#ifndef IPI_STATS_QUANTILE_H
#define IPI_STATS_QUANTILE_H

#include "hist.h"

enum ipi_quantile {
	IPI_QUANTILE_MIN,
	IPI_QUANTILE_P50,
	IPI_QUANTILE_P90,
	IPI_QUANTILE_P99,
	IPI_QUANTILE_P999,
	IPI_QUANTILE_MAX,
	IPI_QUANTILE_NR,
};

const char *ipi_quantile__name(enum ipi_quantile quantile);	/* "min", "p50", ... */
int ipi_quantile__find(const char *name);			/* -1 if @name is none */

/* The same as a share of the samples: "0.0", "0.5", ... "1.0". */
const char *ipi_quantile__share(enum ipi_quantile quantile);

/* In ns; 0 of an empty histogram. */
u64 ipi_quantile__of(const struct ipi_hist *hist, enum ipi_quantile quantile);

#endif
