// SPDX-License-Identifier: GPL-2.0
/*
 * Affinity and scheduling class of the calling thread.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../cpus.h"
#include "../why.h"
#include "sched.h"

/* Our threads loop and stamp, no more; but arm64's PTHREAD_STACK_MIN is 128 KiB. */
#define STACK_BYTES	(256 * 1024)

static int pin(int cpu, struct ipi_affinity *saved)
{
	size_t size = CPU_ALLOC_SIZE(IPI_CPUS_MAX);
	cpu_set_t *set = CPU_ALLOC(IPI_CPUS_MAX);
	int err = 0;

	if (!set)
		return -ENOMEM;
	if (saved) {
		saved->size = size;
		saved->set = CPU_ALLOC(IPI_CPUS_MAX);
		if (!saved->set)
			err = -ENOMEM;
		else if (sched_getaffinity(0, size, saved->set) < 0)
			err = -errno;
	}
	CPU_ZERO_S(size, set);
	CPU_SET_S(cpu, size, set);
	if (!err && sched_setaffinity(0, size, set) < 0)
		err = -errno;
	CPU_FREE(set);
	if (err && saved) {
		CPU_FREE(saved->set);
		saved->set = NULL;
	}
	return err;
}

int ipi_sched__pin(int cpu, struct ipi_affinity *saved, struct ipi_why *why)
{
	int err = pin(cpu, saved);

	return err ? ipi_why__set(why, -err, "is it still online?", "can't run on CPU %d", cpu) : 0;
}

void ipi_sched__unpin(struct ipi_affinity *saved)
{
	if (!saved->set)
		return;
	sched_setaffinity(0, saved->size, saved->set);
	CPU_FREE(saved->set);
	saved->set = NULL;
}

static int start(pthread_t *thread, int cpu, void *(*main)(void *arg), void *arg)
{
	size_t size = CPU_ALLOC_SIZE(IPI_CPUS_MAX);
	cpu_set_t *set = CPU_ALLOC(IPI_CPUS_MAX);
	pthread_attr_t attr;
	int err;

	if (!set)
		return -ENOMEM;
	CPU_ZERO_S(size, set);
	CPU_SET_S(cpu, size, set);
	err = pthread_attr_init(&attr);
	if (!err) {
		err = pthread_attr_setaffinity_np(&attr, size, set);
		if (!err)
			err = pthread_attr_setstacksize(&attr, STACK_BYTES);
		if (!err)
			err = pthread_create(thread, &attr, main, arg);
		pthread_attr_destroy(&attr);
	}
	CPU_FREE(set);
	return -err;
}

int ipi_sched__start(pthread_t *thread, int cpu, void *(*main)(void *arg), void *arg,
		     struct ipi_why *why)
{
	int err = start(thread, cpu, main, arg);

	if (!err)
		return 0;
	return ipi_why__set(why, -err, err == -EINVAL ? "is the CPU still online?" :
			    "check the process limit: ulimit -u",
			    "can't start a thread on CPU %d", cpu);
}

static int set_policy(int policy, int priority)
{
	struct sched_param param = { .sched_priority = priority };

	/* A child must not inherit it: a fork bomb of FIFO tasks is nobody's wish. */
	return sched_setscheduler(0, policy | SCHED_RESET_ON_FORK, &param) < 0 ? -errno : 0;
}

int ipi_sched__fifo(int priority, struct ipi_policy *saved)
{
	struct sched_param param;

	if (saved) {
		saved->policy = sched_getscheduler(0);
		if (saved->policy < 0 || sched_getparam(0, &param) < 0)
			return -errno;
		saved->priority = param.sched_priority;
	}
	return set_policy(SCHED_FIFO, priority);
}

int ipi_sched__idle(void)
{
	return set_policy(SCHED_IDLE, 0);
}

void ipi_sched__restore(const struct ipi_policy *saved)
{
	struct sched_param param = { .sched_priority = saved->priority };

	/* Without the flag where we may drop it (privileged), with it where we may not. */
	if (sched_setscheduler(0, saved->policy, &param) < 0)
		set_policy(saved->policy, saved->priority);
}

int ipi_sched__try_fifo(void)
{
	struct ipi_policy saved = { .policy = SCHED_OTHER };
	int err = ipi_sched__fifo(IPI_PRIO_SENDER, &saved);

	/* SCHED_DEADLINE is more than a number: who runs us so shall have his way. */
	if (!err && saved.policy == SCHED_DEADLINE)
		err = -EPERM;
	if (!err)
		ipi_sched__restore(&saved);
	return err;
}

bool ipi_sched__online(int cpu)
{
	char path[64];
	char state;
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	/* CPUs that can't go offline have no such file. */
	if (fd < 0)
		return true;
	len = read(fd, &state, 1);
	close(fd);
	return len != 1 || state == '1';
}

int ipi_sched__alive(int src, const struct ipi_cpus *dst, struct ipi_why *why)
{
	int gone = ipi_sched__online(src) ? -1 : src;
	int i;

	for (i = 0; gone < 0 && i < dst->nr; i++) {
		if (!ipi_sched__online(dst->cpu[i]))
			gone = dst->cpu[i];
	}
	if (gone < 0)
		return 0;
	ipi_why__set(why, 0, NULL, "CPU %d went offline", gone);
	return -ENXIO;
}
