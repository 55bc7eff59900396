// SPDX-License-Identifier: GPL-2.0
/*
 * The figures of a histogram that outputs name, in one table.
 */
#include <string.h>

#include "quantile.h"

static const struct {
	const char *name;
	const char *share;
	unsigned int permille10;
} quantiles[IPI_QUANTILE_NR] = {
	[IPI_QUANTILE_MIN]  = { "min", "0.0", 0 },
	[IPI_QUANTILE_P50]  = { "p50", "0.5", 5000 },
	[IPI_QUANTILE_P90]  = { "p90", "0.9", 9000 },
	[IPI_QUANTILE_P99]  = { "p99", "0.99", 9900 },
	[IPI_QUANTILE_P999] = { "p999", "0.999", 9990 },
	[IPI_QUANTILE_MAX]  = { "max", "1.0", 10000 },
};

const char *ipi_quantile__name(enum ipi_quantile quantile)
{
	return (unsigned int)quantile < IPI_QUANTILE_NR ? quantiles[quantile].name : "?";
}

const char *ipi_quantile__share(enum ipi_quantile quantile)
{
	return (unsigned int)quantile < IPI_QUANTILE_NR ? quantiles[quantile].share : "?";
}

int ipi_quantile__find(const char *name)
{
	int i;

	for (i = 0; i < IPI_QUANTILE_NR; i++) {
		if (!strcmp(name, quantiles[i].name))
			return i;
	}
	return -1;
}

u64 ipi_quantile__of(const struct ipi_hist *hist, enum ipi_quantile quantile)
{
	if (quantile == IPI_QUANTILE_MIN)
		return ipi_hist__min(hist);
	if (quantile == IPI_QUANTILE_MAX || (unsigned int)quantile >= IPI_QUANTILE_NR)
		return ipi_hist__max(hist);
	return ipi_hist__percentile(hist, quantiles[quantile].permille10);
}
