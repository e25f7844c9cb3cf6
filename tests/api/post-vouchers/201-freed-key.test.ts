// POST /vouchers.php with the Idempotency-Key of a voucher that has ended → 201 with a new voucher and the header
// Idempotency-Key-Freed. A code that no longer works is not handed out again.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeRevocationUseCases } from '../../../src/kernel/vouchers/revocation-use-cases.ts';
import { TESTER } from '../../support/actors.ts';
import { DRIVERS, openSyncedSite, type SyncedSite } from '../../unifi/sync/synced-site.ts';
import { FORGOTTEN_AFTER_MS, settle } from '../support/post-vouchers-settle.ts';

const MINUTE_MS = 60_000;

let site: SyncedSite;
before(async () => {
  site = await openSyncedSite(DRIVERS[0]);
});
after(() => site[Symbol.asyncDispose]());

const order = (key: string, fields: Record<string, unknown> = {}) =>
  site.service.call('POST', 'vouchers.php', {
    headers: { 'idempotency-key': key },
    body: { site_id: site.id, name: key, expire_minutes: 60, max_uses: 2, ...fields },
  });
const flagsOf = ({ headers }: Awaited<ReturnType<typeof order>>) => ({
  replayed: headers.get('idempotent-replayed'),
  freed: headers.get('idempotency-key-freed'),
});
const REPLAYED = { replayed: 'true', freed: null };
const FREED = { replayed: null, freed: 'true' };
const vouchersOnConsole = (key: string) => site.controls.vouchers().filter(({ note }) => note?.endsWith(key));

async function revoke(code: string): Promise<void> {
  const { beside, clock } = site.service;
  const voucher = await beside.revocations.findByCode(site.id, code);
  assert.ok(voucher);
  const { revokeVoucher } = makeRevocationUseCases(beside);
  assert.equal(await revokeVoucher(voucher, { actor: TESTER, atMs: clock.nowMs() }), undefined);
}

async function deleteOnConsole(code: string): Promise<void> {
  // A sync does not expect new vouchers in a list for a minute.
  site.clock.advance(2 * MINUTE_MS);
  assert.ok(site.controls.remove({ code }));
  await site.sync();
}

async function expire(code: string): Promise<void> {
  assert.ok(site.controls.redeem({ code, devices: 2 }).ok);
  await site.sync();
  site.clock.advance(60 * MINUTE_MS - 1);
  assert.deepEqual(
    flagsOf(await order('expired')),
    REPLAYED,
    'a voucher in use, even if used up, has not ended',
  );
  site.clock.advance(1);
}

for (const [how, end] of Object.entries({ revoked: revoke, deleted: deleteOnConsole, expired: expire }))
  test(`a voucher that was ${how} is replaced by a new one, which is replayed from then on`, async () => {
    const first = await order(how);
    assert.deepEqual(flagsOf(first), { replayed: null, freed: null });
    await end(first.json.code);

    assert.equal((await order(how, { max_uses: 3 })).status, 422, 'the key still belongs to its body');
    const second = await order(how);
    assert.equal(second.status, 201);
    assert.deepEqual(flagsOf(second), FREED);
    assert.notEqual(second.json.code, first.json.code);
    const third = await order(how);
    assert.equal(third.text, second.text);
    assert.deepEqual(flagsOf(third), REPLAYED);
    assert.equal((await site.shown(second.json.code)).status, 'valid');
  });

test('a voucher that another release has recorded is replayed, also after it has ended', async () => {
  const first = await order('earlier');
  site.service.change("update idempotent_answers set voucher_id = null where idempotency_key = 'earlier'");
  await revoke(first.json.code);
  const again = await order('earlier');
  assert.equal(again.text, first.text);
  assert.deepEqual(flagsOf(again), REPLAYED);
});

test('concurrent requests with a freed key create one voucher', async () => {
  for (let round = 0; round < 3; round++) {
    const { code } = (await order('crowd')).json;
    await revoke(code);
    const replies = await Promise.all(Array.from({ length: 20 }, () => order('crowd')));
    const made = replies.filter(({ status }) => status === 201);
    assert.equal(made.filter((reply) => flagsOf(reply).freed).length, 1);
    assert.equal(new Set(made.map(({ text }) => text)).size, 1);
    for (const { status, json } of replies.filter(({ status }) => status !== 201))
      assert.deepEqual([status, json.error], [409, 'idempotency_in_progress']);
    assert.equal(vouchersOnConsole('crowd').length, 1);
  }
});

test('a freed key is in progress while the outcome is unknown, and then names the voucher that was found', async () => {
  const first = await order('lost');
  await revoke(first.json.code);
  site.controls.setFault({ kind: 'cut-after-write', match: 'create' });
  site.controls.setFault({ kind: 'status', match: 'list', status: 500, times: 'always' });
  assert.equal((await order('lost')).status, 500);
  assert.equal((await order('lost')).status, 409);
  assert.equal(vouchersOnConsole('lost').length, 1);

  site.controls.resetFaults();
  site.clock.advance(FORGOTTEN_AFTER_MS);
  await settle(site.service);
  const found = await order('lost');
  assert.deepEqual(flagsOf(found), REPLAYED);
  assert.equal(found.json.code, vouchersOnConsole('lost')[0]?.code);
});

test('if the console refuses the new voucher, the key is free', async () => {
  await revoke((await order('refused')).json.code);
  site.controls.setFault({ kind: 'status', match: 'create', status: 400 });
  assert.equal((await order('refused')).status, 500);
  const made = await order('refused');
  assert.equal(made.status, 201);
  assert.equal(vouchersOnConsole('refused').length, 1);
});
