/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Signals that end a run. The handler sets a flag and nothing else; loops ask for it.
 */
#ifndef IPI_RUN_SIGNALS_H
#define IPI_RUN_SIGNALS_H

#include <stdbool.h>

/*
 * Catch SIGINT, SIGTERM and SIGHUP, ignore SIGPIPE (a broken pipe is an error of the write, so
 * that what was measured can still be saved). A second SIGINT kills as by default.
 */
void ipi_signals__catch(void);
void ipi_signals__restore(void);

/* The signal that came, 0 if none did. */
int ipi_signals__pending(void);

/* Block all of them in the calling thread, for threads the main one must outlive. */
void ipi_signals__block(void);

#endif
