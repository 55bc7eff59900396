// SPDX-License-Identifier: GPL-2.0
/*
 * KTAP. Names are the same in every run, since CI systems follow a test by its name: figures stand
 * in diagnostic lines.
 */
#include <stdbool.h>
#include <string.h>

#include "../stats/limit.h"
#include "ktap.h"
#include "row.h"

#define INDENT		2	/* of a subtest */

/* What became of a test, or of all below one. */
enum outcome {
	OUTCOME_SKIPPED,
	OUTCOME_OK,
	OUTCOME_FAILED,
};

/* The tests of one level. */
struct level {
	FILE *file;
	int depth;
	int nr;
	enum outcome outcome;
};

static void lead(const struct level *level)
{
	fprintf(level->file, "%*s", level->depth * INDENT, "");
}

static struct level begin(FILE *file, int depth, int plan)
{
	struct level level = { .file = file, .depth = depth, .outcome = OUTCOME_SKIPPED };

	lead(&level);
	fputs("KTAP version 1\n", file);
	lead(&level);
	fprintf(file, "1..%d\n", plan);
	return level;
}

/* "#" begins a directive, a line's end a line. */
static void put_text(FILE *file, const char *text)
{
	for (; *text; text++)
		fputc(*text == '#' ? '_' : *text == '\n' ? ' ' : *text, file);
}

/* @why of a skipped one. */
static void end_test(struct level *level, const char *name, enum outcome outcome, const char *why)
{
	lead(level);
	fprintf(level->file, "%s %d ", outcome == OUTCOME_FAILED ? "not ok" : "ok", ++level->nr);
	put_text(level->file, name);
	if (outcome == OUTCOME_SKIPPED) {
		fputs(" # SKIP ", level->file);
		put_text(level->file, why && *why ? why : "not measured");
	}
	fputc('\n', level->file);
	if (outcome > level->outcome)
		level->outcome = outcome;
}

/* Why a row has no figure to hold against a limit. */
static const char *why_not(const struct ipi_cell *cell)
{
	return cell->verdict == IPI_VERDICT_OK ? "not measured" : cell->note;
}

static enum outcome print_limits(FILE *file, int depth, const struct ipi_cell *cell,
				 const struct ipi_limits *limits, int plan)
{
	struct level level = begin(file, depth, plan);
	char name[64];
	int i;

	for (i = 0; i < limits->nr; i++) {
		const struct ipi_limit *limit = &limits->limit[i];
		enum ipi_kept kept;
		u64 ns = 0;

		kept = ipi_limit__check(limit, cell, &ns);
		if (kept == IPI_KEPT_FOREIGN)
			continue;
		snprintf(name, sizeof(name), "%s.%s", ipi_stage__name(limit->stage),
			 ipi_quantile__name(limit->quantile));
		lead(&level);
		if (kept == IPI_KEPT_UNKNOWN)
			fprintf(file, "# %s: not known, limit %llu ns\n", name,
				(unsigned long long)limit->ns);
		else
			fprintf(file, "# %s: %llu ns, limit %llu ns\n", name,
				(unsigned long long)ns, (unsigned long long)limit->ns);
		end_test(&level, name, kept == IPI_KEPT_UNKNOWN ? OUTCOME_SKIPPED :
			 kept == IPI_KEPT_YES ? OUTCOME_OK : OUTCOME_FAILED, why_not(cell));
	}
	return level.outcome;
}

/* Of the row alone, whatever its limits are. */
static enum outcome judge_row(const struct ipi_cell *cell)
{
	if (cell->verdict == IPI_VERDICT_FAILED || cell->interrupted || cell->lost ||
	    cell->untraced.errors || cell->traced.errors)
		return OUTCOME_FAILED;
	return cell->verdict == IPI_VERDICT_OK ? OUTCOME_OK : OUTCOME_SKIPPED;
}

static void explain(const struct level *level, const struct ipi_cell *cell)
{
	const struct ipi_hist *total = cell->stage[IPI_STAGE_TOTAL];
	u64 errors = cell->untraced.errors + cell->traced.errors;

	lead(level);
	if (cell->verdict == IPI_VERDICT_OK && ipi_hist__count(total)) {
		fprintf(level->file, "# total: p50 %llu ns, p99 %llu ns\n",
			(unsigned long long)ipi_quantile__of(total, IPI_QUANTILE_P50),
			(unsigned long long)ipi_quantile__of(total, IPI_QUANTILE_P99));
	} else {
		fprintf(level->file, "# %s: ", ipi_verdict__name(cell->verdict));
		put_text(level->file, cell->note);
		fputc('\n', level->file);
	}
	if (errors || cell->lost || cell->interrupted) {
		lead(level);
		fprintf(level->file, "# %llu calls failed their check, %llu records lost%s\n",
			(unsigned long long)errors, (unsigned long long)cell->lost,
			cell->interrupted ? ", interrupted" : "");
	}
}

static void print_row(struct level *level, const struct ipi_result *result,
		      const struct ipi_cell *cell, const struct ipi_limits *limits)
{
	enum outcome outcome = judge_row(cell), kept;
	char name[256];
	int plan = 0;
	int i;

	for (i = 0; i < limits->nr; i++)
		plan += ipi_limit__check(&limits->limit[i], cell, NULL) != IPI_KEPT_FOREIGN;
	if (plan) {
		kept = print_limits(level->file, level->depth + 1, cell, limits, plan);
		/* That a limit could not be told makes a row no better than skipped. */
		if (kept == OUTCOME_FAILED || (kept == OUTCOME_SKIPPED && outcome == OUTCOME_OK))
			outcome = kept;
	}
	explain(level, cell);
	end_test(level, ipi_row__name(result, cell, name, sizeof(name)), outcome, why_not(cell));
}

static bool has_row(const struct ipi_result *result, const struct ipi_limit *limit)
{
	int i;

	for (i = 0; i < result->nr_cell; i++) {
		if (ipi_limit__check(limit, &result->cell[i], NULL) != IPI_KEPT_FOREIGN)
			return true;
	}
	return false;
}

static enum outcome print_rows(FILE *file, int depth, const struct ipi_result *result,
			       const struct ipi_limits *limits)
{
	int plan = result->nr_cell;
	struct level level;
	int i;

	for (i = 0; i < limits->nr; i++)
		plan += !has_row(result, &limits->limit[i]);
	level = begin(file, depth, plan);
	for (i = 0; i < result->nr_cell; i++)
		print_row(&level, result, &result->cell[i], limits);
	for (i = 0; i < limits->nr; i++) {
		if (!has_row(result, &limits->limit[i]))
			end_test(&level, limits->limit[i].text, OUTCOME_SKIPPED, "no such row");
	}
	return level.outcome;
}

void ipi_ktap__begin(FILE *file, int nr_result)
{
	if (nr_result > 1)
		begin(file, 0, nr_result);
}

void ipi_ktap__print(FILE *file, int number, const char *name, const struct ipi_result *result,
		     const struct ipi_limits *limits)
{
	struct level level = { .file = file, .nr = number - 1 };
	enum outcome outcome = OUTCOME_FAILED;

	if (result)
		outcome = print_rows(file, number > 0, result, limits);
	else
		fputs("# can't be read\n", file);
	if (number)
		end_test(&level, name, outcome, "every row is");
}
