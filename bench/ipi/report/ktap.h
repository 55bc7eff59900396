/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Results as a test of a kernel CI system: KTAP, as Documentation/dev-tools/ktap.rst of the kernel
 * describes it. One test a row, its limits as subtests.
 */
#ifndef IPI_REPORT_KTAP_H
#define IPI_REPORT_KTAP_H

#include <stdio.h>

struct ipi_limits;
struct ipi_result;

/* The version, and the plan where there are several results. */
void ipi_ktap__begin(FILE *file, int nr_result);

/**
 * ipi_ktap__print - one result
 * @file:	where to
 * @number:	of how many, from 1; 0 where there is one alone, whose rows are the tests
 * @name:	of the result
 * @result:	the result; NULL if it could not be read
 * @limits:	limits given, may be none
 *
 * A row is ok that has a headline, no failed calls, no lost records and keeps its limits; what
 * can't be done here, or can't be told, is skipped with its reason.
 */
void ipi_ktap__print(FILE *file, int number, const char *name, const struct ipi_result *result,
		     const struct ipi_limits *limits);

#endif
