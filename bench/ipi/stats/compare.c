// SPDX-License-Identifier: GPL-2.0
/*
 * Pairs the cells of two results and has each stage estimated.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/kernel.h>

#include "alike.h"
#include "compare.h"
#include "places.h"

#define REPETITIONS_MAX	10000

/* Options that change what a call is. */
static const char *const deciding[] = {
	"no_wait", "stop_tick", "gap_ns", "inject_handler_ns", "inject_irqoff_ns",
};

const char *ipi_change_verdict__name(enum ipi_change_verdict verdict)
{
	static const char *const names[IPI_CHANGE_NR] = {
		[IPI_CHANGE_SAME]	= "same",
		[IPI_CHANGE_BETTER]	= "better",
		[IPI_CHANGE_WORSE]	= "worse",
		[IPI_CHANGE_UNDECIDED]	= "undecided",
	};

	return ipi_name__of(names, IPI_CHANGE_NR, verdict);
}

/*
 * The step of a histogram's values around @value: buckets grow with them, and a slow clock shows in
 * the distances of the small ones, which are exact.
 */
static double step_of(const struct ipi_hist *hist, u64 value)
{
	u64 low, width, count, before = 0, gap = 0;
	unsigned int pos = 0;
	bool any = false;
	u64 step = 1;

	while (ipi_hist__next(hist, &pos, &low, &width, &count)) {
		if (low <= value)
			step = width;
		if (low < 128 && any && (!gap || low - before < gap))
			gap = low - before;
		before = low;
		any = true;
	}
	/* One value alone: its own size is all that is known of the clock. */
	if (!gap && value < 128)
		gap = value;
	return (double)(step > gap ? step : gap);
}

/* One percentile of a stage, of each repetition that has it. */
static void gather(const struct ipi_places *places, int first, int end, enum ipi_stage stage,
		   unsigned int quantile, double *value, struct ipi_series *series)
{
	int i;

	series->value = value;
	series->nr = 0;
	series->step = 1;
	for (i = first; i < end && series->nr < REPETITIONS_MAX; i++) {
		const struct ipi_hist *hist = places->cell[i]->stage[stage];
		u64 ns = ipi_hist__percentile(hist, quantile);
		double step;

		if (!ipi_hist__count(hist))
			continue;
		/* A stage shorter than the clock can tell is as long as its tick at most. */
		value[series->nr++] = ns ? ns : 1;
		step = step_of(hist, ns);
		if (step > series->step)
			series->step = step;
	}
}

/* What comparing needs besides the cells. */
struct work {
	struct ipi_compare *compare;
	struct ipi_places base;
	struct ipi_places new;
	double *base_value;
	double *new_value;
	double alpha;
	int room;
};

static int estimate(struct work *work, int base, int base_end, int new, int new_end,
		    struct ipi_change *change)
{
	struct ipi_series a, b;
	u64 seed = (u64)work->compare->nr;
	int err;

	gather(&work->base, base, base_end, change->stage, 5000, work->base_value, &a);
	gather(&work->new, new, new_end, change->stage, 5000, work->new_value, &b);
	change->nr_base = a.nr;
	change->nr_new = b.nr;
	err = ipi_effect__estimate(&a, &b, work->alpha, seed, &change->p50);
	if (err)
		return err;
	gather(&work->base, base, base_end, change->stage, 9900, work->base_value, &a);
	gather(&work->new, new, new_end, change->stage, 9900, work->new_value, &b);
	return ipi_effect__estimate(&a, &b, work->alpha, seed, &change->p99);
}

static struct ipi_change *add_change(struct work *work)
{
	struct ipi_compare *compare = work->compare;
	struct ipi_change *grown;

	if (compare->nr == work->room) {
		work->room = work->room ? work->room * 2 : 64;
		grown = reallocarray(compare->change, (size_t)work->room, sizeof(*grown));
		if (!grown)
			return NULL;
		compare->change = grown;
	}
	memset(&compare->change[compare->nr], 0, sizeof(*compare->change));
	return &compare->change[compare->nr];
}

static int compare_place(struct work *work, int base, int base_end, int new)
{
	const struct ipi_cell *a = work->base.cell[base];
	const struct ipi_cell *b = work->new.cell[new];
	int new_end = ipi_places__end(&work->new, new);
	int stage;
	int err;

	for (stage = 0; stage < IPI_STAGE_NR; stage++) {
		struct ipi_change *change;

		if (!ipi_alike__compares((enum ipi_stage)stage) ||
		    !ipi_cell__measured(a, (enum ipi_stage)stage) ||
		    !ipi_cell__measured(b, (enum ipi_stage)stage))
			continue;
		change = add_change(work);
		if (!change)
			return -ENOMEM;
		change->base = a;
		change->new = b;
		change->stage = (enum ipi_stage)stage;
		err = estimate(work, base, base_end, new, new_end, change);
		if (err)
			return err;
		work->compare->nr++;
	}
	return 0;
}

/* How many medians there are to compare: each is a chance to be fooled. */
static int count_medians(const struct work *work)
{
	int nr = 0;
	int i, stage;

	for (i = 0; i < work->base.nr; i = ipi_places__end(&work->base, i)) {
		for (stage = 0; stage < IPI_STAGE_NR; stage++)
			nr += ipi_alike__compares((enum ipi_stage)stage) &&
			      ipi_cell__measured(work->base.cell[i], (enum ipi_stage)stage);
	}
	return nr ? nr : 1;
}

static int compare_all(struct work *work)
{
	int paired = 0, places = 0;
	int i, end, new, err;

	work->alpha = IPI_COMPARE_ALPHA / count_medians(work);
	for (i = 0; i < work->base.nr; i = end) {
		end = ipi_places__end(&work->base, i);
		new = ipi_places__find(&work->new, work->base.cell[i],
				       ipi_places__alone(&work->base, i, end));
		if (new < 0) {
			work->compare->only_base++;
			continue;
		}
		paired++;
		err = compare_place(work, i, end, new);
		if (err)
			return err;
	}
	for (i = 0; i < work->new.nr; i = ipi_places__end(&work->new, i))
		places++;
	work->compare->only_new = places - paired;
	return 0;
}

static void judge(struct ipi_change *change, double alpha, double threshold)
{
	const struct ipi_effect *effect = &change->p50;
	double most = 1 + threshold;

	change->verdict = IPI_CHANGE_UNDECIDED;
	if (isnan(effect->low))
		return;
	if (effect->low > most && effect->chance <= alpha)
		change->verdict = IPI_CHANGE_WORSE;
	else if (effect->high < 1 / most && effect->chance <= alpha)
		change->verdict = IPI_CHANGE_BETTER;
	else if (effect->low >= 1 / most && effect->high <= most)
		change->verdict = IPI_CHANGE_SAME;
}

static void add_difference(struct ipi_compare *compare, const char *key, const char *base,
			   const char *new)
{
	size_t used = strlen(compare->differs);

	if (strcmp(base, new))
		snprintf(compare->differs + used, sizeof(compare->differs) - used, "%s%s: %s / %s",
			 used ? "\n" : "", key, base, new);
}

static void list_differences(struct ipi_compare *compare, const struct ipi_result *base,
			     const struct ipi_result *new)
{
	char a[160], b[160];
	size_t i;

	for (i = 0; i < IPI_ALIKE_FACTS; i++) {
		const char *key = ipi_alike__fact((unsigned int)i);

		add_difference(compare, key,
			       ipi_alike__value(&base->environment, key, a, sizeof(a)),
			       ipi_alike__value(&new->environment, key, b, sizeof(b)));
	}
	for (i = 0; i < ARRAY_SIZE(deciding); i++)
		add_difference(compare, deciding[i],
			       ipi_alike__value(&base->options, deciding[i], a, sizeof(a)),
			       ipi_alike__value(&new->options, deciding[i], b, sizeof(b)));
	add_difference(compare, "split", *base->trace ? "none" : "by tracepoints",
		       *new->trace ? "none" : "by tracepoints");
}

int ipi_compare__make(struct ipi_compare *compare, const struct ipi_result *base,
		      const struct ipi_result *new, double threshold)
{
	struct work work = { .compare = compare };
	int err = -ENOMEM;
	int i;

	memset(compare, 0, sizeof(*compare));
	work.base_value = calloc(REPETITIONS_MAX, sizeof(double));
	work.new_value = calloc(REPETITIONS_MAX, sizeof(double));
	if (work.base_value && work.new_value && !ipi_places__list(&work.base, base) &&
	    !ipi_places__list(&work.new, new))
		err = compare_all(&work);
	for (i = 0; i < compare->nr; i++)
		judge(&compare->change[i], work.alpha, threshold);
	list_differences(compare, base, new);
	free(work.base_value);
	free(work.new_value);
	ipi_places__free(&work.base);
	ipi_places__free(&work.new);
	return err;
}

void ipi_compare__free(struct ipi_compare *compare)
{
	free(compare->change);
	memset(compare, 0, sizeof(*compare));
}

bool ipi_compare__any(const struct ipi_compare *compare, enum ipi_change_verdict verdict)
{
	int i;

	for (i = 0; i < compare->nr; i++) {
		if (compare->change[i].verdict == verdict)
			return true;
	}
	return false;
}
