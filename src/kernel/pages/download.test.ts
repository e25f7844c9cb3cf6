// Tests the names of downloaded files: readable, with the date, and safe in every file system and header.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { datedName, dispositionOf } from './download.ts';

const CONTEXT = { nowMs: Date.parse('2026-11-16T23:30:00Z'), timeZone: 'Europe/Berlin' };

const names: [parts: string[], name: string][] = [
  [['Haus A', 'Sommerfest'], 'Haus-A_Sommerfest_2026-11-17'],
  [['Haus Süd', 'Łódź 東京'], 'Haus-Süd_Łódź-東京_2026-11-17'],
  [['../../etc', 'a"b\r\nc: <d>|*?'], 'etc_a-b-c-d_2026-11-17'],
  [['\u202Egpj.', '🎉'], 'gpj_2026-11-17'],
  [['x'.repeat(300)], `${'x'.repeat(60)}_2026-11-17`],
];
for (const [parts, name] of names)
  test(`${JSON.stringify(parts).slice(0, 40)} becomes ${name.slice(0, 40)}`, () => {
    assert.equal(datedName(CONTEXT, parts), name);
  });

test('a name beyond ASCII is sent twice: spelled out, and encoded', () => {
  assert.equal(dispositionOf('audit-2026.csv'), 'attachment; filename="audit-2026.csv"');
  assert.equal(
    dispositionOf('Café-Süd.pdf'),
    `attachment; filename="Cafe-Sued.pdf"; filename*=UTF-8''Caf%C3%A9-S%C3%BCd.pdf`,
  );
  assert.match(dispositionOf('東京.pdf'), /^attachment; filename="-\.pdf"; filename\*=UTF-8''%E6/);
});
