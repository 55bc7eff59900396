/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A perf.data made by hand, byte by byte, for tests of its reader: two events of IPIs and one that
 * tells nothing, on any CPUs, with whatever a test wants to be wrong in it.
 */
#ifndef TESTS_UNIT_PERFDATA_BYTES_H
#define TESTS_UNIT_PERFDATA_BYTES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <linux/kernel.h>
#include <linux/perf_event.h>

#define ROOM		262144
#define ATTR_BYTES	112
#define EVENTS		3
#define CONFIG(event)	(500 + (event))		/* tracepoint ids */
#define ID(event)	(90 + (event))

enum { ENTRY, EXIT, OTHER };	/* csd_function_entry, csd_function_exit, and one of no use */

#define PLAIN	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | \
		 PERF_SAMPLE_RAW)

/**
 * struct bytes - a recording in the making
 * @byte:	it
 * @size:	bytes
 * @swap:	in the other byte order
 * @pipe:	as to a pipe
 * @type:	sample_type
 * @format:	read_format
 * @arm:	texts of arm64's ipi_raise, ipi_entry and ipi_exit in place of the x86 events; NULL
 * @printk:	and its printk_formats
 * @data_at:	where records first
 * @data_end:	and where they end, once closed
 */
struct bytes {
	unsigned char byte[ROOM];
	size_t size;
	bool swap;
	bool pipe;
	u64 type;
	u64 format;
	const char *const *arm;
	const char *printk;
	size_t data_at;
	size_t data_end;
};

static inline void put(struct bytes *to, const void *from, size_t size)
{
	assert_true(to->size + size <= ROOM);
	memcpy(to->byte + to->size, from, size);
	to->size += size;
}

static inline void put16(struct bytes *to, u16 value)
{
	value = to->swap ? __builtin_bswap16(value) : value;
	put(to, &value, sizeof(value));
}

static inline void put32(struct bytes *to, u32 value)
{
	value = to->swap ? __builtin_bswap32(value) : value;
	put(to, &value, sizeof(value));
}

static inline void put64(struct bytes *to, u64 value)
{
	value = to->swap ? __builtin_bswap64(value) : value;
	put(to, &value, sizeof(value));
}

static inline void put_header(struct bytes *to, u32 type, u16 size)
{
	put32(to, type);
	put16(to, 0);
	put16(to, size);
}

/* The tracepoint's id: of arm64's the format says it. */
static inline u32 config_of(const struct bytes *bytes, int event)
{
	if (!bytes->arm)
		return CONFIG(event);
	return strtoul(strstr(bytes->arm[event], "ID: ") + 4, NULL, 10);
}

static inline void put_attr(struct bytes *to, int event)
{
	size_t first = to->size;
	unsigned char flags[8] = { 0 };

	put32(to, PERF_TYPE_TRACEPOINT);
	put32(to, ATTR_BYTES);
	put64(to, config_of(to, event));
	put64(to, 1);
	put64(to, to->type);
	put64(to, to->format);
	flags[2] = to->swap ? 0x20 : 0x04;	/* sample_id_all, bit 18 */
	flags[3] = to->swap ? 0x40 : 0x02;	/* use_clockid, bit 25 */
	put(to, flags, sizeof(flags));
	while (to->size - first < 92)
		put(to, "", 1);
	put32(to, 4);				/* CLOCK_MONOTONIC_RAW */
	while (to->size - first < ATTR_BYTES)
		put(to, "", 1);
}

static inline void put_format(struct bytes *to, int event)
{
	static const char *const names[] = { "csd_function_entry", "csd_function_exit", "other" };
	char text[1024];
	int len;

	len = snprintf(text, sizeof(text), "name: %s\nID: %d\nformat:\n"
		       "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		       "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		       "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		       "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		       "\tfield:void * func;\toffset:8;\tsize:8;\tsigned:0;\n"
		       "\tfield:void * csd;\toffset:16;\tsize:8;\tsigned:0;\n\n"
		       "print fmt: \"func=%%ps\", REC->func\n", names[event], CONFIG(event));
	put64(to, len);
	put(to, text, len);
}

static inline void put_tracing(struct bytes *to)
{
	static const char kallsyms[] = "ffffffff81001000 T function_a\n";
	int i;

	put(to, "\027\010Dtracing0.6", 14);
	put(to, to->swap ? "\1\10" : "\0\10", 2);
	put32(to, 4096);
	put(to, "header_page", 12);
	put64(to, 0);
	put(to, "header_event", 13);
	put64(to, 0);
	put32(to, 0);
	put32(to, 1);
	put(to, to->arm ? "ipi" : "csd", 4);
	put32(to, EVENTS);
	for (i = 0; i < EVENTS; i++) {
		if (to->arm) {
			put64(to, strlen(to->arm[i]));
			put(to, to->arm[i], strlen(to->arm[i]));
		} else {
			put_format(to, i);
		}
	}
	put32(to, sizeof(kallsyms) - 1);
	put(to, kallsyms, sizeof(kallsyms) - 1);
	put32(to, to->printk ? strlen(to->printk) : 0);
	if (to->printk)
		put(to, to->printk, strlen(to->printk));
	put64(to, 0);
}

static inline void put_at(struct bytes *to, size_t at, u64 value)
{
	value = to->swap ? __builtin_bswap64(value) : value;
	memcpy(to->byte + at, &value, sizeof(value));
}

/* Header and events, records come next. */
static inline void open_file(struct bytes *to)
{
	int i;

	put64(to, 0x32454c4946524550ULL);
	put64(to, 104);
	put64(to, ATTR_BYTES + 16);
	put64(to, 104 + 8 * EVENTS);
	put64(to, (ATTR_BYTES + 16) * EVENTS);
	for (i = 0; i < 4; i++)
		put64(to, 0);
	put64(to, 1 << 1 | 1 << 3 | 1 << 6 | 1 << 7);
	while (to->size < 104)
		put64(to, 0);
	for (i = 0; i < EVENTS; i++)
		put64(to, ID(i));
	for (i = 0; i < EVENTS; i++) {
		put_attr(to, i);
		put64(to, 104 + 8 * i);
		put64(to, 8);
	}
	to->data_at = to->size;
}

static inline void open_pipe(struct bytes *to)
{
	size_t size_at, first;
	u32 size;
	int i;

	put64(to, 0x32454c4946524550ULL);
	put64(to, 16);
	for (i = 0; i < EVENTS; i++) {
		put_header(to, 64, 8 + ATTR_BYTES + 8);
		put_attr(to, i);
		put64(to, ID(i));
	}
	put_header(to, 66, 12);
	size_at = to->size;
	put32(to, 0);
	first = to->size;
	put_tracing(to);
	while ((to->size - first) % 8)
		put(to, "", 1);
	size = to->size - first;
	size = to->swap ? __builtin_bswap32(size) : size;
	memcpy(to->byte + size_at, &size, sizeof(size));
	to->data_at = to->size;
}

static inline struct bytes *bytes_new(u64 type, bool swap, bool pipe)
{
	struct bytes *bytes = calloc(1, sizeof(*bytes));

	assert_non_null(bytes);
	bytes->type = type;
	bytes->swap = swap;
	bytes->pipe = pipe;
	if (pipe)
		open_pipe(bytes);
	else
		open_file(bytes);
	return bytes;
}

static inline void put_text(struct bytes *to, const char *text)
{
	put32(to, 16);
	put(to, text, strlen(text));
	while (to->size % 16)
		put(to, "", 1);
}

/* The features, and what is known only then. */
static inline void bytes_close(struct bytes *to)
{
	size_t table = to->size, at[5];
	int i;

	if (to->pipe)
		return;
	to->data_end = to->size;
	put_at(to, 40, to->data_at);
	put_at(to, 48, to->size - to->data_at);
	for (i = 0; i < 8; i++)
		put64(to, 0);
	at[0] = to->size;
	put_tracing(to);
	at[1] = to->size;
	put32(to, 16);
	put(to, "ho\033st\0..........", 16);
	at[2] = to->size;
	put32(to, 16);
	put(to, to->arm ? "aarch64\0........." : "x86_64\0..........", 16);
	at[3] = to->size;
	put32(to, 8);
	put32(to, 6);
	at[4] = to->size;
	for (i = 0; i < 4; i++) {
		put_at(to, table + 16 * i, at[i]);
		put_at(to, table + 16 * i + 8, at[i + 1] - at[i]);
	}
}

static inline void put_raw(struct bytes *to, int event, u64 func)
{
	put32(to, 28);
	put16(to, CONFIG(event));
	put16(to, 0);
	put32(to, 71);
	put64(to, func);
	put64(to, 0xc5d);
	put32(to, 0);
}

/* To CPU 1, for @reason: a raise with its mask, an entry or an exit. */
static inline void put_arm_raw(struct bytes *to, int event, u64 reason)
{
	put32(to, event ? 20 : 36);
	put16(to, config_of(to, event));
	put16(to, 0);
	put32(to, 71);
	if (!event) {
		put32(to, 8 << 16 | 24);
		put32(to, 0);
	}
	put64(to, reason);
	if (!event)
		put64(to, 1 << 1);
	put32(to, 0);
}

/* A sample with what its type says; @func is what makes it recognisable. */
static inline void put_sample(struct bytes *to, int event, int cpu, u64 time, u64 func)
{
	size_t first = to->size;
	u16 size;

	put_header(to, PERF_RECORD_SAMPLE, 0);
	put64(to, ID(event));
	put32(to, 70);
	put32(to, 71);
	put64(to, time);
	put32(to, cpu);
	put32(to, 0);
	if (to->type & PERF_SAMPLE_READ) {
		put64(to, 5);
		put64(to, ID(event));
	}
	if (to->type & PERF_SAMPLE_CALLCHAIN) {
		put64(to, 2);
		put64(to, 0x1111);
		put64(to, 0x2222);
	}
	if (to->arm)
		put_arm_raw(to, event, func);
	else
		put_raw(to, event, func);
	size = to->size - first;
	size = to->swap ? __builtin_bswap16(size) : size;
	memcpy(to->byte + first + 6, &size, sizeof(size));
}

static inline void put_trailer(struct bytes *to, int cpu, u64 time)
{
	put32(to, 70);
	put32(to, 71);
	put64(to, time);
	put32(to, cpu);
	put32(to, 0);
	put64(to, ID(ENTRY));
}

static inline void put_lost(struct bytes *to, int cpu, u64 time, u64 lost)
{
	put_header(to, PERF_RECORD_LOST, 8 + 16 + 32);
	put64(to, ID(ENTRY));
	put64(to, lost);
	put_trailer(to, cpu, time);
}

static inline void put_comm(struct bytes *to, u32 tid, u64 time, const char *comm)
{
	char text[16] = "";

	snprintf(text, sizeof(text), "%s", comm);
	put_header(to, PERF_RECORD_COMM, 8 + 8 + 16 + 32);
	put32(to, tid);
	put32(to, tid);
	put(to, text, sizeof(text));
	put_trailer(to, 0, time);
}

/* FORK or EXIT. */
static inline void put_task(struct bytes *to, u32 type, u32 tid, u32 parent, u64 time)
{
	put_header(to, type, 8 + 16 + 8 + 32);
	put32(to, tid);
	put32(to, parent);
	put32(to, tid);
	put32(to, parent);
	put64(to, time);
	put_trailer(to, 0, time);
}

static inline void put_round(struct bytes *to)
{
	put_header(to, 68, 8);
}

/* As a file whose name is @path, of PATH_ROOM bytes. */
#define PATH_ROOM	64

static inline void bytes_save(const unsigned char *byte, size_t size, char *path)
{
	int fd;

	snprintf(path, PATH_ROOM, "/tmp/perfdata-XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, byte, size), size);
	close(fd);
}

#endif
