// SPDX-License-Identifier: GPL-2.0
/*
 * Figures into scripts and scripts into files: one picture of all of them, one below the other, or
 * a picture each. Each figure draws into a strip of the canvas, which is all it knows of it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../why.h"
#include "gnuplot.h"
#include "outfile.h"
#include "plot-draw.h"

#define TITLE_PX	30

int ipi_figures__make(struct ipi_figures *figures, const struct ipi_plot *plot)
{
	static int (*const make[IPI_FIGURE_KIND_NR])(struct ipi_figures *figures,
						     const struct ipi_plot *plot) = {
		[IPI_FIGURE_STAGES]	= ipi_plot__stages,
		[IPI_FIGURE_CDF]	= ipi_plot__cdf,
		[IPI_FIGURE_HIST]	= ipi_plot__hists,
		[IPI_FIGURE_FANOUT]	= ipi_plot__fanout,
		[IPI_FIGURE_MATRIX]	= ipi_plot__matrix,
	};
	int err = 0;
	int i;

	memset(figures, 0, sizeof(*figures));
	for (i = 0; i < IPI_FIGURE_KIND_NR && !err; i++) {
		if (plot->conf.kinds & (1U << i))
			err = make[i](figures, plot);
	}
	return err;
}

void ipi_figures__free(struct ipi_figures *figures)
{
	int i;

	for (i = 0; i < figures->nr; i++)
		free(figures->figure[i].script);
	free(figures->figure);
}

/* A picture; without @background it takes that of the page it stands in. */
static void begin_picture(FILE *script, enum ipi_image image, int height, const char *name,
			  bool background)
{
	if (image == IPI_IMAGE_PNG)
		fprintf(script, "set terminal pngcairo noenhanced size %d, %d font 'sans,10' \\\n"
			"background rgb 'white'\n",
			IPI_FIGURE_WIDTH, height);
	else
		fprintf(script, "set terminal svg noenhanced size %d, %d dynamic name '%s' \\\n"
			"font 'sans-serif,12'%s\n",
			IPI_FIGURE_WIDTH, height, name,
			background ? " background rgb 'white'" : "");
	fputs("set multiplot\n", script);
}

/* A label needs a plot to be drawn by: one without anything, above the figure. */
static void put_title(FILE *script, const struct ipi_figure *figure, int height)
{
	fprintf(script, "reset\nset origin 0, IPI_Y + IPI_H\nset size 1, %.6f\nset label 1 ",
		(double)TITLE_PX / height);
	ipi_plot__quote(script, figure->title);
	fputs(" at screen 0.012, graph 0.5 font ',13' left\nset margins 0, 0, 0, 0\nunset border\n"
	      "unset tics\nunset key\nset xrange [0:1]\nset yrange [0:1]\n"
	      "plot NaN title ''\n", script);
}

static void put_figure(FILE *script, const struct ipi_figure *figure, int below, int height)
{
	fprintf(script, "IPI_Y = %.6f\nIPI_H = %.6f\n", (double)below / height,
		(double)figure->height / height);
	fputs(figure->script, script);
}

static int draw_script(char *script, size_t len, bool failed, char **picture, size_t *size,
		       struct ipi_why *why)
{
	int err;

	if (failed) {
		ipi_why__set(why, ENOMEM, NULL, "script for gnuplot");
		err = -ENOMEM;
	} else {
		err = ipi_gnuplot__run(script, len, picture, size, why);
	}
	free(script);
	return err;
}

static int save(const char *path, const char *picture, size_t size, struct ipi_why *why)
{
	struct ipi_outfile out;
	int err = ipi_outfile__open(&out, path, why);

	if (err)
		return err;
	if (fwrite(picture, 1, size, out.file) != size)
		return ipi_outfile__abort(&out, errno ? errno : EIO, why);
	return ipi_outfile__commit(&out, why);
}

int ipi_figures__draw(const struct ipi_figures *figures, enum ipi_image image, const char *path,
		      struct ipi_why *why)
{
	char *script = NULL, *picture;
	int height = 0, below;
	size_t len = 0, size;
	FILE *file;
	int err;
	int i;

	for (i = 0; i < figures->nr; i++)
		height += figures->figure[i].height + TITLE_PX;
	file = open_memstream(&script, &len);
	if (file) {
		begin_picture(file, image, height, "perf_bench_ipi", true);
		for (i = 0, below = height; i < figures->nr; i++) {
			below -= figures->figure[i].height + TITLE_PX;
			put_figure(file, &figures->figure[i], below, height);
			put_title(file, &figures->figure[i], height);
		}
		fputs("unset multiplot\n", file);
	}
	err = draw_script(script, len, !file || fclose(file), &picture, &size, why);
	if (err)
		return err;
	err = save(path, picture, size, why);
	free(picture);
	return err;
}

int ipi_figures__svg(const struct ipi_figures *figures, char **svg, struct ipi_why *why)
{
	char *script = NULL;
	size_t len = 0, size;
	char name[24];
	FILE *file;
	int i;

	*svg = NULL;
	file = open_memstream(&script, &len);
	for (i = 0; file && i < figures->nr; i++) {
		const struct ipi_figure *figure = &figures->figure[i];

		snprintf(name, sizeof(name), "figure_%d", i + 1);
		begin_picture(file, IPI_IMAGE_SVG, figure->height, name, false);
		put_figure(file, figure, 0, figure->height);
		fputs("unset multiplot\nreset\n", file);
	}
	return draw_script(script, len, !file || fclose(file), svg, &size, why);
}
