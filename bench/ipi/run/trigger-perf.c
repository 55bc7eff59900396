// SPDX-License-Identifier: GPL-2.0
/*
 * Triggers made of perf_event_open(2).
 *
 * Reading the counter of an event that runs on another CPU makes the kernel fetch it by a function
 * call interrupt, whatever runs there, idle or not: one operation is one read(2).
 *
 * A sample that must wake a reader can't do so from where it is taken and queues irq_work: a real
 * self-IPI. One operation is one page fault, sampled; the same without a wake-up is its baseline.
 *
 * Raw system calls, not libperf: what is timed must be the kernel's work alone, and libperf's
 * objects would stand between.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/perf_event.h>

#include "../stats/result.h"
#include "../why.h"
#include "trigger.h"

#define FAULT_PAGES	512
#define NEVER_WAKES	0x40000000

static int event_open(struct perf_event_attr *attr, pid_t pid, int cpu)
{
	attr->size = sizeof(*attr);
	return (int)syscall(__NR_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static const char *permission_remedy(int err)
{
	return err == EACCES || err == EPERM ?
	       "run as root, give it CAP_PERFMON, or lower kernel.perf_event_paranoid" : NULL;
}

/* A counter of one CPU. */
struct counter {
	int fd;
	u64 last;
};

static int counter_open(int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
	};

	return event_open(&attr, -1, cpu);
}

static int probe_counter(struct ipi_why *why)
{
	int fd = counter_open(sched_getcpu());

	if (fd < 0)
		return ipi_why__set(why, errno, permission_remedy(errno),
				    "can't open a per-CPU event");
	close(fd);
	return 0;
}

static int open_counter(const struct ipi_spec *spec, bool rt, void **state, struct ipi_why *why)
{
	struct counter *counter = calloc(1, sizeof(*counter));

	(void)rt;
	if (!counter)
		return ipi_why__set(why, ENOMEM, NULL, "per-CPU event");
	counter->fd = counter_open(spec->dst.cpu[0]);
	if (counter->fd < 0) {
		int err = errno;

		free(counter);
		return ipi_why__set(why, err, permission_remedy(err),
				    "can't open an event on CPU %d", spec->dst.cpu[0]);
	}
	*state = counter;
	return 0;
}

/* The clock it counts must have gone on: a value that stands still was not fetched. */
static int fire_counter(void *state)
{
	struct counter *counter = state;
	u64 value;

	if (read(counter->fd, &value, sizeof(value)) != (ssize_t)sizeof(value))
		return errno ? -errno : -EIO;
	if (value <= counter->last)
		return -EPROTO;
	counter->last = value;
	return 0;
}

static void close_counter(void *state)
{
	struct counter *counter = state;

	close(counter->fd);
	free(counter);
}

/* A page-fault event of our own thread and the buffer its samples go to. */
struct sampler {
	int fd;
	void *ring;
	size_t ring_bytes;
};

/* Pages to fault on, sampled with and without a wake-up. */
struct faults {
	struct sampler waking;
	struct sampler silent;
	bool baseline;		/* which of the two runs now */
	char *pages;
	size_t page_bytes;
	size_t next;
};

static void sampler_close(struct sampler *sampler)
{
	if (sampler->ring)
		munmap(sampler->ring, sampler->ring_bytes);
	if (sampler->fd >= 0)
		close(sampler->fd);
	sampler->ring = NULL;
	sampler->fd = -1;
}

static int sampler_open(struct sampler *sampler, u32 wakeup_events, size_t page_bytes,
			struct ipi_why *why)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IP,
		.wakeup_events = wakeup_events,
		.disabled = 1,
		.exclude_kernel = 1,
	};
	void *ring;

	sampler->ring = NULL;
	sampler->fd = event_open(&attr, 0, -1);
	if (sampler->fd < 0)
		return ipi_why__set(why, errno, permission_remedy(errno),
				    "can't open a page-fault event");
	sampler->ring_bytes = 2 * page_bytes;
	/* Mapped without PROT_WRITE it overwrites itself: never full, nothing to consume. */
	ring = mmap(NULL, sampler->ring_bytes, PROT_READ, MAP_SHARED, sampler->fd, 0);
	if (ring == MAP_FAILED) {
		int err = errno;

		sampler_close(sampler);
		return ipi_why__set(why, err, "raise ulimit -l or kernel.perf_event_mlock_kb",
				    "can't map the buffer of a page-fault event");
	}
	sampler->ring = ring;
	return 0;
}

static int probe_faults(struct ipi_why *why)
{
	struct sampler sampler;
	int err = sampler_open(&sampler, 1, (size_t)sysconf(_SC_PAGESIZE), why);

	if (!err)
		sampler_close(&sampler);
	return err;
}

static void close_faults(void *state)
{
	struct faults *faults = state;

	sampler_close(&faults->waking);
	sampler_close(&faults->silent);
	if (faults->pages)
		munmap(faults->pages, FAULT_PAGES * faults->page_bytes);
	free(faults);
}

static int open_faults(const struct ipi_spec *spec, bool rt, void **state, struct ipi_why *why)
{
	struct faults *faults = calloc(1, sizeof(*faults));
	void *pages;
	int err;

	(void)spec;
	(void)rt;
	if (!faults)
		return ipi_why__set(why, ENOMEM, NULL, "page-fault event");
	faults->page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	faults->silent.fd = -1;
	faults->waking.fd = -1;
	faults->next = FAULT_PAGES;
	err = sampler_open(&faults->waking, 1, faults->page_bytes, why);
	if (!err)
		err = sampler_open(&faults->silent, NEVER_WAKES, faults->page_bytes, why);
	if (!err) {
		pages = mmap(NULL, FAULT_PAGES * faults->page_bytes, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (pages == MAP_FAILED)
			err = ipi_why__set(why, errno, NULL, "can't map pages to fault on");
		else
			faults->pages = pages;
	}
	/* One huge page would be one fault. */
	if (!err && madvise(pages, FAULT_PAGES * faults->page_bytes, MADV_NOHUGEPAGE) < 0 &&
	    errno != EINVAL)
		err = ipi_why__set(why, errno, NULL, "can't forbid huge pages");
	if (!err && ioctl(faults->waking.fd, PERF_EVENT_IOC_ENABLE, 0) < 0)
		err = ipi_why__set(why, errno, NULL, "can't enable a page-fault event");
	if (err) {
		close_faults(faults);
		return err;
	}
	*state = faults;
	return 0;
}

/* Have a page to fault on. */
static int arm_faults(void *state)
{
	struct faults *faults = state;

	if (faults->next < FAULT_PAGES)
		return 0;
	faults->next = 0;
	return madvise(faults->pages, FAULT_PAGES * faults->page_bytes, MADV_DONTNEED) < 0 ?
	       -errno : 0;
}

static int touch(struct faults *faults)
{
	__atomic_store_n(&faults->pages[faults->next * faults->page_bytes], 1, __ATOMIC_RELAXED);
	faults->next++;
	return 0;
}

/* Only one of the two events is enabled at a time; changing over is untimed warm-up. */
static int change_over(struct faults *faults, bool baseline)
{
	struct sampler *on = baseline ? &faults->silent : &faults->waking;
	struct sampler *off = baseline ? &faults->waking : &faults->silent;

	if (ioctl(off->fd, PERF_EVENT_IOC_DISABLE, 0) < 0 ||
	    ioctl(on->fd, PERF_EVENT_IOC_ENABLE, 0) < 0)
		return -errno;
	faults->baseline = baseline;
	return IPI_FIRE_SKIPPED;
}

static int fire_faults(void *state)
{
	struct faults *faults = state;

	return faults->baseline ? change_over(faults, false) : touch(faults);
}

static int baseline_faults(void *state)
{
	struct faults *faults = state;

	return faults->baseline ? touch(faults) : change_over(faults, true);
}

const struct ipi_trigger ipi_trigger_perf_read_self = {
	.name = "read(event of own cpu)",
	.needs = "per-CPU events: root, CAP_PERFMON or perf_event_paranoid <= 0",
	.scenarios = 1U << IPI_SCENARIO_SELF_CALL,
	.targets = 1U << IPI_TARGET_NONE,
	.func = "__perf_event_read",
	.irqs = 1U << IPI_IRQ_CALL,
	.proof = 1U << IPI_COUNTER_CALL,
	.probe = probe_counter,
	.open = open_counter,
	.fire = fire_counter,
	.close = close_counter,
};

const struct ipi_trigger ipi_trigger_perf_read = {
	.name = "read(event of the cpu)",
	.needs = "per-CPU events: root, CAP_PERFMON or perf_event_paranoid <= 0",
	.scenarios = 1U << IPI_SCENARIO_NORMAL,
	.targets = 1U << IPI_TARGET_BUSY | 1U << IPI_TARGET_KERNEL | 1U << IPI_TARGET_IDLE |
		   1U << IPI_TARGET_ANY,
	.func = "__perf_event_read",
	.irqs = 1U << IPI_IRQ_CALL,
	.proof = 1U << IPI_COUNTER_CALL,
	.gap = true,
	.probe = probe_counter,
	.open = open_counter,
	.fire = fire_counter,
	.close = close_counter,
};

const struct ipi_trigger ipi_trigger_page_fault = {
	.name = "page fault, sampled with wake-up",
	.needs = "events of one's own: perf_event_paranoid <= 2; an irq_work interrupt",
	.scenarios = 1U << IPI_SCENARIO_SELF_IPI,
	.targets = 1U << IPI_TARGET_NONE,
	.irqs = 1U << IPI_IRQ_WORK,
	.proof = 1U << IPI_COUNTER_WORK,
	.baseline_what = "page fault, sampled without wake-up",
	.probe = probe_faults,
	.open = open_faults,
	.arm = arm_faults,
	.fire = fire_faults,
	.baseline = baseline_faults,
	.close = close_faults,
};
