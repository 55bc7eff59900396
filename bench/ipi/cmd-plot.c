// SPDX-License-Identifier: GPL-2.0
/*
 * perf bench ipi plot: results that "--json" wrote, as pictures or as one page. What is drawn, and
 * how, is report/plot's and report/html's; this file reads options and files.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <linux/kernel.h>
#include <subcmd/parse-options.h>

#include "cmd-options.h"
#include "cmd-plot.h"
#include "parse.h"
#include "report/plot.h"
#include "report/report.h"
#include "why.h"

/* Curves of more runs than that nobody can tell apart. */
#define FILES_MAX	8

enum format { FORMAT_SVG, FORMAT_PNG, FORMAT_HTML };

/* Everything the command line says, and what was read. */
struct plot {
	const char *output;
	enum format format;
	unsigned int kinds;
	unsigned int stages;
	unsigned int scenarios;
	const char **path;
	int nr;
	char name[FILES_MAX][64];
	struct ipi_result *result[FILES_MAX];
	struct ipi_plot_run run[FILES_MAX];
};

static const char *const usage[] = {
	"perf bench ipi plot [<options>] -o <file.svg|png|html> <run.json>...",
	NULL
};

/* What a list of names is read into. */
struct names {
	const struct option *opt;
	int (*find)(const char *name);
};

/* A name's bit; "all" is every one. */
static int add_name(void *ctx, char *name)
{
	const struct names *names = ctx;
	unsigned int *mask = names->opt->value;
	int bit;

	if (!strcmp(name, "all")) {
		*mask = ~0U;
		return 0;
	}
	bit = names->find(name);
	if (bit < 0) {
		ipi_err("--%s: no %s '%s'", names->opt->long_name, names->opt->long_name, name);
		return -1;
	}
	*mask |= 1U << bit;
	return 0;
}

static int parse_names(const struct option *opt, const char *arg, int (*find)(const char *name))
{
	struct names names = { .opt = opt, .find = find };

	return ipi_parse__list(arg, add_name, &names);
}

static int parse_kinds(const struct option *opt, const char *arg, int unset)
{
	if (!unset && !parse_names(opt, arg, ipi_figure__find))
		return 0;
	fprintf(stderr, "  one or more of stages,cdf,hist,fanout,matrix, or all\n");
	return -1;
}

static int parse_stages(const struct option *opt, const char *arg, int unset)
{
	int i;

	if (!unset && !parse_names(opt, arg, ipi_stage__find))
		return 0;
	fputs("  one or more of ", stderr);
	for (i = 0; i < IPI_STAGE_NR; i++)
		fprintf(stderr, "%s,", ipi_stage__name((enum ipi_stage)i));
	fputs(" or all\n", stderr);
	return -1;
}

static int parse_scenarios(const struct option *opt, const char *arg, int unset)
{
	if (!unset && !parse_names(opt, arg, ipi_scenario__find))
		return 0;
	fprintf(stderr, "  see: perf bench ipi list\n");
	return -1;
}

static int read_all(struct plot *plot)
{
	struct ipi_why why;
	int i;

	for (i = 0; i < plot->nr; i++) {
		plot->result[i] = ipi_json__read(plot->path[i], &why);
		if (!plot->result[i]) {
			ipi_why__print(&why);
			return why.err == EOPNOTSUPP ? IPI_EXIT_UNSUPPORTED : IPI_EXIT_FAILED;
		}
		ipi_cmd__name_result(plot->name[i], sizeof(plot->name[i]), plot->path[i]);
		plot->run[i] = (struct ipi_plot_run){ plot->name[i], plot->result[i] };
	}
	return IPI_EXIT_DONE;
}

static int write_out(const struct plot *plot, const struct ipi_plot *what,
		     const struct ipi_figures *figures)
{
	enum ipi_image image;
	struct ipi_why why;
	int err;

	if (plot->format == FORMAT_HTML) {
		err = ipi_html__write(what, figures, IPI_THRESHOLD_DEFAULT, plot->output, &why);
	} else if (!figures->nr) {
		err = ipi_why__set(&why, EOPNOTSUPP, "leave out --kind, --stage and --scenario",
				   "nothing to draw of what was asked for");
	} else {
		image = plot->format == FORMAT_PNG ? IPI_IMAGE_PNG : IPI_IMAGE_SVG;
		err = ipi_figures__draw(figures, image, plot->output, &why);
	}
	if (!err)
		return IPI_EXIT_DONE;
	ipi_why__print(&why);
	return why.err == EOPNOTSUPP ? IPI_EXIT_UNSUPPORTED : IPI_EXIT_FAILED;
}

static int run(struct plot *plot)
{
	struct ipi_plot_conf conf = {
		.run = plot->run, .nr = plot->nr, .stages = plot->stages,
		.kinds = plot->kinds ? plot->kinds : ~0U, .scenarios = plot->scenarios,
	};
	struct ipi_figures figures = { 0 };
	struct ipi_plot *what;
	int status = read_all(plot);

	if (status)
		return status;
	what = ipi_plot__new(&conf);
	if (!what || ipi_figures__make(&figures, what)) {
		ipi_err("out of memory");
		status = IPI_EXIT_FAILED;
	} else {
		status = write_out(plot, what, &figures);
	}
	ipi_figures__free(&figures);
	ipi_plot__delete(what);
	return status;
}

/* By the suffix of the file. Return: 0, or -1 where it has none that we write. */
static int format_of(const char *path, enum format *format)
{
	static const struct {
		const char *suffix;
		enum format format;
	} known[] = {
		{ ".svg", FORMAT_SVG }, { ".png", FORMAT_PNG }, { ".html", FORMAT_HTML },
		{ ".htm", FORMAT_HTML },
	};
	const char *dot = strrchr(path, '.');
	size_t i;

	for (i = 0; dot && i < ARRAY_SIZE(known); i++) {
		if (!strcasecmp(dot, known[i].suffix)) {
			*format = known[i].format;
			return 0;
		}
	}
	return -1;
}

static int settle(struct plot *plot, int argc, const char **argv)
{
	if (argc < 1 || argc > FILES_MAX) {
		ipi_err(argc < 1 ? "plot: a result is needed" : "plot: more than %d results",
			FILES_MAX);
		fprintf(stderr, "  perf bench ipi --json run.json writes one\n");
		return IPI_EXIT_USAGE;
	}
	if (!plot->output || format_of(plot->output, &plot->format)) {
		if (plot->output)
			ipi_err("--output: '%s' doesn't say what to write", plot->output);
		else
			ipi_err("plot: --output is needed");
		fprintf(stderr, "  -o FILE.svg, FILE.png or FILE.html\n");
		return IPI_EXIT_USAGE;
	}
	plot->path = argv;
	plot->nr = argc;
	return IPI_EXIT_DONE;
}

static int parse(struct plot *plot, int argc, const char **argv)
{
	const struct option options[] = {
	OPT_STRING('o', "output", &plot->output, "file",
		   "what to write: a picture (.svg, .png) or a page (.html)"),
	OPT_CALLBACK(0, "kind", &plot->kinds, "kind[,...]",
		     "figures: stages, cdf, hist, fanout, matrix (default: all)", parse_kinds),
	OPT_CALLBACK(0, "stage", &plot->stages, "stage[,...]",
		     "stages of cdf, hist and matrix, as total,deliver", parse_stages),
	OPT_CALLBACK(0, "scenario", &plot->scenarios, "scenario[,...]",
		     "these scenarios alone", parse_scenarios),
	OPT_END()
	};

	argc = parse_options(argc, argv, options, usage, 0);
	return settle(plot, argc, argv);
}

int ipi_cmd__plot(int argc, const char **argv, const char *version)
{
	struct plot *plot = calloc(1, sizeof(*plot));
	int status;
	int i;

	(void)version;
	if (!plot) {
		ipi_err("out of memory");
		return IPI_EXIT_FAILED;
	}
	status = parse(plot, argc, argv);
	if (!status)
		status = run(plot);
	for (i = 0; i < plot->nr; i++)
		ipi_result__delete(plot->result[i]);
	free(plot);
	return status;
}
