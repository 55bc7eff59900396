#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Results drawn: what a script may rely on, that pictures and pages are whole, hold what they should,
# and need nothing else. Results are the fake backend's, and some made of one of them.
. "$(dirname "$0")/lib.sh"

mkdir "$work/none" "$work/in" "$work/to"
base=$work/in/base.json new=$work/in/new.json
ipi --backend fake -C 0-7 -r 3 -l 200 --json "$base"
ipi --backend fake -C 0-7 -r 3 -l 200 --json "$new"
check "two results" test -s "$base" -a -s "$new"

# What is asked for, in one way or another, must not be run, parsed or shown as anything but a name.
# shellcheck disable=SC2016 # nothing of it may expand
odd=$work/in/'it'\''s `touch pwned` <b>&"$(touch pwned)"%s.json'
perl -MJSON::PP -0777 -ne '
	my $r = decode_json($_);
	$r->{environment}{cpu_model} = "<script>alert(1)</script> & \"x\" \x{1b}[31m";
	$r->{title} = "a\n<b>";
	$r->{cells}[0]{note} = "]]></style><img src=x>";
	print encode_json($r);' "$base" > "$odd"

# Every pair of eight CPUs, in two sockets.
perl -MJSON::PP -0777 -ne '
	my $r = decode_json($_);
	my ($like) = grep { $_->{scenario} eq "normal" } @{$r->{cells}};
	$r->{cells} = [];
	for my $src (0 .. 7) {
		for my $dst (0 .. 7) {
			push @{$r->{cells}}, {%$like, src => $src, dst => [$dst]} if $src != $dst;
		}
	}
	$r->{topology} = {source => "/sys", cpus => [0 .. 7], unknown => [],
			  levels => {socket => [[0 .. 3], [4 .. 7]]}};
	print encode_json($r);' "$base" > "$work/in/matrix.json"

# Nothing may be left in the directories of results and pictures but these.
nothing_left() {	# FILE...
	[ "$(ls -A "$work/to")" = "$(printf '%s\n' "$@")" ] && [ ! -e pwned ]
}

# As ipi, where there is no gnuplot.
without_gnuplot() {
	run env PATH="$work/none" "$PERF_BENCH_IPI" "$@"
}

# As ipi, with a gnuplot that is the script on stdin.
with_other_gnuplot() {
	mkdir -p "$work/other"
	{ echo '#!/bin/sh'; cat; } > "$work/other/gnuplot"
	chmod 755 "$work/other/gnuplot"
	run env PATH="$work/other:$PATH" "$PERF_BENCH_IPI" "$@"
}

bad() {		# WHAT STATUS STDERR ARGUMENT...
	local what=$1 wanted=$2 words=$3
	shift 3
	ipi plot "$@"
	check "$what: exit $wanted" status_is "$wanted"
	check "$what: said" err_has "$words"
}
svg=$work/to/a.svg
bad "no result" 129 "a result is needed" -o "$svg"
bad "no --output" 129 "--output is needed" "$base"
bad "another suffix" 129 "--output: '$work/to/a.pdf' doesn't say what to write" "$base" -o "$work/to/a.pdf"
bad "no kind" 129 "--kind: no kind 'pie'" "$base" -o "$svg" --kind cdf,pie
bad "no stage" 129 "--stage: no stage 'x'" "$base" -o "$svg" --stage x
bad "no scenario" 129 "--scenario: no scenario 'x'" "$base" -o "$svg" --scenario x
bad "no file" 1 "can't read $work/none.json: No such file" "$work/none.json" -o "$svg"
sed 's,perf-bench-ipi/1,perf-bench-ipi/7,' "$base" > "$work/newer.json"
bad "a newer schema" 1 "schema 'perf-bench-ipi/7' is not ours" "$base" "$work/newer.json" -o "$svg"
bad "nothing to draw" 3 "nothing to draw" "$base" -o "$svg" --kind cdf --stage agree_handle
check "errors leave nothing behind" nothing_left

echo old > "$svg"
without_gnuplot plot "$base" -o "$svg"
check "no gnuplot: exit 3" status_is 3
check "no gnuplot: its package is named" err_has "gnuplot-nox"
check "no gnuplot: the old file stays" grep -qx old "$svg"
without_gnuplot plot "$base" -o "$work/to/page.html"
check "no gnuplot, page: exit 3" status_is 3
check "no gnuplot, page: its package is named" err_has "gnuplot-nox"
check "no gnuplot, page: written, says so of each figure" grep -q "Not drawn" "$work/to/page.html"
check "no gnuplot, page: has its tables" grep -q 'id="rows"' "$work/to/page.html"
rm "$work/to/page.html"
without_gnuplot diff "$base" "$new"
check "no gnuplot: diff works" status_is 0

with_other_gnuplot plot "$base" -o "$svg" <<< 'cat > /dev/null; echo part; echo "line 3: bad thing" >&2; exit 1'
check "gnuplot fails: exit 1" status_is 1
check "gnuplot fails: its words" err_has "gnuplot: .*bad thing"
# shellcheck disable=SC2016
with_other_gnuplot plot "$base" -o "$svg" <<< 'echo part; kill -SEGV $$'
check "gnuplot crashes: exit 1" status_is 1
check "gnuplot crashes: said" err_has "killed by signal 11"
with_other_gnuplot plot "$base" -o "$svg" <<< 'exit 0'
check "gnuplot draws nothing: exit 1" status_is 1
check "gnuplot draws nothing: said" err_has "drew nothing"
check "after all that the old file is there, and it alone" nothing_left a.svg
check "it is the old one" grep -qx old "$svg"

if ! command -v gnuplot > /dev/null; then
	skip "pictures and pages" "gnuplot is not installed"
	plan
	exit
fi

well_formed() {	# FILE
	xmllint --noout "$1" 2>> "$work/err"
}

check_xml() {	# WHAT FILE
	if command -v xmllint > /dev/null; then
		check "$1: well-formed XML" well_formed "$2"
	else
		skip "$1: well-formed XML" "xmllint is not installed"
	fi
}

# gnuplot makes a group for each curve.
curves_are() {	# FILE NUMBER
	local nr
	nr=$(grep -Ec 'id="[^"]*_plot_[0-9]+[a-z]*"' "$1")
	[ "$nr" = "$2" ] || { echo "$nr curves" >> "$work/err"; false; }
}

cp "$work/in/"*.json "$work"
ipi plot "$base" -o "$svg" --kind cdf --stage total --scenario normal,wake
check "svg: exit 0" status_is 0
check "svg: quiet" test ! -s "$work/err" -a ! -s "$work/out"
check_xml "svg" "$svg"
# 4 rows on the left and on the right, and the title, which is a plot without a curve
check "svg: a curve for each row" curves_are "$svg" 9
check "svg: named" grep -q "normal busy" "$svg"
ipi plot "$base" "$new" -o "$svg" --kind cdf --stage total --scenario normal,wake
# twice as many, and two entries of the legend on either side
check "two results: a curve for each row and result" curves_are "$svg" 21
for kind in stages cdf hist fanout matrix all; do
	ipi plot "$base" "$work/in/matrix.json" -o "$svg" --kind $kind
	check "--kind $kind: exit 0, quiet" test $status = 0 -a ! -s "$work/err"
	check_xml "--kind $kind" "$svg"
	check "--kind $kind: no number that is none" test "$(grep -Eic '>-?(nan|inf)<|[=, ]-?nan[, ]' "$svg")" = 0
done
check "nothing is left behind but the picture" nothing_left a.svg

ipi plot "$base" -o "$work/to/a.png" --kind stages
check "png: exit 0, quiet" test $status = 0 -a ! -s "$work/err"
check "png: it is one, as wide as it should be" perl -e '
	open F, "<:raw", $ARGV[0]; read F, $_, 24;
	my ($w, $h) = unpack "x16 N N";
	exit !(/^\x89PNG\r\n\x1a\n/ && $w == 1100 && $h > 200)' "$work/to/a.png"
run bash -c "cat '$base' | '$PERF_BENCH_IPI' plot - -o '$svg'"
check "from a pipe" status_is 0

page=$work/to/page.html
ipi plot "$base" "$work/in/matrix.json" "$odd" -o "$page"
check "page: exit 0, quiet" test $status = 0 -a ! -s "$work/err"
check_xml "page" "$page"
figures=$(grep -c '<figure ' "$page")
check "page: has figures of every kind" test "$figures" -ge 20
check "page: every figure is drawn" test "$(grep -c '<svg ' "$page")" = "$figures"
for section in runs environment verdicts rows refused figures pairs worst words; do
	check "page: section $section" grep -q "<section id=\"$section\">" "$page"
done
check "page: no address" test "$(perl -ne '
	$n += () = m{https?:|<[a-z]+ [^>]*(?:src|href)=["\x27](?!data:,|#)|url\((?!#f)}g;
	END { print $n }' "$page")" = 0
check "page: no script" test "$(grep -Eic '<script|javascript:| on[a-z]+=' "$page")" = 0
check "page: text stays text" grep -q '&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;x&quot; ?\[31m' "$page"
check "page: so do notes" grep -q ']]&gt;&lt;/style&gt;&lt;img src=x&gt;' "$page"
check "page: no name twice" test -z "$(grep -Eo ' id=["'\''][^"'\'']+' "$page" | sort | uniq -d)"
check "page: no number that is none" test "$(grep -Eic '>-?(nan|inf)<' "$page")" = 0
check "page: the pairs' distances" grep -q '<td>socket</td>' "$page"
check "nothing was run of what was in names" nothing_left a.png a.svg page.html

ipi plot "$base" "$new" -o "$work/to/wake.html" --scenario wake --kind cdf
check "page of one scenario: it alone in every table" test \
	"$(grep -c '<td>wake [a-z]*</td>' "$work/to/wake.html")" -ge 10 -a \
	"$(grep -Ec '<td>(dry-run|self|normal|broadcast|multicast|storm)' "$work/to/wake.html")" = 0

# A browser that is there: the page loads, complains of nothing, and every figure has a size.
browser=$(command -v chromium chromium-browser google-chrome | head -n 1)
if [ -z "$browser" ]; then
	skip "page in a browser" "chromium is not installed: apt-get install chromium"
else
	# Its own policy forbids scripts; this copy counts what was laid out.
	perl -pe 's/.*Content-Security-Policy.*//; s|</body>|<script>
		document.title = "drawn " + [...document.querySelectorAll("figure svg")].filter(
			s => s.getBBox().width > 300 &&
			     s.querySelectorAll("path, polygon").length > 10).length</script></body>|' \
		"$page" > "$work/counted.html"
	browse() {	# FILE
		run "$browser" --headless=new --no-sandbox --disable-gpu --enable-logging=stderr \
			--no-first-run --disable-background-networking --disable-component-update \
			--disable-sync --user-data-dir="$work/profile" --virtual-time-budget=20000 \
			--dump-dom "file://$1"
	}
	browse "$page"
	check "browser: loads the page" out_has '<section id="words">'
	check "browser: no message on the console" test "$(grep -c CONSOLE "$work/err")" = 0
	browse "$work/counted.html"
	check "browser: lays out every figure" out_has "<title>drawn $figures</title>"
fi

plan
