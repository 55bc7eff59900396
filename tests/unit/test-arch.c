// SPDX-License-Identifier: GPL-2.0
/*
 * The architecture tables: what each has, and that each row says what its kind needs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <linux/kernel.h>

#include "bench/ipi/trace/arch.h"

static const char *const machines[] = {
	"x86_64", "i686", "aarch64", "armv7l", "arm64", "riscv64", "s390x", "ppc64le", "",
};

static const struct ipi_arch_event *find(const char *machine, const char *name)
{
	const struct ipi_arch_event *const *events;
	int nr, i;

	events = ipi_arch__events(machine, &nr);
	for (i = 0; i < nr; i++) {
		if (!strcmp(events[i]->name, name))
			return events[i];
	}
	return NULL;
}

static void check_fields(const struct ipi_arch_event *event)
{
	switch (event->kind) {
	case IPI_EVENT_QUEUE:
		assert_true(event->cpu && event->func && event->csd && event->callsite);
		break;
	case IPI_EVENT_SEND:
		assert_true(event->func && event->callsite && !event->cpu != !event->mask);
		break;
	case IPI_EVENT_RAISE:
		assert_true(event->mask && event->reason);
		break;
	case IPI_EVENT_IRQ_ENTRY:
	case IPI_EVENT_IRQ_EXIT:
		assert_true(event->irq != IPI_IRQ_NR || event->reason);
		break;
	case IPI_EVENT_FUNC_ENTRY:
	case IPI_EVENT_FUNC_EXIT:
		assert_true(event->func && event->csd);
		break;
	case IPI_EVENT_POLL_WAKE:
		assert_non_null(event->cpu);
		break;
	case IPI_EVENT_LOST:
	case IPI_EVENT_CALL:
	case IPI_EVENT_RETURN:
	case IPI_EVENT_NR:
	default:
		fail();
	}
}

static void test_rows(void **state)
{
	const struct ipi_arch_event *const *events;
	size_t m;
	int nr, i, j;

	(void)state;
	for (m = 0; m < ARRAY_SIZE(machines); m++) {
		events = ipi_arch__events(machines[m], &nr);
		assert_true(nr > 0);
		for (i = 0; i < nr; i++) {
			assert_true(events[i]->system && events[i]->name && events[i]->tells);
			assert_true(events[i]->irq <= IPI_IRQ_NR);
			check_fields(events[i]);
			for (j = 0; j < i; j++)
				assert_string_not_equal(events[i]->name, events[j]->name);
		}
	}
}

static void test_generic_rows_everywhere(void **state)
{
	static const char *const names[] = {
		"csd_queue_cpu", "csd_function_entry", "csd_function_exit", "ipi_send_cpu",
		"ipi_send_cpumask", "sched_wake_idle_without_ipi",
	};
	size_t m, i;

	(void)state;
	for (m = 0; m < ARRAY_SIZE(machines); m++) {
		for (i = 0; i < ARRAY_SIZE(names); i++)
			assert_non_null(find(machines[m], names[i]));
	}
}

/* Its ipi_raise exists on some kernels and is never hit. */
static void test_x86(void **state)
{
	const struct ipi_arch_event *event;

	(void)state;
	assert_null(find("x86_64", "ipi_raise"));
	assert_null(find("x86_64", "ipi_entry"));
	event = find("x86_64", "call_function_single_entry");
	assert_non_null(event);
	assert_string_equal(event->system, "irq_vectors");
	assert_int_equal(event->kind, IPI_EVENT_IRQ_ENTRY);
	assert_int_equal(event->irq, IPI_IRQ_CALL);
	event = find("x86_64", "reschedule_exit");
	assert_non_null(event);
	assert_int_equal(event->kind, IPI_EVENT_IRQ_EXIT);
	assert_int_equal(event->irq, IPI_IRQ_RESCHED);
	/* Shown in the list, but never opened. */
	event = find("x86_64", "irq_work_exit");
	assert_non_null(event);
	assert_non_null(event->never);
	event = find("x86_64", "irq_work_entry");
	assert_non_null(event);
	assert_null(event->never);
}

static void test_arm(void **state)
{
	(void)state;
	assert_non_null(find("aarch64", "ipi_raise"));
	assert_non_null(find("armv7l", "ipi_entry"));
	assert_int_equal(find("arm64", "ipi_exit")->kind, IPI_EVENT_IRQ_EXIT);
	assert_null(find("aarch64", "call_function_entry"));
}

static void test_others(void **state)
{
	(void)state;
	assert_null(find("riscv64", "ipi_raise"));
	assert_null(find("riscv64", "call_function_entry"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_generic_rows_everywhere),
		cmocka_unit_test(test_x86),
		cmocka_unit_test(test_arm),
		cmocka_unit_test(test_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
