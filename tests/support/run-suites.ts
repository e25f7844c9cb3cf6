// `bin/node tests/support/run-suites.ts [everyday|browser|long|install] [sqlite|postgres] [part of a path …]` runs a
// tier of the tests, first on SQLite and then on PostgreSQL. Each pass has its own PostgreSQL server. `npm test` runs
// the everyday tier after `npm run check`.

import { spawn } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  foldersOnBothEngines,
  suitesRarelyOnPostgres,
  suitesThatWait,
  suitesWithMoreCases,
} from './engine-suites.ts';
import { findFastFolder } from './fast-folder.ts';
import { sayMissing, TOOLS } from './tools.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** The short tests come first, because the groups start in the reverse order. */
const FOLDERS = ['src', 'packages', 'tests'];
/** The folders of the tiers. All other tests belong to the everyday tier. */
const TIERS = { browser: 'tests/browser', long: 'tests/long', install: 'tests/install' };
/** The long tier runs these tests again, with a separate process for each command. */
const COMMANDS = 'tests/cli';
const CHECKED = 'tests/tidy';
const CHEAP_PASSWORDS = new URL('cheap-passwords.ts', import.meta.url).href;
const END = new URL('end-after-tests.ts', import.meta.url).href;
/** The limit of each test and hook; files and suites have none. Longer everyday tests name a limit of their own. */
const LIMITS_MS = { everyday: 120_000, browser: 900_000, long: 900_000, install: 900_000 };
/** One more than the number of cores, since many tests wait. */
const AT_ONCE = availableParallelism() + 1;
/** In the everyday tier the passes run side by side. With these shares they end at about the same time. */
const SHARES: Record<string, number> = { sqlite: AT_ONCE + 2, postgres: AT_ONCE - 1 };

for (const path of [...foldersOnBothEngines, ...suitesThatWait, ...suitesWithMoreCases])
  if (!existsSync(join(root, path))) fail(`engine-suites.ts names ${path}, which does not exist`);

/** Loading the service takes longer than most test files, so up to this many files share a process. */
const GROUP_SIZE = 20;

const ENGINES = ['sqlite', 'postgres'];
const words = process.argv.slice(2);
const tier = (['browser', 'long', 'install'] as const).find((name) => words.includes(name));
const engines = ENGINES.filter((engine) => words.includes(engine));
const parts = words.filter((word) => ![...ENGINES, 'everyday', tier].includes(word));
let failures = 0;
/**
 * Holds all temporary files of the run, and the compiled code that its processes share. The name is short: Podman
 * accepts only 50 characters.
 */
const scratch = mkdtempSync(join(tier ? tmpdir() : findFastFolder(), 'gastpass-'));
// The PostgreSQL server runs as another user if the tests run as root.
chmodSync(scratch, 0o711);
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const missing = tier && sayMissing(tier, TOOLS[tier]);
if (missing) fail(missing);
const passes = engines.length > 0 ? engines : ENGINES;
if (tier) for (const engine of passes) process.stdout.write(await runPass(engine, process.stdout));
else {
  // Everyday tests wait much: the second pass fills the time in which the first one leaves a core idle.
  const [first = '', ...others] = passes;
  const beside = others.map((engine) => runPass(engine));
  process.stdout.write(await runPass(first, process.stdout));
  for (const output of await Promise.all(beside)) process.stdout.write(output);
}
process.exit(failures === 0 ? 0 : 1);

/** Writes the output to `stream` as it arrives, and returns the output that is still to be written. */
async function runPass(engine: string, stream?: Writable): Promise<string> {
  const files = FOLDERS.flatMap((folder) => testsBelow(folder))
    .filter(isOfTier)
    .filter((file) => engine === 'sqlite' || foldersOnBothEngines.includes(dirname(file)))
    .filter((file) => engine === 'sqlite' || tier || !suitesRarelyOnPostgres.includes(file))
    .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)));
  if (files.length === 0 && parts.length > 0 && (engine === 'sqlite' || engines.length === 1))
    fail(`no ${tier ?? 'everyday'} test on ${engine} has ${parts.join(' or ')} in its path`);
  if (files.length === 0) return '';
  const heading = `${files.length} test files on ${engine}\n`;
  stream?.write(heading);
  const waiting = files.filter((file) => suitesThatWait.includes(file));
  const busy = files.filter((file) => !waiting.includes(file));
  const beside = runFiles(engine, waiting, 1);
  const atOnce = (tier ? undefined : SHARES[engine]) ?? AT_ONCE;
  const main = await runFiles(engine, tier ? busy : writeGroups(busy), atOnce, stream);
  const waited = await beside;
  if (main.code !== 0 || waited.code !== 0) failures += 1;
  return `${stream ? '' : heading}${main.output}${waited.output}`;
}

function testsBelow(folder: string): string[] {
  return globSync(`${folder}/**/*.test.ts`, { cwd: root, exclude: ['**/node_modules'] }).sort();
}

/**
 * Writes test files that each run several neighbouring files, with one suite per file. Node runs them by name: the
 * services of tests/ first, and last the short tests of src/, which fill the cores until the end.
 */
function writeGroups(files: string[]): string[] {
  const groups = mkdtempSync(join(scratch, 'groups-'));
  return slices(files.toReversed(), GROUP_SIZE).map((slice, index) => {
    const folder = dirname(slice[0] ?? '').replaceAll('/', '-');
    const path = join(groups, `${String(index).padStart(3, '0')}-${folder}.test.mjs`);
    const suites = slice.map((file) => {
      const url = pathToFileURL(join(root, file)).href;
      return `describe(${JSON.stringify(file)}, () => import(${JSON.stringify(url)}));\n`;
    });
    writeFileSync(path, `import { describe } from 'node:test';\nimport '${END}';\n${suites.join('')}`);
    return path;
  });
}

function slices<Item>(items: Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** Writes the output to `stream` as it arrives, or collects it. */
function runFiles(engine: string, files: string[], atOnce: number, stream?: Writable) {
  return new Promise<{ code: number; output: string }>((resolve) => {
    if (files.length === 0) return resolve({ code: 0, output: '' });
    const options = ['--test', '--test-reporter=spec', `--test-concurrency=${atOnce}`];
    options.push(`--test-timeout=${LIMITS_MS[tier ?? 'everyday']}`);
    const setup = '--test-global-setup=tests/support/prepare-databases.ts';
    const child = spawn(process.execPath, [...options, setup, ...files], {
      cwd: root,
      env: {
        NODE_COMPILE_CACHE: join(scratch, 'compiled'),
        ...process.env,
        TMPDIR: scratch,
        TEST_ENGINE: engine,
        ...(tier === 'long' && { TEST_COMMANDS_APART: '1', TEST_MORE_CASES: '1' }),
        ...(!tier && { NODE_OPTIONS: `--import=${CHEAP_PASSWORDS}` }),
      },
      stdio: ['inherit', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (stream) stream.write(text);
      else output += text;
    });
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

function isOfTier(file: string): boolean {
  const isIn = (folder: string) => file.startsWith(`${folder}/`);
  if (tier === 'long') return isIn(TIERS.long) || isIn(COMMANDS) || suitesWithMoreCases.includes(file);
  return tier ? isIn(TIERS[tier]) : ![CHECKED, ...Object.values(TIERS)].some(isIn);
}

function fail(text: string): never {
  console.error(text);
  process.exit(1);
}
