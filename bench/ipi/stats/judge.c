// SPDX-License-Identifier: GPL-2.0
/*
 * Prove the IPI flew. A cell's headline stands only if its deliveries went the way the scenario
 * says, by two witnesses that don't know of each other: the classes of the traced pass, and the
 * interrupt counters of the untraced one. A witness that was not there is not asked.
 *
 * The traced pass may lose records: a delivery it calls missing may be one whose records it lost.
 * So where the counters have proved the IPIs, as many missing deliveries are passed over as there
 * were records lost; where they have not, none is.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <linux/compiler.h>

#include "result.h"

#define PROOF_PERCENT	95	/* of the deliveries must be of the scenario's class */
#define LOCAL_PERCENT	5	/* a local call may show that many stray IPIs */

enum proof {
	PROOF_NONE,		/* this witness was not there */
	PROOF_HOLDS,
	PROOF_FAILS,
};

/* Interrupts of the counters that show our IPI, on one CPU. */
static u64 proof_count(const struct ipi_cell *cell, const struct ipi_ledger_row *row)
{
	unsigned int have = cell->proof & cell->untraced.counters;
	u64 sum = 0;
	int i;

	for (i = 0; i < IPI_COUNTER_NR; i++) {
		if (have & (1U << i))
			sum += row->counter[i];
	}
	return sum;
}

/* In a storm everybody is hit, the measured sender by the others. */
static bool is_target(const struct ipi_cell *cell, int cpu)
{
	if (cell->scenario == IPI_SCENARIO_STORM)
		return true;
	if (ipi_scenario__is_own(cell->scenario))
		return cpu == cell->src;
	return ipi_cpus__has(&cell->dst, cpu);
}

static bool counters_known(const struct ipi_cell *cell)
{
	const struct ipi_pass *pass = &cell->untraced;

	return pass->done && pass->calls && pass->nr_row && (cell->proof & pass->counters);
}

/*
 * The sum over the targets; with @cap none adds more than the calls made, so that stray
 * interrupts of one target don't stand in for those another one never got.
 */
static u64 proof_sum(const struct ipi_cell *cell, bool cap)
{
	const struct ipi_pass *pass = &cell->untraced;
	u64 calls = pass->calls + pass->others;
	u64 sum = 0;
	u64 count;
	int i;

	for (i = 0; i < pass->nr_row; i++) {
		if (!is_target(cell, pass->row[i].cpu))
			continue;
		count = proof_count(cell, &pass->row[i]);
		sum += cap && count > calls ? calls : count;
	}
	return sum;
}

static double ipis_per_call(const struct ipi_cell *cell)
{
	double sum = 0;

	if (!counters_known(cell))
		return -1;
	sum += proof_sum(cell, false);
	return sum / (cell->untraced.calls + cell->untraced.others);
}

/* At least so many; in a storm one IPI carries one function of each sender at most. */
static u64 expected_ipis(const struct ipi_cell *cell)
{
	const struct ipi_pass *pass = &cell->untraced;
	u64 expected = ipi_cell__expected(cell, pass);

	if (cell->scenario != IPI_SCENARIO_STORM || !cell->senders.nr)
		return expected;
	return (pass->calls + pass->others) * (u64)cell->dst.nr / (u64)cell->senders.nr;
}

static enum proof judge_counters(const struct ipi_cell *cell)
{
	u64 expected = expected_ipis(cell);
	bool holds;

	if (!counters_known(cell))
		return PROOF_NONE;

	if (cell->scenario == IPI_SCENARIO_SELF_CALL)
		holds = proof_sum(cell, false) * 100 <= expected * LOCAL_PERCENT;
	else
		holds = expected && proof_sum(cell, true) * 100 >= expected * PROOF_PERCENT;
	return holds ? PROOF_HOLDS : PROOF_FAILS;
}

/* Deliveries that went the way the scenario says. */
static u64 proved(const struct ipi_cell *cell)
{
	u64 sum = cell->classes[ipi_cell__wanted_class(cell)];

	if (cell->scenario == IPI_SCENARIO_STORM)
		sum += cell->classes[IPI_CLASS_COALESCED];
	return sum;
}

static enum proof judge_classes(const struct ipi_cell *cell, enum proof counters)
{
	u64 excused = cell->lost + cell->vanished + cell->uncertain;
	u64 missing = cell->classes[IPI_CLASS_MISSING];
	u64 all = ipi_cell__deliveries(cell);

	if (!cell->traced.done || !all)
		return PROOF_NONE;

	if (counters == PROOF_HOLDS)
		all -= missing < excused ? missing : excused;
	if (!all)
		return PROOF_NONE;
	return proved(cell) * 100 >= all * PROOF_PERCENT ? PROOF_HOLDS : PROOF_FAILS;
}

__printf(3, 4)
static void append(char *buf, size_t size, const char *fmt, ...)
{
	size_t used = strlen(buf);
	va_list args;

	va_start(args, fmt);
	vsnprintf(buf + used, size - used, fmt, args);
	va_end(args);
}

static void explain_classes(const struct ipi_cell *cell, char *buf, size_t size)
{
	unsigned long long lost = cell->lost + cell->vanished;
	unsigned long long all = ipi_cell__deliveries(cell);
	const char *sep = "";
	int i;

	for (i = 0; i < IPI_CLASS_NR; i++) {
		if (!cell->classes[i])
			continue;
		append(buf, size, "%s%llu %s", sep, (unsigned long long)cell->classes[i],
		       ipi_class__name(i));
		sep = ", ";
	}
	append(buf, size, " of %llu deliveries where %d %% must be %s%s", all, PROOF_PERCENT,
	       ipi_class__name(ipi_cell__wanted_class(cell)),
	       cell->scenario == IPI_SCENARIO_STORM ? " or coalesced" : "");
	if (lost)
		append(buf, size, " (%llu records lost)", lost);
}

static void explain_counters(const struct ipi_cell *cell, char *buf, size_t size)
{
	double due = expected_ipis(cell);

	due /= cell->untraced.calls + cell->untraced.others;

	if (cell->scenario == IPI_SCENARIO_SELF_CALL)
		due = 0;
	append(buf, size, "%.2f IPIs per call in /proc/interrupts where %.2f were due",
	       cell->ipis_per_call, due);
}

/* What was found out goes first; what the row had to say anyway stays behind it. */
static void add_note(struct ipi_cell *cell, const char *found)
{
	char before[sizeof(cell->note)];

	memcpy(before, cell->note, sizeof(before));
	before[sizeof(before) - 1] = '\0';
	cell->note[0] = '\0';
	append(cell->note, sizeof(cell->note), "%s%s%s", found, *before ? "; " : "", before);
}

static void refuse(struct ipi_cell *cell, const char *why)
{
	cell->verdict = IPI_VERDICT_REFUSED;
	add_note(cell, why);
}

/*
 * A number without the target's state is worth nothing, and one with a wrong state less: most
 * deliveries must have found the target as the row says, and where not nearly all did it is told.
 */
static void judge_state(struct ipi_cell *cell)
{
	u64 seen = ipi_cell__deliveries(cell) - cell->classes[IPI_CLASS_MISSING];
	char found[128] = "";

	if (!cell->traced.done || cell->off_state * 100 <= seen * (100 - PROOF_PERCENT))
		return;

	append(found, sizeof(found), "%llu of %llu deliveries found the target not %s",
	       (unsigned long long)cell->off_state, (unsigned long long)seen,
	       ipi_target__name(cell->target));
	if (cell->off_state * 2 > seen)
		refuse(cell, found);
	else
		add_note(cell, found);
}

static double storm_rate(const struct ipi_cell *cell)
{
	const struct ipi_pass *pass = &cell->untraced;
	double calls = pass->storm_calls;

	return pass->storm_ns ? calls * 1e9 / pass->storm_ns : -1;
}

static void observe(struct ipi_cell *cell)
{
	cell->observer_known = ipi_cell__measured(cell, IPI_STAGE_TOTAL) &&
			       ipi_cell__measured(cell, IPI_STAGE_TOTAL_TRACED);
	cell->observer_ns = 0;
	if (cell->observer_known)
		cell->observer_ns =
			(s64)ipi_hist__percentile(cell->stage[IPI_STAGE_TOTAL_TRACED], 5000) -
			(s64)ipi_hist__percentile(cell->stage[IPI_STAGE_TOTAL], 5000);
}

void ipi_cell__judge(struct ipi_cell *cell)
{
	char why[sizeof(cell->note)] = "";
	enum proof counters, classes;

	observe(cell);
	cell->ipis_per_call = ipis_per_call(cell);
	cell->storm_rate = storm_rate(cell);
	cell->verdict = IPI_VERDICT_OK;
	if (!ipi_cell__measured(cell, IPI_STAGE_TOTAL)) {
		refuse(cell, "no call was measured");
		return;
	}
	if (cell->scenario == IPI_SCENARIO_DRY_RUN)
		return;

	counters = judge_counters(cell);
	classes = judge_classes(cell, counters);
	if (classes == PROOF_FAILS)
		explain_classes(cell, why, sizeof(why));
	if (counters == PROOF_FAILS) {
		append(why, sizeof(why), "%s", *why ? "; " : "");
		explain_counters(cell, why, sizeof(why));
	}
	if (counters == PROOF_NONE && classes == PROOF_NONE)
		append(why, sizeof(why),
		       "nothing proves the IPIs: no tracepoints, no counter in /proc/interrupts");
	if (*why)
		refuse(cell, why);
	else
		judge_state(cell);
}
