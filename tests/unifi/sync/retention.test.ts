// Tests that a sync does not import again what retention has deleted, although the console still lists it, but imports
// new vouchers.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeRetentionTurn } from '../../../src/kernel/vouchers/turns/retention.ts';
import { TESTER } from '../../support/actors.ts';
import { unobserved } from '../../support/unobserved.ts';
import { openSyncedSite, type SyncedSite } from './synced-site.ts';

const DAY_MS = 24 * 60 * 60_000;
let site: SyncedSite;
before(async () => {
  site = await openSyncedSite({ kind: 'unifi', flavour: 'unifi-os' });
});
after(() => site[Symbol.asyncDispose]());

const readTrustedTime = async () => ({ nowMs: site.clock.nowMs(), runningMs: 0 });
const by = () => ({ actor: TESTER, atMs: site.clock.nowMs() });
const cleanUp = () =>
  makeRetentionTurn({ ...site.service.beside, ...unobserved, readTrustedTime })(new AbortController().signal);
const codes = () => site.service.rows('select code from vouchers order by id').map(({ code }) => code);

test('a deleted voucher that the console still lists stays deleted', async () => {
  const used = await site.make('Zimmer 12', { max_uses: 2 });
  const waiting = await site.make('Zimmer 14');
  assert.ok(site.controls.redeem({ code: used }).ok);
  await site.sync();
  site.clock.advance(40 * DAY_MS);
  await site.sync();
  const before = await site.list();
  assert.equal(before.json.vouchers.length, 2);

  await site.service.beside.settings.change({ keepVouchersDays: 30 }, by());
  await cleanUp();
  assert.deepEqual(codes(), [waiting]);
  const { json, headers } = await site.list();
  assert.deepEqual(
    json.vouchers.map((one: { voucher_code: string }) => one.voucher_code),
    [waiting],
  );
  assert.notEqual(headers.get('etag'), before.headers.get('etag'));

  assert.ok(
    site.controls.vouchers().some(({ code }) => code === used),
    'the console still lists the voucher',
  );
  assert.equal((await site.sync()).imported, 0);
  assert.deepEqual(codes(), [waiting]);
});

test('a foreign voucher is imported if it works or ended recently', async () => {
  const fill = (note: string) => site.controls.fill({ note, quota: 2 })[0]?.code ?? '';
  const [old, unused] = [fill('alt'), fill('unbenutzt')];
  assert.ok(site.controls.redeem({ code: old }).ok);
  site.clock.advance(35 * DAY_MS);
  const recent = fill('neulich');
  assert.ok(site.controls.redeem({ code: recent }).ok);
  site.clock.advance(2 * DAY_MS);
  assert.equal((await site.sync()).imported, 2);
  assert.ok(codes().includes(unused) && codes().includes(recent) && !codes().includes(old));
});

test('when vouchers are kept for ever again, all vouchers on the console are recorded again', async () => {
  await site.service.beside.settings.change({ keepVouchersDays: null }, by());
  assert.equal((await site.sync()).imported, 2);
});
