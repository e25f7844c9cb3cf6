// Tests that vouchers created by others on a UniFi console are imported once, without an owner and without a
// notification, and that a voucher which an open intent could claim is not imported.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { openSyncedSite, type SyncedSite, TESTED_DRIVERS } from './synced-site.ts';

const MINUTE_MS = 60_000;
const [DEADLINE_MS, FORGET_MS] = [20_000, 80_000];
const SLOW_MS = 1_000;

for (const driver of TESTED_DRIVERS)
  describe(`${driver.kind} on ${driver.flavour}`, () => {
    let site: SyncedSite;
    before(async () => {
      site = await openSyncedSite(driver);
      await site.make('eigener');
    });
    afterEach(() => site.controls.resetFaults());
    after(() => site[Symbol.asyncDispose]());

    const rowsOf = (code: string) => site.service.rows('select * from vouchers where code = ?', code);
    const count = (table: string) => site.service.rows(`select count(*) as n from ${table}`)[0]?.n;
    const fill = (note: string, fields = {}): string =>
      site.controls.fill({ note, ...fields })[0]?.code ?? '';

    /** Orders a voucher that is created although its response is lost. Leaves an open intent and returns the code. */
    async function loseResponse(name: string): Promise<string> {
      const before = new Set(site.controls.vouchers().map(({ code }) => code));
      site.controls.setFault({ match: 'create', kind: 'cut-after-write' });
      site.controls.setFault({ match: 'list', kind: 'status' });
      assert.equal((await site.order(name)).status, 500);
      const made = site.controls.vouchers().filter(({ code }) => !before.has(code));
      assert.deepEqual([made.length, count('intents')], [1, 1]);
      return made[0]?.code ?? '';
    }

    test('a foreign voucher is listed with its limits and times, and has no owner', async () => {
      site.clock.advance(MINUTE_MS);
      const created_at = new Date(site.clock.nowMs()).toISOString().replace('.000Z', 'Z');
      const limits = { quota: 3, durationMinutes: 120, downKbps: 5000, upKbps: 1000, usageQuotaMb: 500 };
      const code = fill('Tagung', limits);
      site.clock.advance(MINUTE_MS);
      assert.ok(site.controls.redeem({ code }).ok);
      site.clock.advance(MINUTE_MS);
      const [announced, audited] = [count('outbox'), count('audit')];

      assert.partialDeepStrictEqual(await site.sync(), { changed: 0, gone: 0, imported: 1 });
      assert.deepEqual(await site.shown(code), {
        voucher_code: code,
        voucher_name: 'Tagung',
        max_uses: 3,
        expire_minutes: 120,
        status: 'valid',
        used_count: 1,
        created_at,
        expires_at: new Date(Date.parse(created_at) + 121 * MINUTE_MS).toISOString().replace('.000Z', 'Z'),
      });
      const [row, ...more] = rowsOf(code);
      assert.partialDeepStrictEqual({ ...row }, { down_kbps: 5000, up_kbps: 1000, quota_mb: 500 });
      assert.deepEqual([row?.owner_user_id, more], [null, []]);
      assert.deepEqual([count('outbox'), count('audit')], [announced, audited]);
    });

    test('a foreign voucher is imported once, and its uses are synced like those of any other voucher', async () => {
      const code = fill('Verein', { quota: 2 });
      assert.equal((await site.sync()).imported, 1);
      assert.equal((await site.sync()).imported, 0);
      assert.ok(site.controls.redeem({ code, devices: 2 }).ok);
      assert.partialDeepStrictEqual(await site.sync(), { changed: 1, imported: 0 });
      assert.partialDeepStrictEqual(await site.shown(code), { status: 'used', used_count: 2 });
      assert.equal(rowsOf(code).length, 1);
      site.clock.advance(10 * MINUTE_MS);
      assert.ok(site.controls.remove({ code }));
      assert.partialDeepStrictEqual(await site.sync(), { gone: 1, imported: 0 });
      assert.partialDeepStrictEqual(await site.shown(code), { status: 'expired' });
    });

    test('of a note by unifi-voucher-site only the name is imported; our own names stay as they are', async () => {
      const own = await site.make('a||;;||b');
      const code = fill('Zimmer 4||;;||web||;;||internal||;;||anna@example.org');
      assert.equal((await site.sync()).imported, 1);
      assert.equal((await site.shown(code)).voucher_name, 'Zimmer 4');
      assert.match(String((await site.shown(own)).voucher_name), /_a\|\|;;\|\|b$/);
    });

    for (const imports of [true, false])
      test(`a voucher that was moved in without the id of the controller gets it, and is not imported again (import: ${imports})`, async () => {
        await site.setImport(imports);
        const code = fill('Verein', { quota: 3 });
        const own = await site.make('Muster');
        const [row] = rowsOf(own);
        assert.ok(site.controls.remove({ code: own }));
        site.service.change(
          'update vouchers set code = ?, controller_voucher_id = null where id = ?',
          code,
          Number(row?.id),
        );
        assert.equal((await site.sync()).imported, 0);
        await site.setImport(true);
        const rows = rowsOf(code);
        assert.deepEqual([rows.length, rows[0]?.id], [1, row?.id]);
        assert.ok(rows[0]?.controller_voucher_id);
        assert.ok(site.controls.redeem({ code }).ok);
        assert.partialDeepStrictEqual(await site.sync(), { changed: 1, imported: 0 });
        assert.partialDeepStrictEqual(await site.shown(code), { used_count: 1 });
      });

    test('a voucher that was moved in as expired stays expired, listed or not', async () => {
      const code = await site.make('Alt', { max_uses: 2 });
      const endedAtS = Math.floor(site.clock.nowMs() / 1000);
      site.service.change('update vouchers set ended_at_s = ? where code = ?', endedAtS, code);
      site.clock.advance(10 * MINUTE_MS);
      assert.ok(site.controls.redeem({ code }).ok);
      await site.sync();
      assert.partialDeepStrictEqual(await site.shown(code), { status: 'expired', used_count: 1 });
      assert.ok(site.controls.remove({ code }));
      await site.sync();
      const [row] = rowsOf(code);
      assert.deepEqual([row?.ended_at_s, typeof row?.missing_since_s], [endedAtS, 'number']);
    });

    test('two concurrent syncs import a foreign voucher once', async () => {
      const code = fill('Verein');
      // Slow enough that the two syncs overlap.
      site.controls.setFault({ match: 'list', kind: 'latency', ms: SLOW_MS });
      const synced = await Promise.all([site.trySync(), site.trySync()]);
      assert.equal(synced.filter((one) => one?.ok && one.value.imported === 1).length, 1);
      assert.equal(
        synced.filter((one) => one === undefined).length,
        1,
        'the other call finds a sync in progress',
      );
      assert.equal(rowsOf(code).length, 1);
    });

    test('a voucher without a name is imported; a voucher without a code is imported once it has a code', async () => {
      const [code] = site.controls.fill({}).map((voucher) => voucher.code);
      site.controls.setFault({ match: 'list', kind: 'without-code' });
      assert.equal((await site.sync()).imported, 0);
      assert.equal((await site.sync()).imported, 1);
      assert.equal((await site.shown(code ?? '')).voucher_name, '');
    });

    test('if the import is off for a site, only its own vouchers are synced', async () => {
      await site.setImport(false);
      const [foreign, own] = [fill('fremd'), await site.make('selbst')];
      assert.ok(site.controls.redeem({ code: own }).ok);
      assert.partialDeepStrictEqual(await site.sync(), { changed: 1, imported: 0 });
      assert.deepEqual(rowsOf(foreign), []);
      await site.setImport(true);
      assert.equal((await site.sync()).imported, 1);
      assert.equal(rowsOf(foreign).length, 1);
    });

    test('a voucher that an open intent could claim is not imported but recorded by settling', async () => {
      const [code, other] = [await loseResponse('Zimmer 12'), fill('fremd')];
      const announced = Number(count('outbox'));
      assert.equal((await site.sync()).imported, 1, 'only the voucher without an intent');
      assert.deepEqual([rowsOf(code), rowsOf(other).length], [[], 1]);
      site.clock.advance(DEADLINE_MS);
      assert.equal((await site.sync()).imported, 0);
      assert.equal(rowsOf(code).length, 1);
      assert.deepEqual([count('intents'), count('outbox')], [0, announced + 1]);
    });

    test('a voucher with the same name but other limits is imported after the intent is abandoned', async () => {
      const lost = await loseResponse('Zimmer 14');
      const name = site.controls.vouchers().find((voucher) => voucher.code === lost)?.note ?? '';
      assert.ok(site.controls.remove({ code: lost }));
      const alike = fill(name, { quota: 7 });
      assert.equal((await site.sync()).imported, 0);
      site.clock.advance(FORGET_MS);
      assert.equal((await site.sync()).imported, 1);
      assert.deepEqual([rowsOf(alike).length, count('intents')], [1, 0]);
    });

    test('a voucher that a request is creating at this moment is not imported', async () => {
      const made = site.setFault({ match: 'create', kind: 'late-answer', ms: SLOW_MS });
      const ordering = site.order('gerade');
      await made;
      assert.equal((await site.sync()).imported, 0);
      const reply = await ordering;
      assert.equal(reply.status, 201, reply.text);
      assert.equal(rowsOf(reply.json.code).length, 1);
    });

    test('a voucher with unlimited uses stays valid until it expires', async () => {
      const code = fill('Foyer', { quota: 0, durationMinutes: 60 });
      await site.sync();
      assert.partialDeepStrictEqual(await site.shown(code), { max_uses: 0, status: 'valid', used_count: 0 });
      assert.ok(site.controls.redeem({ code, devices: 40 }).ok);
      await site.sync();
      assert.partialDeepStrictEqual(await site.shown(code), { max_uses: 0, status: 'valid', used_count: 40 });
      site.clock.advance(60 * MINUTE_MS);
      assert.partialDeepStrictEqual(await site.shown(code), { status: 'expired' });
    });
  });
