// SPDX-License-Identifier: GPL-2.0
/*
 * Format texts that are damaged, lack a field or are of another kind of machine; samples of perf;
 * and a whole recorded ring, decoded and correlated.
 */
#include "formats.h"

#include <linux/perf_event.h>

#include "bench/ipi/trace/correlate.h"
#include "../../tools/bench-decode.h"

#define COMMON									\
	"format:\n"								\
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"	\
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"	\
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"	\
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define PRINT	"\nprint fmt: \"x\"\n"
#define POINTER(name, offset)							\
	"\tfield:void * " name ";\toffset:" offset ";\tsize:8;\tsigned:0;\n"

static int add_text(const char *event, const char *text)
{
	struct ipi_decode *decode = ipi_decode__new(8, false);
	int ret;

	assert_non_null(decode);
	ret = ipi_decode__add(decode, find_row("x86_64", event), text, strlen(text));
	ipi_decode__delete(decode);
	return ret;
}

static void test_unfit_formats(void **state)
{
	(void)state;
	/* What it should be. */
	assert_int_equal(add_text("csd_function_entry", "name: csd_function_entry\nID: 7\n" COMMON
				  POINTER("func", "8")
				  POINTER("csd", "16") PRINT), 7);
	/* A field is missing. */
	assert_int_equal(add_text("csd_function_entry", "name: csd_function_entry\nID: 7\n" COMMON
				  POINTER("func", "8") PRINT),
			 -EINVAL);
	/* Another event's. */
	assert_int_equal(add_text("csd_function_entry", "name: csd_function_exit\nID: 7\n" COMMON
				  POINTER("func", "8")
				  POINTER("csd", "16") PRINT),
			 -EINVAL);
	/* A size no number has, an offset of the common fields', one no record has, such an id. */
	assert_int_equal(add_text("csd_function_entry", "name: csd_function_entry\nID: 7\n" COMMON
				  POINTER("func", "8")
				  "\tfield:void * csd;\toffset:16;\tsize:3;\tsigned:0;\n" PRINT),
			 -EINVAL);
	assert_int_equal(add_text("csd_function_entry", "name: csd_function_entry\nID: 7\n" COMMON
				  "\tfield:void * func;\toffset:4;\tsize:2;\tsigned:0;\n"
				  POINTER("csd", "16") PRINT),
			 -EINVAL);
	assert_int_equal(add_text("csd_function_entry", "name: csd_function_entry\nID: 7\n" COMMON
				  POINTER("func", "8")
				  POINTER("csd", "70000") PRINT),
			 -EINVAL);
	assert_int_equal(add_text("csd_function_entry", "name: csd_function_entry\nID: 65536\n"
				  COMMON
				  POINTER("func", "8")
				  POINTER("csd", "16") PRINT),
			 -EINVAL);
	/* A mask that is none, a number that is one. */
	assert_int_equal(add_text("ipi_send_cpumask", "name: ipi_send_cpumask\nID: 7\n" COMMON
				  "\tfield:unsigned int cpumask;\toffset:8;\tsize:4;\tsigned:0;\n"
				  POINTER("callsite", "16")
				  POINTER("callback", "24") PRINT),
			 -EINVAL);
	assert_int_equal(add_text("ipi_send_cpu", "name: ipi_send_cpu\nID: 7\n" COMMON
				  "\tfield:__data_loc cpumask_t cpu;\toffset:8;\tsize:4;\tsigned:0;\n"
				  POINTER("callsite", "16")
				  POINTER("callback", "24") PRINT),
			 -EINVAL);
	/* The common fields are elsewhere. */
	assert_int_equal(add_text("reschedule_entry", "name: reschedule_entry\nID: 7\nformat:\n"
				  "\tfield:int common_type;\toffset:0;\tsize:4;\tsigned:0;\n\n"
				  "\tfield:int vector;\toffset:8;\tsize:4;\tsigned:1;\n" PRINT),
			 -EINVAL);
	assert_int_equal(add_text("reschedule_entry", ""), -EINVAL);
	assert_int_equal(add_text("reschedule_entry", "\n"), -EINVAL);
}

/*
 * Cut at the end of any line: understood or not, but never read beyond its end. (Cut within a line,
 * libtraceevent 1.7 forgets to free what it has read of it.)
 */
static void test_cut_formats(void **state)
{
	const struct kernel_formats *kernel = find_formats("x86_64-6.18");
	const struct ipi_arch_event *row = find_row("x86_64", "ipi_send_cpumask");
	size_t size, cut;
	char *text = read_format(kernel, row, &size), *part;
	int understood = 0, ret;

	(void)state;
	assert_non_null(text);
	for (cut = 0; cut <= size; cut++) {
		struct ipi_decode *decode;

		if (cut && text[cut - 1] != '\n')
			continue;
		decode = ipi_decode__new(8, false);
		part = malloc(cut ? cut : 1);
		assert_true(part && decode);
		memcpy(part, text, cut);
		ret = ipi_decode__add(decode, row, part, cut);
		assert_true(ret == -EINVAL || ret > 0);
		understood += ret > 0;
		free(part);
		ipi_decode__delete(decode);
	}
	assert_true(understood > 0 && understood < 8);
	free(text);
}

/* A 64-bit big-endian machine: two longs of mask, of which bit 1 is CPU 1, and bit 64 CPU 64. */
static void test_big_endian(void **state)
{
	static const unsigned char raw[] = {
		0x02, 0x11, 0x08, 0, 0, 0, 0x10, 0x92,
		0, 16, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0, 5, 6, 7, 8,
		0x80, 0, 0, 0, 0, 0, 0, 0x02, 0, 0, 0, 0, 0, 0, 0, 0x01,
	};
	static const unsigned char mask[] = {
		0x02, 0, 0, 0, 0, 0, 0, 0x80, 0x01, 0, 0, 0, 0, 0, 0, 0,
	};
	static const char text[] = "name: ipi_send_cpumask\nID: 529\n" COMMON
		"\tfield:__data_loc cpumask_t cpumask;\toffset:8;\tsize:4;\tsigned:0;\n"
		POINTER("callsite", "16")
		POINTER("callback", "24") PRINT;
	struct ipi_decode *decode = ipi_decode__new(8, true);
	struct ipi_event one = { .cpu = 1 }, other = { .cpu = 70 };
	unsigned char odd[sizeof(raw)];

	(void)state;
	assert_int_equal(ipi_decode__add(decode, find_row("ppc64", "ipi_send_cpumask"), text,
					 sizeof(text) - 1), 529);
	assert_int_equal(ipi_decode__raw(decode, raw, sizeof(raw), &one), 0);
	assert_int_equal(one.ctx, IPI_CTX_HARDIRQ);
	assert_true(one.callsite == 0x01020304 && one.func == 0x05060708);
	assert_int_equal(one.mask_bytes, 16);
	/* It stays when another CPU's is decoded. */
	assert_int_equal(ipi_decode__raw(decode, raw, sizeof(raw), &other), 0);
	memcpy(odd, raw, sizeof(raw));
	odd[39] = 0xff;
	assert_int_equal(ipi_decode__raw(decode, odd, sizeof(raw), &other), 0);
	assert_memory_equal(one.mask, mask, sizeof(mask));
	assert_int_equal(other.mask[0], 0xff);
	/* No whole longs; a CPU there can't be. */
	odd[9] = 15;
	assert_int_equal(ipi_decode__raw(decode, odd, sizeof(raw), &other), -EBADMSG);
	one.cpu = -1;
	assert_int_equal(ipi_decode__raw(decode, raw, sizeof(raw), &one), -EBADMSG);
	ipi_decode__delete(decode);
}

/* A 32-bit one of each byte order. */
static void test_long_of_32_bits(void **state)
{
	static const unsigned char big[] = {
		0, 9, 0, 0, 0, 0, 0, 1, 0, 8, 0, 16, 0xc0, 0, 0x12, 0x34,
		0, 0, 0, 0x06, 0x01, 0, 0, 0,
	};
	static const unsigned char little[] = {
		9, 0, 0, 0, 1, 0, 0, 0, 16, 0, 8, 0, 0x34, 0x12, 0, 0xc0,
		0x06, 0, 0, 0, 0, 0, 0, 0x01,
	};
	static const unsigned char mask[] = { 0x06, 0, 0, 0, 0, 0, 0, 0x01 };
	static const char text[] = "name: ipi_raise\nID: 9\n" COMMON
		"\tfield:__data_loc unsigned long[] target_cpus;\toffset:8;\tsize:4;\tsigned:0;\n"
		"\tfield:const char * reason;\toffset:12;\tsize:4;\tsigned:0;\n" PRINT;
	static const char reasons[] = "0xc0001234 : \"Rescheduling interrupts\"\n";
	struct ipi_event event = { .cpu = 1 };
	int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		struct ipi_decode *decode = ipi_decode__new(4, i);

		assert_int_equal(ipi_decode__add(decode, find_row("armv7l", "ipi_raise"), text,
						 sizeof(text) - 1), 9);
		assert_int_equal(ipi_decode__reasons(decode, reasons, sizeof(reasons) - 1), 1);
		assert_int_equal(ipi_decode__raw(decode, i ? big : little, sizeof(big), &event), 0);
		assert_int_equal(event.irq, IPI_IRQ_RESCHED);
		assert_int_equal(event.mask_bytes, sizeof(mask));
		assert_memory_equal(event.mask, mask, sizeof(mask));
		ipi_decode__delete(decode);
	}
}

/* pid 4242, tid 4243, time, CPU 3, 28 bytes of raw: a function's start. */
static const unsigned char sample[] = {
	0x92, 0x10, 0, 0, 0x93, 0x10, 0, 0, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11,
	3, 0, 0, 0, 0, 0, 0, 0, 28, 0, 0, 0,
	0x10, 0x02, 0x08, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0,
};

static void test_sample(void **state)
{
	struct ipi_decode *decode = ipi_decode__new(8, false);
	struct ipi_event event = { .cpu = 0 };
	unsigned char *body;
	size_t size;
	int ret;

	(void)state;
	assert_int_equal(teach(decode, find_formats("x86_64-6.18"),
			       find_row("x86_64", "csd_function_entry")), 0x210);
	for (size = 0; size <= sizeof(sample); size++) {
		body = malloc(size ? size : 1);
		assert_non_null(body);
		memcpy(body, sample, size);
		ret = ipi_decode__sample(decode, body, size, &event);
		assert_int_equal(ret, size == sizeof(sample) ? 0 : -EBADMSG);
		free(body);
	}
	assert_int_equal(event.pid, 4242);
	assert_int_equal(event.tid, 4243);
	assert_int_equal(event.cpu, 3);
	assert_true(event.time == 0x1122334455667788ULL);
	assert_true(event.func == 0x0807060504030201ULL && event.csd == 9);
	assert_int_equal(event.kind, IPI_EVENT_FUNC_ENTRY);
	assert_int_equal(event.ctx, IPI_CTX_HARDIRQ);
	ipi_decode__delete(decode);
}

/* Random damage to a sample with a mask, and what it says of its own size. */
static void test_damaged_samples(void **state)
{
	struct ipi_decode *decode = ipi_decode__new(8, false);
	const struct kernel_formats *kernel = find_formats("x86_64-6.18");
	struct ipi_event event = { .cpu = 0 };
	unsigned int seed = 1, good = 0, i, j;
	unsigned char *body;
	u32 at;
	int ret;

	(void)state;
	assert_true(teach(decode, kernel, find_row("x86_64", "ipi_send_cpumask")) == 353);
	assert_true(teach(decode, kernel, find_row("x86_64", "csd_queue_cpu")) == 529);
	for (i = 0; i < 200000; i++) {
		size_t size = 28 + 40;

		body = calloc(1, size);
		assert_non_null(body);
		body[24] = 40;
		body[28] = 0x61;
		body[29] = 0x01;
		body[36] = 32;
		body[38] = 8;
		for (j = 0; j < 1 + i % 4; j++) {
			seed = seed * 1103515245 + 12345;
			body[(seed >> 8) % size] = seed >> 16;
		}
		ret = ipi_decode__sample(decode, body, size, &event);
		assert_true(ret == 0 || ret == -EBADMSG || ret == -ENOENT);
		for (at = 0; !ret && event.mask && at < event.mask_bytes; at++)
			good += event.mask[at] + 1;
		free(body);
	}
	assert_true(good > 0);
	ipi_decode__delete(decode);
}

static u32 take_u32(const char **at)
{
	u32 value;

	memcpy(&value, *at, sizeof(value));
	*at += sizeof(value);
	return value;
}

static const struct ipi_arch_event *row_of(const char *name, u32 size)
{
	char event[64];
	const char *colon = memchr(name, ':', size);

	assert_non_null(colon);
	snprintf(event, sizeof(event), "%.*s", (int)(name + size - colon - 1), colon + 1);
	return find_row("x86_64", event);
}

struct tally {
	int classes[IPI_CLASS_NR];
	int negative;
};

static void tell(void *ctx, const struct ipi_delivery *d)
{
	struct tally *tally = ctx;

	tally->classes[d->class]++;
	if (d->class == IPI_CLASS_INTERRUPT && d->csd)
		tally->negative += d->t_queue > d->t_send || d->t_send > d->t_irq_entry ||
				   d->t_irq_entry > d->t_func_entry ||
				   d->t_func_entry > d->t_func_exit ||
				   d->t_func_exit > d->t_irq_exit;
}

/* One of the recorded rings. */
struct part {
	const char *at, *end;
	struct ipi_event head;
	bool loaded;
};

static void load(struct ipi_decode *decode, struct part *part)
{
	struct perf_event_header header;

	part->loaded = part->at < part->end;
	if (!part->loaded)
		return;
	memcpy(&header, part->at, sizeof(header));
	assert_int_equal(header.type, PERF_RECORD_SAMPLE);
	assert_true(header.size <= part->end - part->at);
	assert_int_equal(ipi_decode__sample(decode, part->at + sizeof(header),
					    header.size - sizeof(header), &part->head), 0);
	part->at += header.size;
}

/* 350 calls: 44 local ones and 306 to the other CPU. */
static void test_recorded_ring(void **state)
{
	size_t size;
	char *data = read_data("ring-x86_64-6.18.bin", &size);
	struct ipi_decode *decode = ipi_decode__new(8, false);
	struct tally tally = { .negative = 0 };
	struct ipi_corr_conf conf = { .max_cpus = 2, .emit = tell, .ctx = &tally };
	const char *at = data, *name;
	struct ipi_corr *corr;
	struct part part[2];
	u32 nr, length, i;

	(void)state;
	assert_non_null(data);
	assert_memory_equal(at, RING_MAGIC, 8);
	at += 8;
	if (take_u32(&at) != RING_ORDER) {
		print_message("the ring is of the other byte order\n");
		skip();
	}
	assert_int_equal(take_u32(&at), 8);
	nr = take_u32(&at);
	assert_int_equal(take_u32(&at), 2);
	for (i = 0; i < nr; i++) {
		const struct ipi_arch_event *row;

		length = take_u32(&at);
		name = at;
		at += length;
		row = row_of(name, length);
		length = take_u32(&at);
		assert_true(ipi_decode__add(decode, row, at, length) > 0);
		at += length;
		conf.have |= IPI_EVENT_BIT(row->kind);
		if (row->kind == IPI_EVENT_IRQ_EXIT)
			conf.irq_exit |= 1U << row->irq;
	}
	for (i = 0; i < 2; i++) {
		assert_int_equal(take_u32(&at), i);
		length = take_u32(&at);
		part[i].at = at;
		part[i].end = at + length;
		at += length;
		load(decode, &part[i]);
	}
	assert_ptr_equal(at, data + size);

	corr = ipi_corr__new(&conf);
	assert_non_null(corr);
	while (part[0].loaded || part[1].loaded) {
		i = !part[0].loaded ||
		    (part[1].loaded && part[1].head.time < part[0].head.time);
		assert_int_equal(ipi_corr__feed(corr, &part[i].head), 0);
		load(decode, &part[i]);
	}
	ipi_corr__flush(corr);
	assert_int_equal(ipi_corr__stats(corr)->unordered, 0);
	assert_int_equal(ipi_corr__stats(corr)->bad, 0);
	assert_true(tally.classes[IPI_CLASS_LOCAL] >= 44);
	assert_true(tally.classes[IPI_CLASS_INTERRUPT] >= 303);
	assert_int_equal(tally.negative, 0);
	ipi_corr__delete(corr);
	ipi_decode__delete(decode);
	free(data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unfit_formats),
		cmocka_unit_test(test_cut_formats),
		cmocka_unit_test(test_big_endian),
		cmocka_unit_test(test_long_of_32_bits),
		cmocka_unit_test(test_sample),
		cmocka_unit_test(test_damaged_samples),
		cmocka_unit_test(test_recorded_ring),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
