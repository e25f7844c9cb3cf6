// Tests retention: only records that ended long enough ago are deleted, in slices, together with raised list versions
// and one audit entry with the counts. A voucher that works is never deleted.

import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { insertEntries } from '../../src/features/move-in/storage/audit-queries.ts';
import { insertBatch, markBatchEnded } from '../../src/kernel/batches/batch-queries.ts';
import type { TrustedTime } from '../../src/kernel/clock-check/clock-check.ts';
import { asBatchId, asUserId, type SiteId, type UserId } from '../../src/kernel/ids.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/kernel/settings/settings.ts';
import { insertUser } from '../../src/kernel/users/user-queries.ts';
import { endOfS, type RetentionStore, type VoucherLifetime } from '../../src/kernel/vouchers/retention.ts';
import { makeRetentionStore } from '../../src/kernel/vouchers/storage/retention-store.ts';
import { makeVoucherStore } from '../../src/kernel/vouchers/storage/voucher-store.ts';
import { makeRetentionTurn } from '../../src/kernel/vouchers/turns/retention.ts';
import { statusOf } from '../../src/kernel/vouchers/voucher.ts';
import { TESTER } from '../support/actors.ts';
import { insertEarlierEntry } from '../support/earlier-entries.ts';
import { unobserved } from '../support/unobserved.ts';
import { onEveryEngine } from './engines.ts';
import { addSite, NOW_MS, sampleIntent, sampleOrder, seal } from './samples.ts';

const DAY_S = 24 * 60 * 60;
const NOW_S = Math.floor(NOW_MS / 1_000);
const ago = (days: number) => NOW_S - days * DAY_S;
const LIMIT_S = ago(30);
const UNUSED = { expireMinutes: 480, firstUsedAtS: null, endedAtS: null, missingSinceS: null };
/** Used two months ago, and expired since. */
const OLD = { ...UNUSED, firstUsedAtS: ago(60) };
const ENTRY = { actor: 'Web: Anna', action: 'user.signed-in', subject: 'user 1 (a@example.org)' };

const NOTHING_FOUND = {
  ...{ sites: 0, users: 0, user_site_access: 0, voucher_templates: 0 },
  ...{ api_keys: 0, vouchers: 0, audit_log: 0 },
};

interface TurnOptions extends Partial<Parameters<typeof makeRetentionTurn>[0]> {
  signal?: AbortSignal;
}

interface Place {
  of?: SiteId;
  batchId?: string;
  usedCount?: number;
  maxUses?: number;
  createdAtS?: number;
  endsAtS?: number;
}

onEveryEngine('retention', (database) => {
  let retention: RetentionStore;
  let site: SiteId;
  let other: SiteId;
  let user: UserId;
  let made = 0;
  let time: TrustedTime | undefined;
  before(async () => {
    retention = makeRetentionStore(database());
    const fields = { email: 'a@example.org', name: 'Anna', role: 'admin', passwordHash: 'x' } as const;
    user = asUserId((await database().write((to) => insertUser(to, { ...fields, createdAtMs: 1 }))) ?? 0);
  });
  beforeEach(async () => {
    // Every test is a new day, of which nothing has been deleted yet.
    time = { nowMs: NOW_MS, runningMs: (time?.runningMs ?? 0) + DAY_S * 1_000 };
    for (const table of ['vouchers', 'batches', 'intents', 'audit'] as const)
      await database().write((transaction) => transaction.deleteFrom(table).execute());
    [site, other] = [await addSite(database()), await addSite(database())];
  });

  async function add(courses: VoucherLifetime[], place: Place = {}): Promise<number[]> {
    const { maxUses = 1, usedCount = 0, batchId = null } = place;
    const { name, downKbps: down_kbps, upKbps: up_kbps, quotaMb: quota_mb } = sampleOrder;
    const values = courses.map(({ expireMinutes, firstUsedAtS, endedAtS, missingSinceS }) => ({
      ...{ site_id: place.of ?? site, code: '0482715936', name, down_kbps, up_kbps, quota_mb },
      max_uses: maxUses,
      used_count: usedCount,
      expire_minutes: expireMinutes,
      controller_voucher_id: `v${made++}`,
      created_at_s: place.createdAtS ?? ago(400),
      first_used_at_s: firstUsedAtS,
      ended_at_s: endedAtS,
      missing_since_s: missingSinceS,
      batch_id: batchId,
      ends_at_s: place.endsAtS ?? null,
    }));
    const rows = await database().write((transaction) =>
      transaction.insertInto('vouchers').values(values).returning('id').execute(),
    );
    return rows.map(({ id }) => id);
  }
  const kept = async () =>
    (await database().read.selectFrom('vouchers').select('id').orderBy('id').execute()).map(({ id }) => id);
  const audit = () => database().read.selectFrom('audit').selectAll().orderBy('id').execute();
  const version = (id: SiteId) => makeVoucherStore(database(), seal).listVersion(id);
  const turn = (
    settings: Partial<Settings>,
    { signal = new AbortController().signal, ...deps }: TurnOptions = {},
  ) =>
    makeRetentionTurn({
      settings: { read: async () => ({ ...DEFAULT_SETTINGS, ...settings }) },
      retention,
      readTrustedTime: async () => time,
      withLease: (_name, held, job) => job(held),
      ...unobserved,
      ...deps,
    })(signal);
  async function addBatch(id: string, { days = 60, isEnded = true } = {}): Promise<void> {
    const order = { ...sampleOrder, siteId: site };
    const batch = { id: asBatchId(id), userId: user, order, wanted: 2, createdAtMs: ago(days) * 1_000 };
    await database().write((to) => insertBatch(to, batch, { now: database().now() }));
    if (isEnded) await endBatch(id, batch.createdAtMs);
  }
  const endBatch = (id: string, atMs = ago(60) * 1_000) =>
    database().write((to) => markBatchEnded(to, asBatchId(id), { problem: null, cause: null, atMs }));
  const batches = async () =>
    (await database().read.selectFrom('batches').select('id').orderBy('id').execute()).map(({ id }) => id);

  test('exactly the vouchers that ended before the limit are deleted, however they ended', async () => {
    const times = [null, ago(400), LIMIT_S - 480 * 60 - 1, LIMIT_S - 480 * 60, LIMIT_S - 1, LIMIT_S, NOW_S];
    const courses = times.flatMap((firstUsedAtS) =>
      times.flatMap((endedAtS) =>
        times.flatMap((missingSinceS) =>
          [1, 480, 1_000_000].map((expireMinutes) => ({
            expireMinutes,
            firstUsedAtS,
            endedAtS,
            missingSinceS,
          })),
        ),
      ),
    );
    const ids = await add(courses);
    const isOld = (course: VoucherLifetime) => (endOfS(course) ?? Number.POSITIVE_INFINITY) < LIMIT_S;
    const shouldStay = ids.filter((_, index) => !isOld(courses[index] ?? UNUSED));
    const notDeletedOnController = await add([OLD], { endsAtS: ago(60) });
    const preview = await retention.preview({ vouchersS: LIMIT_S, auditMs: null });
    assert.equal(preview.vouchers, ids.length - shouldStay.length);
    await turn({ keepVouchersDays: 30 });
    assert.deepEqual(await kept(), [...shouldStay, ...notDeletedOnController]);
  });

  test('a voucher that works is never deleted, whatever its age and number of uses', async () => {
    const voucher = { code: '1', name: 'x', createdAtS: ago(400), endsAtS: null };
    const working = [
      { course: UNUSED, maxUses: 1, usedCount: 0 },
      { course: { ...UNUSED, firstUsedAtS: ago(300), expireMinutes: 600_000 }, maxUses: 3, usedCount: 2 },
      { course: { ...UNUSED, firstUsedAtS: ago(300), expireMinutes: 600_000 }, maxUses: 0, usedCount: 99 },
      { course: { ...UNUSED, firstUsedAtS: NOW_S - 60 }, maxUses: 2, usedCount: 1 },
    ];
    const ids = [];
    for (const { course, ...uses } of working) {
      assert.equal(statusOf({ ...voucher, ...course, ...uses }, NOW_S), 'valid');
      ids.push(...(await add([course], uses)));
    }
    // This voucher accepts no further guest, but the guest who used it is still online.
    const course = { ...UNUSED, firstUsedAtS: ago(300), expireMinutes: 600_000 };
    ids.push(...(await add([course], { maxUses: 1, usedCount: 1 })));
    await add([OLD]);
    await turn({ keepVouchersDays: 7 });
    assert.deepEqual(await kept(), ids);
  });

  test('a voucher that was created within the retention period stays, although a wrong clock ended it long ago', async () => {
    const ended = [{ ...UNUSED, firstUsedAtS: 5, missingSinceS: 5 }];
    const ids = await add(ended, { createdAtS: LIMIT_S });
    await add(ended, { createdAtS: LIMIT_S - 1 });
    await turn({ keepVouchersDays: 30 });
    assert.deepEqual(await kept(), ids);
  });

  test('more than one slice is deleted in one run, with one audit entry', async () => {
    await add(Array.from({ length: 1_100 }, () => OLD));
    const [stays = 0] = await add([UNUSED]);
    await database().write(async (transaction) => {
      for (let index = 0; index < 600; index++)
        await insertEarlierEntry(transaction, {
          atMs: ago(90) * 1_000,
          actor: TESTER,
          action: 'old',
          subject: '',
        });
      await insertEarlierEntry(transaction, { atMs: NOW_MS, actor: TESTER, action: 'young', subject: '' });
    });
    await turn({ keepVouchersDays: 30, keepAuditDays: 30, limitsDeletions: false });
    assert.deepEqual(await kept(), [stays]);
    assert.deepEqual(
      (await audit()).map(({ action, actor, subject }) => [action, actor, subject]),
      [
        ['young', 'CLI: test', ''],
        ['retention.applied', 'Clean-up', 'vouchers: 1100, batches: 0, audit: 600'],
      ],
    );
    assert.equal((await audit())[1]?.at_ms, NOW_MS);
    await turn({ keepVouchersDays: 30, keepAuditDays: 30 });
    assert.equal((await audit()).length, 2, 'a run that deletes nothing writes no audit entry');
  });

  test('nothing is deleted or shortened while the clock is doubted, also if the doubt begins during a run', async () => {
    const ids = await add(Array.from({ length: 1_001 }, () => OLD));
    await addEntries(ago(90));
    const all = { keepVouchersDays: 30, keepAuditDays: 30, shortensIps: true, limitsDeletions: false };
    const trusted = time;
    time = undefined;
    await turn(all);
    assert.deepEqual([(await kept()).length, (await addresses()).length], [ids.length, 1]);
    time = trusted;
    let asked = 0;
    const readTrustedTime = async () => (++asked > 3 ? undefined : trusted);
    await turn(all, { readTrustedTime });
    assert.equal((await kept()).length, 501, 'one slice was deleted before the clock jumped');
  });

  test('in a day at most 5 % of a table is deleted, or 1,000 rows if that is more, however often retention runs', async () => {
    await add(Array.from({ length: 1_300 }, () => OLD));
    await addEntries(...Array.from({ length: 1_100 }, () => ago(90)));
    const all = { keepVouchersDays: 30, keepAuditDays: 30 };
    const warnings: unknown[] = [];
    const log = { ...unobserved.log, warn: (fields: unknown) => void warnings.push(fields) };
    for (let hour = 0; hour < 3; hour++) await turn(all, { log });
    assert.equal((await kept()).length, 300);
    assert.equal((await audit()).filter(({ action }) => action === ENTRY.action).length, 100);
    const nothing = { vouchers: 0, batches: 0, auditRows: 0 };
    assert.deepEqual(warnings.slice(0, 2), [
      { ...nothing, vouchers: 1_000, auditRows: 1_000 },
      { heldBack: ['vouchers', 'auditRows'] },
    ]);
    assert.deepEqual(await retention.listHeldBack(), ['vouchers', 'auditRows']);
    if (time) time = { ...time, runningMs: time.runningMs + DAY_S * 1_000 };
    await turn(all);
    assert.deepEqual([await kept(), await retention.listHeldBack()], [[], []]);
  });

  test('a clock that jumps ahead by a day does not begin a new day of deleting', async () => {
    await add(Array.from({ length: 1_300 }, () => OLD));
    for (let day = 0; day < 5; day++) {
      await turn({ keepVouchersDays: 30 });
      if (time) time = { ...time, nowMs: time.nowMs + DAY_S * 1_000 };
    }
    assert.equal((await kept()).length, 300);
  });

  test('5 % of a large table are more than 1,000 rows, and a restarted service continues the same day', async () => {
    // With statistics of a table without old vouchers, PostgreSQL would repeat a subquery for each row.
    await add(Array.from({ length: 300 }, () => UNUSED));
    await database().write((transaction) => sql`analyze vouchers`.execute(transaction));
    await database().write((transaction) => transaction.deleteFrom('vouchers').execute());
    const [first = 0] = await add([OLD]);
    const copies = sql`with recursive
      numbers(number) as (select 2 union all select number + 1 from numbers where number < 22000)
      insert into vouchers (site_id, code, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb, used_count,
        controller_voucher_id, created_at_s, first_used_at_s)
      select site_id, code, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb, used_count,
        cast(number as text), created_at_s, first_used_at_s from vouchers, numbers where vouchers.id = ${first}`;
    await database().write((transaction) => copies.execute(transaction));
    await turn({ keepVouchersDays: 30 });
    assert.equal((await kept()).length, 22_000 - 1_100);
    retention = makeRetentionStore(database());
    await turn({ keepVouchersDays: 30 });
    assert.equal((await kept()).length, 22_000 - 1_100);
  });

  test('an administrator can lift the daily limit', async () => {
    await add(Array.from({ length: 1_300 }, () => OLD));
    await turn({ keepVouchersDays: 30 });
    await turn({ keepVouchersDays: 30, limitsDeletions: false });
    assert.deepEqual(await kept(), []);
  });

  test('the list version rises only for sites that lost vouchers', async () => {
    await add([OLD, OLD]);
    await add([UNUSED], { of: other });
    await turn({ keepVouchersDays: 30 });
    assert.deepEqual([await version(site), await version(other)], [1, 0]);
  });

  test('a slice that fails deletes nothing and writes no audit entry', async () => {
    const ids = await add([OLD]);
    const broken = makeRetentionStore({
      ...database(),
      write: (job) =>
        database().write(async (transaction) => {
          await job(transaction);
          throw new Error('the power went');
        }),
    });
    await assert.rejects(
      broken.begin({ nowMs: NOW_MS, runningMs: 0 }, () => true).forgetVouchers(LIMIT_S),
      /power/,
    );
    assert.deepEqual([await kept(), await audit(), await version(site)], [ids, [], 0]);
  });

  test('nothing is deleted if records are kept for ever or the service is stopping', async () => {
    const ids = await add([OLD]);
    await turn({});
    await turn({ keepVouchersDays: 30 }, { signal: AbortSignal.abort() });
    assert.deepEqual([await kept(), await audit()], [ids, []]);
  });

  test('a site’s old vouchers are kept while an open intent of that age could claim them', async () => {
    const [waits = 0] = await add([OLD]);
    await add([OLD], { of: other });
    const vouchers = makeVoucherStore(database(), seal);
    const opened = await vouchers.begin(sampleIntent(site));
    assert.ok(opened.ok);
    const age = (days: number) =>
      database().write((to) =>
        to
          .updateTable('intents')
          .set({ created_at_ms: ago(days) * 1_000 })
          .execute(),
      );
    await age(31);
    await turn({ keepVouchersDays: 30 });
    assert.deepEqual(await kept(), [waits]);
    await age(1);
    await turn({ keepVouchersDays: 30 });
    assert.deepEqual(await kept(), [], 'a newer intent has another name');
  });

  test('a batch is deleted with its last voucher, or if it never had a voucher and is old enough', async () => {
    await addBatch('all-gone');
    await add([OLD, OLD], { batchId: 'all-gone' });
    await addBatch('one-left');
    await add([OLD, UNUSED], { batchId: 'one-left' });
    await addBatch('never-any');
    await addBatch('young', { days: 1 });
    await addBatch('under-way', { isEnded: false });
    await addBatch('awaited', { isEnded: false });
    await makeVoucherStore(database(), seal).begin(sampleIntent(other, { batchId: asBatchId('awaited') }));
    await endBatch('awaited');
    await turn({ keepVouchersDays: 30 });
    assert.deepEqual(await batches(), ['awaited', 'one-left', 'under-way', 'young']);
    assert.equal((await audit())[0]?.subject, 'vouchers: 3, batches: 2, audit: 0');
  });

  test('the preview gives the number of old records and their times, and changes nothing', async () => {
    const ids = await add([OLD, { ...UNUSED, endedAtS: ago(40) }, UNUSED, { ...UNUSED, endedAtS: ago(20) }]);
    await database().write((transaction) =>
      insertEarlierEntry(transaction, { atMs: ago(50) * 1_000, actor: TESTER, action: 'old', subject: '' }),
    );
    assert.deepEqual(await retention.preview({ vouchersS: LIMIT_S, auditMs: LIMIT_S * 1_000 }), {
      vouchers: 2,
      endedS: { first: ago(60) + 480 * 60, last: ago(40) },
      auditRows: 1,
      auditMs: { first: ago(50) * 1_000, last: ago(50) * 1_000 },
    });
    const nothing = { vouchers: 0, endedS: null, auditRows: 0, auditMs: null };
    assert.deepEqual(await retention.preview({ vouchersS: ago(900), auditMs: 0 }), nothing);
    assert.deepEqual(await retention.preview({ vouchersS: null, auditMs: null }), nothing);
    assert.deepEqual([await kept(), (await audit()).length], [ids, 1]);
  });

  test('IP addresses are shortened a week later, in slices, and only if that is switched on', async () => {
    const times = [...Array.from({ length: 1_200 }, () => ago(8)), ago(6)];
    await database().write((transaction) =>
      transaction
        .insertInto('audit')
        .values(times.map((atS) => ({ ...ENTRY, at_ms: atS * 1_000, address: '203.0.113.77' })))
        .execute(),
    );
    const whole = async () =>
      (await audit()).filter(({ address }) => address === '203.0.113.77').map(({ at_ms }) => at_ms);
    await turn({});
    assert.equal((await whole()).length, 1_201);
    await turn({ shortensIps: true });
    assert.deepEqual(await whole(), [ago(6) * 1_000]);
    assert.equal((await audit())[0]?.address, '203.0.113.0/24');
    await turn({ shortensIps: true });
    assert.deepEqual(await whole(), [ago(6) * 1_000]);
  });

  const addEntries = (...timesS: number[]) =>
    database().write((transaction) =>
      transaction
        .insertInto('audit')
        .values(timesS.map((atS) => ({ ...ENTRY, at_ms: atS * 1_000, address: '203.0.113.77' })))
        .execute(),
    );
  const addresses = async () => (await audit()).map(({ address }) => address);

  test('an entry of a clock that was ahead does not keep later IP addresses whole', async () => {
    await addEntries(ago(9), NOW_S + 61, ago(8), NOW_S + 59, ago(8));
    await turn({ shortensIps: true });
    const [short, whole] = ['203.0.113.0/24', '203.0.113.77'];
    assert.deepEqual(await addresses(), [short, short, short, whole, whole]);
  });

  test('IP addresses of entries that are moved in before the existing ones are shortened', async () => {
    await addEntries(ago(9), ago(8));
    await turn({ shortensIps: true });
    const moved = { atMs: ago(90) * 1_000, userId: null, text: 'login', ip: '198.51.100.9' };
    const found = { ...NOTHING_FOUND, audit_log: 1 };
    const data = { found, entries: () => ReadableStream.from([[moved]]) };
    await database().write((to) => insertEntries(to, { data, users: new Map(), atMs: NOW_MS }));
    await turn({ shortensIps: true });
    assert.deepEqual(await addresses(), ['198.51.100.0/24', '203.0.113.0/24', '203.0.113.0/24']);
  });
});
