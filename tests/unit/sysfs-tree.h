/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes directories that look like /sys of a machine with sockets, dies, last-level caches, NUMA
 * nodes and hardware threads, as Linux numbers them: first threads of all cores, then second ones.
 */
#ifndef TESTS_UNIT_SYSFS_TREE_H
#define TESTS_UNIT_SYSFS_TREE_H

#include <ftw.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <linux/compiler.h>

/* Cores in each; 0 for what the machine doesn't tell. */
struct tree_conf {
	int cores;
	int threads;
	int llc;
	int die;
	int socket;
	int node;
	bool old_names;
};

struct tree {
	char root[64];
	struct tree_conf conf;
};

__printf(3, 4)
static inline void tree__write(const struct tree *tree, const char *text, const char *fmt, ...)
{
	char path[PATH_MAX], *slash;
	size_t len = strlen(tree->root);
	va_list args;
	FILE *file;

	snprintf(path, sizeof(path), "%s/", tree->root);
	va_start(args, fmt);
	vsnprintf(path + len + 1, sizeof(path) - len - 1, fmt, args);
	va_end(args);
	for (slash = strchr(path + len + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
	file = fopen(path, "w");
	assert_non_null(file);
	fprintf(file, "%s\n", text);
	assert_int_equal(fclose(file), 0);
}

static inline void tree__unlink(const struct tree *tree, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", tree->root, name);
	assert_int_equal(unlink(path), 0);
}

/* The CPUs of @nr cores from the one that begins the group of @cpu. */
static inline const char *tree__group(const struct tree *tree, int cpu, int nr, char *buf)
{
	int cores = tree->conf.cores;
	int first = cpu % cores / nr * nr;
	size_t len = 0;
	int thread;

	for (thread = 0; thread < tree->conf.threads; thread++)
		len += (size_t)sprintf(buf + len, nr > 1 ? "%s%d-%d" : "%s%d", len ? "," : "",
				       first + thread * cores, first + nr - 1 + thread * cores);
	return buf;
}

static inline void tree__cache(const struct tree *tree, int cpu, int index, const char *type,
			       const char *level, int cores)
{
	char list[256];

	tree__write(tree, level, "devices/system/cpu/cpu%d/cache/index%d/level", cpu, index);
	tree__write(tree, type, "devices/system/cpu/cpu%d/cache/index%d/type", cpu, index);
	tree__write(tree, tree__group(tree, cpu, cores, list),
		    "devices/system/cpu/cpu%d/cache/index%d/shared_cpu_list", cpu, index);
}

static inline void tree__cpu(const struct tree *tree, int cpu)
{
	const struct tree_conf *conf = &tree->conf;
	char list[256];

	tree__write(tree, tree__group(tree, cpu, 1, list), "devices/system/cpu/cpu%d/topology/%s",
		    cpu, conf->old_names ? "thread_siblings_list" : "core_cpus_list");
	if (conf->die)
		tree__write(tree, tree__group(tree, cpu, conf->die, list),
			    "devices/system/cpu/cpu%d/topology/die_cpus_list", cpu);
	if (conf->socket)
		tree__write(tree, tree__group(tree, cpu, conf->socket, list),
			    "devices/system/cpu/cpu%d/topology/%s", cpu,
			    conf->old_names ? "core_siblings_list" : "package_cpus_list");
	if (!conf->llc)
		return;
	tree__cache(tree, cpu, 0, "Data", "1", 1);
	tree__cache(tree, cpu, 1, "Instruction", "1", 1);
	tree__cache(tree, cpu, 2, "Unified", "2", 1);
	tree__cache(tree, cpu, 3, "Unified", "3", conf->llc);
}

static inline void tree__make(struct tree *tree, const struct tree_conf *conf)
{
	char list[256];
	int cpu;

	tree->conf = *conf;
	snprintf(tree->root, sizeof(tree->root), "/tmp/test-sysfs-XXXXXX");
	assert_non_null(mkdtemp(tree->root));
	snprintf(list, sizeof(list), "0-%d", conf->cores * conf->threads - 1);
	tree__write(tree, list, "devices/system/cpu/online");
	for (cpu = 0; cpu < conf->cores * conf->threads; cpu++)
		tree__cpu(tree, cpu);
	for (cpu = 0; conf->node && cpu < conf->cores; cpu += conf->node)
		tree__write(tree, tree__group(tree, cpu, conf->node, list),
			    "devices/system/node/node%d/cpulist", cpu / conf->node);
}

static inline int tree__remove_one(const char *path, const struct stat *st, int flag,
				   struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

static inline void tree__remove(const struct tree *tree)
{
	assert_int_equal(nftw(tree->root, tree__remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

#endif
