// SPDX-License-Identifier: GPL-2.0
/*
 * The topology from sysfs, or from a directory that looks like it. Every list is read for every CPU
 * and held against the lists of the others: files that contradict each other are an error, files
 * that aren't there make a level unknown.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/compiler.h>
#include <linux/kernel.h>

#include "parse.h"
#include "topology.h"
#include "why.h"

#define CACHES_MAX	16

/* Where a list may stand, the newest name first; of a kernel that has both they say the same. */
static const struct {
	enum ipi_distance level;
	const char *file[2];
} lists[] = {
	{ IPI_DISTANCE_SMT,	{ "core_cpus_list", "thread_siblings_list" } },
	{ IPI_DISTANCE_DIE,	{ "die_cpus_list" } },
	{ IPI_DISTANCE_SOCKET,	{ "package_cpus_list", "core_siblings_list" } },
};

__printf(2, 3)
static int make_path(char path[PATH_MAX], const char *fmt, ...)
{
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(path, PATH_MAX, fmt, args);
	va_end(args);
	return len < PATH_MAX ? 0 : -ENAMETOOLONG;
}

/* The first line of a file, without its end. Return: 0 or -errno. */
static int read_line(const char *path, char *buf, int size)
{
	FILE *file = fopen(path, "re");

	if (!file)
		return -errno;
	if (!fgets(buf, size, file))
		buf[0] = '\0';
	fclose(file);
	buf[strcspn(buf, "\n")] = '\0';
	return 0;
}

/* A CPU's own group, as one file has it. Return: 1, 0 if there is no such file, or -errno. */
static int read_group(struct ipi_topology *topology, enum ipi_distance level, int cpu,
		      const char *path, struct ipi_why *why)
{
	struct ipi_cpus group;
	int err;

	if (access(path, F_OK) < 0 && errno == ENOENT)
		return 0;
	err = ipi_cpus__read(&group, path, why);
	if (err)
		return err;
	if (!ipi_cpus__has(&group, cpu))
		err = ipi_why__set(why, 0, NULL, "%s: CPU %d itself is not in its list", path, cpu);
	else
		err = ipi_topology__add(topology, level, &group, why);
	ipi_cpus__free(&group);
	return err ? err : 1;
}

/* As read_group(), of one of the lists in cpuN/topology. */
static int read_list(struct ipi_topology *topology, size_t list, int cpu, struct ipi_why *why)
{
	char path[PATH_MAX];
	int found = 0;
	size_t i;

	for (i = 0; !found && i < ARRAY_SIZE(lists[list].file) && lists[list].file[i]; i++) {
		if (make_path(path, "%s/devices/system/cpu/cpu%d/topology/%s", topology->source,
			      cpu, lists[list].file[i]))
			return ipi_why__set(why, ENAMETOOLONG, NULL, "%s", topology->source);
		found = read_group(topology, lists[list].level, cpu, path, why);
	}
	return found;
}

/* The level of a cache that holds data. Return: it, 0 if there is no such cache, or -errno. */
static int cache_level(const char *source, int cpu, int index, struct ipi_why *why)
{
	char path[PATH_MAX], line[64];
	u64 level;
	int err;

	if (make_path(path, "%s/devices/system/cpu/cpu%d/cache/index%d/type", source, cpu, index))
		return ipi_why__set(why, ENAMETOOLONG, NULL, "%s", source);
	err = read_line(path, line, sizeof(line));
	/* Without a type it is for data as well: some firmware doesn't say. */
	if (!err && !strcmp(line, "Instruction"))
		return 0;
	if (make_path(path, "%s/devices/system/cpu/cpu%d/cache/index%d/level", source, cpu, index))
		return ipi_why__set(why, ENAMETOOLONG, NULL, "%s", source);
	err = read_line(path, line, sizeof(line));
	if (err == -ENOENT)
		return 0;
	if (err)
		return ipi_why__set(why, -err, NULL, "can't read %s", path);
	if (ipi_parse__u64(line, 1, 9, &level))
		return ipi_why__set(why, 0, NULL, "%s: '%s' is no level of a cache", path, line);
	return (int)level;
}

/* As read_group(): who shares the CPU's highest cache. */
static int read_llc(struct ipi_topology *topology, int cpu, struct ipi_why *why)
{
	char path[PATH_MAX];
	int highest = 0;
	int last = 0;
	int level;
	int i;

	for (i = 0; i < CACHES_MAX; i++) {
		level = cache_level(topology->source, cpu, i, why);
		if (level < 0)
			return level;
		if (level > highest) {
			highest = level;
			last = i;
		}
	}
	if (!highest)
		return 0;
	if (make_path(path, "%s/devices/system/cpu/cpu%d/cache/index%d/shared_cpu_list",
		      topology->source, cpu, last))
		return ipi_why__set(why, ENAMETOOLONG, NULL, "%s", topology->source);
	return read_group(topology, IPI_DISTANCE_LLC, cpu, path, why);
}

static int is_node(const struct dirent *entry)
{
	u64 number;

	return !strncmp(entry->d_name, "node", 4) &&
	       !ipi_parse__u64(entry->d_name + 4, 0, INT_MAX, &number);
}

static int read_node(struct ipi_topology *topology, const char *path, struct ipi_why *why)
{
	struct ipi_cpus group;
	int err = ipi_cpus__read(&group, path, why);

	if (err)
		return err;
	/* A node may have memory alone. */
	if (group.nr)
		err = ipi_topology__add(topology, IPI_DISTANCE_NODE, &group, why);
	ipi_cpus__free(&group);
	return err;
}

static int read_nodes(struct ipi_topology *topology, struct ipi_why *why)
{
	struct dirent **entry;
	char path[PATH_MAX];
	int err, nr, i;

	err = make_path(path, "%s/devices/system/node", topology->source);
	if (err)
		return ipi_why__set(why, -err, NULL, "%s", topology->source);
	/* A kernel without NUMA has no such directory. */
	nr = scandir(path, &entry, is_node, alphasort);
	if (nr < 0 && errno != ENOENT)
		return ipi_why__set(why, errno, NULL, "can't read %s", path);
	for (i = 0; i < nr; i++) {
		if (!err)
			err = make_path(path, "%s/devices/system/node/%s/cpulist",
					topology->source, entry[i]->d_name);
		if (!err)
			err = read_node(topology, path, why);
		free(entry[i]);
	}
	if (nr >= 0)
		free(entry);
	return err;
}

static int check_cpu(const struct ipi_topology *topology, int cpu, struct ipi_why *why)
{
	char path[PATH_MAX];

	if (make_path(path, "%s/devices/system/cpu/cpu%d", topology->source, cpu))
		return ipi_why__set(why, ENAMETOOLONG, NULL, "%s", topology->source);
	if (access(path, F_OK) < 0)
		return ipi_why__set(why, errno == ENOENT ? ENODEV : errno, NULL,
				    "%s: CPU %d", topology->source, cpu);
	return 0;
}

static int read_cpu(struct ipi_topology *topology, int cpu, struct ipi_why *why)
{
	int err = check_cpu(topology, cpu, why);
	size_t i;

	for (i = 0; err >= 0 && i < ARRAY_SIZE(lists); i++)
		err = read_list(topology, i, cpu, why);
	if (err >= 0)
		err = read_llc(topology, cpu, why);
	return err < 0 ? err : 0;
}

/* The first CPU whose group is not known, -1 if there is none. */
static int first_without(const struct ipi_topology *topology, enum ipi_distance level)
{
	const struct ipi_cpus *cpus = &topology->cpus;
	int i;

	for (i = 0; i < cpus->nr; i++) {
		if (!ipi_topology__group(topology, level, cpus->cpu[i]))
			return cpus->cpu[i];
	}
	return -1;
}

static void leave_out(struct ipi_topology *topology)
{
	char *missing = topology->missing;
	size_t size = sizeof(topology->missing);
	char whom[32];
	int level;
	int cpu;

	for (level = 0; level < IPI_LEVEL_NR; level++) {
		cpu = first_without(topology, level);
		if (cpu < 0)
			continue;
		whom[0] = '\0';
		if (topology->level[level].nr)
			snprintf(whom, sizeof(whom), " for CPU %d", cpu);
		snprintf(missing + strlen(missing), size - strlen(missing), "%s%s not told%s",
			 *missing ? "\n" : "", ipi_distance__name(level), whom);
		ipi_topology__forget(topology, level);
	}
}

struct ipi_topology *ipi_topology__read(const char *sysfs, const struct ipi_cpus *cpus,
					struct ipi_why *why)
{
	struct ipi_topology *topology = ipi_topology__new(sysfs, cpus);
	int err = 0;
	int i;

	if (!topology) {
		ipi_why__set(why, ENOMEM, NULL, "topology");
		return NULL;
	}
	for (i = 0; !err && i < cpus->nr; i++)
		err = read_cpu(topology, cpus->cpu[i], why);
	if (!err)
		err = read_nodes(topology, why);
	if (err) {
		ipi_topology__delete(topology);
		return NULL;
	}
	leave_out(topology);
	return topology;
}

int ipi_topology__online(const char *sysfs, struct ipi_cpus *cpus, struct ipi_why *why)
{
	char path[PATH_MAX];
	int err = make_path(path, "%s/devices/system/cpu/online", sysfs);

	if (err)
		return ipi_why__set(why, -err, NULL, "%s", sysfs);
	err = ipi_cpus__read(cpus, path, why);
	if (!err && !cpus->nr)
		err = ipi_why__set(why, 0, NULL, "%s: no CPU is online", path);
	return err;
}
