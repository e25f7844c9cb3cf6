// Tests vouchers until check-out on the pages: chosen by nights or by date, shown with their end in the time zone of
// the site, remembered on the device, ordered again with the same values, and offered by profiles.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, loggedIn, type WebClient } from './web-client.ts';

/** A Thursday in winter, after check-out: 15 January 2026, 12:30 in Berlin. */
const NOW_MS = Date.parse('2026-01-15T11:30:00Z');
const DAY_MS = 24 * 60 * 60_000;

let service: TestService;
let anna: WebClient;
let abroad: number;
before(async () => {
  service = await startTestService();
  service.clock.advance(NOW_MS - service.clock.nowMs());
  abroad = await service.addSite('default', 'New York');
  await addUser(service, 'anna@example.org', 'admin');
  anna = await loggedIn(service, 'anna@example.org');
});
after(() => service.stop());

const newest = () => service.rows('select * from vouchers order by id desc limit 1')[0] ?? {};
const endOf = ({ ends_at_s }: ReturnType<typeof newest>) =>
  ends_at_s === null ? null : new Date(Number(ends_at_s) * 1000).toISOString();
const order = (fields: Record<string, string>) =>
  anna.post('/vouchers', { site: '1', name: 'Zimmer 12', ...fields });
/** The checked values of the radio buttons in the voucher form. */
async function checked(path = '/'): Promise<Record<string, string>> {
  const { text } = await anna.get(path);
  const radios = text.matchAll(/type="radio" name="(\w+)" value="([^"]+)" checked/g);
  return Object.fromEntries([...radios].map(([, name, value]) => [name, value]));
}

test('nights end at check-out, and every page says when', async () => {
  assert.match((await anna.get('/')).text, /data-for="nights-2"[^>]*>bis Sa\.,\s17\.\sJan\.,\s11:00\sUhr</);
  const { location } = await order({ validity: 'nights-2', uses: '2' });
  assert.equal(endOf(newest()), '2026-01-17T10:00:00.000Z');
  const said = /gültig bis\s+Sa\.,\s17\.\sJan\.,\s11:00\sUhr/;
  const { id } = newest();
  for (const path of [location ?? '', `/vouchers/${id}`, `/vouchers/${id}/guest`])
    assert.match((await anna.get(path)).text, said, path);
  const slip = (await anna.get(`/vouchers/print?voucher=${id}`)).text;
  assert.match(slip.replaceAll(/<[^>]+>/g, ' '), said);
  assert.match((await anna.get('/vouchers')).text, />Sa\.,\s17\.\sJan\.,\s11:00</);
  assert.match((await anna.get(`/vouchers/${id}`)).text, /kann danach noch online bleiben/);
  const english = await anna.get(`/vouchers/${id}`, { 'accept-language': 'en' });
  assert.match(english.text, /valid until Sat\s17\sJan,\s11:00/);
});

test('a date that is missing, past or too far is reported at the field, and nothing is lost or created', async () => {
  const before = service.rows('select id from vouchers').length;
  const cases = [
    ['', 'Bitte das Datum der Abreise wählen.'],
    ['2026-02-30', 'Bitte das Datum der Abreise wählen.'],
    ['2026-01-14', 'Die Abreise ist schon vorbei: Mi., 14. Jan., 11:00 Uhr.'],
    ['2026-01-15', 'Die Abreise ist schon vorbei: Do., 15. Jan., 11:00 Uhr.'],
    ['2027-01-16', 'Spätestens Fr., 15. Jan. 2027, 11:00 Uhr.'],
  ];
  for (const [until = '', issue = ''] of cases) {
    const { text } = await order({ validity: 'until', until, uses: 'more', usesMore: '12' });
    assert.ok(text.replaceAll('\u00a0', ' ').includes(`id="validity-error">${issue}`), until);
    assert.match(text, new RegExp(`name="until"[^>]*value="${until}"`));
    assert.match(text, /name="usesMore"[^>]*value="12"/);
    assert.match(text, /name="name"[^>]*value="Zimmer 12"/);
  }
  const { text } = await order({ uses: 'more', usesMore: '' });
  assert.match(text, /id="uses-error"/);
  assert.equal(service.rows('select id from vouchers').length, before);
  await order({ validity: 'until', until: '2027-01-15', uses: 'more', usesMore: '12' });
  assert.partialDeepStrictEqual({ ...newest() }, { max_uses: 12 });
  assert.equal(endOf(newest()), '2027-01-15T10:00:00.000Z');
});

test('a site has its own check-out time and time zone', async () => {
  const fields = { name: 'New York', import: 'on', site: 'default' };
  const wrong = await anna.post(`/sites/${abroad}`, { ...fields, 'check-out': '25:00', 'time-zone': 'Mars' });
  assert.match(wrong.text, /id="check-out-error".*id="time-zone-error"/s);
  assert.match(
    wrong.text,
    /id="check-out" name="check-out" type="text" inputmode="numeric" maxlength="5" value="25:00"/,
  );
  for (const [typed, checkOut] of [
    ['930', '09:30'],
    ['9:30', '09:30'],
    ['1100', '11:00'],
  ] as const) {
    await anna.post(`/sites/${abroad}`, { ...fields, 'check-out': typed });
    assert.match(
      (await anna.get(`/sites/${abroad}`)).text,
      new RegExp(`name="check-out"[^>]*value="${checkOut}"`),
    );
  }
  const zone = { 'check-out': '10:30', 'time-zone': 'America/New_York' };
  assert.equal((await anna.post(`/sites/${abroad}`, { ...fields, ...zone })).status, 303);
  assert.match((await anna.get('/audit')).text, /Abreise bis/);
  const { location } = await order({ site: String(abroad), validity: 'nights-1' });
  assert.equal(endOf(newest()), '2026-01-16T15:30:00.000Z');
  assert.match((await anna.get(location ?? '')).text, /gültig bis Fr\.,\s16\.\sJan\.,\s10:30\sUhr/);
  const home = (await anna.get('/')).text;
  assert.match(home, /data-for="nights-1" data-check-out="10:30 America\/New_York" hidden>/);
  assert.match(home, new RegExp(`value="${abroad}"[^>]* data-check-out="10:30 America/New_York"`));
});

test('the device remembers validity and devices of each site; a query takes precedence', async () => {
  await order({ validity: 'nights-3', uses: '4' });
  await order({ site: String(abroad), validity: 'own', duration: '90', unit: 'minutes', uses: '9' });
  assert.deepEqual(await checked(), { validity: 'own', uses: 'more' });
  assert.match((await anna.get('/')).text, /name="usesMore"[^>]*value="9"/);
  assert.deepEqual(await checked('/?site=1'), { validity: 'nights-3', uses: '4' });
  assert.deepEqual(await checked('/?site=1&validity=60&uses=1'), { validity: '60', uses: '1' });
  await order({ validity: 'until', until: '2026-01-20', uses: '5' });
  assert.deepEqual(await checked('/?site=1'), { validity: 'nights-3', uses: '5' }, 'a date passes');
});

test('without JavaScript, a button loads what was chosen last at another site', async () => {
  const fields = { validity: '60', uses: '2', down: '4', switch: 'site' };
  const { location } = await order({ ...fields, site: String(abroad) });
  assert.deepEqual(await checked(location ?? ''), { validity: 'own', uses: 'more' });
  const { text } = await anna.get(location ?? '');
  assert.match(text, /name="down"[^>]*value="4"/);
  assert.match(text, /name="name"[^>]*value="Zimmer 12"/);
});

test('if the form was opened on an earlier day, the result says so', async () => {
  const noteAfter = async (shown: string, validity: string) => {
    const { location } = await order({ shown, validity });
    return /hat ein neuer Tag begonnen/.test((await anna.get(location ?? '')).text);
  };
  const [today, yesterday] = [0, 86_400_000].map((ms) => new Date(service.clock.nowMs() - ms).toISOString());
  assert.ok(today && yesterday);
  assert.equal(await noteAfter(yesterday, 'nights-2'), true);
  assert.equal(await noteAfter(today, 'nights-2'), false);
  assert.equal(await noteAfter(yesterday, '480'), false);
  assert.equal(await noteAfter('x', 'nights-2'), false);
});

test('another voucher like this one gets the same values and only a new name', async () => {
  for (const fields of [
    { validity: 'nights-7', uses: '3', down: '2' },
    { validity: 'until', until: '2026-01-20', uses: '2', down: '0' },
  ]) {
    const { location } = await order(fields);
    const { text } = await anna.get(location ?? '');
    const [, form = ''] = /<form class="again"(.*?)<\/form>/s.exec(text) ?? [];
    const hidden = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
    const kept = Object.fromEntries(hidden.map(([, name, value]) => [name, value]));
    // A date, because nights would end a day later from midnight on.
    assert.partialDeepStrictEqual(kept, { ...fields, validity: 'until' });
    const first = { ...newest() };
    const { status } = await anna.post('/vouchers', { ...kept, name: 'Zimmer 13' });
    assert.equal(status, 303);
    const { ends_at_s, max_uses, down_kbps } = first;
    assert.partialDeepStrictEqual({ ...newest() }, { ends_at_s, max_uses, down_kbps });
    assert.match(String(newest().name), /_Zimmer 13$/);
  }
});

test('a profile for nights is refused while an instance of an older release runs', async () => {
  const nowMs = service.clock.nowMs();
  service.change(
    `insert into instances (id, name, release, schema_version, started_at_ms, seen_at_ms) values ('old', 'old:1', '0.2.0', 1, ${nowMs}, ${nowMs})`,
  );
  const nights = { name: 'Woche', uses: '2', duration: '7', unit: 'nights' };
  assert.match((await anna.post('/profiles', nights)).text, /läuft noch mit Version 0\.2\.0/);
  assert.equal((await anna.post('/profiles', { ...nights, unit: 'days' })).status, 303);
  service.change(`delete from instances where name = 'old:1'`);
});

test('a profile can last for nights', async () => {
  await anna.post('/profiles', { name: 'Wochenende', uses: '2', duration: '2', unit: 'nights' });
  await anna.post('/profiles', { name: 'Kur', uses: '1', duration: '21', unit: 'nights' });
  assert.match((await anna.get('/profiles')).text, /2 Geräte, bis Abreise nach 2 Nächten/);
  assert.match(
    (await anna.post('/profiles', { name: 'Ewig', duration: '366', unit: 'nights' })).text,
    /id="duration-error">Eine ganze Zahl von 1 bis 365\./,
  );
  const profileOf = (name: string) =>
    String(service.rows(`select id from profiles where name = '${name}'`)[0]?.id);
  const edit = (await anna.get(`/profiles/${profileOf('Kur')}`)).text;
  assert.match(edit, /name="duration"[^>]*value="21".*value="nights" selected/s);
  const chosen = async (name: string) => (await order({ profile: profileOf(name) })).location ?? '';
  assert.equal((await checked(await chosen('Wochenende'))).validity, 'nights-2');
  assert.match(await chosen('Kur'), /validity=until&until=2026-02-05/);
});

test('after its end a voucher is expired', async () => {
  await order({ validity: 'nights-1' });
  const { id } = newest();
  service.clock.advance(DAY_MS);
  anna = await loggedIn(service, 'anna@example.org');
  assert.match((await anna.get(`/vouchers/${id}`)).text, /abgelaufen/);
});
