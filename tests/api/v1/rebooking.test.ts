// POST /v1/vouchers with `replaces`: a booking that changes has exactly one living code, even if messages come late.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asSiteId } from '../../../src/kernel/ids.ts';
import { TESTER } from '../../support/actors.ts';
import { cases } from '../../support/more-cases.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';

const BOOKINGS = cases({ everyday: 10, long: 40 });

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

interface Options {
  site?: number;
  more?: object;
  key?: string;
  headers?: Record<string, string>;
}

/** Orders this revision of the booking. */
function book(reference: string, revision: number, { site = 1, more, key, headers }: Options = {}) {
  return service.call('POST', 'v1/vouchers', {
    body: { site, name: `Room ${revision}`, reference, replaces: true, ...more },
    headers: { 'idempotency-key': `${reference}-r${revision}`, ...headers },
    ...(key && { key }),
  });
}

async function livingOf(reference: string): Promise<number[]> {
  const { vouchers } = await service.client.listVouchers({ reference });
  return vouchers.filter(({ status }) => status === 'unused').map(({ id }) => id);
}

const idOf = ({ json }: { json: { vouchers: { id: number }[] } }) => json.vouchers[0]?.id ?? 0;

async function moveSite(site: number, controllerSite: string): Promise<void> {
  await service.beside.sites.change(asSiteId(site), { controllerSite }, { actor: TESTER, atMs: 0 });
}

test(`of ${BOOKINGS} bookings that change and are cancelled, each has one living code, also if messages come again late`, async () => {
  for (let booking = 1; booking <= BOOKINGS; booking++) {
    const reference = `booking ${booking}`.replace(' ', '-');
    const first = await book(reference, 1);
    const again = await book(reference, 1);
    assert.deepEqual([again.status, idOf(again)], [201, idOf(first)]);
    const second = await book(reference, 2);
    assert.deepEqual(second.json.replaced, [{ id: idOf(first), state: 'done' }]);
    assert.deepEqual(await livingOf(reference), [idOf(second)]);

    const late = await book(reference, 1);
    assert.deepEqual([late.status, late.json.type], [409, '/api-docs/problems#idempotency-key-ended']);
    assert.equal(late.headers.get('gastpass-retry'), 'no');
    assert.deepEqual(await livingOf(reference), [idOf(second)]);

    await service.call('POST', `v1/vouchers/${idOf(second)}/revoke`);
    for (const revision of [1, 2]) assert.equal((await book(reference, revision)).status, 409);
    assert.deepEqual(await livingOf(reference), []);
    const third = await book(reference, 3);
    for (const revision of [2, 1]) assert.equal((await book(reference, revision)).status, 409);
    assert.deepEqual(await livingOf(reference), [idOf(third)]);
  }
});

test('two changes at once leave the code of the later order', async () => {
  for (let booking = 1; booking <= BOOKINGS / 2; booking++) {
    const reference = `at-once-${booking}`;
    await book(reference, 1);
    const replies = await Promise.all([2, 3, 4].map((revision) => book(reference, revision)));
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [201]);
    await until(async () => (await livingOf(reference)).length === 1);
    const late = await Promise.all([1, 2, 3, 4].map((revision) => book(reference, revision)));
    assert.deepEqual(late.map(({ status }) => status).sort(), [201, 409, 409, 409]);
    assert.equal((await livingOf(reference)).length, 1);
  }
});

test('replaces only vouchers of the same key, site and reference', async () => {
  const other = await service.addSite('default', 'Haus B');
  const key = await service.issueKey('write', 0, 'Other');
  const kept = [
    await book('kept', 1, { key, headers: { 'idempotency-key': 'a' } }),
    await book('kept', 1, { site: other }),
    await book('not-kept', 1),
  ].map(idOf);
  const plain = await book('kept', 2, { more: { replaces: false } });
  const reply = await book('kept', 3);
  assert.deepEqual(reply.json.replaced, [{ id: idOf(plain), state: 'done' }]);
  const repeated = await book('kept', 3);
  assert.deepEqual([repeated.headers.get('idempotent-replayed'), repeated.json], ['true', reply.json]);
  assert.equal(plain.json.replaced, undefined);
  for (const id of kept) assert.equal((await service.client.getVoucher(id)).status, 'unused');
  assert.deepEqual((await book('first', 1)).json.replaced, []);
});

test('a first order without `replaces` that comes again after a change makes no second code', async () => {
  const first = () => book('first-plain', 1, { more: { replaces: false } });
  await first();
  const second = await book('first-plain', 2);
  assert.equal((await first()).json.type, '/api-docs/problems#idempotency-key-ended');
  assert.deepEqual(await livingOf('first-plain'), [idOf(second)]);

  const site = await service.addSite('fail:time-out', 'Lahm');
  const lost = () => book('lost-plain', 1, { site, more: { replaces: false } });
  assert.equal((await lost()).json.retry, 'after-settling');
  await moveSite(site, 'default');
  const newer = await book('lost-plain', 2, { site });
  assert.equal((await lost()).json.type, '/api-docs/problems#idempotency-key-ended');
  assert.deepEqual(await livingOf('lost-plain'), [idOf(newer)]);
});

test('needs a reference, and does not go together with a count', async () => {
  const errorsOf = async (more: object) => {
    const { status, json } = await book('x', 1, { more });
    return [status, json.errors];
  };
  assert.deepEqual(await errorsOf({ reference: null }), [
    400,
    [{ field: 'reference', message: 'is required with replaces' }],
  ]);
  assert.deepEqual(await errorsOf({ count: 2 }), [
    400,
    [{ field: 'count', message: 'must be 1 with replaces' }],
  ]);
  assert.deepEqual(await errorsOf({ replaces: 'yes' }), [
    400,
    [{ field: 'replaces', message: 'must be true or false' }],
  ]);
});

test('Gastpass-If-Ended keeps the key of any ended order', async () => {
  const headers = { 'gastpass-if-ended': 'conflict' };
  const order = (more: object) => book('plain', 1, { more: { replaces: false, ...more }, headers });
  const first = await order({});
  assert.equal(idOf(await order({})), idOf(first));
  await service.call('POST', `v1/vouchers/${idOf(first)}/revoke`);
  assert.equal((await order({})).json.type, '/api-docs/problems#idempotency-key-ended');
  assert.equal((await order({ name: 'Other' })).status, 422);
  const freed = await book('plain', 1, { more: { replaces: false } });
  assert.deepEqual([freed.status, freed.headers.get('idempotency-key-freed')], [201, 'true']);

  const ofBatch = (more = headers) =>
    book('batch', 1, { more: { replaces: false, count: 2 }, headers: more });
  const { json } = await ofBatch();
  const batch = () => service.call('GET', `v1/batches/${json.batch.id}`);
  await until(async () => (await batch()).json.state === 'done');
  for (const { id } of (await batch()).json.vouchers) await service.call('POST', `v1/vouchers/${id}/revoke`);
  assert.equal((await ofBatch()).json.type, '/api-docs/problems#idempotency-key-ended');

  const site = await service.addSite('fail:refuse', 'Kaputt');
  const refused = () => book('refused', 1, { site, more: { replaces: false, count: 2 }, headers });
  const failed = (await refused()).json.batch;
  await until(async () => (await service.call('GET', `v1/batches/${failed.id}`)).json.state === 'failed');
  const again = await refused();
  assert.deepEqual(
    [again.status, again.headers.get('idempotency-key-freed')],
    [202, 'true'],
    'it had no voucher',
  );

  const wrong = await book('plain', 2, { headers: { 'gastpass-if-ended': 'free' } });
  assert.deepEqual(wrong.json.errors, [{ field: 'Gastpass-If-Ended', message: 'must be "conflict"' }]);
});

test('an order that is found only after a newer one was placed does not replace it', async () => {
  const site = await service.addSite('fail:time-out', 'Langsam');
  const older = await book('lost', 1, { site });
  assert.equal(older.json.retry, 'after-settling');
  await moveSite(site, 'default');
  const newer = await book('lost', 2, { site });
  assert.equal(newer.status, 201);
  const late = await book('lost', 1, { site });
  assert.deepEqual([late.status, late.json.type], [409, '/api-docs/problems#idempotency-key-ended']);
  assert.deepEqual(await livingOf('lost'), [idOf(newer)]);
});
