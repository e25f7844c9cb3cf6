// Tests that every migration has a fixture with rows in all tables, and that migrations are not changed. The long tests
// upgrade every fixture on both engines.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { migrations } from '../../src/platform/database/migrations/index.ts';
import { copied } from '../support/tables.ts';
import { fixtureFile, readFixture, readRows, statementsHash } from './fixture.ts';

const HOW_TO = 'run bin/node tests/upgrades/write-fixture.ts, and commit the new fixture with the migration';

test('every migration has a fixture, and has not changed since', () => {
  for (const { version } of migrations) {
    assert.ok(existsSync(fixtureFile(version, 'sql')), `migration ${version} has no fixture: ${HOW_TO}`);
    assert.equal(
      readFixture(version).statementsHash,
      statementsHash(version),
      `migration ${version} differs from the one of its fixture: a released migration is never changed`,
    );
  }
});

test('the newest fixture has a row in every table', () => {
  const rows = readRows(migrations.length);
  for (const table of copied.keys())
    assert.ok(rows.includes(`insert into ${table} (`), `no row in ${table}: add one to page-rows.ts`);
});
