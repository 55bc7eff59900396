// SPDX-License-Identifier: GPL-2.0
/*
 * Finds what is usual of the numbers that fleet.c gathered, and those that are off.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "effect.h"
#include "median.h"
#include "outliers.h"

/* Of a percentile that is the middle of its bucket: 1/64 wide, so 1/64/sqrt(12). */
#define RESOLUTION	0.0045

static int order_samples(const void *x, const void *y)
{
	const struct ipi_fleet_sample *a = x, *b = y;
	int order = ipi_alike__order_place(a->place, b->place);

	return order ? order : a->host - b->host;
}

/* One figure of a stage in @nr samples: median and deviation. Return: how many have it. */
static int middle(const struct ipi_fleet_sample *sample, int nr, enum ipi_stage stage, bool tail,
		  double *room, double *median, double *spread)
{
	int count = 0;
	int i;

	for (i = 0; i < nr; i++) {
		double value = tail ? sample[i].tail : sample[i].median[stage];

		if (!isnan(value))
			room[count++] = value;
	}
	if (!count)
		return 0;
	*median = ipi_median(room, count);
	*spread = ipi_median__spread(room, count, *median);
	return count;
}

/* What judging needs besides the fleet. */
struct judge {
	struct ipi_fleet *fleet;
	double threshold;
	double alpha;
	double *room;
};

/* Which stage is furthest off the same way as the total? */
static void blame(const struct judge *judge, const struct ipi_fleet_sample *sample, int nr,
		  const struct ipi_fleet_sample *of, struct ipi_off *off)
{
	double most = 0;
	int stage;

	off->stage = IPI_STAGE_TOTAL;
	off->stage_ratio = off->ratio;
	for (stage = IPI_STAGE_SEND; stage <= IPI_STAGE_ACK; stage++) {
		double median, spread, by;

		if (isnan(of->median[stage]) ||
		    middle(sample, nr, (enum ipi_stage)stage, false, judge->room, &median,
			   &spread) < IPI_OUTLIERS_MIN)
			continue;
		/* By time, not by share: a short stage may double and explain nothing. */
		by = exp(of->median[stage]) - exp(median);
		if (off->ratio < 1)
			by = -by;
		if (by > most) {
			most = by;
			off->stage = (enum ipi_stage)stage;
			off->stage_ratio = exp(of->median[stage] - median);
		}
	}
}

static int add_off(const struct judge *judge, const struct ipi_off *off)
{
	struct ipi_fleet *fleet = judge->fleet;
	struct ipi_host *host = &fleet->host[off->host];
	struct ipi_off *grown;

	grown = reallocarray(fleet->off, (size_t)fleet->nr_off + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	fleet->off = grown;
	grown[fleet->nr_off] = *off;
	if (host->worst < 0 || off->spreads > grown[host->worst].spreads)
		host->worst = fleet->nr_off;
	host->off++;
	fleet->nr_off++;
	return 0;
}

static int find_off(const struct judge *judge, const struct ipi_fleet_sample *sample, int nr,
		    double centre)
{
	struct ipi_fleet *fleet = judge->fleet;
	struct ipi_usual *usual = &fleet->usual[fleet->nr_usual - 1];
	bool tail = usual->figure == IPI_QUANTILE_P99;
	int i, err;

	for (i = 0; i < nr; i++) {
		double value = tail ? sample[i].tail : sample[i].median[IPI_STAGE_TOTAL];
		struct ipi_off off = { .host = sample[i].host, .usual = fleet->nr_usual - 1 };

		if (isnan(value))
			continue;
		fleet->host[off.host].figures++;
		if (!(fabs(value - centre) > log(usual->limit)))
			continue;
		off.value = exp(value);
		off.ratio = exp(value - centre);
		off.spreads = fabs(value - centre) / usual->spread;
		blame(judge, sample, nr, &sample[i], &off);
		err = add_off(judge, &off);
		if (err)
			return err;
		usual->off++;
	}
	return 0;
}

static int judge_figure(const struct judge *judge, const struct ipi_fleet_sample *sample, int nr,
			bool places, enum ipi_quantile figure)
{
	struct ipi_fleet *fleet = judge->fleet;
	double centre, spread, reach, freedom;
	struct ipi_usual *usual;
	int hosts = middle(sample, nr, IPI_STAGE_TOTAL, figure == IPI_QUANTILE_P99, judge->room,
			   &centre, &spread);

	if (!hosts)
		return 0;
	usual = reallocarray(fleet->usual, (size_t)fleet->nr_usual + 1, sizeof(*usual));
	if (!usual)
		return -ENOMEM;
	fleet->usual = usual;
	usual += fleet->nr_usual++;
	*usual = (struct ipi_usual){
		.cell = sample[0].place, .places = places, .figure = figure, .hosts = hosts,
		.median = exp(centre), .spread = fmax(spread, RESOLUTION), .limit = NAN,
	};
	if (hosts < IPI_OUTLIERS_MIN)
		return 0;
	freedom = fmax(2, (hosts - 1) / 2.0);
	reach = usual->spread * ipi_effect__critical(judge->alpha, freedom);
	usual->limit = exp(fmax(reach, log1p(judge->threshold)));
	return find_off(judge, sample, nr, centre);
}

/* Who has no such row, where most have one? */
static void find_lacks(const struct judge *judge, const struct ipi_fleet_sample *sample, int nr)
{
	struct ipi_fleet *fleet = judge->fleet;
	int h, i;

	if (nr < IPI_OUTLIERS_MIN || nr * 2 <= fleet->nr_host)
		return;
	for (h = 0; h < fleet->nr_host; h++) {
		for (i = 0; i < nr && sample[i].host != h; i++)
			;
		if (i < nr)
			continue;
		fleet->host[h].lacks++;
		if (!fleet->host[h].first_lack)
			fleet->host[h].first_lack = sample[0].place;
	}
}

static int judge_row(const struct judge *judge, const struct ipi_fleet_sample *sample, int nr,
		     bool places)
{
	find_lacks(judge, sample, nr);
	return judge_figure(judge, sample, nr, places, IPI_QUANTILE_P50) ?:
	       judge_figure(judge, sample, nr, places, IPI_QUANTILE_P99);
}

/* The end of what begins at @first and is the same by @order. */
static int end_of(const struct ipi_fleet *fleet, int first,
		  int (*order)(const struct ipi_cell *a, const struct ipi_cell *b))
{
	int end = first + 1;

	while (end < fleet->nr_sample &&
	       !order(fleet->sample[first].place, fleet->sample[end].place))
		end++;
	return end;
}

/* Does a machine have several rows of one kind? Then their CPUs tell them apart. */
static bool has_places(const struct ipi_fleet *fleet, int first, int end, unsigned char *seen)
{
	bool places = false;
	int i;

	memset(seen, 0, (size_t)fleet->nr_host);
	for (i = first; i < end; i++) {
		places = places || seen[fleet->sample[i].host];
		seen[fleet->sample[i].host] = 1;
	}
	return places;
}

static int judge_all(const struct judge *judge, unsigned char *seen)
{
	struct ipi_fleet *fleet = judge->fleet;
	int first, end, last, err = 0;

	for (first = 0; first < fleet->nr_sample && !err; first = last) {
		bool places;

		last = end_of(fleet, first, ipi_alike__order);
		places = has_places(fleet, first, last, seen);
		for (; first < last && !err; first = end) {
			end = places ? end_of(fleet, first, ipi_alike__order_place) : last;
			err = judge_row(judge, &fleet->sample[first], end - first, places);
		}
	}
	return err;
}

int ipi_fleet__judge(struct ipi_fleet *fleet, double threshold)
{
	struct judge judge = { .fleet = fleet, .threshold = threshold };
	unsigned char *seen = calloc((size_t)fleet->nr_host + 1, 1);
	int err = -ENOMEM;

	judge.alpha = IPI_OUTLIERS_ALPHA / (fleet->nr_sample ? 2.0 * fleet->nr_sample : 1);
	judge.room = calloc((size_t)fleet->nr_sample + 1, sizeof(*judge.room));
	if (fleet->nr_sample)
		qsort(fleet->sample, (size_t)fleet->nr_sample, sizeof(*fleet->sample),
		      order_samples);
	if (seen && judge.room)
		err = judge_all(&judge, seen);
	free(seen);
	free(judge.room);
	return err;
}

const char *ipi_fleet__usual_fact(const struct ipi_fleet *fleet, unsigned int index)
{
	int i, k;

	for (i = 0; i < fleet->nr_host; i++) {
		int same = 0;

		for (k = 0; k < fleet->nr_host; k++)
			same += !strcmp(fleet->host[i].fact[index], fleet->host[k].fact[index]);
		if (same * 2 > fleet->nr_host)
			return fleet->host[i].fact[index];
	}
	return NULL;
}
