// SPDX-License-Identifier: GPL-2.0
/*
 * Clock skew by handing stamps to and fro. One operation is a round trip of a cache line.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <linux/compiler.h>

#include "../cpus.h"
#include "clock.h"
#include "sched.h"
#include "signals.h"
#include "skew.h"

#define TRIPS		500
#define PAIR_MAX_NS	(2 * IPI_NSEC_PER_MSEC)
#define ALL_MAX_NS	(200 * IPI_NSEC_PER_MSEC)
#define START_MAX_NS	(20 * IPI_NSEC_PER_MSEC)

/* The line that goes to and fro: an odd turn is the partner's to answer. */
struct line {
	u32 turn;
	s64 stamp;
} __aligned(128);

struct pair {
	struct line line;
	bool rt;
	u32 quit;
	s64 there;		/* shortest trip to the partner, written by it */
	bool answered;
};

static s64 now(void)
{
	return (s64)ipi_clock__now();
}

static void *partner_main(void *arg)
{
	struct pair *pair = arg;
	u64 end = ipi_clock__now() + START_MAX_NS + PAIR_MAX_NS;
	u32 turn = 1;
	s64 trip;

	ipi_signals__block();
	if (pair->rt)
		ipi_sched__fifo(IPI_PRIO_TARGET, NULL);
	while (!__atomic_load_n(&pair->quit, __ATOMIC_ACQUIRE)) {
		if (__atomic_load_n(&pair->line.turn, __ATOMIC_ACQUIRE) != turn) {
			/* The other side may have been put off its CPU for good. */
			if (ipi_clock__now() > end)
				break;
			continue;
		}
		trip = now() - pair->line.stamp;
		if (!pair->answered || trip < pair->there)
			pair->there = trip;
		pair->answered = true;
		pair->line.stamp = now();
		__atomic_store_n(&pair->line.turn, turn + 1, __ATOMIC_RELEASE);
		turn += 2;
	}
	return NULL;
}

/* Round trips from this side; returns how many were made. */
static int make_trips(struct pair *pair, s64 *back)
{
	u64 end = ipi_clock__now() + START_MAX_NS;
	u32 turn = 0;
	s64 trip;
	int i;

	for (i = 0; i < TRIPS; i++) {
		pair->line.stamp = now();
		__atomic_store_n(&pair->line.turn, turn + 1, __ATOMIC_RELEASE);
		while (__atomic_load_n(&pair->line.turn, __ATOMIC_ACQUIRE) != turn + 2) {
			if (ipi_clock__now() > end)
				return i;
		}
		trip = now() - pair->line.stamp;
		if (!i || trip < *back)
			*back = trip;
		if (!i)
			end = ipi_clock__now() + PAIR_MAX_NS;
		turn += 2;
	}
	return i;
}

static int measure_pair(int cpu, bool rt, u64 *bound)
{
	struct pair *pair = aligned_alloc(128, sizeof(*pair));
	pthread_t thread;
	s64 back = 0;
	int trips;
	int err;

	if (!pair)
		return -ENOMEM;
	memset(pair, 0, sizeof(*pair));
	pair->rt = rt;
	err = ipi_sched__start(&thread, cpu, partner_main, pair, NULL);
	if (err) {
		free(pair);
		return err;
	}
	trips = make_trips(pair, &back);
	__atomic_store_n(&pair->quit, 1, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	if (!trips || !pair->answered) {
		err = -ENODATA;
	} else {
		u64 there = (u64)llabs(pair->there);
		u64 here = (u64)llabs(back);

		*bound = there > here ? there : here;
	}
	free(pair);
	return err;
}

int ipi_skew__bound(int src, const struct ipi_cpus *others, bool rt, u64 *bound)
{
	u64 end = ipi_clock__now() + ALL_MAX_NS;
	struct ipi_affinity affinity;
	struct ipi_policy policy;
	int err = ipi_sched__pin(src, &affinity, NULL);
	int done = 0;
	u64 pair;
	int i;

	if (err)
		return err;
	*bound = 0;
	rt = rt && !ipi_sched__fifo(IPI_PRIO_SENDER, &policy);
	for (i = 0; i < others->nr && ipi_clock__now() < end; i++) {
		if (others->cpu[i] == src || measure_pair(others->cpu[i], rt, &pair))
			continue;
		if (pair > *bound)
			*bound = pair;
		done++;
	}
	if (rt)
		ipi_sched__restore(&policy);
	ipi_sched__unpin(&affinity);
	return done ? 0 : -ENODATA;
}
