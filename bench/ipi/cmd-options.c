// SPDX-License-Identifier: GPL-2.0
/*
 * What the sub-commands that run something share: option values, read strictly where libsubcmd
 * would wrap or take half of what was typed, and what becomes of a run as an exit status. Measures
 * and prints nothing but errors.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subcmd/parse-options.h>

#include "cmd-options.h"
#include "parse.h"
#include "run/backend.h"
#include "why.h"

int ipi_cmd__bad_value(const struct option *opt, const char *arg, int err, const char *form)
{
	ipi_err("--%s: '%s' is %s", opt->long_name, arg,
		err == -ERANGE ? "out of range" : "not understood");
	fprintf(stderr, "  %s\n", form);
	return -1;
}

int ipi_cmd__loop(const struct option *opt, const char *arg, int unset)
{
	struct ipi_options *out = opt->value;
	int err;

	if (unset)
		return -1;
	err = ipi_parse__count(arg, 1, IPI_LOOP_MAX, &out->loop);
	out->loop_given = true;
	return err ? ipi_cmd__bad_value(opt, arg, err,
					"a number of calls from 1 to 1000M, as 4000 or 20k") : 0;
}

int ipi_cmd__repeat(const struct option *opt, const char *arg, int unset)
{
	struct ipi_options *out = opt->value;
	u64 value;
	int err;

	if (unset)
		return -1;
	err = ipi_parse__u64(arg, 1, 10000, &value);
	if (err)
		return ipi_cmd__bad_value(opt, arg, err, "a number from 1 to 10000");
	out->repeat = (unsigned int)value;
	return 0;
}

int ipi_cmd__gap(const struct option *opt, const char *arg, int unset)
{
	struct ipi_options *out = opt->value;
	int err;

	if (unset)
		return -1;
	err = ipi_parse__duration(arg, 0, 1000000000ULL, &out->gap_ns);
	return err ? ipi_cmd__bad_value(opt, arg, err, "a time up to 1s, with its unit: 50us") : 0;
}

int ipi_cmd__pages(const struct option *opt, const char *arg, int unset)
{
	struct ipi_options *out = opt->value;
	u64 value;
	int err;

	if (unset)
		return -1;
	err = ipi_parse__u64(arg, 1, 1U << 20, &value);
	if (!err && value & (value - 1))
		err = -EINVAL;
	if (err)
		return ipi_cmd__bad_value(opt, arg, err, "a power of two from 1 to 1048576");
	out->pages = (unsigned int)value;
	out->pages_given = true;
	return 0;
}

/* "handler=20us" or "irqoff=50us". */
int ipi_cmd__inject(const struct option *opt, const char *arg, int unset)
{
	static const char handler[] = "handler=", irqoff[] = "irqoff=";
	const char *form = "handler=TIME or irqoff=TIME, as handler=20us, up to 1ms";
	struct ipi_options *out = opt->value;
	const char *time = arg;
	int err;

	if (unset)
		return -1;
	if (!strncmp(arg, handler, sizeof(handler) - 1)) {
		out->inject = IPI_INJECT_HANDLER;
		time += sizeof(handler) - 1;
	} else if (!strncmp(arg, irqoff, sizeof(irqoff) - 1)) {
		out->inject = IPI_INJECT_IRQOFF;
		time += sizeof(irqoff) - 1;
	} else {
		return ipi_cmd__bad_value(opt, arg, -EINVAL, form);
	}
	err = ipi_parse__duration(time, 1, 1000000, &out->inject_ns);
	return err ? ipi_cmd__bad_value(opt, arg, err, form) : 0;
}

static int add_target(void *ctx, char *name)
{
	struct ipi_options *out = ctx;
	int target = ipi_target__find(name);

	if (target < 0) {
		ipi_err("--target: no state '%s'", name);
		fprintf(stderr, "  one or more of busy,kernel,idle,any\n");
		return -1;
	}
	out->targets |= 1U << target;
	return 0;
}

int ipi_cmd__target(const struct option *opt, const char *arg, int unset)
{
	return unset || ipi_parse__list(arg, add_target, opt->value) ? -1 : 0;
}

static int add_scenario(void *ctx, char *name)
{
	struct ipi_options *out = ctx;
	int scenario;

	if (!strcmp(name, "all")) {
		memset(out->scenario, 1, sizeof(out->scenario));
		out->explicit = false;
		return 0;
	}
	scenario = ipi_scenario__find(name);
	if (scenario < 0) {
		ipi_err("no scenario '%s'", name);
		fprintf(stderr, "  see: perf bench ipi list\n");
		return -EINVAL;
	}
	out->scenario[scenario] = true;
	return 0;
}

int ipi_cmd__scenarios(struct ipi_options *out, int argc, const char **argv)
{
	bool none = true;
	int err = 0;
	int i;

	out->explicit = argc > 0;
	for (i = 0; i < argc && !err; i++)
		err = ipi_parse__list(argv[i], add_scenario, out);
	if (err)
		return err;
	for (i = 0; i < IPI_SCENARIO_NR; i++)
		none = none && !out->scenario[i];
	if (none)
		memset(out->scenario, 1, sizeof(out->scenario));
	return 0;
}

int ipi_cmd__time(const struct option *opt, const char *arg, int unset)
{
	u64 *time_ns = opt->value;
	int err;

	if (unset)
		return -1;
	err = ipi_parse__duration(arg, 1000000, 24 * 3600 * 1000000000ULL, time_ns);
	return err ? ipi_cmd__bad_value(opt, arg, err,
					"a time from 1ms to 86400s, with its unit: 5s") : 0;
}

/* "3%" or "0.03". */
int ipi_cmd__threshold(const struct option *opt, const char *arg, int unset)
{
	double *threshold = opt->value;
	char *end;

	if (unset)
		return -1;
	*threshold = strtod(arg, &end);
	if (*end == '%' && end != arg) {
		*threshold /= 100;
		end++;
	}
	if (end == arg || *end || !(*threshold >= 0 && *threshold <= 10))
		return ipi_cmd__bad_value(opt, arg, -EINVAL, "a share up to 10, as 3% or 0.03");
	return 0;
}

int ipi_cmd__table(const char *table)
{
	if (!table || !strcmp(table, "commit"))
		return 0;
	ipi_err("--table: no table '%s'", table);
	fprintf(stderr, "  commit\n");
	return -EINVAL;
}

int ipi_cmd__check_backend(const struct ipi_options *opt)
{
	if (strcmp(opt->backend, "auto") && !ipi_backend__find(opt->backend)) {
		ipi_err("no backend '%s'", opt->backend);
		fprintf(stderr, "  see: perf bench ipi list\n");
		return -EINVAL;
	}
	if ((opt->inject || opt->module || opt->nowait) && strcmp(opt->backend, "auto") &&
	    strcmp(opt->backend, "module")) {
		ipi_err("--%s is the module's", opt->inject ? "inject" :
			opt->module ? "module" : "no-wait");
		fprintf(stderr, "  leave out --backend %s\n", opt->backend);
		return -EINVAL;
	}
	return 0;
}

int ipi_cmd__judge(const struct ipi_result *result)
{
	bool measured = false;
	bool failed = result->interrupted;
	int i;

	for (i = 0; i < result->nr_cell; i++) {
		const struct ipi_cell *cell = &result->cell[i];

		if (cell->verdict == IPI_VERDICT_FAILED || cell->interrupted || cell->lost ||
		    cell->untraced.errors || cell->traced.errors)
			failed = true;
		if (cell->verdict == IPI_VERDICT_OK || cell->verdict == IPI_VERDICT_REFUSED)
			measured = true;
	}
	if (failed)
		return IPI_EXIT_FAILED;
	return measured ? IPI_EXIT_DONE : IPI_EXIT_UNSUPPORTED;
}

int ipi_cmd__graver(int a, int b)
{
	static const int order[] = { IPI_EXIT_FAILED, IPI_EXIT_WORSE, IPI_EXIT_UNSUPPORTED };
	size_t i;

	for (i = 0; i < sizeof(order) / sizeof(*order); i++) {
		if (a == order[i] || b == order[i])
			return order[i];
	}
	return IPI_EXIT_DONE;
}

int ipi_cmd__written(const char *what)
{
	struct ipi_why why;

	if (!fflush(stdout) && !ferror(stdout))
		return IPI_EXIT_DONE;
	/* It may have failed in an output's own fflush(): errno is still that one's. */
	ipi_why__set(&why, errno ? errno : EIO, NULL, "can't write the %s", what);
	ipi_why__print(&why);
	return IPI_EXIT_FAILED;
}

int ipi_cmd__status(int err)
{
	/* A list that is none is a matter of usage, a CPU that isn't there is not. */
	if (err == -EINVAL)
		return IPI_EXIT_USAGE;
	return err == -EOPNOTSUPP || err == -ENOENT ? IPI_EXIT_UNSUPPORTED : IPI_EXIT_FAILED;
}

void ipi_cmd__name_result(char *buf, size_t size, const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t len;

	snprintf(buf, size, "%s", slash && slash[1] ? slash + 1 : path);
	len = strlen(buf);
	if (len > 5 && !strcmp(buf + len - 5, ".json"))
		buf[len - 5] = '\0';
}
