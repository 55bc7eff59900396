/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From a traced batch to the cell's classes and stages.
 */
#ifndef IPI_RUN_JOIN_H
#define IPI_RUN_JOIN_H

#include "pass.h"

/* An emit() of the correlator; @ctx is a struct ipi_deliveries. */
void ipi_join__collect(void *ctx, const struct ipi_delivery *delivery);

/**
 * ipi_join__batch - join a batch's calls with the events it left
 * @conf:	of the traced pass
 * @cell:	its classes and stages are added to
 * @batch:	the batch; its targets are at rest
 *
 * Return: 0 or -errno.
 */
int ipi_join__batch(const struct ipi_pass_conf *conf, struct ipi_cell *cell,
		    const struct ipi_batch *batch);

#endif
