// SPDX-License-Identifier: GPL-2.0
/*
 * The module backend: batches run by ipi_bench.ko on the sender's CPU, stamped by it at the call,
 * at both ends of the function on every target, and at the return. The only file that does ioctl
 * on /dev/ipi_bench. One operation is one call of the scenario inside the kernel: no system call.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/ipi_bench.h>
#include <linux/kernel.h>

#include "../trace/symbols.h"
#include "../why.h"
#include "backend.h"
#include "clock.h"
#include "modload.h"
#include "sched.h"
#include "target.h"

/* A batch ends so long before the targets leave their burst: the last call may be a slow one. */
#define BURST_SLACK_NS	(IPI_BURST_MAX_NS / 5)
#define BUFFER_MAX	(16UL << 20)

struct ipi_session {
	const struct ipi_spec *spec;
	struct ipi_targets *targets;
	struct ipi_affinity affinity;
	struct ipi_bench_info info;
	struct ipi_bench_run run;	/* the last one */
	const unsigned char *buffer;
	size_t buffer_bytes;
	__u64 *mask;
	u32 mask_bytes;
	u32 *index;			/* the call in the buffer, of each call handed on */
	size_t max_calls;
	enum ipi_inject inject;
	u64 inject_ns;
	u64 gap_ns;
	bool rt;
	int fd;
};

static const struct {
	enum ipi_scenario scenario;
	u32 number;
	bool others;		/* sends to other CPUs */
	unsigned int irqs;
	unsigned int proof;
	const char *trigger;
} scenarios[] = {
	{ IPI_SCENARIO_DRY_RUN, IPI_BENCH_DRY_RUN, false, 0,
	  1U << IPI_COUNTER_CALL | 1U << IPI_COUNTER_WORK, "nothing" },
	{ IPI_SCENARIO_SELF_CALL, IPI_BENCH_SELF_CALL, false, 1U << IPI_IRQ_CALL,
	  1U << IPI_COUNTER_CALL, "smp_call_function_single(own cpu)" },
	{ IPI_SCENARIO_SELF_IPI, IPI_BENCH_SELF_IPI, false, 1U << IPI_IRQ_WORK,
	  1U << IPI_COUNTER_WORK, "irq_work_queue()" },
	{ IPI_SCENARIO_NORMAL, IPI_BENCH_NORMAL, true, 1U << IPI_IRQ_CALL,
	  1U << IPI_COUNTER_CALL, "smp_call_function_single()" },
	{ IPI_SCENARIO_BROADCAST, IPI_BENCH_BROADCAST, true, 1U << IPI_IRQ_CALL,
	  1U << IPI_COUNTER_CALL, "smp_call_function_many()" },
	{ IPI_SCENARIO_BROADCAST_LOCK, IPI_BENCH_BROADCAST_LOCK, true, 1U << IPI_IRQ_CALL,
	  1U << IPI_COUNTER_CALL, "smp_call_function_many(), one lock" },
};

/* The row of a scenario, -1 if the module has none. */
static int row_of(enum ipi_scenario scenario)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(scenarios); i++) {
		if (scenarios[i].scenario == scenario)
			return (int)i;
	}
	return -1;
}

static int get_info(int fd, struct ipi_bench_info *info, struct ipi_why *why)
{
	memset(info, 0, sizeof(*info));
	if (ioctl(fd, IPI_BENCH_GET_INFO, info) < 0)
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

static int open_device(struct ipi_session *session, struct ipi_why *why)
{
	session->fd = open(IPI_MODULE_DEVICE, O_RDWR | O_CLOEXEC);
	if (session->fd < 0)
		return ipi_why__set(why, errno, open_remedy(errno),
				    "can't open " IPI_MODULE_DEVICE);
	return get_info(session->fd, &session->info, why);
}

/* As many calls as fit the module's limits, ours and a buffer of a sane size. */
static int map_buffer(struct ipi_session *session, struct ipi_why *why)
{
	u64 targets = (u64)session->spec->dst.nr + 1;
	u64 limit = session->info.max_buffer < BUFFER_MAX ? session->info.max_buffer : BUFFER_MAX;
	u64 per_call = sizeof(struct ipi_bench_call) + targets * sizeof(struct ipi_bench_delivery);
	/* Tables may be padded to pages or cache lines. */
	u64 fixed = targets * (sizeof(struct ipi_bench_target) + 4096) + 8192;
	struct ipi_bench_setup setup = { 0 };
	void *buffer;

	if (limit < fixed + per_call)
		return ipi_why__set(why, E2BIG, "fewer targets", "results of one call don't fit");
	session->max_calls = (limit - fixed) / per_call;
	if (session->max_calls > session->info.max_calls)
		session->max_calls = session->info.max_calls;
	if (session->max_calls > IPI_BATCH_MAX)
		session->max_calls = IPI_BATCH_MAX;
	setup.bytes = fixed + session->max_calls * per_call;
	if (ioctl(session->fd, IPI_BENCH_SETUP, &setup) < 0)
		return ipi_why__set(why, errno, NULL, "can't get a result buffer");
	buffer = mmap(NULL, setup.bytes, PROT_READ, MAP_SHARED, session->fd, 0);
	if (buffer == MAP_FAILED)
		return ipi_why__set(why, errno, NULL, "can't map the result buffer");
	session->buffer = buffer;
	session->buffer_bytes = setup.bytes;
	session->index = calloc(session->max_calls, sizeof(*session->index));
	return session->index ? 0 : ipi_why__set(why, ENOMEM, NULL, "calls");
}

static int make_mask(struct ipi_session *session, struct ipi_why *why)
{
	const struct ipi_cpus *dst = &session->spec->dst;
	int i;

	if (!scenarios[row_of(session->spec->scenario)].others)
		return 0;
	session->mask_bytes = (u32)dst->cpu[dst->nr - 1] / 64 * 8 + 8;
	session->mask = calloc(1, session->mask_bytes);
	if (!session->mask)
		return ipi_why__set(why, ENOMEM, NULL, "CPU mask");
	for (i = 0; i < dst->nr; i++)
		session->mask[dst->cpu[i] / 64] |= 1ULL << (dst->cpu[i] % 64);
	return 0;
}

static void module_close(struct ipi_session *session)
{
	ipi_targets__delete(session->targets);
	if (session->buffer)
		munmap((void *)(uintptr_t)session->buffer, session->buffer_bytes);
	if (session->fd >= 0)
		close(session->fd);
	ipi_sched__unpin(&session->affinity);
	free(session->index);
	free(session->mask);
	free(session);
}

static int can_do(const struct ipi_session *session, struct ipi_why *why)
{
	int row = row_of(session->spec->scenario);

	if (!(session->info.scenarios & 1ULL << scenarios[row].number))
		return ipi_why__set(why, EOPNOTSUPP, NULL, "this module has no scenario '%s'",
				    ipi_scenario__name(session->spec->scenario));
	if (session->inject_ns > session->info.max_inject_ns)
		return ipi_why__set(why, ERANGE, NULL, "this module injects at most %llu ns",
				    (unsigned long long)session->info.max_inject_ns);
	return 0;
}

static int start_targets(struct ipi_session *session, const struct ipi_options *opt,
			 struct ipi_why *why)
{
	const struct ipi_spec *spec = session->spec;
	int err = ipi_sched__pin(spec->src, &session->affinity);

	if (err)
		return ipi_why__set(why, -err, "is it still online?", "can't run on CPU %d",
				    spec->src);
	session->targets = ipi_targets__new(&spec->dst, spec->target, opt->rt ?
					    IPI_TARGET_POLICY_FIFO : IPI_TARGET_POLICY_NORMAL,
					    why);
	return session->targets ? 0 : -EIO;
}

static int module_open(struct ipi_session **sessionp, const struct ipi_spec *spec,
		       const struct ipi_options *opt, struct ipi_cell *cell, struct ipi_why *why)
{
	struct ipi_session *session;
	int row = row_of(spec->scenario);
	int err;

	if (row < 0)
		return ipi_why__set(why, EOPNOTSUPP, "--backend auto or user",
				    "the module has no scenario '%s'",
				    ipi_scenario__name(spec->scenario));
	session = calloc(1, sizeof(*session));
	if (!session)
		return ipi_why__set(why, ENOMEM, NULL, "session");
	session->spec = spec;
	session->fd = -1;
	session->rt = opt->rt;
	session->gap_ns = spec->target == IPI_TARGET_IDLE ? opt->gap_ns : 0;
	/* There is nothing to delay where no function runs. */
	if (spec->scenario != IPI_SCENARIO_DRY_RUN) {
		session->inject = opt->inject;
		session->inject_ns = opt->inject_ns;
	}
	err = open_device(session, why);
	if (!err)
		err = can_do(session, why);
	if (!err)
		err = make_mask(session, why);
	if (!err)
		err = map_buffer(session, why);
	if (!err)
		err = start_targets(session, opt, why);
	if (err) {
		module_close(session);
		return err;
	}
	snprintf(cell->trigger, sizeof(cell->trigger), "%s", scenarios[row].trigger);
	cell->proof = scenarios[row].proof;
	cell->stamped = spec->scenario != IPI_SCENARIO_DRY_RUN;
	*sessionp = session;
	return 0;
}

/* @end: ns, when the targets' burst allows no more. */
static void make_run(const struct ipi_session *session, const struct ipi_batch *batch, u64 end,
		     struct ipi_bench_run *run)
{
	static const u32 injects[] = {
		[IPI_INJECT_NONE] = IPI_BENCH_INJECT_NONE,
		[IPI_INJECT_HANDLER] = IPI_BENCH_INJECT_HANDLER,
		[IPI_INJECT_IRQOFF] = IPI_BENCH_INJECT_IRQOFF,
	};
	u64 now = ipi_clock__now();

	memset(run, 0, sizeof(*run));
	run->scenario = scenarios[row_of(session->spec->scenario)].number;
	run->calls = (u32)(batch->max < session->max_calls ? batch->max : session->max_calls);
	if (end > batch->deadline_ns)
		end = batch->deadline_ns;
	run->max_ns = end > now ? end - now : 1;
	if (run->max_ns > session->info.max_ns)
		run->max_ns = session->info.max_ns;
	run->targets = (uintptr_t)session->mask;
	run->targets_bytes = session->mask_bytes;
	run->gap_ns = session->gap_ns;
	run->inject = injects[session->inject];
	run->inject_ns = session->inject_ns;
}

/* Does a table the module speaks of lie in the buffer? It is trusted no further. */
static bool in_buffer(const struct ipi_session *session, u64 offset, u64 nr, u64 size)
{
	return offset <= session->buffer_bytes && offset % 8 == 0 &&
	       nr <= (session->buffer_bytes - offset) / size;
}

static int check_run(const struct ipi_session *session)
{
	const struct ipi_bench_run *run = &session->run;
	u64 stride = run->deliveries_stride;
	u64 targets = run->nr_targets;

	if (run->done > run->calls ||
	    !in_buffer(session, run->targets_offset, targets, sizeof(struct ipi_bench_target)) ||
	    !in_buffer(session, run->calls_offset, run->done, sizeof(struct ipi_bench_call)))
		return -EPROTO;
	if (!targets || !run->done)
		return 0;
	if (stride % 8 || stride / sizeof(struct ipi_bench_delivery) < run->done ||
	    !in_buffer(session, run->deliveries_offset, targets, stride))
		return -EPROTO;
	return 0;
}

static void take_calls(struct ipi_session *session, struct ipi_batch *batch)
{
	const struct ipi_bench_run *run = &session->run;
	const struct ipi_bench_call *call;
	u32 i;

	call = (const void *)(session->buffer + run->calls_offset);
	for (i = 0; i < run->done; i++) {
		/* Not made: every target was offline. */
		if (!call[i].t_call)
			continue;
		session->index[batch->nr] = i;
		batch->call[batch->nr].t_call = call[i].t_call;
		batch->call[batch->nr].t_return = call[i].t_return;
		batch->nr++;
	}
	batch->errors = run->wrong_cpu + run->twice + run->missing + run->unseen + run->offline;
	batch->migrations = run->migrated;
	if (batch->errors)
		batch->error = -EIO;
}

static int module_batch(struct ipi_session *session, struct ipi_batch *batch)
{
	struct ipi_burst burst;
	int err;

	err = ipi_burst__begin(&burst, session->targets, session->rt);
	if (err)
		return err;
	make_run(session, batch, burst.limit_ns - BURST_SLACK_NS, &session->run);
	if (ioctl(session->fd, IPI_BENCH_RUN, &session->run) < 0)
		err = -errno;
	ipi_burst__end(&burst);
	if (err == -EINTR)
		return 0;
	if (!err)
		err = check_run(session);
	if (!err)
		take_calls(session, batch);
	return err;
}

static int module_stamps(const struct ipi_session *session, size_t call, int cpu, u64 *entry,
			 u64 *exit)
{
	const struct ipi_bench_run *run = &session->run;
	const struct ipi_bench_target *target;
	const struct ipi_bench_delivery *delivery;
	u32 low = 0, high = run->nr_targets;

	target = (const void *)(session->buffer + run->targets_offset);
	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (target[mid].cpu < (u32)cpu)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == run->nr_targets || target[low].cpu != (u32)cpu)
		return -ENOENT;
	delivery = (const void *)(session->buffer + run->deliveries_offset +
				  low * run->deliveries_stride);
	delivery += session->index[call];
	if (!delivery->t_entry || !delivery->t_exit)
		return -ENODATA;
	*entry = delivery->t_entry;
	*exit = delivery->t_exit;
	return 0;
}

static void module_rule(const struct ipi_session *session, const struct ipi_symbols *symbols,
			struct ipi_attach_rule *rule)
{
	int row = row_of(session->spec->scenario);

	(void)symbols;
	memset(rule, 0, sizeof(*rule));
	rule->src = session->spec->src;
	rule->tid = (int)syscall(__NR_gettid);
	rule->irqs = scenarios[row].irqs;
	rule->dst = session->spec->dst.cpu;
	rule->nr_dst = session->spec->dst.nr;
}

static int module_alive(const struct ipi_session *session, struct ipi_why *why)
{
	return ipi_sched__alive(session->spec->src, &session->spec->dst, why);
}

static void module_list(void (*line)(void *ctx, enum ipi_scenario scenario, const char *name,
				     const char *needs, const struct ipi_why *why), void *ctx)
{
	struct ipi_why why;
	bool usable = false;
	size_t i;
	int fd;

	fd = open(IPI_MODULE_DEVICE, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		ipi_why__set(&why, errno, open_remedy(errno), "can't open " IPI_MODULE_DEVICE);
	else
		close(fd);
	usable = fd >= 0;
	for (i = 0; i < ARRAY_SIZE(scenarios); i++)
		line(ctx, scenarios[i].scenario, scenarios[i].trigger,
		     "root; the module ipi_bench.ko", usable ? NULL : &why);
}

const struct ipi_backend ipi_backend_module = {
	.name = "module",
	.what = "the companion module ipi_bench.ko",
	.open = module_open,
	.batch = module_batch,
	.stamps = module_stamps,
	.rule = module_rule,
	.alive = module_alive,
	.interrupts = ipi_backend__interrupts,
	.steal_ms = ipi_backend__steal_ms,
	.close = module_close,
	.source = ipi_backend__source,
	.list = module_list,
};
