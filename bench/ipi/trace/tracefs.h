/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads tracefs: formats, ids, printk_formats. Where tracefs is not mounted and we may, it is
 * attached for this process alone (fsopen, a detached mount): nothing is left behind.
 */
#ifndef IPI_TRACE_TRACEFS_H
#define IPI_TRACE_TRACEFS_H

#include <stddef.h>

struct ipi_why;
struct ipi_tracefs;

/* NULL on failure, with -ENOENT (no tracefs), -EACCES/-EPERM (not ours to read) in @why->err. */
struct ipi_tracefs *ipi_tracefs__open(struct ipi_why *why);
void ipi_tracefs__close(struct ipi_tracefs *tracefs);

/**
 * ipi_tracefs__read - read a file of tracefs whole
 * @tracefs:	from ipi_tracefs__open()
 * @path:	relative, as "events/ipi/ipi_send_cpu/format"
 * @text:	set to the contents, a terminating NUL added; free()
 * @size:	set to the bytes read, without the NUL
 *
 * Return: 0 or -errno.
 */
int ipi_tracefs__read(struct ipi_tracefs *tracefs, const char *path, char **text, size_t *size);

#endif
