// SPDX-License-Identifier: GPL-2.0
/*
 * A fuzz target as a program, for AFL and for looking at a finding: its input is the file named on
 * the command line, or stdin.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

#define INPUT_MAX	(64UL << 20)

int main(int argc, char **argv)
{
	FILE *file = argc > 1 ? fopen(argv[1], "rb") : stdin;
	uint8_t *bytes = malloc(INPUT_MAX);
	bool usable = file && bytes && argc <= 2;

	if (usable)
		LLVMFuzzerTestOneInput(bytes, fread(bytes, 1, INPUT_MAX, file));
	else
		fprintf(stderr, "usage: fuzz-perfdata [FILE]\n");
	free(bytes);
	if (file)
		fclose(file);
	return usable ? 0 : 1;
}
