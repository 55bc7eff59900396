/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a reader must know of the machine to make sense of the numbers. Documentation/
 * result-format.txt lists the keys.
 */
#ifndef IPI_RUN_ENV_H
#define IPI_RUN_ENV_H

struct ipi_facts;
struct ipi_options;
struct ipi_plan;

/**
 * ipi_env__collect - note what can be known before the run
 * @env:	facts are added; what can't be known is left out
 * @opt:	the options
 * @backend:	name of the backend that was chosen
 * @plan:	the plan
 *
 * Return: 0 or -ENOMEM.
 */
int ipi_env__collect(struct ipi_facts *env, const struct ipi_options *opt, const char *backend,
		     const struct ipi_plan *plan);

/* The options as they are in effect. Return: 0 or -ENOMEM. */
int ipi_env__options(struct ipi_facts *facts, const struct ipi_options *opt);

#endif
