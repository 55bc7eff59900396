// SPDX-License-Identifier: GPL-2.0
/*
 * How fast is "report"? One operation is one sample of a generated recording, read from the page
 * cache. It is compared, in one run, with a bare walk (a program that maps the file, goes from
 * record header to record header and reads each time stamp) and with perf script. The metric is
 * samples per second of CPU time, the best of some rounds in which they take turns; memory is the
 * peak of the process.
 * What is not measured: the disk.
 *
 *	bench-report GENERATOR PROGRAM FILE [EVENTS]
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <linux/kernel.h>
#include <linux/perf_event.h>

#include "bench/ipi/parse.h"

#define ROUNDS		5
#define SMALL_ROUNDS	15
#define PERF_ROUNDS	3		/* among those of the small recording */
#define CPUS		"cpus=16"
#define EVENTS		12000000ULL	/* 1 GB */
#define SMALL		1000000ULL
#define DATA_AT		40		/* the data section, in a file's header */
#define TIME_AT		32		/* in a generated sample */

/**
 * struct cost - of a process
 * @cpu:	s of CPU time
 * @wall:	s
 * @rss:	KiB, the most it had
 */
struct cost {
	double cpu;
	double wall;
	long rss;
};

/**
 * struct contender - what is measured
 * @name:	for the table
 * @argv:	the command, NULL for the walk
 * @rounds:	how often
 * @best:	of these
 */
struct contender {
	const char *name;
	const char *const *argv;
	int rounds;
	struct cost best;
};

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static double seconds(const struct timeval *tv)
{
	return tv->tv_sec + tv->tv_usec / 1e6;
}

/* Every record's header, and every sample's time. */
static int walk(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	u64 data[2], latest = 0, samples = 0;
	struct perf_event_header header;
	const unsigned char *file;
	struct stat st;
	size_t at;
	u64 time;

	if (fd < 0 || fstat(fd, &st))
		return 1;
	file = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (file == MAP_FAILED)
		return 1;
	memcpy(data, file + DATA_AT, sizeof(data));
	for (at = data[0]; at < data[0] + data[1]; at += header.size) {
		memcpy(&header, file + at, sizeof(header));
		if (header.size < sizeof(header))
			return 1;
		if (header.type != PERF_RECORD_SAMPLE)
			continue;
		memcpy(&time, file + at + TIME_AT, sizeof(time));
		latest = time > latest ? time : latest;
		samples++;
	}
	return !(latest && samples);
}

/* A command, or the walk where there is none; its output is thrown away. */
static bool run(const char *const *argv, const char *path, struct cost *cost)
{
	struct rusage usage;
	double begun = now();
	int status, null;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid && !argv)
		_exit(walk(path));
	if (!pid) {
		null = open("/dev/null", O_WRONLY);
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		execvp(argv[0], (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
		return false;
	cost->wall = now() - begun;
	cost->cpu = seconds(&usage.ru_utime) + seconds(&usage.ru_stime);
	cost->rss = usage.ru_maxrss;
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

/* The fastest of some rounds, in which all take turns: the others were disturbed. */
static bool compete(struct contender *contender, int nr, const char *path)
{
	struct cost cost;
	int round, i, most = 0;

	for (i = 0; i < nr; i++)
		most = contender[i].rounds > most ? contender[i].rounds : most;
	for (round = 0; round < most; round++) {
		for (i = 0; i < nr; i++) {
			if (round >= contender[i].rounds)
				continue;
			if (!run(contender[i].argv, path, &cost))
				return false;
			if (!round || cost.cpu < contender[i].best.cpu)
				contender[i].best = cost;
		}
	}
	return true;
}

static bool generate(const char *generator, const char *path, u64 events)
{
	char count[32];
	const char *const argv[] = { generator, path, CPUS, count, NULL };
	struct cost cost;

	snprintf(count, sizeof(count), "events=%llu", (unsigned long long)events);
	return run(argv, NULL, &cost);
}

static void print(const struct contender *contender, u64 events, const struct cost *report)
{
	const struct cost *cost = &contender->best;

	printf("%-14s %11llu %9.2f %8.2f %8.2f %10.1f", contender->name,
	       (unsigned long long)events, events / cost->cpu / 1e6, cost->cpu * 1e9 / events,
	       cost->wall, cost->rss / 1024.0);
	if (report)
		printf(" %9.2f", report->cpu / cost->cpu);
	printf("\n");
}

/* The walk, report and perhaps perf script, with a recording of that many events. */
static bool measure(char **argv, const char *path, u64 events, struct contender *contender, int nr)
{
	if (!generate(argv[1], path, events)) {
		fprintf(stderr, "%s: can't be made\n", path);
		return false;
	}
	if (!compete(contender, nr, path)) {
		fprintf(stderr, "%s: can't be read\n", path);
		return false;
	}
	return true;
}

static bool bench(char **argv, const char *path, u64 events)
{
	const char *const report[] = { argv[2], "report", "-i", path, NULL };
	const char *const script[] = { "perf", "script", "-i", path, NULL };
	const char *const version[] = { "perf", "version", NULL };
	struct contender small[] = {
		{ .name = "bare walk", .rounds = SMALL_ROUNDS },
		{ .name = "report", .argv = report, .rounds = SMALL_ROUNDS },
		{ .name = "perf script", .argv = script, .rounds = PERF_ROUNDS },
	};
	struct contender large[] = {
		{ .name = "bare walk", .rounds = ROUNDS },
		{ .name = "report", .argv = report, .rounds = ROUNDS },
	};
	const struct cost *few = &small[1].best, *many = &large[1].best;
	struct cost cost;
	bool have_perf = run(version, NULL, &cost);

	printf("recordings of " CPUS "; CPU time, best of %d and %d rounds, perf script %d\n",
	       SMALL_ROUNDS, ROUNDS, PERF_ROUNDS);
	printf("%-14s %11s %9s %8s %8s %10s %9s\n", "", "samples", "M/s", "ns", "wall s", "MiB",
	       "report is");
	if (!measure(argv, path, SMALL, small, have_perf ? 3 : 2))
		return false;
	print(&small[0], SMALL, few);
	print(&small[1], SMALL, NULL);
	if (have_perf)
		print(&small[2], SMALL, few);
	else
		printf("perf script: there is none here\n");
	if (!measure(argv, path, events, large, 2))
		return false;
	print(&large[0], events, many);
	print(&large[1], events, NULL);
	printf("report: %.2f times the bare walk's time", many->cpu / large[0].best.cpu);
	if (have_perf)
		printf(", %.1f times as fast as perf script", small[2].best.cpu / few->cpu);
	printf("\nper sample %+.1f %% from %llu to %llu samples, memory %+.1f MiB\n",
	       100 * (many->cpu / events / (few->cpu / SMALL) - 1), (unsigned long long)SMALL,
	       (unsigned long long)events, (many->rss - few->rss) / 1024.0);
	return true;
}

int main(int argc, char **argv)
{
	u64 events = EVENTS;
	bool done;

	if (argc < 4 || argc > 5 ||
	    (argc == 5 && ipi_parse__count(argv[4], SMALL, 1000000000ULL, &events))) {
		fprintf(stderr, "usage: bench-report GENERATOR PROGRAM FILE [EVENTS]\n");
		return 129;
	}
	done = bench(argv, argv[3], events);
	unlink(argv[3]);
	return done ? 0 : 1;
}
