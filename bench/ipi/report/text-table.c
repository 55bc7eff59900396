// SPDX-License-Identifier: GPL-2.0
/*
 * The table: one row for each cell. A column is an entry of the list below; it knows how to write
 * its word for a cell, and is as wide as its widest word. "-" is what was not measured, or has no
 * right to a headline; "=N" in a group is the sum of its two stages where only that is known.
 */
#include <limits.h>
#include <string.h>

#include "text.h"

#define QUANTILE_MIN	0U
#define QUANTILE_MAX	UINT_MAX
#define LABEL_MAX	64
#define ROW_LEAD	"  "		/* as wide as the "# " of the heading */

struct column {
	const char *group;	/* heading over several columns, NULL for none */
	const char *label;
	void (*put)(const struct ipi_text *text, const struct column *column,
		    const struct ipi_cell *cell, char *buf, size_t size);
	bool (*shown)(const struct ipi_text *text);	/* NULL: always */
	enum ipi_stage stage;
	enum ipi_stage sum;	/* shown as "=N" where @stage was not measured; 0: none */
	unsigned int quantile;	/* in 1/10000 */
	bool left;
};

static bool when_verbose(const struct ipi_text *text)
{
	return text->conf->verbose > 0;
}

static bool when_repeated(const struct ipi_text *text)
{
	return ipi_text__repeated(text->result);
}

static bool has_headline(const struct ipi_cell *cell)
{
	return cell->verdict == IPI_VERDICT_OK;
}

/* Nothing was measured: the row ends with the reason. */
static bool is_bare(const struct ipi_cell *cell)
{
	return cell->verdict == IPI_VERDICT_UNSUPPORTED || cell->verdict == IPI_VERDICT_FAILED;
}

/* The header names one sender: rows name theirs when it is not the only one. */
static bool when_senders_differ(const struct ipi_text *text)
{
	const struct ipi_cell *first = NULL;
	const struct ipi_cell *cell;
	int i;

	for (i = 0; i < text->result->nr_cell; i++) {
		cell = &text->result->cell[i];
		if (is_bare(cell))
			continue;
		if (first && cell->src != first->src)
			return true;
		first = cell;
	}
	return when_verbose(text);
}

static void put_time(const struct ipi_text *text, const struct ipi_cell *cell, const char *before,
		     s64 ns, char *buf, size_t size)
{
	struct ipi_word word;

	ipi_text__time(text, cell, ns, &word);
	snprintf(buf, size, "%s%s", before, word.str);
}

static void put_repetition(const struct ipi_text *text, const struct column *column,
			   const struct ipi_cell *cell, char *buf, size_t size)
{
	(void)text;
	(void)column;
	snprintf(buf, size, "%u", cell->repetition + 1);
}

static void put_scenario(const struct ipi_text *text, const struct column *column,
			 const struct ipi_cell *cell, char *buf, size_t size)
{
	(void)text;
	(void)column;
	ipi_cell__label(cell, buf, size);
}

static void put_target(const struct ipi_text *text, const struct column *column,
		       const struct ipi_cell *cell, char *buf, size_t size)
{
	(void)text;
	(void)column;
	snprintf(buf, size, "%s", ipi_target__name(cell->target));
}

static void put_path(const struct ipi_text *text, const struct column *column,
		     const struct ipi_cell *cell, char *buf, size_t size)
{
	char dst[LABEL_MAX / 2];

	(void)text;
	(void)column;
	if (cell->dst.nr)
		snprintf(buf, size, "%d>%s", cell->src,
			 ipi_cpus__format(&cell->dst, dst, sizeof(dst)));
	else
		snprintf(buf, size, "%d", cell->src);
}

static void put_ipis(const struct ipi_text *text, const struct column *column,
		     const struct ipi_cell *cell, char *buf, size_t size)
{
	(void)text;
	(void)column;
	if (!is_bare(cell) && cell->ipis_per_call >= 0)
		snprintf(buf, size, "%.2f", cell->ipis_per_call);
}

static void put_quantile(const struct ipi_text *text, const struct column *column,
			 const struct ipi_cell *cell, char *buf, size_t size)
{
	const struct ipi_hist *hist = cell->stage[column->stage];
	u64 ns;

	if (!has_headline(cell) || !ipi_hist__count(hist))
		return;
	if (column->quantile == QUANTILE_MIN)
		ns = ipi_hist__min(hist);
	else if (column->quantile == QUANTILE_MAX)
		ns = ipi_hist__max(hist);
	else
		ns = ipi_hist__percentile(hist, column->quantile);
	put_time(text, cell, "", ns, buf, size);
}

static void put_stage(const struct ipi_text *text, const struct column *column,
		      const struct ipi_cell *cell, char *buf, size_t size)
{
	if (!has_headline(cell))
		return;
	if (ipi_cell__measured(cell, column->stage))
		put_time(text, cell, "", ipi_text__p50(cell, column->stage), buf, size);
	else if (column->sum && ipi_cell__measured(cell, column->sum))
		put_time(text, cell, "=", ipi_text__p50(cell, column->sum), buf, size);
}

static void put_observer(const struct ipi_text *text, const struct column *column,
			 const struct ipi_cell *cell, char *buf, size_t size)
{
	(void)column;
	if (has_headline(cell) && cell->observer_known)
		put_time(text, cell, cell->observer_ns < 0 ? "" : "+", cell->observer_ns, buf,
			 size);
}

static void put_less_dry_run(const struct ipi_text *text, const struct column *column,
			     const struct ipi_cell *cell, char *buf, size_t size)
{
	const struct ipi_cell *dry = ipi_text__dry_run(text->result, cell);

	(void)column;
	if (dry && cell != dry && has_headline(cell) && ipi_cell__measured(cell, IPI_STAGE_TOTAL))
		put_time(text, cell, "",
			 ipi_text__p50(cell, IPI_STAGE_TOTAL) - ipi_text__p50(dry, IPI_STAGE_TOTAL),
			 buf, size);
}

static void put_less_baseline(const struct ipi_text *text, const struct column *column,
			      const struct ipi_cell *cell, char *buf, size_t size)
{
	(void)column;
	if (cell->baseline_ns >= 0 && has_headline(cell) &&
	    ipi_cell__measured(cell, IPI_STAGE_TOTAL))
		put_time(text, cell, "", ipi_text__p50(cell, IPI_STAGE_TOTAL) - cell->baseline_ns,
			 buf, size);
}

static const char total[] = "total";
static const char adjusted[] = "total p50 less";
static const char send_latency[] = "send latency";
static const char handler_latency[] = "handler latency";

#define LEFT(l, p, s)	{ .label = l, .put = p, .shown = s, .left = true }
#define RIGHT(g, l, p, s)	{ .group = g, .label = l, .put = p, .shown = s }
#define TOTAL(l, q, s) { .group = total, .label = l, .put = put_quantile, .shown = s, \
			 .stage = IPI_STAGE_TOTAL, .quantile = q }
#define STAGE(g, l, st, sm, s)	{ .group = g, .label = l, .put = put_stage, .shown = s, \
				  .stage = st, .sum = sm }

static const struct column columns[] = {
	LEFT("rep", put_repetition, when_repeated),
	LEFT("scenario", put_scenario, NULL),
	LEFT("target", put_target, NULL),
	LEFT("CPUs", put_path, when_senders_differ),
	RIGHT("IPIs", "/call", put_ipis, NULL),
	TOTAL("min", QUANTILE_MIN, NULL),
	TOTAL("p50", 5000, NULL),
	TOTAL("p90", 9000, when_verbose),
	TOTAL("p99", 9900, NULL),
	TOTAL("p99.9", 9990, when_verbose),
	TOTAL("max", QUANTILE_MAX, NULL),
	RIGHT(adjusted, "dry-run", put_less_dry_run, when_verbose),
	RIGHT(adjusted, "baseline", put_less_baseline, when_verbose),
	STAGE(NULL, "delivery", IPI_STAGE_DELIVERY, 0, when_verbose),
	STAGE(send_latency, "send", IPI_STAGE_SEND, 0, NULL),
	STAGE(send_latency, "deliver", IPI_STAGE_DELIVER, IPI_STAGE_SEND_LATENCY, NULL),
	STAGE(send_latency, "sum", IPI_STAGE_SEND_LATENCY, 0, when_verbose),
	STAGE(handler_latency, "dispatch", IPI_STAGE_DISPATCH, 0, NULL),
	STAGE(handler_latency, "handle", IPI_STAGE_HANDLE, IPI_STAGE_HANDLER_LATENCY, NULL),
	STAGE(handler_latency, "sum", IPI_STAGE_HANDLER_LATENCY, 0, when_verbose),
	STAGE(NULL, "ack", IPI_STAGE_ACK, 0, NULL),
	STAGE(NULL, "traced", IPI_STAGE_TOTAL_TRACED, 0, when_verbose),
	RIGHT(NULL, "obs", put_observer, NULL),
};

#define NR_COLUMNS	((int)ARRAY_SIZE(columns))

/* Widths of the columns shown, 0 for those that are not; the blanks before them; and of all. */
struct layout {
	int width[NR_COLUMNS];
	int gap[NR_COLUMNS];
	int total;
};

static void put(const struct ipi_text *text, const struct column *column,
		const struct ipi_cell *cell, char *buf, size_t size)
{
	snprintf(buf, size, "-");
	column->put(text, column, cell, buf, size);
}

static int widest(const struct ipi_text *text, const struct column *column)
{
	int width = strlen(column->label);
	char buf[LABEL_MAX];
	int len;
	int i;

	for (i = 0; i < text->result->nr_cell; i++) {
		put(text, column, &text->result->cell[i], buf, sizeof(buf));
		len = strlen(buf);
		if (len > width)
			width = len;
	}
	return width;
}

/* The last column of the group that begins at @first, and the width of all of them. */
static int group_end(const struct layout *layout, int first, int *width)
{
	int last = first;
	int i;

	*width = layout->width[first];
	for (i = first + 1; i < NR_COLUMNS; i++) {
		if (!layout->width[i])
			continue;
		if (!columns[first].group || columns[i].group != columns[first].group)
			break;
		*width += layout->gap[i] + layout->width[i];
		last = i;
	}
	return last;
}

/* A group's heading may be wider than its columns. */
static void widen_groups(struct layout *layout)
{
	int width, len, last;
	int i;

	for (i = 0; i < NR_COLUMNS; i = last + 1) {
		last = i;
		if (!layout->width[i] || !columns[i].group)
			continue;
		last = group_end(layout, i, &width);
		len = strlen(columns[i].group);
		if (len > width)
			layout->width[i] += len - width;
	}
}

/* @gap: blanks between groups. */
static void lay_out(const struct ipi_text *text, struct layout *layout, int gap)
{
	const char *group = NULL;
	bool first = true;
	int i;

	for (i = 0; i < NR_COLUMNS; i++) {
		layout->width[i] = 0;
		layout->gap[i] = 0;
		if (columns[i].shown && !columns[i].shown(text))
			continue;
		layout->width[i] = widest(text, &columns[i]);
		if (!first)
			layout->gap[i] = columns[i].group != group ? gap : 1;
		group = columns[i].group;
		first = false;
	}
	widen_groups(layout);

	layout->total = strlen(ROW_LEAD);
	for (i = 0; i < NR_COLUMNS; i++)
		layout->total += layout->gap[i] + layout->width[i];
}

/* "---- total ----" over the group's columns. */
static void print_group(FILE *file, const char *group, int width)
{
	static const char dashes[] = "----------------------------------------------------------";
	int room = width - (int)strlen(group);
	int left = (room - 2) / 2;

	if (room < 4)
		fprintf(file, "%*s", width, group);
	else
		fprintf(file, "%.*s %s %.*s", left, dashes, group, room - 2 - left, dashes);
}

static void print_heading(const struct ipi_text *text, const struct layout *layout)
{
	FILE *file = text->file;
	int last, width;
	int pad = 0;
	int i;

	ipi_text__mark(text, IPI_MARK_HEAD);
	fputs("# ", file);
	for (i = 0; i < NR_COLUMNS; i = last + 1) {
		last = i;
		if (!layout->width[i])
			continue;
		last = group_end(layout, i, &width);
		pad += layout->gap[i];
		if (columns[i].group) {
			fprintf(file, "%*s", pad, "");
			print_group(file, columns[i].group, width);
			pad = 0;
		} else {
			pad += width;
		}
	}
	fputs("\n# ", file);
	for (i = 0; i < NR_COLUMNS; i++) {
		if (layout->width[i])
			fprintf(file, "%*s%*s", layout->gap[i], "",
				columns[i].left ? -layout->width[i] : layout->width[i],
				columns[i].label);
	}
	ipi_text__unmark(text, IPI_MARK_HEAD);
	fputc('\n', file);
}

static void print_row(const struct ipi_text *text, const struct layout *layout,
		      const struct ipi_cell *cell)
{
	enum ipi_mark mark = cell->verdict == IPI_VERDICT_FAILED ? IPI_MARK_ALARM : IPI_MARK_PLAIN;
	FILE *file = text->file;
	char buf[LABEL_MAX];
	const char *note;
	int i;

	fputs(ROW_LEAD, file);
	for (i = 0; i < NR_COLUMNS; i++) {
		/* What was not measured has "-" once, under the total. */
		if (is_bare(cell) && columns[i].stage == IPI_STAGE_TOTAL &&
		    columns[i].put == put_quantile && columns[i].quantile != QUANTILE_MIN)
			break;
		if (!layout->width[i])
			continue;
		put(text, &columns[i], cell, buf, sizeof(buf));
		fprintf(file, "%*s%*s", layout->gap[i], "",
			columns[i].left ? -layout->width[i] : layout->width[i], buf);
	}
	if (is_bare(cell)) {
		fputs("  ", file);
		ipi_text__mark(text, mark);
		note = *cell->note ? cell->note : ipi_verdict__name(cell->verdict);
		fprintf(file, "%s%.*s", mark == IPI_MARK_ALARM ? "failed: " : "",
			(int)strcspn(note, "\n"), note);
		ipi_text__unmark(text, mark);
	} else if (cell->interrupted) {
		fputs("  ", file);
		ipi_text__mark(text, IPI_MARK_ALARM);
		fprintf(file, "interrupted after %llu calls",
			(unsigned long long)cell->untraced.calls);
		ipi_text__unmark(text, IPI_MARK_ALARM);
	}
	fputc('\n', file);
}

/* A note that an earlier row of the scenario has said already is not said again. */
static bool is_said(const struct ipi_result *result, int index)
{
	const struct ipi_cell *cell = &result->cell[index];
	int i;

	for (i = 0; i < index; i++) {
		if (result->cell[i].scenario == cell->scenario &&
		    result->cell[i].verdict == IPI_VERDICT_OK &&
		    !strcmp(result->cell[i].note, cell->note))
			return true;
	}
	return false;
}

static void print_under_row(const struct ipi_text *text, int index)
{
	const struct ipi_cell *cell = &text->result->cell[index];
	unsigned long long errors = cell->untraced.errors + cell->traced.errors;

	if (cell->verdict == IPI_VERDICT_REFUSED)
		ipi_text__comment(text, IPI_MARK_ALARM, "  ^ refused: %s", cell->note);
	else if (has_headline(cell) && *cell->note && !is_said(text->result, index))
		ipi_text__comment(text, IPI_MARK_PLAIN, "  ^ note: %s", cell->note);
	if (errors)
		ipi_text__comment(text, IPI_MARK_ALARM, "  ^ errors: %llu calls failed their check",
				  errors);
}

void ipi_text__table(const struct ipi_text *text)
{
	struct layout layout;
	int i;

	lay_out(text, &layout, 2);
	if (layout.total > IPI_TEXT_COLUMNS)
		lay_out(text, &layout, 1);
	fputs("#\n", text->file);
	print_heading(text, &layout);
	for (i = 0; i < text->result->nr_cell; i++) {
		print_row(text, &layout, &text->result->cell[i]);
		print_under_row(text, i);
	}
}
