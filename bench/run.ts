// `npm run bench`: measures, compares with the last committed results, and writes results.json, RESULTS.md and
// ratios.svg. With names of groups it measures only these; `growth` (10,000,000 vouchers) runs only if it is named.
// With --check, a loss of processor time makes the exit code 1. With BENCH_ROOT it measures another clone and only
// prints.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { benchBlackHole } from './black-hole.ts';
import { benchControllers } from './controllers.ts';
import { benchCreate } from './create.ts';
import { benchDisk } from './disk.ts';
import { benchGrowth } from './growth.ts';
import { benchIdle } from './idle.ts';
import { LOAD_GENERATOR } from './load.ts';
import { benchLogin } from './logins.ts';
import { benchMail } from './mail.ts';
import { benchMix } from './mix.ts';
import { benchPageCost } from './page-cost.ts';
import { benchPostgres } from './postgres.ts';
import { benchPrinter } from './printer.ts';
import { benchReads } from './reads.ts';
import { findLosses, type Results, toMarkdown, toSvg } from './report.ts';
import type { Row } from './row.ts';
import { benchStalls } from './stalls.ts';
import { benchSyncRows } from './sync-rows.ts';

const GROUPS: Record<string, () => Promise<Row[]>> = {
  reads: benchReads,
  create: benchCreate,
  controllers: benchControllers,
  postgres: benchPostgres,
  sync: benchSyncRows,
  disk: benchDisk,
  stalls: benchStalls,
  idle: benchIdle,
  mix: benchMix,
  pages: benchPageCost,
  webhook: benchBlackHole,
  mail: benchMail,
  printer: benchPrinter,
  logins: benchLogin,
  growth: benchGrowth,
};
const ONLY_IF_NAMED = 'growth';

const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean' } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !GROUPS[name]);
if (unknown.length > 0) throw new Error(`no group ${unknown}; there are ${Object.keys(GROUPS)}`);

const git = (...words: string[]) => spawnSync('git', words, { encoding: 'utf8' }).stdout.trim();
const committed: Results = JSON.parse(git('show', 'HEAD:bench/results.json') || '{}');
const machine = `${process.arch}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, ${LOAD_GENERATOR}`;
const made = {
  date: new Date().toISOString().slice(0, 10),
  commit: git('rev-parse', '--short', 'HEAD'),
  machine,
};

const results: Results = process.env.BENCH_ROOT ? {} : { ...committed };
const losses: string[] = [];
for (const [name, bench] of Object.entries(GROUPS)) {
  const isWanted = positionals.length > 0 ? positionals.includes(name) : name !== ONLY_IF_NAMED;
  if (!isWanted) continue;
  console.error(`measuring: ${name}`);
  try {
    const group = { ...made, rows: await bench() };
    // The group has printed why it is left out.
    if (group.rows.length === 0) continue;
    losses.push(...findLosses(committed[name], group));
    results[name] = group;
    if (!process.env.BENCH_ROOT) write();
  } catch (error) {
    console.error(`FAILED: ${name}`, error);
    process.exitCode = 1;
  }
}
console.log(toMarkdown(results));
for (const loss of losses) console.error(`LOSS: ${loss}`);
if (values.check && losses.length > 0) process.exitCode = 1;

/** Called after each group, so that an interruption loses little. */
function write(): void {
  const inOrder = Object.fromEntries(
    Object.keys(GROUPS).flatMap((name) => (results[name] ? [[name, results[name]]] : [])),
  );
  const save = (name: string, text: string) => writeFileSync(new URL(name, import.meta.url), text);
  save('results.json', `${JSON.stringify(inOrder, undefined, 2)}\n`);
  save('RESULTS.md', toMarkdown(inOrder));
  save('ratios.svg', toSvg(inOrder));
}
