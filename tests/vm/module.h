/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the programs that try the module inside guests share: TAP, the device, its buffer, masks.
 * They are linked statically and need nothing but a kernel with the module loaded.
 */
#ifndef TESTS_VM_MODULE_H
#define TESTS_VM_MODULE_H

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../../module/include/uapi/linux/ipi_bench.h"

#define DEVICE		"/dev/ipi_bench"
#define MASK_WORDS	16	/* 1024 CPUs */
#define SECOND_NS	1000000000ULL

/**
 * struct dev - an open device and its result buffer
 * @fd:		file descriptor
 * @buffer:	mapped, or NULL
 * @bytes:	its size
 */
struct dev {
	int fd;
	const char *buffer;
	size_t bytes;
};

/* TAP: number of tests so far, and of those that failed. */
struct tap {
	int tests;
	int failed;
};

static struct tap tap;

/* The compiler checks the format in a printf() that is never called. */
#define ok(good, ...)		tap_ok(good, sizeof(printf(__VA_ARGS__)), __VA_ARGS__)
#define is(got, want, ...)	tap_is(got, want, sizeof(printf(__VA_ARGS__)), __VA_ARGS__)

static inline bool tap_ok(bool good, size_t checked, const char *format, ...)
{
	va_list args;

	(void)checked;
	tap.tests++;
	tap.failed += !good;
	printf("%s %d - ", good ? "ok" : "not ok", tap.tests);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
	return good;
}

/* As ok(), and tells both values where they differ. */
static inline bool tap_is(long long got, long long want, size_t checked, const char *format, ...)
{
	char text[200];
	va_list args;

	(void)checked;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (!ok(got == want, "%s", text))
		printf("#   got %lld, want %lld\n", got, want);
	return got == want;
}

static inline int tap_end(void)
{
	printf("1..%d\n", tap.tests);
	return tap.failed ? 1 : 0;
}

/* An ioctl whose result is 0 or -errno. */
static inline int call(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg) < 0 ? -errno : 0;
}

static inline uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return t.tv_sec * SECOND_NS + t.tv_nsec;
}

static inline void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set)) {
		printf("Bail out! can't run on CPU %d: %s\n", cpu, strerror(errno));
		exit(1);
	}
}

static inline int dev_open(void)
{
	return open(DEVICE, O_RDWR | O_CLOEXEC);
}

/* Open, with a mapped buffer; without it nothing here makes sense. */
static inline void dev_setup(struct dev *dev, size_t bytes)
{
	struct ipi_bench_setup setup = { .bytes = bytes };
	void *map = MAP_FAILED;

	dev->fd = dev_open();
	if (dev->fd >= 0 && !call(dev->fd, IPI_BENCH_SETUP, &setup))
		map = mmap(NULL, setup.bytes, PROT_READ, MAP_SHARED, dev->fd, 0);
	if (map == MAP_FAILED) {
		printf("Bail out! %s: %s\n", DEVICE, strerror(errno));
		exit(1);
	}
	dev->buffer = map;
	dev->bytes = setup.bytes;
}

static inline void dev_close(struct dev *dev)
{
	if (dev->buffer)
		munmap((void *)dev->buffer, dev->bytes);
	close(dev->fd);
	dev->buffer = NULL;
}

static inline const struct ipi_bench_call *dev_calls(const struct dev *dev,
						     const struct ipi_bench_run *run)
{
	return (const void *)(dev->buffer + run->calls_offset);
}

static inline const struct ipi_bench_target *dev_targets(const struct dev *dev,
							 const struct ipi_bench_run *run)
{
	return (const void *)(dev->buffer + run->targets_offset);
}

static inline const struct ipi_bench_delivery *
dev_deliveries(const struct dev *dev, const struct ipi_bench_run *run, unsigned int target)
{
	return (const void *)(dev->buffer + run->deliveries_offset +
			      target * run->deliveries_stride);
}

/* The first @cpus CPUs. */
static inline void mask_first(uint64_t *mask, int cpus)
{
	int cpu;

	memset(mask, 0, MASK_WORDS * sizeof(*mask));
	for (cpu = 0; cpu < cpus && cpu < MASK_WORDS * 64; cpu++)
		mask[cpu / 64] |= 1ULL << cpu % 64;
}

static inline void mask_one(uint64_t *mask, int cpu)
{
	memset(mask, 0, MASK_WORDS * sizeof(*mask));
	mask[cpu / 64] |= 1ULL << cpu % 64;
}

static inline bool has_targets(unsigned int scenario)
{
	return scenario >= IPI_BENCH_NORMAL;
}

/* A request as it should be; @mask is left out where the scenario has no targets. */
static inline struct ipi_bench_run run_of(unsigned int scenario, unsigned int calls,
					  const uint64_t *mask)
{
	struct ipi_bench_run run = {
		.scenario	= scenario,
		.calls		= calls,
		.max_ns		= 10 * SECOND_NS,
	};

	if (has_targets(scenario)) {
		run.targets = (uintptr_t)mask;
		run.targets_bytes = MASK_WORDS * sizeof(*mask);
	}
	return run;
}

static inline uint64_t run_errors(const struct ipi_bench_run *run)
{
	return run->wrong_cpu + run->twice + run->missing + run->unseen + run->offline +
	       run->migrated;
}

#endif
