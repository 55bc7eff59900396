/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Topologies of machines, without files: threads of a core are numbered as Linux does, first those
 * of all cores, then the second ones.
 */
#ifndef TESTS_UNIT_MACHINE_MODEL_H
#define TESTS_UNIT_MACHINE_MODEL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/ipi/topology.h"

/* A level of groups of @nr cores. */
static inline void machine__level(struct ipi_topology *topology, enum ipi_distance level,
				  int cores, int threads, int nr)
{
	int core, thread;

	for (core = 0; core < cores * threads; core++) {
		struct ipi_cpus group = { 0 };
		int i;

		for (i = 0; i < nr; i++) {
			for (thread = 0; thread < threads; thread++)
				assert_int_equal(ipi_cpus__add(&group, core % cores / nr * nr + i +
							       thread * cores), 0);
		}
		assert_int_equal(ipi_topology__add(topology, level, &group, NULL), 0);
		ipi_cpus__free(&group);
	}
}

/* @llc cores share a cache, @socket cores a socket and a node. */
static inline struct ipi_topology *machine__make(int cores, int threads, int llc, int socket)
{
	struct ipi_topology *topology;
	struct ipi_cpus cpus = { 0 };
	int i;

	for (i = 0; i < cores * threads; i++)
		assert_int_equal(ipi_cpus__add(&cpus, i), 0);
	topology = ipi_topology__new("model", &cpus);
	assert_non_null(topology);
	ipi_cpus__free(&cpus);
	machine__level(topology, IPI_DISTANCE_SMT, cores, threads, 1);
	machine__level(topology, IPI_DISTANCE_LLC, cores, threads, llc);
	machine__level(topology, IPI_DISTANCE_SOCKET, cores, threads, socket);
	machine__level(topology, IPI_DISTANCE_NODE, cores, threads, socket);
	return topology;
}

#endif
