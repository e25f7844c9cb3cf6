// Leases of a service that was killed: on SQLite the next one need not wait until they run out, since it knows
// that it is alone. On PostgreSQL somebody else may hold them, so they are left alone.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { engine } from '../support/engine.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { startTestService } from '../support/test-service.ts';

const { folder: dataDir, remove } = makeFolder();
after(remove);

test('what a killed service held is free for the next one, where nobody else can hold it', async () => {
  const killed = await startTestService({ dataDir });
  killed.change(`insert into leases (name, holder, until_ms) values ('webhook 1', 'killed', ${2 ** 52})`);
  await killed.stop();
  const next = await startTestService({ dataDir });
  const left = next.rows("select name from leases where name = 'webhook 1'").length;
  await next.stop();
  assert.equal(left, engine === 'sqlite' ? 0 : 1);
});
