// SPDX-License-Identifier: GPL-2.0
/*
 * perf bench ipi report: splits the IPIs of any recording of perf record.
 *
 * One operation is one delivery of the recording: a function, or a bare interrupt, brought to one
 * CPU. Nothing is measured here: times are those of the records, with what recording them cost.
 *
 * Reads options, pulls events out of trace/, has them joined there and counted by stats/, hands
 * what came out to report/.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <subcmd/parse-options.h>

#include "cmd-options.h"
#include "cmd-report.h"
#include "parse.h"
#include "report/recording.h"
#include "report/report.h"
#include "why.h"

#define LIVE_KALLSYMS	"/proc/kallsyms"
#define NS_PER_SEC	1000000000ULL

/**
 * struct cmd - a report being made
 * @rec:	what will be printed
 * @data:	the recording
 * @symbols:	names
 * @corr:	joins events
 * @offsets:	of clocks
 * @calls:	of threads, NULL if the recording has none
 * @stamps:	stamps in events are of the recording's clock
 * @this_kernel: the recording is of the running one, as far as can be told
 * @err:	the first error while deliveries came in, 0 if none
 */
struct cmd {
	struct ipi_recording rec;
	struct ipi_recording_conf conf;
	struct ipi_perfdata *data;
	struct ipi_symbols *symbols;
	struct ipi_corr *corr;
	struct ipi_offsets *offsets;
	struct ipi_calls *calls;
	bool stamps;
	const char *json;
	const char *cpus;
	const char *kallsyms;
	u64 worst;
	bool this_kernel;
	bool by_given;
	bool sort_given;
	int err;
};

static const char *const usage[] = {
	"perf bench ipi report [<options>]",
	NULL
};

static int bad_value(const struct option *opt, const char *arg, const char *form)
{
	ipi_err("--%s: '%s' is not understood", opt->long_name, arg);
	fprintf(stderr, "  %s\n", form);
	return -1;
}

static int parse_by(const struct option *opt, const char *arg, int unset)
{
	struct cmd *cmd = opt->value;
	int by = unset ? -1 : ipi_by__find(arg);

	if (by < 0)
		return unset ? -1 : bad_value(opt, arg,
					      "kind, callback, callsite, src, dst, pair or sender");
	cmd->rec.by = by;
	cmd->by_given = true;
	return 0;
}

static int parse_sort(const struct option *opt, const char *arg, int unset)
{
	struct cmd *cmd = opt->value;
	int sort = unset ? -1 : ipi_sort__find(arg);

	if (sort < 0)
		return unset ? -1 : bad_value(opt, arg, "count, time, latency or max");
	cmd->rec.sort = sort;
	cmd->sort_given = true;
	return 0;
}

static int parse_worst(const struct option *opt, const char *arg, int unset)
{
	struct cmd *cmd = opt->value;

	if (unset)
		return -1;
	if (ipi_parse__u64(arg, 1, IPI_WORST_MAX, &cmd->worst))
		return bad_value(opt, arg, "a number from 1 to 10000");
	return 0;
}

/* "10914.635677" as perf script prints it, to ns. */
static int parse_stamp(const char *arg, size_t len, u64 *ns)
{
	u64 seconds = 0, fraction = 0, unit = NS_PER_SEC;
	size_t i = 0;

	for (; i < len && arg[i] != '.'; i++) {
		if (arg[i] < '0' || arg[i] > '9' || seconds > UINT64_MAX / NS_PER_SEC / 10 - 1)
			return -EINVAL;
		seconds = seconds * 10 + (arg[i] - '0');
	}
	if (!i || i + 1 == len)
		return -EINVAL;
	for (i++; i < len; i++) {
		if (arg[i] < '0' || arg[i] > '9' || unit == 1)
			return -EINVAL;
		unit /= 10;
		fraction += (arg[i] - '0') * unit;
	}
	*ns = seconds * NS_PER_SEC + fraction;
	return 0;
}

/* "A,B", one of which may be empty. */
static int parse_time(const struct option *opt, const char *arg, int unset)
{
	const char *form = "FROM,TO in seconds as perf script prints them, one may be empty";
	struct cmd *cmd = opt->value;
	const char *comma;

	if (unset)
		return -1;
	comma = strchr(arg, ',');
	if (!comma || (comma == arg && !comma[1]))
		return bad_value(opt, arg, form);
	if ((comma > arg && parse_stamp(arg, comma - arg, &cmd->rec.from)) ||
	    (comma[1] && parse_stamp(comma + 1, strlen(comma + 1), &cmd->rec.to)) ||
	    cmd->rec.from > cmd->rec.to)
		return bad_value(opt, arg, form);
	return 0;
}

/* The running kernel's names are the recording's if it is the same, and lies where it lay. */
static bool is_this_kernel(const struct ipi_perfdata_info *info, const struct ipi_symbols *symbols)
{
	struct utsname uts;

	return info->kernel_ref && !uname(&uts) &&
	       (!info->osrelease || !strcmp(uts.release, info->osrelease)) &&
	       ipi_symbols__address(symbols, info->kernel_ref_name) == info->kernel_ref;
}

static int find_symbols(struct cmd *cmd, struct ipi_why *why)
{
	const struct ipi_perfdata_info *info = ipi_perfdata__info(cmd->data);
	size_t size;
	const char *text = ipi_perfdata__kallsyms(cmd->data, &size);

	cmd->rec.names_from = "nowhere (--kallsyms)";
	if (cmd->kallsyms) {
		cmd->symbols = ipi_symbols__new(cmd->kallsyms, why);
		if (!cmd->symbols)
			return -EINVAL;
		cmd->rec.names_from = cmd->kallsyms;
	} else if (text) {
		cmd->symbols = ipi_symbols__parse(text, size, why);
		if (cmd->symbols)
			cmd->rec.names_from = "the recording";
	} else {
		cmd->symbols = ipi_symbols__new(LIVE_KALLSYMS, NULL);
		cmd->this_kernel = cmd->symbols && is_this_kernel(info, cmd->symbols);
		if (cmd->this_kernel) {
			cmd->rec.names_from = LIVE_KALLSYMS;
		} else {
			ipi_symbols__delete(cmd->symbols);
			cmd->symbols = NULL;
		}
	}
	cmd->rec.symbols = cmd->symbols;
	return 0;
}

static u64 begin_of(const struct ipi_delivery *d)
{
	if (d->t_queue || d->t_send)
		return d->t_queue ? d->t_queue : d->t_send;
	return d->t_irq_entry ? d->t_irq_entry : d->t_func_entry;
}

static void take_delivery(void *ctx, const struct ipi_delivery *delivery)
{
	struct cmd *cmd = ctx;
	struct ipi_recording *rec = &cmd->rec;
	u64 begin = begin_of(delivery);
	const char *comm = NULL;
	int err;

	if (begin < rec->from || begin > rec->to ||
	    (rec->cpus.nr && !ipi_cpus__has(&rec->cpus, delivery->dst))) {
		rec->outside++;
		return;
	}
	if (rec->by == IPI_BY_SENDER || rec->worst)
		comm = ipi_perfdata__comm(cmd->data, delivery->src_tid);
	err = ipi_kinds__add(rec->kinds, delivery, comm);
	if (!err)
		err = ipi_offsets__add(cmd->offsets, delivery);
	if (!err && cmd->calls)
		err = ipi_calls__delivery(cmd->calls, delivery);
	if (rec->worst)
		ipi_worst__add(rec->worst, delivery, comm);
	if (err && !cmd->err)
		cmd->err = err;
}

static int make_room(struct cmd *cmd, struct ipi_why *why)
{
	const struct ipi_perfdata_info *info = ipi_perfdata__info(cmd->data);
	struct ipi_corr_conf conf = {
		.max_cpus = info->max_cpus, .have = info->have, .irq_exit = info->irq_exit,
		.emit = take_delivery, .ctx = cmd,
	};

	if (cmd->symbols)
		conf.list_func = ipi_symbols__address(cmd->symbols, "sched_ttwu_pending");
	cmd->corr = ipi_corr__new(&conf);
	cmd->offsets = ipi_offsets__new();
	cmd->rec.kinds = ipi_kinds__new(cmd->rec.by);
	if (info->have & IPI_EVENT_BIT(IPI_EVENT_CALL)) {
		cmd->rec.calls = ipi_kinds__new(IPI_BY_KIND);
		cmd->calls = cmd->rec.calls ? ipi_calls__new(cmd->rec.calls) : NULL;
		if (!cmd->calls)
			return ipi_why__set(why, ENOMEM, NULL, "report");
		cmd->stamps = !strcmp(info->clock, "CLOCK_MONOTONIC_RAW");
	}
	if (cmd->worst)
		cmd->rec.worst = ipi_worst__new(cmd->worst);
	if (!cmd->corr || !cmd->offsets || !cmd->rec.kinds || (cmd->worst && !cmd->rec.worst))
		return ipi_why__set(why, ENOMEM, NULL, "report");
	return 0;
}

/* Few events are not of deliveries, or not of these alone. */
static int feed_calls(struct cmd *cmd, const struct ipi_event *event)
{
	if (event->kind == IPI_EVENT_CALL)
		return ipi_calls__begin(cmd->calls, event->tid, event->cpu, event->time);
	if (event->kind == IPI_EVENT_LOST) {
		if (cmd->calls)
			ipi_calls__lost(cmd->calls, event->cpu);
		return ipi_corr__feed(cmd->corr, event);
	}
	/* Only where its beginning was recorded as well. */
	return cmd->calls ? ipi_calls__end(cmd->calls, event->tid, event->time,
					   cmd->stamps ? event->func : 0,
					   cmd->stamps ? event->csd : 0) : 0;
}

static int read_events(struct cmd *cmd, struct ipi_why *why)
{
	const struct ipi_event *event;
	int ret;

	while ((ret = ipi_perfdata__next(cmd->data, &event, why)) > 0) {
		ret = event->kind < IPI_EVENT_LOST ? ipi_corr__feed(cmd->corr, event) :
						     feed_calls(cmd, event);
		ret = ret ? ret : cmd->err;
		if (ret)
			return ipi_why__set(why, -ret, NULL, "report");
	}
	if (ret)
		return ret;
	if (ipi_perfdata__stats(cmd->data)->truncated)
		ipi_corr__cut(cmd->corr);
	ipi_corr__flush(cmd->corr);
	if (!cmd->err && cmd->calls)
		cmd->err = ipi_calls__flush(cmd->calls);
	if (cmd->err)
		return ipi_why__set(why, -cmd->err, NULL, "report");
	return 0;
}

static int read_recording(struct cmd *cmd, struct ipi_why *why)
{
	int err;

	cmd->data = ipi_perfdata__open(cmd->rec.input, why);
	if (!cmd->data)
		return -EINVAL;
	err = find_symbols(cmd, why);
	if (!err && ipi_perfdata__info(cmd->data)->borrowed && !cmd->this_kernel)
		err = ipi_why__set(why, 0, "take the whole of it, or record to a pipe: -o -",
				   "the formats are cut off the recording, which is not this kernel's");
	if (!err)
		err = make_room(cmd, why);
	if (!err)
		err = read_events(cmd, why);
	if (err)
		return err;

	cmd->rec.data = cmd->data;
	cmd->rec.corr = ipi_corr__stats(cmd->corr);
	ipi_offsets__find(cmd->offsets, &cmd->rec.offsets);
	if (cmd->rec.worst)
		ipi_worst__sort(cmd->rec.worst);
	if (cmd->calls)
		cmd->rec.calls_stats = ipi_calls__stats(cmd->calls);
	if (ipi_kinds__sort(cmd->rec.kinds, cmd->rec.sort) ||
	    (cmd->rec.calls && ipi_kinds__sort(cmd->rec.calls, cmd->rec.sort)))
		return ipi_why__set(why, ENOMEM, NULL, "report");
	return 0;
}

static int print(struct cmd *cmd, struct ipi_why *why)
{
	int status = IPI_EXIT_DONE;

	if (cmd->json && ipi_recording__json(&cmd->rec, cmd->json, why)) {
		ipi_why__print(why);
		status = IPI_EXIT_FAILED;
	}
	if (!cmd->json || strcmp(cmd->json, "-"))
		ipi_recording__print(stdout, &cmd->rec, &cmd->conf);
	status = ipi_cmd__graver(status, ipi_cmd__written("report"));
	if (ipi_perfdata__stats(cmd->data)->truncated) {
		ipi_err("%s: the recording is cut off: read up to the cut", cmd->rec.input);
		status = IPI_EXIT_FAILED;
	}
	return status;
}

static int settle(struct cmd *cmd, int argc, const char **argv, struct ipi_why *why)
{
	if (argc > 1 || (argc && strcmp(cmd->rec.input, "perf.data"))) {
		ipi_err("'%s': one recording at a time", argv[argc - 1]);
		return IPI_EXIT_USAGE;
	}
	if (argc)
		cmd->rec.input = argv[0];
	if (cmd->cpus && ipi_cpus__parse(&cmd->rec.cpus, cmd->cpus, "--cpu", why)) {
		ipi_why__print(why);
		return IPI_EXIT_USAGE;
	}
	if (cmd->json && ipi_json__check(cmd->json, why)) {
		ipi_why__print(why);
		return IPI_EXIT_FAILED;
	}
	/* Who interrupts these CPUs? */
	if (cmd->cpus && !cmd->by_given)
		cmd->rec.by = IPI_BY_SENDER;
	if (cmd->cpus && !cmd->sort_given)
		cmd->rec.sort = IPI_SORT_TIME;
	cmd->conf.colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
	ipi_dbg__set(cmd->conf.verbose);
	return 0;
}

static void end(struct cmd *cmd)
{
	ipi_calls__delete(cmd->calls);
	ipi_kinds__delete(cmd->rec.calls);
	ipi_kinds__delete(cmd->rec.kinds);
	ipi_worst__delete(cmd->rec.worst);
	ipi_cpus__free(&cmd->rec.cpus);
	ipi_offsets__delete(cmd->offsets);
	ipi_corr__delete(cmd->corr);
	ipi_symbols__delete(cmd->symbols);
	ipi_perfdata__close(cmd->data);
}

int ipi_cmd__report(int argc, const char **argv, const char *version)
{
	struct cmd cmd = { .rec = { .input = "perf.data", .to = UINT64_MAX } };
	const struct option options[] = {
	OPT_STRING('i', "input", &cmd.rec.input, "file",
		   "the recording (default: perf.data), - for stdin"),
	OPT_STRING(0, "cpu", &cmd.cpus, "list",
		   "only deliveries to these CPUs: who interrupts them, at what cost"),
	OPT_CALLBACK(0, "by", &cmd, "kind|callback|callsite|src|dst|pair|sender",
		     "what makes a row (default: kind, with --cpu sender)", parse_by),
	OPT_CALLBACK(0, "sort", &cmd, "count|time|latency|max",
		     "the order of rows (default: count, with --cpu time)", parse_sort),
	OPT_CALLBACK(0, "time", &cmd, "from,to",
		     "only deliveries that begin then, in seconds as perf script prints them",
		     parse_time),
	OPT_CALLBACK(0, "worst", &cmd, "n", "the n longest deliveries, with all their events",
		     parse_worst),
	OPT_STRING(0, "kallsyms", &cmd.kallsyms, "file", "the recorded kernel's /proc/kallsyms"),
	OPT_STRING(0, "json", &cmd.json, "file", "write the whole report, - for stdout"),
	OPT_BOOLEAN(0, "hist", &cmd.conf.hist, "print histograms"),
	OPT_INCR('v', "verbose", &cmd.conf.verbose, "say more: events, details of every row"),
	OPT_END()
	};
	struct ipi_why why = { .err = 0 };
	int status;

	(void)version;
	argc = parse_options(argc, argv, options, usage, 0);
	status = settle(&cmd, argc, argv, &why);
	if (!status && read_recording(&cmd, &why)) {
		ipi_why__print(&why);
		status = IPI_EXIT_FAILED;
	} else if (!status) {
		status = print(&cmd, &why);
	}
	end(&cmd);
	return status;
}
