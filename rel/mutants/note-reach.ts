// Notes which code each test file of a group executes. Written into a group by `record-reach.ts`. Commands that a test
// starts note their own code: Node writes it into the folder that the test file has in NODE_V8_COVERAGE.

import { appendFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';

const { MUTANTS_REACH: folder = '', MUTANTS_GROUP: group = '' } = process.env;
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** What runs before the first test file begins counts for the whole group: all its files are loaded then. */
let current = group;
nameFolder();
process.once('exit', note);

export function beginFile(file: string): void {
  note();
  current = file;
  nameFolder();
}

function nameFolder(): void {
  process.env.NODE_V8_COVERAGE = join(folder, encodeURIComponent(current));
}

function note(): void {
  session.post('Profiler.takePreciseCoverage', (_, { result }) => {
    const ours = result.filter(({ url }) => url.includes('/src/'));
    appendFileSync(join(folder, 'noted.jsonl'), `${JSON.stringify({ by: current, result: ours })}\n`);
  });
}
