// Acknowledged data is on disk: every durable commit syncs before anything is sent, concurrent jobs share a sync, and
// data that need not be durable (rate windows, last use of a key) costs no sync per request.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { findTooEarly, syncsOf } from '../../rel/fsync/check-order.ts';
import { type Trace, traceOrders } from '../../rel/fsync/traced-service.ts';
import { countSyncs } from './count-syncs.ts';

const WRITES = 50;
const REQUESTS = 300;
const VOUCHERS = 40;
/** Enough for the log to be copied into the database and restarted. */
const MANY_VOUCHERS = 400;
/** How much the workers write depends on the duration of the run; one sync per request would be far more. */
const MAX_SYNCS = REQUESTS / 4;
const address = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);

function writing(statement: string): string {
  return `
    import { openSqlite } from ${address('../../src/platform/database/sqlite/open-sqlite.ts')};
    import { upsertSetting } from ${address('../../src/platform/database/installation-queries.ts')};
    const database = openSqlite(process.argv[1] + '/gastpass.sqlite');
    const write = (value) => database.write((transaction) => upsertSetting(transaction, 'last_probe', value));
    ${statement}
    await database.close();`;
}

describe('syncs of the database', () => {
  let atRest: number;
  before(() => {
    atRest = countSyncs(writing(''));
  });

  test('each commit is synced to disk before it is acknowledged', () => {
    const syncs = countSyncs(writing(`for (let n = 0; n < ${WRITES}; n++) await write(String(n));`)) - atRest;
    assert.ok(syncs >= WRITES, `${syncs} syncs for ${WRITES} commits`);
  });

  test('concurrent jobs share a sync', () => {
    const together = `await Promise.all(Array.from({ length: ${WRITES} }, (_, n) => write(String(n))));`;
    const syncs = countSyncs(writing(together)) - atRest;
    // The header of the log and the commit; when the database is closed, the log and the file that it is copied to.
    assert.ok(syncs >= 1 && syncs <= 4, `${syncs} syncs for one commit`);
  });
});

describe('syncs of a service that creates vouchers on a console', () => {
  let oneByOne: Trace;
  let manyAtOnce: Trace;
  before(async () => {
    oneByOne = await traceOrders({ count: VOUCHERS, atOnce: 1 });
    manyAtOnce = await traceOrders({ count: MANY_VOUCHERS, atOnce: VOUCHERS });
  });

  test('no order is sent to the console, and no code to the client, before it is on disk', () => {
    assert.deepEqual([...findTooEarly(oneByOne), ...findTooEarly(manyAtOnce)], []);
  });

  test('without syncs, every order and every code is found to be sent too early', async () => {
    const trace = await traceOrders({ count: VOUCHERS, atOnce: VOUCHERS, isSynced: false });
    assert.equal(findTooEarly(trace).length, 2 * VOUCHERS);
  });

  test('a voucher takes two syncs', () => {
    const syncs = syncsWhileServing(oneByOne).length;
    // Background jobs sync a few times, depending on the duration of the run.
    assert.ok(syncs >= 2 * VOUCHERS && syncs < 3 * VOUCHERS, `${syncs} syncs`);
  });

  test('no request waits for a sync on the main thread', () => {
    const onMainThread = (trace: Trace) =>
      syncsWhileServing(trace).filter(({ thread }) => thread === trace.mainThread);
    assert.deepEqual([...onMainThread(oneByOne), ...onMainThread(manyAtOnce)], []);
  });
});

/** The syncs of the log between the write of the first intent and the last response. */
function syncsWhileServing({ calls, vouchers, log }: Trace) {
  const isIntent = (bytes: string) => vouchers.some(({ name }) => bytes.includes(name));
  const first = calls.find(({ file, bytes }) => file === log && isIntent(bytes));
  const last = calls.findLast(({ bytes }) => bytes.startsWith('HTTP/1.1 201'));
  if (!first || !last) throw new Error('the trace has no voucher');
  return syncsOf(calls, log).filter(({ begin, end }) => begin > first.begin && end < last.begin);
}

function serving(requests: number): string {
  return `
    import { startTestService } from ${address('../support/test-service.ts')};
    const service = await startTestService({ dataDir: process.argv[1] });
    const key = await service.issueKey('read', 1_000_000);
    for (let n = 0; n < ${requests}; n++) {
      service.clock.advance(1);
      await service.call('GET', 'vouchers.php?site_id=1', { key });
    }
    await service.stop();`;
}

test('rate limits and the last use of a key cost no sync per request', () => {
  const syncs = countSyncs(serving(REQUESTS)) - countSyncs(serving(1));
  assert.ok(syncs < MAX_SYNCS, `${syncs} syncs for ${REQUESTS} requests that change nothing durable`);
});
