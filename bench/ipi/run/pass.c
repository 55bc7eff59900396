// SPDX-License-Identifier: GPL-2.0
/*
 * One pass over one cell. Order: warm up, forget what that left in the rings, measure batch by
 * batch, account. The rings are drained between batches by the sender itself, never meanwhile: a
 * reader on another CPU would displace the target, one on this CPU the caller.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../stats/split.h"
#include "../trace/correlate.h"
#include "../why.h"
#include "clock.h"
#include "join.h"
#include "pass.h"
#include "signals.h"

/* A pass without -l may take this long; a slow machine makes fewer calls, and says how many. */
#define PASS_BUDGET_NS		(120 * IPI_NSEC_PER_MSEC)
#define WARM_UP_CALLS		200
#define WARM_UP_CALLS_PAIR	40	/* of a matrix: many short cells */
#define WARM_UP_NS		(20 * IPI_NSEC_PER_MSEC)
#define BASELINE_CALLS		500
#define BURST_TRIES		8
/* Ring bytes of one call, generously: own records of the sender, for each target, of a target. */
#define BYTES_CALL		512
#define BYTES_PER_TARGET	160

/* Totals of the untraced pass. */
static int add_totals(struct ipi_cell *cell, const struct ipi_batch *batch)
{
	struct ipi_hist *total = ipi_cell__hist(cell, IPI_STAGE_TOTAL);
	size_t i;

	if (!total)
		return -ENOMEM;
	for (i = 0; i < batch->nr; i++) {
		if (batch->call[i].t_return < batch->call[i].t_call)
			cell->negative++;
		else
			ipi_hist__add(total, batch->call[i].t_return - batch->call[i].t_call);
	}
	return 0;
}

/* Delivery and handle of the untraced pass, where the functions stamp themselves. */
static int add_stamps(const struct ipi_pass_conf *conf, struct ipi_cell *cell,
		      const struct ipi_batch *batch, size_t call)
{
	u64 entry, exit, last_exit = 0;
	int last = -1;
	int err, i;

	for (i = 0; i < cell->dst.nr; i++) {
		if (conf->backend->stamps(conf->session, call, cell->dst.cpu[i], &entry, &exit))
			continue;
		err = ipi_split__untraced(cell, &batch->call[call], entry, exit);
		if (err)
			return err;
		if (exit > last_exit) {
			last_exit = exit;
			last = i;
		}
	}
	if (cell->last && last >= 0)
		cell->last[last]++;
	return 0;
}

static int add_all_stamps(const struct ipi_pass_conf *conf, struct ipi_cell *cell,
			  const struct ipi_batch *batch)
{
	size_t i;
	int err = 0;

	if (!cell->stamped)
		return 0;
	if (cell->dst.nr > 1 && !cell->last) {
		cell->last = calloc((size_t)cell->dst.nr, sizeof(*cell->last));
		if (!cell->last)
			return -ENOMEM;
	}
	for (i = 0; !err && i < batch->nr; i++)
		err = add_stamps(conf, cell, batch, i);
	return err;
}

static size_t batch_size(const struct ipi_pass_conf *conf)
{
	const struct ipi_spec *spec = conf->spec;
	u64 sender = BYTES_CALL + BYTES_PER_TARGET * (u64)spec->dst.nr;
	u64 fit;

	/* The other senders of a storm hit it as well. */
	sender += BYTES_CALL * (u64)spec->senders.nr;
	if (!conf->source || !conf->source->ring_bytes)
		return IPI_BATCH_MAX;
	/* Half the ring for what else happens on these CPUs. */
	fit = conf->source->ring_bytes / 2 / sender;
	if (fit < 1)
		return 1;
	return fit < IPI_BATCH_MAX ? (size_t)fit : IPI_BATCH_MAX;
}

/*
 * Real-time bursts must leave the CPUs to the others now and then, by more than the 5 % that the
 * kernel's throttling would take otherwise, in the middle of a call.
 */
static void rest(const struct ipi_options *opt, u64 ran_ns)
{
	struct timespec pause = { .tv_nsec = (long)(ran_ns / 12) };

	if (opt->rt && ran_ns > 20 * IPI_NSEC_PER_MSEC && ran_ns < IPI_NSEC_PER_SEC)
		nanosleep(&pause, NULL);
}

/* One batch of at most @max calls, timed for the rest after it. */
static int make_batch(const struct ipi_pass_conf *conf, struct ipi_batch *batch, size_t max,
		      u64 deadline_ns, struct ipi_why *why)
{
	int tries = BURST_TRIES;
	u64 start;
	int err;

	/*
	 * On a busy machine a burst may be over before all targets got to run. Stamps across a
	 * change of the clock source mean nothing.
	 */
	do {
		start = ipi_clock__now();
		memset(batch, 0, sizeof(*batch));
		batch->call = conf->call;
		batch->max = max;
		batch->room = batch_size(conf);
		batch->deadline_ns = deadline_ns;
		err = conf->backend->batch(conf->session, batch);
		rest(conf->opt, ipi_clock__now() - start);
	} while ((err == -ETIMEDOUT || err == -EAGAIN) && --tries && !ipi_signals__pending() &&
		 !conf->backend->alive(conf->session, NULL));
	if (err == -EAGAIN)
		ipi_why__set(why, 0, "boot with clocksource= one that stays",
			     "the kernel changed its clock source each time");
	else if (err)
		ipi_why__set(why, -err, "is the CPU taken by a real-time task, or gone?",
			     "a target thread did not get to run");
	return err;
}

/* In batches that fit the rings as well: what a ring drops here it may report only later. */
static int warm_up(const struct ipi_pass_conf *conf, struct ipi_why *why)
{
	u64 end = ipi_clock__now() + WARM_UP_NS;
	size_t size = batch_size(conf);
	size_t left = conf->opt->pairs ? WARM_UP_CALLS_PAIR : WARM_UP_CALLS;
	struct ipi_batch batch;
	int err;

	do {
		err = make_batch(conf, &batch, left < size ? left : size, end, why);
		if (err)
			return err;
		if (conf->source && ipi_source__reset(conf->source))
			return ipi_why__set(why, EIO, NULL, "can't read the rings");
		left -= batch.nr;
	} while (left && batch.nr && ipi_clock__now() < end);
	if (conf->source)
		ipi_corr__reset(conf->corr);
	return 0;
}

/* A batch's calls into the cell. */
static int account_batch(const struct ipi_pass_conf *conf, struct ipi_cell *cell,
			 struct ipi_pass *pass, const struct ipi_batch *batch,
			 struct ipi_why *why)
{
	int err;

	pass->calls += batch->nr;
	pass->others += batch->others;
	pass->storm_calls += batch->storm_calls;
	pass->storm_ns += batch->storm_ns;
	pass->errors += batch->errors;
	cell->migrations += batch->migrations;
	if (conf->source)
		err = ipi_join__batch(conf, cell, batch);
	else
		err = add_totals(cell, batch);
	if (!err && !conf->source)
		err = add_all_stamps(conf, cell, batch);
	if (err)
		ipi_why__set(why, -err, NULL, "can't account a batch");
	return err;
}

/* A CPU gone, or nothing but errors: the pass ends, what it has stays. */
static bool must_end(const struct ipi_pass_conf *conf, struct ipi_cell *cell,
		     const struct ipi_batch *batch)
{
	struct ipi_why gone;

	if (conf->backend->alive(conf->session, &gone)) {
		ipi_why__line(&gone, cell->note, sizeof(cell->note));
		cell->interrupted = true;
		return true;
	}
	if (batch->error && !batch->nr) {
		ipi_why__set(&gone, -batch->error, NULL, "the calls fail");
		ipi_why__line(&gone, cell->note, sizeof(cell->note));
		cell->interrupted = true;
		return true;
	}
	if (ipi_signals__pending())
		cell->interrupted = true;
	return cell->interrupted;
}

static int measure(const struct ipi_pass_conf *conf, struct ipi_cell *cell, struct ipi_pass *pass,
		   struct ipi_why *why)
{
	const struct ipi_options *opt = conf->opt;
	u64 end = opt->loop_given ? UINT64_MAX : ipi_clock__now() + PASS_BUDGET_NS;
	size_t size = batch_size(conf);
	struct ipi_batch batch;
	int err;

	while (pass->calls < opt->loop && ipi_clock__now() < end) {
		u64 left = opt->loop - pass->calls;

		err = make_batch(conf, &batch, left < size ? (size_t)left : size, end, why);
		/* After a CPU has gone the batch can't be told from a good one: leave it out. */
		if (must_end(conf, cell, &batch) && !ipi_signals__pending())
			return 0;
		if (!err)
			err = account_batch(conf, cell, pass, &batch, why);
		if (err)
			return err;
		if (conf->progress)
			conf->progress(conf->ctx, (unsigned int)(pass->calls * 1000 / opt->loop));
		if (cell->interrupted)
			return 0;
	}
	return 0;
}

/* The ledger's rows: the sender and the targets. */
static int make_rows(const struct ipi_spec *spec, struct ipi_pass *pass)
{
	struct ipi_cpus cpus;
	int err = ipi_cpus__copy(&cpus, &spec->dst);
	int i;

	if (!err)
		err = ipi_cpus__add(&cpus, spec->src);
	if (err)
		return err;
	pass->row = calloc((size_t)cpus.nr, sizeof(*pass->row));
	if (pass->row) {
		pass->nr_row = cpus.nr;
		for (i = 0; i < cpus.nr; i++)
			pass->row[i].cpu = cpus.cpu[i];
	}
	ipi_cpus__free(&cpus);
	return pass->row ? 0 : -ENOMEM;
}

static void fill_counters(struct ipi_pass *pass, const struct ipi_interrupts *before,
			  const struct ipi_interrupts *after)
{
	int i, counter;

	pass->counters = before->have & after->have;
	for (i = 0; i < pass->nr_row; i++) {
		struct ipi_ledger_row *row = &pass->row[i];

		/* Gone meanwhile, its counts with it. */
		if (!ipi_interrupts__has(before, row->cpu) ||
		    !ipi_interrupts__has(after, row->cpu)) {
			pass->counters = 0;
			return;
		}
		for (counter = 0; counter < IPI_COUNTER_NR; counter++)
			row->counter[counter] = ipi_interrupts__get(after, counter, row->cpu) -
						ipi_interrupts__get(before, counter, row->cpu);
	}
}

static void fill_events(const struct ipi_pass_conf *conf, struct ipi_pass *pass)
{
	int i;

	pass->have = conf->source->have;
	for (i = 0; i < pass->nr_row; i++) {
		struct ipi_ledger_row *row = &pass->row[i];
		const struct ipi_corr_cpu *seen = ipi_corr__cpu(conf->corr, row->cpu);

		if (!seen)
			continue;
		row->queued = seen->queued;
		row->sent = seen->sent;
		memcpy(row->entries, seen->entries, sizeof(row->entries));
		row->functions = seen->functions;
	}
}

static void fill_losses(const struct ipi_pass_conf *conf, struct ipi_cell *cell)
{
	struct ipi_source_loss loss;

	if (ipi_source__loss(conf->source, &loss))
		return;
	cell->lost = loss.lost;
	cell->vanished = loss.vanished;
	cell->uncertain = ipi_corr__stats(conf->corr)->uncertain;
}

static void fill_steal(struct ipi_cell *cell, double before, double after)
{
	if (before < 0 || after < 0)
		return;
	cell->steal_ms = (cell->steal_ms < 0 ? 0 : cell->steal_ms) + after - before;
}

int ipi_pass__run(const struct ipi_pass_conf *conf, struct ipi_cell *cell, struct ipi_why *why)
{
	struct ipi_pass *pass = conf->source ? &cell->traced : &cell->untraced;
	struct ipi_interrupts before, after;
	const struct ipi_cpus *cpus = &conf->spec->dst;
	double steal_ms;
	bool counters;
	int err, i;

	if (make_rows(conf->spec, pass))
		return ipi_why__set(why, ENOMEM, NULL, "ledger");
	err = warm_up(conf, why);
	if (err)
		return err;
	steal_ms = conf->backend->steal_ms(cpus);
	counters = !conf->backend->interrupts(&before);
	/* Events and counters are of the same time: from here ... */
	if (conf->source)
		ipi_source__drain(conf->source, NULL);
	err = measure(conf, cell, pass, why);
	/* ... to here, although accounting the last batch took its time. */
	if (conf->source)
		ipi_source__drain(conf->source, conf->corr);
	if (counters && !conf->backend->interrupts(&after)) {
		fill_counters(pass, &before, &after);
		ipi_interrupts__free(&after);
	}
	if (counters)
		ipi_interrupts__free(&before);
	fill_steal(cell, steal_ms, conf->backend->steal_ms(cpus));
	if (conf->source) {
		fill_events(conf, pass);
		fill_losses(conf, cell);
	}
	for (i = 0; i < pass->nr_row; i++) {
		if (pass->row[i].cpu == conf->spec->src)
			pass->row[i].calls = pass->calls;
	}
	pass->done = !err && pass->calls;
	return err;
}

int ipi_pass__baseline(const struct ipi_pass_conf *conf, struct ipi_cell *cell)
{
	const char *what = NULL;
	struct ipi_hist *hist;
	struct ipi_batch batch = {
		.call = conf->call,
		.max = BASELINE_CALLS,
		.room = BASELINE_CALLS,
		.deadline_ns = ipi_clock__now() + WARM_UP_NS,
	};
	size_t i;
	int err;

	if (conf->backend->baseline)
		what = conf->backend->baseline_what(conf->session);
	if (!what)
		return 0;
	hist = ipi_hist__new();
	if (!hist)
		return -ENOMEM;
	err = conf->backend->baseline(conf->session, &batch);
	for (i = 0; !err && i < batch.nr; i++)
		ipi_hist__add(hist, batch.call[i].t_return - batch.call[i].t_call);
	if (!err && batch.nr) {
		cell->baseline_ns = (s64)ipi_hist__percentile(hist, 5000);
		snprintf(cell->baseline_what, sizeof(cell->baseline_what), "%s", what);
	}
	ipi_hist__delete(hist);
	return err;
}
