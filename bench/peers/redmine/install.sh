#!/usr/bin/env bash
# Installs Debian's Redmine with the packages for PostgreSQL, and puma. It starts nothing and touches no database: `npm
# run bench:redmine` works on a copy of this installation.
set -euo pipefail

deny=/usr/sbin/policy-rc.d
if [[ ! -e $deny ]]; then
  printf '#!/bin/sh\nexit 101\n' >"$deny"
  chmod 755 "$deny"
  trap 'rm -f "$deny"' EXIT
fi
DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends redmine redmine-pgsql dbconfig-no-thanks puma
