// SPDX-License-Identifier: GPL-2.0
/*
 * The driver. Order of a repetition: untraced passes of all cells, events open, traced passes of
 * all cells, events closed. What each cell came to stands in the result; nothing is printed here.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../trace/correlate.h"
#include "../trace/symbols.h"
#include "../why.h"
#include "backend.h"
#include "budget.h"
#include "clock.h"
#include "env.h"
#include "join.h"
#include "modload.h"
#include "pairs.h"
#include "pass.h"
#include "run.h"
#include "sched.h"
#include "signals.h"

#define PAUSE_MIN_NS	(5 * IPI_NSEC_PER_MSEC)
#define PAUSE_MAX_NS	(30 * IPI_NSEC_PER_MSEC)

/* A run under way. */
struct run {
	struct ipi_options *opt;
	const struct ipi_backend *backend[2];	/* the preferred one, and the one beside it */
	struct ipi_modload *module;
	struct ipi_plan plan;
	struct ipi_result *result;
	struct ipi_symbols *symbols;
	struct ipi_source *source;
	struct ipi_corr *corr;
	struct ipi_deliveries deliveries;
	struct ipi_call *call;
	const struct ipi_run_ops *ops;
	void *ctx;
	bool *chosen;		/* cells of the plan that take part in this repetition */
	u64 start_ns;
	unsigned int steps;	/* passes in all, where that is known */
	unsigned int step;	/* passes done */
};

static u64 spent(const struct run *run)
{
	return ipi_clock__now() - run->start_ns;
}

static void tell_progress(void *ctx, unsigned int permille)
{
	struct run *run = ctx;
	const char *what = run->source ? "traced" : "untraced";

	permille = (run->step * 1000 + permille) / run->steps;
	permille = ipi_budget__permille(run->opt, spent(run), permille < 1000 ? permille : 1000);
	run->ops->progress(run->ctx, permille, what);
}

/* A new row for a cell of the plan. */
static struct ipi_cell *add_cell(struct run *run, const struct ipi_spec *spec,
				 unsigned int repetition)
{
	struct ipi_cell *cell = ipi_result__add_cell(run->result);

	if (!cell)
		return NULL;
	cell->scenario = spec->scenario;
	cell->backend = run->backend[0]->name;
	cell->src = spec->src;
	cell->target = spec->target;
	cell->repetition = run->opt->first + repetition;
	if (ipi_cpus__copy(&cell->dst, &spec->dst) ||
	    (spec->senders.nr && ipi_cpus__copy(&cell->senders, &spec->senders)))
		return NULL;
	if (spec->src != run->plan.src && !run->opt->pairs)
		snprintf(cell->note, sizeof(cell->note), "CPU %d sends to CPU %d", spec->src,
			 spec->dst.cpu[0]);
	if (spec->needs[0]) {
		cell->verdict = IPI_VERDICT_UNSUPPORTED;
		snprintf(cell->note, sizeof(cell->note), "%s", spec->needs);
	}
	return cell;
}

static void say_verdict(struct ipi_cell *cell, enum ipi_verdict verdict,
			const struct ipi_why *why)
{
	cell->verdict = verdict;
	ipi_why__line(why, cell->note, sizeof(cell->note));
}

/*
 * A session by the preferred backend, or by the other where that one can't do such a cell. Once a
 * cell has a backend it stays with it.
 */
static int open_session(struct run *run, struct ipi_pass_conf *conf, struct ipi_cell *cell,
			struct ipi_why *why)
{
	bool chosen = cell->untraced.done;
	struct ipi_why other;
	int err;

	conf->backend = chosen ? ipi_backend__find(cell->backend) : run->backend[0];
	err = conf->backend->open(&conf->session, conf->spec, run->opt, cell, why);
	if (err != -EOPNOTSUPP || chosen || !run->backend[1])
		return err;
	conf->backend = run->backend[1];
	if (conf->backend->open(&conf->session, conf->spec, run->opt, cell, &other))
		return err;
	cell->backend = conf->backend->name;
	return 0;
}

/* One pass over one cell, its session opened and closed around it. */
static void pass_cell(struct run *run, const struct ipi_spec *spec, struct ipi_cell *cell)
{
	struct ipi_pass_conf conf = {
		.spec = spec,
		.opt = run->opt,
		.source = run->source,
		.corr = run->corr,
		.symbols = run->symbols,
		.deliveries = &run->deliveries,
		.call = run->call,
		.progress = tell_progress,
		.ctx = run,
	};
	struct ipi_why why = { 0 };
	int err;

	err = open_session(run, &conf, cell, &why);
	if (err) {
		say_verdict(cell, err == -EOPNOTSUPP ? IPI_VERDICT_UNSUPPORTED :
			    IPI_VERDICT_FAILED, &why);
		return;
	}
	err = ipi_pass__run(&conf, cell, &why);
	if (!err && !run->source && !cell->interrupted && !run->opt->pairs &&
	    ipi_pass__baseline(&conf, cell))
		ipi_dbg("no baseline for %s", ipi_scenario__name(spec->scenario));
	conf.backend->close(conf.session);
	if (err)
		say_verdict(cell, IPI_VERDICT_FAILED, &why);
}

/* One pass over all cells of a repetition; @first is the index of its first cell. */
static void pass_all(struct run *run, int first)
{
	int next = first;
	int i;

	for (i = 0; i < run->plan.nr && !ipi_signals__pending(); i++) {
		struct ipi_cell *cell = &run->result->cell[next];

		if (!run->chosen[i])
			continue;
		next++;
		tell_progress(run, 0);
		if (cell->verdict == IPI_VERDICT_OK && !cell->interrupted &&
		    (!run->source || cell->untraced.done))
			pass_cell(run, &run->plan.spec[i], cell);
		run->step++;
	}
}

/* Events and what joins them. Without them there is no split, which the result then says. */
static bool open_trace(struct run *run)
{
	struct ipi_corr_conf conf = {
		.max_cpus = run->plan.cpus.cpu[run->plan.cpus.nr - 1] + 1,
		.emit = ipi_join__collect,
		.ctx = &run->deliveries,
	};
	struct ipi_result *result = run->result;
	struct ipi_why why;

	run->source = run->backend[0]->source(&run->plan.cpus, run->opt, &why);
	if (!run->source) {
		if (!result->trace[0])
			run->ops->untraced(run->ctx, &why);
		ipi_why__line(&why, result->trace, sizeof(result->trace));
		return false;
	}
	conf.have = run->source->have;
	conf.irq_exit = run->source->irq_exit;
	if (run->symbols)
		conf.list_func = ipi_symbols__address(run->symbols, "sched_ttwu_pending");
	run->corr = ipi_corr__new(&conf);
	if (!run->corr) {
		snprintf(result->trace, sizeof(result->trace), "no memory for the correlator");
		ipi_source__close(run->source);
		run->source = NULL;
		return false;
	}
	snprintf(result->missing, sizeof(result->missing), "%s", run->source->missing);
	return true;
}

static void close_trace(struct run *run)
{
	ipi_corr__delete(run->corr);
	ipi_source__close(run->source);
	run->corr = NULL;
	run->source = NULL;
}

/* The names of the handlers, asked for once: a file of some 100 000 lines. */
static void read_symbols(struct run *run)
{
	struct ipi_why why;
	char line[256];

	run->symbols = ipi_symbols__new("/proc/kallsyms", &why);
	if (!run->symbols)
		ipi_dbg("%s", ipi_why__line(&why, line, sizeof(line)));
}

static int repeat_once(struct run *run, unsigned int repetition)
{
	int first = run->result->nr_cell;
	int i;

	for (i = 0; i < run->plan.nr; i++) {
		if (run->chosen[i] && !add_cell(run, &run->plan.spec[i], repetition))
			return -ENOMEM;
	}
	pass_all(run, first);
	if (run->opt->trace && !ipi_signals__pending() && open_trace(run)) {
		pass_all(run, first);
		close_trace(run);
	}
	for (i = first; i < run->result->nr_cell; i++) {
		struct ipi_cell *cell = &run->result->cell[i];

		if (cell->verdict == IPI_VERDICT_OK)
			ipi_cell__judge(cell);
	}
	return 0;
}

/*
 * A pass over the first cells, which are of all distances, into a result that is thrown away: how
 * long one takes. The machine is warm then, too. Return: ns, 0 without memory.
 */
static u64 time_cells(struct run *run, int nr)
{
	struct ipi_result *result = run->result;
	u64 start = ipi_clock__now();
	int i;

	run->result = ipi_result__new();
	for (i = 0; run->result && i < nr && !ipi_signals__pending(); i++) {
		struct ipi_cell *cell = add_cell(run, &run->plan.spec[i], 0);

		if (cell)
			pass_cell(run, &run->plan.spec[i], cell);
	}
	ipi_result__delete(run->result);
	run->result = result;
	return (ipi_clock__now() - start) / (u64)nr;
}

/* How long the matrix will take, and so how many of its pairs are measured. */
static void project(struct run *run)
{
	const struct ipi_options *opt = run->opt;
	int nr = run->plan.nr < opt->pairs->least ? run->plan.nr : opt->pairs->least;
	u64 fixed_ns = 0;
	u64 pair_ns;
	u64 start;

	pair_ns = time_cells(run, nr);
	start = ipi_clock__now();
	if (opt->trace && open_trace(run)) {
		fixed_ns = ipi_clock__now() - start;
		pair_ns += time_cells(run, nr);
		start = ipi_clock__now();
		close_trace(run);
		fixed_ns += ipi_clock__now() - start;
	}
	pair_ns *= opt->repeat;
	fixed_ns *= opt->repeat;
	nr = run->plan.nr;
	if (opt->budget_ns)
		nr = ipi_pairs__fit(opt->pairs, fixed_ns, pair_ns, opt->budget_ns);
	ipi_plan__cut(&run->plan, nr);
	run->steps = (unsigned int)nr * opt->repeat * (opt->trace ? 2 : 1);
	run->step = 0;
	run->ops->projected(run->ctx, nr, fixed_ns + pair_ns * (u64)nr);
}

/* "all", the scenarios by name, or "matrix". */
static void make_title(const struct ipi_options *opt, struct ipi_result *result)
{
	size_t len = 0;
	int i;

	if (!opt->explicit || opt->pairs) {
		snprintf(result->title, sizeof(result->title), opt->pairs ? "matrix" : "all");
		return;
	}
	for (i = 0; i < IPI_SCENARIO_NR && len < sizeof(result->title); i++) {
		if (!opt->scenario[i])
			continue;
		len += (size_t)snprintf(result->title + len, sizeof(result->title) - len, "%s%s",
					len ? "," : "",
					ipi_scenario__name((enum ipi_scenario)i));
	}
}

/* Which backend, and why that one: a fact for the result. */
static int choose_backend(struct run *run, struct ipi_why *why)
{
	struct ipi_facts *env = &run->result->environment;
	const char *name = run->opt->backend;
	bool automatic = !strcmp(name, "auto");
	char line[512];

	if (automatic || !strcmp(name, "module"))
		run->module = ipi_modload__get(run->opt->module, why);
	if (run->module) {
		run->backend[0] = &ipi_backend_module;
		run->backend[1] = automatic ? &ipi_backend_user : NULL;
		return ipi_facts__str(env, "backend_why", ipi_modload__how(run->module));
	}
	/* A file that was named is meant. */
	if (!automatic || run->opt->module || run->opt->inject || run->opt->nowait) {
		run->backend[0] = ipi_backend__find(name);
		if (run->backend[0] != &ipi_backend_module && !automatic)
			return 0;
		return why->err ? -why->err : -EPROTO;
	}
	run->backend[0] = &ipi_backend_user;
	return ipi_facts__str(env, "backend_why", ipi_why__line(why, line, sizeof(line)));
}

static int prepare(struct run *run, struct ipi_why *why)
{
	struct ipi_options *opt = run->opt;
	int err = ipi_plan__make(&run->plan, opt, why);

	if (err)
		return err;
	err = choose_backend(run, why);
	if (err)
		return err == -ENOMEM ? ipi_why__set(why, ENOMEM, NULL, "environment") : err;
	if (opt->rt && ipi_sched__try_fifo())
		opt->rt = false;
	run->call = calloc(IPI_BATCH_MAX, sizeof(*run->call));
	if (!run->call)
		return ipi_why__set(why, ENOMEM, NULL, "room for the calls");
	run->chosen = calloc((size_t)run->plan.nr + 1, sizeof(*run->chosen));
	if (!run->chosen)
		return ipi_why__set(why, ENOMEM, NULL, "cells");
	run->steps = (unsigned int)run->plan.nr * opt->repeat * (opt->trace ? 2 : 1);
	if (!run->steps)
		return ipi_why__set(why, 0, "see: perf bench ipi list",
				    "no such target for these scenarios");
	make_title(opt, run->result);
	if (ipi_env__options(&run->result->options, opt) ||
	    ipi_env__collect(&run->result->environment, opt, run->backend[0]->name, &run->plan))
		return ipi_why__set(why, ENOMEM, NULL, "environment");
	return 0;
}

/*
 * Repetitions have to be independent: one after the other in step with the tick, say, they agree on
 * what is chance. The golden ratio spreads the pauses evenly, however many there are.
 */
static void pause_between(unsigned int repetition)
{
	double share = repetition * 0.6180339887498949;
	struct timespec pause = { 0 };

	share -= (unsigned int)share;
	pause.tv_nsec = (long)(PAUSE_MIN_NS + share * (PAUSE_MAX_NS - PAUSE_MIN_NS));
	nanosleep(&pause, NULL);
}

/* As many repetitions as were asked for, or as the budget allows. */
static int repeat(struct run *run, struct ipi_why *why)
{
	unsigned int repetition;
	int nr;

	for (repetition = 0; !ipi_signals__pending(); repetition++) {
		nr = ipi_budget__choose(&run->plan, run->opt, run->result, repetition, spent(run),
					run->chosen);
		if (!nr)
			break;
		if (run->opt->first + repetition && !run->backend[0]->simulated)
			pause_between(run->opt->first + repetition);
		if (nr < 0 || repeat_once(run, repetition))
			return ipi_why__set(why, ENOMEM, NULL, "results");
	}
	if (!run->backend[0]->simulated &&
	    ipi_facts__num(&run->result->environment, "spent_ms", (s64)(spent(run) / 1000000)))
		return ipi_why__set(why, ENOMEM, NULL, "results");
	return 0;
}

int ipi_run(struct ipi_options *opt, struct ipi_result *result, const struct ipi_run_ops *ops,
	    void *ctx, struct ipi_why *why)
{
	struct run job = { .opt = opt, .result = result, .ops = ops, .ctx = ctx };
	int err;

	err = prepare(&job, why);
	if (!err) {
		ops->begin(ctx, result);
		if (opt->trace)
			read_symbols(&job);
		if (opt->pairs)
			project(&job);
		job.start_ns = ipi_clock__now();
		err = repeat(&job, why);
		result->interrupted = ipi_signals__pending() != 0;
	}
	ipi_symbols__delete(job.symbols);
	free(job.deliveries.delivery);
	free(job.chosen);
	free(job.call);
	ipi_modload__put(job.module);
	ipi_plan__free(&job.plan);
	return err;
}
