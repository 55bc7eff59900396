/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the sub-commands that run something share.
 */
#ifndef IPI_CMD_OPTIONS_H
#define IPI_CMD_OPTIONS_H

#include <stddef.h>

struct ipi_options;
struct ipi_result;
struct option;

#define IPI_EXIT_DONE		0
#define IPI_EXIT_FAILED		1
#define IPI_EXIT_WORSE		2
#define IPI_EXIT_UNSUPPORTED	3
#define IPI_EXIT_USAGE		129

/* perf bench's own default, which can't be told from "-r 10". */
#define IPI_REPEAT_NOT_GIVEN	10

/* Callbacks of parse_options() for a struct ipi_options as the option's value: -l, -r, ... */
int ipi_cmd__loop(const struct option *opt, const char *arg, int unset);
int ipi_cmd__repeat(const struct option *opt, const char *arg, int unset);
int ipi_cmd__gap(const struct option *opt, const char *arg, int unset);
int ipi_cmd__pages(const struct option *opt, const char *arg, int unset);
int ipi_cmd__inject(const struct option *opt, const char *arg, int unset);
int ipi_cmd__target(const struct option *opt, const char *arg, int unset);

/* For a u64 in ns: "5s". */
int ipi_cmd__time(const struct option *opt, const char *arg, int unset);

/* For a double: "3%" or "0.03". */
int ipi_cmd__threshold(const struct option *opt, const char *arg, int unset);
#define IPI_THRESHOLD_DEFAULT	0.03

/* The scenarios named, "normal,broadcast"; all if none is. 0, or -errno once it is said. */
int ipi_cmd__scenarios(struct ipi_options *out, int argc, const char **argv);

/* Is there such a table, or none asked for? 0, or -EINVAL once it is said. */
int ipi_cmd__table(const char *table);

/* "--loop: '0' is out of range", and @form, which says what would do. Return: -1. */
int ipi_cmd__bad_value(const struct option *opt, const char *arg, int err, const char *form);

/* Is there such a backend, and can it do what else is asked? 0, or -EINVAL once it is said. */
int ipi_cmd__check_backend(const struct ipi_options *opt);

/* The exit status of a result: what a script may rely on. */
int ipi_cmd__judge(const struct ipi_result *result);

/* Of two exit statuses the one that says more: failed, worse, unsupported, done. */
int ipi_cmd__graver(int a, int b);

/* Did all of stdout, the @what, get out? IPI_EXIT_DONE, or IPI_EXIT_FAILED once it is said. */
int ipi_cmd__written(const char *what);

/* The exit status of a run that could not even begin with @err. */
int ipi_cmd__status(int err);

/* What a result is called, into @buf: its file without directory and ".json". */
void ipi_cmd__name_result(char *buf, size_t size, const char *path);

#endif
