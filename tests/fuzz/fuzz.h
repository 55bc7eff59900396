/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The one function of a fuzz target, by libFuzzer's name.
 */
#ifndef IPI_FUZZ_H
#define IPI_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#endif
