#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Prints the version of this source: the release, and in a git checkout the commit.

release=0.1.0

cd "$(dirname "$0")/.." || exit

# Also where root builds in somebody else's checkout, and without a trace of root there.
ours() {
	git --no-optional-locks -c safe.directory='*' "$@" 2>/dev/null
}

commit=
if [ -e .git ]; then
	commit=$(ours rev-parse --short=12 HEAD)
	[ -z "$(ours status --porcelain --untracked-files=no)" ] || commit=$commit-dirty
fi
echo "$release${commit:+-g$commit}"
