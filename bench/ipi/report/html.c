// SPDX-License-Identifier: GPL-2.0
/*
 * The page: its frame and the order of its sections. One file that needs no other, no network and
 * no script; it says so itself, by a policy that the browser keeps.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../why.h"
#include "html.h"
#include "outfile.h"

static const char style[] =
	":root{--ground:#fff;--text:#1b1f23;--soft:#5d666f;--line:#d0d7de;--stripe:#f6f8fa;"
	"--link:#0057a8;--good:#00694b;--bad:#a63a00;--head:#eef1f4}\n"
	"@media (prefers-color-scheme:dark){:root{--ground:#15181b;--text:#e3e6e8;--soft:#9aa4ad;"
	"--line:#3a424a;--stripe:#1c2024;--link:#6cb6ff;--good:#4ec9a0;--bad:#ff9a5c;"
	"--head:#22272c}}\n"
	"*{box-sizing:border-box}\n"
	"body{margin:0 auto;max-width:75rem;padding:0 1rem 3rem;background:var(--ground);"
	"color:var(--text);font:15px/1.45 system-ui,sans-serif}\n"
	"h1{font-size:1.6rem;margin:1.2rem 0 .2rem}h2{font-size:1.25rem;margin:2.2rem 0 .4rem;"
	"border-bottom:1px solid var(--line)}h3{font-size:1.05rem;margin:1.4rem 0 .3rem}\n"
	"p{margin:.3rem 0 .7rem;max-width:60rem}p.note,figcaption span{color:var(--soft)}\n"
	"a{color:var(--link)}nav{display:flex;flex-wrap:wrap;gap:.2rem 1rem;margin:.6rem 0}\n"
	".wide{overflow-x:auto;margin:.5rem 0 1rem}table{border-collapse:collapse;font-size:.86rem;"
	"font-variant-numeric:tabular-nums}\n"
	"th,td{padding:.18rem .55rem;text-align:left;vertical-align:top;"
	"border-bottom:1px solid var(--line)}\n"
	"th{background:var(--head)}tr:nth-child(even){background:var(--stripe)}\n"
	"td:first-child{white-space:nowrap}th.n,td.n{text-align:right;white-space:nowrap}\n"
	"tr.better td:last-child,tr.ok b{color:var(--good);font-weight:600}\n"
	"tr.worse td:last-child{color:var(--bad);font-weight:600}\n"
	"tr.differs td:first-child{border-left:3px solid var(--bad);font-weight:600}\n"
	"figure{margin:1.2rem 0}figcaption b{display:block}\n"
	"figure svg{display:block;width:100%;height:auto;max-width:1100px}\n"
	"figure svg text{fill:var(--text)}figure svg g[color=black]{color:var(--text)}\n"
	"figure svg [stroke=black]{stroke:var(--soft)}\n"
	"figure svg use[color=\"rgb(  0,   0,   0)\"]{color:var(--text)}\n"
	"dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem}dd{margin:0}\n"
	"@media print{body{max-width:none;font-size:10pt}nav{display:none}\n"
	"figure,tr{break-inside:avoid}h2,h3{break-after:avoid}.wide{overflow:visible}}\n";

static void put_head(const struct ipi_page *page)
{
	const struct ipi_plot_conf *conf = &page->plot->conf;
	FILE *file = page->file;
	int run;

	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
	      "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';\n"
	      "style-src 'unsafe-inline'; img-src data:\"/>\n"
	      "<link rel=\"icon\" href=\"data:,\"/>\n<title>perf bench ipi:", file);
	for (run = 0; run < conf->nr; run++) {
		fputs(run ? ", " : " ", file);
		ipi_html__text(file, conf->run[run].name);
	}
	fprintf(file, "</title>\n<style>\n%s</style>\n</head>\n<body>\n", style);
	fputs("<header>\n<h1>perf bench ipi</h1>\n<p>How long inter-processor interrupts take,\n"
	      "and where that time goes. Times are in ns; \"-\" is not measured.</p>\n",
	      file);
}

static void put_nav(const struct ipi_page *page)
{
	static const char *const links[][2] = {
		{ "runs", "Runs" }, { "environment", "Environment" }, { "verdicts", "Verdicts" },
		{ "rows", "Results" }, { "figures", "Figures" }, { "pairs", "Pairs" },
		{ "worst", "Slowest samples" }, { "words", "Words" },
	};
	size_t i;

	fputs("<nav>\n", page->file);
	for (i = 0; i < sizeof(links) / sizeof(*links); i++)
		fprintf(page->file, "<a href=\"#%s\">%s</a>\n", links[i][0], links[i][1]);
	fputs("</nav>\n</header>\n<main>\n", page->file);
}

static int put_page(const struct ipi_page *page, const struct ipi_figures *figures,
		    const char *svg)
{
	int err;

	put_head(page);
	put_nav(page);
	ipi_html__runs(page);
	ipi_html__environment(page);
	err = ipi_html__verdicts(page);
	ipi_html__rows(page);
	ipi_html__refused(page);
	ipi_html__figures(page, figures, svg);
	err = err ?: ipi_html__pairs(page);
	ipi_html__worst(page);
	ipi_html__glossary(page);
	fputs("</main>\n</body>\n</html>\n", page->file);
	return err;
}

int ipi_html__write(const struct ipi_plot *plot, const struct ipi_figures *figures,
		    double threshold, const char *path, struct ipi_why *why)
{
	struct ipi_page page = { .plot = plot, .threshold = threshold };
	struct ipi_outfile out;
	struct ipi_why drawing;
	char *svg = NULL;
	int err, undrawn;

	undrawn = figures->nr ? ipi_figures__svg(figures, &svg, &drawing) : 0;
	if (undrawn && undrawn != -EOPNOTSUPP) {
		*why = drawing;
		return undrawn;
	}
	err = ipi_outfile__open(&out, path, why);
	if (!err) {
		page.file = out.file;
		err = put_page(&page, figures, svg);
		err = err ? ipi_outfile__abort(&out, -err, why) : ipi_outfile__commit(&out, why);
	}
	free(svg);
	if (err || !undrawn)
		return err;
	*why = drawing;
	return undrawn;
}
