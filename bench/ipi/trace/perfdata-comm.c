// SPDX-License-Identifier: GPL-2.0
/*
 * Who a thread is at the moment the reader of a recording has come to: names by thread id, as the
 * COMM, FORK and EXIT records of a recording tell them. Open addressing; a thread that ended is
 * forgotten, so that memory follows the threads that live at the same time.
 */
#include <errno.h>
#include <stdlib.h>

#include "pd.h"

#define COMM_LEN	16	/* TASK_COMM_LEN */
#define ROOM_MIN	256

struct pd_comm {
	u32 tid;
	bool used;
	char comm[COMM_LEN];
};

/**
 * struct pd_comms - the names
 * @comm:	by thread id
 * @room:	of @comm, a power of two
 * @nr:		used
 */
struct pd_comms {
	struct pd_comm *comm;
	size_t room;
	size_t nr;
};

static size_t slot(const struct pd_comms *comms, u32 tid)
{
	return (tid * 0x9e3779b1U) & (comms->room - 1);
}

/* Where it is, or would be. */
static size_t find(const struct pd_comms *comms, u32 tid)
{
	size_t at = slot(comms, tid);

	while (comms->comm[at].used && comms->comm[at].tid != tid)
		at = (at + 1) & (comms->room - 1);
	return at;
}

struct pd_comms *ipi_pd__comms_new(void)
{
	struct pd_comms *comms = malloc(sizeof(*comms));

	if (!comms)
		return NULL;
	comms->nr = 0;
	comms->room = ROOM_MIN;
	comms->comm = calloc(comms->room, sizeof(*comms->comm));
	if (!comms->comm) {
		free(comms);
		return NULL;
	}
	return comms;
}

void ipi_pd__comms_delete(struct pd_comms *comms)
{
	if (!comms)
		return;
	free(comms->comm);
	free(comms);
}

static int grow(struct pd_comms *comms)
{
	struct pd_comms bigger = { .room = comms->room * 2, .nr = comms->nr };
	size_t i;

	bigger.comm = calloc(bigger.room, sizeof(*bigger.comm));
	if (!bigger.comm)
		return -ENOMEM;
	for (i = 0; i < comms->room; i++) {
		if (comms->comm[i].used)
			bigger.comm[find(&bigger, comms->comm[i].tid)] = comms->comm[i];
	}
	free(comms->comm);
	*comms = bigger;
	return 0;
}

int ipi_pd__comms_set(struct pd_comms *comms, u32 tid, const char *comm, size_t size)
{
	char text[COMM_LEN] = "";
	size_t at, i;

	for (i = 0; i < size && i < COMM_LEN - 1 && comm[i]; i++)
		text[i] = (unsigned char)comm[i] < ' ' || comm[i] == 0x7f ? '?' : comm[i];
	if (comms->nr >= comms->room / 2 && grow(comms))
		return -ENOMEM;
	at = find(comms, tid);
	comms->nr += !comms->comm[at].used;
	comms->comm[at].used = true;
	comms->comm[at].tid = tid;
	memcpy(comms->comm[at].comm, text, COMM_LEN);
	return 0;
}

/* A new thread is called as the one that made it. */
int ipi_pd__comms_fork(struct pd_comms *comms, u32 tid, u32 parent)
{
	const char *name = ipi_pd__comms_get(comms, parent);
	char comm[COMM_LEN];

	if (!name || tid == parent)
		return 0;
	memcpy(comm, name, COMM_LEN);
	return ipi_pd__comms_set(comms, tid, comm, COMM_LEN);
}

void ipi_pd__comms_exit(struct pd_comms *comms, u32 tid)
{
	size_t at = find(comms, tid), next = at, home;

	if (!comms->comm[at].used)
		return;
	/* Those behind it move up, if that is nearer to where they belong. */
	for (;;) {
		next = (next + 1) & (comms->room - 1);
		if (!comms->comm[next].used)
			break;
		home = slot(comms, comms->comm[next].tid);
		if (((next - home) & (comms->room - 1)) >= ((next - at) & (comms->room - 1))) {
			comms->comm[at] = comms->comm[next];
			at = next;
		}
	}
	comms->comm[at].used = false;
	comms->nr--;
}

const char *ipi_pd__comms_get(const struct pd_comms *comms, u32 tid)
{
	size_t at = find(comms, tid);

	return comms->comm[at].used ? comms->comm[at].comm : NULL;
}
