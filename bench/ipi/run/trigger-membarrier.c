// SPDX-License-Identifier: GPL-2.0
/*
 * Triggers made of membarrier(2), the cheapest system call that interrupts another CPU, and the
 * dry run beside them. One operation is one system call.
 *
 * It interrupts only CPUs that run a thread of ours at that moment, and returns 0 as happily when
 * it interrupted nobody: the class of each delivery and /proc/interrupts have to prove it. All
 * expedited commands but the one to a single CPU share one lock in the kernel: nothing here
 * measures parallel senders.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/membarrier.h>

#include "../stats/result.h"
#include "../why.h"
#include "futex-call.h"
#include "knob.h"
#include "signals.h"
#include "trigger.h"

#define RCU_EXPEDITED	"/sys/kernel/rcu_expedited"

/* The target of the calls; @knob only of the grace period's, @companion only of the self call's. */
struct membarrier {
	int cpu;
	struct ipi_knob *knob;
	struct companion *companion;
};

/*
 * A thread that sleeps. In a process with one thread the kernel takes a short cut and calls
 * nothing, not even on the caller's own CPU.
 */
struct companion {
	pthread_t thread;
	u32 quit;
};

static void *companion_main(void *arg)
{
	struct companion *companion = arg;

	ipi_signals__block();
	while (!__atomic_load_n(&companion->quit, __ATOMIC_ACQUIRE))
		ipi_futex__wait(&companion->quit, 0);
	return NULL;
}

static struct companion *companion_start(void)
{
	struct companion *companion = calloc(1, sizeof(*companion));

	if (companion && pthread_create(&companion->thread, NULL, companion_main, companion)) {
		free(companion);
		return NULL;
	}
	return companion;
}

static void companion_stop(struct companion *companion)
{
	if (!companion)
		return;
	__atomic_store_n(&companion->quit, 1, __ATOMIC_RELEASE);
	ipi_futex__wake(&companion->quit, 1);
	pthread_join(companion->thread, NULL);
	free(companion);
}

static int membarrier(int cmd, unsigned int flags, int cpu)
{
	return (int)syscall(__NR_membarrier, cmd, flags, cpu);
}

static int probe(int cmd, const char *name, struct ipi_why *why)
{
	int have = membarrier(MEMBARRIER_CMD_QUERY, 0, 0);

	if (have < 0)
		return ipi_why__set(why, errno, "the kernel needs CONFIG_MEMBARRIER",
				    "membarrier");
	if (!(have & cmd))
		return ipi_why__set(why, EOPNOTSUPP, NULL, "membarrier command %s", name);
	return 0;
}

static int probe_rseq(struct ipi_why *why)
{
	return probe(MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ,
		     "PRIVATE_EXPEDITED_RSEQ (kernel 5.10, CONFIG_RSEQ)", why);
}

static int probe_self(struct ipi_why *why)
{
	/* The other short cut: with one CPU there is nobody to order memory against. */
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		return ipi_why__set(why, EOPNOTSUPP, NULL,
				    "with one CPU online membarrier calls nothing");
	return probe_rseq(why);
}

static int probe_private(struct ipi_why *why)
{
	return probe(MEMBARRIER_CMD_PRIVATE_EXPEDITED, "PRIVATE_EXPEDITED", why);
}

static int probe_rcu(struct ipi_why *why)
{
	int err = probe(MEMBARRIER_CMD_GLOBAL, "GLOBAL (absent with nohz_full)", why);

	if (err)
		return err;
	if (access(RCU_EXPEDITED, W_OK) < 0)
		return ipi_why__set(why, errno, "run as root: the grace period must be expedited",
				    "can't write " RCU_EXPEDITED);
	return 0;
}

static int open_any(int register_cmd, int cpu, void **state, struct ipi_why *why)
{
	struct membarrier *mb = calloc(1, sizeof(*mb));

	if (!mb)
		return ipi_why__set(why, ENOMEM, NULL, "membarrier");
	mb->cpu = cpu;
	if (register_cmd && membarrier(register_cmd, 0, 0) < 0) {
		int err = errno;

		free(mb);
		return ipi_why__set(why, err, NULL, "can't register for membarrier");
	}
	*state = mb;
	return 0;
}

static int open_rseq(const struct ipi_spec *spec, bool rt, void **state, struct ipi_why *why)
{
	(void)rt;
	return open_any(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ, spec->dst.cpu[0], state,
			why);
}

static int open_self(const struct ipi_spec *spec, bool rt, void **state, struct ipi_why *why)
{
	struct membarrier *mb;
	int err = open_rseq(spec, rt, state, why);

	if (err)
		return err;
	mb = *state;
	mb->companion = companion_start();
	if (!mb->companion) {
		free(mb);
		return ipi_why__set(why, EAGAIN, "check the process limit: ulimit -u",
				    "can't start a thread");
	}
	return 0;
}

static int open_private(const struct ipi_spec *spec, bool rt, void **state, struct ipi_why *why)
{
	(void)rt;
	return open_any(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, spec->dst.cpu[0], state, why);
}

static int open_rcu(const struct ipi_spec *spec, bool rt, void **state, struct ipi_why *why)
{
	struct membarrier *mb;
	int err;

	(void)rt;
	err = open_any(0, spec->dst.cpu[0], state, why);
	if (err)
		return err;
	mb = *state;
	mb->knob = ipi_knob__set(RCU_EXPEDITED, "1\n", why);
	if (!mb->knob) {
		free(mb);
		return why && why->err ? -why->err : -EIO;
	}
	return 0;
}

static void close_any(void *state)
{
	struct membarrier *mb = state;

	ipi_knob__restore(mb->knob);
	companion_stop(mb->companion);
	free(mb);
}

static int fire_nothing(void *state)
{
	(void)state;
	return 0;
}

static int fire_cpu(void *state)
{
	const struct membarrier *mb = state;

	return membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ, MEMBARRIER_CMD_FLAG_CPU,
			  mb->cpu) < 0 ? -errno : 0;
}

static int fire_all(void *state)
{
	(void)state;
	return membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) < 0 ? -errno : 0;
}

static int fire_global(void *state)
{
	(void)state;
	return membarrier(MEMBARRIER_CMD_GLOBAL, 0, 0) < 0 ? -errno : 0;
}

/* The same system call, which does nothing. */
static int fire_query(void *state)
{
	(void)state;
	return membarrier(MEMBARRIER_CMD_QUERY, 0, 0) < 0 ? -errno : 0;
}

static int probe_nothing(struct ipi_why *why)
{
	(void)why;
	return 0;
}

static int open_nothing(const struct ipi_spec *spec, bool rt, void **state, struct ipi_why *why)
{
	(void)spec;
	(void)rt;
	(void)why;
	*state = NULL;
	return 0;
}

const struct ipi_trigger ipi_trigger_dry_run = {
	.name = "nothing",
	.needs = "nothing",
	.scenarios = 1U << IPI_SCENARIO_DRY_RUN,
	.targets = 1U << IPI_TARGET_NONE,
	.proof = 1U << IPI_COUNTER_CALL | 1U << IPI_COUNTER_WORK,
	.probe = probe_nothing,
	.open = open_nothing,
	.fire = fire_nothing,
};

const struct ipi_trigger ipi_trigger_membarrier_self = {
	.name = "membarrier(RSEQ, own cpu)",
	.needs = "Linux 5.10; a second CPU online, though nothing is sent to it",
	.scenarios = 1U << IPI_SCENARIO_SELF_CALL,
	.targets = 1U << IPI_TARGET_NONE,
	.func = "ipi_rseq",
	.irqs = 1U << IPI_IRQ_CALL,
	.proof = 1U << IPI_COUNTER_CALL,
	.baseline_what = "membarrier(QUERY)",
	.probe = probe_self,
	.open = open_self,
	.fire = fire_cpu,
	.baseline = fire_query,
	.close = close_any,
};

const struct ipi_trigger ipi_trigger_membarrier_cpu = {
	.name = "membarrier(RSEQ, cpu)",
	.needs = "Linux 5.10; a thread of ours running on the target",
	.scenarios = 1U << IPI_SCENARIO_NORMAL,
	.targets = 1U << IPI_TARGET_BUSY | 1U << IPI_TARGET_KERNEL,
	.func = "ipi_rseq",
	.irqs = 1U << IPI_IRQ_CALL,
	.proof = 1U << IPI_COUNTER_CALL,
	.baseline_what = "membarrier(QUERY)",
	.probe = probe_rseq,
	.open = open_rseq,
	.fire = fire_cpu,
	.baseline = fire_query,
	.close = close_any,
};

/* Whose threads run is who is hit: all targets, or the first of them. */
const struct ipi_trigger ipi_trigger_membarrier_all = {
	.name = "membarrier(PRIVATE)",
	.needs = "Linux 4.14; a thread of ours running on each target",
	.scenarios = 1U << IPI_SCENARIO_BROADCAST | 1U << IPI_SCENARIO_MULTICAST,
	.targets = 1U << IPI_TARGET_BUSY | 1U << IPI_TARGET_KERNEL,
	.func = "ipi_mb",
	.irqs = 1U << IPI_IRQ_CALL,
	.proof = 1U << IPI_COUNTER_CALL,
	.baseline_what = "membarrier(QUERY)",
	.probe = probe_private,
	.open = open_private,
	.fire = fire_all,
	.baseline = fire_query,
	.close = close_any,
};

/*
 * The handlers of an expedited grace period report through rcu_node structures, each with a lock
 * that up to CONFIG_RCU_FANOUT_LEAF CPUs share: contended handlers, though not one lock for all.
 */
const struct ipi_trigger ipi_trigger_membarrier_rcu = {
	.name = "membarrier(GLOBAL), rcu_expedited=1",
	.needs = "root; no nohz_full; busy targets (a grace period leaves idle CPUs alone)",
	.remark = "an approximation: handlers of an expedited RCU grace period, which share locks; "
		  "RCU's kthread sends, the total is the grace period's",
	.scenarios = 1U << IPI_SCENARIO_BROADCAST_LOCK,
	.targets = 1U << IPI_TARGET_BUSY | 1U << IPI_TARGET_KERNEL,
	.func = "rcu_exp_handler",
	.irqs = 1U << IPI_IRQ_CALL,
	.proof = 1U << IPI_COUNTER_CALL,
	.any_sender = true,
	.baseline_what = "membarrier(QUERY)",
	.probe = probe_rcu,
	.open = open_rcu,
	.fire = fire_global,
	.baseline = fire_query,
	.close = close_any,
};
