// POST /vouchers.php with an Idempotency-Key → 201 again: a repeated request gets the first response and creates no
// second voucher. This applies per API key, for 24 hours, and only to creations that succeeded.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { leaving, ONE_VOUCHER } from '../support/post-vouchers-traces.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const ONE_WITH_KEY = { ...ONE_VOUCHER, tickets: 1 };

let service: TestService;
before(async () => {
  service = await startTestService({ webhook: true });
});
after(() => service.stop());

const create = (idempotencyKey: string, body: unknown, key = service.keyText) =>
  service.call('POST', 'vouchers.php', { key, headers: { 'idempotency-key': idempotencyKey }, body });

test('a repeated request gets the same bytes and the header Idempotent-Replayed', async () => {
  const body = { site_id: 1, name: 'Doppelt', max_uses: 2, expire_minutes: 90, qos: { down: 5 } };
  const first = await leaving(service, ONE_WITH_KEY, () => create('doppelt', body));
  assert.equal(first.status, 201);
  assert.equal(first.headers.get('idempotent-replayed'), null);

  for (let turn = 0; turn < 3; turn++) {
    const again = await leaving(service, {}, () => create('doppelt', body));
    assert.equal(again.status, 201);
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.notEqual(again.headers.get('x-request-id'), first.headers.get('x-request-id'));
  }
});

test('without the header, equal requests create different vouchers', async () => {
  const body = { site_id: 1, name: 'Zwei' };
  const one = await service.call('POST', 'vouchers.php', { body });
  const other = await service.call('POST', 'vouchers.php', { body });
  assert.notEqual(one.json.code, other.json.code);
});

test('a different Idempotency-Key makes a new request, and keys are case-sensitive', async () => {
  const body = { site_id: 1, name: 'Anders' };
  const codes = [];
  for (const key of ['anders', 'Anders', 'anders2']) codes.push((await create(key, body)).json.code);
  assert.equal(new Set(codes).size, 3);
});

test('the same Idempotency-Key with another API key makes a new request', async () => {
  const [body, otherKey] = [{ site_id: 1, name: 'Nachbarn' }, await service.issueKey('write')];
  const mine = await create('gemeinsam', body);
  const theirs = await leaving(service, ONE_WITH_KEY, () => create('gemeinsam', body, otherKey));
  assert.notEqual(theirs.json.code, mine.json.code);
  assert.equal((await create('gemeinsam', body, otherKey)).text, theirs.text);
  assert.equal((await create('gemeinsam', body)).text, mine.text);
});

test('the first response is replayed even if the site has been renamed or deactivated since', async () => {
  const siteId = await service.addSite('default', 'Vorher');
  const body = { site_id: siteId, name: 'Beständig' };
  const first = await create('bestaendig', body);
  service.change("update sites set name = 'Nachher', active = 0 where id = ?", siteId);
  const again = await create('bestaendig', body);
  assert.equal(again.text, first.text);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
});

test('a response is stored for 24 hours and then expires', async () => {
  const body = { site_id: 1, name: 'Morgen' };
  const first = await create('morgen', body);
  service.clock.advance(DAY_MS - 1);
  assert.equal((await create('morgen', body)).text, first.text);

  service.clock.advance(1);
  const next = await leaving(service, ONE_VOUCHER, () => create('morgen', body));
  assert.equal(next.status, 201);
  assert.notEqual(next.json.code, first.json.code);
  assert.equal(next.headers.get('idempotent-replayed'), null);
  assert.equal((await create('morgen', body)).text, next.text);
});

test('an expired Idempotency-Key can be used with another body', async () => {
  await create('neu-belegt', { site_id: 1, name: 'Alt' });
  service.clock.advance(DAY_MS);
  assert.equal((await create('neu-belegt', { site_id: 1, name: 'Neu' })).status, 201);
});

test('the clean-up deletes only expired responses', async () => {
  await create('alt', { site_id: 1, name: 'Alt' });
  service.clock.advance(DAY_MS / 2);
  const kept = await create('frisch', { site_id: 1, name: 'Frisch' });
  service.clock.advance(DAY_MS / 2 + 1);
  await service.beside.vouchers.forgetOldResponses(service.clock.nowMs());
  assert.deepEqual(
    service.rows('select idempotency_key as name from idempotent_answers').map(({ name }) => name),
    ['frisch'],
  );
  assert.equal((await create('frisch', { site_id: 1, name: 'Frisch' })).text, kept.text);
});

test('an Idempotency-Key can be used again after its order was refused', async () => {
  assert.equal((await leaving(service, {}, () => create('verbessert', { site_id: 1 }))).status, 400);
  assert.equal((await create('verbessert', { site_id: 1, name: 'Verbessert' })).status, 201);
});

test('an Idempotency-Key can be used again after the controller refused the voucher or was unreachable', async () => {
  for (const way of ['fail:refuse', 'fail:unreachable']) {
    const siteId = await service.addSite(way, way);
    const body = { site_id: siteId, name: 'Später' };
    for (let turn = 0; turn < 2; turn++)
      assert.equal((await leaving(service, {}, () => create(way, body))).status, 500);

    service.change("update sites set controller_site = 'default' where id = ?", siteId);
    const reply = await leaving(service, ONE_WITH_KEY, () => create(way, body));
    assert.equal(reply.status, 201);
  }
});

test('a voucher that was found after a lost controller response is replayed like any other', async () => {
  const siteId = await service.addSite('fail:lose-answer', 'Vergesslich');
  const body = { site_id: siteId, name: 'Wiedergefunden' };
  const first = await leaving(service, ONE_WITH_KEY, () => create('wieder', body));
  assert.equal(first.status, 201);
  assert.equal((await leaving(service, {}, () => create('wieder', body))).text, first.text);
});
