/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One open /dev/ipi_bench with its result buffer: a sender's end of the module. What the module
 * writes is trusted no further than the buffer reaches.
 */
#ifndef IPI_RUN_MODULE_DEV_H
#define IPI_RUN_MODULE_DEV_H

#include <stddef.h>
#include <linux/ipi_bench.h>

struct ipi_why;

/**
 * struct ipi_module_dev - a file of the module
 * @fd:		the file; -1: not open
 * @info:	what the module can do
 * @run:	the last batch: the request, and what became of it
 * @buffer:	the result buffer
 * @buffer_bytes: its size
 * @max_calls:	calls that a batch can have: the module's limit, ours and the buffer's
 */
struct ipi_module_dev {
	int fd;
	struct ipi_bench_info info;
	struct ipi_bench_run run;
	const unsigned char *buffer;
	size_t buffer_bytes;
	size_t max_calls;
};

/**
 * ipi_module_dev__open - open the device and see whether the module fits
 * @dev:	filled; close it also after an error
 * @why:	filled on error
 *
 * Return: 0 or -errno; -EPROTO: another ABI.
 */
int ipi_module_dev__open(struct ipi_module_dev *dev, struct ipi_why *why);
void ipi_module_dev__close(struct ipi_module_dev *dev);

/* Could it be opened? Return: 0 or -errno. */
int ipi_module_dev__probe(struct ipi_why *why);

/**
 * ipi_module_dev__map - get a result buffer
 * @dev:	open
 * @targets:	targets of a call at most
 * @why:	filled on error
 *
 * Return: 0 or -errno; -E2BIG: one call doesn't fit.
 */
int ipi_module_dev__map(struct ipi_module_dev *dev, int targets, struct ipi_why *why);

/**
 * ipi_module_dev__run - carry out @dev->run
 * @dev:	mapped
 *
 * Return: 0; -EPROTO where the module's answer is not to be believed; -errno of the request.
 */
int ipi_module_dev__run(struct ipi_module_dev *dev);

/* The calls of the last batch, @dev->run.done of them. */
const struct ipi_bench_call *ipi_module_dev__calls(const struct ipi_module_dev *dev);

/* The deliveries of the last batch's calls to one CPU; NULL if it was no target. */
const struct ipi_bench_delivery *ipi_module_dev__deliveries(const struct ipi_module_dev *dev,
							    int cpu);

/* Failed checks of the last batch; calls not made by a sender that had moved are none. */
__u64 ipi_module_dev__errors(const struct ipi_module_dev *dev);

#endif
