// SPDX-License-Identifier: GPL-2.0
/*
 * Gathers a few numbers of each machine's result. Memory grows with machines and rows, not with the
 * size of the results. Judges nothing (outliers.c does).
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "outliers.h"

static int order_cells(const void *x, const void *y)
{
	return ipi_alike__order_place(*(const struct ipi_cell *const *)x,
				     *(const struct ipi_cell *const *)y);
}

/* What names a row, without what was measured of it. */
static struct ipi_cell *copy_place(const struct ipi_cell *cell)
{
	struct ipi_cell *place = calloc(1, sizeof(*place));

	if (!place)
		return NULL;
	place->scenario = cell->scenario;
	place->target = cell->target;
	place->src = cell->src;
	place->nowait = cell->nowait;
	if (!ipi_cpus__copy(&place->dst, &cell->dst) &&
	    !ipi_cpus__copy(&place->senders, &cell->senders))
		return place;
	ipi_cpus__free(&place->dst);
	free(place);
	return NULL;
}

/* The fleet's own of a cell's place; NULL without memory. */
static const struct ipi_cell *place_of(struct ipi_fleet *fleet, const struct ipi_cell *cell)
{
	int low = 0, high = fleet->nr_place;
	struct ipi_cell **grown;
	struct ipi_cell *place;

	while (low < high) {
		int middle = low + (high - low) / 2;
		int order = ipi_alike__order_place(fleet->place[middle], cell);

		if (!order)
			return fleet->place[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	place = copy_place(cell);
	grown = place ? reallocarray(fleet->place, (size_t)fleet->nr_place + 1, sizeof(*grown)) :
			NULL;
	if (!grown) {
		if (place) {
			ipi_cpus__free(&place->dst);
			ipi_cpus__free(&place->senders);
		}
		free(place);
		return NULL;
	}
	fleet->place = grown;
	memmove(&grown[low + 1], &grown[low],
		(size_t)(fleet->nr_place - low) * sizeof(*grown));
	grown[low] = place;
	fleet->nr_place++;
	return place;
}

/* The mean of the logarithms of one figure of a stage, over cells of one place. */
static float mean_log(struct ipi_cell *const *cell, int nr, enum ipi_stage stage,
		      enum ipi_quantile figure)
{
	double sum = 0;
	int count = 0;
	int i;

	for (i = 0; i < nr; i++) {
		u64 ns;

		if (!ipi_cell__measured(cell[i], stage))
			continue;
		ns = ipi_quantile__of(cell[i]->stage[stage], figure);
		/* What is shorter than the clock can tell is as long as its tick at most. */
		sum += log(ns ? ns : 1);
		count++;
	}
	return count ? (float)(sum / count) : NAN;
}

static int add_place(struct ipi_fleet *fleet, struct ipi_cell *const *cell, int nr)
{
	struct ipi_fleet_sample *sample, *grown;
	int stage;

	if (fleet->nr_sample == fleet->room_sample) {
		int room = fleet->room_sample ? fleet->room_sample * 2 : 256;

		grown = reallocarray(fleet->sample, (size_t)room, sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		fleet->sample = grown;
		fleet->room_sample = room;
	}
	sample = &fleet->sample[fleet->nr_sample];
	sample->place = place_of(fleet, cell[0]);
	if (!sample->place)
		return -ENOMEM;
	sample->host = fleet->nr_host - 1;
	for (stage = 0; stage < IPI_STAGE_NR; stage++)
		sample->median[stage] = mean_log(cell, nr, (enum ipi_stage)stage,
						 IPI_QUANTILE_P50);
	sample->tail = mean_log(cell, nr, IPI_STAGE_TOTAL, IPI_QUANTILE_P99);
	fleet->nr_sample++;
	return 0;
}

static int add_host(struct ipi_fleet *fleet, const char *name, const struct ipi_result *result)
{
	struct ipi_host *host;
	char value[256];
	int i;

	host = reallocarray(fleet->host, (size_t)fleet->nr_host + 1, sizeof(*host));
	if (!host)
		return -ENOMEM;
	fleet->host = host;
	host += fleet->nr_host++;
	memset(host, 0, sizeof(*host));
	host->worst = -1;
	host->name = strdup(name);
	if (!host->name)
		return -ENOMEM;
	for (i = 0; i < IPI_ALIKE_FACTS; i++) {
		host->fact[i] = strdup(ipi_alike__value(&result->environment, ipi_alike__fact(i),
							value, sizeof(value)));
		if (!host->fact[i])
			return -ENOMEM;
	}
	return 0;
}

int ipi_fleet__add(struct ipi_fleet *fleet, const char *name, const struct ipi_result *result)
{
	struct ipi_cell **cell;
	int nr = 0;
	int i, end, err;

	cell = calloc((size_t)result->nr_cell + 1, sizeof(*cell));
	if (!cell)
		return -ENOMEM;
	for (i = 0; i < result->nr_cell; i++) {
		if (result->cell[i].verdict == IPI_VERDICT_OK)
			cell[nr++] = &result->cell[i];
	}
	qsort(cell, (size_t)nr, sizeof(*cell), order_cells);
	err = add_host(fleet, name, result);
	for (i = 0; i < nr && !err; i = end) {
		for (end = i + 1; end < nr && !ipi_alike__order_place(cell[i], cell[end]); end++)
			;
		err = add_place(fleet, &cell[i], end - i);
	}
	free(cell);
	return err;
}

void ipi_fleet__free(struct ipi_fleet *fleet)
{
	int i, k;

	for (i = 0; i < fleet->nr_host; i++) {
		for (k = 0; k < IPI_ALIKE_FACTS; k++)
			free(fleet->host[i].fact[k]);
		free(fleet->host[i].name);
	}
	for (i = 0; i < fleet->nr_place; i++) {
		ipi_cpus__free(&fleet->place[i]->dst);
		ipi_cpus__free(&fleet->place[i]->senders);
		free(fleet->place[i]);
	}
	free(fleet->place);
	free(fleet->host);
	free(fleet->usual);
	free(fleet->off);
	free(fleet->sample);
	memset(fleet, 0, sizeof(*fleet));
}
