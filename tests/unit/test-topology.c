// SPDX-License-Identifier: GPL-2.0
/*
 * Who shares what, and how far pairs are apart: counted exactly on machines made for it.
 */
#include <errno.h>
#include <linux/compiler.h>
#include <linux/kernel.h>

#include "bench/ipi/topology.h"
#include "bench/ipi/why.h"

#include "sysfs-tree.h"

static struct ipi_topology *read_all(const struct tree *tree)
{
	struct ipi_topology *topology;
	struct ipi_cpus cpus;
	struct ipi_why why = { 0 };

	assert_int_equal(ipi_topology__online(tree->root, &cpus, &why), 0);
	assert_int_equal(cpus.nr, tree->conf.cores * tree->conf.threads);
	topology = ipi_topology__read(tree->root, &cpus, &why);
	if (!topology)
		fail_msg("%s", why.what);
	ipi_cpus__free(&cpus);
	return topology;
}

/* Ordered pairs of each distance. */
static void count(const struct ipi_topology *topology, int nr[IPI_DISTANCE_NR])
{
	const struct ipi_cpus *cpus = &topology->cpus;
	int a, b;

	memset(nr, 0, IPI_DISTANCE_NR * sizeof(*nr));
	for (a = 0; a < cpus->nr; a++) {
		for (b = 0; b < cpus->nr; b++) {
			if (a != b)
				nr[ipi_topology__distance(topology, cpus->cpu[a], cpus->cpu[b])]++;
		}
	}
}

static void test_counts(void **state)
{
	static const struct {
		struct tree_conf conf;
		int nr[IPI_DISTANCE_NR];	/* smt, llc, die, socket, node, remote */
	} cases[] = {
		/* Two sockets of 56 CPUs, each one die, one cache and one node. */
		{ { .cores = 56, .threads = 2, .llc = 28, .die = 28, .socket = 28, .node = 28 },
		  { 112, 112 * 54, 0, 0, 0, 112 * 56 } },
		{ { .cores = 8, .threads = 1, .llc = 4, .die = 4, .socket = 4, .node = 4 },
		  { 0, 8 * 3, 0, 0, 0, 8 * 4 } },
		/* Two cores to a cache, two caches to a node, two nodes to a socket. */
		{ { .cores = 16, .threads = 2, .llc = 2, .die = 8, .socket = 8, .node = 4 },
		  { 32, 32 * 2, 0, 32 * 8, 32 * 4, 32 * 16 } },
		/* The same with a node to a socket: that is its socket, not its die. */
		{ { .cores = 16, .threads = 2, .llc = 2, .die = 8, .socket = 8, .node = 8 },
		  { 32, 32 * 2, 0, 32 * 12, 0, 32 * 16 } },
		/* Two dies to a socket. */
		{ { .cores = 16, .threads = 1, .llc = 2, .die = 4, .socket = 8, .node = 8 },
		  { 0, 16, 16 * 2, 16 * 4, 0, 16 * 8 } },
		/* A guest of one-CPU sockets on one node. */
		{ { .cores = 8, .threads = 1, .llc = 1, .die = 1, .socket = 1, .node = 8 },
		  { 0, 0, 0, 0, 56, 0 } },
		/* Two nodes, and nothing else is told. */
		{ { .cores = 8, .threads = 1, .node = 4 },
		  { 0, 0, 0, 0, 8 * 3, 8 * 4 } },
		/* No NUMA, an older kernel. */
		{ { .cores = 8, .threads = 2, .llc = 4, .socket = 8, .old_names = true },
		  { 16, 16 * 6, 0, 16 * 8, 0, 0 } },
	};
	struct ipi_topology *topology;
	int nr[IPI_DISTANCE_NR];
	struct tree tree;
	size_t i, k;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		tree__make(&tree, &cases[i].conf);
		topology = read_all(&tree);
		count(topology, nr);
		for (k = 0; k < IPI_DISTANCE_NR; k++) {
			if (nr[k] != cases[i].nr[k])
				fail_msg("case %zu: %d pairs of %s, not %d", i, nr[k],
					 ipi_distance__name(k), cases[i].nr[k]);
		}
		ipi_topology__delete(topology);
		tree__remove(&tree);
	}
}

static const struct tree_conf small = {
	.cores = 8, .threads = 2, .llc = 2, .die = 4, .socket = 4, .node = 4,
};

/* Some CPUs of a machine are as far apart as they are among all. */
static void test_some(void **state)
{
	static int list[] = { 0, 1, 2, 4, 9 };
	const struct ipi_cpus cpus = { .nr = ARRAY_SIZE(list), .cpu = list };
	struct ipi_topology *topology;
	struct tree tree;

	(void)state;
	tree__make(&tree, &small);
	topology = ipi_topology__read(tree.root, &cpus, NULL);
	assert_non_null(topology);
	assert_int_equal(ipi_topology__distance(topology, 1, 9), IPI_DISTANCE_SMT);
	assert_int_equal(ipi_topology__distance(topology, 0, 1), IPI_DISTANCE_LLC);
	assert_int_equal(ipi_topology__distance(topology, 9, 2), IPI_DISTANCE_SOCKET);
	assert_int_equal(ipi_topology__distance(topology, 4, 0), IPI_DISTANCE_REMOTE);
	/* In full, those that take no part included. */
	assert_int_equal(ipi_topology__group(topology, IPI_DISTANCE_SOCKET, 0)->nr, 8);
	assert_int_equal(topology->level[IPI_DISTANCE_SMT].nr, 4);
	assert_string_equal(topology->missing, "");
	assert_string_equal(topology->source, tree.root);
	ipi_topology__delete(topology);
	tree__remove(&tree);
}

static void test_order(void **state)
{
	static const int expected[16] = { 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15 };
	enum ipi_distance level[IPI_LEVEL_NR];
	struct ipi_topology *topology;
	struct tree tree;
	int cpu[16];

	(void)state;
	tree__make(&tree, &small);
	topology = read_all(&tree);
	assert_int_equal(ipi_topology__order(topology, cpu), 0);
	assert_memory_equal(cpu, expected, sizeof(cpu));
	assert_int_equal(ipi_topology__levels(topology, level), 5);
	assert_int_equal(level[0], IPI_DISTANCE_SMT);
	assert_int_equal(level[1], IPI_DISTANCE_LLC);
	assert_int_equal(level[4], IPI_DISTANCE_NODE);
	ipi_topology__delete(topology);
	tree__remove(&tree);
}

/* The widest groups are kept together first, whatever their CPUs' numbers. */
static void test_order_interleaved(void **state)
{
	static int even[] = { 0, 2 }, odd[] = { 1, 3 }, all[] = { 0, 1, 2, 3 };
	const struct ipi_cpus cpus[] = { { 2, even }, { 2, odd }, { 4, all } };
	struct ipi_topology *topology = ipi_topology__new("model", &cpus[2]);
	static const int expected[4] = { 0, 2, 1, 3 };
	int cpu[4];
	int i;

	(void)state;
	assert_non_null(topology);
	for (i = 0; i < 4; i++) {
		const struct ipi_cpus core = { 1, &all[i] };

		assert_int_equal(ipi_topology__add(topology, IPI_DISTANCE_SMT, &core, NULL), 0);
	}
	for (i = 0; i < 2; i++)
		assert_int_equal(ipi_topology__add(topology, IPI_DISTANCE_SOCKET, &cpus[i], NULL),
				 0);
	assert_int_equal(ipi_topology__order(topology, cpu), 0);
	assert_memory_equal(cpu, expected, sizeof(cpu));
	ipi_topology__delete(topology);
}

/* What only some CPUs have is no level: the others would look remote. */
static void test_absent(void **state)
{
	struct ipi_topology *topology;
	struct tree tree;
	int i;

	(void)state;
	tree__make(&tree, &small);
	/* All of the group of CPU 5, or the others would tell for it. */
	for (i = 0; i < 16; i++) {
		static const int group[] = { 4, 5, 12, 13 };
		char name[96];

		snprintf(name, sizeof(name), "devices/system/cpu/cpu%d/cache/index%d/level",
			 group[i % 4], i / 4);
		tree__unlink(&tree, name);
	}
	for (i = 0; i < 16; i++) {
		char name[96];

		snprintf(name, sizeof(name), "devices/system/cpu/cpu%d/topology/die_cpus_list", i);
		tree__unlink(&tree, name);
	}
	topology = read_all(&tree);
	assert_string_equal(topology->missing, "llc not told for CPU 4\ndie not told");
	assert_int_equal(topology->level[IPI_DISTANCE_LLC].nr, 0);
	assert_int_equal(ipi_topology__width(topology, IPI_DISTANCE_LLC), 0);
	assert_null(ipi_topology__group(topology, IPI_DISTANCE_LLC, 0));
	assert_int_equal(ipi_topology__distance(topology, 0, 1), IPI_DISTANCE_SOCKET);
	ipi_topology__delete(topology);
	tree__remove(&tree);
}

/* The highest level is what counts, wherever it stands. */
static void test_caches(void **state)
{
	struct ipi_topology *topology;
	struct tree tree;
	int cpu;

	(void)state;
	tree__make(&tree, &small);
	/* An instruction cache of a high level is none for data. */
	for (cpu = 0; cpu < 16; cpu++)
		tree__cache(&tree, cpu, 1, "Instruction", "4", 8);
	for (cpu = 6; cpu < 16; cpu += cpu == 7 ? 7 : 1) {
		tree__cache(&tree, cpu, 2, "Unified", "3", 2);
		tree__cache(&tree, cpu, 3, "Unified", "2", 1);
	}
	topology = read_all(&tree);
	assert_int_equal(ipi_topology__group(topology, IPI_DISTANCE_LLC, 0)->nr, 4);
	assert_int_equal(ipi_topology__group(topology, IPI_DISTANCE_LLC, 6)->nr, 4);
	ipi_topology__delete(topology);
	tree__remove(&tree);
}

static void test_bad(void **state)
{
	static const struct {
		const char *file;
		const char *text;
		const char *words;
	} cases[] = {
		{ "cpu/cpu3/topology/core_cpus_list", "2,10", "CPU 3 itself is not in its list" },
		{ "cpu/cpu3/topology/core_cpus_list", "3,12", "CPU 12 is in the smt groups" },
		{ "cpu/cpu3/topology/core_cpus_list", "3-", "'3-' is no CPU" },
		{ "cpu/cpu3/topology/package_cpus_list", "0-7", "socket groups 0-3,8-11 and 0-7" },
		{ "cpu/cpu7/cache/index3/shared_cpu_list", "0-15", "llc groups" },
		{ "cpu/cpu7/cache/index3/shared_cpu_list", "", "not in its list" },
		{ "cpu/cpu7/cache/index3/level", "three", "'three' is no level of a cache" },
		{ "node/node1/cpulist", "3-7,11-15", "CPU 3 is in the node groups" },
		{ "node/node1/cpulist", "x", "'x' is no CPU" },
	};
	struct ipi_cpus cpus;
	struct ipi_why why;
	struct tree tree;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		tree__make(&tree, &small);
		tree__write(&tree, cases[i].text, "devices/system/%s", cases[i].file);
		assert_int_equal(ipi_topology__online(tree.root, &cpus, NULL), 0);
		memset(&why, 0, sizeof(why));
		assert_null(ipi_topology__read(tree.root, &cpus, &why));
		if (!strstr(why.what, cases[i].words))
			fail_msg("case %zu: \"%s\"", i, why.what);
		ipi_cpus__free(&cpus);
		tree__remove(&tree);
	}
}

static void test_nobody(void **state)
{
	int list[] = { 0, 16 };
	const struct ipi_cpus cpus = { .nr = 2, .cpu = list };
	struct ipi_cpus online;
	struct ipi_why why = { 0 };
	struct tree tree;

	(void)state;
	tree__make(&tree, &small);
	assert_null(ipi_topology__read(tree.root, &cpus, &why));
	assert_int_equal(why.err, ENODEV);
	assert_non_null(strstr(why.what, "CPU 16"));
	tree__write(&tree, "", "devices/system/cpu/online");
	assert_int_equal(ipi_topology__online(tree.root, &online, &why), -EINVAL);
	tree__remove(&tree);
	assert_int_equal(ipi_topology__online(tree.root, &online, &why), -ENOENT);
}

static void test_names(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < IPI_DISTANCE_NR; i++)
		assert_int_equal(ipi_distance__find(ipi_distance__name(i)), i);
	assert_int_equal(ipi_distance__find("near"), -1);
	assert_string_equal(ipi_distance__name(IPI_DISTANCE_NR), "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_some),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_order_interleaved),
		cmocka_unit_test(test_absent),
		cmocka_unit_test(test_caches),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_nobody),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
