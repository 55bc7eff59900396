// SPDX-License-Identifier: GPL-2.0
/*
 * How fast are IPI events decoded and correlated? One operation is one sample of a recorded ring:
 * for "decode" its walk, its copy out of the ring and ipi_decode__sample(), for "all" the merge of
 * the CPUs' samples in time order and ipi_corr__feed() as well. The ring is repeated in memory
 * until it is larger than a cache. What is not measured: the kernel's writing, and waiting for it.
 *
 *	bench-decode --record FILE	record this kernel's tracepoints (root)
 *	bench-decode FILE [ROUNDS]	measure
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <linux/kernel.h>
#include <linux/perf_event.h>

#include "bench/ipi/parse.h"
#include "bench/ipi/trace/arch.h"
#include "bench/ipi/trace/correlate.h"
#include "bench/ipi/trace/decode.h"
#include "bench-decode.h"

#define FILE_MAX	(64UL << 20)
#define REPEATED	(48UL << 20)	/* bytes of ring, all CPUs together */
#define MAX_CPUS	1024
#define MAX_EVENTS	64
#define ROUNDS		15
#define TIME_AT		(sizeof(struct perf_event_header) + 8)

/* A file in memory, read from the front. */
struct input {
	const unsigned char *at;
	size_t left;
};

static const void *take(struct input *in, size_t size)
{
	const void *at = in->at;

	if (size > in->left)
		return NULL;
	in->at += size;
	in->left -= size;
	return at;
}

static bool take_u32(struct input *in, u32 *value)
{
	const void *at = take(in, sizeof(*value));

	if (at)
		memcpy(value, at, sizeof(*value));
	return at;
}

static const char *take_text(struct input *in, u32 *size)
{
	return take_u32(in, size) ? take(in, *size) : NULL;
}

/**
 * struct ring - the samples of a CPU, repeated
 * @data:	the records
 * @size:	bytes
 * @at:		next one to read
 * @head:	the event before it, decoded
 * @copy:	the record of @head
 */
struct ring {
	unsigned char *data;
	size_t size;
	size_t at;
	struct ipi_event head;
	unsigned char copy[512];
};

/**
 * struct bench - all that is measured
 * @machine:	of the recording
 * @have:	IPI_EVENT_BIT() of its events
 * @irq_exit:	interrupts with an exit
 * @samples:	in all rings
 */
struct bench {
	struct ipi_decode *decode;
	unsigned int have;
	unsigned int irq_exit;
	int nr_rings;
	struct ring *ring;
	int max_cpu;
	size_t samples;
	size_t deliveries;
};

/* The recording may be of any machine: the row is looked for in all tables. */
static const struct ipi_arch_event *find_row(const char *name, u32 size)
{
	static const char *const machines[] = { "x86_64", "aarch64" };
	const struct ipi_arch_event *const *events;
	char row[80];
	size_t m;
	int nr, i;

	for (m = 0; m < ARRAY_SIZE(machines); m++) {
		events = ipi_arch__events(machines[m], &nr);
		for (i = 0; i < nr; i++) {
			snprintf(row, sizeof(row), "%s:%s", events[i]->system, events[i]->name);
			if (strlen(row) == size && !memcmp(row, name, size))
				return events[i];
		}
	}
	return NULL;
}

static bool load_events(struct bench *bench, struct input *in, u32 nr)
{
	const struct ipi_arch_event *row;
	const char *name, *format;
	u32 size, i;

	for (i = 0; i < nr; i++) {
		name = take_text(in, &size);
		row = name ? find_row(name, size) : NULL;
		format = row ? take_text(in, &size) : NULL;
		if (!format || ipi_decode__add(bench->decode, row, format, size) < 0)
			return false;
		bench->have |= IPI_EVENT_BIT(row->kind);
		if (row->kind == IPI_EVENT_IRQ_EXIT)
			bench->irq_exit |= row->irq == IPI_IRQ_NR ? ~0U : 1U << row->irq;
	}
	return true;
}

/* Each repetition is later than the one before: the correlator has to see time pass. */
static bool repeat(struct ring *ring, const unsigned char *data, size_t size, u32 times,
		   u64 period, size_t *samples)
{
	struct perf_event_header header;
	size_t at;
	u64 time;
	u32 i;

	ring->size = size * times;
	ring->data = malloc(ring->size ? ring->size : 1);
	if (!ring->data)
		return false;
	for (i = 0; i < times; i++) {
		unsigned char *to = ring->data + size * i;

		memcpy(to, data, size);
		for (at = 0; at < size; at += header.size) {
			if (size - at < TIME_AT + sizeof(time))
				return false;
			memcpy(&header, to + at, sizeof(header));
			if (header.size < TIME_AT + sizeof(time) || header.size > size - at ||
			    header.size > sizeof(ring->copy))
				return false;
			memcpy(&time, to + at + TIME_AT, sizeof(time));
			time += period * i;
			memcpy(to + at + TIME_AT, &time, sizeof(time));
			++*samples;
		}
	}
	return true;
}

static bool load_rings(struct bench *bench, struct input *in, u32 nr)
{
	const u32 times = REPEATED / (in->left ? in->left : 1) + 1;
	const unsigned char *data;
	u32 cpu, size, i;

	bench->ring = calloc(nr, sizeof(*bench->ring));
	if (!bench->ring)
		return false;
	for (i = 0; i < nr; i++) {
		if (!take_u32(in, &cpu) || cpu >= MAX_CPUS || !take_u32(in, &size))
			return false;
		data = take(in, size);
		bench->nr_rings++;
		if (!data || !repeat(&bench->ring[i], data, size, times, 1000000000,
				     &bench->samples))
			return false;
		if (bench->max_cpu < (int)cpu)
			bench->max_cpu = cpu;
	}
	return bench->samples > 0;
}

static bool load(struct bench *bench, struct input *in)
{
	const char *magic = take(in, 8);
	u32 order, long_size, nr_events, nr_cpus;

	if (!magic || memcmp(magic, RING_MAGIC, 8) ||
	    !take_u32(in, &order) || order != RING_ORDER ||
	    !take_u32(in, &long_size) || !take_u32(in, &nr_events) || !take_u32(in, &nr_cpus))
		return false;
	if ((long_size != 4 && long_size != 8) || nr_events > MAX_EVENTS || !nr_cpus ||
	    nr_cpus > MAX_CPUS)
		return false;
	bench->decode = ipi_decode__new(long_size, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	return bench->decode && load_events(bench, in, nr_events) &&
	       load_rings(bench, in, nr_cpus);
}

/* The ring's next event: its record is copied, as a reader does who gives the ring back. */
static bool next(struct bench *bench, struct ring *ring)
{
	struct perf_event_header header;

	while (ring->at < ring->size) {
		memcpy(&header, ring->data + ring->at, sizeof(header));
		memcpy(ring->copy, ring->data + ring->at, header.size);
		ring->at += header.size;
		if (!ipi_decode__sample(bench->decode, ring->copy + sizeof(header),
					header.size - sizeof(header), &ring->head))
			return true;
	}
	return false;
}

static size_t decode_all(struct bench *bench)
{
	size_t decoded = 0;
	int i;

	for (i = 0; i < bench->nr_rings; i++) {
		bench->ring[i].at = 0;
		while (next(bench, &bench->ring[i]))
			decoded++;
	}
	return decoded;
}

static void count(void *ctx, const struct ipi_delivery *delivery)
{
	struct bench *bench = ctx;

	bench->deliveries += delivery->class != IPI_CLASS_MISSING;
}

/* Few rings: the earliest head is looked for. */
static struct ring *earliest(struct bench *bench, const bool *loaded)
{
	struct ring *first = NULL;
	int i;

	for (i = 0; i < bench->nr_rings; i++) {
		if (loaded[i] && (!first || bench->ring[i].head.time < first->head.time))
			first = &bench->ring[i];
	}
	return first;
}

static size_t correlate_all(struct bench *bench)
{
	struct ipi_corr_conf conf = {
		.max_cpus = bench->max_cpu + 1, .have = bench->have,
		.irq_exit = bench->irq_exit, .emit = count, .ctx = bench,
	};
	struct ipi_corr *corr = ipi_corr__new(&conf);
	bool loaded[MAX_CPUS] = { false };
	struct ring *ring;
	size_t fed = 0;
	int i;

	if (!corr)
		return 0;
	bench->deliveries = 0;
	for (i = 0; i < bench->nr_rings; i++) {
		bench->ring[i].at = 0;
		loaded[i] = next(bench, &bench->ring[i]);
	}
	while ((ring = earliest(bench, loaded))) {
		if (ipi_corr__feed(corr, &ring->head))
			break;
		fed++;
		loaded[ring - bench->ring] = next(bench, ring);
	}
	ipi_corr__flush(corr);
	ipi_corr__delete(corr);
	return fed;
}

static u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	return (*(const u64 *)a > *(const u64 *)b) - (*(const u64 *)a < *(const u64 *)b);
}

static bool measure(struct bench *bench, const char *name, size_t (*work)(struct bench *bench),
		    u64 rounds)
{
	u64 *took = calloc(rounds, sizeof(*took)), begun;
	const u64 middle = rounds / 2;
	bool complete = took;
	u64 i;

	for (i = 0; complete && i < rounds; i++) {
		begun = now_ns();
		complete = work(bench) == bench->samples;
		took[i] = now_ns() - begun;
	}
	if (complete) {
		qsort(took, rounds, sizeof(*took), by_value);
		printf("%-28s %6.2f M samples/s at best, %6.2f median\n", name,
		       1e3 * bench->samples / took[0],
		       1e3 * bench->samples / took[middle]);
	} else {
		fprintf(stderr, "%s: not all samples could be read\n", name);
	}
	free(took);
	return complete;
}

static unsigned char *read_file(const char *path, size_t *size)
{
	unsigned char *data = NULL;
	FILE *file = fopen(path, "rb");
	long end;

	if (!file || fseek(file, 0, SEEK_END))
		goto out;
	end = ftell(file);
	if (end <= 0 || (unsigned long)end > FILE_MAX || fseek(file, 0, SEEK_SET))
		goto out;
	data = malloc(end);
	if (data && fread(data, end, 1, file) != 1) {
		free(data);
		data = NULL;
	}
	*size = end;
out:
	if (file)
		fclose(file);
	return data;
}

static int bench_file(const char *path, u64 rounds)
{
	struct bench bench = { .samples = 0 };
	struct input in = { .left = 0 };
	unsigned char *data = read_file(path, &in.left);
	bool done = false;
	int i;

	in.at = data;
	if (!data || !load(&bench, &in)) {
		fprintf(stderr, "%s: can't be read, or is not a recorded ring\n", path);
	} else {
		printf("%zu samples of %d CPUs, %llu rounds, one core\n", bench.samples,
		       bench.nr_rings, (unsigned long long)rounds);
		done = measure(&bench, "decode", decode_all, rounds) &&
		       measure(&bench, "decode + merge + correlate", correlate_all, rounds);
		if (done)
			printf("%zu deliveries\n", bench.deliveries);
	}
	for (i = 0; i < bench.nr_rings; i++)
		free(bench.ring[i].data);
	free(bench.ring);
	ipi_decode__delete(bench.decode);
	free(data);
	return done ? 0 : 1;
}

int main(int argc, char **argv)
{
	u64 rounds = ROUNDS;

	if (argc == 3 && !strcmp(argv[1], "--record"))
		return ipi_bench_decode__record(argv[2]);
	if (argc < 2 || argc > 3 || argv[1][0] == '-' ||
	    (argc == 3 && ipi_parse__u64(argv[2], 1, 1000, &rounds))) {
		fprintf(stderr, "usage: bench-decode --record FILE | FILE [ROUNDS]\n");
		return 129;
	}
	return bench_file(argv[1], rounds);
}
