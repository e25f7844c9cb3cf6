// Runs migration.ts on a small disk of its own. On SQLite only: the disk of a PostgreSQL server is its own affair.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runOnSmallDisk } from '../../../support/small-disk.ts';

test('a migration on a full disk says what it needs, and changes nothing', async () => {
  const file = fileURLToPath(new URL('migration.ts', import.meta.url));
  const { code, output } = await runOnSmallDisk(file, { size: '96m' });
  assert.equal(code, 0, output);
  assert.match(output, /pass [1-9]/);
});
