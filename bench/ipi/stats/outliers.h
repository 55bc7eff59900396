/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Many machines' results beside each other: what is usual of a row, and which machines are off. A
 * machine is compared with the others, never with a figure of ours.
 */
#ifndef IPI_STATS_OUTLIERS_H
#define IPI_STATS_OUTLIERS_H

#include "alike.h"
#include "quantile.h"

/* Of fewer nobody can be called off. */
#define IPI_OUTLIERS_MIN	4

/* In one of so many fleets of machines that don't differ, chance may call one of them off. */
#define IPI_OUTLIERS_ALPHA	0.05

/**
 * struct ipi_host - one machine
 * @name:	as for a heading
 * @fact:	what ipi_alike__fact() tells of it, "-" where it is not known
 * @off:	figures of it that are off
 * @figures:	and all that were looked at
 * @lacks:	rows with a headline that most machines have and it has not
 * @worst:	the figure that is furthest off, an index of @off in the fleet; -1 if none is
 * @first_lack:	one of those rows; NULL if none
 */
struct ipi_host {
	char *name;
	char *fact[IPI_ALIKE_FACTS];
	int off;
	int figures;
	int lacks;
	int worst;
	const struct ipi_cell *first_lack;
};

/**
 * struct ipi_usual - what is usual of one figure of a row's total
 * @cell:	scenario, target state, CPUs; has no stages
 * @places:	the CPUs count: some machine has several such rows
 * @figure:	which figure
 * @hosts:	machines that have it
 * @median:	of them, ns
 * @spread:	1.4826 MAD of their logarithms, so a share of the median
 * @limit:	what is off is off by that factor or more; NAN where there are too few
 * @off:	how many are
 */
struct ipi_usual {
	const struct ipi_cell *cell;
	bool places;
	enum ipi_quantile figure;
	int hosts;
	double median;
	double spread;
	double limit;
	int off;
};

/**
 * struct ipi_off - one figure of one machine that is off
 * @host:	the machine
 * @usual:	the figure, an index
 * @value:	ns
 * @ratio:	by the median
 * @spreads:	how many spreads that is
 * @stage:	the stage whose median is furthest off the same way; IPI_STAGE_TOTAL if none is
 * @stage_ratio: how far
 */
struct ipi_off {
	int host;
	int usual;
	double value;
	double ratio;
	double spreads;
	enum ipi_stage stage;
	double stage_ratio;
};

/**
 * struct ipi_fleet_sample - private: one row of one machine
 * @place:	the row
 * @host:	the machine
 * @median:	logarithm of the median of each stage, NAN where it was not measured
 * @tail:	of the p99 of the total
 */
struct ipi_fleet_sample {
	const struct ipi_cell *place;
	int host;
	float median[IPI_STAGE_NR];
	float tail;
};

/**
 * struct ipi_fleet - all machines
 * @host:	in the order they were added
 * @nr_host:	how many
 * @usual:	figures, in the order of rows
 * @nr_usual:	how many
 * @off:	what is off, in the order of @usual
 * @nr_off:	how many
 * @place:	private: the rows of any machine, sorted
 * @nr_place:	private
 * @sample:	private: what was measured, by machine and row
 * @nr_sample:	private
 * @room_sample: private
 */
struct ipi_fleet {
	struct ipi_host *host;
	int nr_host;
	struct ipi_usual *usual;
	int nr_usual;
	struct ipi_off *off;
	int nr_off;
	struct ipi_cell **place;
	int nr_place;
	struct ipi_fleet_sample *sample;
	int nr_sample;
	int room_sample;
};

/**
 * ipi_fleet__add - add a machine
 * @fleet:	zeroed to begin with; free with ipi_fleet__free(), also after an error
 * @name:	what it is called; copied
 * @result:	of it; may be deleted afterwards
 *
 * Return: 0 or -ENOMEM.
 */
int ipi_fleet__add(struct ipi_fleet *fleet, const char *name, const struct ipi_result *result);

/**
 * ipi_fleet__judge - find out what is usual and who is off
 * @fleet:	all machines were added
 * @threshold:	to be off by less doesn't matter: 0.1 for 10 %
 *
 * Each machine gives one number for a figure (the geometric mean over its repetitions). Median and
 * median absolute deviation (MAD) are those of the numbers' logarithms: up to half of the machines
 * may be anything without moving them. A machine is off if it is further from the median than the
 * threshold and than chance takes a machine of this fleet, by Student's t with half as many degrees
 * of freedom as machines less one, two at least: that is how far MADs of so few vary. The level is
 * IPI_OUTLIERS_ALPHA divided by the numbers looked at (Bonferroni).
 *
 * Return: 0 or -ENOMEM.
 */
int ipi_fleet__judge(struct ipi_fleet *fleet, double threshold);
void ipi_fleet__free(struct ipi_fleet *fleet);

/*
 * What most machines have of a fact; NULL where it is no majority.
 */
const char *ipi_fleet__usual_fact(const struct ipi_fleet *fleet, unsigned int index);

#endif
