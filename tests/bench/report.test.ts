// Tests the report of the benchmarks: a loss is found although the machine is another one, and the table says which
// goals are met.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLosses, toMarkdown, toSvg } from '../../bench/report.ts';
import type { Row } from '../../bench/row.ts';

/** A list with these processor times per request. */
function list(bareUs: number, oursUs: number): Row {
  return {
    name: 'list',
    unit: '/s',
    bare: { value: 1e6 / bareUs, cpuUs: bareUs },
    ours: { value: 1e6 / oursUs, cpuUs: oursUs },
    ratio: bareUs / oursUs,
    goal: { ratio: 0.88 },
  };
}
const group = (...rows: Row[]) => ({ date: '2026-01-15', commit: 'abc', machine: 'arm64', rows });

test('more than 5 % more processor time relative to the bare side is a loss', () => {
  const before = group(list(50, 55));
  assert.deepEqual(findLosses(before, group(list(50, 57))), []);
  assert.deepEqual(findLosses(before, group(list(100, 114))), []);
  assert.match(findLosses(before, group(list(50, 60))).join(), /^list: 9 % more processor time per request/);
  assert.match(findLosses(before, group(list(25, 30))).join(), /1\.20 of bare, 1\.10 at abc/);
});

test('without earlier results nothing is a loss', () => {
  assert.deepEqual(findLosses(undefined, group(list(50, 60))), []);
  assert.deepEqual(findLosses(group(), group(list(50, 60))), []);
});

test('the table has the ratio, the goal and whether it is met', () => {
  const memory: Row = { name: 'memory', unit: 'MB', ours: { value: 80 }, goal: { atMost: 75 } };
  const added: Row = {
    name: 'one at a time',
    unit: 'ms',
    bare: { value: 0.9 },
    ours: { value: 2 },
    goal: { addedAtMost: 1.2 },
  };
  const page: Row = {
    name: 'page',
    unit: '/s',
    ours: { value: 300, cpuUs: 3_000 },
    goal: { cpuAtMost: 2_500 },
  };
  const quickPage: Row = { ...page, name: 'quick page', ours: { value: 500, cpuUs: 2_000 } };
  const table = toMarkdown({ reads: group(list(50, 55), memory, added, page, quickPage) });
  assert.match(table, /^\| list \| 20,000\/s, 50 µs \| 18,182\/s, 55 µs \| 0\.91 \| ≥ 0\.88 \| yes \|$/m);
  assert.match(table, /^\| memory \| {2}\| 80 MB \| {2}\| ≤ 75 MB \| \*\*no\*\* \|$/m);
  assert.match(table, /^\| one at a time \| 0\.9 ms \| 2 ms \| {2}\| \+ ≤ 1\.2 ms \| yes \|$/m);
  assert.match(table, /^\| page \| {2}\| 300\/s, 3,000 µs \| {2}\| ≤ 2,500 µs \| \*\*no\*\* \|$/m);
  assert.match(table, /^\| quick page \| .* \| ≤ 2,500 µs \| yes \|$/m);
});

test('the drawing has a bar for each ratio with a goal', () => {
  const svg = toSvg({ reads: group(list(50, 55), list(50, 100)) });
  assert.equal(svg.match(/class="bar"/g)?.length, 1);
  assert.equal(svg.match(/class="missed"/g)?.length, 1);
});
