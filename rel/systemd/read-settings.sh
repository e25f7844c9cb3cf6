#!/bin/sh
# Prints the environment that systemd gives to a unit with EnvironmentFile=$1, as root. Starts a systemd for it, a user
# manager in its own namespaces, so that it works where no systemd runs. Called by `npm run rel -- systemd --settings`.
set -eu
PATIENCE_S=30
file=$(readlink -f "$1")
folder=$(mktemp -d)
mkdir "$folder/units" "$folder/cgroup"
cat > "$folder/units/print.service" << EOF
[Service]
Type=oneshot
EnvironmentFile=$file
ExecStart=/usr/bin/env -0
StandardOutput=file:$folder/printed
ExecStartPost=/usr/bin/touch $folder/done
EOF
cat > "$folder/start" << 'EOF'
set -eu
mount -t cgroup2 none /sys/fs/cgroup
mount -t tmpfs none /run
mkdir -p /run/systemd/system /run/user/0
export XDG_RUNTIME_DIR=/run/user/0 SYSTEMD_UNIT_PATH="$1/units:"
/usr/lib/systemd/systemd --user --unit=print.service > "$1/log" 2>&1 &
for _ in $(seq "$2"); do [ -e "$1/done" ] && exit; sleep 1; done
exit 1
EOF
# A cgroup of its own, which is removed afterwards.
cat > "$folder/enclose" << 'EOF'
set -eu
mount -t cgroup2 none "$1/cgroup"
own=$1/cgroup/gastpass-settings-$$
mkdir "$own"
sh -c 'echo $$ > "$0/cgroup.procs"; shift; exec "$@"' "$own" - \
  unshare --cgroup --mount --pid --fork --kill-child --mount-proc sh "$1/start" "$1" "$2" || failed=1
find "$own" -depth -type d -exec rmdir {} +
exit "${failed:-0}"
EOF
unshare --mount sh "$folder/enclose" "$folder" "$PATIENCE_S" >&2 || { cat "$folder/log" >&2; failed=1; }
[ ! -e "$folder/printed" ] || cat "$folder/printed"
rm -rf "$folder"
exit "${failed:-0}"
