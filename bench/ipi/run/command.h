/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The user's own commands, which set what a comparison is about.
 */
#ifndef IPI_RUN_COMMAND_H
#define IPI_RUN_COMMAND_H

struct ipi_why;

/**
 * ipi_command__run - have a shell carry out a command and wait for its end
 * @command:	for "sh -c". What it prints goes to stderr, its stdin is empty
 * @why:	filled on failure
 *
 * Return: 0, or -errno where it could not be started, ended with another status than 0, or by a
 * signal.
 */
int ipi_command__run(const char *command, struct ipi_why *why);

#endif
