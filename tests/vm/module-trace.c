// SPDX-License-Identifier: GPL-2.0
/*
 * The module's trace events, read from tracefs: every call and delivery of a batch is recorded
 * once, in order, with the stamps of the result buffer, outside the call's own time, and never by a
 * function that an IPI runs. The module is loaded, tracefs mounted.
 *
 * usage: module-trace
 */
#include "module.h"

#include <pthread.h>
#include <stdatomic.h>

#define TRACING	"/sys/kernel/tracing/"
#define EVENTS	TRACING "events/ipi_bench/"

#define CALLS	100
#define BYTES	(1024 * 1024)
#define RECORDS	4096

enum kind { CALL, RETURN, DELIVERY };

/**
 * struct record - a line of the trace
 * @kind:	which event
 * @on:		CPU that made it
 * @flags:	latency flags, "..h.." in a hard interrupt
 * @time_us:	its own time
 * @batch:	field
 * @seq:	field
 * @scenario:	field
 * @cpu:	sender, of a delivery the target
 * @targets:	field of a call
 * @run_flags:	field of a call
 * @stamps:	one of a call, else two
 */
struct record {
	enum kind kind;
	unsigned int on;
	char flags[16];
	uint64_t time_us;
	unsigned int batch;
	unsigned int seq;
	char scenario[20];
	unsigned int cpu;
	unsigned int targets;
	unsigned int run_flags;
	uint64_t stamps[2];
};

static int cpus;
static uint64_t all[MASK_WORDS];
static struct record records[RECORDS];
static int nr_records;
static unsigned int last_batch;

/* -- tracefs ----------------------------------------------------------------------------------- */

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0) {
		printf("Bail out! %s: %s\n", path, strerror(errno));
		exit(1);
	}
	close(fd);
}

/* Reads a file of tracefs whole. */
static const char *get(const char *path)
{
	static char text[8192];
	int fd = open(path, O_RDONLY);
	ssize_t part = 0;
	size_t size = 0;

	while (fd >= 0 && size < sizeof(text) - 1) {
		part = read(fd, text + size, sizeof(text) - 1 - size);
		if (part <= 0)
			break;
		size += part;
	}
	if (fd < 0 || part < 0) {
		printf("Bail out! %s: %s\n", path, strerror(errno));
		exit(1);
	}
	close(fd);
	text[size] = 0;
	return text;
}

static bool parse_fields(struct record *r, const char *name, const char *text)
{
	unsigned long long a, b = 0;
	bool good = false;

	if (!strcmp(name, "call")) {
		r->kind = CALL;
		good = sscanf(text, "sender=%u targets=%u flags=%x stamp=%llu", &r->cpu,
			      &r->targets, &r->run_flags, &a) == 4;
	} else if (!strcmp(name, "return")) {
		r->kind = RETURN;
		good = sscanf(text, "sender=%u t_call=%llu t_return=%llu", &r->cpu, &a, &b) == 3;
	} else if (!strcmp(name, "delivery")) {
		r->kind = DELIVERY;
		good = sscanf(text, "cpu=%u t_entry=%llu t_exit=%llu", &r->cpu, &a, &b) == 3;
	}
	if (good) {
		r->stamps[0] = a;
		r->stamps[1] = b;
	}
	return good;
}

static bool parse(struct record *r, const char *line)
{
	unsigned long long seconds, us;
	const char *at = strstr(line, " [");
	char name[16];
	int end = 0;

	if (!at || sscanf(at, " [%u] %15s %llu.%6llu: %15[a-z]: batch=%u seq=%u scenario=%19s %n",
			  &r->on, r->flags, &seconds, &us, name, &r->batch, &r->seq, r->scenario,
			  &end) != 8)
		return false;
	r->time_us = seconds * 1000000 + us;
	return parse_fields(r, name, at + end);
}

/* Reads the trace into records[]. Return: lines that are no record of ours, lost ones included. */
static int read_trace(void)
{
	FILE *file = fopen(TRACING "trace", "r");
	char line[512];
	int others = 0;

	nr_records = 0;
	while (file && fgets(line, sizeof(line), file)) {
		if (*line == '#')
			continue;
		if (nr_records < RECORDS && parse(records + nr_records, line))
			nr_records++;
		else
			others++;
	}
	if (file)
		fclose(file);
	return file ? others : -1;
}

/* -- the events themselves --------------------------------------------------------------------- */

struct format {
	const char *name;
	const char *fields;
};

/* Documentation/module-abi.txt has them. */
static const struct format formats[] = {
	{ "call", "u32 batch;u32 seq;u32 scenario;u32 sender;u32 targets;u32 flags;u64 stamp;" },
	{ "return", "u32 batch;u32 seq;u32 scenario;u32 sender;u64 t_call;u64 t_return;" },
	{ "delivery", "u32 batch;u32 seq;u32 scenario;u32 cpu;u64 t_entry;u64 t_exit;" },
};

/* The fields as "TYPE NAME;", without those that every event has. */
static void fields_of(const char *event, char *fields, size_t size)
{
	char path[100], *field;
	const char *at;

	snprintf(path, sizeof(path), EVENTS "%s/format", event);
	*fields = 0;
	at = get(path);
	while ((at = strstr(at, "field:"))) {
		at += strlen("field:");
		field = fields + strlen(fields);
		snprintf(field, size - (field - fields), "%.*s;", (int)strcspn(at, ";"), at);
		if (strstr(field, "common_"))
			*field = 0;
	}
}

static void test_formats(void)
{
	char fields[500];
	size_t i;

	for (i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		fields_of(formats[i].name, fields, sizeof(fields));
		if (!ok(!strcmp(fields, formats[i].fields), "%s: its fields", formats[i].name))
			printf("#   %s\n", fields);
	}
}

/* -- batches ----------------------------------------------------------------------------------- */

static bool in_task(const struct record *r)
{
	return !strpbrk(r->flags, "hHszZ");
}

/* What all records of a batch have. */
static bool belongs(const struct record *r, const struct ipi_bench_run *run, const char *scenario)
{
	return r->batch == records[0].batch && r->seq < run->done && r->on == run->sender &&
	       !strcmp(r->scenario, scenario) && in_task(r);
}

/* The trace tells microseconds, rounded: its last one may be the next one of a stamp. */
static bool call_fits(const struct record *r, const struct dev *dev,
		      const struct ipi_bench_run *run)
{
	const struct ipi_bench_call *made = dev_calls(dev, run) + r->seq;

	return r->cpu == run->sender && r->targets == run->nr_targets &&
	       r->run_flags == (run->flags & IPI_BENCH_RUN_NOWAIT) &&
	       r->stamps[0] <= made->t_call && r->time_us <= made->t_call / 1000 + 1 &&
	       (!r->seq || r->stamps[0] >= made[-1].t_return);
}

static bool return_fits(const struct record *r, const struct dev *dev,
			const struct ipi_bench_run *run)
{
	const struct ipi_bench_call *made = dev_calls(dev, run) + r->seq;

	return r->cpu == run->sender && r->stamps[0] == made->t_call &&
	       r->stamps[1] == made->t_return && r->time_us >= made->t_return / 1000;
}

static bool delivery_fits(const struct record *r, const struct dev *dev,
			  const struct ipi_bench_run *run)
{
	const struct ipi_bench_target *targets = dev_targets(dev, run);
	const struct ipi_bench_delivery *delivery;
	unsigned int t;

	for (t = 0; t < run->nr_targets && targets[t].cpu != r->cpu; t++)
		;
	if (t == run->nr_targets)
		return false;
	delivery = dev_deliveries(dev, run, t) + r->seq;
	return r->stamps[0] == delivery->t_entry && r->stamps[1] == delivery->t_exit &&
	       r->time_us >= dev_calls(dev, run)[r->seq].t_return / 1000;
}

/* The order of records: calls one by one; the deliveries of one that waits follow its return. */
static bool in_order(const struct record *r, const struct ipi_bench_run *run)
{
	const struct record *before = r == records ? NULL : r - 1;

	switch (r->kind) {
	case CALL:
		return r->seq == (before ? before->seq + 1 : 0);
	case RETURN:
		return before && before->kind == CALL && before->seq == r->seq;
	case DELIVERY:
		return before && before->kind != CALL &&
		       (run->flags & IPI_BENCH_RUN_NOWAIT || before->seq == r->seq);
	}
	return false;
}

/* Every record fits, and none is there twice. */
static void test_records(const struct dev *dev, const struct ipi_bench_run *run, const char *name,
			 const char *scenario)
{
	static bool (*const fits[])(const struct record *r, const struct dev *dev,
				    const struct ipi_bench_run *run) = {
		[CALL] = call_fits, [RETURN] = return_fits, [DELIVERY] = delivery_fits,
	};
	static bool seen[RECORDS];
	int counts[3] = { 0 }, good[3] = { 0 }, i, belonging = 0, ordered = 0, twice = 0;

	memset(seen, 0, sizeof(seen));
	for (i = 0; i < nr_records; i++) {
		const struct record *r = records + i;

		counts[r->kind]++;
		belonging += belongs(r, run, scenario);
		ordered += in_order(r, run);
		if (r->seq < run->done)
			good[r->kind] += fits[r->kind](r, dev, run);
		if (r->kind == DELIVERY && r->seq * cpus + r->cpu < RECORDS) {
			twice += seen[r->seq * cpus + r->cpu];
			seen[r->seq * cpus + r->cpu] = true;
		}
	}
	is(counts[CALL], run->done, "%s: calls recorded", name);
	is(counts[RETURN], run->done, "%s: returns recorded", name);
	is(counts[DELIVERY], run->done * run->nr_targets, "%s: deliveries recorded", name);
	is(twice, 0, "%s: no delivery twice", name);
	is(belonging, nr_records, "%s: batch, sender, scenario of all, in no interrupt", name);
	is(ordered, nr_records, "%s: order", name);
	is(good[CALL], run->done, "%s: calls are recorded before their stamp", name);
	is(good[RETURN], run->done, "%s: returns after theirs, with those of the buffer", name);
	is(good[DELIVERY], counts[DELIVERY], "%s: deliveries, with those of the buffer", name);
}

/* Carries out @run with the events as they are. */
static bool traced(const struct dev *dev, struct ipi_bench_run *run, const char *name)
{
	put(TRACING "trace", "");
	return is(call(dev->fd, IPI_BENCH_RUN, run), 0, "%s", name) &&
	       is(run_errors(run), 0, "%s: errors", name) &&
	       is(read_trace(), 0, "%s: no record lost, nor others", name);
}

static void test_batch(const struct dev *dev, struct ipi_bench_run run, const char *name,
		       const char *scenario)
{
	if (!traced(dev, &run, name))
		return;
	/* A busy host may take all the time there is to hold targets. */
	ok(run.done == run.calls || (run.done && run.ended == IPI_BENCH_ENDED_TIME),
	   "%s: %u calls", name, run.done);
	is(run.clock, IPI_BENCH_CLOCK_KTIME, "%s: stamped by the kernel's clock", name);
	test_records(dev, &run, name, scenario);
	ok(nr_records && records[0].batch > last_batch, "%s: a batch number of its own", name);
	last_batch = records[0].batch;
}

static void test_batches(const struct dev *dev)
{
	struct ipi_bench_run run;
	uint64_t one[MASK_WORDS];

	mask_one(one, 1);
	put(EVENTS "enable", "1");
	test_batch(dev, run_of(IPI_BENCH_DRY_RUN, CALLS, NULL), "dry-run", "dry-run");
	test_batch(dev, run_of(IPI_BENCH_SELF_CALL, CALLS, NULL), "self-call", "self-call");
	test_batch(dev, run_of(IPI_BENCH_SELF_IPI, CALLS, NULL), "self-ipi", "self-ipi");
	if (cpus < 2) {
		ok(true, "scenarios with targets # SKIP one CPU");
		return;
	}
	test_batch(dev, run_of(IPI_BENCH_NORMAL, CALLS, one), "normal", "normal");
	test_batch(dev, run_of(IPI_BENCH_BROADCAST, CALLS, all), "broadcast", "broadcast");
	test_batch(dev, run_of(IPI_BENCH_BROADCAST_LOCK, CALLS, all), "broadcast-lock",
		   "broadcast-lock");
	run = run_of(IPI_BENCH_MULTICAST, CALLS, all);
	run.first = 1;
	test_batch(dev, run, "multicast", "multicast");
	run = run_of(IPI_BENCH_STORM, CALLS, all);
	run.gate_fd = dev->fd;
	run.gate_callers = 1;
	test_batch(dev, run, "storm", "storm");
	run = run_of(IPI_BENCH_NORMAL, CALLS, one);
	run.flags = IPI_BENCH_RUN_NOWAIT;
	test_batch(dev, run, "normal, no wait", "normal");
	run = run_of(IPI_BENCH_BROADCAST, CALLS, all);
	run.flags = IPI_BENCH_RUN_NOWAIT;
	test_batch(dev, run, "broadcast, no wait", "broadcast");
	run = run_of(IPI_BENCH_BROADCAST, CALLS, all);
	run.calls = CALLS / 10;
	run.inject = IPI_BENCH_INJECT_IRQOFF;
	run.inject_ns = 20000;
	test_batch(dev, run, "broadcast, held", "broadcast");
}

/* -- which events, and when -------------------------------------------------------------------- */

static void test_one_event(const struct dev *dev, enum kind kind, const char *event)
{
	struct ipi_bench_run run = run_of(IPI_BENCH_SELF_CALL, CALLS, NULL);
	char path[100];
	int i, good = 0;

	put(EVENTS "enable", "0");
	snprintf(path, sizeof(path), EVENTS "%s/enable", event);
	put(path, "1");
	if (!traced(dev, &run, event))
		return;
	for (i = 0; i < nr_records; i++)
		good += records[i].kind == kind;
	is(nr_records, CALLS, "%s alone: one record a call", event);
	is(good, CALLS, "%s alone", event);
}

static void test_off(const struct dev *dev)
{
	struct ipi_bench_run run = run_of(IPI_BENCH_SELF_CALL, CALLS, NULL);

	put(EVENTS "enable", "0");
	if (traced(dev, &run, "off"))
		is(nr_records, 0, "off: no record");
}

/* Turns the events on once the batch has made a call: its first stamp is at the buffer's start. */
static void *enable_thread(void *arg)
{
	const struct dev *dev = arg;
	const uint64_t *t_call = (const void *)dev->buffer;

	while (!__atomic_load_n(t_call, __ATOMIC_RELAXED))
		usleep(1000);
	put(EVENTS "enable", "1");
	return NULL;
}

static void test_enabled_late(void)
{
	struct ipi_bench_run run = run_of(IPI_BENCH_DRY_RUN, 1000, NULL);
	pthread_t thread;
	struct dev dev;

	put(EVENTS "enable", "0");
	dev_setup(&dev, BYTES);
	run.gap_ns = 1000000;
	if (!ok(!pthread_create(&thread, NULL, enable_thread, &dev), "a thread"))
		return;
	if (traced(&dev, &run, "turned on meanwhile"))
		is(nr_records, 0, "turned on meanwhile: a batch is recorded whole or not at all");
	pthread_join(thread, NULL);
	run.calls = CALLS;
	run.gap_ns = 0;
	if (traced(&dev, &run, "the next batch"))
		is(nr_records, 2 * CALLS, "the next batch is recorded");
	put(EVENTS "enable", "0");
	dev_close(&dev);
}

int main(void)
{
	struct dev dev;

	if (access(EVENTS, F_OK)) {
		ok(true, "trace events # SKIP this kernel has no trace events, or no tracefs");
		return tap_end();
	}
	cpus = sysconf(_SC_NPROCESSORS_ONLN);
	mask_first(all, cpus);
	pin(0);
	dev_setup(&dev, BYTES);
	put(TRACING "trace_clock", "mono_raw");
	put(TRACING "tracing_on", "1");
	test_formats();
	test_batches(&dev);
	test_one_event(&dev, CALL, "call");
	test_one_event(&dev, RETURN, "return");
	test_one_event(&dev, DELIVERY, "delivery");
	test_off(&dev);
	test_enabled_late();
	put(TRACING "trace_clock", "local");
	dev_close(&dev);
	return tap_end();
}
