// SPDX-License-Identifier: GPL-2.0
/*
 * Senders beside the measured one. A batch is a number: the measured sender counts it up, each
 * thread runs its batch in the module and says that it has; in between all sleep. How they start
 * together is the module's gate.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../why.h"
#include "futex-call.h"
#include "module-dev.h"
#include "sched.h"
#include "signals.h"
#include "storm.h"

/* One sender; each in cache lines of its own. */
struct sender {
	struct ipi_storm *storm;
	struct ipi_module_dev dev;
	pthread_t thread;
	int err;		/* of the last batch */
} __aligned(128);

struct ipi_storm {
	u32 batch;		/* futex word of the threads */
	u32 done;		/* those through with the batch. Futex word of the one who waits */
	u32 quit;
	bool rt;
	int nr;
	struct sender sender[];
};

static u32 load(const u32 *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static void *sender_main(void *arg)
{
	struct sender *sender = arg;
	struct ipi_storm *storm = sender->storm;
	u32 seen = 0;

	ipi_signals__block();
	if (storm->rt)
		ipi_sched__fifo(IPI_PRIO_SENDER, NULL);
	for (;;) {
		while (load(&storm->batch) == seen)
			ipi_futex__wait(&storm->batch, seen);
		seen = load(&storm->batch);
		if (load(&storm->quit))
			return NULL;
		sender->err = ipi_module_dev__run(&sender->dev);
		__atomic_add_fetch(&storm->done, 1, __ATOMIC_RELEASE);
		ipi_futex__wake(&storm->done, 1);
	}
}

static void count_up(struct ipi_storm *storm)
{
	__atomic_add_fetch(&storm->batch, 1, __ATOMIC_RELEASE);
	ipi_futex__wake(&storm->batch, INT_MAX);
}

void ipi_storm__delete(struct ipi_storm *storm)
{
	int i;

	if (!storm)
		return;
	__atomic_store_n(&storm->quit, 1, __ATOMIC_RELEASE);
	count_up(storm);
	for (i = 0; i < storm->nr; i++) {
		pthread_join(storm->sender[i].thread, NULL);
		ipi_module_dev__close(&storm->sender[i].dev);
	}
	free(storm);
}

/* The device first: a thread that runs has one. */
static int start_sender(struct ipi_storm *storm, int cpu, int targets, struct ipi_why *why)
{
	struct sender *sender = &storm->sender[storm->nr];
	int err;

	sender->storm = storm;
	err = ipi_module_dev__open(&sender->dev, why);
	if (!err)
		err = ipi_module_dev__map(&sender->dev, targets, why);
	if (!err)
		err = ipi_sched__start(&sender->thread, cpu, sender_main, sender, why);
	if (err)
		ipi_module_dev__close(&sender->dev);
	else
		storm->nr++;
	return err;
}

struct ipi_storm *ipi_storm__new(const struct ipi_spec *spec, bool rt, struct ipi_why *why)
{
	size_t senders = (size_t)spec->senders.nr;
	struct ipi_storm *storm;
	size_t size = sizeof(*storm) + senders * sizeof(storm->sender[0]);
	int err = 0;
	int i;

	storm = aligned_alloc(128, (size + 127) / 128 * 128);
	if (!storm) {
		ipi_why__set(why, ENOMEM, NULL, "senders");
		return NULL;
	}
	memset(storm, 0, size);
	storm->rt = rt;
	for (i = 0; !err && i < spec->senders.nr; i++) {
		if (spec->senders.cpu[i] != spec->src)
			err = start_sender(storm, spec->senders.cpu[i], spec->dst.nr, why);
	}
	if (!err)
		return storm;
	ipi_storm__delete(storm);
	return NULL;
}

size_t ipi_storm__max_calls(const struct ipi_storm *storm)
{
	size_t max = SIZE_MAX;
	int i;

	for (i = 0; i < storm->nr; i++) {
		if (storm->sender[i].dev.max_calls < max)
			max = storm->sender[i].dev.max_calls;
	}
	return max;
}

void ipi_storm__begin(struct ipi_storm *storm, const struct ipi_bench_run *run)
{
	int i;

	for (i = 0; i < storm->nr; i++)
		storm->sender[i].dev.run = *run;
	__atomic_store_n(&storm->done, 0, __ATOMIC_RELEASE);
	count_up(storm);
}

int ipi_storm__end(struct ipi_storm *storm)
{
	int err = 0;
	u32 done;
	int i;

	for (;;) {
		done = load(&storm->done);
		if (done == (u32)storm->nr)
			break;
		ipi_futex__wait(&storm->done, done);
	}
	for (i = 0; !err && i < storm->nr; i++)
		err = storm->sender[i].err;
	return err;
}

void ipi_storm__window(const struct ipi_storm *storm, u64 *from, u64 *to)
{
	int i;

	for (i = 0; i < storm->nr; i++) {
		const struct ipi_module_dev *dev = &storm->sender[i].dev;
		const struct ipi_bench_call *call = ipi_module_dev__calls(dev);
		u32 done = dev->run.done;

		if (!done || call[0].t_call > *from)
			*from = done ? call[0].t_call : UINT64_MAX;
		if (!done || call[done - 1].t_return < *to)
			*to = done ? call[done - 1].t_return : 0;
	}
}

u64 ipi_storm__calls(const struct ipi_storm *storm, u64 from, u64 to)
{
	u64 calls = 0;
	u32 c;
	int i;

	for (i = 0; i < storm->nr; i++) {
		const struct ipi_module_dev *dev = &storm->sender[i].dev;
		const struct ipi_bench_call *call = ipi_module_dev__calls(dev);

		for (c = 0; c < dev->run.done; c++)
			calls += call[c].t_call >= from && call[c].t_return <= to;
	}
	return calls;
}

u64 ipi_storm__errors(const struct ipi_storm *storm)
{
	u64 errors = 0;
	int i;

	for (i = 0; i < storm->nr; i++)
		errors += ipi_module_dev__errors(&storm->sender[i].dev);
	return errors;
}
