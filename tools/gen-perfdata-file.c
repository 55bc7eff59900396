// SPDX-License-Identifier: GPL-2.0
/*
 * Writes a perf.data as perf record would: header, events, what was in the rings round by round,
 * the features behind. Of either byte order, to a file or as to a pipe, compressed or not.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "gen-perfdata.h"

#define ATTR_SIZE	128
#define SAMPLE_TYPE	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | \
			 PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW)

static const struct {
	const char *system;
	const char *name;
	const char *fields;	/* as "cpu:4 callsite:8"; "mask!" is dynamic */
} events[GEN_EVENTS] = {
	[GEN_QUEUE]	= { "csd", "csd_queue_cpu", "cpu:4 callsite:8 func:8 csd:8" },
	[GEN_SEND]	= { "ipi", "ipi_send_cpu", "cpu:4 callsite:8 callback:8" },
	[GEN_SEND_MASK]	= { "ipi", "ipi_send_cpumask", "cpumask! callsite:8 callback:8" },
	[GEN_SINGLE_ENTRY] = { "irq_vectors", "call_function_single_entry", "vector:4" },
	[GEN_SINGLE_EXIT] = { "irq_vectors", "call_function_single_exit", "vector:4" },
	[GEN_CALL_ENTRY] = { "irq_vectors", "call_function_entry", "vector:4" },
	[GEN_CALL_EXIT]	= { "irq_vectors", "call_function_exit", "vector:4" },
	[GEN_RESCHED_ENTRY] = { "irq_vectors", "reschedule_entry", "vector:4" },
	[GEN_RESCHED_EXIT] = { "irq_vectors", "reschedule_exit", "vector:4" },
	[GEN_FUNC_ENTRY] = { "csd", "csd_function_entry", "func:8 csd:8" },
	[GEN_FUNC_EXIT]	= { "csd", "csd_function_exit", "func:8 csd:8" },
	[GEN_NOISE]	= { "power", "cpu_idle", "state:4 cpu_id:8" },
	[GEN_ENTER]	= { "syscalls", "sys_enter_membarrier", "__syscall_nr:4 cmd:8" },
	[GEN_LEAVE]	= { "syscalls", "sys_exit_membarrier", "__syscall_nr:4 ret:8" },
};

/* Bytes with a size, growing. */
struct bytes {
	unsigned char *byte;
	size_t size;
	size_t room;
	bool failed;
};

static void add(struct bytes *to, const void *from, size_t size)
{
	unsigned char *more;

	if (to->room - to->size < size) {
		size_t room = (to->room + size) * 2;

		more = realloc(to->byte, room);
		if (!more) {
			to->failed = true;
			return;
		}
		to->byte = more;
		to->room = room;
	}
	memcpy(to->byte + to->size, from, size);
	to->size += size;
}

static void add_u16(const struct gen_file *file, struct bytes *to, u16 value)
{
	value = file->swap ? __builtin_bswap16(value) : value;
	add(to, &value, sizeof(value));
}

static void add_u32(const struct gen_file *file, struct bytes *to, u32 value)
{
	value = file->swap ? __builtin_bswap32(value) : value;
	add(to, &value, sizeof(value));
}

static void add_u64(const struct gen_file *file, struct bytes *to, u64 value)
{
	value = file->swap ? __builtin_bswap64(value) : value;
	add(to, &value, sizeof(value));
}

static void add_header(const struct gen_file *file, struct bytes *to, u32 type, u16 size)
{
	add_u32(file, to, type);
	add_u16(file, to, 0);
	add_u16(file, to, size);
}

static void add_line(struct bytes *to, const char *fmt, ...)
{
	char line[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	add(to, line, strlen(line));
}

/* The text of a format file; fields are aligned to their size. */
static void add_format(struct bytes *to, enum gen_event event)
{
	const char *field = events[event].fields;
	int at = 8, size, len;

	add_line(to, "name: %s\nID: %d\nformat:\n", events[event].name, GEN_FIRST_CONFIG + event);
	add_line(to, "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n");
	add_line(to, "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n");
	add_line(to, "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;"
		     "\tsigned:0;\n");
	add_line(to, "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n");
	for (; *field; field += strspn(field, " ")) {
		len = strcspn(field, ":! ");
		size = field[len] == '!' ? 4 : field[len + 1] - '0';
		at = (at + size - 1) / size * size;
		if (field[len] == '!')
			add_line(to, "\tfield:__data_loc cpumask_t %.*s;\toffset:%d;\tsize:4;"
				 "\tsigned:0;\n", len, field, at);
		else
			add_line(to, "\tfield:%s %.*s;\toffset:%d;\tsize:%d;\tsigned:0;\n",
				 size == 8 ? "void *" : "unsigned int", len, field, at, size);
		at += size;
		field += strcspn(field, " ");
	}
	add_line(to, "\nprint fmt: \"\"\n");
}

static void add_sized(const struct gen_file *file, struct bytes *to, const struct bytes *from)
{
	add_u64(file, to, from->size);
	add(to, from->byte, from->size);
}

static void add_tracing(const struct gen_file *file, struct bytes *to)
{
	static const char kallsyms[] =
		"ffffffff81000000 T _text\nffffffff81001000 T function_a\n"
		"ffffffff81002000 T function_b\nffffffff81003000 T function_c\n"
		"ffffffff81004000 T function_d\nffffffff81005000 T caller_a\n"
		"ffffffff81006000 T caller_b\nffffffff81007000 T behind\n";
	static const char page[] =
		"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";
	static const char event[] = "# compressed entry header\n";
	const char *system;
	int i;

	add(to, "\027\010Dtracing0.6", 14);
	add(to, file->big_endian ? "\1\10" : "\0\10", 2);
	add_u32(file, to, 4096);
	add(to, "header_page", 12);
	add_u64(file, to, sizeof(page) - 1);
	add(to, page, sizeof(page) - 1);
	add(to, "header_event", 13);
	add_u64(file, to, sizeof(event) - 1);
	add(to, event, sizeof(event) - 1);
	add_u32(file, to, 0);
	/* A system may come more than once. */
	add_u32(file, to, GEN_EVENTS);
	for (i = 0; i < GEN_EVENTS; i++) {
		struct bytes format = { .size = 0 };

		system = events[i].system;
		add(to, system, strlen(system) + 1);
		add_u32(file, to, 1);
		add_format(&format, i);
		add_sized(file, to, &format);
		to->failed |= format.failed;
		free(format.byte);
	}
	add_u32(file, to, sizeof(kallsyms) - 1);
	add(to, kallsyms, sizeof(kallsyms) - 1);
	add_u32(file, to, 0);
	add_u64(file, to, 0);
}

static void add_attr(const struct gen_file *file, struct bytes *to, int event)
{
	u64 flags = 1ULL << 18;		/* sample_id_all */
	size_t begin = to->size;
	int i;

	add_u32(file, to, PERF_TYPE_TRACEPOINT);
	add_u32(file, to, ATTR_SIZE);
	add_u64(file, to, GEN_FIRST_CONFIG + event);
	add_u64(file, to, 1);
	add_u64(file, to, SAMPLE_TYPE | (file->chain ? PERF_SAMPLE_CALLCHAIN : 0));
	add_u64(file, to, PERF_FORMAT_ID);
	for (i = 0; i < 8; i++) {
		unsigned char byte = flags >> (8 * i), turned = 0;
		int bit;

		for (bit = 0; bit < 8; bit++)
			turned |= (byte >> bit & 1) << (7 - bit);
		add(to, file->big_endian ? &turned : &byte, 1);
	}
	while (to->size - begin < ATTR_SIZE)
		add(to, "", 1);
}

static u64 id_of(const struct gen_file *file, int event, int cpu)
{
	return GEN_FIRST_ID + (u64)event * file->cpus + cpu;
}

static void flush(struct gen_file *file, struct bytes *bytes)
{
	if (bytes->failed || fwrite(bytes->byte, bytes->size, 1, file->file) != 1)
		file->failed = true;
	free(bytes->byte);
	memset(bytes, 0, sizeof(*bytes));
}

static void begin_pipe(struct gen_file *file)
{
	struct bytes bytes = { .size = 0 }, tracing = { .size = 0 };
	int i, cpu;

	add_u64(file, &bytes, 0x32454c4946524550ULL);
	add_u64(file, &bytes, 16);
	for (i = 0; i < GEN_EVENTS; i++) {
		add_header(file, &bytes, 64, 8 + ATTR_SIZE + 8 * file->cpus);
		add_attr(file, &bytes, i);
		for (cpu = 0; cpu < file->cpus; cpu++)
			add_u64(file, &bytes, id_of(file, i, cpu));
	}
	add_header(file, &bytes, 80, 8 + 8 + 4 + 8);	/* HEADER_FEATURE, ARCH */
	add_u64(file, &bytes, 6);
	add_u32(file, &bytes, 8);
	add(&bytes, "x86_64\0", 8);
	add_tracing(file, &tracing);
	while (tracing.size % 8)
		add(&tracing, "", 1);
	add_header(file, &bytes, 66, 12);
	add_u32(file, &bytes, tracing.size);
	add(&bytes, tracing.byte, tracing.size);
	bytes.failed |= tracing.failed;
	free(tracing.byte);
	flush(file, &bytes);
}

static void add_file_header(const struct gen_file *file, struct bytes *to, u64 attrs_at,
			    u64 data_at, u64 data_size)
{
	u64 features = 1 << 1 | 1 << 3 | 1 << 6 | 1 << 7;
	int i;

	if (file->compress)
		features |= 1 << 27;
	add_u64(file, to, 0x32454c4946524550ULL);
	add_u64(file, to, 104);
	add_u64(file, to, ATTR_SIZE + 16);
	add_u64(file, to, attrs_at);
	add_u64(file, to, (ATTR_SIZE + 16) * GEN_EVENTS);
	add_u64(file, to, data_at);
	add_u64(file, to, data_size);
	add_u64(file, to, 0);
	add_u64(file, to, 0);
	add_u64(file, to, features);
	for (i = 1; i < 4; i++)
		add_u64(file, to, 0);
}

static void begin_file(struct gen_file *file)
{
	u64 ids_at = 104, ids = 8ULL * file->cpus, attrs_at = ids_at + ids * GEN_EVENTS;
	struct bytes bytes = { .size = 0 };
	int i, cpu;

	file->data_at = attrs_at + (ATTR_SIZE + 16) * GEN_EVENTS;
	add_file_header(file, &bytes, attrs_at, file->data_at, 0);
	for (i = 0; i < GEN_EVENTS; i++) {
		for (cpu = 0; cpu < file->cpus; cpu++)
			add_u64(file, &bytes, id_of(file, i, cpu));
	}
	for (i = 0; i < GEN_EVENTS; i++) {
		add_attr(file, &bytes, i);
		add_u64(file, &bytes, ids_at + ids * i);
		add_u64(file, &bytes, ids);
	}
	flush(file, &bytes);
}

bool gen_file_begin(struct gen_file *file)
{
	file->ring = calloc(file->cpus, sizeof(*file->ring));
	if (!file->ring)
		return false;
	if (file->compress) {
		file->zstd = gen_zstd_new();
		if (!file->zstd)
			return false;
	}
	if (file->pipe)
		begin_pipe(file);
	else
		begin_file(file);
	return !file->failed;
}

static void add_text_feature(const struct gen_file *file, struct bytes *to, const char *text)
{
	char padded[64] = "";

	snprintf(padded, sizeof(padded), "%s", text);
	add_u32(file, to, sizeof(padded));
	add(to, padded, sizeof(padded));
}

/* The features lie behind the data, then it is known how large these are. */
static void end_file(struct gen_file *file)
{
	struct bytes table = { .size = 0 }, all = { .size = 0 }, header = { .size = 0 };
	long end = ftell(file->file);
	size_t at[5], nr = 0, i, sections = file->compress ? 5 : 4;

	at[nr++] = all.size;
	add_tracing(file, &all);
	at[nr++] = all.size;
	add_text_feature(file, &all, "generated");
	at[nr++] = all.size;
	add_text_feature(file, &all, "x86_64");
	at[nr++] = all.size;
	add_u32(file, &all, file->cpus);
	add_u32(file, &all, file->cpus);
	if (file->compress) {
		at[nr++] = all.size;
		for (i = 0; i < 4; i++)
			add_u32(file, &all, 1);
		add_u32(file, &all, 4 << 20);	/* more than a record holds */
	}
	for (i = 0; i < sections; i++) {
		size_t stop = i + 1 < sections ? at[i + 1] : all.size;

		add_u64(file, &table, end + 16 * sections + at[i]);
		add_u64(file, &table, stop - at[i]);
	}
	flush(file, &table);
	flush(file, &all);
	add_file_header(file, &header, 104 + 8ULL * file->cpus * GEN_EVENTS, file->data_at,
			end - file->data_at);
	if (end < 0 || fseek(file->file, 0, SEEK_SET))
		file->failed = true;
	flush(file, &header);
}

bool gen_file_end(struct gen_file *file)
{
	int cpu;

	if (!file->pipe)
		end_file(file);
	for (cpu = 0; cpu < file->cpus; cpu++) {
		free(file->ring[cpu].byte);
		free(file->ring[cpu].time);
		free(file->ring[cpu].end);
	}
	free(file->ring);
	gen_zstd_delete(file->zstd);
	return !file->failed;
}
