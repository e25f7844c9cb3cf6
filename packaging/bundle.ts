// Joins our sources and all packages into a few files of JavaScript, and copies the other files that are read at run
// time. Which files these are, and where they are in the repository, is in the field "imports" of package.json.

import { copyFileSync, cpSync, existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { manifest, root } from './project.ts';

/** Required by `pg` if somebody has installed them. */
const NOT_JOINED = ['pg-native', 'pg-cloudflare'];

const COMMON = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node24',
  external: NOT_JOINED,
  legalComments: 'none',
  minifySyntax: true,
  minifyWhitespace: true,
  metafile: true,
  logLevel: 'warning',
} as const;

export interface Bundle {
  /** The field "imports" of the package. */
  imports: Record<string, string>;
  /** Every file of a package that is contained, relative to the project. */
  contained: string[];
}

/** Writes everything into `<folder>/lib`. */
export async function writeBundle(folder: string): Promise<Bundle> {
  const lib = join(folder, 'lib');
  const imports: Record<string, string> = {};
  const contained: string[] = [];
  const entries: Record<string, string> = { main: 'src/main.ts' };
  const { resolve } = createRequire(join(root, 'package.json'));

  for (const [name, target] of Object.entries(manifest.imports)) {
    const plain = name.slice(1);
    if (target === './package.json') imports[name] = target;
    else if (extname(target) === '.ts') {
      entries[plain] = target;
      imports[name] = `./lib/${plain}.js`;
    } else if (target.endsWith('/*')) {
      copyFolder(join(root, target.slice(0, -1)), join(lib, plain.slice(0, -1)));
      imports[name] = `./lib/${plain}`;
    } else {
      copy(resolve(target), join(lib, plain));
      contained.push(relative(root, resolve(target)));
      imports[name] = `./lib/${plain}`;
    }
  }
  const { metafile } = await build({
    ...COMMON,
    entryPoints: entries,
    outdir: lib,
    format: 'esm',
    splitting: true,
    // CommonJS packages call `require` for the modules of Node.
    banner: {
      js: `import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);`,
    },
  });
  return { imports, contained: [...contained, ...inputsOf(metafile)] };
}

/** Only files that are really part of the output. */
function inputsOf({ outputs }: Metafile): string[] {
  return Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
}

function copyFolder(from: string, to: string): void {
  if (!existsSync(from)) throw new Error(`${from} does not exist`);
  cpSync(from, to, { recursive: true });
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}
