/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the calling thread runs and how it is scheduled; saved and put back.
 */
#ifndef IPI_RUN_SCHED_H
#define IPI_RUN_SCHED_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Real-time priorities: the thread a wake-up is for must preempt the target it finds there. */
#define IPI_PRIO_TARGET		10
#define IPI_PRIO_SENDER		10
#define IPI_PRIO_WOKEN		20

struct ipi_cpus;
struct ipi_why;

/* An affinity, sized for any machine. */
struct ipi_affinity {
	void *set;
	size_t size;
};

/**
 * ipi_sched__pin - run the calling thread on one CPU only
 * @cpu:	the CPU
 * @saved:	the affinity before, for ipi_sched__unpin(); NULL if it isn't asked for
 * @why:	why it can't; may be NULL
 *
 * Return: 0 or -errno.
 */
int ipi_sched__pin(int cpu, struct ipi_affinity *saved, struct ipi_why *why);
void ipi_sched__unpin(struct ipi_affinity *saved);

/**
 * ipi_sched__start - start a thread on one CPU
 * @thread:	set to the thread
 * @cpu:	the CPU it is born on: moved there later it might wait for its creator to leave
 * @main:	its function
 * @arg:	passed to @main
 * @why:	why it can't; may be NULL
 *
 * Return: 0 or -errno: EINVAL (the CPU is offline or not ours), EAGAIN (too many threads), ENOMEM.
 */
int ipi_sched__start(pthread_t *thread, int cpu, void *(*main)(void *arg), void *arg,
		     struct ipi_why *why);

/* How a thread is scheduled: what sched_getscheduler() and sched_getparam() say. */
struct ipi_policy {
	int policy;
	int priority;
};

/**
 * ipi_sched__fifo - make the calling thread SCHED_FIFO
 * @priority:	its priority
 * @saved:	how it was scheduled before, for ipi_sched__restore(); NULL if it isn't asked for
 *
 * Return: 0 or -errno: EPERM, not ours to ask for.
 */
int ipi_sched__fifo(int priority, struct ipi_policy *saved);
/* SCHED_IDLE: anything else that wants the CPU gets it at once. Return: 0 or -errno. */
int ipi_sched__idle(void);
void ipi_sched__restore(const struct ipi_policy *saved);

/* May we use SCHED_FIFO, and go back from it? Return: 0 or -errno. */
int ipi_sched__try_fifo(void);

/* Is this CPU online now? */
bool ipi_sched__online(int cpu);

/* Are a sender and its targets online? 0, or -ENXIO with @why naming the first that is not. */
int ipi_sched__alive(int src, const struct ipi_cpus *dst, struct ipi_why *why);

#endif
