// SPDX-License-Identifier: GPL-2.0
/*
 * The tables of the architectures. A tracepoint that exists but is never hit is not in a table
 * (ipi_raise on x86): its presence would make the correlator wait for it.
 */
#include <stdio.h>
#include <string.h>
#include <linux/kernel.h>

#include "arch.h"

static const struct ipi_arch_event csd_queue_cpu = {
	.system = "csd", .name = "csd_queue_cpu", .kind = IPI_EVENT_QUEUE, .irq = IPI_IRQ_NR,
	.cpu = "cpu", .func = "func", .csd = "csd", .callsite = "callsite",
	.tells = "who queues which function for which CPU, also where no IPI is sent for it",
};

static const struct ipi_arch_event ipi_send_cpu = {
	.system = "ipi", .name = "ipi_send_cpu", .kind = IPI_EVENT_SEND, .irq = IPI_IRQ_NR,
	.cpu = "cpu", .func = "callback", .callsite = "callsite",
	.tells = "when an IPI leaves for one CPU: parts send from deliver",
};

static const struct ipi_arch_event ipi_send_cpumask = {
	.system = "ipi", .name = "ipi_send_cpumask", .kind = IPI_EVENT_SEND, .irq = IPI_IRQ_NR,
	.mask = "cpumask", .func = "callback", .callsite = "callsite",
	.tells = "when an IPI leaves for several CPUs: parts send from deliver",
};

static const struct ipi_arch_event csd_function_entry = {
	.system = "csd", .name = "csd_function_entry", .kind = IPI_EVENT_FUNC_ENTRY,
	.irq = IPI_IRQ_NR, .func = "func", .csd = "csd",
	.tells = "when the function starts: parts dispatch from handle, shows local runs",
};

static const struct ipi_arch_event csd_function_exit = {
	.system = "csd", .name = "csd_function_exit", .kind = IPI_EVENT_FUNC_EXIT,
	.irq = IPI_IRQ_NR, .func = "func", .csd = "csd",
	.tells = "when the function ends: parts handle from ack",
};

static const struct ipi_arch_event sched_wake_idle_without_ipi = {
	.system = "sched", .name = "sched_wake_idle_without_ipi", .kind = IPI_EVENT_POLL_WAKE,
	.irq = IPI_IRQ_RESCHED, .cpu = "cpu",
	.tells = "that an idle CPU was polling and got no IPI",
};

#define X86_VECTOR(_name, _kind, _irq, _tells)				\
	{								\
		.system = "irq_vectors", .name = #_name,		\
		.kind = IPI_EVENT_IRQ_##_kind, .irq = IPI_IRQ_##_irq,	\
		.tells = _tells,					\
	}

static const struct ipi_arch_event x86_vectors[] = {
	X86_VECTOR(call_function_single_entry, ENTRY, CALL,
		   "when a function call for one CPU interrupts it"),
	X86_VECTOR(call_function_single_exit, EXIT, CALL,
		   "when that interrupt ends"),
	X86_VECTOR(call_function_entry, ENTRY, CALL,
		   "when a function call for several CPUs interrupts one"),
	X86_VECTOR(call_function_exit, EXIT, CALL,
		   "when that interrupt ends"),
	X86_VECTOR(reschedule_entry, ENTRY, RESCHED,
		   "when a reschedule interrupts a CPU"),
	X86_VECTOR(reschedule_exit, EXIT, RESCHED,
		   "when that interrupt ends"),
	X86_VECTOR(irq_work_entry, ENTRY, WORK,
		   "when irq_work interrupts its own CPU"),
	{
		.system = "irq_vectors", .name = "irq_work_exit",
		.kind = IPI_EVENT_IRQ_EXIT, .irq = IPI_IRQ_WORK,
		.tells = "when that interrupt ends",
		.never = "can't be sampled, since a sample of it would cause the next",
	},
};

static const struct ipi_arch_event arm_ipis[] = {
	{
		.system = "ipi", .name = "ipi_raise", .kind = IPI_EVENT_RAISE, .irq = IPI_IRQ_NR,
		.mask = "target_cpus", .reason = "reason",
		.tells = "when an SGI leaves for some CPUs",
	}, {
		.system = "ipi", .name = "ipi_entry", .kind = IPI_EVENT_IRQ_ENTRY,
		.irq = IPI_IRQ_NR, .reason = "reason",
		.tells = "when an IPI interrupts a CPU",
	}, {
		.system = "ipi", .name = "ipi_exit", .kind = IPI_EVENT_IRQ_EXIT,
		.irq = IPI_IRQ_NR, .reason = "reason",
		.tells = "when that interrupt ends",
	},
};

/* In the order they are met on the way of an IPI. */
static const struct ipi_arch_event *const generic[] = {
	&csd_queue_cpu, &ipi_send_cpu, &ipi_send_cpumask, &csd_function_entry, &csd_function_exit,
	&sched_wake_idle_without_ipi,
};

static const struct ipi_arch_event *const x86[] = {
	&csd_queue_cpu, &ipi_send_cpu, &ipi_send_cpumask,
	&x86_vectors[0], &x86_vectors[1], &x86_vectors[2], &x86_vectors[3],
	&csd_function_entry, &csd_function_exit,
	&x86_vectors[4], &x86_vectors[5], &x86_vectors[6], &x86_vectors[7],
	&sched_wake_idle_without_ipi,
};

static const struct ipi_arch_event *const arm[] = {
	&csd_queue_cpu, &ipi_send_cpu, &ipi_send_cpumask,
	&arm_ipis[0], &arm_ipis[1], &arm_ipis[2],
	&csd_function_entry, &csd_function_exit, &sched_wake_idle_without_ipi,
};

#define SYSTEM_CALL(_name, _kind)						\
	{								\
		.system = "syscalls", .name = #_name, .kind = IPI_EVENT_##_kind,	\
		.irq = IPI_IRQ_NR, .tells = "a system call that may send",	\
	}

static const struct ipi_arch_event call_events[] = {
	SYSTEM_CALL(sys_enter_membarrier, CALL), SYSTEM_CALL(sys_exit_membarrier, RETURN),
	SYSTEM_CALL(sys_enter_futex, CALL), SYSTEM_CALL(sys_exit_futex, RETURN),
	SYSTEM_CALL(sys_enter_read, CALL), SYSTEM_CALL(sys_exit_read, RETURN),
	SYSTEM_CALL(sys_enter_munmap, CALL), SYSTEM_CALL(sys_exit_munmap, RETURN),
	SYSTEM_CALL(sys_enter_mprotect, CALL), SYSTEM_CALL(sys_exit_mprotect, RETURN),
	SYSTEM_CALL(sys_enter_madvise, CALL), SYSTEM_CALL(sys_exit_madvise, RETURN),
	{
		.system = "ipi_bench", .name = "call", .kind = IPI_EVENT_CALL, .irq = IPI_IRQ_NR,
		.tells = "a call of the bench's module begins",
	}, {
		.system = "ipi_bench", .name = "return", .kind = IPI_EVENT_RETURN,
		.irq = IPI_IRQ_NR, .func = "t_call", .csd = "t_return",
		.tells = "and ends",
	},
};

static const struct ipi_arch_event *const calls[] = {
	&call_events[0], &call_events[1], &call_events[2], &call_events[3], &call_events[4],
	&call_events[5], &call_events[6], &call_events[7], &call_events[8], &call_events[9],
	&call_events[10], &call_events[11], &call_events[12], &call_events[13],
};

/* Of a recording that doesn't say where it was made: none of them means two things. */
static const struct ipi_arch_event *const all[] = {
	&csd_queue_cpu, &ipi_send_cpu, &ipi_send_cpumask,
	&arm_ipis[0], &arm_ipis[1], &arm_ipis[2],
	&x86_vectors[0], &x86_vectors[1], &x86_vectors[2], &x86_vectors[3],
	&csd_function_entry, &csd_function_exit,
	&x86_vectors[4], &x86_vectors[5], &x86_vectors[6], &x86_vectors[7],
	&sched_wake_idle_without_ipi,
};

static const struct {
	const char *machine;	/* a prefix of uname's */
	const struct ipi_arch_event *const *events;
	int nr;
} arches[] = {
	{ "x86_64", x86, ARRAY_SIZE(x86) },
	{ "i386", x86, ARRAY_SIZE(x86) },
	{ "i486", x86, ARRAY_SIZE(x86) },
	{ "i586", x86, ARRAY_SIZE(x86) },
	{ "i686", x86, ARRAY_SIZE(x86) },
	{ "x86", x86, ARRAY_SIZE(x86) },
	{ "aarch64", arm, ARRAY_SIZE(arm) },
	{ "arm", arm, ARRAY_SIZE(arm) },		/* armv7l, arm64 */
	{ "", generic, ARRAY_SIZE(generic) },
};

const struct ipi_arch_event *const *ipi_arch__events(const char *machine, int *nr)
{
	int i = 0;

	while (strncmp(machine, arches[i].machine, strlen(arches[i].machine)))
		i++;
	*nr = arches[i].nr;
	return arches[i].events;
}

const struct ipi_arch_event *const *ipi_arch__all(int *nr)
{
	*nr = ARRAY_SIZE(all);
	return all;
}

const struct ipi_arch_event *const *ipi_arch__calls(int *nr)
{
	*nr = ARRAY_SIZE(calls);
	return calls;
}

static void add_missing(char *buf, size_t size, const char *line)
{
	size_t len = strlen(buf);

	snprintf(buf + len, size - len, "%s%s", len ? "\n" : "", line);
}

void ipi_arch__missing(unsigned int have, unsigned int irq_exit, char *buf, size_t size)
{
	static const struct {
		unsigned int any;	/* of these */
		const char *line;
	} lines[] = {
		{ IPI_EVENT_BIT(IPI_EVENT_SEND) | IPI_EVENT_BIT(IPI_EVENT_RAISE),
		  "send + deliver not separable: no ipi:ipi_send_cpu" },
		{ IPI_EVENT_BIT(IPI_EVENT_IRQ_ENTRY),
		  "deliver + dispatch not separable: no tracepoint at interrupt entry" },
		{ IPI_EVENT_BIT(IPI_EVENT_FUNC_ENTRY),
		  "dispatch + handle not separable, no local runs: no csd:csd_function_entry" },
		{ IPI_EVENT_BIT(IPI_EVENT_QUEUE),
		  "coalesced calls not told from sent ones: no csd:csd_queue_cpu" },
		{ IPI_EVENT_BIT(IPI_EVENT_POLL_WAKE),
		  "wake-ups of polling CPUs not seen: no sched:sched_wake_idle_without_ipi" },
	};
	size_t i;

	buf[0] = '\0';
	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		if (!(have & lines[i].any))
			add_missing(buf, size, lines[i].line);
	}
	if ((have & IPI_EVENT_BIT(IPI_EVENT_IRQ_ENTRY)) && !(irq_exit & (1U << IPI_IRQ_WORK)))
		add_missing(buf, size,
			    "end of irq_work interrupts not measurable: no exit to sample");
}
