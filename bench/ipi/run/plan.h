/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From options to cells: which scenario, sent by whom, at whom, in which state.
 */
#ifndef IPI_RUN_PLAN_H
#define IPI_RUN_PLAN_H

#include "../cpus.h"
#include "../ipi.h"

struct ipi_options;
struct ipi_why;

/**
 * struct ipi_spec - one cell to run
 * @scenario:	what to send
 * @target:	state the targets must be in
 * @src:	sender
 * @dst:	targets; the sender itself for self scenarios, empty for dry-run
 * @senders:	of a storm, all who send at once, @src among them; else empty
 * @needs:	why it can't be run with these CPUs, "" if it can
 */
struct ipi_spec {
	enum ipi_scenario scenario;
	enum ipi_target target;
	int src;
	struct ipi_cpus dst;
	struct ipi_cpus senders;
	char needs[96];
};

/**
 * struct ipi_plan - all cells of a run
 * @cpus:	every CPU that takes part
 * @src:	the sender
 * @fixed:	the user named sender or targets: idle cells don't swap them
 * @spec:	the cells, in the order they run
 * @nr:		how many
 */
struct ipi_plan {
	struct ipi_cpus cpus;
	int src;
	bool fixed;
	struct ipi_spec *spec;
	int nr;
};

/**
 * ipi_plan__make - choose CPUs and cells
 * @plan:	filled; free with ipi_plan__free(), also after an error
 * @opt:	the options
 * @why:	filled on error
 *
 * Return: 0 or -errno: a bad list, a CPU that can't be used, no memory.
 */
int ipi_plan__make(struct ipi_plan *plan, const struct ipi_options *opt, struct ipi_why *why);
void ipi_plan__free(struct ipi_plan *plan);

/* Keep the first @nr cells only. */
void ipi_plan__cut(struct ipi_plan *plan, int nr);

#endif
