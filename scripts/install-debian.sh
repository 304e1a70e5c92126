#!/bin/sh
# Installs the Debian packages named as arguments, if they are missing and we may. Called by the tests and the benches,
# never by the service itself. Says what it does; changes nothing else.
set -eu
missing=""
for package in "$@"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -z "$missing" ] && exit 0
if ! command -v apt-get >/dev/null; then
  echo "These packages are needed and this is not a Debian system; install them by hand:$missing" >&2
  exit 1
fi
if [ "$(id -u)" != 0 ]; then
  echo "These Debian packages are needed; install them as root: apt-get install$missing" >&2
  exit 1
fi
echo "Installing Debian packages:$missing" >&2
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq >&2
# shellcheck disable=SC2086
apt-get install -y -qq --no-install-recommends $missing >&2
