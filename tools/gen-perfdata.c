// SPDX-License-Identifier: GPL-2.0
/*
 * Makes a perf.data of IPIs whose every delivery is known, and tells the truth about it as JSON on
 * stdout: how many of each class, how long each stage, by function. For tests of "report" and for
 * its benchmark. One operation is one delivery. Nothing here is measured, and the same arguments
 * always make the same recording.
 */
#include <stdlib.h>
#include <string.h>

#include "bench/ipi/ipi.h"
#include "bench/ipi/parse.h"
#include "gen-perfdata.h"

#define FUNCS		4
#define FUNC(i)		(0xffffffff81001000ULL + 0x1000 * (i))
#define CALLSITE(i)	(0xffffffff81005010ULL + 0x1000 * ((i) & 1))
#define CALLBACK	0xffffffff81007000ULL
#define CSDS		0xffff888000000000ULL
#define START		1000000000000ULL
#define ROUND_STEPS	100	/* calls of each CPU in a round */
#define RING_LAG	10	/* ns from ring to ring, when perf record comes by */
#define TID(cpu)	(1000 + (cpu))

struct truth_stage {
	u64 count;
	u64 sum;
	u64 min;
	u64 max;
};

/* Of a function; the last is the bare reschedule interrupt. */
struct truth {
	u64 classes[IPI_CLASS_NR];
	u64 handler_ns;
	struct truth_stage stage[IPI_STAGE_NR];
};

struct gen {
	struct gen_file file;
	u64 events;
	u64 left;
	u64 loss;
	u64 skew;
	u64 random;
	u64 *free;		/* by CPU: nothing of it is later yet */
	s64 *clock;		/* by CPU: how much its clock is ahead */
	u64 *until;
	u64 samples;
	u64 lost;
	u64 uncertain;
	bool calls;
	struct truth truth[FUNCS + 1];
};

static u64 draw(struct gen *gen, u64 below)
{
	gen->random ^= gen->random << 13;
	gen->random ^= gen->random >> 7;
	gen->random ^= gen->random << 17;
	return (gen->random >> 11) % below;
}

static void add(struct truth *truth, enum ipi_stage index, u64 from, u64 to)
{
	struct truth_stage *stage = &truth->stage[index];
	u64 ns = to - from;

	if (!stage->count || ns < stage->min)
		stage->min = ns;
	if (ns > stage->max)
		stage->max = ns;
	stage->sum += ns;
	stage->count++;
}

static u64 stamp(const struct gen *gen, int cpu, u64 time)
{
	return time + gen->clock[cpu];
}

static void emit(struct gen *gen, int cpu, u64 time, enum gen_event event,
		 const struct gen_raw *raw)
{
	gen_sample(&gen->file, cpu, stamp(gen, cpu, time), TID(cpu), event, raw);
	gen->samples++;
	if (gen->left)
		gen->left--;
}

static void queue(struct gen *gen, int src, int dst, u64 time, int func, u64 csd)
{
	struct gen_raw raw;

	gen_raw_begin(&gen->file, &raw, GEN_QUEUE, false, TID(src));
	gen_raw_u32(&gen->file, &raw, dst);
	gen_raw_u64(&gen->file, &raw, CALLSITE(func));
	gen_raw_u64(&gen->file, &raw, FUNC(func));
	gen_raw_u64(&gen->file, &raw, csd);
	emit(gen, src, time, GEN_QUEUE, &raw);
}

static void send(struct gen *gen, int src, int dst, u64 time, int func, u64 callback)
{
	struct gen_raw raw;

	gen_raw_begin(&gen->file, &raw, GEN_SEND, false, TID(src));
	gen_raw_u32(&gen->file, &raw, dst);
	gen_raw_u64(&gen->file, &raw, CALLSITE(func));
	gen_raw_u64(&gen->file, &raw, callback);
	emit(gen, src, time, GEN_SEND, &raw);
}

static void vector(struct gen *gen, int cpu, u64 time, enum gen_event event)
{
	struct gen_raw raw;

	gen_raw_begin(&gen->file, &raw, event, true, TID(cpu));
	gen_raw_u32(&gen->file, &raw, 251);
	emit(gen, cpu, time, event, &raw);
}

static void function(struct gen *gen, int cpu, u64 time, enum gen_event event, int func, u64 csd,
		     bool in_irq)
{
	struct gen_raw raw;

	gen_raw_begin(&gen->file, &raw, event, in_irq, TID(cpu));
	gen_raw_u64(&gen->file, &raw, FUNC(func));
	gen_raw_u64(&gen->file, &raw, csd);
	emit(gen, cpu, time, event, &raw);
}

static u64 csd_of(const struct gen *gen, int src, int dst, int which)
{
	return CSDS + (((u64)src * gen->file.cpus + dst) * 2 + which) * 32;
}

/* The target's part of a function call; @first is set to the start of the first function. */
static u64 run_in_irq(struct gen *gen, int src, int dst, u64 entry, const int *func, int nr,
		      bool single, u64 *first)
{
	u64 at = entry;
	int i;

	vector(gen, dst, at, single ? GEN_SINGLE_ENTRY : GEN_CALL_ENTRY);
	for (i = 0; i < nr; i++) {
		u64 starts = at + 100 + draw(gen, 200), ends = starts + 50 + draw(gen, 5000);
		struct truth *truth = &gen->truth[func[i]];
		u64 csd = csd_of(gen, src, dst, i);

		function(gen, dst, starts, GEN_FUNC_ENTRY, func[i], csd, true);
		function(gen, dst, ends, GEN_FUNC_EXIT, func[i], csd, true);
		truth->handler_ns += ends - starts;
		truth->classes[i ? IPI_CLASS_COALESCED : IPI_CLASS_INTERRUPT]++;
		if (!i) {
			add(truth, IPI_STAGE_DISPATCH, entry, starts);
			add(truth, IPI_STAGE_HANDLE, starts, ends);
			add(truth, IPI_STAGE_HANDLER_LATENCY, entry, ends);
		}
		if (!i)
			*first = starts;
		at = ends;
	}
	at += 20 + draw(gen, 100);
	vector(gen, dst, at, single ? GEN_SINGLE_EXIT : GEN_CALL_EXIT);
	return at;
}

static void sent_stages(struct gen *gen, int func, int src, int dst, u64 queued, u64 sent,
			u64 entry, u64 starts)
{
	struct truth *truth = &gen->truth[func];

	queued = stamp(gen, src, queued);
	sent = stamp(gen, src, sent);
	add(truth, IPI_STAGE_SEND, queued, sent);
	add(truth, IPI_STAGE_DELIVER, sent, stamp(gen, dst, entry));
	add(truth, IPI_STAGE_SEND_LATENCY, queued, stamp(gen, dst, entry));
	add(truth, IPI_STAGE_DELIVERY, queued, stamp(gen, dst, starts));
}

/* When both CPUs have time: by any clock, the next IPI comes after the last. */
static u64 begin(struct gen *gen, int src, int dst)
{
	u64 at = gen->free[src] > gen->free[dst] ? gen->free[src] : gen->free[dst];

	return at + 200 + 2 * gen->skew + draw(gen, 800);
}

static void local(struct gen *gen, int cpu)
{
	u64 starts = gen->free[cpu] + 500, ends = starts + 100 + draw(gen, 1000);
	int func = draw(gen, FUNCS);

	function(gen, cpu, starts, GEN_FUNC_ENTRY, func, 0, false);
	function(gen, cpu, ends, GEN_FUNC_EXIT, func, 0, false);
	gen->free[cpu] = ends;
	gen->truth[func].classes[IPI_CLASS_LOCAL]++;
	gen->truth[func].handler_ns += ends - starts;
	add(&gen->truth[func], IPI_STAGE_HANDLE, starts, ends);
}

/* Something that is no IPI; with calls, a system call of the thread begins or ends. */
static void noise(struct gen *gen, int cpu)
{
	enum gen_event event = GEN_NOISE;
	struct gen_raw raw;

	if (gen->calls)
		event = draw(gen, 2) ? GEN_ENTER : GEN_LEAVE;
	gen->free[cpu] += 50;
	gen_raw_begin(&gen->file, &raw, event, false, 0);
	gen_raw_u32(&gen->file, &raw, 1);
	gen_raw_u64(&gen->file, &raw, cpu);
	emit(gen, cpu, gen->free[cpu], event, &raw);
}

/*
 * All the target recorded of the call finds no room. Then something does, before anybody else sends
 * to it: nothing else is in doubt.
 */
static void lose(struct gen *gen, int dst, u64 entry)
{
	int i;

	for (i = 0; i < 4; i++)
		gen_lose(&gen->file, dst);
	gen->lost += 4;
	gen->uncertain++;
	gen->free[dst] = entry + 6000;
	if (draw(gen, 2))
		noise(gen, dst);
	else
		local(gen, dst);
}

/* One function, or two, the second of which finds the first on its way. */
static void call(struct gen *gen, int src, int dst, int nr)
{
	int func[2] = { draw(gen, FUNCS), draw(gen, FUNCS) };
	u64 queued = begin(gen, src, dst), sent = queued + 100 + draw(gen, 300);
	u64 entry = sent + 2000 + draw(gen, 3000), starts;

	queue(gen, src, dst, queued, func[0], csd_of(gen, src, dst, 0));
	send(gen, src, dst, sent, func[0], CALLBACK);
	gen->free[src] = sent;
	if (nr > 1) {
		gen->free[src] = sent + 300;
		queue(gen, src, dst, sent + 300, func[1], csd_of(gen, src, dst, 1));
		/* What the sender does next says that nothing was sent for it. */
		local(gen, src);
	}
	if (nr == 1 && gen->loss && draw(gen, 1000) < gen->loss) {
		lose(gen, dst, entry);
		return;
	}
	gen->free[dst] = run_in_irq(gen, src, dst, entry, func, nr, true, &starts);
	sent_stages(gen, func[0], src, dst, queued, sent, entry, starts);
}

static void resched(struct gen *gen, int src, int dst)
{
	u64 sent = begin(gen, src, dst), entry = sent + 1000 + draw(gen, 3000);
	u64 ends = entry + 100 + draw(gen, 500);
	struct truth *truth = &gen->truth[FUNCS];

	send(gen, src, dst, sent, 0, 0);
	vector(gen, dst, entry, GEN_RESCHED_ENTRY);
	vector(gen, dst, ends, GEN_RESCHED_EXIT);
	gen->free[src] = sent;
	gen->free[dst] = ends;
	truth->classes[IPI_CLASS_INTERRUPT]++;
	truth->handler_ns += ends - entry;
	add(truth, IPI_STAGE_DELIVER, stamp(gen, src, sent), stamp(gen, dst, entry));
	add(truth, IPI_STAGE_SEND_LATENCY, stamp(gen, src, sent), stamp(gen, dst, entry));
	add(truth, IPI_STAGE_HANDLER_LATENCY, entry, ends);
}

/* To some of the CPUs behind the sender, by one IPI. */
static void broadcast(struct gen *gen, int src)
{
	int nr = 2 + draw(gen, gen->file.cpus < 10 ? gen->file.cpus - 2 : 8), i, func;
	unsigned char mask[GEN_CPUS_MAX / 8] = { 0 };
	u64 at = gen->free[src], sent;
	struct gen_raw raw;

	for (i = 1; i <= nr; i++) {
		int dst = (src + i) % gen->file.cpus;

		if (gen->free[dst] > at)
			at = gen->free[dst];
	}
	at += 300 + 2 * gen->skew;
	func = draw(gen, FUNCS);
	for (i = 1; i <= nr; i++) {
		int dst = (src + i) % gen->file.cpus;

		queue(gen, src, dst, at + 50 * i, func, csd_of(gen, src, dst, 0));
		mask[dst / 8] |= 1 << dst % 8;
	}
	sent = at + 50 * i;
	gen_raw_begin(&gen->file, &raw, GEN_SEND_MASK, false, TID(src));
	gen_raw_u32(&gen->file, &raw, 0);
	gen_raw_u64(&gen->file, &raw, CALLSITE(func));
	gen_raw_u64(&gen->file, &raw, CALLBACK);
	gen_raw_mask(&gen->file, &raw, 8, mask);
	emit(gen, src, sent, GEN_SEND_MASK, &raw);
	gen->free[src] = sent;
	for (i = 1; i <= nr; i++) {
		int dst = (src + i) % gen->file.cpus;
		u64 entry = sent + 2000 + draw(gen, 3000), starts;

		gen->free[dst] = run_in_irq(gen, src, dst, entry, &func, 1, false, &starts);
		sent_stages(gen, func, src, dst, at + 50 * i, sent, entry, starts);
	}
}

static void step(struct gen *gen, int src)
{
	int dst = (src + 1 + draw(gen, gen->file.cpus - 1)) % gen->file.cpus;
	u64 what = draw(gen, 100);

	if (what < 5)
		local(gen, src);
	else if (what < 12)
		resched(gen, src, dst);
	else if (what < 18)
		noise(gen, src);
	else if (what < 22 && gen->file.cpus > 2)
		broadcast(gen, src);
	else
		call(gen, src, dst, what < 30 ? 2 : 1);
}

static void end_round(struct gen *gen, bool last)
{
	u64 all = UINT64_MAX;
	int cpu, cpus = gen->file.cpus;

	for (cpu = 0; cpu < cpus; cpu++) {
		if (gen->free[cpu] < all)
			all = gen->free[cpu];
	}
	for (cpu = 0; cpu < cpus; cpu++)
		gen->until[cpu] = last ? UINT64_MAX :
			stamp(gen, cpu, all - 1 - (u64)(cpus - 1 - cpu) * RING_LAG);
	gen_round(&gen->file, gen->until);
}

static void generate(struct gen *gen)
{
	int cpu, cpus = gen->file.cpus;
	u64 steps = 0;
	char comm[16];

	for (cpu = 0; cpu < cpus; cpu++) {
		snprintf(comm, sizeof(comm), "sent_%u", (unsigned int)cpu % 100000);
		gen_comm(&gen->file, TID(cpu), comm);
		gen->free[cpu] = START + cpu;
		if (gen->skew)
			gen->clock[cpu] = draw(gen, 2 * gen->skew + 1) - gen->skew;
	}
	gen->left = gen->events;
	while (gen->left && !gen->file.failed) {
		step(gen, steps++ % cpus);
		if (steps % ((u64)cpus * ROUND_STEPS) == 0)
			end_round(gen, false);
	}
	for (cpu = 0; cpu < cpus; cpu++)
		noise(gen, cpu);
	end_round(gen, true);
}

static void print_stage(const struct truth_stage *stage, const char *name, int nr)
{
	printf("%s\"%s\": {\"count\": %llu, \"sum\": %llu, ", nr ? ", " : "", name,
	       (unsigned long long)stage->count, (unsigned long long)stage->sum);
	printf("\"min\": %llu, \"max\": %llu}", (unsigned long long)stage->min,
	       (unsigned long long)stage->max);
}

static void print_truth(const struct gen *gen)
{
	static const char *const names[FUNCS + 1] = {
		"function_a", "function_b", "function_c", "function_d", "resched",
	};
	int i, j, nr;

	printf("{\"samples\": %llu, \"lost\": %llu, \"uncertain\": %llu, \"kinds\": {\n",
	       (unsigned long long)gen->samples, (unsigned long long)gen->lost,
	       (unsigned long long)gen->uncertain);
	for (i = 0; i <= FUNCS; i++) {
		const struct truth *truth = &gen->truth[i];

		printf("%s\"%s\": {\"handler_ns\": %llu, \"classes\": {", i ? ",\n" : "", names[i],
		       (unsigned long long)truth->handler_ns);
		for (j = 0; j < IPI_CLASS_NR; j++)
			printf("%s\"%s\": %llu", j ? ", " : "", ipi_class__name(j),
			       (unsigned long long)truth->classes[j]);
		printf("}, \"stages\": {");
		for (j = 0, nr = 0; j < IPI_STAGE_NR; j++) {
			const struct truth_stage *stage = &truth->stage[j];

			if (stage->count)
				print_stage(stage, ipi_stage__name(j), nr++);
		}
		printf("}}");
	}
	printf("\n}}\n");
}

static int usage(void)
{
	fputs("Usage: gen-perfdata FILE [cpus=N] [events=N] [loss=PERMILLE] [skew=NS] [seed=N]\n"
	      "         [pipe] [chain] [calls] [zstd] [padded] [swapped]\n", stderr);
	return 129;
}

static bool number(const char *arg, const char *key, u64 max, u64 *value)
{
	size_t len = strlen(key);

	return !strncmp(arg, key, len) && !ipi_parse__count(arg + len, 0, max, value);
}

static bool parse(struct gen *gen, const char *arg, u64 *cpus, u64 *seed)
{
	if (!strcmp(arg, "pipe"))
		gen->file.pipe = true;
	else if (!strcmp(arg, "chain"))
		gen->file.chain = true;
	else if (!strcmp(arg, "zstd"))
		gen->file.compress = true;
	else if (!strcmp(arg, "calls"))
		gen->calls = true;
	else if (!strcmp(arg, "padded"))
		gen->file.padded = true;
	else if (!strcmp(arg, "swapped"))
		gen->file.swap = true;
	else
		return number(arg, "cpus=", GEN_CPUS_MAX, cpus) ||
		       number(arg, "events=", 10000000000ULL, &gen->events) ||
		       number(arg, "loss=", 1000, &gen->loss) ||
		       number(arg, "skew=", 450, &gen->skew) ||
		       number(arg, "seed=", UINT64_MAX, seed);
	return true;
}

static bool make_room(struct gen *gen)
{
	int cpus = gen->file.cpus;

	gen->free = calloc(cpus, sizeof(*gen->free));
	gen->clock = calloc(cpus, sizeof(*gen->clock));
	gen->until = calloc(cpus, sizeof(*gen->until));
	return gen->free && gen->clock && gen->until;
}

int main(int argc, char **argv)
{
	struct gen gen = { .events = 100000 };
	u64 cpus = 2, seed = 1;
	const int one = 1;
	int i, status = 1;

	for (i = 2; i < argc; i++) {
		if (!parse(&gen, argv[i], &cpus, &seed))
			return usage();
	}
	if (argc < 2 || cpus < 2)
		return usage();
	gen.file.cpus = cpus;
	gen.file.big_endian = !*(const char *)&one != gen.file.swap;
	gen.random = seed * 0x9e3779b97f4a7c15ULL + 1;
	gen.file.file = fopen(argv[1], "wb");
	if (gen.file.file && make_room(&gen) && gen_file_begin(&gen.file)) {
		generate(&gen);
		status = gen_file_end(&gen.file) && !fclose(gen.file.file) ? 0 : 1;
	}
	if (status)
		fprintf(stderr, "%s: can't be written\n", argv[1]);
	else
		print_truth(&gen);
	free(gen.free);
	free(gen.clock);
	free(gen.until);
	return status;
}
