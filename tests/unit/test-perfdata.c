// SPDX-License-Identifier: GPL-2.0
/*
 * The reader of recordings, on bytes made by hand: order, what is in a sample, losses, names, and
 * every way for a file to be wrong that a test can think of.
 */
#include <errno.h>

#include "formats.h"
#include "perfdata-bytes.h"

#include "bench/ipi/trace/perfdata.h"
#include "bench/ipi/why.h"

/* A recording being read. */
struct reading {
	char path[PATH_ROOM];
	struct ipi_perfdata *data;
	const struct ipi_event *event;
	struct ipi_why why;
};

static void begin(struct reading *reading, struct bytes *bytes)
{
	bytes_close(bytes);
	bytes_save(bytes->byte, bytes->size, reading->path);
	reading->data = ipi_perfdata__open(reading->path, &reading->why);
	unlink(reading->path);
	free(bytes);
}

static void end(struct reading *reading)
{
	assert_int_equal(ipi_perfdata__next(reading->data, &reading->event, NULL), 0);
	assert_int_equal(ipi_perfdata__next(reading->data, &reading->event, NULL), 0);
	ipi_perfdata__close(reading->data);
}

static void expect(struct reading *reading, u64 time, int cpu, u64 func)
{
	assert_int_equal(ipi_perfdata__next(reading->data, &reading->event, NULL), 1);
	assert_int_equal(reading->event->time, time);
	assert_int_equal(reading->event->cpu, cpu);
	assert_int_equal(reading->event->func, func);
}

/* Two CPUs, two rounds; what is later than the round before waits, and stays in order. */
static void check_order(u64 type, bool swap, bool pipe)
{
	struct bytes *bytes = bytes_new(type, swap, pipe);
	const struct ipi_perfdata_info *info;
	struct reading reading;

	put_sample(bytes, ENTRY, 0, 100, 1);
	put_sample(bytes, EXIT, 0, 300, 3);
	put_sample(bytes, OTHER, 1, 50, 0);
	put_sample(bytes, ENTRY, 1, 200, 2);
	put_round(bytes);
	put_sample(bytes, ENTRY, 0, 500, 5);
	put_sample(bytes, EXIT, 1, 400, 4);
	put_sample(bytes, ENTRY, 1, 600, 6);
	put_round(bytes);
	begin(&reading, bytes);
	assert_non_null(reading.data);
	info = ipi_perfdata__info(reading.data);
	assert_int_equal(info->have, IPI_EVENT_BIT(IPI_EVENT_FUNC_ENTRY) |
				     IPI_EVENT_BIT(IPI_EVENT_FUNC_EXIT));
	assert_int_equal(info->big_endian, swap);
	assert_int_equal(info->pipe, pipe);
	assert_string_equal(info->clock, "CLOCK_MONOTONIC_RAW");

	expect(&reading, 100, 0, 1);
	assert_int_equal(reading.event->kind, IPI_EVENT_FUNC_ENTRY);
	assert_int_equal(reading.event->csd, 0xc5d);
	assert_int_equal(reading.event->pid, 70);
	assert_int_equal(reading.event->tid, 71);
	expect(&reading, 200, 1, 2);
	expect(&reading, 300, 0, 3);
	assert_int_equal(reading.event->kind, IPI_EVENT_FUNC_EXIT);
	expect(&reading, 400, 1, 4);
	expect(&reading, 500, 0, 5);
	expect(&reading, 600, 1, 6);
	assert_int_equal(ipi_perfdata__stats(reading.data)->samples, 7);
	assert_int_equal(ipi_perfdata__stats(reading.data)->rounds, 2);
	assert_int_equal(ipi_perfdata__stats(reading.data)->bad, 0);
	assert_false(ipi_perfdata__stats(reading.data)->truncated);
	assert_string_equal(ipi_perfdata__event(reading.data, 0)->name, "csd:csd_function_entry");
	assert_int_equal(ipi_perfdata__event(reading.data, 0)->samples, 4);
	assert_string_equal(ipi_perfdata__event(reading.data, 2)->name, "csd:other");
	assert_false(ipi_perfdata__event(reading.data, 2)->used);
	assert_null(ipi_perfdata__event(reading.data, 3));
	end(&reading);
}

static void test_order(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < 8; i++)
		check_order(PLAIN | (i & 4 ? PERF_SAMPLE_CALLCHAIN : 0), i & 1, i & 2);
}

/* READ in all its forms, whose size depends on what it says. */
static void test_read(void **state)
{
	struct bytes *bytes = calloc(1, sizeof(*bytes));
	struct reading reading;

	(void)state;
	assert_non_null(bytes);
	bytes->type = PLAIN | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN;
	bytes->format = PERF_FORMAT_ID;
	open_file(bytes);
	put_sample(bytes, ENTRY, 0, 100, 1);
	put_sample(bytes, EXIT, 0, 200, 2);
	begin(&reading, bytes);
	expect(&reading, 100, 0, 1);
	expect(&reading, 200, 0, 2);
	end(&reading);
}

static void test_features(void **state)
{
	struct bytes *bytes = bytes_new(PLAIN, false, false);
	const struct ipi_perfdata_info *info;
	struct reading reading;
	size_t size;

	(void)state;
	put_sample(bytes, ENTRY, 0, 100, 1);
	begin(&reading, bytes);
	info = ipi_perfdata__info(reading.data);
	assert_string_equal(info->hostname, "ho?st");
	assert_string_equal(info->arch, "x86_64");
	assert_int_equal(info->nr_cpus, 6);
	assert_null(info->osrelease);
	assert_non_null(strstr(info->missing, "no ipi:ipi_send_cpu"));
	assert_non_null(ipi_perfdata__kallsyms(reading.data, &size));
	assert_int_equal(size, strlen("ffffffff81001000 T function_a\n"));
	expect(&reading, 100, 0, 1);
	end(&reading);
}

/* A ring that was overwritten lies in the file from its end to its beginning. */
static void test_backward(void **state)
{
	struct bytes *bytes = bytes_new(PLAIN, false, false);
	struct reading reading;
	int i;

	(void)state;
	for (i = 5; i > 0; i--)
		put_sample(bytes, ENTRY, 0, 100 * i, i);
	for (i = 5; i > 0; i--)
		put_sample(bytes, ENTRY, 1, 100 * i + 50, 10 + i);
	put_round(bytes);
	begin(&reading, bytes);
	for (i = 1; i <= 5; i++) {
		expect(&reading, 100 * i, 0, i);
		expect(&reading, 100 * i + 50, 1, 10 + i);
	}
	end(&reading);
}

/* The loss is stamped after the event behind it, and yet comes before. */
static void test_lost(void **state)
{
	struct bytes *bytes = bytes_new(PLAIN, false, false);
	struct reading reading;

	(void)state;
	put_sample(bytes, ENTRY, 0, 100, 1);
	put_lost(bytes, 0, 320, 7);
	put_sample(bytes, ENTRY, 0, 300, 3);
	put_sample(bytes, EXIT, 0, 310, 4);
	put_sample(bytes, ENTRY, 1, 200, 2);
	put_sample(bytes, ENTRY, 1, 305, 5);
	put_round(bytes);
	begin(&reading, bytes);
	expect(&reading, 100, 0, 1);
	expect(&reading, 200, 1, 2);
	assert_int_equal(ipi_perfdata__next(reading.data, &reading.event, NULL), 1);
	assert_int_equal(reading.event->kind, IPI_EVENT_LOST);
	assert_int_equal(reading.event->time, 300);
	assert_int_equal(reading.event->cpu, 0);
	assert_int_equal(reading.event->lost, 7);
	expect(&reading, 300, 0, 3);
	expect(&reading, 305, 1, 5);
	expect(&reading, 310, 0, 4);
	assert_int_equal(ipi_perfdata__stats(reading.data)->lost, 7);
	end(&reading);
}

static void test_names(void **state)
{
	struct bytes *bytes = bytes_new(PLAIN, false, false);
	struct reading reading;

	(void)state;
	put_comm(bytes, 71, 0, "old");
	put_sample(bytes, ENTRY, 0, 100, 1);
	put_comm(bytes, 71, 150, "new\tname");
	put_task(bytes, PERF_RECORD_FORK, 72, 71, 160);
	put_sample(bytes, ENTRY, 0, 200, 2);
	put_task(bytes, PERF_RECORD_EXIT, 71, 71, 250);
	put_sample(bytes, ENTRY, 0, 300, 3);
	put_round(bytes);
	begin(&reading, bytes);
	expect(&reading, 100, 0, 1);
	assert_string_equal(ipi_perfdata__comm(reading.data, 71), "old");
	assert_null(ipi_perfdata__comm(reading.data, 72));
	assert_null(ipi_perfdata__comm(reading.data, -1));
	assert_string_equal(ipi_perfdata__comm(reading.data, 0), "swapper");
	expect(&reading, 200, 0, 2);
	assert_string_equal(ipi_perfdata__comm(reading.data, 71), "new?name");
	assert_string_equal(ipi_perfdata__comm(reading.data, 72), "new?name");
	expect(&reading, 300, 0, 3);
	assert_null(ipi_perfdata__comm(reading.data, 71));
	assert_string_equal(ipi_perfdata__comm(reading.data, 72), "new?name");
	end(&reading);
}

/* What contradicts itself is counted and passed over; what comes behind is read. */
static void test_bad_records(void **state)
{
	struct bytes *bytes = bytes_new(PLAIN | PERF_SAMPLE_CALLCHAIN, false, false);
	const struct ipi_perfdata_stats *stats;
	struct reading reading;
	size_t at;

	(void)state;
	at = bytes->size;
	put_sample(bytes, ENTRY, 0, 100, 1);		/* a call chain longer than the record */
	put_at(bytes, at + 8 + 32, UINT64_MAX / 8);
	at = bytes->size;
	put_sample(bytes, ENTRY, 0, 110, 1);		/* raw data longer than the record */
	bytes->byte[at + 8 + 32 + 24] = 0xff;
	put_header(bytes, PERF_RECORD_SAMPLE, 8);	/* no room for an id */
	put_header(bytes, PERF_RECORD_SAMPLE, 16);	/* none for a time */
	put64(bytes, ID(ENTRY));
	put_header(bytes, PERF_RECORD_SAMPLE, 16);	/* of no event */
	put64(bytes, 12345);
	put_header(bytes, PERF_RECORD_LOST, 8);
	put_header(bytes, PERF_RECORD_COMM, 8);
	put_header(bytes, 80, 8);			/* a feature without a number */
	put_header(bytes, 81, 8);			/* nothing, compressed */
	put_header(bytes, 1000, 8);			/* of a later perf */
	put_sample(bytes, ENTRY, 0, 120, 2);
	begin(&reading, bytes);
	expect(&reading, 120, 0, 2);
	stats = ipi_perfdata__stats(reading.data);
	assert_int_equal(stats->bad, 7);
	assert_int_equal(stats->stray, 1);
	assert_false(stats->truncated);
	end(&reading);
}

/* Nobody can say where the next record begins: what came before counts. */
static void test_no_size(void **state)
{
	struct bytes *bytes = bytes_new(PLAIN, false, false);
	struct reading reading;

	(void)state;
	put_sample(bytes, ENTRY, 0, 100, 1);
	put_header(bytes, PERF_RECORD_SAMPLE, 0);
	put_sample(bytes, ENTRY, 0, 200, 2);
	begin(&reading, bytes);
	expect(&reading, 100, 0, 1);
	assert_true(ipi_perfdata__stats(reading.data)->truncated);
	end(&reading);
}

/* Too late to be in order: delivered all the same, and counted. */
static void test_late(void **state)
{
	struct bytes *bytes = bytes_new(PLAIN, false, false);
	struct reading reading;

	(void)state;
	put_sample(bytes, ENTRY, 0, 500, 5);
	put_round(bytes);
	put_sample(bytes, ENTRY, 0, 600, 6);
	put_round(bytes);
	put_sample(bytes, ENTRY, 1, 100, 1);
	put_round(bytes);
	begin(&reading, bytes);
	expect(&reading, 500, 0, 5);
	expect(&reading, 100, 1, 1);
	expect(&reading, 600, 0, 6);
	assert_int_equal(ipi_perfdata__stats(reading.data)->late, 1);
	end(&reading);
}

/* All there is of a file; how many events. -1 where it can't be opened. */
static int read_bytes(const unsigned char *byte, size_t size, bool *truncated)
{
	struct ipi_why why = { .err = 0 };
	struct ipi_perfdata *data;
	const struct ipi_event *event;
	char path[PATH_ROOM];
	int nr = 0;

	bytes_save(byte, size, path);
	data = ipi_perfdata__open(path, &why);
	unlink(path);
	if (!data) {
		assert_true(why.what[0]);
		return -1;
	}
	while (ipi_perfdata__next(data, &event, &why) > 0)
		nr++;
	*truncated = ipi_perfdata__stats(data)->truncated;
	ipi_perfdata__close(data);
	return nr;
}

static struct bytes *some_events(bool pipe)
{
	struct bytes *bytes = bytes_new(PLAIN | PERF_SAMPLE_CALLCHAIN, false, pipe);
	int i;

	for (i = 1; i <= 4; i++)
		put_sample(bytes, i & 1 ? ENTRY : EXIT, i & 1, 100 * i, i);
	put_lost(bytes, 1, 500, 3);
	put_round(bytes);
	put_comm(bytes, 71, 600, "name");
	put_sample(bytes, ENTRY, 0, 700, 7);
	put_round(bytes);
	bytes_close(bytes);
	return bytes;
}

/* Cut anywhere, a pipe gives what is whole before the cut, and is known to be cut. */
static void test_cut_pipe(void **state)
{
	struct bytes *bytes = some_events(true);
	bool truncated = false;
	size_t size;
	int nr, last = 0;

	(void)state;
	for (size = bytes->data_at + 8; size < bytes->size; size++) {
		nr = read_bytes(bytes->byte, size, &truncated);
		assert_in_range(nr, last, last + 1);
		last = nr;
	}
	assert_int_equal(read_bytes(bytes->byte, bytes->size, &truncated), 6);
	assert_false(truncated);
	assert_int_equal(read_bytes(bytes->byte, bytes->size - 9, &truncated), 5);
	assert_true(truncated);
	free(bytes);
}

/* Of a file the features go first, and with them the formats; what of these is left serves. */
static void test_cut_file(void **state)
{
	struct bytes *bytes = some_events(false);
	bool truncated = false;
	size_t size;

	(void)state;
	for (size = 0; size < bytes->size; size += size < bytes->data_end ? 1 : 7) {
		if (read_bytes(bytes->byte, size, &truncated) >= 0)
			assert_true(truncated);
	}
	assert_int_equal(read_bytes(bytes->byte, bytes->size - 20, &truncated), 6);
	assert_true(truncated);
	assert_int_equal(read_bytes(bytes->byte, bytes->size, &truncated), 6);
	assert_false(truncated);
	free(bytes);
}

/* Every byte wrong in turn: whatever comes of it, it comes to an end. */
static void test_wrong_bytes(void **state)
{
	static const unsigned char wrong[] = { 0x00, 0x7f, 0x80, 0xff };
	const size_t step = getenv("IPI_TEST_QUICK") ? 13 : 1;
	bool truncated;
	size_t at, i;
	int pipe;

	(void)state;
	for (pipe = 0; pipe < 2; pipe++) {
		struct bytes *bytes = some_events(pipe);

		for (at = 0; at < bytes->size; at += step) {
			unsigned char right = bytes->byte[at];

			for (i = 0; i < ARRAY_SIZE(wrong); i++) {
				bytes->byte[at] = wrong[i];
				read_bytes(bytes->byte, bytes->size, &truncated);
			}
			bytes->byte[at] = right;
		}
		free(bytes);
	}
}

/* arm64: a raise names its targets, and the text behind a pointer the interrupt. */
static void test_arm64(void **state)
{
	static const char printk[] = "0xffff800000001000 : \"Function call interrupts\"\n"
				     "0xffff800000002000 : \"Rescheduling interrupts\"\n";
	static const char *const names[] = { "ipi_raise", "ipi_entry", "ipi_exit" };
	struct bytes *bytes = calloc(1, sizeof(*bytes));
	struct reading reading;
	const char *texts[3];
	size_t size = 0;
	int i;

	(void)state;
	assert_non_null(bytes);
	for (i = 0; i < 3; i++) {
		const struct ipi_arch_event *row = find_row("aarch64", names[i]);
		char *text = read_format(find_formats("arm64-6.12"), row, &size);

		assert_non_null(text);
		text[size] = '\0';
		texts[i] = text;
	}
	bytes->type = PLAIN;
	bytes->arm = texts;
	bytes->printk = printk;
	open_file(bytes);
	put_sample(bytes, 0, 0, 100, 0xffff800000001000);
	put_sample(bytes, 0, 0, 150, 0xffff800000002000);
	put_sample(bytes, 1, 1, 200, 0xffff800000001000);
	put_sample(bytes, 2, 1, 300, 0xffff800000001000);
	begin(&reading, bytes);
	assert_int_equal(ipi_perfdata__info(reading.data)->have,
			 IPI_EVENT_BIT(IPI_EVENT_RAISE) | IPI_EVENT_BIT(IPI_EVENT_IRQ_ENTRY) |
			 IPI_EVENT_BIT(IPI_EVENT_IRQ_EXIT));
	expect(&reading, 100, 0, 0);
	assert_int_equal(reading.event->kind, IPI_EVENT_RAISE);
	assert_int_equal(reading.event->irq, IPI_IRQ_CALL);
	assert_int_equal(reading.event->mask_bytes, 8);
	assert_int_equal(reading.event->mask[0], 2);
	expect(&reading, 150, 0, 0);
	assert_int_equal(reading.event->irq, IPI_IRQ_RESCHED);
	expect(&reading, 200, 1, 0);
	assert_int_equal(reading.event->kind, IPI_EVENT_IRQ_ENTRY);
	assert_int_equal(reading.event->irq, IPI_IRQ_CALL);
	expect(&reading, 300, 1, 0);
	end(&reading);
	for (i = 0; i < 3; i++)
		free((char *)(uintptr_t)texts[i]);
}

static void test_not_a_recording(void **state)
{
	static const unsigned char text[64] = "certainly none";
	struct ipi_why why;
	bool truncated;

	(void)state;
	assert_int_equal(read_bytes(text, sizeof(text), &truncated), -1);
	assert_int_equal(read_bytes(text, 0, &truncated), -1);
	assert_null(ipi_perfdata__open("/", &why));
	assert_int_equal(why.err, EISDIR);
	assert_null(ipi_perfdata__open("/nonexistent", &why));
	assert_int_equal(why.err, ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_features),
		cmocka_unit_test(test_backward),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_bad_records),
		cmocka_unit_test(test_no_size),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_cut_pipe),
		cmocka_unit_test(test_cut_file),
		cmocka_unit_test(test_wrong_bytes),
		cmocka_unit_test(test_arm64),
		cmocka_unit_test(test_not_a_recording),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
