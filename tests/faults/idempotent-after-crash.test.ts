// A request with an Idempotency-Key that ended with an unknown outcome. A repeated request gets a 409 until the intent
// is settled; then it gets the voucher that was found or, if there was none, creates a new voucher.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openSimulatedVouchers } from '../../src/kernel/controllers/simulator/simulated-vouchers.ts';
import { asKeyId, asSiteId } from '../../src/kernel/ids.ts';
import { makeCreationUseCases } from '../../src/kernel/vouchers/creation-use-cases.ts';
import { TESTER } from '../support/actors.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { settle } from './bookkeeping.ts';

const SITE = 'fail:time-out';
let service: TestService;
let site: number;
before(async () => {
  service = await startTestService({ jobs: false });
  site = await service.addSite(SITE);
  const replies = await Promise.all([post('late'), post('never')]);
  for (const { status, json } of replies) {
    assert.equal(status, 500);
    assert.match(json.message, /did not answer in time/);
  }
});
after(() => service.stop());

function post(name: string) {
  const headers = { 'idempotency-key': `key-of-${name}` };
  return service.call('POST', 'vouchers.php', { body: { site_id: site, name }, headers });
}

test('while the outcome is unknown, a repeated request gets a 409 idempotency_in_progress', async () => {
  const reply = await post('late');
  assert.deepEqual([reply.status, reply.json.error], [409, 'idempotency_in_progress']);
  assert.match(reply.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
});

test('a repeated request is told to wait a moment while the first request may run, then for the next search', async () => {
  const [row] = service.rows("select * from idempotent_answers where idempotency_key = 'key-of-late'");
  assert.ok(row);
  const ticket = {
    apiKeyId: asKeyId(String(row.api_key_id)),
    key: 'key-of-late',
    bodyHash: String(row.body_hash),
  };
  const limits = { maxUses: 1, expireMinutes: 480, downKbps: 0, upKbps: 0, quotaMb: 0 };
  const order = { siteId: asSiteId(site), name: 'late', ...limits };
  const repeat = async () => {
    const waiting = { ...service.beside, nextSearch: { note: () => {}, leftS: () => 7 } };
    const { createVoucher } = makeCreationUseCases(waiting, { timeZone: 'Europe/Berlin' });
    const creation = await createVoucher(order, { actor: TESTER, keySites: 'all' }, ticket);
    return creation.ok || creation.problem;
  };
  const kind = 'idempotency-in-progress';
  service.clock.advance(19_000);
  assert.deepEqual(await repeat(), { kind, retryAfterS: 2 });
  service.clock.advance(1_000);
  assert.deepEqual(await repeat(), { kind, retryAfterS: 7 });
});

test('after the voucher is found, a repeated request gets it, and no second voucher is created', async () => {
  const controller = openSimulatedVouchers(service.config.dataDir);
  const limits = { maxUses: 1, expireMinutes: 480, downKbps: 0, upKbps: 0, quotaMb: 0 };
  const late = controller.create(
    `${site}/${SITE}`,
    { name: '2026-01-15_late', ...limits },
    service.clock.nowMs(),
  );
  controller.close();
  service.clock.advance(10_000);
  assert.deepEqual(await settle(service.beside), { recorded: 1, forgotten: 0, open: 1 });

  for (let turn = 0; turn < 2; turn++) {
    const reply = await post('late');
    assert.equal(reply.status, 201);
    assert.equal(reply.headers.get('idempotent-replayed'), 'true');
    assert.equal(reply.json.code, late.code);
  }
});

test('after it is certain that no voucher exists, a repeated request creates a new voucher', async () => {
  service.clock.advance(50_000);
  assert.deepEqual(await settle(service.beside), { recorded: 0, forgotten: 1, open: 0 });
  const elsewhere = { controllerSite: 'default' };
  await service.beside.sites.change(asSiteId(site), elsewhere, { actor: TESTER, atMs: 0 });
  const reply = await post('never');
  assert.equal(reply.status, 201);
  assert.equal(reply.headers.get('idempotent-replayed'), null);
  assert.equal(reply.json.success, true);
});
