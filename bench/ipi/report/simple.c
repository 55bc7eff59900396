// SPDX-License-Identifier: GPL-2.0
/*
 * The output of "-f simple", for scripts: "SCENARIO/TARGET P50" for each row, in ns. A sweep's
 * scenario has its step behind it, "multicast:4". The target is left out where the scenario has
 * none; "-" stands where there is no headline.
 */
#include "report.h"

void ipi_simple__print(FILE *file, const struct ipi_result *result)
{
	const struct ipi_cell *cell;
	char label[32];
	u64 ns;
	int i;

	for (i = 0; i < result->nr_cell; i++) {
		cell = &result->cell[i];
		fputs(ipi_cell__label(cell, label, sizeof(label)), file);
		if (cell->target != IPI_TARGET_NONE)
			fprintf(file, "/%s", ipi_target__name(cell->target));
		if (cell->verdict == IPI_VERDICT_OK && ipi_cell__measured(cell, IPI_STAGE_TOTAL)) {
			ns = ipi_hist__percentile(cell->stage[IPI_STAGE_TOTAL], 5000);
			fprintf(file, " %llu\n", (unsigned long long)ns);
		} else {
			fputs(" -\n", file);
		}
	}
	fflush(file);
}
