#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs a command as root in a checkout of somebody else ("sudo make") and hands what it built to that
# user, also when it fails or is interrupted: their next make needs no root.
#
# usage: hand-back.sh COMMAND [ARGUMENT...]

. "$(dirname "$0")/at-exit.sh"

hand_back() {
	find build perf-bench-ipi -user root -exec chown -h --reference=. {} + 2>/dev/null
}

at_exit hand_back

"$@"
