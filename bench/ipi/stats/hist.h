/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Log-linear histogram of ns. Error bound: a value read back differs from the one recorded by at
 * most 1/128 of it (0.79 %), and not at all below 128 ns; min and max are exact. No floating point
 * on record, mergeable by addition.
 */
#ifndef IPI_STATS_HIST_H
#define IPI_STATS_HIST_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

struct ipi_hist;

struct ipi_hist *ipi_hist__new(void);	/* NULL without memory */
void ipi_hist__delete(struct ipi_hist *hist);
void ipi_hist__add(struct ipi_hist *hist, u64 value);
void ipi_hist__merge(struct ipi_hist *to, const struct ipi_hist *from);
u64 ipi_hist__count(const struct ipi_hist *hist);	/* 0 for NULL as well */
u64 ipi_hist__min(const struct ipi_hist *hist);	/* of an empty one: 0 */
u64 ipi_hist__max(const struct ipi_hist *hist);
u64 ipi_hist__sum(const struct ipi_hist *hist);	/* exact; saturates at UINT64_MAX */

/**
 * ipi_hist__percentile - the value below or at which @permille10 of the samples lie
 * @hist:	the histogram
 * @permille10:	in 1/10000: 5000 is the median, 9990 p99.9
 *
 * Nearest rank: the sample of rank ceil(count * permille10 / 10000). Clamped to [min, max].
 *
 * Return: ns, the middle of the bucket; 0 of an empty histogram.
 */
u64 ipi_hist__percentile(const struct ipi_hist *hist, unsigned int permille10);

/**
 * ipi_hist__next - walk the buckets that hold something
 * @hist:	the histogram
 * @pos:	0 to begin with, kept by the walk
 * @low:	set to the bucket's smallest value
 * @width:	set to the number of values in it
 * @count:	set to the samples in it
 *
 * Return: true while there was one.
 */
bool ipi_hist__next(const struct ipi_hist *hist, unsigned int *pos, u64 *low,
		    u64 *width, u64 *count);

/**
 * struct ipi_bucket - a bucket that holds something
 * @low:	its smallest value
 * @count:	samples in it
 */
struct ipi_bucket {
	u64 low;
	u64 count;
};

/**
 * ipi_hist__restore - a histogram back from what ipi_hist__next() gave
 * @bucket:	the buckets, ascending
 * @nr:		how many
 * @min:	the smallest value
 * @max:	the largest
 * @sum:	of all values
 *
 * It has room for what it holds and no more: it can be read, and merged into another one, but
 * nothing can be added.
 *
 * Return: the histogram, or NULL: errno is ENOMEM, or EINVAL where no histogram gives that.
 */
struct ipi_hist *ipi_hist__restore(const struct ipi_bucket *bucket, size_t nr, u64 min, u64 max,
				   u64 sum);

#endif
