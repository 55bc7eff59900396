// SPDX-License-Identifier: GPL-2.0
/*
 * The result's own house-keeping: making and freeing it, facts, cells, and the names and sums of
 * a cell that several readers need. It measures nothing and judges nothing (judge.c does).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result.h"

const char *ipi_verdict__name(enum ipi_verdict verdict)
{
	static const char * const names[IPI_VERDICT_NR] = {
		[IPI_VERDICT_OK]		= "ok",
		[IPI_VERDICT_REFUSED]		= "refused",
		[IPI_VERDICT_UNSUPPORTED]	= "unsupported",
		[IPI_VERDICT_FAILED]		= "failed",
	};

	return ipi_name__of(names, IPI_VERDICT_NR, verdict);
}

const char *ipi_counter__name(enum ipi_counter counter)
{
	static const char * const names[IPI_COUNTER_NR] = {
		[IPI_COUNTER_CALL]	= "call",
		[IPI_COUNTER_RESCHED]	= "resched",
		[IPI_COUNTER_WORK]	= "work",
		[IPI_COUNTER_TLB]	= "tlb",
	};

	return ipi_name__of(names, IPI_COUNTER_NR, counter);
}

static struct ipi_fact *facts__find(const struct ipi_facts *facts, const char *key)
{
	int i;

	for (i = 0; i < facts->nr; i++) {
		if (!strncmp(facts->fact[i].key, key, sizeof(facts->fact[i].key) - 1))
			return &facts->fact[i];
	}
	return NULL;
}

/* The fact of that key, emptied, or a new one. */
static struct ipi_fact *facts__slot(struct ipi_facts *facts, const char *key)
{
	struct ipi_fact *fact = facts__find(facts, key);

	if (fact) {
		free(fact->str);
		fact->str = NULL;
		return fact;
	}

	fact = reallocarray(facts->fact, (size_t)facts->nr + 1, sizeof(*fact));
	if (!fact)
		return NULL;
	facts->fact = fact;
	fact += facts->nr++;
	memset(fact, 0, sizeof(*fact));
	strncpy(fact->key, key, sizeof(fact->key) - 1);
	return fact;
}

int ipi_facts__str(struct ipi_facts *facts, const char *key, const char *value)
{
	struct ipi_fact *fact;
	char *copy;

	if (!value || !*value)
		return 0;

	copy = strdup(value);
	if (!copy)
		return -ENOMEM;
	fact = facts__slot(facts, key);
	if (!fact) {
		free(copy);
		return -ENOMEM;
	}
	fact->str = copy;
	return 0;
}

int ipi_facts__num(struct ipi_facts *facts, const char *key, s64 value)
{
	struct ipi_fact *fact = facts__slot(facts, key);

	if (!fact)
		return -ENOMEM;
	fact->num = value;
	return 0;
}

const struct ipi_fact *ipi_facts__get(const struct ipi_facts *facts, const char *key)
{
	return facts__find(facts, key);
}

static void facts__exit(struct ipi_facts *facts)
{
	int i;

	for (i = 0; i < facts->nr; i++)
		free(facts->fact[i].str);
	free(facts->fact);
}

struct ipi_result *ipi_result__new(void)
{
	return calloc(1, sizeof(struct ipi_result));
}

static void cell__exit(struct ipi_cell *cell)
{
	int i;

	for (i = 0; i < IPI_STAGE_NR; i++)
		ipi_hist__delete(cell->stage[i]);
	free(cell->untraced.row);
	free(cell->traced.row);
	free(cell->last);
	ipi_cpus__free(&cell->dst);
	ipi_cpus__free(&cell->senders);
}

void ipi_result__delete(struct ipi_result *result)
{
	int i;

	if (!result)
		return;

	for (i = 0; i < result->nr_cell; i++)
		cell__exit(&result->cell[i]);
	free(result->cell);
	ipi_topology__delete(result->topology);
	facts__exit(&result->environment);
	facts__exit(&result->options);
	free(result);
}

struct ipi_cell *ipi_result__add_cell(struct ipi_result *result)
{
	size_t nr = (size_t)result->nr_cell;
	struct ipi_cell *cell;

	/* Full at every power of two: matrices have thousands. */
	if (!(nr & (nr - 1))) {
		cell = reallocarray(result->cell, nr ? nr * 2 : 1, sizeof(*cell));
		if (!cell)
			return NULL;
		result->cell = cell;
	}
	cell = result->cell + result->nr_cell++;
	memset(cell, 0, sizeof(*cell));
	/* A 0 would read as measured. */
	cell->ipis_per_call = -1;
	cell->storm_rate = -1;
	cell->baseline_ns = -1;
	cell->steal_ms = -1;
	return cell;
}

struct ipi_hist *ipi_cell__hist(struct ipi_cell *cell, enum ipi_stage stage)
{
	if ((unsigned int)stage >= IPI_STAGE_NR)
		return NULL;
	if (!cell->stage[stage])
		cell->stage[stage] = ipi_hist__new();
	return cell->stage[stage];
}

bool ipi_cell__measured(const struct ipi_cell *cell, enum ipi_stage stage)
{
	return (unsigned int)stage < IPI_STAGE_NR && ipi_hist__count(cell->stage[stage]) > 0;
}

enum ipi_class ipi_cell__wanted_class(const struct ipi_cell *cell)
{
	return cell->scenario == IPI_SCENARIO_SELF_CALL ? IPI_CLASS_LOCAL : IPI_CLASS_INTERRUPT;
}

const char *ipi_cell__label(const struct ipi_cell *cell, char *buf, size_t size)
{
	const char *name = ipi_scenario__name(cell->scenario);

	if (cell->scenario == IPI_SCENARIO_MULTICAST && cell->dst.nr)
		snprintf(buf, size, "%s:%d", name, cell->dst.nr);
	else if (cell->scenario == IPI_SCENARIO_STORM && cell->senders.nr)
		snprintf(buf, size, "%s:%d", name, cell->senders.nr);
	else
		snprintf(buf, size, "%s", name);
	return buf;
}

u64 ipi_cell__deliveries(const struct ipi_cell *cell)
{
	u64 sum = 0;
	int i;

	for (i = 0; i < IPI_CLASS_NR; i++)
		sum += cell->classes[i];
	return sum;
}

u64 ipi_cell__expected(const struct ipi_cell *cell, const struct ipi_pass *pass)
{
	if (cell->scenario == IPI_SCENARIO_DRY_RUN)
		return 0;
	return pass->calls * (ipi_scenario__is_own(cell->scenario) ? 1 : (u64)cell->dst.nr);
}
