// SPDX-License-Identifier: GPL-2.0
/*
 * How long things live: two openers, close, kill, signals, a caller that moves, CPUs that go and
 * come back, storms and their gate, loading twice, unloading while open, many cycles. The module is
 * not loaded when this starts.
 *
 * usage: module-life MODULE.ko [CYCLES]
 */
#include "module.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define CALLS		500
#define HOTPLUG_BATCHES	48	/* twice all that test_hotplug() varies */
#define HOTPLUG_CYCLES	10
#define KILL_NS		(9 * SECOND_NS)	/* a batch that nothing ends takes ten */
#define PATIENCE_NS	(120 * SECOND_NS)
#define BYTES		(4 * 1024 * 1024)
#define MODULE_NAME	"ipi_bench"

static int cpus;
static uint64_t all[MASK_WORDS];
static const char *module_path;

/* -- loading ----------------------------------------------------------------------------------- */

/* 0 or -errno. */
static int load(void)
{
	int fd = open(module_path, O_RDONLY | O_CLOEXEC);
	int err;

	if (fd < 0)
		return -errno;
	err = syscall(SYS_finit_module, fd, "", 0) ? -errno : 0;
	close(fd);
	return err;
}

static int unload(void)
{
	return syscall(SYS_delete_module, MODULE_NAME, O_NONBLOCK) ? -errno : 0;
}

/* Files are closed behind the back of whoever closed them: give it a moment. */
static int unload_soon(void)
{
	int tries, err = 0;

	for (tries = 0; tries < 100; tries++) {
		err = unload();
		if (err != -EWOULDBLOCK)
			break;
		usleep(20000);
	}
	return err;
}

static void test_load(void)
{
	int fd;

	is(load(), 0, "load");
	is(load(), -EEXIST, "load twice");
	fd = dev_open();
	ok(fd >= 0, "open");
	is(unload(), -EWOULDBLOCK, "unload while open");
	close(fd);
	is(unload_soon(), 0, "unload");
	is(access(DEVICE, F_OK) ? errno : 0, ENOENT, "the device is gone");
	is(load(), 0, "load again");
}

/* -- a batch in another thread ----------------------------------------------------------------- */

/**
 * struct runner - a thread that carries out one request
 * @thread:	the thread
 * @dev:	its device
 * @cpu:	where it runs
 * @run:	the request, and what came of it
 * @err:	0 or -errno
 * @tid:	the thread's number, once it is there
 */
struct runner {
	pthread_t thread;
	struct dev *dev;
	int cpu;
	struct ipi_bench_run run;
	int err;
	atomic_int tid;
};

static void *runner_thread(void *arg)
{
	struct runner *runner = arg;

	pin(runner->cpu);
	runner->tid = syscall(SYS_gettid);
	/* Whoever asks whether the file is busy makes it so for a moment. */
	do {
		runner->err = call(runner->dev->fd, IPI_BENCH_RUN, &runner->run);
	} while (runner->err == -EBUSY);
	return NULL;
}

static void runner_start(struct runner *runner)
{
	runner->tid = 0;
	if (pthread_create(&runner->thread, NULL, runner_thread, runner)) {
		printf("Bail out! no thread\n");
		exit(1);
	}
	while (!runner->tid)
		usleep(1000);
}

/* Returns when the thread's request is being carried out: from then on its file is busy. */
static void runner_wait_busy(const struct runner *runner)
{
	uint64_t start = now_ns();
	int err = 0;

	while (err != -EBUSY && now_ns() - start < PATIENCE_NS) {
		struct ipi_bench_setup setup = { .bytes = BYTES };

		usleep(1000);
		err = call(runner->dev->fd, IPI_BENCH_SETUP, &setup);
	}
	is(err, -EBUSY, "a request is under way");
}

/* A request that takes about @ms: self-calls of a ms each. */
static struct ipi_bench_run long_run(unsigned int ms)
{
	struct ipi_bench_run run = run_of(IPI_BENCH_SELF_CALL, ms, NULL);

	run.inject = IPI_BENCH_INJECT_HANDLER;
	run.inject_ns = 1000000;
	return run;
}

static void on_signal(int number)
{
	(void)number;
}

static void test_two_openers(void)
{
	struct dev first, second;
	struct runner runner = { .dev = &first, .cpu = 0, .run = long_run(65000) };
	struct ipi_bench_run run = run_of(IPI_BENCH_SELF_CALL, 10, NULL);

	dev_setup(&first, BYTES);
	dev_setup(&second, BYTES);
	runner_start(&runner);
	runner_wait_busy(&runner);
	is(call(first.fd, IPI_BENCH_RUN, &run), -EBUSY, "a file runs one batch at a time");
	is(call(second.fd, IPI_BENCH_RUN, &run), 0, "another file does as it likes");
	is(run.delivered, 10, "and gets all of its own");
	is(unload(), -EWOULDBLOCK, "no unloading while a batch runs");
	close(first.fd);
	usleep(10000);
	pthread_kill(runner.thread, SIGUSR1);
	pthread_join(runner.thread, NULL);
	is(runner.err, 0, "a batch whose file is closed by another thread goes on");
	is(runner.run.ended, IPI_BENCH_ENDED_SIGNAL, "to its own end");
	is(runner.run.delivered, runner.run.done, "with all calls delivered");
	munmap((void *)first.buffer, first.bytes);
	dev_close(&second);
}

/* -- ends -------------------------------------------------------------------------------------- */

static void test_time(void)
{
	struct ipi_bench_run run = long_run(65000);
	struct dev dev;

	dev_setup(&dev, BYTES);
	run.max_ns = 200000000;
	is(call(dev.fd, IPI_BENCH_RUN, &run), 0, "a batch that takes too long");
	is(run.ended, IPI_BENCH_ENDED_TIME, "ends for time");
	ok(run.done && run.done < 65000, "with fewer calls: %u", run.done);
	is(run.delivered, run.done, "all of them delivered");
	ok(run.elapsed_ns >= run.max_ns, "not before its time");
	is(run_errors(&run), 0, "without errors");
	dev_close(&dev);
}

static void test_signal(void)
{
	struct dev dev;
	struct runner runner = { .dev = &dev, .cpu = 0, .run = long_run(65000) };

	dev_setup(&dev, BYTES);
	runner_start(&runner);
	runner_wait_busy(&runner);
	usleep(10000);
	pthread_kill(runner.thread, SIGUSR1);
	pthread_join(runner.thread, NULL);
	is(runner.err, 0, "a signal during a batch");
	is(runner.run.ended, IPI_BENCH_ENDED_SIGNAL, "ends it");
	ok(runner.run.done < 65000, "with fewer calls: %u", runner.run.done);
	is(runner.run.delivered, runner.run.done, "all of them delivered");
	dev_close(&dev);
}

static void test_kill(void)
{
	uint64_t start;
	int status, i;
	pid_t pid;

	for (i = 0; i < 3; i++) {
		unsigned int scenario = cpus > 1 ? IPI_BENCH_BROADCAST : IPI_BENCH_SELF_IPI;

		pid = fork();
		if (!pid) {
			struct ipi_bench_run run = run_of(scenario, 65000, all);
			struct dev dev;

			pin(0);
			dev_setup(&dev, 16 * 1024 * 1024);
			run.inject = IPI_BENCH_INJECT_HANDLER;
			run.inject_ns = 1000000;
			if (i == 1 && cpus > 1)
				run.flags = IPI_BENCH_RUN_NOWAIT;
			call(dev.fd, IPI_BENCH_RUN, &run);
			_exit(0);
		}
		usleep(300000);
		kill(pid, SIGKILL);
		start = now_ns();
		ok(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) &&
		   WTERMSIG(status) == SIGKILL && now_ns() - start < KILL_NS,
		   "kill -9 ends a batch");
	}
	is(unload_soon(), 0, "and all that is left of it");
	is(load(), 0, "load again");
}

static void test_migrated(void)
{
	struct dev dev;
	struct runner runner = { .dev = &dev, .cpu = 0, .run = long_run(65000) };
	cpu_set_t set;

	dev_setup(&dev, BYTES);
	runner_start(&runner);
	runner_wait_busy(&runner);
	CPU_ZERO(&set);
	CPU_SET(1, &set);
	sched_setaffinity(runner.tid, sizeof(set), &set);
	pthread_join(runner.thread, NULL);
	is(runner.err, 0, "a caller that is moved");
	is(runner.run.ended, IPI_BENCH_ENDED_MIGRATED, "is told so");
	is(runner.run.migrated, 1, "and the call that was not made is counted");
	is(runner.run.sender, 0, "its calls were made where it was");
	is(runner.run.delivered, runner.run.done, "and delivered");
	dev_close(&dev);
}

/* -- hotplug ----------------------------------------------------------------------------------- */

static int set_online(int cpu, bool on)
{
	char path[80];
	int fd, err;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = write(fd, on ? "1" : "0", 1) == 1 ? 0 : -errno;
	close(fd);
	return err;
}

static void test_offline(void)
{
	struct ipi_bench_run run = run_of(IPI_BENCH_BROADCAST, CALLS, all);
	const struct ipi_bench_target *targets;
	uint64_t one[MASK_WORDS];
	struct dev dev;
	unsigned int t;

	dev_setup(&dev, BYTES);
	is(set_online(1, false), 0, "CPU 1 goes");
	is(call(dev.fd, IPI_BENCH_RUN, &run), 0, "broadcast with a target offline");
	is(run.offline, CALLS, "that target is an error for each call");
	is(run.delivered, CALLS * (uint64_t)(cpus - 2), "the others get theirs");
	is(run_errors(&run) - run.offline, 0, "nothing else is wrong");
	targets = dev_targets(&dev, &run);
	for (t = 0; t < run.nr_targets; t++)
		is(targets[t].offline, targets[t].cpu == 1 ? CALLS : 0, "offline: CPU %u",
		   targets[t].cpu);

	mask_one(one, 1);
	run = run_of(IPI_BENCH_NORMAL, CALLS, one);
	is(call(dev.fd, IPI_BENCH_RUN, &run), 0, "normal with its target offline");
	is(run.offline, CALLS, "no call has one");
	is(run.delivered, 0, "none is delivered");
	is(dev_calls(&dev, &run)[0].t_call, 0, "none was made");
	is(set_online(1, true), 0, "CPU 1 comes back");
	is(call(dev.fd, IPI_BENCH_RUN, &run), 0, "normal again");
	is(run.delivered, CALLS, "all delivered");
	dev_close(&dev);
}

static atomic_bool stop;

static void *hotplug_thread(void *arg)
{
	atomic_int *cycles = arg;

	while (!stop) {
		set_online(1, false);
		set_online(1, true);
		(*cycles)++;
	}
	return NULL;
}

/* A target that goes and comes back while it is hit, in all ways there are, until it was. */
static void test_hotplug(void)
{
	uint64_t wrong = 0, delivered = 0, offline = 0, lost = 0;
	int batches = 0, failed = 0, changes = 0, err;
	atomic_int cycles = 0;
	struct dev dev;
	pthread_t thread;
	uint64_t start;

	dev_setup(&dev, BYTES);
	stop = false;
	if (pthread_create(&thread, NULL, hotplug_thread, &cycles))
		exit(1);
	for (start = now_ns(); now_ns() - start < PATIENCE_NS; batches++) {
		struct ipi_bench_run run = run_of(IPI_BENCH_BROADCAST + batches % 2, CALLS, all);

		if (batches >= HOTPLUG_BATCHES && cycles >= HOTPLUG_CYCLES && delivered && offline)
			break;

		if (batches % 4 == 2)
			run.flags = IPI_BENCH_RUN_NOWAIT;
		if (batches % 3 == 0)
			run.flags |= IPI_BENCH_RUN_TICK;
		if (batches % 8 == 4) {
			run.inject = IPI_BENCH_INJECT_IRQOFF;
			run.inject_ns = 20000;
		}
		/* A CPU that comes back may not fit the others: a new clock source, once. */
		err = call(dev.fd, IPI_BENCH_RUN, &run);
		if (err == -EAGAIN && !changes++)
			continue;
		if (err) {
			printf("# batch %d: %s\n", batches, strerror(-err));
			failed++;
			continue;
		}
		wrong += run_errors(&run) - run.offline;
		delivered += run.delivered;
		offline += run.offline;
		lost += (uint64_t)run.done * run.nr_targets - run.delivered - run.offline;
	}
	stop = true;
	pthread_join(thread, NULL);
	printf("# %d batches, %llu delivered, %llu offline, CPU 1 went %d times\n", batches,
	       (unsigned long long)delivered, (unsigned long long)offline, cycles);
	is(failed, 0, "hotplug: batches refused");
	ok(cycles >= HOTPLUG_CYCLES && delivered && offline, "hotplug: both happened");
	is(wrong, 0, "hotplug: other errors");
	is(lost, 0, "hotplug: every delivery is accounted for");
	dev_close(&dev);
}

/* -- storms ------------------------------------------------------------------------------------ */

static void test_storm(void)
{
	struct runner runners[8] = { 0 };
	struct dev devs[8];
	uint64_t last_start = 0, first_end = UINT64_MAX;
	int i, n = cpus < 8 ? cpus : 8;

	for (i = 0; i < n; i++) {
		dev_setup(&devs[i], BYTES);
		runners[i].dev = &devs[i];
		runners[i].cpu = i;
		runners[i].run = run_of(IPI_BENCH_STORM, CALLS, all);
		runners[i].run.gate_fd = devs[0].fd;
		runners[i].run.gate_callers = n;
	}
	for (i = 0; i < n; i++)
		runner_start(&runners[i]);
	for (i = 0; i < n; i++) {
		const struct ipi_bench_run *run = &runners[i].run;

		pthread_join(runners[i].thread, NULL);
		is(runners[i].err, 0, "storm: caller %d", i);
		/* On a busy host virtual CPUs that wait for each other take their time. */
		ok(run->ended == IPI_BENCH_ENDED_CALLS || run->ended == IPI_BENCH_ENDED_TIME,
		   "storm: caller %d made %u calls", i, run->done);
		is(run->delivered, run->done * (uint64_t)(cpus - 1), "storm: deliveries of %d", i);
		is(run_errors(run), 0, "storm: errors of %d", i);
		if (!run->done)
			continue;
		if (dev_calls(&devs[i], run)[0].t_call > last_start)
			last_start = dev_calls(&devs[i], run)[0].t_call;
		if (dev_calls(&devs[i], run)[run->done - 1].t_return < first_end)
			first_end = dev_calls(&devs[i], run)[run->done - 1].t_return;
	}
	ok(last_start && last_start < first_end, "storm: all were at it at the same time");
	for (i = 0; i < n; i++)
		dev_close(&devs[i]);
}

static void test_gate(void)
{
	struct ipi_bench_run run = run_of(IPI_BENCH_STORM, 1, all);
	struct runner runner = { .cpu = 0 };
	struct dev dev, other;
	int null;

	dev_setup(&dev, BYTES);
	dev_setup(&other, BYTES);
	run.gate_callers = 2;
	run.max_ns = 100000000;
	run.gate_fd = -1;
	is(call(dev.fd, IPI_BENCH_RUN, &run), -EBADF, "gate: no file");
	null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	run.gate_fd = null;
	is(call(dev.fd, IPI_BENCH_RUN, &run), -EBADF, "gate: another device's file");
	close(null);
	run.gate_fd = dev.fd;
	is(call(dev.fd, IPI_BENCH_RUN, &run), -ETIMEDOUT, "gate: nobody else comes");
	is(call(dev.fd, IPI_BENCH_RUN, &run), -ETIMEDOUT, "gate: the next one starts anew");

	runner.dev = &dev;
	runner.run = run;
	runner.run.max_ns = 10 * SECOND_NS;
	runner_start(&runner);
	runner_wait_busy(&runner);
	usleep(100000);
	run.gate_callers = 3;
	if (cpus > 2)
		is(call(other.fd, IPI_BENCH_RUN, &run), -EINVAL, "gate: not that many");
	pthread_kill(runner.thread, SIGUSR1);
	pthread_join(runner.thread, NULL);
	is(runner.err, -EINTR, "gate: a signal");
	dev_close(&dev);
	dev_close(&other);
}

/* -- many -------------------------------------------------------------------------------------- */

static void test_cycles(int cycles)
{
	static const unsigned int scenarios[] = {
		IPI_BENCH_DRY_RUN, IPI_BENCH_SELF_CALL, IPI_BENCH_SELF_IPI,
		IPI_BENCH_NORMAL, IPI_BENCH_BROADCAST, IPI_BENCH_BROADCAST_LOCK,
	};
	uint64_t one[MASK_WORDS];
	int i, good = 0;

	mask_one(one, 1);
	for (i = 0; i < cycles; i++) {
		unsigned int scenario = scenarios[i % (cpus > 1 ? 6 : 3)];
		struct ipi_bench_run run = run_of(scenario, 2,
						  scenario == IPI_BENCH_NORMAL ? one : all);
		struct dev dev;

		dev_setup(&dev, 65536);
		good += !call(dev.fd, IPI_BENCH_RUN, &run) && run.done == 2 && !run_errors(&run);
		dev_close(&dev);
	}
	is(good, cycles, "open, run, close: %d times", cycles);
	is(unload_soon(), 0, "nobody has it open any more");
	is(load(), 0, "load again");
}

/* Requests at random: any answer but a crash, and nothing left. */
static void test_random(void)
{
	int i, carried_out = 0, refused = 0, odd = 0;
	unsigned int seed = 1;
	struct dev dev;

	dev_setup(&dev, BYTES);
	for (i = 0; i < 5000; i++) {
		struct ipi_bench_run run = run_of(rand_r(&seed) % 9, 1 + rand_r(&seed) % 8, all);
		uint32_t *words = (uint32_t *)&run;
		int err;

		run.max_ns = 1 + rand_r(&seed) % 1000000;
		run.flags = rand_r(&seed) % 4;
		run.inject = rand_r(&seed) % 4;
		run.inject_ns = run.inject ? rand_r(&seed) % 2000 : 0;
		run.first = rand_r(&seed) % 4 ? 0 : rand_r(&seed) % 4;
		if (rand_r(&seed) % 4 == 0)
			words[rand_r(&seed) % 14] = rand_r(&seed);
		err = call(dev.fd, IPI_BENCH_RUN, &run);
		carried_out += !err;
		refused += err == -EINVAL || err == -EFAULT || err == -ENODEV ||
			   err == -ENOBUFS || err == -EBADF || err == -ETIMEDOUT;
		odd += !err && run_errors(&run);
	}
	printf("# %d carried out, %d refused\n", carried_out, refused);
	ok(carried_out && carried_out + refused == 5000 && !odd, "requests at random");
	dev_close(&dev);
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

	if (argc < 2) {
		fprintf(stderr, "usage: module-life MODULE.ko [CYCLES]\n");
		return 129;
	}
	module_path = argv[1];
	cpus = sysconf(_SC_NPROCESSORS_ONLN);
	mask_first(all, cpus);
	sigaction(SIGUSR1, &action, NULL);
	pin(0);
	test_load();
	test_two_openers();
	test_time();
	test_signal();
	test_kill();
	if (cpus > 1) {
		test_migrated();
		test_storm();
		test_gate();
	}
	if (cpus > 2 && !access("/sys/devices/system/cpu/cpu1/online", W_OK)) {
		test_offline();
		test_hotplug();
	} else {
		ok(true, "hotplug # SKIP needs three CPUs, of which CPU 1 can be taken offline");
	}
	test_random();
	test_cycles(argc > 2 ? atoi(argv[2]) : 1000);
	is(unload_soon(), 0, "unload");
	return tap_end();
}
