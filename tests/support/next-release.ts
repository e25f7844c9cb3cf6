// Makes a release that follows this one: the same program with a higher version and one more migration.

import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const NEXT_VERSION = '99.0.0';

/** Writes it into a new folder. */
export function writeNextRelease(folder: string): void {
  mkdirSync(folder);
  for (const part of ['bin', 'src', 'packages', 'package.json'])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  change('package.json', /"version": ".*"/, `"version": "${NEXT_VERSION}"`);
  const added = `{ version: migrations.length + 1, adds: 'a table', statements: ({ rowId }) => [\`create table added (id \${rowId})\`] }`;
  change('src/platform/database/migrations/index.ts', /$/, `\nmigrations.push(${added});\n`);

  function change(path: string, pattern: RegExp, text: string): void {
    const place = join(folder, path);
    writeFileSync(place, readFileSync(place, 'utf8').replace(pattern, text));
  }
}
