/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which event of a list a tracepoint's id means: a table by id, since the kernel gives small
 * numbers without gaps. Private to trace/.
 */
#ifndef IPI_TRACE_IDS_H
#define IPI_TRACE_IDS_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/types.h>

#define IPI_IDS_EVENTS	255U	/* in a list, at most */

/**
 * struct ipi_ids - the table; all zero is an empty one
 * @place:	1 + index in the list, 0 where there is none
 * @nr:		entries
 */
struct ipi_ids {
	u8 *place;
	u32 nr;
};

/* Return: the index in the list, -1 if @id is not in it. */
static inline int ipi_ids__get(const struct ipi_ids *ids, u32 id)
{
	return id < ids->nr ? ids->place[id] - 1 : -1;
}

/* @index: below IPI_IDS_EVENTS. Return: 0, -ENOMEM. */
static inline int ipi_ids__set(struct ipi_ids *ids, u32 id, unsigned int index)
{
	u8 *place;

	if (index >= IPI_IDS_EVENTS)
		return -ENOMEM;
	if (id >= ids->nr) {
		place = realloc(ids->place, (size_t)id + 1);
		if (!place)
			return -ENOMEM;
		memset(place + ids->nr, 0, (size_t)id + 1 - ids->nr);
		ids->place = place;
		ids->nr = id + 1;
	}
	ids->place[id] = index + 1;
	return 0;
}

static inline void ipi_ids__free(struct ipi_ids *ids)
{
	free(ids->place);
}

#endif
