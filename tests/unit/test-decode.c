// SPDX-License-Identifier: GPL-2.0
/*
 * Decoding of literal records by literal format texts (tests/data/formats): x86-64 and arm64 of
 * several kernels. That no record, cut short or made up, is read beyond its end is for the address
 * sanitizer and valgrind to say: each is handed over in memory of just its size.
 */
#include "formats.h"

#define FUNC	0xffffffff81234560ULL
#define CSD	0xffff88813bd2c3c0ULL
#define SITE	0xffffffff81abcde6ULL

/*
 * Each begins with its type (filled in later), flags (interrupts off), preempt count and pid.
 */
static const unsigned char queue_cpu[] = {
	0, 0, 0x01, 1, 0x92, 0x10, 0, 0,
	3, 0, 0, 0, 0, 0, 0, 0,
	0xe6, 0xcd, 0xab, 0x81, 0xff, 0xff, 0xff, 0xff,
	0x60, 0x45, 0x23, 0x81, 0xff, 0xff, 0xff, 0xff,
	0xc0, 0xc3, 0xd2, 0x3b, 0x81, 0x88, 0xff, 0xff,
};

/* CPU 3, from SITE, FUNC. */
static const unsigned char send_cpu[] = {
	0, 0, 0x01, 1, 0x92, 0x10, 0, 0,
	3, 0, 0, 0, 0, 0, 0, 0,
	0xe6, 0xcd, 0xab, 0x81, 0xff, 0xff, 0xff, 0xff,
	0x60, 0x45, 0x23, 0x81, 0xff, 0xff, 0xff, 0xff,
};

/* Mask at 32, 8 bytes: CPUs 1 to 3. */
static const unsigned char send_cpumask[] = {
	0, 0, 0x01, 1, 0x92, 0x10, 0, 0,
	0x20, 0, 0x08, 0, 0, 0, 0, 0,
	0xe6, 0xcd, 0xab, 0x81, 0xff, 0xff, 0xff, 0xff,
	0x60, 0x45, 0x23, 0x81, 0xff, 0xff, 0xff, 0xff,
	0x0e, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
};

static const unsigned char function[] = {
	0, 0, 0x01, 1, 0x92, 0x10, 0, 0,
	0x60, 0x45, 0x23, 0x81, 0xff, 0xff, 0xff, 0xff,
	0xc0, 0xc3, 0xd2, 0x3b, 0x81, 0x88, 0xff, 0xff,
};

/* Mask at 24, 8 bytes: CPU 2. */
static const unsigned char raise[] = {
	0, 0, 0x01, 1, 0x92, 0x10, 0, 0,
	0x18, 0, 0x08, 0, 0, 0, 0, 0,
	0x68, 0xd3, 0x80, 0x82, 0x22, 0xad, 0xff, 0xff,
	0x04, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
};

static const unsigned char handler[] = {
	0, 0, 0x01, 1, 0x92, 0x10, 0, 0,
	0x68, 0xd3, 0x80, 0x82, 0x22, 0xad, 0xff, 0xff,
};

static const unsigned char vector[] = {
	0, 0, 0x01, 1, 0x92, 0x10, 0, 0,
	0xfb, 0, 0, 0,
};

static const unsigned char wake_idle[] = {
	0, 0, 0x01, 1, 0x92, 0x10, 0, 0,
	5, 0, 0, 0,
};

static const struct record {
	const char *event;
	const unsigned char *raw;
	size_t size;
} records[] = {
	{ "csd_queue_cpu", queue_cpu, sizeof(queue_cpu) },
	{ "ipi_send_cpu", send_cpu, sizeof(send_cpu) },
	{ "ipi_send_cpumask", send_cpumask, sizeof(send_cpumask) },
	{ "csd_function_entry", function, sizeof(function) },
	{ "csd_function_exit", function, sizeof(function) },
	{ "ipi_raise", raise, sizeof(raise) },
	{ "ipi_entry", handler, sizeof(handler) },
	{ "ipi_exit", handler, sizeof(handler) },
	{ "call_function_single_entry", vector, sizeof(vector) },
	{ "call_function_single_exit", vector, sizeof(vector) },
	{ "call_function_entry", vector, sizeof(vector) },
	{ "call_function_exit", vector, sizeof(vector) },
	{ "reschedule_entry", vector, sizeof(vector) },
	{ "reschedule_exit", vector, sizeof(vector) },
	{ "irq_work_entry", vector, sizeof(vector) },
	{ "irq_work_exit", vector, sizeof(vector) },
	{ "sched_wake_idle_without_ipi", wake_idle, sizeof(wake_idle) },
};

static const struct record *find_record(const char *event)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(records); i++) {
		if (!strcmp(records[i].event, event))
			return &records[i];
	}
	fail_msg("no record of %s", event);
	return NULL;
}

/* A copy in memory of its own with the event's id; free(). */
static unsigned char *copy(const struct record *record, int id, size_t size)
{
	unsigned char *raw = malloc(size ? size : 1), whole[128];

	assert_non_null(raw);
	memcpy(whole, record->raw, record->size);
	whole[0] = id;
	whole[1] = id >> 8;
	memcpy(raw, whole, size);
	return raw;
}

/* Looks at all of a mask. */
static unsigned int read_mask(const struct ipi_event *event)
{
	unsigned int sum = 0;
	u32 i;

	for (i = 0; event->mask && i < event->mask_bytes; i++)
		sum += event->mask[i];
	return sum;
}

static const char printk_formats[] =
	"0xffffffff82842e77 : \"Timer\"\n"
	"0xffffad228280d368 : \"Function call interrupts\"\n"
	"0xffffad228280d368 : \"Function call interrupts\"\n"
	"0xffffad228280d381 : \"Rescheduling interrupts\"\n"
	"0xffffad228280d399 : \"CPU stop (for crash dump) interrupts\"\n"
	"0xffffad228280d3c0 : \"IRQ work interrupts\"\n"
	"0xffffad228280d3e0 : \"CPU stop NMIs\"\n";

static void check_values(const struct ipi_arch_event *row, const struct ipi_event *event)
{
	assert_int_equal(event->kind, row->kind);
	assert_int_equal(event->ctx, IPI_CTX_TASK);
	if (row->func)
		assert_true(event->func == FUNC);
	if (row->csd)
		assert_true(event->csd == CSD);
	if (row->callsite)
		assert_true(event->callsite == SITE);
	if (row->cpu)
		assert_int_equal(event->target, row->kind == IPI_EVENT_POLL_WAKE ? 5 : 3);
	if (row->mask) {
		assert_int_equal(event->mask_bytes, 8);
		assert_int_equal(event->mask[0], row->reason ? 0x4 : 0xe);
		assert_int_equal(read_mask(event), event->mask[0]);
	} else {
		assert_null(event->mask);
	}
	if (row->reason || row->kind == IPI_EVENT_SEND)
		assert_int_equal(event->irq, IPI_IRQ_CALL);
	else if (row->irq != IPI_IRQ_NR)
		assert_int_equal(event->irq, row->irq);
}

static void check_record(struct ipi_decode *decode, const struct ipi_arch_event *row, int id)
{
	const struct record *record = find_record(row->name);
	struct ipi_event event = { .cpu = 1 };
	unsigned char *raw;
	size_t size;
	int ret;

	for (size = 0; size <= record->size; size++) {
		raw = copy(record, id, size);
		ret = ipi_decode__raw(decode, raw, size, &event);
		if (size == record->size)
			assert_int_equal(ret, 0);
		else
			assert_true(ret == 0 || ret == -EBADMSG);
		if (!ret)
			read_mask(&event);
		if (size == record->size)
			check_values(row, &event);
		free(raw);
	}
}

static void test_records_of_each_kernel(void **state)
{
	const struct kernel_formats *kernel;
	const struct ipi_arch_event *const *rows;
	struct ipi_decode *decode;
	int nr, i, id, known;
	size_t k;

	(void)state;
	for (k = 0; k < ARRAY_SIZE(kernel_formats); k++) {
		kernel = &kernel_formats[k];
		decode = ipi_decode__new(8, false);
		assert_non_null(decode);
		assert_int_equal(ipi_decode__reasons(decode, printk_formats,
						     strlen(printk_formats)), 5);
		rows = ipi_arch__events(kernel->machine, &nr);
		for (i = known = 0; i < nr; i++) {
			id = teach(decode, kernel, rows[i]);
			if (id == -ENOENT)
				continue;
			known++;
			assert_true(id > 0);
			check_record(decode, rows[i], id);
		}
		assert_int_equal(known, kernel->nr_events);
		ipi_decode__delete(decode);
	}
}

/* Ids that a kernel's build gave, by which records are told apart. */
static void test_ids(void **state)
{
	struct ipi_decode *decode = ipi_decode__new(8, false);

	(void)state;
	assert_int_equal(teach(decode, find_formats("arm64-6.1"), find_row("aarch64", "ipi_raise")),
			 33);
	assert_int_equal(teach(decode, find_formats("arm64-6.1"), find_row("aarch64", "ipi_exit")),
			 31);
	ipi_decode__delete(decode);
}

static void decode_flags(struct ipi_decode *decode, int id, unsigned char flags,
			 struct ipi_event *event)
{
	const struct record *record = find_record("csd_function_entry");
	unsigned char *raw = copy(record, id, record->size);

	raw[2] = flags;
	assert_int_equal(ipi_decode__raw(decode, raw, record->size, event), 0);
	free(raw);
}

static void test_context(void **state)
{
	static const struct {
		unsigned char flags;
		enum ipi_ctx ctx;
	} cases[] = {
		{ 0x00, IPI_CTX_TASK }, { 0x01, IPI_CTX_TASK }, { 0x24, IPI_CTX_TASK },
		{ 0x80, IPI_CTX_TASK }, { 0x10, IPI_CTX_SOFTIRQ }, { 0x08, IPI_CTX_HARDIRQ },
		{ 0x18, IPI_CTX_HARDIRQ }, { 0x40, IPI_CTX_NMI }, { 0x59, IPI_CTX_NMI },
	};
	struct ipi_decode *decode = ipi_decode__new(8, false);
	int id = teach(decode, find_formats("x86_64-6.18"),
		       find_row("x86_64", "csd_function_entry"));
	struct ipi_event event = { .cpu = 0 };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		decode_flags(decode, id, cases[i].flags, &event);
		assert_int_equal(event.ctx, cases[i].ctx);
	}
	ipi_decode__delete(decode);
}

/* What a send means depends on its callback, and on whose CPU it is. */
static void test_what_a_send_means(void **state)
{
	struct ipi_decode *decode = ipi_decode__new(8, false);
	const struct kernel_formats *kernel = find_formats("x86_64-6.18");
	int one = teach(decode, kernel, find_row("x86_64", "ipi_send_cpu"));
	int many = teach(decode, kernel, find_row("x86_64", "ipi_send_cpumask"));
	struct ipi_event event = { .cpu = 1 };
	unsigned char *raw;

	(void)state;
	raw = copy(find_record("ipi_send_cpu"), one, sizeof(send_cpu));
	assert_int_equal(ipi_decode__raw(decode, raw, sizeof(send_cpu), &event), 0);
	assert_int_equal(event.irq, IPI_IRQ_CALL);
	event.cpu = 3;
	assert_int_equal(ipi_decode__raw(decode, raw, sizeof(send_cpu), &event), 0);
	assert_int_equal(event.irq, IPI_IRQ_WORK);
	memset(raw + 24, 0, 8);
	assert_int_equal(ipi_decode__raw(decode, raw, sizeof(send_cpu), &event), 0);
	assert_int_equal(event.irq, IPI_IRQ_RESCHED);
	free(raw);

	raw = copy(find_record("ipi_send_cpumask"), many, sizeof(send_cpumask));
	assert_int_equal(ipi_decode__raw(decode, raw, sizeof(send_cpumask), &event), 0);
	assert_int_equal(event.irq, IPI_IRQ_CALL);
	memset(raw + 24, 0, 8);
	assert_int_equal(ipi_decode__raw(decode, raw, sizeof(send_cpumask), &event), 0);
	assert_int_equal(event.irq, IPI_IRQ_RESCHED);
	free(raw);
	ipi_decode__delete(decode);
}

static void test_reasons(void **state)
{
	static const struct {
		u64 address;
		enum ipi_irq irq;
	} cases[] = {
		{ 0xffffad228280d368ULL, IPI_IRQ_CALL },
		{ 0xffffad228280d381ULL, IPI_IRQ_RESCHED },
		{ 0xffffad228280d3c0ULL, IPI_IRQ_WORK },
		{ 0xffffad228280d399ULL, IPI_IRQ_OTHER },
		{ 0xffffad228280d3e0ULL, IPI_IRQ_OTHER },
		{ 0xffffffff82842e77ULL, IPI_IRQ_OTHER },
		{ 0, IPI_IRQ_OTHER },
	};
	struct ipi_decode *decode = ipi_decode__new(8, false);
	int id = teach(decode, find_formats("arm64-7.3"), find_row("aarch64", "ipi_entry"));
	struct ipi_event event = { .cpu = 1 };
	unsigned char *raw = copy(find_record("ipi_entry"), id, sizeof(handler));
	size_t i;

	(void)state;
	assert_int_equal(ipi_decode__reasons(decode, printk_formats, strlen(printk_formats)), 5);
	/* Known already. */
	assert_int_equal(ipi_decode__reasons(decode, printk_formats, strlen(printk_formats)), 0);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		memcpy(raw + 8, &cases[i].address, 8);
		assert_int_equal(ipi_decode__raw(decode, raw, sizeof(handler), &event), 0);
		assert_int_equal(event.irq, cases[i].irq);
	}
	free(raw);
	ipi_decode__delete(decode);
}

static void test_bad_reasons(void **state)
{
	static const char *const lines[] = {
		"", "\n\n", "0x", "0x1", "0x1 : ", "0x1 : \"", "0x1 : \" interrupts",
		"1 : \"Function call interrupts\"", "0x1: \"Function call interrupts\"",
		"0x11112222333344445 : \"Function call interrupts\"",
		"0xg : \"Function call interrupts\"", "0x1 : \"Timer\"\n0x2 : \"interrupts\"",
	};
	struct ipi_decode *decode = ipi_decode__new(8, false);
	size_t i, size;
	char *text;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(lines); i++)
		assert_int_equal(ipi_decode__reasons(decode, lines[i], strlen(lines[i])), 0);
	/* Cut anywhere, and without a terminating NUL. */
	for (size = 0; size < strlen(printk_formats); size++) {
		text = malloc(size ? size : 1);
		assert_non_null(text);
		memcpy(text, printk_formats, size);
		assert_true(ipi_decode__reasons(decode, text, size) >= 0);
		free(text);
	}
	ipi_decode__delete(decode);
}

static void expect_bad_mask(struct ipi_decode *decode, int id, u32 loc)
{
	struct ipi_event event = { .cpu = 1 };
	unsigned char *raw = copy(find_record("ipi_send_cpumask"), id, sizeof(send_cpumask));

	memcpy(raw + 8, &loc, sizeof(loc));
	assert_int_equal(ipi_decode__raw(decode, raw, sizeof(send_cpumask), &event), -EBADMSG);
	free(raw);
}

static void test_hostile_masks(void **state)
{
	struct ipi_decode *decode = ipi_decode__new(8, false);
	int id = teach(decode, find_formats("x86_64-6.18"), find_row("x86_64", "ipi_send_cpumask"));

	(void)state;
	expect_bad_mask(decode, id, 0);
	expect_bad_mask(decode, id, 0x00000020);
	expect_bad_mask(decode, id, 0x00090020);
	expect_bad_mask(decode, id, 0x00080021);
	expect_bad_mask(decode, id, 0x00010028);
	expect_bad_mask(decode, id, 0xffff0020);
	expect_bad_mask(decode, id, 0x0008ffff);
	expect_bad_mask(decode, id, 0xffffffff);
	ipi_decode__delete(decode);
}

/* CPUs that there can't be are not truncated into ones there are. */
static void test_hostile_cpus(void **state)
{
	static const u32 cpus[] = { 0x10000, 0x7fffffff, 0x80000000, 0xffffffff };
	struct ipi_decode *decode = ipi_decode__new(8, false);
	const struct kernel_formats *kernel = find_formats("x86_64-6.18");
	int queued = teach(decode, kernel, find_row("x86_64", "csd_queue_cpu"));
	int woken = teach(decode, kernel, find_row("x86_64", "sched_wake_idle_without_ipi"));
	struct ipi_event event = { .cpu = 1 };
	unsigned char *raw;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cpus); i++) {
		raw = copy(find_record("csd_queue_cpu"), queued, sizeof(queue_cpu));
		memcpy(raw + 8, &cpus[i], 4);
		assert_int_equal(ipi_decode__raw(decode, raw, sizeof(queue_cpu), &event), 0);
		assert_int_equal(event.target, -1);
		free(raw);
		raw = copy(find_record("sched_wake_idle_without_ipi"), woken, sizeof(wake_idle));
		memcpy(raw + 8, &cpus[i], 4);
		assert_int_equal(ipi_decode__raw(decode, raw, sizeof(wake_idle), &event), 0);
		assert_int_equal(event.target, -1);
		free(raw);
	}
	ipi_decode__delete(decode);
}

static void test_unknown_events(void **state)
{
	static const unsigned char ids[][2] = {
		{ 0, 0 }, { 1, 0 }, { 0xff, 0xff }, { 0x11, 0x02 },
	};
	struct ipi_decode *decode = ipi_decode__new(8, false);
	struct ipi_event event = { .cpu = 1 };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(ids); i++)
		assert_int_equal(ipi_decode__raw(decode, ids[i], 2, &event), -ENOENT);
	assert_true(teach(decode, find_formats("x86_64-6.18"),
			  find_row("x86_64", "csd_queue_cpu")) > 0);
	for (i = 0; i < 3; i++)
		assert_int_equal(ipi_decode__raw(decode, ids[i], 2, &event), -ENOENT);
	assert_int_equal(ipi_decode__raw(decode, ids[3], 2, &event), -EBADMSG);
	assert_int_equal(ipi_decode__raw(decode, ids[0], 0, &event), -EBADMSG);
	ipi_decode__delete(decode);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_records_of_each_kernel),
		cmocka_unit_test(test_ids),
		cmocka_unit_test(test_context),
		cmocka_unit_test(test_what_a_send_means),
		cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_bad_reasons),
		cmocka_unit_test(test_hostile_masks),
		cmocka_unit_test(test_hostile_cpus),
		cmocka_unit_test(test_unknown_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
