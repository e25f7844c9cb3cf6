// Runs full-disk.ts on a small disk of its own.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runOnSmallDisk } from '../../support/small-disk.ts';

test('with a database on a disk that becomes full, everybody is told, and nothing is lost', async () => {
  const file = fileURLToPath(new URL('full-disk.ts', import.meta.url));
  const { code, output } = await runOnSmallDisk(file, { size: '32m' });
  assert.equal(code, 0, output);
  assert.match(output, /pass [1-9]/);
});
