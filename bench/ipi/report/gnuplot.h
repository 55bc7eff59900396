/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Running gnuplot. Knows nothing of what is drawn.
 */
#ifndef IPI_REPORT_GNUPLOT_H
#define IPI_REPORT_GNUPLOT_H

#include <stddef.h>

struct ipi_why;

/**
 * ipi_gnuplot__run - have a script drawn
 * @script:	the commands; output goes to stdout
 * @len:	bytes of it
 * @image:	set to what it wrote, a byte 0 behind it; to be freed
 * @size:	set to its bytes, not counting that 0
 * @why:	filled on failure, with gnuplot's own words; EOPNOTSUPP where there is none
 *
 * The first gnuplot on PATH is started directly, without a shell, a file, or the user's settings.
 *
 * Return: 0 or -errno.
 */
int ipi_gnuplot__run(const char *script, size_t len, char **image, size_t *size,
		     struct ipi_why *why);

#endif
