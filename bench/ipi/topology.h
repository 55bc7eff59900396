/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which CPUs share what, and so how far two of them are apart. Read from sysfs or from a directory
 * that looks like it. What a machine doesn't tell is left out, never guessed.
 */
#ifndef IPI_TOPOLOGY_H
#define IPI_TOPOLOGY_H

#include "cpus.h"

/*
 * How far two CPUs are apart: the least they share. All but the last are also levels: something
 * that groups CPUs.
 */
enum ipi_distance {
	IPI_DISTANCE_SMT,		/* hardware threads of a core */
	IPI_DISTANCE_LLC,		/* the last-level cache */
	IPI_DISTANCE_DIE,
	IPI_DISTANCE_SOCKET,
	IPI_DISTANCE_NODE,		/* NUMA */
	IPI_DISTANCE_REMOTE,		/* none of these */
	IPI_DISTANCE_NR,
};

#define IPI_LEVEL_NR	IPI_DISTANCE_REMOTE

const char *ipi_distance__name(enum ipi_distance distance);	/* "smt", "llc", ... */
int ipi_distance__find(const char *name);			/* -1 if @name is none */

/**
 * struct ipi_level - what groups CPUs in one way
 * @group:	the groups, each with all its CPUs, those that take no part included
 * @nr:		how many; 0: this level is not known here
 * @of:		by CPU number, IPI_CPUS_MAX of them: one more than the index of its group, or 0
 */
struct ipi_level {
	struct ipi_cpus *group;
	int nr;
	int *of;
};

/**
 * struct ipi_topology - the groups of some CPUs
 * @source:	the directory it was read from
 * @cpus:	the CPUs that take part
 * @level:	by enum ipi_distance
 * @missing:	levels that are not known and why, one a line
 */
struct ipi_topology {
	char *source;
	struct ipi_cpus cpus;
	struct ipi_level level[IPI_LEVEL_NR];
	char missing[512];
};

/* Without any level as yet; NULL without memory. */
struct ipi_topology *ipi_topology__new(const char *source, const struct ipi_cpus *cpus);
void ipi_topology__delete(struct ipi_topology *topology);	/* NULL is fine */

/**
 * ipi_topology__add - add a group
 * @topology:	to this one
 * @level:	what its CPUs share
 * @group:	all who share it; copied. The same group a second time is no second one
 * @why:	filled on failure
 *
 * Return: 0, -EINVAL where it overlaps another group of the level, -ENOMEM.
 */
int ipi_topology__add(struct ipi_topology *topology, enum ipi_distance level,
		      const struct ipi_cpus *group, struct ipi_why *why);

/* Forget a level: what is known of some CPUs only would make others look remote. */
void ipi_topology__forget(struct ipi_topology *topology, enum ipi_distance level);

/**
 * ipi_topology__read - read what a directory says about some CPUs
 * @sysfs:	"/sys", or a copy of it
 * @cpus:	the CPUs
 * @why:	filled on failure: names the file
 *
 * A level is known if each of the CPUs has it: else it is left out, and @missing says for whom.
 *
 * Return: the topology, or NULL: a CPU that isn't there (@why->err ENODEV), a list that is none or
 * that contradicts another one, no memory.
 */
struct ipi_topology *ipi_topology__read(const char *sysfs, const struct ipi_cpus *cpus,
					struct ipi_why *why);

/* The CPUs a directory calls online. Return: 0 or -errno. */
int ipi_topology__online(const char *sysfs, struct ipi_cpus *cpus, struct ipi_why *why);

/* The group of a CPU, NULL where it is not known. */
const struct ipi_cpus *ipi_topology__group(const struct ipi_topology *topology,
					   enum ipi_distance level, int cpu);

/**
 * ipi_topology__distance - how far two CPUs are apart
 * @topology:	as read
 * @a:		a CPU
 * @b:		another one
 *
 * It is the smallest group with both in it that counts: a NUMA node may be a part of a socket or
 * hold several. Of two equal ones the first of SMT, LLC, socket, node, die gives the name, so that
 * "die" is a part of a socket.
 *
 * Return: the level of that group; IPI_DISTANCE_REMOTE if there is none.
 */
enum ipi_distance ipi_topology__distance(const struct ipi_topology *topology, int a, int b);

/* CPUs of the greatest group of a level, 0 if it is not known. */
int ipi_topology__width(const struct ipi_topology *topology, enum ipi_distance level);

/* The levels, narrowest first, those that are not known left out. Return: how many. */
int ipi_topology__levels(const struct ipi_topology *topology,
			 enum ipi_distance level[IPI_LEVEL_NR]);

/**
 * ipi_topology__order - the CPUs that take part, those that share most beside each other
 * @topology:	as read
 * @cpu:	filled, room for @topology->cpus.nr
 *
 * Return: 0 or -ENOMEM.
 */
int ipi_topology__order(const struct ipi_topology *topology, int *cpu);

#endif
