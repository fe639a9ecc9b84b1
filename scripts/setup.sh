#!/usr/bin/env bash
# Installs what Waypost uses from Debian. Starts no service, makes no database, and does nothing where all is there.
# In production, only what servers use: where the build tools are not installed (`npm ci --omit=dev`), with
# NODE_ENV=production, or with --production. Elsewhere also what the tests use, of which a browser is the largest.
# --s3: also a real S3 server, for `npm run test:s3`.
# --faults: also what `npm run faults -- --setup patroni` fails over with.
set -euo pipefail

packages=(
  postgresql-15 # the server's binaries; tests and `npm run dev` run a cluster of their own
  apache2 libapache2-mod-svn subversion # repositories, served by an Apache with a configuration of its own
)
tests=(
  chromium               # browser tests
  slapd                  # a directory for the tests of LDAP, started by them
  ldap-utils             # asks it by hand
  fonts-noto-color-emoji # reactions, in screenshots
  systemd                # systemd-analyze, which checks deploy/systemd; nothing of it is started
)
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
is_production=
if [[ "${NODE_ENV:-}" == production || (-d "$root/node_modules" && ! -d "$root/node_modules/vitest") ]]; then
  is_production=1
fi
for argument in "$@"; do
  case "$argument" in
    --s3) packages+=(ceph-mon ceph-osd radosgw) ;;
    --production) is_production=1 ;;
    --faults) packages+=(patroni etcd-server haproxy iproute2 strace) ;;
    *)
      echo "setup: what is $argument? There are --production, --s3 and --faults." >&2
      exit 1
      ;;
  esac
done
if [[ -z "$is_production" ]]; then packages+=("${tests[@]}"); fi

is_installed() {
  [[ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" == installed ]]
}

if ! command -v apt-get >/dev/null; then
  echo "setup: this is no Debian. Install yourself: ${packages[*]}" >&2
  exit 1
fi

missing=()
for package in "${packages[@]}"; do
  is_installed "$package" || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
  echo "setup: everything is there: ${packages[*]}"
  exit 0
fi

if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "setup: run me as root; missing: ${missing[*]}" >&2
    exit 1
  fi
  exec sudo bash "${BASH_SOURCE[0]}" "$@"
fi

log=$(mktemp)
policy=/usr/sbin/policy-rc.d
no_cluster=/etc/postgresql-common/createcluster.d/waypost-setup.conf

restore() {
  rm -f "$no_cluster" "$log"
  rm -f "$policy"
  if [[ -e "$policy.before-waypost" ]]; then mv "$policy.before-waypost" "$policy"; fi
}
trap restore EXIT

# Both hold for the time of the installation only: packages start nothing, and PostgreSQL makes no `main` cluster.
if [[ -e "$policy" && ! -e "$policy.before-waypost" ]]; then mv "$policy" "$policy.before-waypost"; fi
printf '#!/bin/sh\nexit 101\n' >"$policy"
chmod 755 "$policy"
mkdir -p "${no_cluster%/*}"
echo 'create_main_cluster = false' >"$no_cluster"

quietly() {
  if ! DEBIAN_FRONTEND=noninteractive "$@" </dev/null >>"$log" 2>&1; then
    echo "setup: failed: $*" >&2
    tail -n 50 "$log" >&2
    exit 1
  fi
}

echo "setup: installing ${missing[*]}"
quietly apt-get update -qq
quietly apt-get install -qq --yes --no-install-recommends "${missing[@]}"
for package in "${missing[@]}"; do
  echo "setup: installed $package $(dpkg-query --show --showformat='${Version}' "$package")"
done
