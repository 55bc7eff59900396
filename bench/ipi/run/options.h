/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the user asked for, as the front door read it.
 */
#ifndef IPI_RUN_OPTIONS_H
#define IPI_RUN_OPTIONS_H

#include <stdbool.h>
#include <linux/types.h>

#include "../ipi.h"

#define IPI_LOOP_DEFAULT	2000
#define IPI_LOOP_MAX		1000000000ULL
#define IPI_PAGES_DEFAULT	1024
#define IPI_GAP_DEFAULT_NS	50000

struct ipi_pairs;

/* A known delay, for tests of the measurement itself. */
enum ipi_inject {
	IPI_INJECT_NONE,
	IPI_INJECT_HANDLER,	/* the function spins */
	IPI_INJECT_IRQOFF,	/* the target has interrupts off when hit */
};

/**
 * struct ipi_options - the options of a run
 * @scenario:	which ones to run
 * @explicit:	they were named one by one, not "all"
 * @targets:	a bit per enum ipi_target; 0: what suits each scenario
 * @cpus:	-C list, NULL for all usable
 * @src:	--src, NULL for the first of @cpus
 * @dst:	--dst list, NULL for the others of @cpus
 * @backend:	"auto", "module", "user" or "fake"
 * @module:	file to load the module from, NULL for the installed one
 * @inject:	delay to inject, by the module
 * @inject_ns:	how long
 * @nowait:	calls return once they are sent, where the module can do that
 * @stop_tick:	idle targets of the module may stop their tick
 * @loop:	calls per cell and pass
 * @loop_given:	by the user: no time limit then
 * @repeat:	repetitions, from 1
 * @time_ns:	time to spend instead of @repeat repetitions, 0: not given
 * @precision:	share that the intervals are to come down to, 0: not given
 * @first:	number of the first one, 0 where the result begins with it
 * @gap_ns:	pause between calls to a target that must fall idle or asleep again
 * @pages:	ring pages per CPU, a power of two
 * @pages_given: by the user: don't take fewer
 * @rt:		SCHED_FIFO bursts where permitted
 * @trace:	make the traced passes
 * @pairs:	of a matrix: each is a cell of its own; NULL for a run of scenarios
 * @budget_ns:	of a matrix: measure no more pairs than this time allows; 0 for all
 * @version:	of the program
 */
struct ipi_options {
	bool scenario[IPI_SCENARIO_NR];
	bool explicit;
	unsigned int targets;
	const char *cpus;
	const char *src;
	const char *dst;
	const char *backend;
	const char *module;
	enum ipi_inject inject;
	u64 inject_ns;
	bool nowait;
	bool stop_tick;
	u64 loop;
	bool loop_given;
	unsigned int repeat;
	u64 time_ns;
	double precision;
	unsigned int first;
	u64 gap_ns;
	unsigned int pages;
	bool pages_given;
	bool rt;
	bool trace;
	const struct ipi_pairs *pairs;
	u64 budget_ns;
	const char *version;
};

#endif
