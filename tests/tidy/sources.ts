// The project's own sources as the tidy tests look at them.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Source {
  /** Relative to the project's root. */
  path: string;
  text: string;
}

/** Files git knows or would take, so that data folders and modules stay out. */
function projectFiles(): string[] {
  const output = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  return output.split('\n').filter((path) => path !== '' && existsSync(join(root, path)));
}

export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

export const files = projectFiles();
export const sources: Source[] = files
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, text: read(path) }));
export const product = sources.filter(({ path }) => path.startsWith('src/') && !path.endsWith('.test.ts'));

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^;'"]*?from\s+'([^']+)'|import\(\s*'([^']+)'\s*\)|(?:^|\n)import\s+'([^']+)'/g;

/** What a file imports: packages by name, own files by path. */
export function importsOf({ path, text }: Source): string[] {
  return [...text.matchAll(IMPORT)].map((match) => {
    const name = match[1] ?? match[2] ?? match[3] ?? '';
    return name.startsWith('.') ? normalize(join(dirname(path), name)) : name;
  });
}

export function lineCount(text: string): number {
  return text.split('\n').length - 1;
}
