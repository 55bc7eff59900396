/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A backend: what makes the IPIs and stamps the calls. One ops table each; the driver in run.c
 * knows no other way to reach them.
 */
#ifndef IPI_RUN_BACKEND_H
#define IPI_RUN_BACKEND_H

#include "../stats/result.h"
#include "../trace/attach.h"
#include "../trace/source.h"
#include "interrupts.h"
#include "options.h"
#include "plan.h"

/* Calls in a batch at most. */
#define IPI_BATCH_MAX	8192

struct ipi_session;
struct ipi_symbols;
struct ipi_why;

/**
 * struct ipi_batch - calls to make, and what became of them; what is set begins as 0
 * @call:	filled with the calls that were made and count
 * @max:	calls asked for
 * @room:	calls that may be made for them: what those leave must fit the rings
 * @deadline_ns: stop when it is over, on the clock of the calls
 * @nr:		set: calls in @call
 * @errors:	set: calls whose check failed; not in @call
 * @migrations:	set: calls during which the sender changed CPU; not in @call
 * @others:	set, of a storm: calls made that are not in @call, of all senders
 * @storm_calls: set, of a storm: calls of all senders, @call's first to its last
 * @storm_ns:	set, of a storm: and how long that was
 * @error:	set: -errno of the first failed call
 */
struct ipi_batch {
	struct ipi_call *call;
	size_t max;
	size_t room;
	u64 deadline_ns;
	size_t nr;
	u64 errors;
	u64 migrations;
	u64 others;
	u64 storm_calls;
	u64 storm_ns;
	int error;
};

/**
 * struct ipi_backend - functions of a backend
 * @name:	as for --backend
 * @what:	in words, for "list"
 * @simulated:	no IPI is sent, and its time is not ours: no pauses for the machine's sake, no
 *		time spent on it in the results
 * @open:	make a cell ready: fills @cell->trigger and @cell->proof, and @cell->note where the
 *		row must say more; -EOPNOTSUPP (or another -errno) with @why where it can't be done
 *		The calling thread is the sender: it is pinned to the sender's CPU until close
 * @batch:	make a batch of calls from the calling thread; 0 or -errno where it could not even
 *		begin (-ETIMEDOUT), or its stamps mean nothing (-EAGAIN): to be made again
 * @stamps:	when the function of a call of the last batch ran on a target, by the backend's own
 *		stamps: 0, or -errno where there are none; NULL where there never are
 * @baseline:	the same with the IPI left out; NULL where there is no such thing
 * @baseline_what: what that is, NULL if nothing for this cell
 * @rule:	what the cell's deliveries look like
 * @alive:	are sender and targets still there? 0, or -ENXIO with @why naming the CPU
 * @interrupts:	read the IPI counters; -errno where there are none
 * @steal_ms:	steal time of some CPUs so far; negative where it can't be told
 * @close:	undo open
 * @source:	open the source of events for these CPUs
 * @list:	call @line for each trigger: scenario, name, what it needs, and why it can't work
 *		here (NULL: it can)
 */
struct ipi_backend {
	const char *name;
	const char *what;
	bool simulated;
	int (*open)(struct ipi_session **session, const struct ipi_spec *spec,
		    const struct ipi_options *opt, struct ipi_cell *cell, struct ipi_why *why);
	int (*batch)(struct ipi_session *session, struct ipi_batch *batch);
	int (*stamps)(const struct ipi_session *session, size_t call, int cpu, u64 *entry,
		      u64 *exit);
	int (*baseline)(struct ipi_session *session, struct ipi_batch *batch);
	const char *(*baseline_what)(const struct ipi_session *session);
	void (*rule)(const struct ipi_session *session, const struct ipi_symbols *symbols,
		     struct ipi_attach_rule *rule);
	int (*alive)(const struct ipi_session *session, struct ipi_why *why);
	int (*interrupts)(struct ipi_interrupts *irqs);
	double (*steal_ms)(const struct ipi_cpus *cpus);
	void (*close)(struct ipi_session *session);
	struct ipi_source *(*source)(const struct ipi_cpus *cpus, const struct ipi_options *opt,
				     struct ipi_why *why);
	void (*list)(void (*line)(void *ctx, enum ipi_scenario scenario, const char *name,
				  const char *needs, const struct ipi_why *why), void *ctx);
};

extern const struct ipi_backend ipi_backend_user;
extern const struct ipi_backend ipi_backend_module;
extern const struct ipi_backend ipi_backend_fake;

/* Those of every backend that sends real IPIs: this kernel's counters and tracepoints. */
int ipi_backend__interrupts(struct ipi_interrupts *irqs);
double ipi_backend__steal_ms(const struct ipi_cpus *cpus);
struct ipi_source *ipi_backend__source(const struct ipi_cpus *cpus, const struct ipi_options *opt,
				       struct ipi_why *why);

/* By name, NULL if there is none. */
const struct ipi_backend *ipi_backend__find(const char *name);

#endif
