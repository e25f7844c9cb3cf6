// Tests profiles: created by administrators, offered to users with access to the sites of the profile, and applied to
// the form with one click.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asProfileId, asSiteId } from '../../src/kernel/ids.ts';
import { TESTER } from '../support/actors.ts';
import { addScreenTo } from '../support/added-screen.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, loggedIn, type WebClient } from './web-client.ts';

let service: TestService;
let admin: WebClient;
let operator: WebClient;
let elsewhere: number;
before(async () => {
  service = await startTestService();
  elsewhere = await service.addSite('default', 'Haus B');
  await addUser(service, 'admin@example.org', 'admin');
  const id = await addUser(service, 'theke@example.org', 'operator');
  service.change(`insert into user_sites (user_id, site_id) values (${id}, 1)`);
  admin = await loggedIn(service, 'admin@example.org');
  operator = await loggedIn(service, 'theke@example.org');
});
after(() => service.stop());

const limits = { uses: '5', duration: '2', unit: 'hours', down: '2', up: '0.5', quota: '0.3' };

/** Chooses the profile with its button in the form; returns the URL of the filled form. */
async function choose(webClient: WebClient, name: string, typed: Record<string, string>): Promise<string> {
  const { text } = await webClient.get('/');
  const profile = new RegExp(`name="profile" value="(\\d+)"[^>]*>${name}<`).exec(text)?.[1];
  assert.ok(profile, 'the form has no such button');
  const { status, location } = await webClient.post('/vouchers', { ...typed, profile });
  assert.equal(status, 303);
  return location ?? '';
}

test('the button of a profile fills the form, and the voucher gets all values of the profile', async () => {
  assert.equal((await admin.post('/profiles', { name: 'Tagung <b>', ...limits })).status, 303);
  assert.match((await operator.get('/')).text, /<legend>Profil</);
  const address = await choose(operator, 'Tagung &lt;b&gt;', { site: '1', name: '' });
  const filled = await operator.get(address);
  assert.match(filled.text, /aria-pressed="true">Tagung/);
  assert.match(filled.text, /<details open>/);
  assert.match(filled.text, /name="uses" value="5" checked/);
  assert.match(filled.text, /name="duration"[^>]*value="2"/);
  assert.match(filled.text, /value="hours" selected/);
  assert.match(filled.text, /id="up"[^>]*value="0,5"/);
  assert.match(filled.text, /id="quota"[^>]*value="300"/);
  const { profile: _, ...fields } = Object.fromEntries(new URLSearchParams(address.slice(2)));
  await operator.post('/vouchers', { ...fields, site: '1', name: 'Gast' });
  const [row] = service.rows('select * from vouchers order by id desc limit 1');
  const expected = { max_uses: 5, expire_minutes: 120, down_kbps: 2000, up_kbps: 500, quota_mb: 300 };
  assert.partialDeepStrictEqual({ ...row }, expected);
});

test('choosing a profile keeps the input and the chosen site, and the URL contains no token', async () => {
  const typed = { site: String(elsewhere), name: 'Frau Okafor & Söhne', count: '4', batch: 'b' };
  const address = await choose(admin, 'Tagung &lt;b&gt;', typed);
  const { text } = await admin.get(address);
  assert.match(text, /id="name"[^>]*value="Frau Okafor &amp; Söhne"/);
  assert.match(text, /id="count"[^>]*value="4"/);
  assert.match(text, new RegExp(`value="${elsewhere}" selected`));
  assert.doesNotMatch(address, /token|batch/);
  assert.equal(service.rows("select id from vouchers where name like '%Okafor%'").length, 0);
});

test('the Enter key creates vouchers, because the first button of the form chooses no profile', async () => {
  const form = /<form method="post" action="\/vouchers".*<\/form>/s.exec((await operator.get('/')).text)?.[0];
  assert.doesNotMatch(/<button[^>]*>/.exec(form ?? '')?.[0] ?? ' name=', / name=/);
});

test('a profile limited to some sites selects one of them to which the operator has access', async () => {
  const third = await service.addSite('default', 'Anbau');
  const id = await addUser(service, 'anbau@example.org', 'operator');
  for (const site of [1, third])
    service.change(`insert into user_sites (user_id, site_id) values (${id}, ${site})`);
  const profile = await service.beside.profiles.add(
    {
      name: 'Zwei Häuser',
      maxUses: 1,
      expireMinutes: 60,
      downKbps: 0,
      upKbps: 0,
      quotaMb: 0,
      siteIds: [asSiteId(elsewhere), asSiteId(third)],
    },
    { actor: TESTER, atMs: 1 },
  );
  const theirs = await loggedIn(service, 'anbau@example.org');
  const address = await choose(theirs, 'Zwei Häuser', { site: '1', name: 'Gast' });
  assert.equal(new URLSearchParams(address.slice(2)).get('site'), String(third));
  assert.doesNotMatch((await theirs.get(address)).text, /<details open>/, 'the profile has no limits');
  await service.beside.profiles.remove(profile, { actor: TESTER, atMs: 1 });
});

test('limits that are not whole in Mbit/s or GB survive an edit, and the list shows both units', async () => {
  const odd = { downKbps: 1_234, upKbps: 7, quotaMb: 1_024 };
  const profile = await service.beside.profiles.add(
    { name: 'Krumm', maxUses: 1, expireMinutes: 60, ...odd, siteIds: [] },
    { actor: TESTER, atMs: 1 },
  );
  const { text } = await admin.get(`/profiles/${profile}`);
  const value = (name: string) => new RegExp(`name="${name}"[^>]* value="([^"]*)"`).exec(text)?.[1] ?? '';
  const shown = { down: value('down'), up: value('up'), quota: value('quota'), quotaUnit: 'GB' };
  assert.deepEqual(shown, { down: '1,234', up: '0,007', quota: '1,024', quotaUnit: 'GB' });
  await admin.post(`/profiles/${profile}`, { name: 'Krumm', uses: '2', ...shown });
  const [row] = service.rows(`select * from profiles where id = ${profile}`);
  const expected = { max_uses: 2, down_kbps: 1_234, up_kbps: 7, quota_mb: 1_024 };
  assert.partialDeepStrictEqual({ ...row }, expected);
  const list = (await admin.get('/profiles')).text;
  assert.match(list, /↓\u00a01,234\u00a0Mbit\/s, ↑\u00a00,007\u00a0Mbit\/s, 1,024\u00a0GB/);
  await service.beside.profiles.remove(profile, { actor: TESTER, atMs: 1 });
});

test('an operator is not offered a profile of another site', async () => {
  await admin.post('/profiles', { name: 'Nur Haus B', ...limits, sites: 'chosen', site: String(elsewhere) });
  assert.match((await admin.get('/')).text, /Nur Haus B/);
  assert.doesNotMatch((await operator.get('/')).text, /Nur Haus B/);
});

test('invalid input is reported at its field, and nothing is stored', async () => {
  const { status, text } = await admin.post('/profiles', { name: ' ', uses: '0', duration: '3', unit: 'x' });
  assert.equal(status, 422);
  for (const field of ['name', 'uses', 'duration']) assert.match(text, new RegExp(`id="${field}-error"`));
  assert.match(text, /name="uses"[^>]*value="0"/);
  const siteless = await admin.post('/profiles', { name: 'Leer', ...limits, sites: 'chosen' });
  assert.match(siteless.text, /value="chosen" checked.*id="sites-error">Bitte mindestens einen/s);
  assert.equal(Number(service.rows('select count(*) as n from profiles')[0]?.n), 2);
});

test('a profile can be changed and, after confirmation, removed; both are audited', async () => {
  const [row] = service.rows("select id from profiles where name = 'Nur Haus B'");
  const path = `/profiles/${row?.id}`;
  assert.equal((await admin.post(path, { name: 'Alle', ...limits, uses: '9' })).location, '/profiles');
  assert.equal(service.rows(`select max_uses from profiles where id = ${row?.id}`)[0]?.max_uses, 9);
  assert.match((await operator.get('/')).text, />Alle</);
  const [siteId, profileId] = [asSiteId(1), asProfileId(Number(row?.id))];
  await addScreenTo(service.beside, { siteId, profileIds: [String(profileId)] });
  await service.beside.reserves.set({ siteId, wanted: 5, profileId }, { actor: TESTER, atMs: 1 });
  assert.match(
    (await admin.get(`${path}/remove`)).text,
    /„Alle“ löschen.*gelten danach die Standardwerte:.*<li>Bildschirm Lobby \(Demo\)<\/li><li>Reserve von Demo<\/li>/s,
  );
  await admin.post(`${path}/remove`, {});
  assert.doesNotMatch((await operator.get('/')).text, />Alle</);
  const actions = service.rows("select action from audit where action like 'profile.%' order by id");
  assert.deepEqual(
    actions.map(({ action }) => action),
    [
      'profile.added',
      'profile.added',
      'profile.removed',
      'profile.added',
      'profile.changed',
      'profile.removed',
      'profile.added',
      'profile.changed',
      'profile.removed',
    ],
  );
});
