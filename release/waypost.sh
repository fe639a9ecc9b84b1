#!/bin/sh
# Waypost from a release: `waypost serve` is the server, everything else a command of administration.
# Node is the one beside this folder, or else that of the machine.
set -eu
root=$(dirname "$(dirname "$(readlink -f "$0")")")
node=$root/node/bin/node
[ -x "$node" ] || node=node
if [ "${1:-}" = serve ]; then
  shift
  exec "$node" "$root/server/dist/main.js" "$@"
fi
exec "$node" "$root/server/dist/run-waypost.js" "$@"
