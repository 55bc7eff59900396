// SPDX-License-Identifier: GPL-2.0
/*
 * The device of ipi_bench.ko. The only file that does ioctl on it.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <linux/types.h>

#include "../why.h"
#include "backend.h"
#include "modload.h"
#include "module-dev.h"

#define BUFFER_MAX	(16UL << 20)

static const char *open_remedy(int err)
{
	switch (err) {
	case EACCES:
	case EPERM:
		return "run as root";
	case ENOENT:
		return "load the module: --module PATH";
	case EBUSY:
		return "another run uses it: wait for its end";
	default:
		return NULL;
	}
}

static int open_file(struct ipi_why *why)
{
	int fd = open(IPI_MODULE_DEVICE, O_RDWR | O_CLOEXEC);

	return fd >= 0 ? fd : ipi_why__set(why, errno, open_remedy(errno),
					   "can't open " IPI_MODULE_DEVICE);
}

int ipi_module_dev__probe(struct ipi_why *why)
{
	int fd = open_file(why);

	return fd < 0 ? fd : close(fd);
}

static int get_info(struct ipi_module_dev *dev, struct ipi_why *why)
{
	struct ipi_bench_info *info = &dev->info;

	if (ioctl(dev->fd, IPI_BENCH_GET_INFO, info) < 0)
		return ipi_why__set(why, errno, "unload it and load the one of this version",
				    "the module doesn't answer");
	if (info->abi_major == IPI_BENCH_ABI_MAJOR)
		return 0;
	ipi_why__set(why, 0, "unload it and load the one of this version",
		     "the module has ABI %u.%u, which is too %s for ABI %d.%d", info->abi_major,
		     info->abi_minor, info->abi_major > IPI_BENCH_ABI_MAJOR ? "new" : "old",
		     IPI_BENCH_ABI_MAJOR, IPI_BENCH_ABI_MINOR);
	return -EPROTO;
}

int ipi_module_dev__open(struct ipi_module_dev *dev, struct ipi_why *why)
{
	memset(dev, 0, sizeof(*dev));
	dev->fd = open_file(why);
	return dev->fd < 0 ? dev->fd : get_info(dev, why);
}

void ipi_module_dev__close(struct ipi_module_dev *dev)
{
	if (dev->buffer)
		munmap((void *)(uintptr_t)dev->buffer, dev->buffer_bytes);
	if (dev->fd >= 0)
		close(dev->fd);
	dev->buffer = NULL;
	dev->fd = -1;
}

int ipi_module_dev__map(struct ipi_module_dev *dev, int targets, struct ipi_why *why)
{
	u64 tables = (u64)targets + 1;
	u64 limit = dev->info.max_buffer < BUFFER_MAX ? dev->info.max_buffer : BUFFER_MAX;
	u64 per_call = sizeof(struct ipi_bench_call) + tables * sizeof(struct ipi_bench_delivery);
	/* Tables may be padded to pages or cache lines. */
	u64 fixed = tables * (sizeof(struct ipi_bench_target) + 4096) + 8192;
	struct ipi_bench_setup setup = { 0 };
	void *buffer;

	if (limit < fixed + per_call)
		return ipi_why__set(why, E2BIG, "fewer targets", "results of one call don't fit");
	dev->max_calls = (limit - fixed) / per_call;
	if (dev->max_calls > dev->info.max_calls)
		dev->max_calls = dev->info.max_calls;
	if (dev->max_calls > IPI_BATCH_MAX)
		dev->max_calls = IPI_BATCH_MAX;
	setup.bytes = fixed + dev->max_calls * per_call;
	if (ioctl(dev->fd, IPI_BENCH_SETUP, &setup) < 0)
		return ipi_why__set(why, errno, NULL, "can't get a result buffer");
	buffer = mmap(NULL, setup.bytes, PROT_READ, MAP_SHARED, dev->fd, 0);
	if (buffer == MAP_FAILED)
		return ipi_why__set(why, errno, NULL, "can't map the result buffer");
	dev->buffer = buffer;
	dev->buffer_bytes = setup.bytes;
	return 0;
}

/* Does a table the module speaks of lie in the buffer? */
static bool in_buffer(const struct ipi_module_dev *dev, u64 offset, u64 nr, u64 size)
{
	return offset <= dev->buffer_bytes && offset % 8 == 0 &&
	       nr <= (dev->buffer_bytes - offset) / size;
}

static int check_run(const struct ipi_module_dev *dev)
{
	const struct ipi_bench_run *run = &dev->run;
	u64 stride = run->deliveries_stride;
	u64 targets = run->nr_targets;

	if (run->done > run->calls ||
	    !in_buffer(dev, run->targets_offset, targets, sizeof(struct ipi_bench_target)) ||
	    !in_buffer(dev, run->calls_offset, run->done, sizeof(struct ipi_bench_call)))
		return -EPROTO;
	if (!targets || !run->done)
		return 0;
	if (stride % 8 || stride / sizeof(struct ipi_bench_delivery) < run->done ||
	    !in_buffer(dev, run->deliveries_offset, targets, stride))
		return -EPROTO;
	return 0;
}

int ipi_module_dev__run(struct ipi_module_dev *dev)
{
	if (ioctl(dev->fd, IPI_BENCH_RUN, &dev->run) < 0)
		return -errno;
	return check_run(dev);
}

const struct ipi_bench_call *ipi_module_dev__calls(const struct ipi_module_dev *dev)
{
	return (const void *)(dev->buffer + dev->run.calls_offset);
}

const struct ipi_bench_delivery *ipi_module_dev__deliveries(const struct ipi_module_dev *dev,
							    int cpu)
{
	const struct ipi_bench_run *run = &dev->run;
	const struct ipi_bench_target *target;
	u32 low = 0, high = run->nr_targets;

	target = (const void *)(dev->buffer + run->targets_offset);
	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (target[mid].cpu < (u32)cpu)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == run->nr_targets || target[low].cpu != (u32)cpu)
		return NULL;
	return (const void *)(dev->buffer + run->deliveries_offset + low * run->deliveries_stride);
}

__u64 ipi_module_dev__errors(const struct ipi_module_dev *dev)
{
	const struct ipi_bench_run *run = &dev->run;

	return run->wrong_cpu + run->twice + run->missing + run->unseen + run->offline;
}
