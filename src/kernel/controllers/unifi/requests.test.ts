// Tests the filters that match many names: few requests, each short enough for a URL, and names are escaped.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byNames } from './requests.ts';

test('a few names give one filter, with their quotes doubled', () => {
  assert.deepEqual(byNames(['Zimmer 12', "O'Brien"]), ["name.in('Zimmer 12','O''Brien')"]);
  assert.deepEqual(byNames([]), []);
});

test('many names give several filters that fit into a URL, and no name is left out', () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `2026-01-15_Gast ${index} 😀`);
  const filters = byNames(names);
  assert.ok(filters.length < 100);
  for (const filter of filters) assert.ok(encodeURIComponent(filter).length < 3_000);
  assert.deepEqual(
    filters.flatMap((filter) => filter.slice('name.in('.length, -1).split(',')),
    names.map((name) => `'${name}'`),
  );
});

test('a name too long to share a filter gets its own filter', () => {
  const long = '😀'.repeat(250);
  assert.deepEqual(byNames(['a', long, 'b']), ["name.in('a')", `name.in('${long}')`, "name.in('b')"]);
});
