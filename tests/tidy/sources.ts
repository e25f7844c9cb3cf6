// Lists and reads the project's files for the tests in this folder.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Source {
  /** Relative to the project's root. */
  path: string;
  text: string;
}

const NOT_OURS = ['node_modules', 'dist', 'data', '.git'];

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !NOT_OURS.includes(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    });
}

export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

export const files = filesBelow('.');
export const sources: Source[] = files
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, text: read(path) }));
/** Code that runs in the service or is published, without its tests. */
export const product = sources.filter(({ path }) => isProduct(path) && !path.endsWith('.test.ts'));

export function isProduct(path: string): boolean {
  return /^(src|packages\/[^/]+\/src)\//.test(path);
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^;'"]*?from\s+'([^']+)'|import\(\s*'([^']+)'\s*\)|(?:^|\n)import\s+'([^']+)'/g;

/** The imports of a file: packages by name, files of the project by path. */
export function importsOf({ path, text }: Source): string[] {
  return [...text.matchAll(IMPORT)].map((match) => {
    const name = match[1] ?? match[2] ?? match[3] ?? '';
    return name.startsWith('.') ? normalize(join(dirname(path), name)) : name;
  });
}

export function lineCount(text: string): number {
  return text.split('\n').length - 1;
}
