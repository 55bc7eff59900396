// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/ipi_bench: measures inter-processor interrupts, for "perf bench ipi". This file is the
 * device: open, ioctl, mmap, close. Loading the module does nothing but make the device.
 */
#include <linux/build_bug.h>
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/time.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "compat.h"
#include "ipi_bench.h"

static unsigned int max_buffer_mib = 64;
module_param(max_buffer_mib, uint, 0444);
MODULE_PARM_DESC(max_buffer_mib, "Size of a file's result buffer at most, in MiB (default 64)");

/* No implicit padding, and sizes that never change. */
static_assert(sizeof(struct ipi_bench_info) == IPI_BENCH_INFO_SIZE_VER0);
static_assert(offsetof(struct ipi_bench_info, version) == 64);
static_assert(sizeof(struct ipi_bench_setup) == IPI_BENCH_SETUP_SIZE_VER0);
static_assert(sizeof(struct ipi_bench_run) == IPI_BENCH_RUN_SIZE_VER0);
static_assert(offsetof(struct ipi_bench_run, gate_fd) == 48);
static_assert(offsetof(struct ipi_bench_run, done) == 64);
static_assert(offsetof(struct ipi_bench_run, delivered) == 128);
static_assert(offsetof(struct ipi_bench_run, stuck_cpu) == 192);
static_assert(sizeof(struct ipi_bench_call) == 16);
static_assert(sizeof(struct ipi_bench_delivery) == 16);
static_assert(sizeof(struct ipi_bench_target) == 32);
static_assert(sizeof(IPI_BENCH_VERSION) <= sizeof_field(struct ipi_bench_info, version));

static u64 ipi_bench_max_buffer(void)
{
	return (u64)max_buffer_mib << 20;
}

/* Hands out a struct as long as user space has it; what we do not know of it is zeroed. */
static long ipi_bench_give(void __user *to, size_t to_size, const void *from, size_t size)
{
	size_t both = min(size, to_size);

	if (copy_to_user(to, from, both) || clear_user(to + both, to_size - both))
		return -EFAULT;
	return 0;
}

static long ipi_bench_get_info(void __user *arg, size_t size)
{
	struct ipi_bench_info info = {
		.abi_major	= IPI_BENCH_ABI_MAJOR,
		.abi_minor	= IPI_BENCH_ABI_MINOR,
		.scenarios	= (1ULL << IPI_BENCH_SCENARIOS) - 1,
		.features	= IPI_BENCH_FEATURE_NOWAIT | IPI_BENCH_FEATURE_HANDLER |
				  IPI_BENCH_FEATURE_IRQOFF | IPI_BENCH_FEATURE_TICK,
		.nr_cpu_ids	= nr_cpu_ids,
		.max_calls	= IPI_BENCH_MAX_CALLS,
		.max_ns		= IPI_BENCH_MAX_NS,
		.max_inject_ns	= IPI_BENCH_MAX_INJECT_NS,
		.max_buffer	= ipi_bench_max_buffer(),
		.clock_id	= CLOCK_MONOTONIC_RAW,
		.version	= IPI_BENCH_VERSION,
	};

	if (size < IPI_BENCH_INFO_SIZE_VER0)
		return -EINVAL;
	return ipi_bench_give(arg, size, &info, sizeof(info));
}

static long ipi_bench_make_buffer(struct ipi_bench_state *state, struct ipi_bench_setup *setup)
{
	void *buffer;

	if (setup->flags || setup->reserved || !setup->bytes ||
	    setup->bytes > ipi_bench_max_buffer())
		return -EINVAL;
	if (state->buffer)
		return -EEXIST;

	setup->bytes = PAGE_ALIGN(setup->bytes);
	buffer = vmalloc_user(setup->bytes);
	if (!buffer)
		return -ENOMEM;
	state->bytes = setup->bytes;
	/* Pairs with ipi_bench_mmap(), which does not take the lock. */
	smp_store_release(&state->buffer, buffer);
	return 0;
}

static long ipi_bench_setup(struct ipi_bench_state *state, void __user *arg, size_t size)
{
	struct ipi_bench_setup setup;
	long err;

	if (size < IPI_BENCH_SETUP_SIZE_VER0)
		return -EINVAL;
	err = copy_struct_from_user(&setup, sizeof(setup), arg, size);
	if (err)
		return err;
	if (!mutex_trylock(&state->busy))
		return -EBUSY;
	err = ipi_bench_make_buffer(state, &setup);
	mutex_unlock(&state->busy);
	return err ?: ipi_bench_give(arg, size, &setup, sizeof(setup));
}

static long ipi_bench_run(struct ipi_bench_state *state, void __user *arg, size_t size)
{
	struct ipi_bench_run run;
	long err;

	if (size < IPI_BENCH_RUN_SIZE_VER0)
		return -EINVAL;
	err = copy_struct_from_user(&run, sizeof(run), arg, size);
	if (err)
		return err;
	if (!mutex_trylock(&state->busy))
		return -EBUSY;
	err = ipi_bench_request(state, &run);
	mutex_unlock(&state->busy);
	return err ?: ipi_bench_give(arg, size, &run, sizeof(run));
}

/* By number, whatever the size: the structs may grow. */
static long ipi_bench_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	void __user *to = (void __user *)arg;
	size_t size = _IOC_SIZE(cmd);

	if (_IOC_TYPE(cmd) != IPI_BENCH_IOC_MAGIC)
		return -ENOTTY;
	switch (_IOC_NR(cmd)) {
	case _IOC_NR(IPI_BENCH_GET_INFO):
		return ipi_bench_get_info(to, size);
	case _IOC_NR(IPI_BENCH_SETUP):
		return ipi_bench_setup(file->private_data, to, size);
	case _IOC_NR(IPI_BENCH_RUN):
		return ipi_bench_run(file->private_data, to, size);
	default:
		return -ENOTTY;
	}
}

static int ipi_bench_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct ipi_bench_state *state = file->private_data;
	/* Pairs with ipi_bench_make_buffer(). */
	void *buffer = smp_load_acquire(&state->buffer);

	if (!buffer)
		return -ENOBUFS;
	if (!(vma->vm_flags & VM_MAYSHARE))
		return -EINVAL;
	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EPERM;
	ipi_bench_vm_forbid_write(vma);
	return remap_vmalloc_range(vma, buffer, vma->vm_pgoff);
}

static int ipi_bench_open(struct inode *inode, struct file *file)
{
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	file->private_data = ipi_bench_state_alloc();
	return file->private_data ? 0 : -ENOMEM;
}

static int ipi_bench_release(struct inode *inode, struct file *file)
{
	ipi_bench_state_release(file->private_data);
	return 0;
}

/* Not static: a gate is named by a file descriptor, whose file has to be ours. */
const struct file_operations ipi_bench_fops = {
	.owner		= THIS_MODULE,
	.open		= ipi_bench_open,
	.release	= ipi_bench_release,
	.unlocked_ioctl	= ipi_bench_ioctl,
	.compat_ioctl	= compat_ptr_ioctl,
	.mmap		= ipi_bench_mmap,
	.llseek		= noop_llseek,
};

static struct miscdevice ipi_bench_device = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= "ipi_bench",
	.fops	= &ipi_bench_fops,
	.mode	= 0600,
};

static int __init ipi_bench_init(void)
{
	return misc_register(&ipi_bench_device);
}
module_init(ipi_bench_init);

static void __exit ipi_bench_exit(void)
{
	misc_deregister(&ipi_bench_device);
	ipi_bench_state_exit();
}
module_exit(ipi_bench_exit);

MODULE_DESCRIPTION("Measures inter-processor interrupts, for perf bench ipi");
MODULE_AUTHOR("The perf bench ipi authors");
MODULE_VERSION(IPI_BENCH_VERSION);
/* Read from the file before it is loaded. */
MODULE_INFO(ipi_bench_abi, __stringify(IPI_BENCH_ABI_MAJOR) "." __stringify(IPI_BENCH_ABI_MINOR));
MODULE_LICENSE("GPL");
