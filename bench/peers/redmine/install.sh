#!/usr/bin/env bash
# Debian's Redmine with what it needs for PostgreSQL, and puma. Nothing is started, and no database is touched: that is
# for `npm run bench:redmine`, which works on a copy of what this installs.
set -euo pipefail

deny=/usr/sbin/policy-rc.d
if [[ ! -e $deny ]]; then
  printf '#!/bin/sh\nexit 101\n' >"$deny"
  chmod 755 "$deny"
  trap 'rm -f "$deny"' EXIT
fi
DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends redmine redmine-pgsql dbconfig-no-thanks puma
