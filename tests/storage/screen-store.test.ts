// Tests the store for screens on every engine.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { type NewScreen, PAIRING_MS, type ScreenStore } from '../../src/features/screens/screen.ts';
import { makeScreenStore } from '../../src/features/screens/screen-store.ts';
import type { ScreenId, SiteId, VoucherId } from '../../src/kernel/ids.ts';
import { makeVoucherStore } from '../../src/kernel/vouchers/storage/voucher-store.ts';
import { makePathToken } from '../../src/platform/secrets/token.ts';
import { TESTER } from '../support/actors.ts';
import { onEveryEngine } from './engines.ts';
import { addSite, sampleIntent, sampleScreen, sampleUpstream, seal } from './samples.ts';

const SEEN = { ip: '192.0.2.9', agent: 'Tablet', atMs: 5 };
const TABLES = ['screen_results', 'shown_codes', 'stock', 'terms', 'screens', 'intents', 'vouchers', 'audit'];

onEveryEngine('the store for screens', (database) => {
  let screens: ScreenStore;
  let site: SiteId;

  const audit = { actor: TESTER, atMs: 1 };
  const kiosk = (change?: Partial<NewScreen>) => sampleScreen(site, change);
  const add = (change?: Partial<NewScreen>, pairingHash = 'code') =>
    screens.add(kiosk(change), { pairingHash, token: null }, audit);
  const actions = async () =>
    (await database().read.selectFrom('audit').select('action').orderBy('id').execute()).map(
      ({ action }) => action,
    );
  const set = (id: ScreenId, values: Record<string, unknown>) =>
    database().write((transaction) =>
      transaction.updateTable('screens').set(values).where('id', '=', id).execute(),
    );

  beforeEach(async () => {
    screens = makeScreenStore(database(), seal);
    await database().write(async (transaction) => {
      for (const table of [...TABLES, 'sites'] as 'sites'[]) await transaction.deleteFrom(table).execute();
    });
    site = await addSite(database());
  });

  test('a screen is read as it was added, and changed', async () => {
    const { id, pairingUntilMs } = await add();
    const found = await screens.find(id);
    const { terms: _, ...settings } = kiosk();
    assert.partialDeepStrictEqual(found, {
      ...settings,
      id,
      pairingUntilMs,
      termsId: null,
      pairedAtMs: null,
    });
    assert.deepEqual(await screens.list([]), []);
    assert.deepEqual(await screens.list(), [found]);

    assert.equal(await screens.update(id, { name: 'Bar', asks: ['email'], printerId: null }, audit), true);
    assert.partialDeepStrictEqual(await screens.find(id), { name: 'Bar', asks: ['email'], printerId: null });
    await screens.update(id, { name: 'Bar' }, audit);
    assert.deepEqual(await actions(), ['screen.added', 'screen.changed']);
  });

  test('values of a newer release are not overwritten', async () => {
    const { id } = await add();
    await set(id, { kind: 'hologram', offers: 'tea', asks: 'name,shoe-size' });
    assert.partialDeepStrictEqual(await screens.find(id), {
      kind: 'unknown',
      offers: 'unknown',
      asks: ['name'],
    });
    await screens.update(id, { name: 'Bar', asks: ['room'] }, audit);
    const row = await database().read.selectFrom('screens').selectAll().executeTakeFirstOrThrow();
    assert.deepEqual([row.kind, row.offers, row.asks], ['hologram', 'tea', 'room,shoe-size']);
  });

  test('a code pairs one device, once', async () => {
    const { id } = await add();
    const tries = ['one', 'two', 'three', 'four'].map((cookie) => screens.pair('code', cookie, SEEN));
    const paired = (await Promise.all(tries)).filter((screen) => screen !== undefined);
    assert.deepEqual(
      paired.map((screen) => screen.id),
      [id],
    );
    assert.equal(await screens.pair('code', 'five', SEEN), undefined);
    const found = await screens.find(id);
    assert.partialDeepStrictEqual(found, { pairingUntilMs: null, seenIp: SEEN.ip, seenAgent: 'Tablet' });
    assert.ok(found?.pairedAtMs);
    assert.deepEqual(await actions(), ['screen.added', 'screen.paired']);
  });

  test('a code is valid for ten minutes, also if the clock is set back', async () => {
    const { id, pairingUntilMs } = await add();
    await set(id, { pairing_until_ms: pairingUntilMs - PAIRING_MS });
    assert.equal(await screens.pair('code', 'cookie', SEEN), undefined);
    await set(id, { pairing_until_ms: pairingUntilMs + PAIRING_MS });
    assert.equal(await screens.pair('code', 'cookie', SEEN), undefined);
    await set(id, { pairing_until_ms: pairingUntilMs });
    assert.ok(await screens.pair('code', 'cookie', SEEN));
  });

  test('a new code leaves the device paired until it is used; unpairing ends both', async () => {
    const { id } = await add();
    await screens.pair('code', 'first', SEEN);
    assert.ok(await screens.renewPairing(id, 'again', audit));
    assert.ok(await screens.findByCookie('first'));
    await screens.pair('again', 'second', SEEN);
    assert.equal(await screens.findByCookie('first'), undefined);
    assert.equal((await screens.findByCookie('second'))?.id, id);
    await screens.renewPairing(id, 'third', audit);
    assert.equal(await screens.unpair(id, audit), true);
    assert.equal(await screens.findByCookie('second'), undefined);
    assert.equal(await screens.pair('third', 'third', SEEN), undefined);
    assert.equal(await screens.unpair(id, audit), false);
  });

  test('a rolling code has a path that can be renewed, a kiosk has none', async () => {
    const token = makePathToken();
    const rolling = await screens.add(kiosk({ kind: 'rolling' }), { pairingHash: 'r', token }, audit);
    assert.equal((await screens.findByToken(token.tokenHash))?.id, rolling.id);
    assert.equal(await screens.findToken(rolling.id), token.token);
    const next = makePathToken();
    assert.equal(await screens.renewToken(rolling.id, next, audit), true);
    assert.equal(await screens.findByToken(token.tokenHash), undefined);
    assert.equal(await screens.findToken(rolling.id), next.token);
    const { id } = await add();
    assert.equal(await screens.renewToken(id, makePathToken(), audit), false);
    assert.equal(await screens.findToken(id), undefined);
  });

  test('a sighting is stored at most once a minute', async () => {
    const { id } = await add();
    await screens.noteSeen(id, SEEN);
    const first = await screens.find(id);
    assert.ok(first?.seenAtMs);
    await screens.noteSeen(id, { ip: '192.0.2.10', agent: 'Other' });
    assert.deepEqual(await screens.find(id), first);
    for (const shift of [-60_000, 60_000]) {
      await set(id, { seen_at_ms: first.seenAtMs + shift, seen_ip: 'old' });
      await screens.noteSeen(id, SEEN);
      assert.equal((await screens.find(id))?.seenIp, SEEN.ip);
    }
  });

  test('every change of the terms makes a version', async () => {
    const { id } = await add({ terms: 'Be kind.' });
    for (const text of ['Be kind.', 'Be very kind.', null, 'Be kind.'])
      assert.equal(await screens.setTerms(id, text, audit), true);
    const versions = await screens.listTerms(id);
    assert.deepEqual(
      versions.map(({ version, text }) => [version, text]),
      [
        [3, 'Be kind.'],
        [2, 'Be very kind.'],
        [1, 'Be kind.'],
      ],
    );
    const { termsId } = (await screens.find(id)) ?? assert.fail();
    assert.deepEqual(termsId && (await screens.findTerms(termsId)), versions[0]);
    assert.equal(versions[0]?.hash, hash('sha256', 'Be kind.'));
    assert.equal((await actions()).filter((action) => action === 'screen.changed').length, 3);
  });

  test('a result is taken once, by its screen, within its time', async () => {
    const { id } = await add();
    const { id: other } = await add({}, 'other');
    const voucherId = await addVoucher();
    const result = { voucherId, language: 'en' } as const;
    await screens.addResult({ ...result, screenId: id, tokenHash: 'page' });
    assert.equal(await screens.takeResult(other, 'page'), undefined);
    const taken = await Promise.all([1, 2, 3].map(() => screens.takeResult(id, 'page')));
    assert.deepEqual(
      taken.filter((one) => one !== undefined),
      [result],
    );
    await screens.addResult({ ...result, screenId: id, tokenHash: 'late' });
    await database().write((transaction) =>
      transaction.updateTable('screen_results').set({ until_ms: 1 }).execute(),
    );
    assert.equal(await screens.takeResult(id, 'late'), undefined);
    await screens.addResult({ ...result, screenId: id, tokenHash: 'clock ahead' });
    await database().write((transaction) =>
      transaction
        .updateTable('screen_results')
        .set({ until_ms: Date.now() + 86_400_000 })
        .where('token_hash', '=', 'clock ahead')
        .execute(),
    );
    await screens.addResult({ ...result, screenId: id, tokenHash: 'new' });
    await screens.forgetOldResults();
    const left = await database().read.selectFrom('screen_results').select('token_hash').execute();
    assert.deepEqual(
      left.map((row) => row.token_hash),
      ['new'],
    );
  });

  test('removing a screen also ends its stock and the code that it shows', async () => {
    const { id } = await add({ terms: 'Be kind.' });
    const voucherId = await addVoucher();
    await set(id, { voucher_id: voucherId, shown_at_ms: 1 });
    const limits = { max_uses: 1, expire_minutes: 480, down_kbps: 0, up_kbps: 0, quota_mb: 0 };
    const stock = { site_id: site, state: 'ready', name: 'x', code: '1234567890', made_at_ms: 1, ...limits };
    await database().write(async (transaction) => {
      for (const [index, screen_id] of [id, null].entries())
        await transaction
          .insertInto('stock')
          .values({ ...stock, screen_id, controller_voucher_id: `u-${index}` })
          .execute();
    });
    const { termsId } = (await screens.find(id)) ?? assert.fail();
    assert.equal(await screens.remove(id, audit), true);
    assert.equal(await screens.find(id), undefined);
    assert.equal(await screens.remove(id, audit), false);
    const left = await database().read.selectFrom('stock').select('state').orderBy('id').execute();
    assert.deepEqual(
      left.map(({ state }) => state),
      ['leaving', 'ready'],
    );
    const [shown] = await database().read.selectFrom('shown_codes').selectAll().execute();
    assert.equal(shown?.voucher_id, voucherId);
    assert.ok(termsId && (await screens.findTerms(termsId)), 'vouchers refer to the terms');
    assert.deepEqual(await actions().then((all) => all.filter((action) => action.startsWith('screen.'))), [
      'screen.added',
      'screen.removed',
    ]);
  });

  async function addVoucher(): Promise<VoucherId> {
    const store = makeVoucherStore(database(), seal);
    const begun = await store.begin(sampleIntent(site));
    assert.ok(begun.ok);
    const { created } = await store.record(begun.value, [sampleUpstream('u-9')]);
    return created[0]?.id ?? assert.fail('no voucher');
  }
});
