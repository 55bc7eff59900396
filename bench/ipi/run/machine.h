/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Facts of the machine, each into a buffer or from a constant; "" where it can't be told.
 */
#ifndef IPI_RUN_MACHINE_H
#define IPI_RUN_MACHINE_H

#include <stddef.h>

/* The first line of a file, without its end; "" if there is none. */
const char *ipi_machine__line(const char *path, char *buf, size_t size);

/* "KVM" and the like; "none" on bare metal, "unknown" for one we don't know. */
const char *ipi_machine__hypervisor(char *buf, size_t size);

/* Mode of a CPU's interrupt controller: "x2APIC", "xAPIC", "GICv3". */
const char *ipi_machine__irqchip(int cpu, char *buf, size_t size);

#endif
