// SPDX-License-Identifier: GPL-2.0
/*
 * The table of backends.
 */
#include <string.h>
#include <linux/kernel.h>

#include "backend.h"

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
