// Tests what users see if somebody deletes our unused vouchers on the console: an alarm after complete lists only, new
// vouchers with one click, and an alarm that ends when they exist.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { asReplacementId, asUserId } from '../../../src/kernel/ids.ts';
import { TESTER } from '../../support/actors.ts';
import { continueBatches } from '../../support/continue-batches.ts';
import { until } from '../../support/until.ts';
import { openSyncedSite, type SyncedSite } from '../../unifi/sync/synced-site.ts';
import { addUser, loggedIn, type WebClient } from '../web-client.ts';

const MINUTE_MS = 60_000;

let site: SyncedSite;
let admin: WebClient;
let adminId: number;
before(async () => {
  site = await openSyncedSite({ kind: 'unifi', flavour: 'unifi-os' });
  adminId = await addUser(site.service, 'admin@example.org', 'admin');
  admin = await loggedIn(site.service, 'admin@example.org');
  await site.make('Bleibt');
});
after(() => site[Symbol.asyncDispose]());
afterEach(() => site.controls.resetFaults());

const count = (from: string) => Number(site.service.rows(`select count(*) as n from ${from}`)[0]?.n);
const untilBatchesEnd = async () => {
  await until(() => count('batches where ended_at_ms is null') === 0);
};

/** Creates a batch and returns its path and the codes of its vouchers. */
async function createBatch(name: string, wanted: number) {
  const { location } = await admin.post('/vouchers', {
    site: String(site.id),
    name,
    count: String(wanted),
    uses: '2',
  });
  await untilBatchesEnd();
  const path = location ?? '';
  const codes = site.service.rows(`select code from vouchers where batch_id = '${path.split('/').at(-1)}'`);
  assert.equal(codes.length, wanted);
  return { path, codes: codes.map(({ code }) => String(code)) };
}

/** Sync does not expect new vouchers in a list for a minute. */
const letTimePass = () => site.clock.advance(2 * MINUTE_MS);

async function loseOnConsole(codes: string[]): Promise<void> {
  letTimePass();
  for (const code of codes) assert.ok(site.controls.remove({ code }));
  await site.sync();
}

const LOSS = /unbenutzte[rn]? Voucher fehl/;

const alarms = async () => {
  const { text } = await admin.get('/overview');
  return /<section class="card bad">.*?<\/section>/s.exec(text)?.[0] ?? '';
};

async function dismissAll(): Promise<void> {
  await admin.post(`/sites/${site.id}/lost/unneeded`, {});
  assert.doesNotMatch(await alarms(), LOSS);
}

test('a list that fails, is empty or has none of our vouchers raises no alarm, two complete lists do', async () => {
  const { path, codes } = await createBatch('Sommerfest', 60);
  const single = await site.make('Zimmer 7');
  letTimePass();
  for (const code of [...codes, single]) assert.ok(site.controls.remove({ code }));
  const lists = [
    { kind: 'status', status: 500 },
    { kind: 'wrong-json', text: site.listOf([]) },
    { kind: 'wrong-json', text: '{"totalCount":2,"data":[]}' },
  ] as const;
  for (const list of lists) {
    site.controls.setFault({ match: 'list', times: 'always', ...list });
    await site.trySync();
    assert.doesNotMatch(await alarms(), /fehlen auf der Konsole/, JSON.stringify(list));
    assert.doesNotMatch((await admin.get(path)).text, /role="alert"/);
    site.controls.resetFaults();
  }
  letTimePass();
  await site.sync();
  const shown = await alarms();
  assert.match(shown, /Haus am See: 61 unbenutzte Voucher fehlen auf der Konsole/);
  assert.match(shown, new RegExp(`href="/sites/${site.id}/lost">Neu erstellen`));
  const metrics = await site.service.call('GET', '/metrics');
  assert.match(metrics.text, new RegExp(`^gastpass_vouchers_lost\\{site="${site.id}"\\} 61$`, 'm'));
  const health = (await admin.get('/health')).text;
  assert.match(health, new RegExp(`61 unbenutzte Voucher fehlen.*href="/sites/${site.id}/lost"`, 's'));

  const batch = (await admin.get(path)).text;
  assert.match(batch, /role="alert".*60 unbenutzte Voucher fehlen auf der Konsole/s);
  assert.match(batch, /gedruckte Zettel sind ungültig\. Bemerkt am /);
  const [row] = site.service.rows(`select id from vouchers where code = '${single}'`);
  const voucher = (await admin.get(`/vouchers/${row?.id}`, { 'accept-language': 'en' })).text;
  assert.match(voucher, /role="alert".*This voucher is missing on the controller.*a printed slip is void/s);
});

test('the lost vouchers of a site are created again once, with new codes, and the alarm ends', async () => {
  const ask = await admin.get(`/sites/${site.id}/lost`);
  assert.match(ask.text, /61 Voucher neu erstellen\?.*gedruckte Zettel sind ungültig.*neue Codes/s);
  assert.match(ask.text, /Sommerfest.*2 Geräte.*>60<.*Zimmer 7/s);
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(ask.text)?.[1] ?? '';
  const before = count('vouchers');
  const fields = { replacement: field('replacement'), until: field('until') };
  const send = () => admin.post(`/sites/${site.id}/lost`, fields);
  const sent = await Promise.all([send(), send(), send()]);
  const path = `/replacements/${fields.replacement}`;
  assert.deepEqual(new Set(sent.map(({ location }) => location)), new Set([path]));
  await untilBatchesEnd();
  assert.equal(count('vouchers'), before + 61);
  assert.equal(
    count(`vouchers where name like '%_Sommerfest' and ended_at_s is null and max_uses = 2`),
    60,
    'with the same name and limits',
  );
  assert.match((await admin.get(path)).text, /<h1>61 Voucher neu erstellt<.*60 von 60.*1 von 1/s);
  assert.doesNotMatch(await alarms(), LOSS);
  const [row] = site.service.rows(
    `select id, batch_id, replaced_by from vouchers where name like '%_Sommerfest' and replaced_by is not null limit 1`,
  );
  const link = new RegExp(`Neu erstellt als <a href="/batches/${row?.replaced_by}">Sommerfest<`);
  for (const old of [`/vouchers/${row?.id}`, `/batches/${row?.batch_id}`]) {
    const { text } = await admin.get(old);
    assert.match(text, link);
    assert.doesNotMatch(text, /role="alert"/);
  }
  const { text: log } = await admin.get('/audit');
  assert.match(log, /lässt 61 Voucher \(.*Haus am See.*\) neu erstellen, weil sie auf der Konsole fehlten/);
  letTimePass();
  await site.sync();
  assert.doesNotMatch(await alarms(), LOSS, 'the next sync does not bring the alarm back');
});

test('the vouchers of a batch are created again as one batch, by whoever may create vouchers at the site', async () => {
  const { path, codes } = await createBatch('Tagung', 3);
  await loseOnConsole(codes.slice(1));
  const id = await addUser(site.service, 'rezeption@example.org', 'operator');
  const operator = await loggedIn(site.service, 'rezeption@example.org');
  for (const lost of [path, `/sites/${site.id}`]) {
    assert.equal((await operator.get(`${lost}/lost`)).status, 404);
    assert.equal((await operator.post(`${lost}/lost`, {})).status, 404);
    assert.equal((await operator.post(`${lost}/lost/unneeded`, {})).status, 404);
  }
  await site.service.beside.users.change(
    asUserId(id),
    { siteIds: [site.id] },
    { actor: TESTER, atMs: site.clock.nowMs() },
  );
  assert.match((await operator.get(path)).text, /2 unbenutzte Voucher fehlen auf der Konsole/);
  const { location } = await operator.post(`${path}/lost`, {});
  await untilBatchesEnd();
  assert.match(location ?? '', /^\/batches\//);
  assert.match((await operator.get(location ?? '')).text, /2 Voucher erstellt/);
  assert.doesNotMatch(await alarms(), LOSS);
});

test('a voucher that the console lists again is not lost any more', async () => {
  const { path, codes } = await createBatch('Zurück', 2);
  letTimePass();
  const others = site.controls.vouchers().filter(({ code }) => !codes.includes(code));
  site.controls.setFault({ match: 'list', kind: 'wrong-json', text: site.listOf(others), times: 2 });
  await site.sync();
  assert.match(await alarms(), /2 unbenutzte Voucher fehlen/);
  await site.sync();
  assert.doesNotMatch(await alarms(), LOSS);
  const { location } = await admin.post(`${path}/lost`, {});
  assert.equal(location, path, 'there is nothing to create');
  assert.match((await admin.get(`${path}/lost`)).text, /Hier fehlt kein Voucher/);
});

for (const action of ['lost', 'lost/unneeded'])
  test(`a voucher that the console lists again and then deletes is lost again after POST ${action}`, async () => {
    const { path, codes } = await createBatch('Hin und her', 2);
    letTimePass();
    const others = site.controls.vouchers().filter(({ code }) => !codes.includes(code));
    site.controls.setFault({ match: 'list', kind: 'wrong-json', text: site.listOf(others), times: 2 });
    await site.sync();
    await admin.post(`${path}/${action}`, {});
    await untilBatchesEnd();
    assert.doesNotMatch(await alarms(), LOSS);
    await site.sync();
    assert.doesNotMatch(await alarms(), LOSS);
    await loseOnConsole(codes);
    assert.match(await alarms(), /2 unbenutzte Voucher fehlen/);
    await dismissAll();
  });

test('vouchers that a killed process of an earlier release did not create again count as lost again', async () => {
  const { codes } = await createBatch('Absturz', 3);
  await loseOnConsole([...codes]);
  const scope = { siteId: site.id, untilS: Math.floor(site.clock.nowMs() / 1_000) };
  const replacement = { id: asReplacementId('killed'), scope, userId: asUserId(adminId) };
  const by = { actor: TESTER, atMs: site.clock.nowMs() };
  assert.equal((await site.service.beside.lostVouchers.beginReplacement(replacement, by)).length, 1);
  // At once, before a worker of the service finds the batch.
  site.service.change('update batches set goes_on_until_ms = null where ended_at_ms is null');
  await continueBatches(site.service.beside);
  await untilBatchesEnd();
  assert.match(await alarms(), /3 unbenutzte Voucher fehlen/);
  await dismissAll();
});

test('if the console fails, the vouchers stay lost, and the page of the batch leads back to them', async () => {
  const { path, codes } = await createBatch('Kaputt', 2);
  await loseOnConsole(codes);
  site.controls.setFault({ match: 'create', kind: 'status', status: 403, times: 'always' });
  const { location } = await admin.post(`${path}/lost`, {});
  await untilBatchesEnd();
  const { text } = await admin.get(location ?? '');
  assert.match(text, new RegExp(`class="button primary" href="/sites/${site.id}/lost"`));
  assert.match(await alarms(), /2 unbenutzte Voucher fehlen/);
  await dismissAll();
  assert.match((await admin.get('/audit')).text, /vermerkt, dass 2 Voucher .* auf der Konsole fehlen dürfen/);
  assert.doesNotMatch((await admin.get(path)).text, /role="alert"/);
});

test('the button for vouchers that are not needed says how many it is about', async () => {
  const { path, codes } = await createBatch('Viele', 1);
  await loseOnConsole(codes);
  const button = async (language: string) => {
    const { text } = await admin.get(`${path}/lost`, { 'accept-language': language });
    return /formaction="[^"]+">([^<]+)</.exec(text)?.[1];
  };
  assert.equal(await button('de'), 'Ist erledigt');
  assert.equal(await button('en'), 'It is not needed');
  const copied = `site_id, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb, used_count, created_at_s,
    source, batch_id, ended_at_s, missing_since_s`;
  site.service.change(`insert into vouchers (code, controller_voucher_id, ${copied})
    with recursive copies (i) as (select 1 union all select i + 1 from copies where i < 10999)
    select code || i, code || i, ${copied} from vouchers, copies where code = '${codes[0]}'`);
  assert.equal(await button('de'), 'Alle 11.000 sind erledigt');
  assert.equal(await button('en'), 'None of the 11,000 is needed');
  assert.match(await alarms(), /Haus am See: Mehr als 10\.000 unbenutzte Voucher fehlen auf der Konsole/);
  await dismissAll();
});

test('losses of more than 30 days ago raise no alarm', async () => {
  const { codes } = await createBatch('Lange her', 2);
  await loseOnConsole(codes);
  assert.match(await alarms(), /2 unbenutzte Voucher fehlen/);
  site.service.change(
    `update vouchers set ended_at_s = ended_at_s - 31 * 86400 where name like '%_Lange her'`,
  );
  assert.doesNotMatch(await alarms(), LOSS);
});
