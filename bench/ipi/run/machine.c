// SPDX-License-Identifier: GPL-2.0
/*
 * What only the architecture can tell of a machine: the hypervisor's name and the mode of the
 * interrupt controller, both of which decide what an IPI costs.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/kernel.h>
#include <linux/types.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "machine.h"

const char *ipi_machine__line(const char *path, char *buf, size_t size)
{
	FILE *file = fopen(path, "re");

	buf[0] = '\0';
	if (!file)
		return buf;
	if (!fgets(buf, (int)size, file))
		buf[0] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	fclose(file);
	/* Some kernels pad what they print. */
	return buf + strspn(buf, " ");
}

#ifdef __x86_64__
/* The vendor leaf a hypervisor answers, Intel SDM and AMD APM: CPUID 0x40000000. */
const char *ipi_machine__hypervisor(char *buf, size_t size)
{
	static const struct {
		const char *signature;
		const char *name;
	} known[] = {
		{ "KVMKVMKVM", "KVM" },		{ "Microsoft Hv", "Hyper-V" },
		{ "XenVMMXenVMM", "Xen" },	{ "VMwareVMware", "VMware" },
		{ "TCGTCGTCGTCG", "QEMU TCG" },	{ "bhyve bhyve ", "bhyve" },
		{ "ACRNACRNACRN", "ACRN" },
	};
	unsigned int eax, ebx, ecx, edx;
	char signature[13];
	size_t i;

	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
		return "";
	if (!(ecx & 1U << 31))
		return "none";
	__cpuid(0x40000000, eax, ebx, ecx, edx);
	memcpy(signature, &ebx, 4);
	memcpy(signature + 4, &ecx, 4);
	memcpy(signature + 8, &edx, 4);
	signature[12] = '\0';
	for (i = 0; i < ARRAY_SIZE(known); i++) {
		if (!strncmp(signature, known[i].signature, strlen(known[i].signature)))
			return known[i].name;
	}
	(void)buf;
	(void)size;
	return "unknown";
}

/* IA32_APIC_BASE, MSR 0x1b: bit 11 enabled, bit 10 x2APIC. Needs root and the msr driver. */
const char *ipi_machine__irqchip(int cpu, char *buf, size_t size)
{
	char path[64];
	u64 base = 0;
	int fd;

	snprintf(path, sizeof(path), "/dev/cpu/%d/msr", cpu);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return "";
	if (pread(fd, &base, sizeof(base), 0x1b) != (ssize_t)sizeof(base) || !(base & 1U << 11))
		buf[0] = '\0';
	else
		snprintf(buf, size, base & 1U << 10 ? "x2APIC" : "xAPIC");
	close(fd);
	return buf;
}
#else
const char *ipi_machine__hypervisor(char *buf, size_t size)
{
	return ipi_machine__line("/sys/firmware/devicetree/base/hypervisor/compatible", buf, size);
}

/* The chip column of /proc/interrupts: "GICv3" and the like. */
const char *ipi_machine__irqchip(int cpu, char *buf, size_t size)
{
	FILE *file = fopen("/proc/interrupts", "re");
	char *line = NULL;
	size_t room = 0;

	(void)cpu;
	buf[0] = '\0';
	if (!file)
		return buf;
	while (!buf[0] && getline(&line, &room, file) >= 0) {
		char *chip = strstr(line, "GICv");

		if (chip) {
			chip[strcspn(chip, " \t\n")] = '\0';
			snprintf(buf, size, "%s", chip);
		}
	}
	free(line);
	fclose(file);
	return buf;
}
#endif
