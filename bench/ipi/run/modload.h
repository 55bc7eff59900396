/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loads the companion module and takes it away again. What was loaded before stays; what is loaded
 * here goes on every way out, also when this process is killed.
 */
#ifndef IPI_RUN_MODLOAD_H
#define IPI_RUN_MODLOAD_H

struct ipi_modload;
struct ipi_why;

#define IPI_MODULE_NAME		"ipi_bench"
#define IPI_MODULE_DEVICE	"/dev/ipi_bench"

/**
 * ipi_modload__get - see to it that the module is there
 * @path:	the file to load, NULL: the one installed for this kernel
 * @why:	filled on failure, with the reason the kernel had where it can be told
 *
 * Return: a handle for ipi_modload__put(), or NULL.
 */
struct ipi_modload *ipi_modload__get(const char *path, struct ipi_why *why);
void ipi_modload__put(struct ipi_modload *load);

/* How it came to be there, in words: "already loaded", "loaded from PATH". */
const char *ipi_modload__how(const struct ipi_modload *load);

#endif
