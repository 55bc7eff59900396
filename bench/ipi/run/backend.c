// SPDX-License-Identifier: GPL-2.0
/*
 * The table of backends, and what those that send real IPIs have in common.
 */
#include <string.h>
#include <linux/kernel.h>

#include "backend.h"

int ipi_backend__interrupts(struct ipi_interrupts *irqs)
{
	return ipi_interrupts__read(irqs, "/proc/interrupts", NULL);
}

double ipi_backend__steal_ms(const struct ipi_cpus *cpus)
{
	return ipi_steal__read("/proc/stat", cpus);
}

struct ipi_source *ipi_backend__source(const struct ipi_cpus *cpus, const struct ipi_options *opt,
				       struct ipi_why *why)
{
	return ipi_live__open(cpus, opt->pages, opt->pages_given, why);
}

const struct ipi_backend *ipi_backend__find(const char *name)
{
	static const struct ipi_backend *const backends[] = {
		&ipi_backend_user,
		&ipi_backend_module,
		&ipi_backend_fake,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(backends); i++) {
		if (!strcmp(backends[i]->name, name))
			return backends[i];
	}
	return NULL;
}
