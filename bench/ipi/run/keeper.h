/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A keeper: a child process that undoes something if this process goes without having done so
 * itself, killed included. It waits for our end of a pipe to close, and does nothing else.
 */
#ifndef IPI_RUN_KEEPER_H
#define IPI_RUN_KEEPER_H

#include <stddef.h>
#include <sys/types.h>

/**
 * struct ipi_keeper - a keeper
 * @pid:	the child
 * @pipe:	our end: a byte says "all is done", its closing says "do it"
 */
struct ipi_keeper {
	pid_t pid;
	int pipe;
};

/**
 * ipi_keeper__start - have somebody ready to undo what is to be done next
 * @keeper:	filled
 * @undo:	called in the child when we go; async-signal-safe calls only, since this process may
 *		have threads
 * @ctx:	passed to @undo, a copy as of now
 * @fd:		the one file descriptor @undo needs, -1 if none: all others are closed in the child
 *
 * Return: 0 or -errno.
 */
int ipi_keeper__start(struct ipi_keeper *keeper, void (*undo)(void *ctx), void *ctx, int fd);

/* It has been undone: send the keeper away and wait for it to go. */
void ipi_keeper__stop(struct ipi_keeper *keeper);

/* We could not undo it: let the keeper try, and wait for it to go. */
void ipi_keeper__release(struct ipi_keeper *keeper);

#endif
