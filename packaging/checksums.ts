// Writes the SHA-256 of all packages in dist/ into one file, and says how large they are.

import { hash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './project.ts';

export const dist = join(root, 'dist');

export function writeChecksums(): void {
  const files = globSync('*.{tgz,deb,cdx.json,tar.gz}', { cwd: dist }).sort();
  const contents = files.map((file) => ({ file, bytes: readFileSync(join(dist, file)) }));
  const lines = contents.map(({ file, bytes }) => `${hash('sha256', bytes)}  ${file}\n`);
  writeFileSync(join(dist, 'SHA256SUMS'), lines.join(''));
  for (const { file, bytes } of contents) console.log(`dist/${file}  ${Math.ceil(bytes.length / 1000)} kB`);
}
