/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trigger: a system call that makes the kernel send an IPI. Each says what it sends, what it
 * needs, what its deliveries look like in the trace, and fires one operation at a time.
 */
#ifndef IPI_RUN_TRIGGER_H
#define IPI_RUN_TRIGGER_H

#include <stdbool.h>
#include <linux/types.h>

#include "../ipi.h"
#include "plan.h"

struct ipi_why;

/* What fire() may return besides 0 and -errno: nothing was sent, and that is no error. */
#define IPI_FIRE_SKIPPED	1

/**
 * struct ipi_trigger - one way to cause an IPI
 * @name:	in a few words, as for a table: "membarrier(RSEQ, cpu)"
 * @needs:	what it needs, in words, for "list"
 * @remark:	what its row must say besides, or NULL
 * @scenarios:	a bit per enum ipi_scenario it causes
 * @targets:	a bit per enum ipi_target it can do that for
 * @spinner_idle: without SCHED_FIFO the target threads must be SCHED_IDLE, which a wake-up
 *		preempts at once
 * @func:	the kernel function that runs on the target, NULL if none does or it varies
 * @irqs:	a bit per enum ipi_irq that may carry it
 * @proof:	a bit per enum ipi_counter that counts it
 * @any_sender:	a kernel thread sends, not the caller
 * @async:	the call may return before the function ran
 * @gap:	the target must fall idle or asleep again between two calls
 * @baseline_what: what baseline() does, NULL if there is none
 * @probe:	can it work here? 0 or -errno with @why
 * @open:	make ready for a cell; *@state is passed to the others
 * @arm:	before each call, untimed; may be NULL
 * @fire:	one operation, timed: 0, IPI_FIRE_SKIPPED, or -errno
 * @baseline:	the same operation with the IPI left out, timed; may be NULL
 * @close:	undo open(); may be NULL
 */
struct ipi_trigger {
	const char *name;
	const char *needs;
	const char *remark;
	unsigned int scenarios;
	unsigned int targets;
	bool spinner_idle;
	const char *func;
	unsigned int irqs;
	unsigned int proof;
	bool any_sender;
	bool async;
	bool gap;
	const char *baseline_what;
	int (*probe)(struct ipi_why *why);
	int (*open)(const struct ipi_spec *spec, bool rt, void **state, struct ipi_why *why);
	int (*arm)(void *state);
	int (*fire)(void *state);
	int (*baseline)(void *state);
	void (*close)(void *state);
};

extern const struct ipi_trigger ipi_trigger_dry_run;
extern const struct ipi_trigger ipi_trigger_membarrier_self;
extern const struct ipi_trigger ipi_trigger_membarrier_cpu;
extern const struct ipi_trigger ipi_trigger_membarrier_all;
extern const struct ipi_trigger ipi_trigger_membarrier_rcu;
extern const struct ipi_trigger ipi_trigger_perf_read_self;
extern const struct ipi_trigger ipi_trigger_perf_read;
extern const struct ipi_trigger ipi_trigger_page_fault;
extern const struct ipi_trigger ipi_trigger_futex;

#endif
