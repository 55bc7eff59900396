// SPDX-License-Identifier: GPL-2.0
/*
 * The environment of a run, from procfs, sysfs and a few measurements of its own.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <linux/membarrier.h>

#include "../stats/result.h"
#include "clock.h"
#include "env.h"
#include "machine.h"
#include "options.h"
#include "plan.h"
#include "sched.h"
#include "skew.h"

#define VULNERABILITIES	"/sys/devices/system/cpu/vulnerabilities"
#define COST_ROUNDS	1000

/* The value of the first "key : value" line of /proc/cpuinfo. */
static const char *cpu_fact(const char *key, char *buf, size_t size)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	size_t len = strlen(key);
	char *line = NULL;
	size_t room = 0;

	buf[0] = '\0';
	if (!file)
		return buf;
	while (!buf[0] && getline(&line, &room, file) >= 0) {
		char *value = strchr(line, ':');

		if (!value || strncmp(line, key, len) || (line[len] != '\t' && line[len] != ' '))
			continue;
		value += 1 + strspn(value + 1, " ");
		value[strcspn(value, "\n")] = '\0';
		snprintf(buf, size, "%s", value);
	}
	free(line);
	fclose(file);
	return buf;
}

/* The words of the kernel's version that say how it preempts. */
static void add_preempt(struct ipi_facts *env, const char *version)
{
	const char *word = strstr(version, "PREEMPT");
	char buf[32];

	if (!word)
		return;
	snprintf(buf, sizeof(buf), "%.*s", (int)strcspn(word, " "), word);
	ipi_facts__str(env, "preempt", buf);
}

/* One fact per vulnerability file that names a mitigation: they cost an interrupt something. */
static int add_mitigations(struct ipi_facts *env)
{
	char key[40], path[512], line[256];
	struct dirent **entry;
	int nr = scandir(VULNERABILITIES, &entry, NULL, alphasort);
	int err = 0;
	int i;

	for (i = 0; i < nr; i++) {
		snprintf(path, sizeof(path), VULNERABILITIES "/%s", entry[i]->d_name);
		snprintf(key, sizeof(key), "mitigation.%.24s", entry[i]->d_name);
		free(entry[i]);
		ipi_machine__line(path, line, sizeof(line));
		if (!err && !strncmp(line, "Mitigation: ", 12))
			err = ipi_facts__str(env, key, line + 12);
	}
	if (nr >= 0)
		free(entry);
	return err;
}

static int add_file(struct ipi_facts *env, const char *key, const char *path)
{
	char buf[256];
	const char *line = ipi_machine__line(path, buf, sizeof(buf));

	/* What some kernels print of a CPU mask that was never made. */
	return strcmp(line, "(null)") ? ipi_facts__str(env, key, line) : 0;
}

/* The median of many readings. @op is timed between two readings of the clock. */
static int add_cost(struct ipi_facts *env, const char *key, void (*op)(void))
{
	struct ipi_hist *hist = ipi_hist__new();
	u64 start;
	int i;
	int err;

	if (!hist)
		return -ENOMEM;
	for (i = 0; i < COST_ROUNDS; i++) {
		start = ipi_clock__now();
		op();
		ipi_hist__add(hist, ipi_clock__now() - start);
	}
	err = ipi_facts__num(env, key, (s64)ipi_hist__percentile(hist, 5000));
	ipi_hist__delete(hist);
	return err;
}

static void no_operation(void)
{
}

/* The shortest system call of the kind the triggers are. */
static void null_system_call(void)
{
	syscall(__NR_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
}

static int add_machine(struct ipi_facts *env, const struct ipi_plan *plan)
{
	struct utsname uts;
	char path[96];
	char buf[256];
	int err;

	if (uname(&uts) < 0)
		return 0;
	err = ipi_facts__str(env, "kernel", uts.release);
	if (!err)
		err = ipi_facts__str(env, "kernel_version", uts.version);
	if (!err)
		err = ipi_facts__str(env, "machine", uts.machine);
	add_preempt(env, uts.version);
	if (!err)
		err = ipi_facts__str(env, "cpu_model", cpu_fact("model name", buf, sizeof(buf)));
	if (!err)
		err = ipi_facts__str(env, "hypervisor", ipi_machine__hypervisor(buf, sizeof(buf)));
	if (!err)
		err = ipi_facts__str(env, "irqchip",
				     ipi_machine__irqchip(plan->src, buf, sizeof(buf)));
	if (!err)
		err = add_file(env, "clock_source",
			       "/sys/devices/system/clocksource/clocksource0/current_clocksource");
	if (!err)
		err = add_file(env, "idle_driver",
			       "/sys/devices/system/cpu/cpuidle/current_driver");
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor",
		 plan->src);
	if (!err)
		err = add_file(env, "governor", path);
	if (!err)
		err = add_file(env, "smt", "/sys/devices/system/cpu/smt/control");
	if (!err)
		err = add_file(env, "isolated", "/sys/devices/system/cpu/isolated");
	if (!err)
		err = add_file(env, "nohz_full", "/sys/devices/system/cpu/nohz_full");
	/* The parameter exists only where CONFIG_CSD_LOCK_WAIT_DEBUG does. */
	if (!err && !access("/sys/module/smp/parameters/csd_lock_timeout", F_OK))
		err = ipi_facts__str(env, "csd_lock_wait_debug", "built in");
	return err ? err : add_mitigations(env);
}

static int add_clock(struct ipi_facts *env, const struct ipi_options *opt,
		     const struct ipi_plan *plan)
{
	u64 bound;
	int err;

	err = ipi_facts__str(env, "clock", "CLOCK_MONOTONIC_RAW");
	if (!err)
		err = add_cost(env, "clock_cost_ns", no_operation);
	if (!err)
		err = add_cost(env, "syscall_ns", null_system_call);
	if (!err && plan->cpus.nr > 1 &&
	    !ipi_skew__bound(plan->src, &plan->cpus, opt->rt, &bound))
		err = ipi_facts__num(env, "skew_ns", (s64)bound);
	return err;
}

static int add_date(struct ipi_facts *env)
{
	time_t seconds = time(NULL);
	struct tm tm;
	char buf[32];

	if (!gmtime_r(&seconds, &tm) || !strftime(buf, sizeof(buf), "%Y-%m-%dT%H:%M:%SZ", &tm))
		return 0;
	return ipi_facts__str(env, "date", buf);
}

int ipi_env__collect(struct ipi_facts *env, const struct ipi_options *opt, const char *backend,
		     const struct ipi_plan *plan)
{
	bool fake = !strcmp(backend, "fake");
	char list[128];
	int err;

	err = ipi_facts__str(env, "version", opt->version);
	if (!err)
		err = ipi_facts__str(env, "backend", backend);
	if (!err)
		err = ipi_facts__str(env, "cpus",
				     ipi_cpus__format(&plan->cpus, list, sizeof(list)));
	if (!err && !opt->pairs)
		err = ipi_facts__num(env, "src", plan->src);
	/* Synthetic figures have nothing to do with this machine. */
	if (err || fake)
		return err;
	err = add_date(env);
	if (!err)
		err = add_machine(env, plan);
	if (!err)
		err = ipi_facts__str(env, "rt", opt->rt ? "SCHED_FIFO" : "off");
	return err ? err : add_clock(env, opt, plan);
}

int ipi_env__options(struct ipi_facts *facts, const struct ipi_options *opt)
{
	char precision[16];
	int err;

	err = ipi_facts__num(facts, "loop", (s64)opt->loop);
	if (!err)
		err = ipi_facts__num(facts, "loop_given", opt->loop_given);
	if (!err)
		err = ipi_facts__num(facts, "repeat", opt->repeat);
	if (!err && opt->time_ns)
		err = ipi_facts__num(facts, "time_ms", (s64)(opt->time_ns / 1000000));
	if (!err && opt->precision > 0) {
		snprintf(precision, sizeof(precision), "%.4g", opt->precision);
		err = ipi_facts__str(facts, "precision", precision);
	}
	if (!err)
		err = ipi_facts__str(facts, "backend", opt->backend);
	if (!err)
		err = ipi_facts__str(facts, "module", opt->module);
	if (!err)
		err = ipi_facts__num(facts, "no_wait", opt->nowait);
	if (!err)
		err = ipi_facts__num(facts, "stop_tick", opt->stop_tick);
	if (!err && opt->inject)
		err = ipi_facts__num(facts, opt->inject == IPI_INJECT_HANDLER ?
				     "inject_handler_ns" : "inject_irqoff_ns",
				     (s64)opt->inject_ns);
	if (!err)
		err = ipi_facts__str(facts, "cpus", opt->cpus);
	if (!err)
		err = ipi_facts__str(facts, "src", opt->src);
	if (!err)
		err = ipi_facts__str(facts, "dst", opt->dst);
	if (!err)
		err = ipi_facts__num(facts, "gap_ns", (s64)opt->gap_ns);
	if (!err)
		err = ipi_facts__num(facts, "mmap_pages", opt->pages);
	if (!err)
		err = ipi_facts__num(facts, "rt", opt->rt);
	if (!err)
		err = ipi_facts__num(facts, "trace", opt->trace);
	return err;
}
