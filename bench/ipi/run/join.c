// SPDX-License-Identifier: GPL-2.0
/*
 * Joins a traced batch's calls with what they left in the rings: events to deliveries, deliveries
 * to calls, calls to stages.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "../stats/split.h"
#include "../trace/correlate.h"
#include "join.h"

/* The last interrupt exits may come after the last return. */
#define SETTLE_NS		100000

/* Where a batch is being split. */
struct splitting {
	const struct ipi_pass_conf *conf;
	struct ipi_cell *cell;
	struct ipi_split split;
	size_t next;		/* one more than the call being split; 0 before the first */
	int err;
};

void ipi_join__collect(void *ctx, const struct ipi_delivery *delivery)
{
	struct ipi_deliveries *list = ctx;

	if (list->nr == list->room) {
		size_t room = list->room ? list->room * 2 : 4096;
		struct ipi_delivery *grown;

		grown = realloc(list->delivery, room * sizeof(*grown));
		if (!grown) {
			list->failed = true;
			return;
		}
		list->delivery = grown;
		list->room = room;
	}
	list->delivery[list->nr++] = *delivery;
}

/* Our target threads are threads of this process. */
static int target_pid(const struct ipi_spec *spec)
{
	return spec->target == IPI_TARGET_BUSY || spec->target == IPI_TARGET_KERNEL ?
	       getpid() : 0;
}

/* Make all calls up to @call complete and begin that one. */
static void split_up_to(struct splitting *splitting, size_t call)
{
	while (!splitting->err && splitting->next <= call) {
		if (splitting->next)
			splitting->err = ipi_split__end(&splitting->split);
		ipi_split__begin(&splitting->split, splitting->cell,
				 &splitting->conf->call[splitting->next],
				 target_pid(splitting->conf->spec));
		splitting->next++;
	}
}

static void take_delivery(void *ctx, size_t call, int dst, const struct ipi_delivery *delivery)
{
	struct splitting *splitting = ctx;

	const struct ipi_pass_conf *conf = splitting->conf;
	u64 entry, exit;

	split_up_to(splitting, call);
	if (splitting->err)
		return;
	if (!splitting->cell->stamped ||
	    conf->backend->stamps(conf->session, call, dst, &entry, &exit)) {
		entry = 0;
		exit = 0;
	}
	ipi_split__stamps(&splitting->split, entry, exit);
	splitting->err = ipi_split__delivery(&splitting->split, delivery);
}

static void take_foreign(void *ctx, const struct ipi_delivery *delivery)
{
	struct splitting *splitting = ctx;
	const struct ipi_cpus *senders = &splitting->cell->senders;

	/* The other senders' of a storm are what it is about. */
	if (delivery->src < 0 ? !senders->nr : !ipi_cpus__has(senders, delivery->src))
		splitting->cell->foreign++;
}

/* Why the deliveries of this cell can't be seen or told from others', NULL if they can. */
static const char *invisible(const struct ipi_pass_conf *conf, const struct ipi_attach_rule *rule)
{
	bool functions = conf->source->have & IPI_EVENT_BIT(IPI_EVENT_FUNC_ENTRY);

	if (conf->spec->scenario == IPI_SCENARIO_SELF_CALL && !functions)
		return "local runs not seen: no csd:csd_function_entry";
	if (rule->any_sender && !rule->func && functions)
		return "the kernel's own sends not told apart: symbols hidden (kptr_restrict)";
	return NULL;
}

/* What a batch left in the rings, joined with its calls. */
int ipi_join__batch(const struct ipi_pass_conf *conf, struct ipi_cell *cell,
		    const struct ipi_batch *batch)
{
	static const struct ipi_attach_ops ops = {
		.delivery = take_delivery,
		.foreign = take_foreign,
	};
	const struct timespec settle = { .tv_nsec = SETTLE_NS };
	struct splitting splitting = { .conf = conf, .cell = cell };
	struct ipi_attach_rule rule;
	const char *reason;
	int err;

	nanosleep(&settle, NULL);
	conf->deliveries->nr = 0;
	err = ipi_source__drain(conf->source, conf->corr);
	if (err)
		return err;
	ipi_corr__flush(conf->corr);
	if (conf->deliveries->failed)
		return -ENOMEM;
	conf->backend->rule(conf->session, conf->symbols, &rule);
	/* What can't be seen is not missing. */
	reason = invisible(conf, &rule);
	if (reason) {
		snprintf(cell->inseparable, sizeof(cell->inseparable), "%s", reason);
		rule.nr_dst = 0;
	}
	err = ipi_attach__batch(&rule, batch->call, batch->nr, conf->deliveries->delivery,
				conf->deliveries->nr, &ops, &splitting);
	if (err)
		return err;
	if (batch->nr)
		split_up_to(&splitting, batch->nr - 1);
	if (!splitting.err && splitting.next)
		splitting.err = ipi_split__end(&splitting.split);
	return splitting.err;
}
