// Programs outside npm that the browser, long and install tests need. If a program is missing, the tier stops before
// the first test and prints the Debian command that installs it. No test installs a program, and no test is skipped.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from './chromium.ts';
import { findBinaries } from './postgres-server.ts';
import { UNSHARE } from './small-disk.ts';

interface Tool {
  name: string;
  debianPackages: string;
  works(): boolean;
}

const runs = (command: string, ...words: string[]) => {
  return () => spawnSync(command, words, { stdio: 'ignore' }).status === 0;
};

export const TOOLS: Record<'browser' | 'long' | 'install', Tool[]> = {
  browser: [
    {
      name: 'Chromium or Chrome (or CHROME_PATH)',
      debianPackages: 'chromium',
      works: () => findChromium(process.env) !== undefined,
    },
    { name: 'the poppler tools', debianPackages: 'poppler-utils', works: runs('pdfinfo', '-v') },
  ],
  long: [
    { name: 'strace', debianPackages: 'strace', works: runs('strace', '--version') },
    {
      name: 'a C compiler with the headers of libc',
      debianPackages: 'gcc libc6-dev',
      works: runs('sh', '-c', 'echo "#include <stdio.h>" | cc -E -x c - > /dev/null'),
    },
    { name: 'curl', debianPackages: 'curl', works: runs('curl', '--version') },
    { name: 'git', debianPackages: 'git', works: runs('git', '--version') },
    { name: 'nginx', debianPackages: 'nginx-light', works: runs('/usr/sbin/nginx', '-v') },
    { name: 'HAProxy', debianPackages: 'haproxy', works: runs('/usr/sbin/haproxy', '-v') },
    { name: 'Caddy', debianPackages: 'caddy', works: runs('caddy', 'version') },
    { name: 'Prometheus', debianPackages: 'prometheus', works: runs('promtool', '--version') },
    { name: 'systemd-analyze', debianPackages: 'systemd', works: runs('systemd-analyze', '--version') },
    { name: 'PgBouncer', debianPackages: 'pgbouncer', works: runs('pgbouncer', '--version') },
    {
      name: 'PostgreSQL with pg_dump',
      debianPackages: 'postgresql',
      works: () => existsSync(join(findBinaries(), 'pg_dump')),
    },
    { name: 'openssl', debianPackages: 'openssl', works: runs('openssl', 'version') },
    { name: 'Python 3', debianPackages: 'python3', works: runs('python3', '--version') },
    {
      name: 'apt-get with package lists, to unpack Glewlwyd and Postfix (nothing is installed)',
      debianPackages: 'apt',
      works: runs('apt-cache', 'show', 'glewlwyd', 'postfix'),
    },
    {
      name: 'the rights of root, for Postfix',
      debianPackages: 'sudo (and start the tests with it)',
      works: () => process.getuid?.() === 0,
    },
    {
      name: 'the right to make namespaces (as root, or as a user if the kernel lets users make them)',
      debianPackages: 'util-linux',
      works: runs('unshare', ...UNSHARE.slice(1), 'true'),
    },
    {
      name: 'tesseract with German',
      debianPackages: 'tesseract-ocr tesseract-ocr-deu',
      works: runs('sh', '-c', 'tesseract --list-langs | grep -qx deu'),
    },
    {
      name: 'PHP with curl',
      debianPackages: 'php-cli php-curl',
      works: runs('php', '-r', 'exit(extension_loaded("curl") ? 0 : 1);'),
    },
  ],
  install: [
    {
      name: 'ssh-keygen',
      debianPackages: 'openssh-client',
      works: runs('sh', '-c', 'command -v ssh-keygen'),
    },
    { name: 'lintian', debianPackages: 'lintian', works: runs('lintian', '--version') },
    { name: 'mmdebstrap', debianPackages: 'mmdebstrap', works: runs('mmdebstrap', '--version') },
    { name: 'systemd-analyze', debianPackages: 'systemd', works: runs('systemd-analyze', '--version') },
    { name: 'buildah', debianPackages: 'buildah', works: runs('buildah', '--version') },
    { name: 'podman', debianPackages: 'podman', works: runs('podman', '--version') },
    { name: 'runc', debianPackages: 'runc', works: runs('runc', '--version') },
    {
      name: 'the networks of podman',
      debianPackages: 'netavark iptables',
      works: () => existsSync('/usr/lib/podman/netavark') && runs('iptables', '--version')(),
    },
    {
      name: 'the rights of root, for a chroot',
      debianPackages: 'sudo (and start the tests with it)',
      works: () => process.getuid?.() === 0,
    },
  ],
};

/** The message about missing programs, or undefined if none is missing. */
export function sayMissing(tier: string, tools: Tool[]): string | undefined {
  const missing = tools.filter(({ works }) => !works());
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(', ');
  const packages = missing.map(({ debianPackages }) => debianPackages).join(' ');
  return `npm run test:${tier} needs programs that were not found: ${names}.\nOn Debian: apt-get install ${packages}`;
}
