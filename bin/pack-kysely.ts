// Joins the 250 modules of Kysely into one, which loads in a tenth of the time. bin/gastpass.js calls this at the first
// start. Kysely's files contain only the few kinds of import and export that are listed here; a test compares the
// exports.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const LINK = /^(import|export) (?:\*|\{([^}]*)\}) from '([^']+)';$/gm;
const DECLARATION = /^export (?=(?:async )?(?:class|function|const) ([\w$]+))/gm;
const EMPTY = /^export \{\};$/m;
/**
 * Comments are removed. They are a third of the text, and one has an emoji, which makes V8 store the whole text with
 * two bytes per character.
 */
const COMMENT = /^ *(?:\/\*\*[\s\S]*?\*\/|\/\/.*)\n/gm;

interface Module {
  /** The name of the object with its exports. */
  name: string;
  exported: Set<string>;
  hasRun: boolean;
}

/** Another process may do the same, so the file appears only when it is complete. */
export function writePackedKysely(mainPath: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, packKysely(mainPath), { mode: 0o644, flush: true });
  renameSync(unfinished, path);
}

/** Returns the text of one module that exports what the module at this path exports. */
export function packKysely(mainPath: string): string {
  const modules = new Map<string, Module>();
  let text = '';

  /** Adds a module, as a function that runs after the modules it imports. */
  function add(path: string): Module {
    const module = { name: `m${modules.size}`, exported: new Set<string>(), hasRun: false };
    modules.set(path, module);
    const source = readFileSync(path, 'utf8').replace(COMMENT, '');
    const own = Array.from(source.matchAll(DECLARATION), ([, name = '']) => name);
    const body = source
      .replace(LINK, (_, keyword: string, list: string | undefined, from: string) => {
        const target = modules.get(join(dirname(path), from)) ?? add(join(dirname(path), from));
        return keyword === 'import' ? bindImports(list, target) : bindExports(module, list, target);
      })
      .replace(DECLARATION, '')
      .replace(EMPTY, '');
    for (const name of own) module.exported.add(name);
    // V8 compiles a function in parentheses at once, so that the compile cache contains it.
    text += `const ${module.name} = {};\n(() => {\n${body}\nObject.assign(${module.name}, { ${own} });\n})();\n`;
    module.hasRun = true;
    return module;
  }

  const main = add(mainPath);
  const exported = `export const { ${[...main.exported]} } = ${main.name};\n`;
  return `const waiting = [];\n${text}for (const bind of waiting) bind();\n${exported}`;
}

function bindImports(list = '', target: Module): string {
  const pairs = readPairs(list);
  return `let ${pairs.map(([, name]) => name)}; ${bind(pairs, target)}`;
}

function bindExports(module: Module, list: string | undefined, target: Module): string {
  const pairs = readPairs(list ?? [...target.exported].join());
  for (const [, name] of pairs) module.exported.add(name);
  return bind(
    pairs.map(([source, name]) => [source, `${module.name}.${name}`]),
    target,
  );
}

/** Modules import each other in circles: the import of a module that has not run yet is bound at the end. */
function bind(pairs: [string, string][], target: Module): string {
  const statement = `({ ${pairs.map((pair) => pair.join(': '))} } = ${target.name});`;
  return target.hasRun ? statement : `waiting.push(() => { ${statement} });`;
}

/** `a, b as c` becomes a, a and b, c. */
function readPairs(list: string): [string, string][] {
  return Array.from(list.matchAll(/([\w$]+)(?: as ([\w$]+))?/g), ([, source = '', name = source]) => [
    source,
    name,
  ]);
}
