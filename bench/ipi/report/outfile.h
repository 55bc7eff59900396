/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file that is written whole or not at all: beside the one it is going to be, and renamed when
 * all of it is on disk. What is no regular file (a pipe, /dev/full, a terminal) is written
 * directly. Knows nothing of what is written.
 */
#ifndef IPI_REPORT_OUTFILE_H
#define IPI_REPORT_OUTFILE_H

#include <stdio.h>

struct ipi_why;

/**
 * struct ipi_outfile - a file being written
 * @file:	write here
 * @name:	as the user called it, for messages
 * @path:	where it goes in the end, symbolic links resolved; NULL when written directly
 * @temp:	what it is called until then; NULL when written directly
 */
struct ipi_outfile {
	FILE *file;
	const char *name;
	char *path;
	char *temp;
};

/**
 * ipi_outfile__open - begin
 * @out:	filled
 * @name:	path, or "-" for stdout; must stay valid
 * @why:	filled on error
 *
 * Return: 0 or -errno, then there is nothing to close.
 */
int ipi_outfile__open(struct ipi_outfile *out, const char *name, struct ipi_why *why);

/* All is written: make it last, under its name. Return: 0, or -errno and nothing is left behind. */
int ipi_outfile__commit(struct ipi_outfile *out, struct ipi_why *why);

/*
 * Give up with the error @err (positive): an older file stays as it was, nothing is left behind.
 * Return: -@err, with @why filled.
 */
int ipi_outfile__abort(struct ipi_outfile *out, int err, struct ipi_why *why);

/* Could it be written? Asked before hours of work. Return: 0 or -errno; nothing is changed. */
int ipi_outfile__check(const char *name, struct ipi_why *why);

#endif
