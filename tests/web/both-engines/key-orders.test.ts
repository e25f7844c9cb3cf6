// Tests orders by API keys: values of profiles, nights, labels and batches, one batch however often a request is
// repeated, also after a crash, and what pages show of such a batch.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeMailUseCases } from '../../../src/features/mail/mail-use-cases.ts';
import type { Actor } from '../../../src/kernel/audit/actor.ts';
import type { Batch } from '../../../src/kernel/batches/batch.ts';
import { asKeyId, asProfileId, asSiteId, asVoucherId, type BatchId } from '../../../src/kernel/ids.ts';
import type { KeySites } from '../../../src/kernel/keys/api-key.ts';
import { makeCreationUseCases } from '../../../src/kernel/vouchers/creation-use-cases.ts';
import type { OrderRequest } from '../../../src/kernel/vouchers/order-request.ts';
import type { Placed, PlaceOrder } from '../../../src/kernel/vouchers/place-order.ts';
import { makePlacementUseCase } from '../../../src/kernel/vouchers/placement-use-case.ts';
import type { FoundVoucher } from '../../../src/kernel/vouchers/voucher-search.ts';
import { makeBackgroundWork } from '../../../src/platform/jobs/background-work.ts';
import { makeLog } from '../../../src/platform/log/make-log.ts';
import { TESTER } from '../../support/actors.ts';
import { continueBatches } from '../../support/continue-batches.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';
import { addUser, loggedIn } from '../web-client.ts';

const siteId = asSiteId(1);
const OLD = { id: 'old', name: 'web-2:8080', release: '0.2.0', schemaVersion: 1 };
const LIMITS = { downKbps: 1_000, upKbps: 500, quotaMb: 0 };
const work = makeBackgroundWork(makeLog('silent'));
let service: TestService;
let actor: Actor;
let place: PlaceOrder;
before(async () => {
  service = await startTestService({ webhook: true, jobs: false });
  const { beside } = service;
  const [key] = service.rows('select id, name from api_keys');
  actor = { kind: 'key', id: String(key?.id), name: String(key?.name) };
  const creation = makeCreationUseCases(beside, { timeZone: 'Europe/Berlin' });
  const { signal: stopping } = new AbortController();
  place = makePlacementUseCase(beside, {
    ...creation,
    revokeReplaced: async () => {},
    timeZone: 'Europe/Berlin',
    stopping,
    backgroundWork: work,
  });
});
after(() => service.stop());

const audit = () => ({ actor: TESTER, atMs: service.clock.nowMs() });
const count = (from: string) => Number(service.rows(`select count(*) as n from ${from}`)[0]?.n);

function order(fields: Partial<OrderRequest>, key?: string, keySites: KeySites = 'all') {
  const ticket = { apiKeyId: asKeyId(actor.id ?? ''), key: key ?? '', bodyHash: JSON.stringify(fields) };
  const request = { siteId, name: 'Zimmer 4', count: 1, ...fields };
  return place(request, { actor, keySites }, key === undefined ? undefined : ticket);
}
async function placed(fields: Partial<OrderRequest>, key?: string): Promise<Placed> {
  const result = await order(fields, key);
  assert.ok(result.ok, JSON.stringify(result));
  return result.value;
}
async function problemOf(fields: Partial<OrderRequest>, key?: string, keySites?: KeySites) {
  const result = await order(fields, key, keySites);
  return result.ok ? undefined : result.problem.kind;
}
async function voucherOf({ id, kind }: Placed): Promise<FoundVoucher> {
  assert.equal(kind, 'voucher');
  const search = { siteIds: [siteId], id: asVoucherId(Number(id)), limit: 1, nowS: 0 };
  const [voucher] = (await service.beside.finder.search(search)).vouchers;
  assert.ok(voucher);
  return voucher;
}
async function batchOf(placedBatch: Placed): Promise<Batch & { id: BatchId }> {
  assert.ok(placedBatch.kind === 'batch');
  await work.ended();
  const batch = await service.beside.batches.find(placedBatch.id);
  assert.ok(batch);
  return batch;
}
/** Vouchers end like this when they are revoked. */
const endVouchers = (where: string) =>
  service.change(`update vouchers set ended_at_s = created_at_s, revoked_at_s = created_at_s where ${where}`);

test('one voucher has what was ordered, else the values of its profile, else the defaults', async () => {
  assert.partialDeepStrictEqual(await voucherOf(await placed({})), {
    maxUses: 1,
    expireMinutes: 480,
    downKbps: 0,
    endsAtS: null,
    reference: null,
    profileId: null,
  });
  const profile = { name: 'Tagung', maxUses: 3, expireMinutes: 60, ...LIMITS, siteIds: [] };
  const profileId = await service.beside.profiles.add(profile, audit());
  const labels = { profileId, reference: 'bk-1', note: 'spät' };
  const expected = { maxUses: 3, expireMinutes: 60, upKbps: 500, ...labels };
  assert.partialDeepStrictEqual(await voucherOf(await placed(labels)), expected);
  const given = { profileId, devices: 2, downKbps: 0, minutes: 5 };
  assert.partialDeepStrictEqual(await voucherOf(await placed(given)), {
    maxUses: 2,
    expireMinutes: 5,
    downKbps: 0,
    upKbps: 500,
  });
  const nights = await service.beside.profiles.add({ ...profile, nights: 2 }, audit());
  // The clock shows 2026-01-15; check-out is at 11:00 in Berlin.
  const { endsAtS } = await voucherOf(await placed({ profileId: nights }));
  assert.equal(endsAtS, Date.parse('2026-01-17T10:00:00Z') / 1000);
  assert.equal((await voucherOf(await placed({ profileId: nights, minutes: 5 }))).endsAtS, null);
});

test('what cannot be met is refused, and no batch is stored', async () => {
  const other = asSiteId(await service.addSite('default', 'Nebenhaus'));
  const profile = { name: 'Dort', maxUses: 1, expireMinutes: 60, ...LIMITS, siteIds: [other] };
  const elsewhere = await service.beside.profiles.add(profile, audit());
  for (const several of [{}, { count: 2 }]) {
    assert.equal(await problemOf({ ...several, profileId: elsewhere }), 'profile-not-found');
    assert.equal(await problemOf({ ...several, profileId: asProfileId(999) }), 'profile-not-found');
    assert.equal(await problemOf(several, undefined, [other]), 'site-not-found');
    assert.equal(await problemOf({ ...several, siteId: asSiteId(999) }), 'site-not-found');
    assert.equal(await problemOf({ ...several, endsAtS: 1 }), 'end-passed');
    assert.equal(await problemOf({ ...several, devices: 2 ** 31 }), 'out-of-bounds');
  }
  assert.equal(count('batches'), 0);
});

test('while an instance of 0.2 is alive, an order with a reference is refused, and one without is not', async () => {
  await service.beside.instances.note(OLD);
  for (const several of [{}, { count: 2 }])
    assert.equal(await problemOf({ ...several, reference: 'bk-2' }), 'instance-outdated');
  assert.equal((await placed({})).kind, 'voucher');
  await service.beside.instances.forget(OLD.id);
  assert.equal((await placed({ reference: 'bk-2' })).kind, 'voucher');
});

test('several vouchers are a batch of the key, with one notification, and pages show its key', async () => {
  const announced = count('outbox');
  const batch = await batchOf(await placed({ name: 'Reisegruppe', count: 120, reference: 'bk-3' }));
  assert.partialDeepStrictEqual(batch, { createdBy: actor, wanted: 120, problem: null });
  assert.equal(batch.vouchers.length, 120);
  assert.equal(
    count(`vouchers where batch_id = '${batch.id}' and reference = 'bk-3' and owner_user_id is null`),
    120,
  );
  assert.equal(count('outbox'), announced + 1);
  await addUser(service, 'anna@example.org', 'admin');
  const webClient = await loggedIn(service, 'anna@example.org');
  for (const page of ['/batches', `/batches/${batch.id}`, `/vouchers/${batch.vouchers[0]?.id}`])
    assert.match((await webClient.get(page)).text, new RegExp(`API: ${actor.name}`), page);
  assert.match((await webClient.get('/vouchers?q=bk-3')).text, /120 Voucher/);
});

test('parallel and repeated requests with one Idempotency-Key make one batch', async () => {
  const fields = { name: 'Doppelt', count: 3 };
  const all = await Promise.all(Array.from({ length: 5 }, () => placed(fields, 'k-1')));
  await work.ended();
  const again = await placed(fields, 'k-1');
  assert.equal(new Set([...all, again].map(({ id }) => id)).size, 1);
  assert.deepEqual(all.map(({ replayed }) => replayed).sort(), [false, true, true, true, true]);
  assert.deepEqual([again.replayed, again.freed], [true, false]);
  assert.equal(count("vouchers where name like '%_Doppelt'"), 3);
  assert.equal(await problemOf({ name: 'Anders', count: 3 }, 'k-1'), 'idempotency-key-reused');
  assert.equal(await problemOf({ name: 'Anders' }, 'k-1'), 'idempotency-key-reused');
});

test('the key is freed when all vouchers of its batch have ended, once for parallel requests', async () => {
  const fields = { name: 'Storniert', count: 2 };
  const first = await batchOf(await placed(fields, 'k-2'));
  const [one] = first.vouchers;
  endVouchers(`id = ${one?.id}`);
  assert.equal((await placed(fields, 'k-2')).id, first.id);
  endVouchers(`batch_id = '${first.id}'`);
  assert.equal(await problemOf({ ...fields, count: 3 }, 'k-2'), 'idempotency-key-reused');
  const all = await Promise.all([placed(fields, 'k-2'), placed(fields, 'k-2'), placed(fields, 'k-2')]);
  await work.ended();
  assert.equal(new Set(all.map(({ id }) => id)).size, 1);
  assert.notEqual(all[0]?.id, first.id);
  assert.deepEqual(all.map(({ freed }) => freed).sort(), [false, false, true]);
  assert.equal(count("vouchers where name like '%_Storniert'"), 4);
});

test('a batch without vouchers frees its key; one with an unknown outcome does not', async () => {
  const refusing = asSiteId(await service.addSite('fail:refuse', 'Kaputt'));
  const silent = asSiteId(await service.addSite('fail:time-out', 'Stumm'));
  const failed = await placed({ siteId: refusing, count: 2 }, 'k-3');
  assert.match((await batchOf(failed)).problem ?? '', /refuses/);
  assert.equal((await placed({ siteId: refusing, count: 2 }, 'k-3')).freed, true);
  const unknown = await placed({ siteId: silent, count: 2 }, 'k-4');
  const open = () => count(`intents where batch_id = '${unknown.id}'`);
  await until(() => open() === 2);
  service.change(`update batches set ended_at_ms = 1, problem = 'interrupted' where id = '${unknown.id}'`);
  assert.equal((await batchOf(unknown)).isUncertain, true);
  assert.deepEqual(await placed({ siteId: silent, count: 2 }, 'k-4'), { ...unknown, replayed: true });
  await work.ended();
});

test('after a crash, a repeated request gets the interrupted batch, which goes on', async () => {
  const fields = { name: 'Absturz', count: 3 };
  const before = await batchOf(await placed(fields, 'k-5'));
  service.change(`update batches set ended_at_ms = null, wanted = 5 where id = '${before.id}'`);
  const running = await batchOf(await placed(fields, 'k-5'));
  assert.deepEqual([running.id, running.endedAtMs], [before.id, null]);
  await continueBatches(service.beside);
  await until(() => count("batches where name = 'Absturz' and ended_at_ms is null") === 0);
  const ended = await batchOf(await placed(fields, 'k-5'));
  assert.partialDeepStrictEqual(ended, { id: before.id, problem: null, wanted: 5 });
  assert.equal(count("vouchers where name like '%_Absturz'"), 5);
  const [entry] = service.rows(
    "select actor, actor_id from audit where action = 'voucher.created' order by id desc limit 1",
  );
  assert.deepEqual({ ...entry }, { actor: `API: ${actor.name}`, actor_id: actor.id });
});

describe('an order with the address of a guest', () => {
  const mail = { address: 'gast@example.org', language: 'en' } as const;
  const server = {
    host: 'mail.example.org',
    port: 587,
    tls: 'required',
    from: { address: 'wlan@hotel.example' },
    perHour: null,
  } as const;
  const saveServer = () => service.beside.mailServer.save(server, audit());
  const mails = () => count("messages where channel = 'mail'");

  test('is refused unless e-mail is set up, and nothing is stored', async () => {
    const before = [count('vouchers'), count('batches')];
    for (const several of [{}, { count: 2 }])
      assert.equal(await problemOf({ ...several, mail }), 'mail-not-set-up');
    assert.deepEqual([count('vouchers'), count('batches'), mails()], [...before, 0]);
  });

  test('is refused while an instance of 0.2 is alive, which would delete the mail', async () => {
    await saveServer();
    await service.beside.instances.note(OLD);
    for (const several of [{}, { count: 2 }])
      assert.equal(await problemOf({ ...several, mail }), 'instance-outdated');
    await service.beside.instances.forget(OLD.id);
    assert.equal(mails(), 0);
  });

  test('sends each voucher with a mail, and a repeated request sends none', async () => {
    const one = await placed({ mail }, 'k-mail');
    assert.equal(count(`messages where state = 'waiting' and voucher_id = ${one.id}`), 1);
    const batch = await batchOf(await placed({ name: 'Paar', count: 2, mail }));
    assert.equal(batch.order.mail, undefined, 'a complete batch has forgotten the address');
    for (const { id } of batch.vouchers) assert.equal(count(`messages where voucher_id = ${id}`), 1);
    const rows = service.rows("select * from messages where channel = 'mail' order by id");
    assert.partialDeepStrictEqual(
      rows,
      new Array(3).fill({ ordered_by: `key ${actor.id}`, kind: 'voucher' }),
    );
    assert.equal(new Set(rows.map(({ event_id }) => event_id)).size, 3);
    assert.doesNotMatch(JSON.stringify([rows, service.rows('select * from batches')]), /gast@/);

    await service.beside.mailServer.remove(audit());
    assert.deepEqual(await placed({ mail }, 'k-mail'), { ...one, replayed: true });
    assert.equal(mails(), 3);
  });

  test('sends no mail if no voucher was made, and keeps it while a voucher may exist', async () => {
    await saveServer();
    const before = mails();
    const refusing = asSiteId(await service.addSite('fail:refuse', 'Absage'));
    assert.equal(await problemOf({ siteId: refusing, mail }), 'creation-failed');
    assert.equal(mails(), before);
    const silent = asSiteId(await service.addSite('fail:time-out', 'Ohne Antwort'));
    assert.equal(await problemOf({ siteId: silent, mail }), 'creation-failed');
    assert.equal(count("messages where channel = 'mail' and state = 'held'"), 1);
  });

  test('stores the mail of a batch that failed, so that another attempt sends it, too', async () => {
    const refusing = asSiteId(await service.addSite('fail:refuse', 'Ablehnung'));
    const batch = await batchOf(await placed({ siteId: refusing, count: 2, mail }));
    assert.deepEqual([batch.vouchers.length, batch.order.mail], [0, mail]);
  });

  test('is refused as a whole if a batch has more mails than its key may still order', async () => {
    const before = count('batches');
    assert.equal(await problemOf({ count: 500, mail }), 'too-many-mails');
    assert.equal(count('batches'), before);
  });

  test('can be made later for a voucher that exists, until the voucher ends', async () => {
    const mailing = makeMailUseCases(service.beside);
    const { id } = await voucherOf(await placed({}));
    const by = { actor, siteIds: [siteId] };
    const sent = await mailing.mailVoucher(id, mail, by);
    assert.ok(sent.ok);
    const logged = () => service.beside.mails.search({ id: sent.value, limit: 1 });
    assert.partialDeepStrictEqual(await logged(), [{ state: 'waiting', maskedAddress: 'g…@example.org' }]);
    const [entry] = service.rows('select action, subject from audit order by id desc limit 1');
    assert.deepEqual(
      { ...entry },
      { action: 'voucher.mailed', subject: `voucher ${id} of site 1 (Demo): g…@example.org` },
    );
    assert.deepEqual(await mailing.resendMail(sent.value, by), sent, 'the same mail, because it waits');
    endVouchers(`id = ${id}`);
    for (const refused of [await mailing.mailVoucher(id, mail, by), await mailing.resendMail(sent.value, by)])
      assert.deepEqual(refused, { ok: false, problem: { kind: 'voucher-ended' } });
  });
});
