/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The result: everything a run found out, in one structure. run/ fills it, report/ prints it; the
 * text's numbers and JSON's come from the same fields. Documentation/result-format.txt says what
 * each means.
 */
#ifndef IPI_STATS_RESULT_H
#define IPI_STATS_RESULT_H

#include "../cpus.h"
#include "../ipi.h"
#include "../topology.h"
#include "hist.h"

#define IPI_RESULT_SCHEMA	"perf-bench-ipi/1"

/* What became of a cell. */
enum ipi_verdict {
	IPI_VERDICT_OK,			/* its headline stands */
	IPI_VERDICT_REFUSED,		/* measured, but the IPIs were not proved: no headline */
	IPI_VERDICT_UNSUPPORTED,	/* can't be done here; note says why */
	IPI_VERDICT_FAILED,		/* should have worked; note says why */
	IPI_VERDICT_NR,
};

const char *ipi_verdict__name(enum ipi_verdict verdict);	/* "ok", "refused", ... */

/* Interrupt counters of /proc/interrupts, by the word used in outputs. */
enum ipi_counter {
	IPI_COUNTER_CALL,		/* x86 CAL, arm64 "Function call interrupts" */
	IPI_COUNTER_RESCHED,		/* x86 RES */
	IPI_COUNTER_WORK,		/* x86 IWI */
	IPI_COUNTER_TLB,		/* x86 TLB */
	IPI_COUNTER_NR,
};

const char *ipi_counter__name(enum ipi_counter counter);	/* "call", "resched", ... */

/**
 * struct ipi_ledger_row - one CPU's account over one pass
 * @cpu:	the CPU
 * @calls:	calls made by it
 * @queued:	functions it queued for others
 * @sent:	IPIs it sent, each target counted
 * @entries:	interrupts it took, by enum ipi_irq
 * @functions:	functions it ran
 * @counter:	difference in /proc/interrupts, by enum ipi_counter
 *
 * @queued to @functions are known in a traced pass only (struct ipi_pass says).
 */
struct ipi_ledger_row {
	int cpu;
	u64 calls;
	u64 queued;
	u64 sent;
	u64 entries[IPI_IRQ_NR];
	u64 functions;
	u64 counter[IPI_COUNTER_NR];
};

/**
 * struct ipi_pass - account of one pass over a cell
 * @done:	the pass was made
 * @calls:	calls made
 * @others:	of a storm, calls made that are not in @calls: those of the other senders, and those
 *		of the measured one while not all were at it
 * @storm_calls: of a storm, calls of all senders while all were at it
 * @storm_ns:	and how long they were
 * @errors:	calls whose check failed (wrong CPU, not once, wrong value, failed system call)
 * @have:	traced pass: IPI_EVENT_BIT()s that existed, so which ledger columns mean anything
 * @counters:	/proc/interrupts could be read: a bit per enum ipi_counter that this kernel has
 * @row:	the ledger, a row per CPU of the cell
 * @nr_row:	how many
 */
struct ipi_pass {
	bool done;
	u64 calls;
	u64 others;
	u64 storm_calls;
	u64 storm_ns;
	u64 errors;
	unsigned int have;
	unsigned int counters;
	struct ipi_ledger_row *row;
	int nr_row;
};

/**
 * struct ipi_cell - one row of results: scenario x sender x targets x target state
 * @scenario:	what was sent
 * @backend:	"user", "module", "fake"
 * @trigger:	what made the kernel send, in words: "membarrier(RSEQ, cpu)"
 * @src:	sender
 * @dst:	targets; empty for dry-run
 * @senders:	of a storm, all who send at once, @src, which is measured, included; else empty
 * @target:	their state
 * @repetition:	from 0
 * @verdict:	what became of it
 * @note:	why the headline is refused or the cell not measured, or what else the row must say
 *		(an approximation, who sends); "" if nothing
 * @nowait:	a call returns once it is sent
 * @interrupted: Ctrl-C or a CPU gone ended it early: what is there was measured
 * @untraced:	the pass without tracepoints: total, ledger by /proc/interrupts
 * @traced:	the pass with them: classes, stages
 * @proof:	counters that show the IPI: a bit per enum ipi_counter
 * @ipis_per_call: untraced pass: @proof counters of the targets (of the sender for self-ipi, of all
 *		CPUs for a storm) per call (of any sender); negative if not measured
 * @storm_rate:	calls per second of all senders of a storm together; negative if not measured
 * @classes:	deliveries of the traced pass by class; only with @traced.done
 * @foreign:	deliveries seen in the traced pass that are nobody's call
 * @off_state:	deliveries that hit the target in another state than @target: kept in @classes, left
 *		out of the stages
 * @lost:	records lost by the rings
 * @vanished:	records the kernel counted but never delivered
 * @uncertain:	deliveries given up because of losses
 * @negative:	negative intervals, counted, not recorded
 * @stage:	by enum ipi_stage; NULL or empty: not measured
 * @inseparable: stages this kernel can't tell apart for this cell, in words, one a line
 * @observer_ns: p50 of the traced total less p50 of the untraced
 * @observer_known: it could be computed
 * @baseline_ns: p50 of the trigger with the IPI left out, negative if not measured
 * @baseline_what: what was run for it: "same fault, sample without wake-up"
 * @steal_ms:	steal time over the cell on its CPUs, negative if not measured
 * @migrations:	calls during which the sender changed CPU (they are not recorded)
 * @stamped:	the functions stamped themselves: delivery and handle are theirs, of the untraced
 *		pass, and the traced one is compared with them
 * @last:	untraced pass, of a broadcast that was stamped: how often each of @dst answered
 *		last; NULL if not measured
 */
struct ipi_cell {
	enum ipi_scenario scenario;
	const char *backend;
	char trigger[96];
	int src;
	struct ipi_cpus dst;
	struct ipi_cpus senders;
	enum ipi_target target;
	unsigned int repetition;
	enum ipi_verdict verdict;
	char note[320];
	bool nowait;
	bool interrupted;
	struct ipi_pass untraced;
	struct ipi_pass traced;
	unsigned int proof;
	double ipis_per_call;
	double storm_rate;
	u64 classes[IPI_CLASS_NR];
	u64 foreign;
	u64 off_state;
	u64 lost;
	u64 vanished;
	u64 uncertain;
	u64 negative;
	struct ipi_hist *stage[IPI_STAGE_NR];
	char inseparable[256];
	s64 observer_ns;
	bool observer_known;
	s64 baseline_ns;
	char baseline_what[64];
	double steal_ms;
	u64 migrations;
	bool stamped;
	u64 *last;
};

/* One fact about the machine or one option: a name, and a string or a number. */
struct ipi_fact {
	char key[40];
	char *str;		/* NULL: @num counts */
	s64 num;
};

/**
 * struct ipi_facts - facts in the order they were noted
 * @fact:	them
 * @nr:		how many
 */
struct ipi_facts {
	struct ipi_fact *fact;
	int nr;
};

/* Note a fact, replacing one of the same key; a NULL or "" value is left out. 0 or -ENOMEM. */
int ipi_facts__str(struct ipi_facts *facts, const char *key, const char *value);
int ipi_facts__num(struct ipi_facts *facts, const char *key, s64 value);
/* NULL if there is none of that key. */
const struct ipi_fact *ipi_facts__get(const struct ipi_facts *facts, const char *key);

/**
 * struct ipi_result - a whole run
 * @title:	"all", or the scenarios asked for: "normal,broadcast"
 * @environment: facts about the machine, the kernel, the clock
 * @options:	the options as they were in effect
 * @trace:	"" when split from tracepoints, else why there is no split
 * @missing:	what this kernel's tracepoints can't tell apart, one a line
 * @topology:	of a matrix: which CPUs share what; NULL for others. The result's own
 * @cell:	the rows, in the order they ran
 * @nr_cell:	how many
 * @interrupted: a signal ended the run early
 */
struct ipi_result {
	char title[128];
	struct ipi_facts environment;
	struct ipi_facts options;
	char trace[512];
	char missing[512];
	struct ipi_topology *topology;
	struct ipi_cell *cell;
	int nr_cell;
	bool interrupted;
};

struct ipi_result *ipi_result__new(void);	/* NULL without memory */
void ipi_result__delete(struct ipi_result *result);

/*
 * A new cell at the end (valid until the next one is added), zeroed but for the scalars where
 * negative means not measured; NULL without memory.
 */
struct ipi_cell *ipi_result__add_cell(struct ipi_result *result);

/* The histogram of a stage, made when first asked for; NULL without memory. */
struct ipi_hist *ipi_cell__hist(struct ipi_cell *cell, enum ipi_stage stage);

/* Was this stage measured? */
bool ipi_cell__measured(const struct ipi_cell *cell, enum ipi_stage stage);

/* The class the scenario promises: local for self-call, interrupt for the others. */
enum ipi_class ipi_cell__wanted_class(const struct ipi_cell *cell);

/* "normal", "multicast:4" (targets), "storm:8" (senders) into @buf. Return: @buf. */
const char *ipi_cell__label(const struct ipi_cell *cell, char *buf, size_t size);

/* Deliveries of all classes. */
u64 ipi_cell__deliveries(const struct ipi_cell *cell);

/* Deliveries promised: calls x targets (1 for a local or self scenario, 0 for dry-run). */
u64 ipi_cell__expected(const struct ipi_cell *cell, const struct ipi_pass *pass);

/**
 * ipi_cell__judge - decide whether the headline stands (design: prove the IPI flew)
 * @cell:	a measured cell: its verdict is set to OK or REFUSED and, if refused, its note to
 *		what happened instead, in figures
 *
 * The scenario's class must hold for 95 % of the traced deliveries, and in the untraced pass the
 * proof counters must show 0.95 IPIs per call and target (at most 0.05 for self-call). Each is
 * asked only where it was measured; a cell with neither is refused. In a storm many functions ride
 * on the IPI of another sender: there those count as well, and the counters must show what is left
 * when each IPI carries a function of every sender. A cell is refused, too, most of whose
 * deliveries found the target in another state than it says; from 5 % on its note tells how many.
 * Also computes @cell->ipis_per_call, @cell->storm_rate and @cell->observer_ns.
 */
void ipi_cell__judge(struct ipi_cell *cell);

#endif
