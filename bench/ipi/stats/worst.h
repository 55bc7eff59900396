/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The deliveries that took longest, from the first that was seen of each to the end of its
 * function (of its interrupt, where no function shows).
 */
#ifndef IPI_STATS_WORST_H
#define IPI_STATS_WORST_H

#include <stddef.h>

#include "kinds.h"

#define IPI_WORST_MAX	10000

/**
 * struct ipi_worst_one - one of them
 * @delivery:	it
 * @ns:		it took
 * @comm:	the sender's name, "" if not known
 */
struct ipi_worst_one {
	struct ipi_delivery delivery;
	u64 ns;
	char comm[IPI_COMM_LEN];
};

struct ipi_worst;

struct ipi_worst *ipi_worst__new(size_t nr);	/* the @nr longest are kept; NULL without memory */
void ipi_worst__delete(struct ipi_worst *worst);
void ipi_worst__add(struct ipi_worst *worst, const struct ipi_delivery *delivery,
		    const char *comm);
void ipi_worst__sort(struct ipi_worst *worst);	/* the longest first; nothing may be added then */
size_t ipi_worst__nr(const struct ipi_worst *worst);
const struct ipi_worst_one *ipi_worst__get(const struct ipi_worst *worst, size_t rank);

#endif
