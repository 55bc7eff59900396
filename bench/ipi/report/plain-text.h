/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Text from outside on its way into XML or to gnuplot, and numbers as people write them.
 */
#ifndef IPI_REPORT_PLAIN_TEXT_H
#define IPI_REPORT_PLAIN_TEXT_H

#include <stddef.h>

/* Bytes of the character that @str begins with; 0 if XML 1.0 can't hold it: no UTF-8, control. */
int ipi_plain__char(const char *str);

/* "1 234 567", rounded to a whole number; with decimals below 10 if it isn't one. Return: @buf. */
const char *ipi_plain__grouped(char *buf, size_t size, double value);

#endif
