// SPDX-License-Identifier: GPL-2.0
/*
 * /proc/interrupts and /proc/stat. x86 names its rows (CAL, RES, IWI, TLB), arm and arm64 number
 * them (IPI0 ...) and say what they are at the end of the line.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/kernel.h>

#include "../parse.h"
#include "../why.h"
#include "interrupts.h"

static const struct {
	const char *label;	/* start of the line, or NULL */
	const char *tail;	/* what stands behind the counters, or NULL */
	enum ipi_counter counter;
} known_rows[] = {
	{ "CAL:", NULL, IPI_COUNTER_CALL },
	{ "RES:", NULL, IPI_COUNTER_RESCHED },
	{ "IWI:", NULL, IPI_COUNTER_WORK },
	{ "TLB:", NULL, IPI_COUNTER_TLB },
	{ NULL, "Function call interrupts", IPI_COUNTER_CALL },
	{ NULL, "Rescheduling interrupts", IPI_COUNTER_RESCHED },
	{ NULL, "IRQ work interrupts", IPI_COUNTER_WORK },
};

/* The header line: "CPU0 CPU1 ...", online CPUs only. */
static int read_header(struct ipi_interrupts *irqs, char *line)
{
	char *save = NULL;
	char *word;
	int *grown;
	u64 cpu;

	for (word = strtok_r(line, " \t\n", &save); word; word = strtok_r(NULL, " \t\n", &save)) {
		if (strncmp(word, "CPU", 3) ||
		    ipi_parse__u64(word + 3, 0, IPI_CPUS_MAX - 1, &cpu))
			return -EPROTO;
		grown = realloc(irqs->cpu, (size_t)(irqs->nr + 1) * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		irqs->cpu = grown;
		grown[irqs->nr++] = (int)cpu;
	}
	return irqs->nr ? 0 : -EPROTO;
}

/* Which counter a row is; @tail is what follows the numbers. */
static int find_row(const char *label, const char *tail)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(known_rows); i++) {
		if (known_rows[i].label ? !strcmp(known_rows[i].label, label) :
					  !strcmp(known_rows[i].tail, tail))
			return (int)known_rows[i].counter;
	}
	return -1;
}

/* One row: a label, a number per column, a tail. Rows that aren't ours are passed over. */
static int read_row(struct ipi_interrupts *irqs, char *line, u64 *numbers)
{
	char *label, *word;
	char *rest = line;
	int row, i;

	line[strcspn(line, "\n")] = '\0';
	rest += strspn(rest, " \t");
	label = strsep(&rest, " \t");
	if (!rest)
		return 0;
	for (i = 0; i < irqs->nr; i++) {
		rest += strspn(rest, " \t");
		word = strsep(&rest, " \t");
		if (!rest || ipi_parse__u64(word, 0, UINT64_MAX, &numbers[i]))
			return 0;
	}
	rest += strspn(rest, " \t");
	row = find_row(label, rest);
	if (row < 0 || irqs->count[row])
		return 0;
	irqs->count[row] = malloc((size_t)irqs->nr * sizeof(*numbers));
	if (!irqs->count[row])
		return -ENOMEM;
	memcpy(irqs->count[row], numbers, (size_t)irqs->nr * sizeof(*numbers));
	irqs->have |= 1U << row;
	return 0;
}

int ipi_interrupts__read(struct ipi_interrupts *irqs, const char *path, struct ipi_why *why)
{
	FILE *file = fopen(path, "re");
	u64 *numbers = NULL;
	char *line = NULL;
	size_t size = 0;
	int err = 0;

	memset(irqs, 0, sizeof(*irqs));
	if (!file)
		return ipi_why__set(why, errno, NULL, "can't open %s", path);
	if (getline(&line, &size, file) < 0)
		err = -EPROTO;
	else
		err = read_header(irqs, line);
	if (!err) {
		numbers = calloc((size_t)irqs->nr, sizeof(*numbers));
		if (!numbers)
			err = -ENOMEM;
	}
	while (!err && getline(&line, &size, file) >= 0)
		err = read_row(irqs, line, numbers);
	free(numbers);
	free(line);
	fclose(file);
	if (err) {
		ipi_interrupts__free(irqs);
		ipi_why__set(why, -err, NULL, "can't read %s", path);
	}
	return err;
}

void ipi_interrupts__free(struct ipi_interrupts *irqs)
{
	int i;

	for (i = 0; i < IPI_COUNTER_NR; i++)
		free(irqs->count[i]);
	free(irqs->cpu);
	memset(irqs, 0, sizeof(*irqs));
}

static int column_of(const struct ipi_interrupts *irqs, int cpu)
{
	int i;

	for (i = 0; i < irqs->nr; i++) {
		if (irqs->cpu[i] == cpu)
			return i;
	}
	return -1;
}

bool ipi_interrupts__has(const struct ipi_interrupts *irqs, int cpu)
{
	return column_of(irqs, cpu) >= 0;
}

u64 ipi_interrupts__get(const struct ipi_interrupts *irqs, enum ipi_counter counter, int cpu)
{
	int column = column_of(irqs, cpu);

	return irqs->count[counter] && column >= 0 ? irqs->count[counter][column] : 0;
}

/* Column 8 of "cpuN user nice system idle iowait irq softirq steal ...", in clock ticks. */
static bool steal_of_line(char *line, const struct ipi_cpus *cpus, u64 *ticks)
{
	char *save = NULL;
	char *word = strtok_r(line, "\n ", &save);
	u64 cpu;
	int i;

	if (!word || strncmp(word, "cpu", 3) ||
	    ipi_parse__u64(word + 3, 0, IPI_CPUS_MAX - 1, &cpu) ||
	    !ipi_cpus__has(cpus, (int)cpu))
		return false;
	for (i = 0; word && i < 8; i++)
		word = strtok_r(NULL, "\n ", &save);
	return word && !ipi_parse__u64(word, 0, UINT64_MAX, ticks);
}

double ipi_steal__read(const char *path, const struct ipi_cpus *cpus)
{
	FILE *file = fopen(path, "re");
	long hz = sysconf(_SC_CLK_TCK);
	bool seen = false;
	char *line = NULL;
	size_t size = 0;
	u64 ticks, sum = 0;

	if (!file)
		return -1;
	while (getline(&line, &size, file) >= 0) {
		if (steal_of_line(line, cpus, &ticks)) {
			sum += ticks;
			seen = true;
		}
	}
	free(line);
	fclose(file);
	return seen && hz > 0 ? (double)sum * 1000 / (double)hz : -1;
}
