// Unpacks a program that Debian packages into a folder, so that nothing is installed.

import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Downloads the packages that are not installed, but for `except`. Returns the folder that contains `usr`. */
export function unpackDebian(folder: string, name: string, { except }: { except?: RegExp } = {}): string {
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const plan = run('apt-get', 'install', '--simulate', '--no-install-recommends', name);
  const missing = [...plan.matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name);
  if (!missing.includes(name)) return '/';
  run('apt-get', 'download', ...missing.filter((name) => !except?.test(name)));
  for (const file of readdirSync(folder))
    if (file.endsWith('.deb')) run('dpkg', '--extract', file, join(folder, 'root'));
  return join(folder, 'root');
}
