// Tests bulk revocations on every engine: each voucher is revoked and audited once, an interrupted run is continued, a
// dead controller is given up, and another site is not affected.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import type { Controller, ControllerFailure, FailureCause } from '../../src/kernel/controllers/controller.ts';
import { KINDS } from '../../src/kernel/controllers/kinds.ts';
import { asBulkRevocationId, asVoucherId, type SiteId, type UserId } from '../../src/kernel/ids.ts';
import { makeSiteStore } from '../../src/kernel/sites/site-store.ts';
import { insertUser } from '../../src/kernel/users/user-queries.ts';
import type { BulkRevocationStore } from '../../src/kernel/vouchers/bulk-revocation.ts';
import { makeRevokeVoucher } from '../../src/kernel/vouchers/revoke-voucher.ts';
import { makeRunBulkRevocation } from '../../src/kernel/vouchers/run-bulk-revocation.ts';
import { makeBulkRevocationStore } from '../../src/kernel/vouchers/storage/bulk-revocation-store.ts';
import { makeRevocationStore } from '../../src/kernel/vouchers/storage/revocation-store.ts';
import { searchVouchers } from '../../src/kernel/vouchers/storage/search-queries.ts';
import { makeUsageStore } from '../../src/kernel/vouchers/storage/usage-store.ts';
import { insertVoucherUnlessTaken } from '../../src/kernel/vouchers/storage/voucher-queries.ts';
import { makeLeaseStore } from '../../src/platform/leases/lease-store.ts';
import { makeWithLease } from '../../src/platform/leases/leases.ts';
import { DatabaseUnavailable } from '../../src/platform/values/database-unavailable.ts';
import { fail, ok } from '../../src/platform/values/result.ts';
import { actorOf } from '../support/actors.ts';
import { onEveryEngine } from './engines.ts';
import { addSite, NOW_MS, sampleUpstream, seal } from './samples.ts';

const NOW_S = Math.floor(NOW_MS / 1000);
const AWAY: ControllerFailure = {
  kind: 'unreachable',
  cause: 'nobody-answers',
  text: 'connect ECONNREFUSED',
};
const going = new AbortController().signal;
type Deleting = (controllerVoucherId: string) => Promise<ControllerFailure | undefined>;

const paused = (cause: FailureCause, retryAfterS?: number): ControllerFailure => ({
  kind: 'unreachable',
  cause,
  text: 'not now',
  ...(retryAfterS !== undefined && { retryAfterS }),
});

onEveryEngine('bulk revocations', (database) => {
  let store: BulkRevocationStore;
  let userId: UserId;
  let siteId: SiteId;
  /** The ids that the controller was told to delete. */
  let deleted: string[];
  const pausesMs: number[] = [];
  let mayRevoke = true;
  before(async () => {
    store = makeBulkRevocationStore(database());
    const user = { email: 'rita@example.org', name: 'Rita', role: 'operator' as const, createdAtMs: NOW_MS };
    const id = await database().write((transaction) =>
      insertUser(transaction, { ...user, passwordHash: '-' }),
    );
    assert.ok(id);
    userId = id;
  });

  async function addVouchers(count: number, site = siteId) {
    const ids: number[] = [];
    await database().write(async (transaction) => {
      for (let number = 0; number < count; number++) {
        const upstream = sampleUpstream(randomUUID());
        const voucher = { siteId: site, actor: actorOf('API: Theke'), code: '0482715936', upstream };
        ids.push((await insertVoucherUnlessTaken(transaction, { ...voucher, createdAtS: NOW_S })) ?? 0);
      }
    });
    return ids.map((id) => ({ id: asVoucherId(id), siteId: site }));
  }

  async function begin(
    vouchers: { id: ReturnType<typeof asVoucherId>; siteId: SiteId }[],
    onlyUnused = false,
  ) {
    const id = asBulkRevocationId(randomUUID());
    const by = { userId, ip: '192.0.2.7', createdAtMs: NOW_MS };
    await store.begin({ id, vouchers, batchId: null, onlyUnused, ...by });
    return id;
  }

  /** Revokes with a controller of which the test decides what a deletion does. */
  function revokeWith(deleteVoucher: Deleting, stores: Partial<BulkRevocationStore> = {}) {
    const revokeVoucher = makeRevokeVoucher({
      noteFailedOrder: async () => {},
      failedOrders: { forget: async () => {} },
      sites: makeSiteStore(database(), seal, KINDS),
      revocations: makeRevocationStore(database()),
      controllerOf: () => ({
        ...({} as Controller),
        async deleteVoucher(id) {
          deleted.push(id);
          const failure = await deleteVoucher(id);
          return failure ? fail(failure) : ok('deleted');
        },
      }),
      usage: makeUsageStore(database()),
      timeout: () => going,
    });
    const withLease = makeWithLease(makeLeaseStore(database()));
    const bulkRevocations = { ...store, ...stores };
    const clock = { nowMs: () => NOW_MS };
    const timeout = (ms: number) => {
      pausesMs.push(ms);
      return AbortSignal.abort();
    };
    return makeRunBulkRevocation({
      bulkRevocations,
      revokeVoucher,
      withLease,
      clock,
      timeout,
      hasSites: async () => mayRevoke,
    });
  }
  const works = revokeWithout(undefined);
  function revokeWithout(failure: ControllerFailure | undefined): Deleting {
    return async () => failure;
  }
  const entries = async (ids: number[]) => {
    const subjects = ids.map((id) => `voucher ${id} of site ${siteId} (Haus A)`);
    const audit = database().read.selectFrom('audit').selectAll().where('action', '=', 'voucher.revoked');
    return audit.where('subject', 'in', subjects).execute();
  };

  test('every voucher is revoked and audited once, with the user and the IP address', async () => {
    [siteId, deleted] = [await addSite(database()), []];
    const vouchers = await addVouchers(11);
    const id = await begin(vouchers);
    assert.equal((await store.tally(id)).awaiting, 11);
    assert.ok((await store.listOpen()).includes(id));
    await revokeWith(works)(id, going);
    assert.deepEqual(await store.tally(id), {
      awaiting: 0,
      failed: 0,
      used: 0,
      ended: 0,
      revoked: 11,
      unknown: 0,
    });
    assert.equal((await store.find(id))?.endedAtMs, NOW_MS);
    assert.ok(!(await store.listOpen()).includes(id));
    const audited = await entries(vouchers.map((one) => one.id));
    assert.equal(audited.length, 11);
    assert.partialDeepStrictEqual(audited[0], { actor: 'Web: Rita', address: '192.0.2.7' });
    const [found] = (await searchVouchers(database(), { siteIds: [siteId], limit: 1, nowS: NOW_S })).vouchers;
    assert.equal(found?.revokedBy?.name, 'Rita');
    await revokeWith(works)(id, going);
    assert.equal(deleted.length, 11, 'a finished bulk revocation is not carried out again');
  });

  test('a run that breaks off is continued: nothing is audited twice, and nothing is left over', async () => {
    [siteId, deleted] = [await addSite(database()), []];
    const vouchers = await addVouchers(12);
    const id = await begin(vouchers);
    // The process dies after the controller has deleted the voucher, before the revocation is recorded.
    const dies: Deleting = async () => {
      if (deleted.length > 6) throw new DatabaseUnavailable(new Error('killed'));
      return undefined;
    };
    await assert.rejects(revokeWith(dies)(id, going), DatabaseUnavailable);
    const { revoked, awaiting } = await store.tally(id);
    assert.ok(revoked > 0 && awaiting > 0, `${revoked} revoked, ${awaiting} left`);
    assert.equal((await store.find(id))?.endedAtMs, null);
    await revokeWith(works)(id, going);
    assert.equal((await store.tally(id)).revoked, 12);
    assert.equal((await entries(vouchers.map((one) => one.id))).length, 12);
  });

  test('two processes at the same time revoke each voucher once', async () => {
    [siteId, deleted] = [await addSite(database()), []];
    const vouchers = await addVouchers(9);
    const id = await begin(vouchers);
    await Promise.all([revokeWith(works)(id, going), revokeWith(works)(id, going)]);
    assert.equal((await store.tally(id)).revoked, 9);
    assert.deepEqual([deleted.length, (await entries(vouchers.map((one) => one.id))).length], [9, 9]);
  });

  test('a dead controller is given up after a few calls, and does not affect another site', async () => {
    [siteId, deleted] = [await addSite(database()), []];
    const dead = await addSite(database(), { name: 'Haus B' });
    const lost = await addVouchers(50, dead);
    const ids = new Set(
      (await searchVouchers(database(), { siteIds: [dead], limit: 50, nowS: NOW_S })).vouchers.map(
        ({ controllerVoucherId }) => controllerVoucherId,
      ),
    );
    const id = await begin([...lost, ...(await addVouchers(10))]);
    await revokeWith(async (one) => (ids.has(one) ? AWAY : undefined))(id, going);
    assert.partialDeepStrictEqual(await store.tally(id), { awaiting: 0, failed: 50, revoked: 10 });
    assert.ok(deleted.length < 10 + 10, `${deleted.length} calls`);
    const [first, ...others] = await store.report(id, { outcome: 'failed', afterId: 0, limit: 60 });
    assert.equal(others.length, 49);
    const expected = { siteName: 'Haus B', problem: AWAY.text, cause: AWAY.cause };
    assert.partialDeepStrictEqual(first, expected);
    const next = await store.report(id, { outcome: 'failed', afterId: first?.id ?? 0, limit: 2 });
    assert.deepEqual(next, others.slice(0, 2));

    const by = { userId, ip: '192.0.2.8' };
    const running = await begin(await addVouchers(2));
    const [voucher] = await store.listAwaiting(running, siteId, 1);
    assert.ok(voucher);
    await store.noteFailure(running, voucher.id, AWAY);
    assert.equal(await store.retryFailed(running, by), false, 'it has not ended');
    assert.deepEqual([await store.retryFailed(id, by), await store.retryFailed(id, by)], [true, false]);
    assert.equal((await store.find(id))?.ip, '192.0.2.8');
    await revokeWith(works)(id, going);
    assert.partialDeepStrictEqual(await store.tally(id), { failed: 0, revoked: 60 });
  });

  test('a controller that asks for a pause gets one, but not for ever', async () => {
    [siteId, deleted] = [await addSite(database()), []];
    const id = await begin(await addVouchers(9));
    pausesMs.length = 0;
    const responses: (ControllerFailure | undefined)[] = [
      ...[undefined, undefined, undefined, undefined],
      ...(['asks-for-pause', 'away', 'busy', 'busy'] as const).map((cause) => paused(cause)),
      ...Array.from({ length: 8 }, () => paused('busy', 3)),
    ];
    await revokeWith(async () => responses.shift())(id, going);
    assert.partialDeepStrictEqual(await store.tally(id), { failed: 0, revoked: 9 });
    assert.deepEqual(pausesMs, [10_000, 3_000, 3_000]);

    const endless = await begin(await addVouchers(9));
    pausesMs.length = 0;
    await revokeWith(async () => paused('asks-for-pause'))(endless, going);
    assert.partialDeepStrictEqual(await store.tally(endless), { awaiting: 0, failed: 9 });
    assert.equal(pausesMs.length, 12);
  });

  test('the rest is not revoked for a user who was deactivated or lost the site', async () => {
    [siteId, deleted] = [await addSite(database()), []];
    const id = await begin(await addVouchers(3));
    const setActive = (active: 0 | 1) =>
      database().write((transaction) =>
        transaction.updateTable('users').set({ active }).where('id', '=', userId).execute(),
      );
    await setActive(0);
    await revokeWith(works)(id, going);
    assert.partialDeepStrictEqual(await store.tally(id), { awaiting: 0, failed: 3 });
    await setActive(1);
    const by = { userId, ip: '192.0.2.8' };
    mayRevoke = false;
    assert.ok(await store.retryFailed(id, by));
    await revokeWith(works)(id, going);
    mayRevoke = true;
    const [failed] = await store.report(id, { outcome: 'failed', afterId: 0, limit: 1 });
    assert.match(failed?.problem ?? '', /deactivated or has no access/);
    assert.equal(deleted.length, 0);
    assert.ok(await store.retryFailed(id, by));
    await revokeWith(works)(id, going);
    assert.equal((await store.tally(id)).revoked, 3);
  });

  test('refused vouchers do not end the job; many refusals in a row do', async () => {
    [siteId, deleted] = [await addSite(database()), []];
    const refused: ControllerFailure = { kind: 'refused', cause: 'refused', text: 'no' };
    const id = await begin(await addVouchers(40));
    await revokeWith(async () => (deleted.length <= 32 ? refused : undefined))(id, going);
    assert.partialDeepStrictEqual(await store.tally(id), { failed: 32, revoked: 8 });

    deleted = [];
    const hopeless = await begin(await addVouchers(70));
    await revokeWith(async () => refused)(hopeless, going);
    assert.partialDeepStrictEqual(await store.tally(hopeless), { awaiting: 0, failed: 70 });
    assert.equal(deleted.length, 52);
  });

  test('vouchers that have ended or are gone need no call; used vouchers are kept if only unused ones are wanted', async () => {
    [siteId, deleted] = [await addSite(database()), []];
    const vouchers = await addVouchers(7);
    const [used, revoked, gone, deletedBefore, deletedSince] = vouchers.map((one) => one.id);
    const id = await begin(vouchers, true);
    assert.ok(used && revoked && gone && deletedBefore && deletedSince);
    await database().write(async (transaction) => {
      const changed = (one: number) => transaction.updateTable('vouchers').where('id', '=', one);
      await changed(used).set({ used_count: 1, first_used_at_s: NOW_S }).execute();
      await changed(revoked).set({ revoked_at_s: NOW_S, ended_at_s: NOW_S }).execute();
      await transaction.deleteFrom('vouchers').where('id', '=', gone).execute();
      await changed(deletedBefore)
        .set({ ended_at_s: NOW_S - 1 })
        .execute();
      // As if the job had deleted it before a crash, and a sync had noticed it.
      await changed(deletedSince).set({ ended_at_s: NOW_S }).execute();
    });
    await revokeWith(works)(id, going);
    assert.deepEqual(await store.tally(id), {
      awaiting: 0,
      failed: 0,
      used: 1,
      ended: 3,
      revoked: 3,
      unknown: 0,
    });
    assert.equal(deleted.length, 3);
    assert.equal((await entries([deletedBefore, deletedSince])).length, 1);
    const ended = await store.report(id, { outcome: 'ended', afterId: 0, limit: 5 });
    assert.deepEqual(
      ended.map(({ id: one, voucher }) => [one, voucher !== undefined]),
      [
        [revoked, true],
        [gone, false],
        [deletedBefore, true],
      ],
    );
    await store.end(id, NOW_MS);
    await store.forgetOld(NOW_MS);
    assert.ok(await store.find(id));
    await store.forgetOld(NOW_MS + 1);
    assert.equal(await store.find(id), undefined);
    assert.equal((await store.tally(id)).revoked, 0);
  });
});
