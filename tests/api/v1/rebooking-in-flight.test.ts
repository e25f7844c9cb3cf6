// Rebookings beside orders of the same booking that are still in flight, and messages that wait for a replaced voucher.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { type SimulatedConsole, startSimulatedConsole } from '../../../packages/unifi-console/src/index.ts';
import { asSiteId, asVoucherId } from '../../../src/kernel/ids.ts';
import { makeFindVoucher } from '../../../src/kernel/messages/find-voucher.ts';
import { TESTER } from '../../support/actors.ts';
import { setupMail } from '../../support/setup-mail.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';

let service: TestService;
let simulated: SimulatedConsole;
let site: number;
before(async () => {
  service = await startTestService();
  simulated = await startSimulatedConsole();
  const { url, apiKey, fingerprint256 } = simulated;
  site = await service.beside.sites.add(
    {
      ...{ name: 'Haus am See', active: true, controllerKind: 'unifi', controllerSite: 'default' },
      connection: { url, credentials: { apiKey }, trust: { kind: 'pinned', fingerprint256 } },
    },
    { actor: TESTER, atMs: service.clock.nowMs() },
  );
  await setupMail(service);
});
after(async () => {
  await service.stop();
  await simulated.stop();
});
afterEach(() => simulated.controls.resetFaults());

function book(reference: string, revision: number, more: object = {}) {
  return service.call('POST', 'v1/vouchers', {
    body: { site, name: `${reference} ${revision}`, reference, replaces: true, ...more },
    headers: { 'idempotency-key': `${reference}-r${revision}` },
  });
}

const idOf = ({ json }: { json: { vouchers: { id: number }[] } }) => json.vouchers[0]?.id ?? 0;

/** Orders the older revision, whose console answers late, and the newer one meanwhile. */
async function overtake(reference: string, more: object) {
  simulated.controls.setFault({ match: 'create', times: 1, kind: 'late-answer', ms: 1_000 });
  const older = book(reference, 1, more);
  await until(() => simulated.controls.vouchers().some(({ note }) => note?.endsWith(`_${reference} 1`)));
  const newer = await book(reference, 2);
  return { newer, older: await older };
}

const orders: [string, object][] = [
  ['plain', { replaces: false }],
  ['mailed', { replaces: false, email: 'ada@example.org' }],
  ['rebooking', {}],
];
for (const [reference, more] of orders)
  test(`an order in flight is replaced when it is recorded after a newer one: ${reference}`, async () => {
    const { newer, older } = await overtake(reference, more);
    assert.deepEqual([newer.status, older.status], [201, 201]);
    const found = service.rows(
      'select id, successor_id from vouchers where reference = ? order by id',
      reference,
    );
    assert.deepEqual(
      found.map(({ id, successor_id }) => [id, successor_id]),
      [
        [idOf(newer), null],
        [idOf(older), idOf(newer)],
      ],
    );
    assert.deepEqual(service.rows('select id from messages'), []);
  });

test('a mail or slip that still waits is not sent for a voucher that waits for its revocation', async () => {
  const findVoucher = makeFindVoucher({ ...service.beside, clock: service.clock });
  const find = (voucher: number) => findVoucher(asSiteId(site), asVoucherId(voucher));
  const older = idOf(await book('waiting', 1));
  assert.partialDeepStrictEqual(await find(older), { id: older });
  simulated.controls.setFault({ match: 'delete', times: 'always', kind: 'status', status: 503 });
  const newer = await book('waiting', 2);
  assert.deepEqual(newer.json.replaced, [{ id: older, state: 'pending' }]);
  assert.equal(await find(older), 'ended');
  assert.partialDeepStrictEqual(await find(idOf(newer)), { id: idOf(newer) });
});
