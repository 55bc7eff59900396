/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One pass over one cell: warm up, measure in batches, account.
 */
#ifndef IPI_RUN_PASS_H
#define IPI_RUN_PASS_H

#include "backend.h"

struct ipi_corr;

/**
 * struct ipi_deliveries - what the correlator emitted for one batch
 * @delivery:	them
 * @nr:		how many
 * @room:	how many fit
 * @failed:	memory ran out: the batch is not to be trusted
 */
struct ipi_deliveries {
	struct ipi_delivery *delivery;
	size_t nr;
	size_t room;
	bool failed;
};

/**
 * struct ipi_pass_conf - what a pass works with
 * @backend:	the backend
 * @session:	its session for the cell
 * @spec:	the cell
 * @opt:	the options
 * @source:	events, NULL for the untraced pass
 * @corr:	correlator that emits into @deliveries, with @source
 * @symbols:	kernel symbols, NULL if there are none
 * @deliveries:	with @source
 * @call:	room for IPI_BATCH_MAX calls
 * @progress:	called after each batch with the share done, in 1/1000; may be NULL
 * @ctx:	passed to it
 */
struct ipi_pass_conf {
	const struct ipi_backend *backend;
	struct ipi_session *session;
	const struct ipi_spec *spec;
	const struct ipi_options *opt;
	struct ipi_source *source;
	struct ipi_corr *corr;
	const struct ipi_symbols *symbols;
	struct ipi_deliveries *deliveries;
	struct ipi_call *call;
	void (*progress)(void *ctx, unsigned int permille);
	void *ctx;
};

/**
 * ipi_pass__run - make a pass and add it to the cell
 * @conf:	what to work with
 * @cell:	filled: the pass's account, its histograms
 * @why:	filled on failure
 *
 * Ends early on a signal, or when a CPU of the cell goes offline (@cell->interrupted; what was
 * measured before stays).
 *
 * Return: 0 or -errno: nothing could be measured, or memory ran out.
 */
int ipi_pass__run(const struct ipi_pass_conf *conf, struct ipi_cell *cell, struct ipi_why *why);

/* p50 of the trigger with the IPI left out, into the cell; nothing where there is no such thing. */
int ipi_pass__baseline(const struct ipi_pass_conf *conf, struct ipi_cell *cell);

#endif
