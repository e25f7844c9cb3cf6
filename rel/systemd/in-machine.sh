#!/bin/bash
# Runs inside the virtual machine, as root, with systemd: installs the Debian package and uses it as the documents say.
# Each step prints one line that begins with `good` or `BAD`, and its output if it failed.
export DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
# The machine is emulated and takes about twenty times as long as a real one.
PATIENCE_S=240
failed=0
PASSWORD='ein langes Passwort für Ada'

step() {
  local title=$1 output
  shift
  # Within a condition, bash would ignore -e.
  output=$(set -e; "$@" 2>&1)
  if [ $? = 0 ]; then echo "good  $title"; return; fi
  printf 'BAD   %s\n%s\n' "$title" "$output"
  failed=$((failed + 1))
}

ready() { # [PORT]
  local until=$((SECONDS + PATIENCE_S))
  until curl -fsS -o /dev/null "http://127.0.0.1:${1:-8080}/readyz"; do
    ((SECONDS < until)) || { journalctl --no-pager -u 'gastpass*' | tail -n 30; return 1; }
    sleep 1
  done
}

order() { # PORT NAME
  curl -fsS "http://127.0.0.1:$1/api/vouchers.php" -H "Authorization: Bearer $(cat /root/key)" \
    -d "{\"site_id\": 1, \"name\": \"$2\"}"
}

list() { # PORT
  curl -fsS "http://127.0.0.1:$1/api/vouchers.php?site_id=1" -H "Authorization: Bearer $(cat /root/key)"
}

prepare() {
  printf '%s\n' "$PASSWORD" | gastpass users add --email ada@example.org --name Ada --admin --password-file -
  gastpass sites add --name Demo --controller simulator
  gastpass keys create --name Kasse --scope write | grep -o 'gpk_[A-Za-z0-9_]*' > /root/key
}

installs() {
  install_quietly /root/gastpass.deb
  ready
}

install_quietly() { # FILE
  apt-get install --yes -o Dpkg::Use-Pty=0 "$1" > /root/apt.log 2>&1 || { cat /root/apt.log; return 1; }
  if grep -iE 'syntax|error|warning|fail' /root/apt.log; then return 1; fi
}

makes_pdf() {
  local jar=/root/jar token
  token=$(curl -fsS -c $jar http://127.0.0.1:8080/login | grep -o 'name="token" value="[^"]*"' | head -n 1 | cut -d '"' -f 4)
  curl -fsS -b $jar -c $jar -o /dev/null http://127.0.0.1:8080/login \
    --data-urlencode "token=$token" --data-urlencode email=ada@example.org --data-urlencode "password=$PASSWORD"
  curl -fsS -b $jar 'http://127.0.0.1:8080/vouchers/pdf?voucher=1' | head -c 5 | grep -- '%PDF-'
}

survives_kill() {
  local before
  before=$(systemctl show --property=MainPID --value gastpass)
  order 8080 before-the-kill
  kill -9 "$before"
  sleep 2
  ready
  [ "$(systemctl show --property=MainPID --value gastpass)" != "$before" ]
  list 8080 | grep before-the-kill
}

stops_cleanly() {
  systemctl stop gastpass
  systemctl show --property=Result --value gastpass | grep -x success
  # A process that the signal ends would have status 15.
  systemctl show --property=ExecMainStatus --value gastpass | grep -x 0
  systemctl start gastpass
  ready
}

backs_up() {
  install -d -o gastpass -g gastpass -m 700 /var/backups/gastpass
  install -o gastpass -g gastpass -m 600 /dev/null /var/lib/gastpass/backup-passphrase
  openssl rand -base64 24 > /var/lib/gastpass/backup-passphrase
  printf '%s\n' BACKUP_DIR=/var/backups/gastpass BACKUP_PASSPHRASE_FILE=/var/lib/gastpass/backup-passphrase >> /etc/gastpass.env
  systemctl restart gastpass
  ready
  for ((waited = 0; waited < PATIENCE_S; waited++)); do
    ls /var/backups/gastpass/*.backup 2> /dev/null && return 0
    sleep 1
  done
  journalctl --no-pager -u gastpass | tail -n 30
  return 1
}

waits_for_postgres() {
  (cd / && runuser -u postgres -- psql -qc "create role gastpass login password 'geheim'" -c 'create database gastpass owner gastpass')
  systemctl stop postgresql
  printf '%s\n' DATABASE_URL=postgres://gastpass:geheim@127.0.0.1/gastpass "GASTPASS_SECRET=$(openssl rand -hex 32)" >> /etc/gastpass.env
  # The first start fails.
  systemctl restart gastpass || true
  # More failed starts than systemd allows by default, although it would count only those of ten seconds.
  until [ "$(systemctl show --property=NRestarts --value gastpass)" -gt 5 ]; do sleep 1; done
  systemctl show --property=StartLimitIntervalUSec --value gastpass | grep -x 0
  if curl -fsS http://127.0.0.1:8080/readyz; then return 1; fi
  systemctl start postgresql
  ready
}

runs_two_instances() {
  prepare
  systemctl disable --now gastpass
  systemctl enable --now gastpass@8081 gastpass@8082
  ready 8081
  ready 8082
  order 8081 from-the-first
  list 8082 | grep from-the-first
}

upgrades_instances() {
  local first second
  first=$(systemctl show --property=MainPID --value gastpass@8081)
  second=$(systemctl show --property=MainPID --value gastpass@8082)
  apt-get install --yes --reinstall -o Dpkg::Use-Pty=0 /root/gastpass.deb
  # Without waiting: the restarts return when the instances are ready.
  curl -fsS -o /dev/null http://127.0.0.1:8081/readyz
  curl -fsS -o /dev/null http://127.0.0.1:8082/readyz
  [ "$(systemctl show --property=MainPID --value gastpass@8081)" != "$first" ]
  [ "$(systemctl show --property=MainPID --value gastpass@8082)" != "$second" ]
  systemctl disable --now gastpass@8081 gastpass@8082
  systemctl enable --now gastpass
  ready
}

upgrades() {
  local before
  before=$(systemctl show --property=MainPID --value gastpass)
  install_quietly /root/newer.deb
  ready
  [ "$(systemctl show --property=MainPID --value gastpass)" != "$before" ]
  systemctl show --property=Description --value gastpass | grep 'of a newer release'
  systemctl show --property=NeedDaemonReload --value gastpass | grep -x no
  list 8080 | grep from-the-first
}

# The unit prints what systemd read, the command what it would pass on.
reads_settings() {
  printf '%s\n' '[Service]' Type=oneshot EnvironmentFile=/root/hard-lines.env 'ExecStart=/usr/bin/env -0' \
    StandardOutput=file:/root/settings > /run/systemd/system/settings.service
  systemctl daemon-reload
  systemctl start settings
  sed 's|/etc/gastpass.env|/root/hard-lines.env|; s|^exec .*|exec env -0|' /usr/bin/gastpass |
    env -i PATH="$PATH" sh > /root/passed-on
  cmp <(grep -z '^_\?[Xx]_' /root/settings | sort -z) <(grep -z '^_\?[Xx]_' /root/passed-on | sort -z)
}

is_removed() {
  apt-get purge --yes -o Dpkg::Use-Pty=0 gastpass
  systemctl show --property=LoadState --value gastpass | grep -x not-found
  [ ! -e /var/lib/gastpass ]
  [ ! -e /etc/gastpass.env ]
  if pgrep --full /usr/lib/gastpass; then return 1; fi
}

ip link set lo up
step 'apt installs the package, and the service runs' installs
step 'a user, a site and a key' prepare
step 'the first voucher' order 8080 first
step 'a login and a PDF within the restrictions of the unit' makes_pdf
step 'systemd starts a killed service again, with its vouchers' survives_kill
step 'the service stops cleanly' stops_cleanly
step 'scheduled backups in /var/backups/gastpass need no other setting' backs_up
step 'doctor finds nothing wrong' gastpass doctor
step 'the command reads the settings file as systemd does' reads_settings
echo "settings $(systemctl --version | grep -o -m 1 '[0-9]*' | head -n 1) $(base64 -w 0 /root/settings)"
step 'systemd does not give up while PostgreSQL is missing' waits_for_postgres
step 'two instances on PostgreSQL' runs_two_instances
step 'the scripts of the package restart both instances' upgrades_instances
step 'an upgrade restarts the service with the new unit' upgrades
step 'a purge leaves nothing behind' is_removed
echo "the end: $failed failed"
sync
systemctl poweroff --force --force
