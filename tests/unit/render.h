/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Small results for the tests of outputs that must be to the letter, and what is printed as a
 * string.
 */
#ifndef TESTS_UNIT_RENDER_H
#define TESTS_UNIT_RENDER_H

#include "sample.h"

/* A stream whose text is there once it is closed. */
struct render {
	FILE *file;
	char *text;
	size_t size;
};

static inline void render_begin(struct render *render)
{
	render->text = NULL;
	render->file = open_memstream(&render->text, &render->size);
	assert_non_null(render->file);
}

/* Frees what was printed. */
static inline void render_expect(struct render *render, const char *want)
{
	assert_int_equal(fclose(render->file), 0);
	assert_string_equal(render->text, want);
	free(render->text);
}

/* Calls of 1, 2, ... @calls ns. */
static inline struct ipi_cell *render_cell(struct ipi_result *result, enum ipi_scenario scenario,
					   enum ipi_target target, u64 calls)
{
	struct ipi_cell *cell = ipi_result__add_cell(result);
	u64 i;

	assert_non_null(cell);
	cell->scenario = scenario;
	cell->target = target;
	cell->backend = "fake";
	cell->untraced.done = true;
	cell->untraced.calls = calls;
	if (target != IPI_TARGET_NONE)
		assert_int_equal(ipi_cpus__add(&cell->dst, 1), 0);
	assert_non_null(ipi_cell__hist(cell, IPI_STAGE_TOTAL));
	for (i = 1; i <= calls; i++)
		ipi_hist__add(cell->stage[IPI_STAGE_TOTAL], i);
	return cell;
}

/* One that has a headline, and one of each kind that has none. */
static inline struct ipi_result *render_result(void)
{
	struct ipi_result *result = ipi_result__new();
	struct ipi_cell *cell;

	assert_non_null(result);
	cell = render_cell(result, IPI_SCENARIO_NORMAL, IPI_TARGET_BUSY, 100);
	cell->ipis_per_call = 1;
	ipi_hist__add(ipi_cell__hist(cell, IPI_STAGE_SEND), 42);
	cell = render_cell(result, IPI_SCENARIO_NORMAL, IPI_TARGET_IDLE, 100);
	cell->verdict = IPI_VERDICT_REFUSED;
	cell->ipis_per_call = 0;
	strcpy(cell->note, "polled, #1\nof 2");
	sample_bare(result, IPI_SCENARIO_BROADCAST, IPI_TARGET_BUSY, IPI_VERDICT_UNSUPPORTED,
		    "needs two CPUs");
	sample_bare(result, IPI_SCENARIO_WAKE, IPI_TARGET_IDLE, IPI_VERDICT_FAILED,
		    "CPU 1 went offline");
	return result;
}

#endif
