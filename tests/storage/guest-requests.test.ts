// Tests the store for guests' requests on every engine: states, floods, notifications, expiry and deletion.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { makeAccountMails } from '../../src/features/mail/account-mail-store.ts';
import {
  type GuestRequestStore,
  MAX_REQUEST_MAILS,
  MAX_WAITING,
  MAX_WAITING_AT_KIOSKS,
  MAX_WAITING_OF_NETWORK,
  type NewGuestRequest,
  REQUEST_KEPT_MS,
  REQUEST_MS,
} from '../../src/features/requests/guest-request.ts';
import { makeGuestRequestStore } from '../../src/features/requests/request-store.ts';
import { asScreenId, asUserId, type GuestRequestId, type SiteId } from '../../src/kernel/ids.ts';
import { holdSite } from '../../src/kernel/sites/site-queries.ts';
import { CLEAN_UP_EVERY_MS } from '../../src/kernel/vouchers/turns/clean-up.ts';
import { makePathToken } from '../../src/platform/secrets/token.ts';
import { TESTER } from '../support/actors.ts';
import { onEveryEngine } from './engines.ts';
import { addSite, addWebhook, seal } from './samples.ts';
import { untilOneWaits } from './until-one-waits.ts';
import { makeWebhookQueue } from './webhook-queue.ts';

const DAY_MS = 24 * 60 * 60_000;
const ADMIN = { id: asUserId(1), role: 'admin' } as const;

onEveryEngine('the store for requests', (database) => {
  let requests: GuestRequestStore;
  let site: SiteId;

  const audit = () => ({ actor: TESTER, atMs: 1 });
  const sample = (change: Partial<NewGuestRequest> = {}): NewGuestRequest => ({
    siteId: site,
    screenId: null,
    name: 'Frau Gast',
    host: 'Zimmer 12',
    note: 'bis Freitag',
    language: 'de',
    ...change,
  });

  beforeEach(async () => {
    const mails = makeAccountMails(seal, { from: { address: 'wlan@hotel.example' } });
    requests = makeGuestRequestStore(database(), seal, mails);
    await database().write(async (transaction) => {
      for (const table of ['messages', 'webhooks', 'guest_requests', 'request_pages', 'audit'] as const)
        await transaction.deleteFrom(table).execute();
      await transaction.updateTable('sites').set({ active: 0 }).execute();
    });
    site = await addSite(database(), { name: 'Haus A' });
  });

  async function add(change: Partial<NewGuestRequest> = {}): Promise<GuestRequestId> {
    const added = await requests.add(sample(change), makePathToken());
    return added?.id ?? assert.fail('no place');
  }
  const stateOf = async (id: GuestRequestId) => (await requests.find(id))?.state;
  /** As if the requests had been made earlier. */
  const age = (ms: number) =>
    database().write((transaction) =>
      sql`update guest_requests set created_at_ms = created_at_ms - ${ms}, expires_at_ms = expires_at_ms - ${ms},
        decided_at_ms = decided_at_ms - ${ms}`.execute(transaction),
    );
  const actions = async () =>
    (await database().read.selectFrom('audit').select(['action', 'subject']).orderBy('id').execute()).map(
      ({ action, subject }) => `${action}: ${subject}`,
    );

  test('a page is opened, renewed, changed and closed, and each change is in the audit log', async () => {
    assert.equal(await requests.findPage(site), undefined);
    const [first, second] = [makePathToken(), makePathToken()];
    await requests.openPage(site, first, audit());
    await requests.openPage(site, makePathToken(), audit());
    assert.deepEqual(await requests.findPage(site), { siteId: site, token: first.token, mailTo: null });
    assert.equal(await requests.findSiteByToken(first.tokenHash), site);
    assert.ok(await requests.changePage(site, { token: second }, audit()));
    assert.ok(await requests.changePage(site, { mailTo: 'desk@hotel.example' }, audit()));
    assert.equal(await requests.findSiteByToken(first.tokenHash), undefined);
    assert.deepEqual(await requests.findPage(site), {
      siteId: site,
      token: second.token,
      mailTo: 'desk@hotel.example',
    });
    assert.deepEqual([...(await requests.listPageHashes())], [second.tokenHash]);
    assert.deepEqual(
      [await requests.closePage(site, audit()), await requests.closePage(site, audit())],
      [true, false],
    );
    assert.equal(await requests.changePage(site, { mailTo: null }, audit()), false);
    const about = `site ${site} (Haus A)`;
    assert.deepEqual(
      await actions(),
      ['on', 'renewed', 'mail-changed', 'off'].map((what) => `site.requests-${what}: ${about}`),
    );
  });

  test('a page whose token cannot be opened gets a new token when it is opened again', async () => {
    await requests.openPage(site, makePathToken(), audit());
    await database().write((transaction) =>
      transaction.updateTable('request_pages').set({ sealed_token: 'v2.broken' }).execute(),
    );
    assert.equal((await requests.findPage(site))?.token, undefined);
    const { token } = makePathToken();
    await requests.openPage(site, { token, tokenHash: 'its hash' }, audit());
    assert.equal((await requests.findPage(site))?.token, token);
  });

  test('a form that is sent twice makes one request; a token of another site makes none', async () => {
    const { tokenHash } = makePathToken();
    const added = await Promise.all([
      requests.add(sample(), { tokenHash }),
      requests.add(sample(), { tokenHash }),
    ]);
    assert.deepEqual(added.map((one) => one?.isNew).sort(), [false, true]);
    assert.equal(added[0]?.id, added[1]?.id);
    const other = await addSite(database(), { name: 'Haus B' });
    assert.equal(await requests.add(sample({ siteId: other }), { tokenHash }), undefined);
  });

  test('no more than the limit wait at a site, however many ask at the same time', async () => {
    for (let count = 2; count < MAX_WAITING; count++) await add();
    const asked = Array.from({ length: 8 }, () => requests.add(sample(), makePathToken()));
    const added = (await Promise.all(asked)).filter((one) => one !== undefined);
    assert.equal(added.length, 2);
    assert.equal((await requests.readBadge(ADMIN)).waiting, MAX_WAITING);
    const other = await addSite(database(), { name: 'Haus B' });
    await add({ siteId: other });
    const [first] = added;
    assert.ok(first && (await requests.decline(first.id, null, audit())));
    await add();
  });

  test('one network takes only some of the places, and kiosks have places of their own', async () => {
    const from = (network: string) => requests.add(sample(), { ...makePathToken(), network });
    for (let count = 1; count < MAX_WAITING_OF_NETWORK; count++) assert.ok(await from('192.0.2.1'));
    const last = await Promise.all(Array.from({ length: 4 }, () => from('192.0.2.1')));
    assert.equal(last.filter((one) => one !== undefined).length, 1);
    const other = (await from('198.51.100.7')) ?? assert.fail('no place for another network');
    for (let count = MAX_WAITING_OF_NETWORK + 1; count < MAX_WAITING; count++) await add();
    assert.equal(await requests.add(sample(), makePathToken()), undefined);
    const screenId = asScreenId(1);
    for (let count = 0; count < MAX_WAITING_AT_KIOSKS; count++) await add({ screenId });
    assert.equal(await requests.add(sample({ screenId }), makePathToken()), undefined);
    assert.equal((await requests.find(other.id))?.waitingOfNetwork, 1);
    const stored = await database().read.selectFrom('guest_requests').selectAll().execute();
    assert.doesNotMatch(JSON.stringify(stored), /192\.0\.2\.1|198\.51/);
  });

  test('all requests of a network that wait at a site are declined together', async () => {
    const elsewhere = await addSite(database(), { name: 'Haus B' });
    const from = async (network: string, change?: Partial<NewGuestRequest>) =>
      (await requests.add(sample(change), { ...makePathToken(), network }))?.id ?? assert.fail('no place');
    const flood = [await from('192.0.2.1'), await from('192.0.2.1'), await from('192.0.2.1')] as const;
    const others = [await from('192.0.2.2'), await from('192.0.2.1', { siteId: elsewhere }), await add()];
    assert.equal((await requests.find(flood[0]))?.waitingOfNetwork, 3);
    await requests.decline(flood[1], null, audit());
    assert.equal(await requests.declineNetwork(flood[0], 'Bitte an die Rezeption', audit()), 2);
    assert.equal(await requests.declineNetwork(flood[0], null, audit()), 0);
    for (const id of flood) assert.equal(await stateOf(id), 'declined');
    for (const id of others) assert.equal(await stateOf(id), 'waiting');
    assert.equal((await requests.find(flood[2]))?.reason, 'Bitte an die Rezeption');
    assert.deepEqual((await actions()).length, 3);
    const kept = await database()
      .read.selectFrom('guest_requests')
      .select('id')
      .where('network_hash', 'is not', null)
      .where('state', '<>', 'waiting')
      .execute();
    assert.deepEqual(kept, []);
    assert.equal(await requests.declineNetwork(others[2] ?? assert.fail(), null, audit()), 0);
  });

  test('a request is declined once, and the audit log names neither the guest nor the reason', async () => {
    const id = await add();
    const decided = await Promise.all([
      requests.decline(id, 'Bitte an die Rezeption', audit()),
      requests.decline(id, null, audit()),
    ]);
    assert.deepEqual(decided.sort(), [false, true]);
    assert.deepEqual(await actions(), [`request.declined: request ${id} of site ${site} (Haus A)`]);
    const request = await requests.find(id);
    assert.deepEqual([request?.state, request?.decidedBy?.name], ['declined', TESTER.name]);
  });

  test('a request expires at its time, cannot be declined afterwards, and is deleted a day later', async () => {
    const [id, declined] = [await add(), await add()];
    await requests.decline(declined, null, audit());
    await age(REQUEST_MS - 60_000);
    assert.equal(await stateOf(id), 'waiting');
    await age(60_001);
    assert.equal(await stateOf(id), 'expired', 'before the clean-up');
    assert.equal((await requests.readBadge(ADMIN)).waiting, 0);
    assert.equal(await requests.decline(id, null, audit()), false);
    await requests.expire(Date.now());
    assert.deepEqual([await stateOf(id), await stateOf(declined)], ['expired', 'declined']);
    await age(REQUEST_KEPT_MS);
    await requests.expire(Date.now());
    assert.deepEqual([await stateOf(id), await stateOf(declined)], [undefined, undefined]);
  });

  test('a request that was sent or decided while the clock was ahead is over, and is deleted a day later', async () => {
    const [sent, declined] = [await add(), await add()];
    await requests.decline(declined, null, audit());
    await age(-800 * DAY_MS);
    assert.equal(await stateOf(sent), 'expired', 'before the clean-up');
    assert.equal((await requests.readBadge(ADMIN)).waiting, 0);
    assert.equal(await requests.decline(sent, null, audit()), false);
    await requests.expire(Date.now());
    await age(REQUEST_KEPT_MS + 60_000);
    await requests.expire(Date.now());
    assert.deepEqual([await stateOf(sent), await stateOf(declined)], [undefined, undefined]);
  });

  test('a request is deleted only if the trusted time agrees, and two days after it was sent at the latest', async () => {
    const id = await add();
    await age(REQUEST_MS + REQUEST_KEPT_MS);
    await requests.expire(Date.now() - DAY_MS);
    assert.equal(await stateOf(id), 'expired');
    await requests.expire(Date.now());
    assert.equal(await stateOf(id), undefined);
    assert.ok(REQUEST_MS + REQUEST_KEPT_MS + CLEAN_UP_EVERY_MS <= 2 * DAY_MS, 'the guest is told two days');
  });

  test('a request that is being approved does not expire while its order is open', async () => {
    const id = await add();
    await database().write(async (transaction) => {
      await transaction.updateTable('guest_requests').set({ state: 'approving' }).execute();
      await sql`insert into intents (site_id, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb, source,
        created_at_ms, purpose, purpose_id) values (${site}, 'x', 1, 1, 0, 0, 0, 'Web: Ada', 1, 'request', ${id})`.execute(
        transaction,
      );
    });
    await age(REQUEST_MS + REQUEST_KEPT_MS);
    await requests.expire(Date.now());
    assert.equal(await stateOf(id), 'approving');
    await database().write((transaction) => transaction.deleteFrom('intents').execute());
    await requests.expire(Date.now());
    assert.equal(await stateOf(id), undefined, 'without its order it waits again, and its time is over');
  });

  test('the list shows waiting requests first, the oldest at the top', async () => {
    const [first, second, third, fourth] = [await add(), await add(), await add(), await add()];
    for (const id of [first, third]) await requests.decline(id, null, audit());
    assert.deepEqual(
      (await requests.list([site])).map(({ id }) => id),
      [second, fourth, third, first],
    );
    assert.deepEqual(await requests.list([]), []);
  });

  test('the badge counts only requests at active sites of the user', async () => {
    const nobody = { id: asUserId(999), role: 'operator' } as const;
    assert.deepEqual(await requests.readBadge(ADMIN), { isOffered: false, waiting: 0 });
    await requests.openPage(site, makePathToken(), audit());
    assert.deepEqual(await requests.readBadge(ADMIN), { isOffered: true, waiting: 0 });
    await add();
    assert.deepEqual(await requests.readBadge(ADMIN), { isOffered: true, waiting: 1 });
    assert.deepEqual(await requests.readBadge(nobody), { isOffered: false, waiting: 0 });
    await database().write((transaction) => transaction.updateTable('sites').set({ active: 0 }).execute());
    assert.deepEqual(await requests.readBadge(ADMIN), { isOffered: false, waiting: 0 });
  });

  test('webhooks and one address are told, without what the guest has typed, and mails are limited', async () => {
    const webhook = await addWebhook(database(), { name: 'Chat', events: ['request.created'] });
    await addWebhook(database(), { name: 'Kasse' });
    await requests.openPage(site, makePathToken(), audit());
    await add();
    await requests.changePage(site, { mailTo: 'desk@hotel.example' }, audit());
    for (let count = 0; count < MAX_REQUEST_MAILS + 3; count++) await add({ name: `Gast ${count}` });
    const told = await makeWebhookQueue(database()).log({ limit: 100 });
    assert.equal(told.length, MAX_REQUEST_MAILS + 4);
    assert.ok(told.every(({ webhookId }) => webhookId === webhook));
    assert.partialDeepStrictEqual(told.at(-1)?.notification, {
      kind: 'request.created',
      siteId: site,
      siteName: 'Haus A',
      waiting: 1,
    });
    const stored = await database().read.selectFrom('messages').selectAll().execute();
    const mails = stored.filter(({ channel }) => channel === 'mail');
    assert.equal(mails.length, MAX_REQUEST_MAILS);
    assert.doesNotMatch(JSON.stringify(stored), /Gast|Zimmer|Freitag|desk@/);
  });

  test('a request that waits for others counts the mails that they send meanwhile', async () => {
    await requests.openPage(site, makePathToken(), audit());
    await requests.changePage(site, { mailTo: 'desk@hotel.example' }, audit());
    for (let count = 0; count < MAX_REQUEST_MAILS; count++) await add();
    const [held, sent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const others = database().write(async (transaction) => {
      await holdSite(transaction, site);
      held.resolve();
      await sent.promise;
      // As if they had been sent only now.
      await transaction.updateTable('messages').set({ occurred_at_ms: database().now() }).execute();
    });
    await held.promise;
    const waiting = add();
    await untilOneWaits(database());
    sent.resolve();
    await Promise.all([others, waiting]);
    const stored = await database().read.selectFrom('messages').select('id').execute();
    assert.equal(stored.length, MAX_REQUEST_MAILS);
  });
});
