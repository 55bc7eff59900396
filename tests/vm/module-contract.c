// SPDX-License-Identifier: GPL-2.0
/*
 * The contract of /dev/ipi_bench, request by request: what it refuses and with which errno, what it
 * gives, that every call and delivery is there and in order. The module is loaded.
 *
 * usage: module-contract
 */
#include "module.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>

#define CALLS	200
#define BYTES	(1024 * 1024)

static int cpus;
static uint64_t all[MASK_WORDS];

/* -- opening ----------------------------------------------------------------------------------- */

/* What open() says to a user who is not root. */
static int open_as_nobody(void)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		if (setgid(65534) || setuid(65534))
			_exit(255);
		_exit(dev_open() < 0 ? errno : 0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static void test_open(void)
{
	is(open_as_nobody(), EACCES, "open: the device is root's alone");
	chmod(DEVICE, 0666);
	is(open_as_nobody(), EPERM, "open: needs CAP_SYS_ADMIN even with access");
	chmod(DEVICE, 0600);
}

/* -- GET_INFO ---------------------------------------------------------------------------------- */

/* A request like @request with another size. */
static unsigned long sized(unsigned long request, unsigned int size)
{
	return _IOC(_IOC_DIR(request), _IOC_TYPE(request), _IOC_NR(request), size);
}

static void test_info(int fd)
{
	struct {
		struct ipi_bench_info info;
		uint64_t later[4];
	} big;
	struct ipi_bench_info info;

	memset(&info, 0xff, sizeof(info));
	is(call(fd, IPI_BENCH_GET_INFO, &info), 0, "info");
	is(info.abi_major, IPI_BENCH_ABI_MAJOR, "info: major version");
	is(info.abi_minor, IPI_BENCH_ABI_MINOR, "info: minor version");
	is(info.scenarios, (1 << IPI_BENCH_SCENARIOS) - 1, "info: scenarios");
	is(info.features, IPI_BENCH_FEATURE_NOWAIT | IPI_BENCH_FEATURE_HANDLER |
	   IPI_BENCH_FEATURE_IRQOFF | IPI_BENCH_FEATURE_TICK, "info: features");
	ok((int)info.nr_cpu_ids >= cpus, "info: CPU numbers");
	is(info.clock_id, CLOCK_MONOTONIC_RAW, "info: clock");
	is(info.reserved, 0, "info: reserved is zero");
	ok(info.max_calls && info.max_ns && info.max_inject_ns && info.max_buffer, "info: limits");
	ok(memchr(info.version, 0, sizeof(info.version)) && info.version[0], "info: version");

	memset(&big, 0xff, sizeof(big));
	is(call(fd, sized(IPI_BENCH_GET_INFO, sizeof(big)), &big), 0, "info: a larger struct");
	is(big.later[0] | big.later[3], 0, "info: what is not known is zeroed");
	is(call(fd, sized(IPI_BENCH_GET_INFO, IPI_BENCH_INFO_SIZE_VER0 - 8), &info), -EINVAL,
	   "info: a smaller struct than ever was");
	is(call(fd, sized(IPI_BENCH_GET_INFO, 0), &info), -EINVAL, "info: no struct");
	is(call(fd, IPI_BENCH_GET_INFO, NULL), -EFAULT, "info: no address");
	is(call(fd, _IOR(IPI_BENCH_IOC_MAGIC, 99, info), &info), -ENOTTY, "unknown request");
	is(call(fd, _IOR('T', 0, info), &info), -ENOTTY, "unknown type of request");
}

/* -- SETUP and mmap ---------------------------------------------------------------------------- */

static int map_errno(int fd, size_t bytes, int prot, int flags)
{
	void *map = mmap(NULL, bytes, prot, flags, fd, 0);

	if (map == MAP_FAILED)
		return errno;
	munmap(map, bytes);
	return 0;
}

static void test_setup_refused(int fd, uint64_t max_buffer)
{
	struct {
		struct ipi_bench_setup setup;
		uint64_t later;
	} big = { .setup.bytes = BYTES, .later = 1 };
	struct ipi_bench_setup setup = { 0 };
	struct ipi_bench_run run = run_of(IPI_BENCH_DRY_RUN, 1, NULL);

	is(map_errno(fd, 4096, PROT_READ, MAP_SHARED), ENOBUFS, "mmap: no buffer yet");
	is(call(fd, IPI_BENCH_RUN, &run), -ENOBUFS, "run: no buffer yet");
	is(call(fd, IPI_BENCH_SETUP, &setup), -EINVAL, "setup: no bytes");
	setup.bytes = max_buffer + 1;
	is(call(fd, IPI_BENCH_SETUP, &setup), -EINVAL, "setup: more than the limit");
	setup.bytes = UINT64_MAX;
	is(call(fd, IPI_BENCH_SETUP, &setup), -EINVAL, "setup: all bytes there are");
	setup = (struct ipi_bench_setup){ .bytes = BYTES, .flags = 1 };
	is(call(fd, IPI_BENCH_SETUP, &setup), -EINVAL, "setup: unknown flag");
	setup = (struct ipi_bench_setup){ .bytes = BYTES, .reserved = 1 };
	is(call(fd, IPI_BENCH_SETUP, &setup), -EINVAL, "setup: reserved");
	is(call(fd, IPI_BENCH_SETUP, NULL), -EFAULT, "setup: no address");
	is(call(fd, sized(IPI_BENCH_SETUP, 8), &setup), -EINVAL, "setup: too small a struct");
	is(call(fd, sized(IPI_BENCH_SETUP, sizeof(big)), &big), -E2BIG,
	   "setup: a larger struct that asks for what is not known");
}

static void test_setup(struct dev *dev, uint64_t max_buffer)
{
	struct {
		struct ipi_bench_setup setup;
		uint64_t later;
	} big = { .setup.bytes = BYTES - 1 };
	char byte;

	dev->fd = dev_open();
	if (!ok(dev->fd >= 0, "open"))
		return;
	test_setup_refused(dev->fd, max_buffer);
	is(call(dev->fd, sized(IPI_BENCH_SETUP, sizeof(big)), &big), 0, "setup: a larger struct");
	is(big.setup.bytes, BYTES, "setup: bytes are rounded up to pages");
	is(call(dev->fd, IPI_BENCH_SETUP, &big.setup), -EEXIST, "setup: only once");

	dev->bytes = BYTES;
	is(map_errno(dev->fd, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED), EPERM, "mmap: to write");
	is(map_errno(dev->fd, BYTES, PROT_READ | PROT_EXEC, MAP_SHARED), EPERM, "mmap: to execute");
	is(map_errno(dev->fd, BYTES, PROT_READ, MAP_PRIVATE), EINVAL, "mmap: private");
	is(map_errno(dev->fd, BYTES + 4096, PROT_READ, MAP_SHARED), EINVAL, "mmap: too much");
	is(read(dev->fd, &byte, 1) < 0 ? errno : 0, EINVAL, "read: there is no such thing");
	dev->buffer = mmap(NULL, BYTES, PROT_READ, MAP_SHARED, dev->fd, 0);
	ok(dev->buffer != MAP_FAILED, "mmap: to read");
	is(mprotect((void *)dev->buffer, 4096, PROT_READ | PROT_WRITE) ? errno : 0, EACCES,
	   "mprotect: nobody will write");
}

/* -- RUN, refused ------------------------------------------------------------------------------ */

struct refusal {
	const char *why;
	int want;
	struct ipi_bench_run run;
};

#define REFUSE_AS_IT_IS(text, error, ...)	{ text, error, { __VA_ARGS__ } }
#define REFUSE(text, error, ...)	\
	REFUSE_AS_IT_IS(text, error, .calls = 1, .max_ns = SECOND_NS, __VA_ARGS__)

static const struct refusal refusals[] = {
	REFUSE("unknown scenario", -EINVAL, .scenario = IPI_BENCH_SCENARIOS),
	REFUSE("scenario -1", -EINVAL, .scenario = ~0U),
	REFUSE("unknown flag", -EINVAL, .flags = 4),
	REFUSE("no-wait without a call that waits", -EINVAL, .flags = IPI_BENCH_RUN_NOWAIT),
	REFUSE_AS_IT_IS("no calls", -EINVAL, .max_ns = 1),
	REFUSE_AS_IT_IS("too many calls", -EINVAL, .max_ns = 1, .calls = 65537),
	REFUSE_AS_IT_IS("calls -1", -EINVAL, .max_ns = 1, .calls = ~0U),
	REFUSE_AS_IT_IS("no time", -EINVAL, .calls = 1),
	REFUSE_AS_IT_IS("too much time", -EINVAL, .calls = 1, .max_ns = 10 * SECOND_NS + 1),
	REFUSE_AS_IT_IS("time -1", -EINVAL, .calls = 1, .max_ns = UINT64_MAX),
	REFUSE("gap too long", -EINVAL, .gap_ns = 1000001),
	REFUSE("first without multicast", -EINVAL, .first = 1),
	REFUSE("a mask that the scenario does not use", -EINVAL, .targets_bytes = 8),
	REFUSE("an address that the scenario does not use", -EINVAL, .targets = 8),
	REFUSE("a gate without a storm", -EINVAL, .gate_callers = 2),
	REFUSE("a gate's file without a storm", -EINVAL, .gate_fd = 1),
	REFUSE("unknown injection", -EINVAL, .scenario = IPI_BENCH_SELF_CALL, .inject = 3,
	       .inject_ns = 1),
	REFUSE("injection for no time", -EINVAL, .scenario = IPI_BENCH_SELF_CALL,
	       .inject = IPI_BENCH_INJECT_HANDLER),
	REFUSE("injection for too long", -EINVAL, .scenario = IPI_BENCH_SELF_CALL,
	       .inject = IPI_BENCH_INJECT_HANDLER, .inject_ns = 1000001),
	REFUSE("time without injection", -EINVAL, .scenario = IPI_BENCH_SELF_CALL, .inject_ns = 1),
	REFUSE("a dry run has no function to delay", -EINVAL, .inject = IPI_BENCH_INJECT_HANDLER,
	       .inject_ns = 1),
	REFUSE("a self-call has no target to hold", -EINVAL, .scenario = IPI_BENCH_SELF_CALL,
	       .inject = IPI_BENCH_INJECT_IRQOFF, .inject_ns = 1),
	REFUSE("a self-IPI has no target to hold", -EINVAL, .scenario = IPI_BENCH_SELF_IPI,
	       .inject = IPI_BENCH_INJECT_IRQOFF, .inject_ns = 1),
	REFUSE("no mask", -EINVAL, .scenario = IPI_BENCH_NORMAL),
	REFUSE("a mask at no address", -EFAULT, .scenario = IPI_BENCH_NORMAL, .targets_bytes = 8),
	REFUSE("half a word of a mask", -EINVAL, .scenario = IPI_BENCH_NORMAL, .targets_bytes = 4),
	REFUSE("too large a mask", -EINVAL, .scenario = IPI_BENCH_NORMAL, .targets_bytes = 8200),
	REFUSE("a storm without a gate", -EINVAL, .scenario = IPI_BENCH_STORM, .targets_bytes = 8),
	REFUSE("a storm that does not wait", -EINVAL, .scenario = IPI_BENCH_STORM,
	       .gate_callers = 1, .flags = IPI_BENCH_RUN_NOWAIT),
	REFUSE("a storm at held targets", -EINVAL, .scenario = IPI_BENCH_STORM, .gate_callers = 1,
	       .inject = IPI_BENCH_INJECT_IRQOFF, .inject_ns = 1),
	REFUSE("a lock without waiting", -EINVAL, .scenario = IPI_BENCH_BROADCAST_LOCK,
	       .flags = IPI_BENCH_RUN_NOWAIT),
};

static void test_masks(int fd)
{
	uint64_t mask[MASK_WORDS];
	struct ipi_bench_run run;

	mask_one(mask, MASK_WORDS * 64 - 1);
	run = run_of(IPI_BENCH_BROADCAST, 1, mask);
	is(call(fd, IPI_BENCH_RUN, &run), -EINVAL, "run: a CPU that can't be");
	mask_one(mask, 0);
	run = run_of(IPI_BENCH_BROADCAST, 1, mask);
	is(call(fd, IPI_BENCH_RUN, &run), -ENODEV, "run: nobody but the caller");
	memset(mask, 0, sizeof(mask));
	run = run_of(IPI_BENCH_NORMAL, 1, mask);
	is(call(fd, IPI_BENCH_RUN, &run), -ENODEV, "run: an empty mask");
	run = run_of(IPI_BENCH_MULTICAST, 1, all);
	is(call(fd, IPI_BENCH_RUN, &run), -EINVAL, "run: a multicast at nobody");
	if (cpus < 2)
		return;
	run.first = cpus;
	is(call(fd, IPI_BENCH_RUN, &run), -EINVAL, "run: a multicast at more than there are");
	if (cpus < 3)
		return;
	run = run_of(IPI_BENCH_NORMAL, 1, all);
	is(call(fd, IPI_BENCH_RUN, &run), -EINVAL, "run: normal has one target, no more");
}

static void test_run_refused(int fd)
{
	struct {
		struct ipi_bench_run run;
		uint64_t later;
	} big = { .run = run_of(IPI_BENCH_DRY_RUN, 1, NULL), .later = 1 };
	struct ipi_bench_run run = run_of(IPI_BENCH_SELF_CALL, 65536, NULL);
	size_t i;

	for (i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
		struct ipi_bench_run bad = refusals[i].run;

		is(call(fd, IPI_BENCH_RUN, &bad), refusals[i].want, "run: %s", refusals[i].why);
	}
	is(call(fd, IPI_BENCH_RUN, &run), -ENOBUFS, "run: more than the buffer holds");
	is(call(fd, IPI_BENCH_RUN, NULL), -EFAULT, "run: no address");
	is(call(fd, sized(IPI_BENCH_RUN, IPI_BENCH_RUN_SIZE_VER0 - 8), &run), -EINVAL,
	   "run: too small a struct");
	is(call(fd, sized(IPI_BENCH_RUN, sizeof(big)), &big), -E2BIG,
	   "run: a larger struct that asks for what is not known");
	big.later = 0;
	is(call(fd, sized(IPI_BENCH_RUN, sizeof(big)), &big), 0, "run: a larger struct");
	is(big.run.done, 1, "run: a larger struct is filled");
	test_masks(fd);
}

/* -- RUN, carried out -------------------------------------------------------------------------- */

/* How many calls are in order, one after the other, inside [@from, @to]? */
static unsigned int calls_in_order(const struct dev *dev, const struct ipi_bench_run *run,
				   uint64_t from, uint64_t to)
{
	const struct ipi_bench_call *calls = dev_calls(dev, run);
	unsigned int i, good = 0;

	for (i = 0; i < run->done; i++) {
		good += calls[i].t_call >= from && calls[i].t_return >= calls[i].t_call &&
			calls[i].t_return <= to;
		from = calls[i].t_return;
	}
	return good;
}

/* How many deliveries to a target are in order, and inside their call if that waits? */
static unsigned int deliveries_in_order(const struct dev *dev, const struct ipi_bench_run *run,
					unsigned int target, uint64_t to)
{
	const struct ipi_bench_delivery *deliveries = dev_deliveries(dev, run, target);
	const struct ipi_bench_call *calls = dev_calls(dev, run);
	bool waits = !(run->flags & IPI_BENCH_RUN_NOWAIT);
	unsigned int i, good = 0;

	for (i = 0; i < run->done; i++)
		good += deliveries[i].t_entry >= calls[i].t_call &&
			deliveries[i].t_exit >= deliveries[i].t_entry &&
			deliveries[i].t_exit <= (waits ? calls[i].t_return : to);
	return good;
}

static bool layout_fits(const struct dev *dev, const struct ipi_bench_run *run)
{
	uint64_t targets_end = run->targets_offset +
			       run->nr_targets * sizeof(struct ipi_bench_target);
	uint64_t calls_end = run->calls_offset + run->calls * sizeof(struct ipi_bench_call);

	return targets_end <= run->calls_offset && calls_end <= run->deliveries_offset &&
	       run->deliveries_stride >= run->calls * sizeof(struct ipi_bench_delivery) &&
	       run->deliveries_offset + run->nr_targets * run->deliveries_stride <= dev->bytes;
}

static void test_targets(const struct dev *dev, const struct ipi_bench_run *run, uint64_t to,
			 const char *name)
{
	const struct ipi_bench_target *targets = dev_targets(dev, run);
	unsigned int t, good = 0, right = 0, last = 0;

	for (t = 0; t < run->nr_targets; t++) {
		good += deliveries_in_order(dev, run, t, to);
		right += targets[t].delivered == run->done && !targets[t].twice &&
			 !targets[t].missing && !targets[t].unseen && !targets[t].offline &&
			 (!t || targets[t].cpu > last) &&
			 (targets[t].cpu == run->sender) == !has_targets(run->scenario);
		last = targets[t].cpu;
	}
	is(right, run->nr_targets, "%s: the lines of all targets", name);
	is(good, run->nr_targets * run->done, "%s: every delivery in order", name);
}

/* Carries out @run, which should reach @targets; all that it gives has to agree. */
static void test_run(const struct dev *dev, struct ipi_bench_run run, unsigned int targets,
		     const char *name)
{
	uint64_t from = now_ns(), to;

	if (!is(call(dev->fd, IPI_BENCH_RUN, &run), 0, "%s", name))
		return;
	to = now_ns();
	is(run.ended, IPI_BENCH_ENDED_CALLS, "%s: all calls made", name);
	is(run.done, run.calls, "%s: calls", name);
	is(run.sender, 0, "%s: sender", name);
	is(run.nr_targets, targets, "%s: targets", name);
	is(run.delivered, (uint64_t)run.calls * targets, "%s: deliveries", name);
	is(run_errors(&run), 0, "%s: errors", name);
	is(run.not_held, 0, "%s: targets not held", name);
	is(run.stuck_cpu, -1, "%s: stuck CPU", name);
	ok(run.clock_ps && run.elapsed_ns <= to - from, "%s: times", name);
	if (!ok(layout_fits(dev, &run), "%s: layout", name))
		return;
	/* A ns: ours is read at another instant than the module's, and both are rounded. */
	is(calls_in_order(dev, &run, from - 1, to + 1), run.done, "%s: every call in order", name);
	test_targets(dev, &run, to + 1, name);
}

static void test_runs(const struct dev *dev)
{
	uint64_t one[MASK_WORDS];
	struct ipi_bench_run run;
	int k;

	mask_one(one, 1);
	test_run(dev, run_of(IPI_BENCH_DRY_RUN, CALLS, NULL), 0, "dry-run");
	test_run(dev, run_of(IPI_BENCH_SELF_CALL, CALLS, NULL), 1, "self-call");
	test_run(dev, run_of(IPI_BENCH_SELF_IPI, CALLS, NULL), 1, "self-ipi");
	test_run(dev, run_of(IPI_BENCH_SELF_IPI, 1, NULL), 1, "self-ipi once");
	if (cpus < 2) {
		ok(true, "scenarios with targets # SKIP one CPU");
		return;
	}
	test_run(dev, run_of(IPI_BENCH_NORMAL, CALLS, one), 1, "normal");
	test_run(dev, run_of(IPI_BENCH_NORMAL, 1, one), 1, "normal once");
	test_run(dev, run_of(IPI_BENCH_BROADCAST, CALLS, all), cpus - 1, "broadcast");
	test_run(dev, run_of(IPI_BENCH_BROADCAST_LOCK, CALLS, all), cpus - 1, "broadcast-lock");
	for (k = 1; k < cpus; k++) {
		run = run_of(IPI_BENCH_MULTICAST, CALLS, all);
		run.first = k;
		test_run(dev, run, k, "multicast");
	}
	run = run_of(IPI_BENCH_NORMAL, CALLS, one);
	run.flags = IPI_BENCH_RUN_NOWAIT;
	test_run(dev, run, 1, "normal, no wait");
	run = run_of(IPI_BENCH_BROADCAST, CALLS, all);
	run.flags = IPI_BENCH_RUN_NOWAIT;
	test_run(dev, run, cpus - 1, "broadcast, no wait");
	run = run_of(IPI_BENCH_BROADCAST, CALLS, all);
	run.flags = IPI_BENCH_RUN_TICK;
	test_run(dev, run, cpus - 1, "broadcast, tick kept");
}

/* -- /proc/interrupts -------------------------------------------------------------------------- */

/* The function call interrupts that a CPU has taken; -1 if the kernel does not tell. */
static long interrupts_of(int cpu)
{
	FILE *file = fopen("/proc/interrupts", "r");
	char line[4096];
	long count = -1;

	while (file && fgets(line, sizeof(line), file)) {
		char *at = strchr(line, ':');

		if (!at || !strstr(line, "Function call interrupts"))
			continue;
		for (at++; cpu >= 0; cpu--)
			count = strtol(at, &at, 10);
	}
	if (file)
		fclose(file);
	return count;
}

static atomic_bool stop;

/* An idle CPU may be polling, and then needs no interrupt. This one isn't idle. */
static void *busy_thread(void *arg)
{
	pin(1);
	*(atomic_bool *)arg = true;
	while (!stop)
		;
	return NULL;
}

static void test_interrupts(const struct dev *dev)
{
	atomic_bool busy = false;
	uint64_t one[MASK_WORDS];
	struct ipi_bench_run run;
	pthread_t thread;
	long before, after;

	if (!ok(!pthread_create(&thread, NULL, busy_thread, &busy), "a busy target"))
		return;
	while (!busy)
		usleep(1000);
	mask_one(one, 1);
	run = run_of(IPI_BENCH_NORMAL, CALLS, one);
	before = interrupts_of(1);
	is(call(dev->fd, IPI_BENCH_RUN, &run), 0, "%d calls", CALLS);
	after = interrupts_of(1);
	stop = true;
	pthread_join(thread, NULL);
	ok(before >= 0 && after - before >= CALLS, "every call was an interrupt: %ld",
	   after - before);

	run = run_of(IPI_BENCH_SELF_CALL, CALLS, NULL);
	before = interrupts_of(0);
	is(call(dev->fd, IPI_BENCH_RUN, &run), 0, "%d self-calls", CALLS);
	after = interrupts_of(0);
	ok(before >= 0 && after - before < CALLS / 2, "a self-call is none: %ld", after - before);
}

int main(void)
{
	struct ipi_bench_info info = { 0 };
	struct dev dev = { 0 };
	int fd;

	cpus = sysconf(_SC_NPROCESSORS_ONLN);
	mask_first(all, cpus);
	pin(0);
	fd = dev_open();
	if (fd < 0) {
		printf("Bail out! %s: %s\n", DEVICE, strerror(errno));
		return 1;
	}
	test_open();
	test_info(fd);
	call(fd, IPI_BENCH_GET_INFO, &info);
	close(fd);
	test_setup(&dev, info.max_buffer);
	test_run_refused(dev.fd);
	test_runs(&dev);
	if (cpus > 1)
		test_interrupts(&dev);
	dev_close(&dev);
	return tap_end();
}
