// Records once which positions of the source files each everyday test file executes, in its own process and in the
// commands that it starts. A test that does not execute a position cannot notice a change there.

import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMutated } from './copied-tree.ts';
import { runGroup } from './test-group.ts';

/** The executed positions. `end` is not included. */
type Intervals = [start: number, end: number][];

export interface Reach {
  /** Test file → source file → what was executed. A source file that was loaded has an entry, even if it is empty. */
  [test: string]: { [source: string]: Intervals };
}

const GROUP_SIZE = 20;
const NOT_EVERYDAY = ['tests/tidy/', 'tests/browser/', 'tests/long/', 'tests/install/'];

export function listEverydayTests(tree: string): string[] {
  return globSync(['src/**/*.test.ts', 'packages/**/*.test.ts', 'tests/**/*.test.ts'], {
    cwd: tree,
    exclude: ['**/node_modules'],
  })
    .filter((file) => !NOT_EVERYDAY.some((folder) => file.startsWith(folder)))
    .sort();
}

export async function recordReach(tree: string, lanes: number): Promise<Reach> {
  const folder = join(tree, '.cache', 'reach');
  mkdirSync(folder, { recursive: true });
  const tests = listEverydayTests(tree);
  const groups = Array.from({ length: Math.ceil(tests.length / GROUP_SIZE) }, (_, index) =>
    tests.slice(index * GROUP_SIZE, (index + 1) * GROUP_SIZE),
  );
  const waiting = groups.values();
  const reach: Reach = {};
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (const files of waiting) {
        const reachFolder = join(folder, `lane-${lane}`);
        mkdirSync(reachFolder, { recursive: true });
        for (const test of files) reach[test] = {};
        await runGroup(tree, files, { engine: 'sqlite', reachFolder });
        readNotes(reachFolder, tree, (by, source, intervals) => {
          // What ran while the group was loaded counts for all its test files.
          for (const test of by.startsWith('group ') ? files : [by]) {
            const executed = reach[test] ?? {};
            reach[test] = executed;
            executed[source] = unite([...(executed[source] ?? []), ...intervals]);
          }
        });
        rmSync(reachFolder, { recursive: true });
        console.log(`recorded ${Object.keys(reach).length} of ${tests.length} test files`);
      }
    }),
  );
  return reach;
}

export function isReached(intervals: Intervals, position: number): boolean {
  return intervals.some(([start, end]) => start <= position && position < end);
}

type Notice = (by: string, source: string, intervals: Intervals) => void;

function readNotes(folder: string, tree: string, notice: Notice): void {
  const prefix = pathToFileURL(`${tree}/`).href;
  const lengths = new Map<string, number>();
  const lengthOf = (source: string) => {
    const length = lengths.get(source) ?? readFileSync(join(tree, source), 'utf8').length;
    lengths.set(source, length);
    return length;
  };
  const readScripts = (by: string, scripts: Profiler.ScriptCoverage[]) => {
    for (const { url, functions } of scripts) {
      const source = url.slice(prefix.length);
      if (url.startsWith(prefix) && isMutated(source))
        notice(by, source, flatten(functions, lengthOf(source)));
    }
  };
  const noted = join(folder, 'noted.jsonl');
  if (existsSync(noted))
    for (const line of readFileSync(noted, 'utf8').split('\n').filter(Boolean)) {
      const { by, result }: { by: string; result: Profiler.ScriptCoverage[] } = JSON.parse(line);
      readScripts(by, result);
    }
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    for (const file of readdirSync(join(folder, entry.name))) {
      try {
        const { result }: { result: Profiler.ScriptCoverage[] } = JSON.parse(
          readFileSync(join(folder, entry.name, file), 'utf8'),
        );
        readScripts(decodeURIComponent(entry.name), result);
      } catch {
        // A command that was killed has written half of its file.
      }
    }
  }
}

/** Ranges are nested: the count of an inner range replaces that of the range around it. */
function flatten(functions: Profiler.FunctionCoverage[], length: number): Intervals {
  const isRun = new Uint8Array(length);
  const ranges = functions.flatMap((each) => each.ranges);
  ranges.sort((a, b) => b.endOffset - b.startOffset - (a.endOffset - a.startOffset));
  for (const { startOffset, endOffset, count } of ranges)
    isRun.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  const intervals: Intervals = [];
  for (let start = isRun.indexOf(1); start >= 0; ) {
    const end = isRun.indexOf(0, start);
    intervals.push([start, end < 0 ? length : end]);
    start = end < 0 ? -1 : isRun.indexOf(1, end);
  }
  return intervals;
}

function unite(intervals: Intervals): Intervals {
  const united: Intervals = [];
  for (const [start, end] of intervals.toSorted(([a], [b]) => a - b)) {
    const last = united.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else united.push([start, end]);
  }
  return united;
}

export function keepReach(path: string, reach: Reach): void {
  writeFileSync(path, JSON.stringify(reach));
}

export function readReach(path: string): Reach {
  return JSON.parse(readFileSync(path, 'utf8'));
}
