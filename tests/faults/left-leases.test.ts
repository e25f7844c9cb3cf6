// Leases of a service that was killed. On SQLite, the next service does not wait until they expire, because no other
// instance can hold them. On PostgreSQL, another instance may hold them, so they stay.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { engine } from '../support/engine.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { startTestService } from '../support/test-service.ts';

const { folder: dataDir, remove } = makeFolder();
after(remove);

test('the leases of a killed service are deleted at the next start on SQLite and kept on PostgreSQL', async () => {
  const killed = await startTestService({ dataDir });
  killed.change(`insert into leases (name, holder, until_ms) values ('webhook 1', 'killed', ${2 ** 52})`);
  await killed.stop();
  const next = await startTestService({ dataDir });
  const left = next.rows("select name from leases where name = 'webhook 1'").length;
  await next.stop();
  assert.equal(left, engine === 'sqlite' ? 0 : 1);
});
