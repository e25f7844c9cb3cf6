// PostgreSQL is away for some seconds while requests arrive: the log has one stack, one short line for each request,
// and one line at the end.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fleet, startFleet } from '../../../rel/instances/fleet.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts';
import { callApi } from '../../support/run-gastpass.ts';
import { until } from '../../support/until.ts';

const AWAY_MS = 12_000;
const EVERY_MS = 50;
/** An order that gets further than its key leaves two lines: what became of it, and its response. */
const MAX_BYTES_PER_REQUEST = 500;
/** The entry with the stack, and those of background jobs. */
const MAX_OTHER_BYTES = 20_000;

let server: PostgresServer;
let fleet: Fleet;
before(async () => {
  server = await startPostgres();
  process.env.TEST_DATABASE_URL = server.url;
  fleet = await startFleet(1, { environment: { LOG_LEVEL: 'info' } });
});
after(async () => {
  await fleet.stop();
  server.stop();
});

test('an outage of the database leaves one stack in the log, and one line at its end', async (t) => {
  const [instance] = fleet.instances;
  assert.ok(instance);
  const key = await fleet.issueKey('write');
  const { siteId } = await fleet.addConsole('unifi');
  const before = instance.stdout().length;

  const restarted = server.restart('crash', AWAY_MS);
  const requests: Promise<{ status: number; headers: Headers }>[] = [];
  for (const endsAt = performance.now() + AWAY_MS; performance.now() < endsAt; await sleep(EVERY_MS)) {
    const isOrder = requests.length % 2 === 0;
    requests.push(
      isOrder
        ? callApi(instance, { key, body: { site_id: siteId, name: 'Gast' } })
        : callApi(instance, { key, path: `vouchers.php?site_id=${siteId}` }),
    );
  }
  await restarted;
  const failed = (await Promise.all(requests)).filter(({ status }) => status >= 500);
  const written = () => instance.stdout().slice(before);
  await until(() => written().includes('database works again'));

  const text = written();
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.diagnostic(`${failed.length} of ${requests.length} requests failed, ${text.length} bytes of log`);
  assert.ok(failed.length > 100);
  assert.ok(text.length < failed.length * MAX_BYTES_PER_REQUEST + MAX_OTHER_BYTES, `${text.length} bytes`);
  assert.equal(lines.filter(({ err }) => err?.stack).length, 1);
  const responded = new Set(lines.filter(({ msg }) => msg === 'answered').map(({ requestId }) => requestId));
  assert.deepEqual(
    failed.filter(({ headers }) => !responded.has(headers.get('x-request-id'))),
    [],
  );
  const [end, ...more] = lines.filter(({ msg }) => msg === 'database works again');
  assert.deepEqual(more, []);
  assert.ok(end.errors >= failed.length && end.unavailableMs >= AWAY_MS / 2, JSON.stringify(end));
});
