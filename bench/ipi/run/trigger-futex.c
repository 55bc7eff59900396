// SPDX-License-Identifier: GPL-2.0
/*
 * The wake-up: a thread asleep on the target CPU is woken by futex(2). One operation lasts from
 * before the system call until the sender sees what the woken thread wrote; it is a round trip,
 * not half of one. On an idle CPU the kernel sends a function call interrupt (or none, if the idle
 * loop polls), on a busy one a reschedule interrupt.
 *
 * A wake-up that found nobody asleep sent nothing and is no operation: it is passed over.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <linux/compiler.h>

#include "../stats/result.h"
#include "../why.h"
#include "clock.h"
#include "futex-call.h"
#include "sched.h"
#include "signals.h"
#include "trigger.h"

/* A woken thread that doesn't answer for this long won't. */
#define ACK_MAX_NS	IPI_NSEC_PER_SEC

/* A word in a cache line of its own. */
struct word {
	u32 value;
} __aligned(128);

struct sleeper {
	struct word word;	/* counted up by the sender; futex */
	struct word ack;	/* the last value of @word the sleeper saw */
	struct word quit;
	int ack_cpu;		/* the CPU it saw it on; valid once @ack is */
	int cpu;
	bool rt;
	pthread_t thread;
};

static void *sleeper_main(void *arg)
{
	struct sleeper *sleeper = arg;
	u32 seen = 0;

	ipi_signals__block();
	if (sleeper->rt)
		ipi_sched__fifo(IPI_PRIO_WOKEN, NULL);
	for (;;) {
		u32 value = __atomic_load_n(&sleeper->word.value, __ATOMIC_ACQUIRE);

		if (__atomic_load_n(&sleeper->quit.value, __ATOMIC_ACQUIRE))
			return NULL;
		if (value == seen) {
			ipi_futex__wait(&sleeper->word.value, value);
			continue;
		}
		seen = value;
		sleeper->ack_cpu = sched_getcpu();
		__atomic_store_n(&sleeper->ack.value, value, __ATOMIC_RELEASE);
	}
}

static int probe_futex(struct ipi_why *why)
{
	(void)why;
	return 0;
}

static int open_futex(const struct ipi_spec *spec, bool rt, void **state, struct ipi_why *why)
{
	struct sleeper *sleeper = aligned_alloc(128, sizeof(*sleeper));
	int err;

	if (!sleeper)
		return ipi_why__set(why, ENOMEM, NULL, "thread to wake");
	memset(sleeper, 0, sizeof(*sleeper));
	sleeper->cpu = spec->dst.cpu[0];
	sleeper->rt = rt;
	err = ipi_sched__start(&sleeper->thread, sleeper->cpu, sleeper_main, sleeper,
			       why);
	if (err) {
		free(sleeper);
		return err;
	}
	*state = sleeper;
	return 0;
}

/* Wait for the answer to @value. */
static int await_ack(struct sleeper *sleeper, u32 value)
{
	u64 end = 0;
	int tries;

	for (;;) {
		for (tries = 0; tries < 1024; tries++) {
			if (__atomic_load_n(&sleeper->ack.value, __ATOMIC_ACQUIRE) == value)
				return 0;
		}
		if (!end)
			end = ipi_clock__now() + ACK_MAX_NS;
		else if (ipi_clock__now() > end || ipi_signals__pending())
			return -ETIMEDOUT;
	}
}

static int fire_futex(void *state)
{
	struct sleeper *sleeper = state;
	u32 value = sleeper->word.value + 1;
	long woken;
	int err;

	__atomic_store_n(&sleeper->word.value, value, __ATOMIC_RELEASE);
	woken = ipi_futex__wake(&sleeper->word.value, 1);
	if (woken < 0)
		return -errno;
	err = await_ack(sleeper, value);
	if (err)
		return err;
	/* It answered from another CPU: hotplug moved it. */
	if (sleeper->ack_cpu != sleeper->cpu)
		return -EXDEV;
	return woken == 1 ? 0 : IPI_FIRE_SKIPPED;
}

static void close_futex(void *state)
{
	struct sleeper *sleeper = state;

	__atomic_store_n(&sleeper->quit.value, 1, __ATOMIC_RELEASE);
	__atomic_add_fetch(&sleeper->word.value, 1, __ATOMIC_RELEASE);
	ipi_futex__wake(&sleeper->word.value, 1);
	pthread_join(sleeper->thread, NULL);
	free(sleeper);
}

const struct ipi_trigger ipi_trigger_futex = {
	.name = "futex(WAKE)",
	.needs = "nothing",
	.scenarios = 1U << IPI_SCENARIO_WAKE,
	.targets = 1U << IPI_TARGET_BUSY | 1U << IPI_TARGET_KERNEL | 1U << IPI_TARGET_IDLE |
		   1U << IPI_TARGET_ANY,
	.spinner_idle = true,
	.irqs = 1U << IPI_IRQ_CALL | 1U << IPI_IRQ_RESCHED,
	.proof = 1U << IPI_COUNTER_CALL | 1U << IPI_COUNTER_RESCHED,
	.async = true,
	.gap = true,
	.probe = probe_futex,
	.open = open_futex,
	.fire = fire_futex,
	.close = close_futex,
};
