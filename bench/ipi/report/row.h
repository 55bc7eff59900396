/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a row is called where a name must be the same in every run and none may stand twice.
 */
#ifndef IPI_REPORT_ROW_H
#define IPI_REPORT_ROW_H

#include <stddef.h>

struct ipi_cell;
struct ipi_result;

/* "normal/busy", as "-f simple" has it. Return: @buf. */
const char *ipi_row__short(const struct ipi_cell *cell, char *buf, size_t size);

/*
 * And what tells it from others of that name in @result: "normal/busy 0>3 repetition 2". Return:
 * @buf.
 */
const char *ipi_row__name(const struct ipi_result *result, const struct ipi_cell *cell, char *buf,
			  size_t size);

/* "0>1-3", "0" of a row without targets. To be freed; NULL without memory. */
char *ipi_row__path(const struct ipi_cell *cell);

/* The targets as "1-3,8", "" if there are none; whole, however many. To be freed. */
char *ipi_row__dst(const struct ipi_cell *cell);

#endif
