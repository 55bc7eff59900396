/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Everything that is printed of a recording: what "report" found in a perf.data.
 */
#ifndef IPI_REPORT_RECORDING_H
#define IPI_REPORT_RECORDING_H

#include <stdbool.h>
#include <stdio.h>

#include "../cpus.h"
#include "../stats/calls.h"
#include "../stats/kinds.h"
#include "../stats/offsets.h"
#include "../stats/worst.h"
#include "../trace/correlate.h"
#include "../trace/perfdata.h"
#include "../trace/symbols.h"

struct ipi_why;

/**
 * struct ipi_recording - a recording, read
 * @input:	its name, "-" for stdin
 * @data:	it
 * @corr:	what could not be joined
 * @symbols:	NULL where the kernel's names aren't known
 * @names_from:	where they come from, in words
 * @by:		what makes a kind
 * @sort:	the order of kinds
 * @kinds:	deliveries by kind, in order
 * @calls:	of threads that were recorded: their deliveries from the call on; NULL if none were
 * @calls_stats: what became of them
 * @offsets:	of the CPUs' clocks
 * @worst:	the longest deliveries, NULL if not asked for
 * @cpus:	only deliveries to these count, none named: all
 * @from:	ns, only deliveries that begin then or later
 * @to:		ns, and not after
 * @outside:	deliveries that don't count
 */
struct ipi_recording {
	const char *input;
	const struct ipi_perfdata *data;
	const struct ipi_corr_stats *corr;
	const struct ipi_symbols *symbols;
	const char *names_from;
	enum ipi_by by;
	enum ipi_sort sort;
	struct ipi_kinds *kinds;
	struct ipi_kinds *calls;
	const struct ipi_calls_stats *calls_stats;
	struct ipi_offsets_found offsets;
	struct ipi_worst *worst;
	struct ipi_cpus cpus;
	u64 from;
	u64 to;
	u64 outside;
};

/**
 * struct ipi_recording_conf - how the text should look
 * @verbose:	events, and details of every kind and CPU
 * @hist:	histograms of each kind
 * @colour:	the file is a terminal and NO_COLOR is not set
 */
struct ipi_recording_conf {
	int verbose;
	bool hist;
	bool colour;
};

#define IPI_SYMBOL_LEN	96

/**
 * ipi_recording__symbol - the name of an address
 * @rec:	the recording
 * @address:	the kernel's
 * @offset:	with the offset into the function, if there is one
 * @buf:	written, IPI_SYMBOL_LEN bytes: "-" of 0, "[unknown]" of an address without a name.
 *		Never the address
 *
 * Return: @buf.
 */
const char *ipi_recording__symbol(const struct ipi_recording *rec, u64 address, bool offset,
				  char *buf);

/* ns the recording covers, first event to last, or the part that was asked for; 0 if nothing. */
u64 ipi_recording__duration(const struct ipi_recording *rec);

void ipi_recording__print(FILE *file, const struct ipi_recording *rec,
			  const struct ipi_recording_conf *conf);

/* As ipi_json__write(). */
int ipi_recording__json(const struct ipi_recording *rec, const char *path, struct ipi_why *why);

/* Of ipi_recording__print(): the kinds (rec-table.c), the longest deliveries (rec-worst.c). */
void ipi_recording__table(FILE *file, const struct ipi_recording *rec,
			  const struct ipi_kinds *kinds, enum ipi_by by,
			  const struct ipi_recording_conf *conf);
void ipi_recording__worst(FILE *file, const struct ipi_recording *rec);

#endif
