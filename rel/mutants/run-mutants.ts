// `npm run rel -- mutants`: changes one place of the code at a time and checks that an everyday test notices. Only the
// tests that execute the place run, the likeliest first, until one fails. Everything happens in copies of the tree.

import { hash } from 'node:crypto';
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { foldersOnBothEngines, suitesRarelyOnPostgres } from '../../tests/support/engine-suites.ts';
import { globalSetup, globalTeardown } from '../../tests/support/prepare-databases.ts';
import { copyTree, root } from './copied-tree.ts';
import { drawMutants, type Mutant } from './draw-mutants.ts';
import { EQUIVALENT } from './equivalent.ts';
import {
  isReached,
  keepReach,
  listEverydayTests,
  type Reach,
  readReach,
  recordReach,
} from './record-reach.ts';
import { type Failure, runGroup } from './test-group.ts';

/** The default seed, so that all runs on the same code draw the same mutants. */
const SEED = 'dee5e4b2a35db90a9989b08a44892ed7f0042f2c';
const KEPT = join(root, 'node_modules/.cache/mutants');
const MAX_GROUP = 20;
/** First all mutants are tested by their likeliest tests, then the survivors by all others, which take minutes. */
const PARTS = ['likeliest', 'others'] as const;
const LIKELIEST_GROUPS = 5;
const NEEDED = 0.9;

export interface Options {
  count: number;
  seed: string | undefined;
  lanes: number;
  /** Runs the survivors of an earlier run again. */
  again: boolean;
}

type Result = Omit<Mutant, 'text'> & {
  outcome: 'killed' | 'survived';
  by?: Failure;
  /** How many test files execute the place. */
  tests: number;
  seconds: number;
};

export async function runMutants({ count, seed = SEED, lanes, again }: Options): Promise<boolean> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  mkdirSync(KEPT, { recursive: true });
  const log = join(KEPT, `${seed.slice(0, 12)}.jsonl`);
  const trees = Array.from({ length: lanes }, copyTree);
  const [first = ''] = trees;
  await globalSetup();
  process.once('exit', globalTeardown);
  const mutants = drawMutants(first, { seed, count });
  const reach = await findReach(trees);
  const known = new Map(readResults(log).map((result) => [nameOf(result), result]));
  let open = mutants.filter((mutant) => {
    const result = known.get(nameOf(mutant));
    return !reasonOf(mutant) && (!result || (again && result.outcome === 'survived'));
  });
  const unfit = new Set<string>();
  for (const part of PARTS) {
    const waiting = open.values();
    const left: Mutant[] = [];
    const tryNext = async (tree: string) => {
      for (const mutant of waiting) {
        const result = await tryMutant(tree, mutant, { reach, unfit, part });
        if (result.outcome === 'survived' && part !== 'others') {
          left.push(mutant);
          continue;
        }
        known.set(nameOf(mutant), result);
        appendFileSync(log, `${JSON.stringify(result)}\n`);
        console.log(describe(result));
      }
    };
    await Promise.all(trees.map(tryNext));
    open = left;
    console.log(`${open.length} mutants left after the ${part}`);
  }
  if (unfit.size > 0) console.log(`fail without a mutant, not used: ${[...unfit].join(', ')}`);
  return sumUp(mutants, known);
}

interface Known {
  reach: Reach;
  /** Tests that fail without a mutant, too. */
  unfit: Set<string>;
  part: (typeof PARTS)[number];
}

async function tryMutant(
  tree: string,
  { text, ...mutant }: Mutant,
  { reach, unfit, part }: Known,
): Promise<Result> {
  const startedAt = performance.now();
  const reached = listEverydayTests(tree).filter((test) => reaches(reach[test], mutant));
  const tests = inOrder(reached, mutant.path, reach);
  const onSqlite = groups(tests).map((files) => ({ engine: 'sqlite' as const, files }));
  const onPostgres = groups(tests.filter(isOnPostgres)).map((files) => ({
    engine: 'postgres' as const,
    files,
  }));
  const runs =
    part === 'likeliest'
      ? onSqlite.slice(0, LIKELIEST_GROUPS)
      : [...onSqlite.slice(LIKELIEST_GROUPS), ...onPostgres];
  const file = join(tree, mutant.path);
  const original = readFileSync(file, 'utf8');
  let by: Failure | undefined;
  for (const { engine, files } of runs) {
    let fit = files.filter((test) => !unfit.has(test));
    for (;;) {
      writeFileSync(file, text);
      const failure = fit.length > 0 ? await runGroup(tree, fit, { engine }) : undefined;
      writeFileSync(file, original);
      if (!failure) break;
      const failed = fit.filter((test) => test === failure.file);
      const suspects = failed.length > 0 ? failed : fit;
      if (!(await runGroup(tree, suspects, { engine }))) {
        by = failure;
        break;
      }
      for (const test of suspects) unfit.add(test);
      fit = fit.filter((test) => !unfit.has(test));
    }
    if (by) break;
  }
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  return { ...mutant, outcome: by ? 'killed' : 'survived', ...(by && { by }), tests: tests.length, seconds };
}

/** A test file without a recording was added later and may execute anything. */
function reaches(recorded: Reach[string] | undefined, { path, position }: Omit<Mutant, 'text'>): boolean {
  return !recorded || isReached(recorded[path] ?? [], position);
}

/** The test beside the file comes first, then the tests that load few files: they examine these files most closely. */
function inOrder(tests: string[], path: string, reach: Reach): string[] {
  const beside = path.replace(/\.ts$/, '.test.ts');
  const loadOf = (test: string) => (test === beside ? -1 : Object.keys(reach[test] ?? {}).length);
  return tests.toSorted((a, b) => loadOf(a) - loadOf(b));
}

/** Small groups first: the first tests are the likeliest to fail, and each process takes long to start. */
function groups(tests: string[]): string[][] {
  const found: string[][] = [];
  for (let start = 0, size = 1; start < tests.length; start += size, size = Math.min(MAX_GROUP, size * 2))
    found.push(tests.slice(start, start + size));
  return found;
}

function isOnPostgres(test: string): boolean {
  return foldersOnBothEngines.includes(dirname(test)) && !suitesRarelyOnPostgres.includes(test);
}

/** Recorded once for each state of the code. */
async function findReach(trees: string[]): Promise<Reach> {
  const [tree = ''] = trees;
  const sources = globSync('src/**/*.ts', { cwd: tree }).filter((path) => !path.endsWith('.test.ts'));
  const code = sources.sort().map((path) => readFileSync(join(tree, path), 'utf8'));
  const path = join(KEPT, `reach-${hash('sha256', code.join('\0')).slice(0, 12)}.json`);
  if (!existsSync(path)) keepReach(path, await recordReach(tree, trees.length));
  return readReach(path);
}

function readResults(log: string): Result[] {
  if (!existsSync(log)) return [];
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line): Result => JSON.parse(line));
}

/** Stays the same if the file changes elsewhere. */
function nameOf({ path, operator, before, after, line }: Omit<Mutant, 'text'>): string {
  return [path, line, operator, before, after].join('\n');
}

function reasonOf({ path, before, after }: Omit<Mutant, 'text'>): string | undefined {
  return EQUIVALENT.find((one) => one.path === path && one.before === before && one.after === after)?.reason;
}

function describe({ path, line, operator, before, after, outcome, by, tests, seconds }: Result): string {
  const change = `${shorten(before)} → ${shorten(after) || 'nothing'}`;
  const killer = by ? ` by ${by.file ?? ''} ${shorten(by.name)}` : '';
  return `${outcome}${killer} (${tests} tests, ${seconds} s): ${path}:${line} ${operator}: ${change}`;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 77)}…` : line;
}

function sumUp(mutants: Mutant[], known: Map<string, Result>): boolean {
  const results = mutants.flatMap((mutant) => known.get(nameOf(mutant)) ?? []);
  const equivalent = mutants.filter(reasonOf).length;
  const killed = results.filter(({ outcome }) => outcome === 'killed');
  const survivors = results.filter((result) => result.outcome === 'survived' && !reasonOf(result));
  console.log('\noperator          killed  survived');
  for (const operator of [...new Set(results.map((result) => result.operator))].sort()) {
    const count = (of: Result[]) => of.filter((result) => result.operator === operator).length;
    console.log(
      `${operator.padEnd(18)}${String(count(killed)).padStart(6)}${String(count(survivors)).padStart(10)}`,
    );
  }
  for (const survivor of survivors) console.log(describe(survivor));
  console.log(`${killed.length} killed, ${survivors.length} survived, ${equivalent} equivalent`);
  return killed.length >= NEEDED * (killed.length + survivors.length);
}
