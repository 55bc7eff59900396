// SPDX-License-Identifier: GPL-2.0
/*
 * Target threads. A burst is a number: the sender counts it up, the threads run while it stands and
 * sleep on it otherwise. Each thread also looks at the clock and at its own CPU, and leaves the
 * burst when its time is over or when hotplug has moved it.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/compiler.h>

#include "../cpus.h"
#include "../why.h"
#include "clock.h"
#include "futex-call.h"
#include "sched.h"
#include "signals.h"
#include "target.h"

#define BURST_NS		(250 * IPI_NSEC_PER_MSEC)
#define BURST_TARGET_NS		(100 * IPI_NSEC_PER_MSEC)
#define BURST_MAX_NS		(15 * IPI_NSEC_PER_SEC)

/* One thread; each in cache lines of its own. */
struct target {
	struct ipi_targets *all;
	pthread_t thread;
	int cpu;
	u32 running;		/* the burst it runs in, 0 if none */
} __aligned(128);

struct ipi_targets {
	u32 burst;		/* odd: run; even: sleep. Futex word */
	u32 quit;
	u64 deadline;
	enum ipi_target state;
	enum ipi_target_policy policy;
	int nr;
	struct target target[];
};

static u32 load(const u32 *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static void store(u32 *word, u32 value)
{
	__atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/* A stretch of what the target is there to do, short enough to look up often. */
static void work(enum ipi_target state, const u32 *burst, u32 number)
{
	int i;

	if (state == IPI_TARGET_KERNEL) {
		for (i = 0; i < 16 && load(burst) == number; i++)
			syscall(__NR_getppid);
		return;
	}
	for (i = 0; i < 256 && load(burst) == number; i++)
		;
}

static void run_burst(struct target *target, u32 number)
{
	struct ipi_targets *all = target->all;

	while (load(&all->burst) == number) {
		if (ipi_clock__now() >= __atomic_load_n(&all->deadline, __ATOMIC_RELAXED))
			break;
		if (sched_getcpu() != target->cpu)
			break;
		store(&target->running, number);
		work(all->state, &all->burst, number);
	}
	store(&target->running, 0);
	/* The deadline came first: sleep until the sender ends the burst. */
	while (load(&all->burst) == number)
		ipi_futex__wait(&all->burst, number);
}

static void *target_main(void *arg)
{
	struct target *target = arg;
	struct ipi_targets *all = target->all;
	u32 number;

	ipi_signals__block();
	/* Created on its CPU and not yet at work: raising it here can't starve anybody. */
	if (all->policy == IPI_TARGET_POLICY_FIFO)
		ipi_sched__fifo(IPI_PRIO_TARGET, NULL);
	else if (all->policy == IPI_TARGET_POLICY_IDLE)
		ipi_sched__idle();
	while (!load(&all->quit)) {
		number = load(&all->burst);
		if (number & 1)
			run_burst(target, number);
		else
			ipi_futex__wait(&all->burst, number);
	}
	return NULL;
}

struct ipi_targets *ipi_targets__new(const struct ipi_cpus *cpus, enum ipi_target state,
				     enum ipi_target_policy policy, struct ipi_why *why)
{
	struct ipi_targets *targets;
	size_t size = sizeof(*targets) + (size_t)cpus->nr * sizeof(targets->target[0]);
	int err;
	int i;

	targets = aligned_alloc(128, (size + 127) / 128 * 128);
	if (!targets) {
		ipi_why__set(why, ENOMEM, NULL, "target threads");
		return NULL;
	}
	memset(targets, 0, size);
	targets->state = state;
	targets->policy = policy;
	if (state != IPI_TARGET_BUSY && state != IPI_TARGET_KERNEL)
		return targets;
	for (i = 0; i < cpus->nr; i++) {
		targets->target[i].all = targets;
		targets->target[i].cpu = cpus->cpu[i];
		err = ipi_sched__start(&targets->target[i].thread, cpus->cpu[i], target_main,
				       &targets->target[i], why);
		if (err) {
			ipi_targets__delete(targets);
			return NULL;
		}
		targets->nr++;
	}
	return targets;
}

void ipi_targets__delete(struct ipi_targets *targets)
{
	int i;

	if (!targets)
		return;
	store(&targets->quit, 1);
	/* Even, and another number than any they sleep on. */
	store(&targets->burst, (targets->burst | 1) + 1);
	ipi_futex__wake(&targets->burst, INT_MAX);
	for (i = 0; i < targets->nr; i++)
		pthread_join(targets->target[i].thread, NULL);
	free(targets);
}

u64 ipi_targets__burst_ns(const struct ipi_targets *targets)
{
	u64 ns = BURST_NS + (targets ? (u64)targets->nr * BURST_TARGET_NS : 0);

	return ns < BURST_MAX_NS ? ns : BURST_MAX_NS;
}

/* Wait until each thread's burst is @number. Sleeps: the sender may share a CPU with someone. */
static int wait_all(struct ipi_targets *targets, u32 number)
{
	struct timespec nap = { .tv_nsec = 20000 };
	/* Twice a burst for a thread to appear on its CPU, then it is given up. */
	u64 end = ipi_clock__now() + 2 * ipi_targets__burst_ns(targets);
	int i;

	for (i = 0; i < targets->nr; i++) {
		while (load(&targets->target[i].running) != number) {
			if (ipi_clock__now() >= end)
				return -ETIMEDOUT;
			nanosleep(&nap, NULL);
		}
	}
	return 0;
}

int ipi_targets__begin(struct ipi_targets *targets, u64 deadline_ns)
{
	u64 limit = ipi_clock__now() + ipi_targets__burst_ns(targets);
	int err;

	if (!targets || !targets->nr)
		return 0;
	__atomic_store_n(&targets->deadline, deadline_ns < limit ? deadline_ns : limit,
			 __ATOMIC_RELAXED);
	store(&targets->burst, targets->burst + 1);
	ipi_futex__wake(&targets->burst, INT_MAX);
	err = wait_all(targets, targets->burst);
	if (err)
		ipi_targets__end(targets);
	return err;
}

void ipi_targets__end(struct ipi_targets *targets)
{
	if (!targets || !targets->nr || !(targets->burst & 1))
		return;
	store(&targets->burst, targets->burst + 1);
	/* Those whose deadline came first sleep on the old number. */
	ipi_futex__wake(&targets->burst, INT_MAX);
	wait_all(targets, 0);
}

int ipi_burst__begin(struct ipi_burst *burst, struct ipi_targets *targets, bool rt)
{
	int err;

	burst->targets = targets;
	burst->limit_ns = ipi_clock__now() + ipi_targets__burst_ns(targets);
	err = ipi_targets__begin(targets, burst->limit_ns);
	if (err)
		return err;
	burst->rt = rt && !ipi_sched__fifo(IPI_PRIO_SENDER, &burst->policy);
	return 0;
}

void ipi_burst__end(struct ipi_burst *burst)
{
	if (burst->rt)
		ipi_sched__restore(&burst->policy);
	ipi_targets__end(burst->targets);
}
