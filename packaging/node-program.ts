// Finds the Node that comes with the Debian package and with the container image: the program of the npm package
// node-linux-…, if its SHA-256 is the recorded one.

import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { dist } from './checksums.ts';
import { nodeBinaries, nodeVersion, root } from './project.ts';

/** The processors that Gastpass is packed for, with Debian's names for them. */
export const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' } as const;
export type Cpu = keyof typeof ARCHITECTURES;
export const CPUS = ['x64', 'arm64'] as const;

/** The folder of the installed package, or for another processor of a downloaded one. */
export function findNode(cpu: Cpu): string {
  const name = `node-linux-${cpu}`;
  const installed = join(root, 'node_modules', name);
  const folder = existsSync(join(installed, 'bin/node')) ? installed : download(name);
  if (hash('sha256', readFileSync(join(folder, 'bin/node'))) !== nodeBinaries[nodeVersion]?.[cpu])
    throw new Error(`${name} ${nodeVersion} is not the program whose SHA-256 is recorded`);
  return folder;
}

function download(name: string): string {
  const folder = join(dist, 'node', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const words = ['pack', '--silent', '--pack-destination', folder, `${name}@${nodeVersion}`];
  const file = execFileSync('npm', words, { cwd: root, encoding: 'utf8' }).trim();
  execFileSync('tar', ['-xzf', join(folder, file), '-C', folder]);
  return join(folder, 'package');
}
