/* SPDX-License-Identifier: GPL-2.0 */
/*
 * xorshift64: numbers without any order, the same in every run.
 */
#ifndef TESTS_RANDOM_H
#define TESTS_RANDOM_H

#include <linux/types.h>

/* @state: not 0. */
static inline u64 next_random(u64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

#endif
