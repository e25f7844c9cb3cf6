// Vouchers for nights on a simulated console: at their end they are expired, Gastpass deletes them on the console and
// disconnects their devices where it can. Failures and kills are repeated; a doubted clock, a site that is off and the
// daily limit leave the console alone.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeEndedTurn } from '../../../src/app/jobs.ts';
import type { Site } from '../../../src/kernel/sites/site.ts';
import { makeCreationUseCases } from '../../../src/kernel/vouchers/creation-use-cases.ts';
import { makeLog } from '../../../src/platform/log/make-log.ts';
import { TESTER } from '../../support/actors.ts';
import { openSyncedSite, type SyncedSite, TESTED_DRIVERS } from './synced-site.ts';

const HOUR_S = 60 * 60;
const HOUR_MS = HOUR_S * 1000;
const LIMITS = { maxUses: 2, expireMinutes: 1, downKbps: 0, upKbps: 0, quotaMb: 0 };
const signal = new AbortController().signal;

for (const driver of TESTED_DRIVERS)
  describe(`${driver.kind} on ${driver.flavour}`, () => {
    let site: SyncedSite;
    const lines: string[] = [];
    before(async () => {
      site = await openSyncedSite(driver, {}, { jobs: false });
      // This voucher shows that the console is the right one.
      await site.make('Other guest');
    });
    after(() => site[Symbol.asyncDispose]());

    const beside = () => site.service.beside;
    const nowS = () => Math.floor(site.clock.nowMs() / 1000);
    const onConsole = (name: string) =>
      site.controls.vouchers().filter(({ note }) => note?.endsWith(`_${name}`)).length;
    const row = (code: string) => site.service.rows('select * from vouchers where code = ?', code)[0];
    const by = () => ({ actor: TESTER, atMs: site.clock.nowMs() });
    const log = makeLog('info', { write: (line) => void lines.push(line) });
    const otherClocks = (ahead: number[]) => async () => ahead.map((aheadMs) => ({ of: 'other', aheadMs }));
    /** `others`: by how much the clocks of other machines are ahead. */
    const turn = (installation = beside(), others = [0]) =>
      makeEndedTurn(installation, { readOtherClocks: otherClocks(others), log })(signal);

    const countDisconnected = async () =>
      (await beside().searchAudit({ action: 'voucher.disconnected', limit: 50 })).entries.length;

    /** Returns the codes of vouchers that end in an hour. */
    async function create(name: string, count = 1): Promise<string[]> {
      const { createVouchers } = makeCreationUseCases(beside(), { timeZone: 'Europe/Berlin' });
      const order = { siteId: site.id, name, ...LIMITS, endsAtS: nowS() + HOUR_S };
      const { created, problem } = await createVouchers(order, count, { actor: TESTER });
      assert.equal(problem, undefined);
      return created.map(({ code }) => code);
    }
    async function createOne(name: string): Promise<string> {
      const [code] = await create(name);
      assert.ok(code);
      return code;
    }

    test('a voucher is expired at its end, deleted on the console, and its devices are disconnected', async () => {
      const code = await createOne('Zimmer 1');
      const endsAtS = nowS() + HOUR_S;
      assert.partialDeepStrictEqual(row(code), { ends_at_s: endsAtS, expire_minutes: 60, ended_at_s: null });
      // The console lets a guest who joins late stay online for the full hour.
      site.clock.advance(HOUR_MS / 2);
      const redeemed = site.controls.redeem({ code, devices: 1 });
      assert.ok(redeemed.ok);
      await site.sync();
      site.clock.advance(HOUR_MS / 2 - 1);
      await turn();
      assert.equal(onConsole('Zimmer 1'), 1);
      assert.partialDeepStrictEqual(await site.shown(code), {
        status: 'valid',
        expires_at: new Date(endsAtS * 1000).toISOString().replace('.000', ''),
      });

      site.clock.advance(1);
      assert.equal((await site.shown(code))?.status, 'expired');
      await turn();
      assert.equal(onConsole('Zimmer 1'), 0);
      assert.equal(onConsole('Other guest'), 1);
      assert.partialDeepStrictEqual(row(code), { ended_at_s: endsAtS, missing_since_s: nowS() });
      assert.match(lines.join(''), /vouchers deleted on the controller after their end/);
      assert.equal(await countDisconnected(), driver.kind === 'unifi-classic' ? 1 : 0);

      site.controls.resetCounters();
      await turn();
      assert.deepEqual({ ...site.controls.counters().requests }, {});
    });

    test('it does not count as lost, and a sync does not report it as gone', async () => {
      const code = await createOne('Zimmer 2');
      site.clock.advance(HOUR_MS);
      await turn();
      assert.equal(onConsole('Zimmer 2'), 0);
      assert.equal((await site.sync()).gone, 0);
      assert.equal((await beside().lostVouchers.countPerSite(nowS())).size, 0);
      const search = { siteIds: [site.id], nowS: nowS(), limit: 50, state: 'expired' as const };
      const { vouchers } = await beside().finder.search(search);
      assert.ok(vouchers.some((voucher) => voucher.code === code));
    });

    test('somebody else may have deleted it before', async () => {
      const code = await createOne('Zimmer 3');
      assert.ok(site.controls.remove({ code }));
      site.clock.advance(HOUR_MS);
      await turn();
      assert.notEqual(row(code)?.ended_at_s, null);
    });

    test('a console that fails is tried again until it has deleted the voucher', async () => {
      const [first] = await create('Zimmer 4', 5);
      site.clock.advance(HOUR_MS);
      site.controls.setFault({ kind: 'status', status: 503, body: 'html', times: 100 });
      await turn();
      site.controls.resetFaults();
      assert.equal(onConsole('Zimmer 4'), 5);
      assert.equal(row(first ?? '')?.ended_at_s, null);
      assert.match(
        lines.join(''),
        /a voucher was not deleted on the controller after its end, will try again/,
      );
      const metrics = await site.service.call('GET', '/metrics', { key: null });
      assert.match(metrics.text, /^gastpass_ended_vouchers_waiting 5$/m);
      site.clock.advance(HOUR_MS + 1000);
      const overdue = await beside().endedVouchers.countOverdue(nowS() - HOUR_S);
      assert.equal(overdue.get(site.id)?.count, 5);
      await turn();
      assert.equal(onConsole('Zimmer 4'), 0);
      assert.equal((await beside().endedVouchers.countOverdue(nowS())).size, 0);
    });

    test('a kill between the deletion and its record is repaired', async () => {
      const code = await createOne('Zimmer 5');
      site.clock.advance(HOUR_MS);
      const { endedVouchers } = beside();
      const markDeleted = async () => Promise.reject(new Error('killed'));
      await assert.rejects(turn({ ...beside(), endedVouchers: { ...endedVouchers, markDeleted } }), /killed/);
      assert.equal(onConsole('Zimmer 5'), 0);
      assert.equal(row(code)?.ended_at_s, null);
      await turn();
      assert.equal(row(code)?.ended_at_s, row(code)?.ends_at_s);
    });

    test('a kill between the deletion and the disconnecting is repaired, also after a sync', async () => {
      const code = await createOne('Zimmer 9');
      site.clock.advance(HOUR_MS / 2);
      assert.ok(site.controls.redeem({ code, devices: 1 }).ok);
      await site.sync();
      site.clock.advance(HOUR_MS / 2);
      const disconnectDevices = async () => Promise.reject(new Error('killed'));
      const { controllerOf } = beside();
      const killed = { controllerOf: (of: Site) => ({ ...controllerOf(of), disconnectDevices }) };
      await assert.rejects(turn({ ...beside(), ...killed }), /killed/);
      assert.equal(onConsole('Zimmer 9'), 0);
      assert.equal((await site.sync()).gone, 0);
      assert.partialDeepStrictEqual(row(code), { ended_at_s: null, missing_since_s: nowS() });
      const before = await countDisconnected();
      await turn();
      assert.equal(row(code)?.ended_at_s, row(code)?.ends_at_s);
      assert.equal(await countDisconnected(), before + (driver.kind === 'unifi-classic' ? 1 : 0));
    });

    test('nothing is deleted at a site that is off, or after the daily limit', async () => {
      const code = await createOne('Zimmer 6');
      site.clock.advance(HOUR_MS);
      await beside().sites.change(site.id, { active: false }, by());
      await turn();
      assert.equal(onConsole('Zimmer 6'), 1);
      await beside().sites.change(site.id, { active: true }, by());
      const endedVouchers = { ...beside().endedVouchers, leftToday: async () => 0 };
      const limited = makeEndedTurn(
        { ...beside(), endedVouchers },
        { readOtherClocks: otherClocks([0]), log },
      );
      lines.length = 0;
      const pauses = [await limited(signal), await limited(signal)];
      assert.ok(pauses.every((ms) => ms >= 60_000));
      assert.equal(lines.filter((line) => line.includes('daily limit')).length, 1);
      assert.equal(onConsole('Zimmer 6'), 1);
      await beside().settings.change({ limitsDeletions: false }, by());
      await turn({ ...beside(), endedVouchers });
      assert.equal(onConsole('Zimmer 6'), 0);
      assert.ok(row(code));
    });

    test('an order whose end has passed, or beside an instance that would lose the end, is refused', async () => {
      const outdated = {
        what: 'order',
        value: 'nights',
        since: '0.3.0',
        instance: 'a:1',
        release: '0.2.0',
      } as const;
      const older = { ...beside(), findOutdated: async () => outdated };
      const order = { siteId: site.id, name: 'Zimmer 8', ...LIMITS };
      const problemOf = async (installation: typeof older | ReturnType<typeof beside>, endsAtS: number) => {
        const { createVouchers } = makeCreationUseCases(installation, { timeZone: 'Europe/Berlin' });
        return (await createVouchers({ ...order, endsAtS }, 1, { actor: TESTER })).problem?.kind;
      };
      assert.equal(await problemOf(beside(), nowS()), 'end-passed');
      assert.equal(await problemOf(beside(), nowS() + 1_000_001 * 60), 'out-of-bounds');
      assert.equal(await problemOf(older, nowS() + HOUR_S), 'instance-outdated');
      assert.equal(onConsole('Zimmer 8'), 0);
    });

    test('a clock that is hours ahead deletes nothing, and a clock that is set back ends the deletions', async () => {
      await create('Zimmer 10', 2);
      site.clock.advance(5 * HOUR_MS);
      await turn(beside(), []);
      await turn(beside(), [-5 * HOUR_MS]);
      assert.equal(onConsole('Zimmer 10'), 2);
      const { endedVouchers } = beside();
      const markDeleted: typeof endedVouchers.markDeleted = async (...deleted) => {
        await endedVouchers.markDeleted(...deleted);
        site.clock.advance(-5 * HOUR_MS);
      };
      await turn({ ...beside(), endedVouchers: { ...endedVouchers, markDeleted } });
      assert.equal(onConsole('Zimmer 10'), 1);
      site.clock.advance(HOUR_MS);
      await turn();
      assert.equal(onConsole('Zimmer 10'), 0);
    });

    test('a doubted clock deletes nothing, although the voucher is shown as expired', async () => {
      const code = await createOne('Zimmer 7');
      site.clock.advance(800 * 24 * HOUR_MS);
      await turn();
      assert.equal(onConsole('Zimmer 7'), 1);
      assert.equal((await site.shown(code))?.status, 'expired');
      site.clock.advance(-800 * 24 * HOUR_MS);
      assert.equal((await site.shown(code))?.status, 'valid');
    });
  });
