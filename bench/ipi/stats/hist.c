// SPDX-License-Identifier: GPL-2.0
/*
 * Log-linear histogram: 64 buckets for every power of two, one for every value below 128. The
 * bucket of a value is its position of the highest bit and the 6 bits that follow, so recording
 * is a count-leading-zeroes, a shift and an addition, and two histograms merge by addition.
 *
 * It takes all of u64: nothing is clamped. The buckets are one calloc(): those of magnitudes
 * that never come are never touched, and cost address space alone.
 */
#include <errno.h>
#include <stdlib.h>

#include "hist.h"

#define HIST_SUB_BITS	6
#define HIST_SUB	64U			/* buckets per octave */
#define HIST_LINEAR	(2U * HIST_SUB)		/* values below have a bucket of their own */
#define HIST_BUCKETS	((64U - HIST_SUB_BITS + 1) * HIST_SUB)

struct ipi_hist {
	u64 count;
	u64 min;
	u64 max;
	u64 sum;
	unsigned int first;	/* the first bucket there is room for, and how many */
	unsigned int nr;
	u64 bucket[];
};

/* The linear part is the octave whose shift is 0: no branch is needed to tell it apart. */
static unsigned int bucket_of(u64 value)
{
	unsigned int top = 63 - (unsigned int)__builtin_clzll(value | (HIST_LINEAR - 1));
	unsigned int shift = top - HIST_SUB_BITS;

	return shift * HIST_SUB + (unsigned int)(value >> shift);
}

static unsigned int bucket_shift(unsigned int bucket)
{
	return bucket < HIST_LINEAR ? 0 : bucket / HIST_SUB - 1;
}

static u64 bucket_low(unsigned int bucket)
{
	unsigned int shift = bucket_shift(bucket);

	return (u64)(bucket - shift * HIST_SUB) << shift;
}

static u64 bucket_width(unsigned int bucket)
{
	return UINT64_C(1) << bucket_shift(bucket);
}

static struct ipi_hist *new_span(unsigned int first, unsigned int nr)
{
	struct ipi_hist *hist = calloc(1, sizeof(*hist) + nr * sizeof(hist->bucket[0]));

	if (!hist)
		return NULL;
	hist->min = UINT64_MAX;
	hist->first = first;
	hist->nr = nr;
	return hist;
}

struct ipi_hist *ipi_hist__new(void)
{
	return new_span(0, HIST_BUCKETS);
}

void ipi_hist__delete(struct ipi_hist *hist)
{
	free(hist);
}

static u64 add_saturated(u64 a, u64 b)
{
	u64 sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

void ipi_hist__add(struct ipi_hist *hist, u64 value)
{
	unsigned int at = bucket_of(value) - hist->first;

	if (at >= hist->nr)
		return;
	hist->bucket[at]++;
	hist->count++;
	hist->sum = add_saturated(hist->sum, value);
	if (value < hist->min)
		hist->min = value;
	if (value > hist->max)
		hist->max = value;
}

void ipi_hist__merge(struct ipi_hist *to, const struct ipi_hist *from)
{
	unsigned int last;
	unsigned int i;

	if (!ipi_hist__count(from))
		return;

	if (to->nr < HIST_BUCKETS)
		return;
	last = bucket_of(from->max);
	for (i = bucket_of(from->min); i <= last; i++)
		to->bucket[i] += from->bucket[i - from->first];
	to->count += from->count;
	to->sum = add_saturated(to->sum, from->sum);
	if (from->min < to->min)
		to->min = from->min;
	if (from->max > to->max)
		to->max = from->max;
}

u64 ipi_hist__count(const struct ipi_hist *hist)
{
	return hist ? hist->count : 0;
}

u64 ipi_hist__min(const struct ipi_hist *hist)
{
	return ipi_hist__count(hist) ? hist->min : 0;
}

u64 ipi_hist__max(const struct ipi_hist *hist)
{
	return ipi_hist__count(hist) ? hist->max : 0;
}

u64 ipi_hist__sum(const struct ipi_hist *hist)
{
	return hist ? hist->sum : 0;
}

/* ceil(count * permille10 / 10000) without overflow; at least 1. */
static u64 nearest_rank(u64 count, unsigned int permille10)
{
	u64 whole = count / 10000 * permille10;
	u64 rank = whole + (count % 10000 * permille10 + 9999) / 10000;

	return rank ? rank : 1;
}

u64 ipi_hist__percentile(const struct ipi_hist *hist, unsigned int permille10)
{
	u64 low, width, count, value;
	unsigned int pos = 0;
	u64 seen = 0;
	u64 rank;

	if (!ipi_hist__count(hist))
		return 0;
	if (permille10 > 10000)
		permille10 = 10000;

	rank = nearest_rank(hist->count, permille10);
	while (ipi_hist__next(hist, &pos, &low, &width, &count)) {
		seen += count;
		if (seen < rank)
			continue;
		value = low + (width - 1) / 2;
		if (value < hist->min)
			return hist->min;
		return value < hist->max ? value : hist->max;
	}
	return hist->max;
}

bool ipi_hist__next(const struct ipi_hist *hist, unsigned int *pos, u64 *low,
		    u64 *width, u64 *count)
{
	unsigned int last;
	unsigned int i;

	if (!ipi_hist__count(hist))
		return false;

	last = bucket_of(hist->max);
	i = bucket_of(hist->min);
	for (i = *pos > i ? *pos : i; i <= last; i++) {
		if (!hist->bucket[i - hist->first])
			continue;
		*pos = i + 1;
		*low = bucket_low(i);
		*width = bucket_width(i);
		*count = hist->bucket[i - hist->first];
		return true;
	}
	*pos = i;
	return false;
}

static bool restore(struct ipi_hist *hist, const struct ipi_bucket *bucket, size_t nr)
{
	unsigned int at, before = 0;
	size_t i;

	for (i = 0; i < nr; i++) {
		at = bucket_of(bucket[i].low);
		if (bucket_low(at) != bucket[i].low || !bucket[i].count || (i && at <= before) ||
		    __builtin_add_overflow(hist->count, bucket[i].count, &hist->count))
			return false;
		hist->bucket[at - hist->first] = bucket[i].count;
		before = at;
	}
	return true;
}

struct ipi_hist *ipi_hist__restore(const struct ipi_bucket *bucket, size_t nr, u64 min, u64 max,
				   u64 sum)
{
	unsigned int first = bucket_of(min), last = bucket_of(max);
	struct ipi_hist *hist;

	if (!nr || min > max || bucket_of(bucket[0].low) != first ||
	    bucket_of(bucket[nr - 1].low) != last) {
		errno = EINVAL;
		return NULL;
	}
	hist = new_span(first, last - first + 1);
	if (!hist)
		return NULL;
	hist->min = min;
	hist->max = max;
	hist->sum = sum;
	if (restore(hist, bucket, nr))
		return hist;
	free(hist);
	errno = EINVAL;
	return NULL;
}
