/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A kernel knob changed for a while. It is put back on every way out, also when this process is
 * killed: a child that does nothing else waits for our end of a pipe to close.
 */
#ifndef IPI_RUN_KNOB_H
#define IPI_RUN_KNOB_H

struct ipi_knob;
struct ipi_why;

/**
 * ipi_knob__set - write a value into a sysfs or procfs file, remembering the old one
 * @path:	the file
 * @value:	what to write
 * @why:	filled on failure
 *
 * Return: the knob, for ipi_knob__restore(), or NULL.
 */
struct ipi_knob *ipi_knob__set(const char *path, const char *value, struct ipi_why *why);
void ipi_knob__restore(struct ipi_knob *knob);

#endif
