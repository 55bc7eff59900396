// SPDX-License-Identifier: GPL-2.0
/*
 * Reads limits and holds rows against them. Strict: a limit that is misspelt would be one that is
 * always kept.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../parse.h"
#include "limit.h"

#define STEP_MAX	IPI_CPUS_MAX
#define TIME_MAX_NS	(3600ULL * 1000000000ULL)

/* Does the scenario have steps, as in "multicast:4"? */
static bool is_sweep(enum ipi_scenario scenario)
{
	return scenario == IPI_SCENARIO_MULTICAST || scenario == IPI_SCENARIO_STORM;
}

/* "SCENARIO[:STEP][/TARGET]", which is taken apart. */
static int parse_row(struct ipi_limit *limit, char *row)
{
	char *target = strchr(row, '/');
	char *step = strchr(row, ':');
	int scenario;
	u64 number;

	limit->target = -1;
	if (target) {
		*target++ = '\0';
		limit->target = ipi_target__find(target);
		if (limit->target < 0)
			return -EINVAL;
	}
	if (step) {
		*step++ = '\0';
		if (ipi_parse__u64(step, 1, STEP_MAX, &number))
			return -EINVAL;
		limit->step = (int)number;
	}
	scenario = ipi_scenario__find(row);
	if (scenario < 0 || (step && !is_sweep((enum ipi_scenario)scenario)))
		return -EINVAL;
	limit->scenario = (enum ipi_scenario)scenario;
	return 0;
}

/* "ROW.STAGE.FIGURE=TIME", which is taken apart. */
static int parse_limit(struct ipi_limit *limit, char *text)
{
	char *row = strsep(&text, ".");
	char *stage = strsep(&text, ".");
	char *figure = strsep(&text, "=");
	int found_stage, found_figure;

	if (!text)
		return -EINVAL;
	found_stage = ipi_stage__find(stage);
	found_figure = ipi_quantile__find(figure);
	if (found_stage < 0 || found_figure < 0 || parse_row(limit, row))
		return -EINVAL;
	limit->stage = (enum ipi_stage)found_stage;
	limit->quantile = (enum ipi_quantile)found_figure;
	return ipi_parse__duration(text, 0, TIME_MAX_NS, &limit->ns);
}

static int add(void *ctx, char *text)
{
	struct ipi_limits *limits = ctx;
	struct ipi_limit limit = { .step = 0 };
	struct ipi_limit *grown;
	size_t len = strlen(text);
	int err;

	if (len >= sizeof(limit.text))
		return -EINVAL;
	memcpy(limit.text, text, len + 1);
	err = parse_limit(&limit, text);
	if (err)
		return err;
	grown = reallocarray(limits->limit, (size_t)limits->nr + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	limits->limit = grown;
	grown[limits->nr++] = limit;
	return 0;
}

int ipi_limits__add(struct ipi_limits *limits, const char *text)
{
	return ipi_parse__list(text, add, limits);
}

void ipi_limits__free(struct ipi_limits *limits)
{
	free(limits->limit);
	memset(limits, 0, sizeof(*limits));
}

static int step_of(const struct ipi_cell *cell)
{
	return cell->scenario == IPI_SCENARIO_STORM ? cell->senders.nr : cell->dst.nr;
}

enum ipi_kept ipi_limit__check(const struct ipi_limit *limit, const struct ipi_cell *cell,
			       u64 *ns)
{
	u64 found;

	if (cell->scenario != limit->scenario ||
	    (limit->step && limit->step != step_of(cell)) ||
	    (limit->target >= 0 && limit->target != (int)cell->target))
		return IPI_KEPT_FOREIGN;
	if (cell->verdict != IPI_VERDICT_OK || !ipi_cell__measured(cell, limit->stage))
		return IPI_KEPT_UNKNOWN;
	found = ipi_quantile__of(cell->stage[limit->stage], limit->quantile);
	if (ns)
		*ns = found;
	return found > limit->ns ? IPI_KEPT_NO : IPI_KEPT_YES;
}
