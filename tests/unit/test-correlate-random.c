// SPDX-License-Identifier: GPL-2.0
/*
 * The correlator against a model of the kernel (model.h): random schedules of 2 to 128 CPUs, on
 * each set of events that kernels have. Without loss it must say the truth, all of it and nothing
 * else. With holes in the rings it may keep silent about what a hole can hide, and about that
 * only, but must never say anything that is not true.
 *
 * IPI_TEST_SEED repeats a run; IPI_TEST_QUICK=1 makes it a tenth as long.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

#include <linux/kernel.h>

#include "bench/ipi/trace/correlate.h"
#include "torn.h"

#define DELIVERIES	120000
#define BIT(kind)	IPI_EVENT_BIT(IPI_EVENT_##kind)
#define EXIT(irq)	(1U << IPI_IRQ_##irq)

/* What kernels record. */
static const struct kernel kernels[] = {
	{ "x86 6.12", BIT(QUEUE) | BIT(SEND) | BIT(IRQ_ENTRY) | BIT(IRQ_EXIT) | BIT(FUNC_ENTRY) |
		      BIT(FUNC_EXIT) | BIT(POLL_WAKE), EXIT(CALL) | EXIT(RESCHED), true },
	{ "arm64 6.12", BIT(QUEUE) | BIT(SEND) | BIT(RAISE) | BIT(IRQ_ENTRY) | BIT(IRQ_EXIT) |
			BIT(FUNC_ENTRY) | BIT(FUNC_EXIT),
	  EXIT(CALL) | EXIT(RESCHED) | EXIT(WORK), false },
	{ "arm64 6.1", BIT(RAISE) | BIT(IRQ_ENTRY) | BIT(IRQ_EXIT),
	  EXIT(CALL) | EXIT(RESCHED) | EXIT(WORK), false },
	{ "x86 6.1", BIT(IRQ_ENTRY) | BIT(IRQ_EXIT) | BIT(POLL_WAKE),
	  EXIT(CALL) | EXIT(RESCHED), true },
	{ "others 6.12", BIT(QUEUE) | BIT(SEND) | BIT(FUNC_ENTRY) | BIT(FUNC_EXIT) |
			 BIT(POLL_WAKE), 0, true },
};

static const int sizes[] = { 2, 3, 4, 8, 16, 48, 128 };

/* For qsort(): there is no way to hand it the run. */
static const struct model *sorted;

static int by_begin(const void *va, const void *vb)
{
	const struct ipi_delivery *a = &sorted->truth[*(const int *)va].d;
	const struct ipi_delivery *b = &sorted->truth[*(const int *)vb].d;

	if (began(a) != began(b))
		return began(a) < began(b) ? -1 : 1;
	return a->dst - b->dst;
}

static int find_truth(const struct run *run, const struct ipi_delivery *d)
{
	int low = 0, high = run->model.nr_truths;
	const struct ipi_delivery *truth;

	while (low < high) {
		int mid = (low + high) / 2;
		const struct ipi_delivery *t = &run->model.truth[run->by_begin[mid]].d;

		if (began(t) < began(d) || (began(t) == began(d) && t->dst < d->dst))
			low = mid + 1;
		else
			high = mid;
	}
	if (low == run->model.nr_truths)
		return -1;
	low = run->by_begin[low];
	truth = &run->model.truth[low].d;
	return began(truth) == began(d) && truth->dst == d->dst ? low : -1;
}

static bool same(const struct ipi_delivery *a, const struct ipi_delivery *b)
{
	return a->t_queue == b->t_queue && a->t_send == b->t_send &&
	       a->t_irq_entry == b->t_irq_entry && a->t_func_entry == b->t_func_entry &&
	       a->t_func_exit == b->t_func_exit && a->t_irq_exit == b->t_irq_exit &&
	       a->func == b->func && a->csd == b->csd && a->callsite == b->callsite &&
	       a->src == b->src && a->dst == b->dst && a->src_tid == b->src_tid &&
	       a->dst_pid == b->dst_pid && a->src_ctx == b->src_ctx && a->irq == b->irq;
}

/* Of bare interrupts that became one, the first is the first whose sending is known. */
static bool class_fits(const struct run *run, const struct model_truth *truth,
		       const struct ipi_delivery *d)
{
	if (d->class == truth->d.class)
		return true;
	if (!run->holes || truth->leader < 0 || d->class != IPI_CLASS_INTERRUPT)
		return false;
	return !run->said[truth->leader];
}

/*
 * Where it isn't known which function runs as a list, what rode is taken for what ran and the other
 * way round now and then: where lists were long and csds in use again at once. Must be rare.
 */
static bool confused_rider(struct run *run, const struct ipi_delivery *d)
{
	if (run->list_known || !d->t_queue)
		return false;
	run->nr_confused++;
	return true;
}

/*
 * Where it isn't known which function runs as a list, what still waits at the end behind another
 * of the same function that ran looks like a part of it, and a list still running like one csd.
 */
static bool unknown_list(const struct run *run, const struct model_truth *truth,
			 const struct ipi_delivery *d)
{
	if (!run->flushing || run->list_known || !d->t_queue || truth->d.t_send)
		return false;
	if (!truth->t_run)
		return d->class == IPI_CLASS_COALESCED;
	return truth->rode && !truth->d.t_func_exit && d->class == IPI_CLASS_MISSING;
}

static void emit(void *ctx, const struct ipi_delivery *d)
{
	struct run *run = ctx;
	int i = find_truth(run, d);

	if (run->wrong)
		return;
	run->last = *d;
	run->last_truth = i;
	if (i < 0)
		run->wrong = "there was no such delivery";
	else if (run->said[i])
		run->wrong = "said twice";
	else if (unknown_list(run, &run->model.truth[i], d))
		run->wrong = NULL;
	else if (!same(d, &run->model.truth[i].d) && !confused_rider(run, d))
		run->wrong = "not as it was";
	else if (!class_fits(run, &run->model.truth[i], d) && !confused_rider(run, d))
		run->wrong = "another class";
	if (run->wrong)
		return;
	run->said[i] = true;
	run->nr_said++;
}

static void print_delivery(const char *what, const struct ipi_delivery *d)
{
	print_message("%s: queue %llu send %llu irq %llu - %llu func %llu - %llu, %s %s\n", what,
		      (unsigned long long)d->t_queue, (unsigned long long)d->t_send,
		      (unsigned long long)d->t_irq_entry, (unsigned long long)d->t_irq_exit,
		      (unsigned long long)d->t_func_entry, (unsigned long long)d->t_func_exit,
		      ipi_class__name(d->class), ipi_irq__name(d->irq));
	print_message("       func %llx csd %llx callsite %llx %d -> %d tid %d pid %d ctx %d\n",
		      (unsigned long long)d->func, (unsigned long long)d->csd,
		      (unsigned long long)d->callsite, d->src, d->dst, d->src_tid, d->dst_pid,
		      d->src_ctx);
}

/* What the two CPUs recorded about then. */
static void print_records(const struct run *run, const struct ipi_delivery *d)
{
	static const char *const kinds[] = {
		"queue", "send", "raise", "irq entry", "irq exit", "func entry", "func exit",
		"poll wake",
	};
	const struct model *m = &run->model;
	size_t i;

	for (i = 0; i < m->nr_records; i++) {
		const struct ipi_event *e = &m->record[i].event;

		if ((e->cpu != d->src && e->cpu != d->dst) || e->time + 3000 < began(d) ||
		    e->time > began(d) + 6000)
			continue;
		print_message("%s%llu CPU %d ctx %d %s irq %d target %d func %llx csd %llx\n",
			      hidden(run, e->cpu, e->time) ? "  hidden " : "  ",
			      (unsigned long long)e->time, e->cpu, e->ctx, kinds[e->kind], e->irq,
			      e->mask_bytes ? m->record[i].mask[0] : e->target,
			      (unsigned long long)e->func, (unsigned long long)e->csd);
	}
}

static void print_wrong(const struct run *run, const char *wrong, int truth)
{
	print_message("%s, %d CPUs: %s\n", run->kernel->name, run->model.nr_cpus, wrong);
	if (run->wrong)
		print_delivery("said ", &run->last);
	if (truth >= 0)
		print_delivery("truth", &run->model.truth[truth].d);
	print_records(run, truth >= 0 ? &run->model.truth[truth].d : &run->last);
}

static void feed_lost(struct ipi_corr *corr, int cpu, const struct hole *hole, u64 time)
{
	struct ipi_event event = {
		.kind = IPI_EVENT_LOST, .cpu = cpu, .time = time, .lost = hole->nr,
		.irq = IPI_IRQ_NR,
	};

	assert_int_equal(ipi_corr__feed(corr, &event), 0);
}

static void feed_all(struct run *run, struct ipi_corr *corr)
{
	struct model *m = &run->model;
	size_t *next = calloc(m->nr_cpus, sizeof(*next));
	size_t i;
	int cpu;

	assert_non_null(next);
	for (i = 0; i < m->nr_records; i++) {
		struct ipi_event event = m->record[i].event;
		unsigned char mask[sizeof(m->record[i].mask)];

		if (hidden(run, event.cpu, event.time))
			continue;
		cpu = event.cpu;
		if (run->holes && next[cpu] < run->holes[cpu].nr &&
		    run->holes[cpu].hole[next[cpu]].before == event.time)
			feed_lost(corr, cpu, &run->holes[cpu].hole[next[cpu]++], event.time);
		/* A mask must not be looked at after the call. */
		if (event.mask) {
			memcpy(mask, m->record[i].mask, sizeof(mask));
			event.mask = mask;
		}
		assert_int_equal(ipi_corr__feed(corr, &event), 0);
		memset(mask, 0xff, sizeof(mask));
	}
	for (cpu = 0; run->holes && cpu < m->nr_cpus; cpu++) {
		if (next[cpu] < run->holes[cpu].nr)
			feed_lost(corr, cpu, &run->holes[cpu].hole[next[cpu]], m->t_last);
	}
	free(next);
}

/* Said, or a hole explains why not. */
static void check_silence(struct run *run)
{
	int i;

	for (i = 0; i < run->model.nr_truths; i++) {
		const struct model_truth *truth = &run->model.truth[i];

		if (run->holes && ((truth->d.src >= 0 && torn_at_source(run, i)) ||
				   torn_at_target(run, truth) || torn_before(run, i)))
			continue;
		run->nr_safe++;
		if (!run->said[i]) {
			print_wrong(run, "not said", i);
			fail();
		}
	}
}

static void check_counts(const struct run *run, const struct ipi_corr *corr)
{
	const struct ipi_corr_stats *stats = ipi_corr__stats(corr);
	int i, irq;

	assert_int_equal(stats->bad, 0);
	assert_int_equal(stats->unordered, 0);
	assert_int_equal(stats->lost, run->nr_lost);
	if (run->holes)
		return;
	assert_int_equal(stats->events, run->model.nr_records);
	assert_int_equal(stats->uncertain, 0);
	assert_int_equal(stats->orphan_entry, 0);
	assert_int_equal(stats->orphan_exit, 0);
	assert_int_equal(run->nr_said, run->model.nr_truths);
	for (i = 0; i < run->model.nr_cpus; i++) {
		const struct model_cpu *cpu = &run->model.cpu[i];
		const struct ipi_corr_cpu *seen = ipi_corr__cpu(corr, i);

		assert_int_equal(seen->queued, cpu->queued);
		assert_int_equal(seen->sent, cpu->sent);
		assert_int_equal(seen->functions, cpu->functions);
		for (irq = 0; irq < IPI_IRQ_NR; irq++)
			assert_int_equal(seen->entries[irq], cpu->entries[irq]);
	}
}

static void check_run(struct run *run, int nr_cpus, int deliveries, u64 seed, bool loss,
		      u64 *classes)
{
	struct ipi_corr_conf conf = {
		.max_cpus = nr_cpus, .have = run->kernel->have,
		.irq_exit = run->kernel->irq_exit, .emit = emit, .ctx = run,
		.list_func = run->list_known ? MODEL_TTWU : 0,
	};
	struct model *m = &run->model;
	struct ipi_corr *corr;
	int i;

	m->have = run->kernel->have;
	m->irq_exit = run->kernel->irq_exit;
	m->polls = run->kernel->polls;
	model_init(m, nr_cpus, seed);
	model_run(m, deliveries);
	if (loss)
		tear(run);
	run->by_begin = calloc(m->nr_truths, sizeof(*run->by_begin));
	run->said = calloc(m->nr_truths, sizeof(*run->said));
	run->decided = calloc(m->nr_truths, sizeof(*run->decided));
	run->before = calloc(m->nr_truths, sizeof(*run->before));
	assert_true(run->by_begin && run->said && run->decided && run->before);
	for (i = 0; i < m->nr_truths; i++) {
		run->by_begin[i] = i;
		classes[m->truth[i].d.class]++;
	}
	sorted = m;
	qsort(run->by_begin, m->nr_truths, sizeof(*run->by_begin), by_begin);
	find_decided(run);
	find_before(run);

	corr = ipi_corr__new(&conf);
	assert_non_null(corr);
	feed_all(run, corr);
	run->flushing = true;
	ipi_corr__flush(corr);
	if (run->wrong) {
		print_wrong(run, run->wrong, run->last_truth);
		fail();
	}
	assert_true(run->nr_confused <= m->nr_truths / 300);
	check_silence(run);
	check_counts(run, corr);
	run->nr_uncertain = ipi_corr__stats(corr)->uncertain;
	ipi_corr__delete(corr);
}

static void end_run(struct run *run)
{
	int i;

	for (i = 0; run->holes && i < run->model.nr_cpus; i++)
		free(run->holes[i].hole);
	free(run->holes);
	free(run->by_begin);
	free(run->said);
	free(run->decided);
	free(run->before);
	model_exit(&run->model);
}

static u64 seed_of_run(void)
{
	const char *seed = getenv("IPI_TEST_SEED");
	struct timespec now;

	if (seed)
		return strtoull(seed, NULL, 0);
	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static void check_all(bool loss)
{
	const int runs = ARRAY_SIZE(kernels) * ARRAY_SIZE(sizes);
	int deliveries = DELIVERIES / runs;
	u64 seed = seed_of_run(), classes[IPI_CLASS_NR] = { 0 };
	u64 said = 0, safe = 0, all = 0, uncertain = 0;
	size_t i, j;

	if (getenv("IPI_TEST_QUICK"))
		deliveries /= 10;
	print_message("IPI_TEST_SEED=%llu\n", (unsigned long long)seed);
	for (i = 0; i < ARRAY_SIZE(kernels); i++) {
		for (j = 0; j < ARRAY_SIZE(sizes); j++) {
			/* Half of the runs must do without, where interrupts are recorded. */
			struct run run = {
				.kernel = &kernels[i],
				.list_known = j % 2 || !(kernels[i].have & BIT(IRQ_ENTRY)),
			};

			check_run(&run, sizes[j], deliveries, seed + i * 100 + j, loss, classes);
			said += run.nr_said;
			safe += run.nr_safe;
			all += run.model.nr_truths;
			uncertain += run.nr_uncertain;
			end_run(&run);
		}
	}
	print_message("%llu deliveries, %llu said, %llu of them had to be\n",
		      (unsigned long long)all, (unsigned long long)said,
		      (unsigned long long)safe);
	/* A schedule without one of the classes, or all of it in holes, would test nothing. */
	for (i = 0; i < IPI_CLASS_NR; i++)
		assert_true(classes[i] > all / 1000);
	assert_true(safe > all * 3 / 4);
	assert_int_equal(uncertain > 0, loss);
}

static void test_truth(void **state)
{
	(void)state;
	check_all(false);
}

static void test_truth_in_spite_of_loss(void **state)
{
	(void)state;
	check_all(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_truth),
		cmocka_unit_test(test_truth_in_spite_of_loss),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
