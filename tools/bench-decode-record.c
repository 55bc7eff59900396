// SPDX-License-Identifier: GPL-2.0
/*
 * Records a ring for bench-decode: this kernel's IPI tracepoints on two CPUs, while one calls a
 * function on the other, and now and then on itself. Needs root.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

#include <linux/membarrier.h>
#include <linux/perf_event.h>

#include "bench/ipi/cpus.h"
#include "bench/ipi/trace/arch.h"
#include "bench/ipi/trace/decode.h"
#include "bench/ipi/trace/rings.h"
#include "bench/ipi/trace/tracefs.h"
#include "bench/ipi/why.h"
#include "bench-decode.h"

#define CALLS		350
#define RING_PAGES	64

struct recording {
	FILE *file;
	bool failed;
};

static void put(struct recording *rec, const void *data, size_t size)
{
	if (size && fwrite(data, size, 1, rec->file) != 1)
		rec->failed = true;
}

static void put_u32(struct recording *rec, u32 value)
{
	put(rec, &value, sizeof(value));
}

static void put_text(struct recording *rec, const char *text, size_t size)
{
	put_u32(rec, size);
	put(rec, text, size);
}

struct peer {
	int cpu;
	int ready;
	int stop;
};

static int membarrier(int cmd, int flags, int cpu)
{
	return syscall(SYS_membarrier, cmd, flags, cpu);
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

/* To be interrupted. */
static void *spin(void *arg)
{
	struct peer *peer = arg;

	pin(peer->cpu);
	__atomic_store_n(&peer->ready, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&peer->stop, __ATOMIC_ACQUIRE))
		;
	return NULL;
}

/* Calls on both CPUs; on our own it is a local one. */
static int call_others(const struct ipi_cpus *cpus)
{
	struct peer peer = { .cpu = cpus->cpu[cpus->nr - 1] };
	pthread_t thread;
	int i;

	if (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ, 0, 0))
		return -errno;
	pin(cpus->cpu[0]);
	if (pthread_create(&thread, NULL, spin, &peer))
		return -EAGAIN;
	while (!__atomic_load_n(&peer.ready, __ATOMIC_ACQUIRE))
		sched_yield();
	for (i = 0; i < CALLS; i++) {
		membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ, MEMBARRIER_CMD_FLAG_CPU,
			   i % 8 ? peer.cpu : cpus->cpu[0]);
	}
	__atomic_store_n(&peer.stop, 1, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	return 0;
}

/* Opens what there is, and puts its formats into the file. Return: how many, or -errno. */
static int put_events(struct recording *rec, struct ipi_rings *rings, struct ipi_tracefs *tracefs,
		      bool write, struct ipi_why *why)
{
	const struct ipi_arch_event *const *events;
	char path[160], name[80];
	struct utsname uts;
	int nr, i, found = 0;
	size_t size;
	char *text;

	if (uname(&uts))
		return -errno;
	events = ipi_arch__events(uts.machine, &nr);
	for (i = 0; i < nr; i++) {
		struct ipi_decode *decode = ipi_decode__new(sizeof(long), false);
		int id;

		snprintf(path, sizeof(path), "events/%s/%s/format", events[i]->system,
			 events[i]->name);
		snprintf(name, sizeof(name), "%s:%s", events[i]->system, events[i]->name);
		if (events[i]->never || !decode ||
		    ipi_tracefs__read(tracefs, path, &text, &size)) {
			ipi_decode__delete(decode);
			continue;
		}
		id = ipi_decode__add(decode, events[i], text, size);
		if (id >= 0 && (write || ipi_rings__add(rings, id, name, why) >= 0)) {
			found++;
			if (write) {
				put_text(rec, name, strlen(name));
				put_text(rec, text, size);
			}
		}
		free(text);
		ipi_decode__delete(decode);
	}
	return found;
}

static void put_ring(struct recording *rec, struct ipi_rings *rings, int ring, int cpu)
{
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE };
	struct ipi_record record;
	long at = ftell(rec->file);
	u32 bytes = 0;

	put_u32(rec, cpu);
	put_u32(rec, 0);
	ipi_rings__begin(rings, ring);
	while (ipi_rings__next(rings, ring, &record)) {
		if (record.type != PERF_RECORD_SAMPLE)
			continue;
		header.size = sizeof(header) + record.size;
		put(rec, &header, sizeof(header));
		put(rec, record.body, record.size);
		bytes += header.size;
	}
	if (fseek(rec->file, at + 4, SEEK_SET))
		rec->failed = true;
	put_u32(rec, bytes);
	if (fseek(rec->file, 0, SEEK_END))
		rec->failed = true;
	printf("CPU %d: %u bytes\n", cpu, bytes);
}

static int record_all(struct recording *rec, const struct ipi_cpus *cpus, struct ipi_why *why)
{
	struct ipi_tracefs *tracefs = ipi_tracefs__open(why);
	struct ipi_rings *rings = tracefs ? ipi_rings__new(cpus, RING_PAGES, why) : NULL;
	int err = -EINVAL, nr, i;

	if (!rings)
		goto out;
	nr = put_events(rec, rings, tracefs, false, why);
	err = ipi_rings__map(rings, true, why);
	if (err < 0)
		goto out;
	err = call_others(cpus);
	ipi_rings__disable(rings);
	if (err) {
		ipi_why__set(why, -err, NULL, "membarrier");
		goto out;
	}
	put(rec, RING_MAGIC, 8);
	put_u32(rec, RING_ORDER);
	put_u32(rec, sizeof(long));
	put_u32(rec, nr);
	put_u32(rec, cpus->nr);
	put_events(rec, rings, tracefs, true, why);
	for (i = 0; i < cpus->nr; i++)
		put_ring(rec, rings, i, cpus->cpu[i]);
out:
	ipi_rings__delete(rings);
	ipi_tracefs__close(tracefs);
	return err;
}

int ipi_bench_decode__record(const char *path)
{
	struct recording rec = { .failed = false };
	struct ipi_cpus cpus = { .nr = 0 };
	struct ipi_why why = { .err = 0 };
	int err;

	err = ipi_cpus__usable(&cpus, &why);
	if (!err && cpus.nr > 2)
		cpus.nr = 2;
	if (!err) {
		rec.file = fopen(path, "wb");
		if (!rec.file)
			err = ipi_why__set(&why, errno, NULL, "%s", path);
	}
	if (!err)
		err = record_all(&rec, &cpus, &why);
	if (rec.file && (fclose(rec.file) || rec.failed) && !err)
		err = ipi_why__set(&why, EIO, NULL, "%s", path);
	ipi_cpus__free(&cpus);
	if (err)
		ipi_why__print(&why);
	return err ? 1 : 0;
}
