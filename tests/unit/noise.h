/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Noise of about a normal distribution, the same in every run.
 */
#ifndef TESTS_NOISE_H
#define TESTS_NOISE_H

#include <linux/types.h>

static u64 noise_state;

/* Mean 0, standard deviation 1: twelve uniform ones, less their mean. */
static inline double noise(void)
{
	double sum = 0;
	int i;

	for (i = 0; i < 12; i++) {
		noise_state = noise_state * 6364136223846793005ULL + 1442695040888963407ULL;
		sum += (double)(noise_state >> 40) / (1 << 24);
	}
	return sum - 6;
}

#endif
