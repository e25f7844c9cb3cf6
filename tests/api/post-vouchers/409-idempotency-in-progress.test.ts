// POST /vouchers.php → 409: a request with this Idempotency-Key is still running, or its outcome is unknown. Whatever
// happens to the first request, the key never creates a second voucher.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { refusingInserts } from '../../support/disturb-records.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';
import { FORGOTTEN_AFTER_MS, settle } from '../support/post-vouchers-settle.ts';
import { leaving, ONE_VOUCHER, tracesOf } from '../support/post-vouchers-traces.ts';

const BODY =
  '{"error":"idempotency_in_progress","message":"Eine Anfrage mit diesem Idempotency-Key wird noch bearbeitet"}';

let service: TestService;
before(async () => {
  service = await startTestService({ webhook: true, jobs: false });
});
after(() => service.stop());

const create = (idempotencyKey: string, body: unknown) =>
  service.call('POST', 'vouchers.php', { headers: { 'idempotency-key': idempotencyKey }, body });

async function untilIntentIsOpen(): Promise<void> {
  await until(() => tracesOf(service).intents > 0);
}

test('a creation with an unknown outcome holds its Idempotency-Key until its intent is settled', async () => {
  const siteId = await service.addSite('fail:time-out', 'Langsam');
  const body = { site_id: siteId, name: 'Geduld' };
  const first = create('geduld', body);
  await untilIntentIsOpen();

  const meanwhile = await leaving(service, {}, () => create('geduld', body));
  assert.equal(meanwhile.status, 409);
  assert.equal(meanwhile.text, BODY);
  assert.match(meanwhile.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  assert.equal((await create('geduld', { ...body, name: 'Anders' })).status, 422, 'the body is compared');

  assert.equal((await first).status, 500);
  assert.equal((await create('geduld', body)).status, 409, 'the controller may still create the voucher');

  service.clock.advance(FORGOTTEN_AFTER_MS);
  assert.equal((await create('geduld', body)).status, 409, 'the intent is not settled yet');
  assert.equal((await settle(service)).forgotten, 1);

  service.change("update sites set controller_site = 'default' where id = ?", siteId);
  const retried = await leaving(service, { ...ONE_VOUCHER, tickets: 1 }, () => create('geduld', body));
  assert.equal(retried.status, 201);
  assert.equal(retried.headers.get('idempotent-replayed'), null);
});

test('a voucher whose request failed after the controller created it is found and replayed', async () => {
  const body = { site_id: 1, name: 'Abgebrochen' };
  const broken = await refusingInserts(service, { table: 'vouchers', text: 'the disk hiccuped' }, () =>
    leaving(service, { intents: 1, upstream: 1, tickets: 1 }, () => create('abgebrochen', body)),
  );
  assert.equal(broken.status, 500);
  assert.equal((await leaving(service, {}, () => create('abgebrochen', body))).status, 409);

  service.clock.advance(FORGOTTEN_AFTER_MS);
  const settled = { vouchers: 1, intents: -1, notifications: 1, auditEntries: 1 };
  await leaving(service, settled, () => settle(service));

  const replayed = await leaving(service, {}, () => create('abgebrochen', body));
  assert.equal(replayed.status, 201);
  assert.equal(replayed.headers.get('idempotent-replayed'), 'true');
  const [row] = service.rows("select code from vouchers where name like '%_Abgebrochen'");
  assert.equal(replayed.json.code, row?.code);
});

test('concurrent requests with one key create one voucher; the others get a 409 or the same response', async () => {
  const body = { site_id: 1, name: 'Gedränge' };
  const replies = await leaving(service, { ...ONE_VOUCHER, tickets: 1 }, () =>
    Promise.all(Array.from({ length: 50 }, () => create('gedraenge', body))),
  );
  const made = replies.filter(({ status }) => status === 201);
  assert.equal(made.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1);
  assert.equal(new Set(made.map(({ text }) => text)).size, 1);
  for (const reply of replies.filter(({ status }) => status !== 201)) assert.equal(reply.text, BODY);
  assert.equal((await create('gedraenge', body)).text, made[0]?.text);
});

test('while the first request runs, both APIs say to come back in two seconds', async () => {
  const withJobs = await startTestService();
  try {
    const calls = [
      { path: 'vouchers.php', body: { site_id: 1, name: 'Gleich' } },
      { path: 'v1/vouchers', body: { site: 1, name: 'Gleich' } },
    ];
    const pauses = new Map<string | null, number>();
    for (let round = 1; round <= 10; round++)
      for (const { path, body } of calls) {
        const headers = { 'idempotency-key': `${path}-${round}` };
        const replies = await Promise.all(
          Array.from({ length: 30 }, () => withJobs.call('POST', path, { headers, body })),
        );
        for (const reply of replies.filter(({ status }) => status === 409)) {
          const pause = reply.headers.get('retry-after');
          pauses.set(pause, (pauses.get(pause) ?? 0) + 1);
        }
      }
    assert.deepEqual([...pauses.keys()], ['2'], JSON.stringify([...pauses]));
  } finally {
    await withJobs.stop();
  }
});
