// SPDX-License-Identifier: GPL-2.0
/*
 * Groups of CPUs, how far two CPUs are apart by them, and an order that keeps groups together.
 * Reads nothing: topology-read.c does.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <linux/kernel.h>

#include "ipi.h"
#include "topology.h"
#include "why.h"

static const char *const names[IPI_DISTANCE_NR] = {
	[IPI_DISTANCE_SMT]	= "smt",
	[IPI_DISTANCE_LLC]	= "llc",
	[IPI_DISTANCE_DIE]	= "die",
	[IPI_DISTANCE_SOCKET]	= "socket",
	[IPI_DISTANCE_NODE]	= "node",
	[IPI_DISTANCE_REMOTE]	= "remote",
};

const char *ipi_distance__name(enum ipi_distance distance)
{
	return ipi_name__of(names, IPI_DISTANCE_NR, distance);
}

int ipi_distance__find(const char *name)
{
	return ipi_name__find(names, IPI_DISTANCE_NR, name);
}

struct ipi_topology *ipi_topology__new(const char *source, const struct ipi_cpus *cpus)
{
	struct ipi_topology *topology = calloc(1, sizeof(*topology));

	if (!topology)
		return NULL;
	topology->source = strdup(source);
	if (!topology->source || ipi_cpus__copy(&topology->cpus, cpus)) {
		ipi_topology__delete(topology);
		return NULL;
	}
	return topology;
}

void ipi_topology__forget(struct ipi_topology *topology, enum ipi_distance level)
{
	struct ipi_level *from = &topology->level[level];
	int i;

	for (i = 0; i < from->nr; i++)
		ipi_cpus__free(&from->group[i]);
	free(from->group);
	free(from->of);
	memset(from, 0, sizeof(*from));
}

void ipi_topology__delete(struct ipi_topology *topology)
{
	int i;

	if (!topology)
		return;
	for (i = 0; i < IPI_LEVEL_NR; i++)
		ipi_topology__forget(topology, i);
	ipi_cpus__free(&topology->cpus);
	free(topology->source);
	free(topology);
}

static bool same(const struct ipi_cpus *a, const struct ipi_cpus *b)
{
	return a->nr == b->nr && !memcmp(a->cpu, b->cpu, (size_t)a->nr * sizeof(*a->cpu));
}

/* One more group, and who is in it. */
static int append(struct ipi_level *level, const struct ipi_cpus *group)
{
	struct ipi_cpus *grown;
	int i;

	if (!level->of)
		level->of = calloc(IPI_CPUS_MAX, sizeof(*level->of));
	grown = reallocarray(level->group, (size_t)level->nr + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	level->group = grown;
	if (!level->of || ipi_cpus__copy(&grown[level->nr], group))
		return -ENOMEM;
	level->nr++;
	for (i = 0; i < group->nr; i++)
		level->of[group->cpu[i]] = level->nr;
	return 0;
}

int ipi_topology__add(struct ipi_topology *topology, enum ipi_distance level,
		      const struct ipi_cpus *group, struct ipi_why *why)
{
	const struct ipi_cpus *other = NULL;
	char one[64], two[64];
	int i;

	for (i = 0; !other && i < group->nr; i++)
		other = ipi_topology__group(topology, level, group->cpu[i]);
	if (other && same(other, group))
		return 0;
	if (other)
		return ipi_why__set(why, 0, NULL, "%s: CPU %d is in the %s groups %s and %s",
				    topology->source, group->cpu[i - 1], ipi_distance__name(level),
				    ipi_cpus__format(other, one, sizeof(one)),
				    ipi_cpus__format(group, two, sizeof(two)));
	if (append(&topology->level[level], group))
		return ipi_why__set(why, ENOMEM, NULL, "topology");
	return 0;
}

const struct ipi_cpus *ipi_topology__group(const struct ipi_topology *topology,
					   enum ipi_distance level, int cpu)
{
	const struct ipi_level *from = &topology->level[level];

	return from->of && from->of[cpu] ? &from->group[from->of[cpu] - 1] : NULL;
}

enum ipi_distance ipi_topology__distance(const struct ipi_topology *topology, int a, int b)
{
	static const enum ipi_distance order[IPI_LEVEL_NR] = {
		IPI_DISTANCE_SMT, IPI_DISTANCE_LLC, IPI_DISTANCE_SOCKET, IPI_DISTANCE_NODE,
		IPI_DISTANCE_DIE,
	};
	enum ipi_distance nearest = IPI_DISTANCE_REMOTE;
	int smallest = INT_MAX;
	int i;

	for (i = 0; i < IPI_LEVEL_NR; i++) {
		const struct ipi_cpus *group = ipi_topology__group(topology, order[i], a);

		if (!group || group->nr >= smallest || !ipi_cpus__has(group, b))
			continue;
		smallest = group->nr;
		nearest = order[i];
	}
	return nearest;
}

int ipi_topology__width(const struct ipi_topology *topology, enum ipi_distance level)
{
	const struct ipi_level *from = &topology->level[level];
	int width = 0;
	int i;

	for (i = 0; i < from->nr; i++) {
		if (from->group[i].nr > width)
			width = from->group[i].nr;
	}
	return width;
}

int ipi_topology__levels(const struct ipi_topology *topology,
			 enum ipi_distance level[IPI_LEVEL_NR])
{
	int nr = 0;
	int i, at;

	for (i = 0; i < IPI_LEVEL_NR; i++) {
		int width = ipi_topology__width(topology, i);

		if (!width)
			continue;
		at = nr++;
		for (; at && ipi_topology__width(topology, level[at - 1]) > width; at--)
			level[at] = level[at - 1];
		level[at] = i;
	}
	return nr;
}

/* A CPU by the first CPUs of its groups, widest first, and by its own number. */
struct place {
	int key[IPI_LEVEL_NR + 1];
};

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	int i;

	for (i = 0; i <= IPI_LEVEL_NR; i++) {
		if (a->key[i] != b->key[i])
			return a->key[i] < b->key[i] ? -1 : 1;
	}
	return 0;
}

int ipi_topology__order(const struct ipi_topology *topology, int *cpu)
{
	enum ipi_distance level[IPI_LEVEL_NR];
	int nr = ipi_topology__levels(topology, level);
	const struct ipi_cpus *cpus = &topology->cpus;
	struct place *place = calloc((size_t)cpus->nr + 1, sizeof(*place));
	int i, k;

	if (!place)
		return -ENOMEM;
	for (i = 0; i < cpus->nr; i++) {
		for (k = 0; k < nr; k++) {
			const struct ipi_cpus *group =
				ipi_topology__group(topology, level[nr - 1 - k], cpus->cpu[i]);

			place[i].key[k] = group ? group->cpu[0] : -1;
		}
		place[i].key[IPI_LEVEL_NR] = cpus->cpu[i];
	}
	qsort(place, (size_t)cpus->nr, sizeof(*place), compare_places);
	for (i = 0; i < cpus->nr; i++)
		cpu[i] = place[i].key[IPI_LEVEL_NR];
	free(place);
	return 0;
}
