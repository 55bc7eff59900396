// SPDX-License-Identifier: GPL-2.0
/*
 * Sets of CPUs. perf_cpu_map is made from ours in one place, at the end; sets of affinity are
 * sized by the highest CPU, not by cpu_set_t's 1024.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <perf/cpumap.h>

#include "cpus.h"
#include "parse.h"
#include "why.h"

#define ONLINE_PATH	"/sys/devices/system/cpu/online"
#define PRESENT_PATH	"/sys/devices/system/cpu/present"
#define LIST_REMEDY	"a CPU list is numbers and ascending ranges, as 0-3,8"

int ipi_cpus__add(struct ipi_cpus *cpus, int cpu)
{
	int at = cpus->nr;
	int *grown;

	grown = realloc(cpus->cpu, (size_t)(cpus->nr + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	cpus->cpu = grown;
	while (at > 0 && grown[at - 1] > cpu)
		at--;
	if (at > 0 && grown[at - 1] == cpu)
		return 0;
	memmove(grown + at + 1, grown + at, (size_t)(cpus->nr - at) * sizeof(*grown));
	grown[at] = cpu;
	cpus->nr++;
	return 0;
}

bool ipi_cpus__has(const struct ipi_cpus *cpus, int cpu)
{
	int low = 0;
	int high = cpus->nr;

	while (low < high) {
		int mid = low + (high - low) / 2;

		if (cpus->cpu[mid] == cpu)
			return true;
		if (cpus->cpu[mid] < cpu)
			low = mid + 1;
		else
			high = mid;
	}
	return false;
}

int ipi_cpus__copy(struct ipi_cpus *to, const struct ipi_cpus *from)
{
	int i;
	int err;

	to->nr = 0;
	to->cpu = NULL;
	for (i = 0; i < from->nr; i++) {
		err = ipi_cpus__add(to, from->cpu[i]);
		if (err) {
			ipi_cpus__free(to);
			return err;
		}
	}
	return 0;
}

void ipi_cpus__free(struct ipi_cpus *cpus)
{
	free(cpus->cpu);
	cpus->cpu = NULL;
	cpus->nr = 0;
}

/* One piece of a list, "5" or "0-3", as a range. */
static int parse_piece(char *piece, u64 *first, u64 *last)
{
	char *dash = strchr(piece, '-');
	int err;

	if (dash)
		*dash = '\0';
	err = ipi_parse__u64(piece, 0, IPI_CPUS_MAX - 1, first);
	if (!err && dash)
		err = ipi_parse__u64(dash + 1, 0, IPI_CPUS_MAX - 1, last);
	else if (!err)
		*last = *first;
	if (dash)
		*dash = '-';
	if (!err && *last < *first)
		err = -EINVAL;
	return err;
}

static int add_piece(struct ipi_cpus *cpus, char *piece, const char *option, struct ipi_why *why)
{
	u64 first, last, cpu;
	int err = parse_piece(piece, &first, &last);

	if (err == -ERANGE)
		return ipi_why__set(why, 0, LIST_REMEDY, "%s: '%s' is beyond the highest CPU, %d",
				    option, piece, IPI_CPUS_MAX - 1);
	if (err)
		return ipi_why__set(why, 0, LIST_REMEDY, "%s: '%s' is no CPU and no range", option,
				    piece);
	for (cpu = first; cpu <= last; cpu++) {
		if (ipi_cpus__has(cpus, (int)cpu))
			return ipi_why__set(why, 0, LIST_REMEDY,
					    "%s: '%s' names CPU %d a second time", option, piece,
					    (int)cpu);
		if (ipi_cpus__add(cpus, (int)cpu))
			return ipi_why__set(why, ENOMEM, NULL, "%s", option);
	}
	return 0;
}

int ipi_cpus__parse(struct ipi_cpus *cpus, const char *list, const char *option,
		    struct ipi_why *why)
{
	char *copy = strdup(list);
	char *rest = copy;
	char *piece;
	int err = 0;

	cpus->nr = 0;
	cpus->cpu = NULL;
	if (!copy)
		return ipi_why__set(why, ENOMEM, NULL, "%s", option);
	while (!err && (piece = strsep(&rest, ",")))
		err = add_piece(cpus, piece, option, why);
	free(copy);
	if (err)
		ipi_cpus__free(cpus);
	return err;
}

int ipi_cpus__read(struct ipi_cpus *cpus, const char *path, struct ipi_why *why)
{
	char *text = NULL;
	size_t size = 0;
	ssize_t len;
	FILE *file = fopen(path, "re");
	int err;

	cpus->nr = 0;
	cpus->cpu = NULL;
	if (!file)
		return ipi_why__set(why, errno, NULL, "can't open %s", path);
	len = getline(&text, &size, file);
	fclose(file);
	if (len < 0) {
		free(text);
		return 0;
	}
	text[strcspn(text, "\n")] = '\0';
	err = *text ? ipi_cpus__parse(cpus, text, path, why) : 0;
	free(text);
	return err;
}

/* The CPUs our affinity allows, out of @from. */
static int keep_allowed(struct ipi_cpus *to, const struct ipi_cpus *from, struct ipi_why *why)
{
	int nr = IPI_CPUS_MAX;
	size_t size = CPU_ALLOC_SIZE(nr);
	cpu_set_t *set = CPU_ALLOC(nr);
	int err = 0;
	int i;

	to->nr = 0;
	to->cpu = NULL;
	if (!set)
		return ipi_why__set(why, ENOMEM, NULL, "CPU set");
	if (sched_getaffinity(0, size, set) < 0)
		err = ipi_why__set(why, errno, NULL, "can't read our CPU affinity");
	for (i = 0; !err && i < from->nr; i++) {
		if (CPU_ISSET_S(from->cpu[i], size, set))
			err = ipi_cpus__add(to, from->cpu[i]);
	}
	CPU_FREE(set);
	if (err)
		ipi_cpus__free(to);
	return err;
}

int ipi_cpus__usable(struct ipi_cpus *cpus, struct ipi_why *why)
{
	struct ipi_cpus online;
	int err = ipi_cpus__read(&online, ONLINE_PATH, why);

	if (err)
		return err;
	err = keep_allowed(cpus, &online, why);
	ipi_cpus__free(&online);
	return err;
}

/* Why @cpu, which is not in the usable set, is not. */
static int say_unusable(int cpu, const char *option, struct ipi_why *why)
{
	struct ipi_cpus present, online;
	char remedy[96];
	int err;

	err = ipi_cpus__read(&present, PRESENT_PATH, why);
	if (err)
		return err;
	err = ipi_cpus__read(&online, ONLINE_PATH, why);
	if (err) {
		ipi_cpus__free(&present);
		return err;
	}
	if (!ipi_cpus__has(&present, cpu)) {
		char list[64];

		snprintf(remedy, sizeof(remedy), "this machine has the CPUs %s",
			 ipi_cpus__format(&present, list, sizeof(list)));
		ipi_why__set(why, 0, remedy, "%s: there is no CPU %d", option, cpu);
		err = -ENODEV;
	} else if (!ipi_cpus__has(&online, cpu)) {
		snprintf(remedy, sizeof(remedy),
			 "bring it up: echo 1 > /sys/devices/system/cpu/cpu%d/online", cpu);
		ipi_why__set(why, 0, remedy, "%s: CPU %d is offline", option, cpu);
		err = -ENXIO;
	} else {
		ipi_why__set(why, 0, "widen it with taskset or the cpuset's cpuset.cpus",
			     "%s: CPU %d is outside the CPUs this process may run on", option, cpu);
		err = -EPERM;
	}
	ipi_cpus__free(&present);
	ipi_cpus__free(&online);
	return err;
}

int ipi_cpus__check(const struct ipi_cpus *cpus, const char *option, struct ipi_why *why)
{
	struct ipi_cpus usable;
	int err = ipi_cpus__usable(&usable, why);
	int i;

	if (err)
		return err;
	for (i = 0; !err && i < cpus->nr; i++) {
		if (!ipi_cpus__has(&usable, cpus->cpu[i]))
			err = say_unusable(cpus->cpu[i], option, why);
	}
	ipi_cpus__free(&usable);
	return err;
}

const char *ipi_cpus__format(const struct ipi_cpus *cpus, char *buf, unsigned long size)
{
	size_t len = 0;
	int i = 0;

	if (size)
		buf[0] = '\0';
	while (i < cpus->nr) {
		char piece[32];
		int last = i;
		size_t need;

		while (last + 1 < cpus->nr && cpus->cpu[last + 1] == cpus->cpu[last] + 1)
			last++;
		if (last > i)
			snprintf(piece, sizeof(piece), "%s%d-%d", len ? "," : "", cpus->cpu[i],
				 cpus->cpu[last]);
		else
			snprintf(piece, sizeof(piece), "%s%d", len ? "," : "", cpus->cpu[i]);
		need = strlen(piece) + (last + 1 < cpus->nr ? sizeof("...") : 1);
		if (len + need > size) {
			snprintf(buf + len, size - len, "...");
			return buf;
		}
		snprintf(buf + len, size - len, "%s", piece);
		len = strlen(buf);
		i = last + 1;
	}
	return buf;
}

struct perf_cpu_map *ipi_cpus__perf_map(const struct ipi_cpus *cpus)
{
	/* A piece is at most "65535-65535,". */
	size_t size = (size_t)cpus->nr * 12 + 1;
	struct perf_cpu_map *map;
	char *list = malloc(size);

	if (!list)
		return NULL;
	map = perf_cpu_map__new(ipi_cpus__format(cpus, list, size));
	free(list);
	return map;
}
