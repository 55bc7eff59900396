// SPDX-License-Identifier: GPL-2.0
/*
 * The header of the text output: what runs where, from the facts that are known before the first
 * measurement. A fact that is not known is left out.
 */
#include <string.h>

#include "text.h"

/* NULL if not known. */
static const char *fact_value(const struct ipi_fact *fact, struct ipi_word *word)
{
	if (!fact)
		return NULL;
	if (fact->str)
		return fact->str;
	snprintf(word->str, sizeof(word->str), "%lld", (long long)fact->num);
	return word->str;
}

static const char *get(const struct ipi_result *result, const char *key, struct ipi_word *word)
{
	return fact_value(ipi_facts__get(&result->environment, key), word);
}

static void add_cpus(struct ipi_line *line, const struct ipi_result *result)
{
	struct ipi_word cpus_buf, src_buf;
	const char *cpus = get(result, "cpus", &cpus_buf);
	const char *src = get(result, "src", &src_buf);

	if (cpus)
		ipi_line__add(line, "CPUs %s%s%s", cpus, src ? ", sender " : "", src ? src : "");
	else if (src)
		ipi_line__add(line, "sender %s", src);
}

static void add_kernel(struct ipi_line *line, const struct ipi_result *result)
{
	struct ipi_word kernel_buf, machine_buf, hyper_buf;
	const char *hyper = get(result, "hypervisor", &hyper_buf);
	const char *machine = get(result, "machine", &machine_buf);
	const char *kernel = get(result, "kernel", &kernel_buf);

	if (kernel)
		ipi_line__add(line, "Linux %s%s%s", kernel, machine ? " " : "",
			      machine ? machine : "");
	if (hyper && !strcmp(hyper, "none"))
		ipi_line__add(line, "bare metal");
	else if (hyper)
		ipi_line__add(line, "%s guest", hyper);
}

static void add_clock(struct ipi_line *line, const struct ipi_result *result)
{
	struct ipi_word clock_buf, source_buf, skew_buf, cpus_buf;
	const char *source = get(result, "clock_source", &source_buf);
	const char *clock = get(result, "clock", &clock_buf);
	const char *skew = get(result, "skew_ns", &skew_buf);
	const char *cpus = get(result, "cpus", &cpus_buf);

	if (clock)
		ipi_line__add(line, "%s%s%s%s", clock, source ? " (" : "", source ? source : "",
			      source ? ")" : "");
	if (skew)
		ipi_line__add(line, "clock skew <= %s ns", skew);
	else if (clock && cpus && strpbrk(cpus, ",-"))
		ipi_line__add(line, "clock skew not measured");
}

/* What may disturb or explain the figures, one piece each. */
static void add_others(struct ipi_line *line, const struct ipi_result *result)
{
	static const struct {
		const char *key;
		const char *before;
		const char *after;
	} piece[] = {
		{ "clock_cost_ns",	"clock read ",		" ns" },
		{ "syscall_ns",		"system call ",		" ns" },
		{ "cpu_model",		"",			"" },
		{ "irqchip",		"irqchip ",		"" },
		{ "preempt",		"preempt ",		"" },
		{ "idle_driver",	"idle driver ",		"" },
		{ "governor",		"governor ",		"" },
		{ "rt",			"real time ",		"" },
		{ "csd_lock_wait_debug", "csd_lock_wait_debug ", "" },
		{ "isolated",		"isolated CPUs ",	"" },
		{ "nohz_full",		"nohz_full CPUs ",	"" },
	};
	struct ipi_word buf;
	const char *value;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(piece); i++) {
		value = get(result, piece[i].key, &buf);
		if (value)
			ipi_line__add(line, "%s%s%s", piece[i].before, value, piece[i].after);
	}
}

static void print_facts(const struct ipi_text *text, const char *title,
			const struct ipi_facts *facts)
{
	struct ipi_word buf;
	int i;

	for (i = 0; i < facts->nr; i++)
		ipi_text__comment(text, IPI_MARK_PLAIN, "%s %s: %s", title, facts->fact[i].key,
				  fact_value(&facts->fact[i], &buf));
}

void ipi_text__begin(FILE *file, const struct ipi_result *result,
		     const struct ipi_text_conf *conf)
{
	const struct ipi_text text = { .file = file, .result = result, .conf = conf };
	struct ipi_line line = { .file = file };
	struct ipi_word buf, why_buf;
	const char *backend, *why;

	fprintf(file, "# Running 'ipi/%s' benchmark:\n", result->title);
	add_cpus(&line, result);
	add_kernel(&line, result);
	backend = get(result, "backend", &buf);
	why = get(result, "backend_why", &why_buf);
	if (backend)
		ipi_line__add(&line, "%s backend%s%s%s", backend, why ? " (" : "", why ? why : "",
			      why ? ")" : "");
	add_clock(&line, result);
	ipi_line__end(&line);
	add_others(&line, result);
	ipi_line__end(&line);
	if (conf->verbose) {
		print_facts(&text, "environment", &result->environment);
		print_facts(&text, "option", &result->options);
	}
	fflush(file);
}
