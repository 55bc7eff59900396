/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Limits that the user gives, as "normal.total.p99=20us", and whether rows keep them.
 */
#ifndef IPI_STATS_LIMIT_H
#define IPI_STATS_LIMIT_H

#include "quantile.h"
#include "result.h"

/**
 * struct ipi_limit - one of them
 * @text:	as the user wrote it
 * @scenario:	of the rows it is for
 * @step:	of a sweep: its only row, 0 for all
 * @target:	and their state, -1 for any
 * @stage:	what of them
 * @quantile:	and which figure of it
 * @ns:		may not be more
 */
struct ipi_limit {
	char text[80];
	enum ipi_scenario scenario;
	int step;
	int target;
	enum ipi_stage stage;
	enum ipi_quantile quantile;
	u64 ns;
};

/**
 * struct ipi_limits - all of them
 * @limit:	in the order they were given
 * @nr:		how many
 */
struct ipi_limits {
	struct ipi_limit *limit;
	int nr;
};

/**
 * ipi_limits__add - read some
 * @limits:	they are added here
 * @text:	ROW.STAGE.FIGURE=TIME[,...]: ROW is a scenario, or a row as "-f simple" calls it
 *		("normal", "normal/busy", "multicast:16", "multicast:16/busy"); STAGE and FIGURE are
 *		keys of JSON; TIME has its unit
 *
 * Return: 0, -EINVAL, -ERANGE (of the time) or -ENOMEM.
 */
int ipi_limits__add(struct ipi_limits *limits, const char *text);
void ipi_limits__free(struct ipi_limits *limits);

/* What a row has to do with a limit. */
enum ipi_kept {
	IPI_KEPT_FOREIGN,	/* nothing */
	IPI_KEPT_UNKNOWN,	/* it is for this row, which has no such figure, or no headline */
	IPI_KEPT_YES,
	IPI_KEPT_NO,
};

/**
 * ipi_limit__check - is it kept?
 * @limit:	the limit
 * @cell:	a row
 * @ns:		set to the row's figure if there is one; may be NULL
 *
 * A row without a headline has no figures: what it measured is not the time of an IPI.
 *
 * Return: what became of it.
 */
enum ipi_kept ipi_limit__check(const struct ipi_limit *limit, const struct ipi_cell *cell,
			       u64 *ns);

#endif
