// Tests the names of vouchers that others created on the controller.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toForeignName } from './foreign-name.ts';

test('of a note by unifi-voucher-site only the name is kept; every other note is a name', () => {
  const cases: [note: string, name: string][] = [
    ['Zimmer 4||;;||web||;;||internal||;;||anna@example.org', 'Zimmer 4'],
    [' Tagung ||;;||api', 'Tagung'],
    ['||;;||web||;;||', ''],
    ['Zimmer 4', 'Zimmer 4'],
    [' mit Rand ', ' mit Rand '],
    ['a || b ;; c', 'a || b ;; c'],
    ['', ''],
  ];
  for (const [note, name] of cases) assert.equal(toForeignName(note), name, note);
});
