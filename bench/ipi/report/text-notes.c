// SPDX-License-Identifier: GPL-2.0
/*
 * The comment lines around the table: before it, what its numbers are; under it, what became of
 * all deliveries, what could not be told apart, and what is to be taken off the raw totals.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../stats/spread.h"
#include "text.h"

#define LAST_SHOWN	8	/* CPUs in the line of last responders */

/* The first cell with this scenario and trigger says it for all of them. */
static bool is_first_with_trigger(const struct ipi_result *result, int index)
{
	const struct ipi_cell *cell = &result->cell[index];
	int i;

	for (i = 0; i < index; i++) {
		if (result->cell[i].scenario == cell->scenario &&
		    !strcmp(result->cell[i].trigger, cell->trigger))
			return false;
	}
	return true;
}

static bool has_other_trigger(const struct ipi_result *result, const struct ipi_cell *cell)
{
	int i;

	for (i = 0; i < result->nr_cell; i++) {
		if (result->cell[i].scenario == cell->scenario && *result->cell[i].trigger &&
		    strcmp(result->cell[i].trigger, cell->trigger))
			return true;
	}
	return false;
}

static void print_triggers(const struct ipi_text *text)
{
	struct ipi_line line = { .file = text->file };
	const struct ipi_cell *cell;
	bool named;
	int i;

	for (i = 0; i < text->result->nr_cell; i++) {
		cell = &text->result->cell[i];
		if (!*cell->trigger || !is_first_with_trigger(text->result, i))
			continue;
		named = has_other_trigger(text->result, cell);
		ipi_line__add(&line, "%s%s%s: %s", ipi_scenario__name(cell->scenario),
			      named ? " " : "", named ? ipi_target__name(cell->target) : "",
			      cell->trigger);
	}
	ipi_line__end(&line);
}

static bool any_traced(const struct ipi_result *result)
{
	int i;

	for (i = 0; i < result->nr_cell; i++) {
		if (result->cell[i].traced.done)
			return true;
	}
	return false;
}

/* Calls in a complete row; 0 if rows differ. */
static u64 calls_per_row(const struct ipi_result *result)
{
	const struct ipi_cell *cell;
	u64 calls = 0;
	int i;

	for (i = 0; i < result->nr_cell; i++) {
		cell = &result->cell[i];
		if (!cell->untraced.done || cell->interrupted)
			continue;
		if (calls && cell->untraced.calls != calls)
			return 0;
		calls = cell->untraced.calls;
	}
	return calls;
}

static void print_dry_run(struct ipi_line *line, const struct ipi_text *text)
{
	const struct ipi_cell *dry = ipi_text__dry_run(text->result, NULL);
	long long ns = dry ? (long long)ipi_text__p50(dry, IPI_STAGE_TOTAL) : 0;

	if (text->normalize && ipi_text__repeated(text->result))
		ipi_line__add(line, "times are multiples of the p50 of the repetition's dry run");
	else if (text->normalize)
		ipi_line__add(line, "times are multiples of the dry run's p50 (%lld ns)", ns);
	else
		ipi_line__add(line, "ns per call");
	if (text->conf->normalize && !text->normalize)
		ipi_line__add(line, "--normalize: no dry run to divide by");
}

void ipi_text__units(const struct ipi_text *text)
{
	struct ipi_line line = { .file = text->file };
	u64 calls = calls_per_row(text->result);

	print_triggers(text);
	print_dry_run(&line, text);
	if (calls)
		ipi_line__add(&line, "%llu calls a row", (unsigned long long)calls);
	ipi_line__add(&line, "total: untraced");
	if (any_traced(text->result)) {
		ipi_line__add(&line, "stages: p50 of a traced pass");
		ipi_line__add(&line, "obs: what tracing adds to the total's p50");
	}
	ipi_line__end(&line);
}

static void print_interrupted(const struct ipi_text *text)
{
	if (text->result->interrupted)
		ipi_text__comment(text, IPI_MARK_ALARM,
				  "*** interrupted: the run was ended early, rows may be short or missing ***");
}

struct sums {
	u64 classes[IPI_CLASS_NR];
	u64 lost;
	u64 vanished;
	u64 uncertain;
	u64 negative;
	u64 foreign;
	u64 off_state;
	u64 migrations;
	double steal_ms;
	bool traced;
	bool steal;
};

static void sum_up(const struct ipi_result *result, struct sums *sums)
{
	const struct ipi_cell *cell;
	int class;
	int i;

	memset(sums, 0, sizeof(*sums));
	for (i = 0; i < result->nr_cell; i++) {
		cell = &result->cell[i];
		sums->migrations += cell->migrations;
		if (cell->steal_ms >= 0) {
			sums->steal_ms += cell->steal_ms;
			sums->steal = true;
		}
		if (!cell->traced.done)
			continue;
		sums->traced = true;
		for (class = 0; class < IPI_CLASS_NR; class++)
			sums->classes[class] += cell->classes[class];
		sums->lost += cell->lost;
		sums->vanished += cell->vanished;
		sums->uncertain += cell->uncertain;
		sums->negative += cell->negative;
		sums->foreign += cell->foreign;
		sums->off_state += cell->off_state;
	}
}

static void print_sums(const struct ipi_text *text)
{
	struct ipi_line line = { .file = text->file };
	unsigned long long count;
	struct sums sums;
	int class;

	sum_up(text->result, &sums);
	for (class = 0; sums.traced && class < IPI_CLASS_NR; class++) {
		count = sums.classes[class];
		ipi_line__add(&line, "%s%llu %s", class ? "" : "deliveries: ", count,
			      ipi_class__name(class));
	}
	ipi_line__end(&line);
	if (sums.traced) {
		ipi_line__add(&line, "%llu records lost", (unsigned long long)sums.lost);
		ipi_line__add(&line, "%llu vanished", (unsigned long long)sums.vanished);
		ipi_line__add(&line, "%llu negative intervals", (unsigned long long)sums.negative);
		ipi_line__add(&line, "%llu foreign deliveries", (unsigned long long)sums.foreign);
		ipi_line__add(&line, "%llu off-state", (unsigned long long)sums.off_state);
		if (sums.uncertain)
			ipi_line__add(&line, "%llu uncertain", (unsigned long long)sums.uncertain);
	}
	if (sums.migrations)
		ipi_line__add(&line, "%llu calls migrated", (unsigned long long)sums.migrations);
	if (sums.steal)
		ipi_line__add(&line, "steal %.0f ms", sums.steal_ms);
	ipi_line__end(&line);
}

static bool has_line(const char *text, const char *wanted)
{
	char buf[512];

	while (ipi_text__next_line(&text, buf, sizeof(buf))) {
		if (!strcmp(buf, wanted))
			return true;
	}
	return false;
}

/* Each thing once, behind the scenarios it is true of. */
static void print_inseparable(const struct ipi_text *text, int index, const char *what)
{
	const struct ipi_result *result = text->result;
	unsigned int named = 0;
	char who[128] = "";
	int i;

	for (i = 0; i < result->nr_cell; i++) {
		if (!has_line(result->cell[i].inseparable, what))
			continue;
		if (i < index)
			return;
		if (named & (1U << result->cell[i].scenario))
			continue;
		snprintf(who + strlen(who), sizeof(who) - strlen(who), "%s%s", named ? ", " : "",
			 ipi_scenario__name(result->cell[i].scenario));
		named |= 1U << result->cell[i].scenario;
	}
	ipi_text__comment(text, IPI_MARK_PLAIN, "not separable in %s: %s", who, what);
}

static bool shows_sum(const struct ipi_cell *cell)
{
	return cell->verdict == IPI_VERDICT_OK &&
	       ((ipi_cell__measured(cell, IPI_STAGE_SEND_LATENCY) &&
		 !ipi_cell__measured(cell, IPI_STAGE_DELIVER)) ||
		(ipi_cell__measured(cell, IPI_STAGE_HANDLER_LATENCY) &&
		 !ipi_cell__measured(cell, IPI_STAGE_HANDLE)));
}

static void print_split(const struct ipi_text *text)
{
	const struct ipi_result *result = text->result;
	bool sum = false;
	char line[512];
	const char *pos;
	int i;

	if (*result->trace)
		ipi_text__comment(text, IPI_MARK_PLAIN, "no split into stages: %s", result->trace);

	for (i = 0; i < result->nr_cell; i++)
		sum = sum || shows_sum(&result->cell[i]);
	if (sum)
		ipi_text__comment(text, IPI_MARK_PLAIN,
				  "=N: the latency is known, how it divides into its two stages is not");
	for (i = 0; i < result->nr_cell; i++) {
		pos = result->cell[i].inseparable;
		while (ipi_text__next_line(&pos, line, sizeof(line)))
			print_inseparable(text, i, line);
	}
	pos = result->missing;
	while (ipi_text__next_line(&pos, line, sizeof(line)))
		ipi_text__comment(text, IPI_MARK_PLAIN, "%s", line);
}

/* What is to be taken off a raw total; nothing above has been. */
static void print_adjustments(const struct ipi_text *text)
{
	const struct ipi_cell *dry = ipi_text__dry_run(text->result, NULL);
	struct ipi_line line = { .file = text->file };
	const char *unit = text->normalize ? "" : " ns";
	struct ipi_word name, base, all;
	const struct ipi_cell *cell;
	int i;

	if (dry && !text->conf->verbose)
		ipi_text__comment(text, IPI_MARK_PLAIN,
				  "totals are raw: the dry run's %lld ns are in each (-v takes them off)",
				  (long long)ipi_text__p50(dry, IPI_STAGE_TOTAL));
	for (i = 0; i < text->result->nr_cell; i++) {
		cell = &text->result->cell[i];
		/* The first repetition says it for all. */
		if (cell->baseline_ns < 0 || cell->verdict != IPI_VERDICT_OK || cell->repetition ||
		    !ipi_cell__measured(cell, IPI_STAGE_TOTAL))
			continue;
		ipi_text__name(text, cell, &name);
		ipi_text__time(text, cell, cell->baseline_ns, &base);
		ipi_text__time(text, cell, ipi_text__p50(cell, IPI_STAGE_TOTAL), &all);
		ipi_line__add(&line, "%s%s: %s of %s%s (%s)",
			      line.used ? "" : "the trigger without its IPI: ", name.str, base.str,
			      all.str, unit, cell->baseline_what);
	}
	ipi_line__end(&line);
}

/* Two witnesses of one function: its own stamps lie inside those of the tracepoints around it. */
static void print_agreement(const struct ipi_text *text)
{
	struct ipi_line line = { .file = text->file };
	const struct ipi_cell *cell;
	struct ipi_word name;
	int i;

	for (i = 0; i < text->result->nr_cell; i++) {
		cell = &text->result->cell[i];
		if (!ipi_cell__measured(cell, IPI_STAGE_AGREE_DELIVERY) ||
		    !ipi_cell__measured(cell, IPI_STAGE_AGREE_HANDLE))
			continue;
		ipi_text__name(text, cell, &name);
		ipi_line__add(&line, "%s%s: %lld, %lld",
			      line.used ? "" : "tracepoints less own stamps, start and handle: ",
			      name.str,
			      (long long)ipi_text__p50(cell, IPI_STAGE_AGREE_DELIVERY),
			      (long long)ipi_text__p50(cell, IPI_STAGE_AGREE_HANDLE));
	}
	ipi_line__end(&line);
}

/* Of each broadcast, the target that let the sender wait: the first few, most frequent first. */
static void print_last(const struct ipi_text *text, const struct ipi_cell *cell)
{
	struct ipi_line line = { .file = text->file };
	unsigned long long below = ~0ULL;
	struct ipi_word name;
	int shown = 0;
	int best, i;

	ipi_text__name(text, cell, &name);
	while (shown < LAST_SHOWN) {
		best = -1;
		for (i = 0; i < cell->dst.nr; i++) {
			if (cell->last[i] && cell->last[i] < below &&
			    (best < 0 || cell->last[i] > cell->last[best]))
				best = i;
		}
		if (best < 0)
			break;
		below = cell->last[best];
		for (i = 0; i < cell->dst.nr && shown < LAST_SHOWN; i++) {
			if (cell->last[i] != below)
				continue;
			ipi_line__add(&line, "%s%s%sCPU %d: %llu", shown ? "" : "last to answer, ",
				      shown ? "" : name.str, shown ? "" : ": ", cell->dst.cpu[i],
				      below);
			shown++;
		}
	}
	ipi_line__end(&line);
}

/* Of each row that was repeated: how often, and how well that agrees. */
static void print_spread(const struct ipi_text *text)
{
	const struct ipi_fact *spent = ipi_facts__get(&text->result->environment, "spent_ms");
	struct ipi_line line = { .file = text->file };
	struct ipi_spread *spread;
	struct ipi_word label;
	bool any = false;
	int i, nr;

	spread = ipi_spread__make(text->result, &nr);
	for (i = 0; spread && i < nr; i++) {
		if (isnan(spread[i].reach))
			continue;
		ipi_text__label(spread[i].cell, &label);
		ipi_line__add(&line, "%s%s: %.4g ns +- %.1f %% of %d", any ? "" :
			      "total p50 over repetitions, 95 % interval: ", label.str,
			      spread[i].mean, 100 * spread[i].reach, spread[i].nr);
		any = true;
	}
	if (any && spent && !spent->str)
		ipi_line__add(&line, "%.1f s spent", (double)spent->num / 1000);
	ipi_line__end(&line);
	free(spread);
}

void ipi_text__notes(const struct ipi_text *text)
{
	int i;

	fputs("#\n", text->file);
	print_interrupted(text);
	print_sums(text);
	print_split(text);
	print_agreement(text);
	for (i = 0; i < text->result->nr_cell; i++) {
		if (text->result->cell[i].last)
			print_last(text, &text->result->cell[i]);
	}
	ipi_text__laws(text);
	print_spread(text);
	print_adjustments(text);
}
