/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The two futex calls, private to the process. glibc has no wrappers.
 */
#ifndef IPI_RUN_FUTEX_CALL_H
#define IPI_RUN_FUTEX_CALL_H

#include <limits.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/futex.h>
#include <linux/types.h>

/* Sleep while *@word is @value; may return at any time. */
static inline void ipi_futex__wait(u32 *word, u32 value)
{
	syscall(__NR_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

/* Return: how many were woken, or -1. */
static inline long ipi_futex__wake(u32 *word, int nr)
{
	return syscall(__NR_futex, word, FUTEX_WAKE_PRIVATE, nr, NULL, NULL, 0);
}

#endif
