/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The laws behind a result's sweeps, as JSON. Private to the writer of JSON.
 */
#ifndef IPI_REPORT_JSON_FITS_H
#define IPI_REPORT_JSON_FITS_H

#include <jansson.h>

struct ipi_result;

/* The value of "fits", an array; NULL without memory. */
json_t *ipi_json__fits(const struct ipi_result *result);

#endif
