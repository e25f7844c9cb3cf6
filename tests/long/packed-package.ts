// Packs a package of packages/ as npm would publish it, and installs it in an empty folder, where the example of its
// README runs on Node 20 without the sources and without any other package.

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run, type Toolchain } from './install/toolchains.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface PackedPackage {
  /** The files and folders of the package, sorted. */
  contents: string[];
  /** The paths of its TypeScript sources below src/, without extension. */
  modules: string[];
  readme: string;
  runExample(toolchain: Toolchain, env?: Record<string, string>): ReturnType<typeof run>;
  /** Checks the types of a program that uses the package and these packages of @types, and returns the errors. */
  findTypeErrors(program: string, types: string[]): string;
}

export function installPacked(packageFolder: string, folder: string): PackedPackage {
  const project = join(folder, 'project');
  const user = join(folder, 'user');
  const place = join(project, packageFolder);
  // A copy, so that nothing is written into the project.
  for (const part of [packageFolder, 'tsconfig.json', 'package.json', '.npmrc'])
    cpSync(join(root, part), join(project, part), {
      recursive: true,
      filter: (path) => !path.endsWith('/dist'),
    });
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'));
  mkdirSync(join(user, 'node_modules'), { recursive: true });

  const { name } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
  const words = ['pack', '--ignore-scripts=false', '--silent', '--pack-destination', user];
  execFileSync('npm', words, { cwd: place });
  const archive = readdirSync(user).find((file) => file.endsWith('.tgz')) ?? '';
  execFileSync('tar', ['xzf', join(user, archive), '-C', user]);
  const installed = join(user, 'node_modules', name);
  cpSync(join(user, 'package'), installed, { recursive: true });

  const readme = readFileSync(join(installed, 'README.md'), 'utf8');
  return {
    contents: below(installed),
    modules: below(join(place, 'src')).flatMap((path) => /^(.+)\.ts$/.exec(path)?.[1] ?? []),
    readme,
    runExample({ env: own }, env = {}) {
      const [, code = ''] = /```js\n(.*?)```/s.exec(readme) ?? [];
      writeFileSync(join(user, 'example.mjs'), code);
      return run(['node', 'example.mjs'], { cwd: user, env: { ...own, ...env }, timeoutMs: 60_000 });
    },
    findTypeErrors(program, types) {
      writeFileSync(join(user, 'program.mts'), program);
      const tsc = join(root, 'node_modules/.bin/tsc');
      const options = ['--noEmit', '--strict', '--module', 'nodenext', '--lib', 'es2023,dom'];
      const typed = ['--typeRoots', join(root, 'node_modules/@types'), '--types', types.join()];
      return spawnSync(tsc, [...options, ...typed, 'program.mts'], { cwd: user, encoding: 'utf8' }).stdout;
    },
  };
}

function below(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map(String).sort();
}
