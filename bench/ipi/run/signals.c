// SPDX-License-Identifier: GPL-2.0
/*
 * Signals that end a run.
 */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <linux/kernel.h>

#include "signals.h"

/* Read and written with atomic builtins: set by a handler, asked for in loops. */
static sig_atomic_t pending;
static struct sigaction saved[4];
static const int caught[] = { SIGINT, SIGTERM, SIGHUP };

static void note_signal(int sig)
{
	__atomic_store_n(&pending, sig, __ATOMIC_RELAXED);
}

void ipi_signals__catch(void)
{
	struct sigaction action;
	unsigned int i;

	__atomic_store_n(&pending, 0, __ATOMIC_RELAXED);
	memset(&action, 0, sizeof(action));
	sigemptyset(&action.sa_mask);
	action.sa_handler = note_signal;
	for (i = 0; i < ARRAY_SIZE(caught); i++) {
		/* The second Ctrl-C finds the default again and ends a run that doesn't listen. */
		action.sa_flags = caught[i] == SIGINT ? (int)SA_RESETHAND : 0;
		sigaction(caught[i], &action, &saved[i]);
	}
	action.sa_flags = 0;
	action.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &action, &saved[i]);
}

void ipi_signals__restore(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(caught); i++)
		sigaction(caught[i], &saved[i], NULL);
	sigaction(SIGPIPE, &saved[i], NULL);
}

int ipi_signals__pending(void)
{
	return __atomic_load_n(&pending, __ATOMIC_RELAXED);
}

void ipi_signals__block(void)
{
	sigset_t set;

	sigfillset(&set);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}
