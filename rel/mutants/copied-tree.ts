// A copy of the tree in which files are changed and tests run. The copy has the files that Git would commit, and uses
// the packages of the working tree.

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFastFolder } from '../../tests/support/fast-folder.ts';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
}

export function copyTree(): string {
  const folder = mkdtempSync(join(findFastFolder(), 'gastpass-mutants-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const path of git('ls-files', '--cached', '--others', '--exclude-standard').split('\n')) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(join(root, path), join(folder, path));
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, '.cache'));
  return folder;
}

/** The heart: creating, finding and ending vouchers, the queue of messages and the drivers. */
const MUTATED = /^src\/kernel\/(vouchers\/(storage\/)?[^/]+|messages\/[^/]+|controllers\/.*)\.ts$/;
const NOT_MUTATED = /\.(test|d)\.ts$|-(command|commands|option|use-case|loop)\.ts$/;

export function isMutated(path: string): boolean {
  return MUTATED.test(path) && !NOT_MUTATED.test(path);
}
