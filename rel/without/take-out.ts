// Takes features out of a copy of the tree: their folders, their lines in the list of features, and the tests that
// import them.

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importsOf, product, sources } from '../../tests/tidy/sources.ts';

const LIST = 'src/features.ts';

const folderOf = (feature: string) => `src/features/${feature}/`;

export function listFeatures(root: string): string[] {
  return readdirSync(join(root, 'src/features')).sort();
}

/** The feature and all features that import it, directly or not. */
export function withDependents(feature: string): string[] {
  const taken = [feature];
  for (const one of taken)
    for (const source of product) {
      const [, user] = /^src\/features\/([^/]+)\//.exec(source.path) ?? [];
      if (user === undefined || taken.includes(user)) continue;
      if (importsOf(source).some((imported) => imported.startsWith(folderOf(one)))) taken.push(user);
    }
  return taken;
}

/** Returns the number of test files and other files beside the service that went too, because they use the features. */
export function takeOut(tree: string, features: string[]): number {
  for (const feature of features) rmSync(join(tree, folderOf(feature)), { recursive: true });
  const path = join(tree, LIST);
  writeFileSync(path, withoutLines(readFileSync(path, 'utf8'), features));
  return removeUsers(tree, features);
}

function withoutLines(text: string, features: string[]): string {
  const lines = text.split('\n');
  const isImport = (line: string) => features.some((feature) => line.includes(`/features/${feature}/`));
  const names = lines.filter(isImport).flatMap((line) => /import \{ (\w+) \}/.exec(line)?.[1] ?? []);
  const rest = lines.filter((line) => !isImport(line)).join('\n');
  return rest.replaceAll(/\b(\w+)\b,? ?/g, (found, name: string) => (names.includes(name) ? '' : found));
}

function removeUsers(tree: string, features: string[]): number {
  const gone = (imported: string) => features.some((feature) => imported.startsWith(folderOf(feature)));
  const removed = new Set<string>();
  const others = sources.filter(({ path }) => !path.startsWith('src/') || path.endsWith('.test.ts'));
  for (let before = -1; before < removed.size; ) {
    before = removed.size;
    for (const source of others) {
      if (removed.has(source.path)) continue;
      if (importsOf(source).some((imported) => gone(imported) || removed.has(imported)))
        removed.add(source.path);
    }
  }
  for (const path of removed) rmSync(join(tree, path), { force: true });
  return removed.size;
}
