/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Results as metrics, in a file for the textfile collector of Prometheus' node exporter. Both its
 * text format and OpenMetrics.
 */
#ifndef IPI_REPORT_OPENMETRICS_H
#define IPI_REPORT_OPENMETRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct ipi_result;
struct ipi_why;

#define IPI_METRIC_NR	9

/**
 * struct ipi_metric_buf - samples of one metric so far
 * @file:	they are written there
 * @text:	and stand here
 * @size:	their bytes
 */
struct ipi_metric_buf {
	FILE *file;
	char *text;
	size_t size;
};

/**
 * struct ipi_openmetrics - a file being made
 * @buf:	the samples of each metric, which have to stand together in the file
 * @named:	there are several results: a label says which
 * @err:	-errno of what went wrong
 */
struct ipi_openmetrics {
	struct ipi_metric_buf buf[IPI_METRIC_NR];
	bool named;
	int err;
};

/* Begin. Return: 0 or -ENOMEM, then there is nothing to end. */
int ipi_openmetrics__begin(struct ipi_openmetrics *metrics, bool named);

/* Add a result. Repetitions of a row are taken together. */
void ipi_openmetrics__add(struct ipi_openmetrics *metrics, const struct ipi_result *result,
			  const char *name);

/*
 * Write the file, whole or not at all, "-" for stdout, and free what was made. Return: 0 or -errno
 * with @why filled.
 */
int ipi_openmetrics__end(struct ipi_openmetrics *metrics, const char *path, struct ipi_why *why);

#endif
