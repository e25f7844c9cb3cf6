// Tests the reserve on the page of a site: the suggestion, the form and its errors, and what is said about its state.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asSiteId, type ProfileId } from '../../../src/kernel/ids.ts';
import { TESTER } from '../../support/actors.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { addUser, loggedIn, type WebClient } from '../web-client.ts';

const LIMITS = { maxUses: 2, expireMinutes: 24 * 60, downKbps: 0, upKbps: 0, quotaMb: 0 };

let service: TestService;
let anna: WebClient;
let dayId: ProfileId;
let nightsId: ProfileId;
before(async () => {
  service = await startTestService({ jobs: false });
  const { profiles } = service.beside;
  const audit = { actor: TESTER, atMs: service.clock.nowMs() };
  dayId = await profiles.add({ name: '1 Tag', ...LIMITS, siteIds: [] }, audit);
  nightsId = await profiles.add({ name: 'Urlaub', ...LIMITS, nights: 3, siteIds: [] }, audit);
  await addUser(service, 'anna@example.org', 'admin');
  anna = await loggedIn(service, 'anna@example.org');
});
after(() => service.stop());

const siteId = asSiteId(1);
const save = (reserve: string, profile: string | number = 'standard') =>
  anna.post('/sites/1/reserve', { reserve, 'reserve-profile': String(profile) });
const stored = async () => {
  const { wanted, profileId } = await service.beside.reserves.find(siteId);
  return [wanted, profileId];
};

test('the page suggests 20 vouchers of a profile that can be made ahead', async () => {
  const { text } = await anna.get('/sites/1');
  assert.match(text, /<h2>Reserve<\/h2>/);
  assert.match(text, /name="reserve" [^>]*value="20"/);
  assert.match(text, new RegExp(`<option value="${dayId}" selected>`));
  assert.doesNotMatch(text, new RegExp(`<option value="${nightsId}"`));
  assert.deepEqual(await stored(), [0, null]);
});

test('wrong input is refused, kept and explained', async () => {
  for (const typed of ['', '-1', '501', '2.5', '12345', 'zwanzig']) {
    const { status, text } = await save(typed);
    assert.equal(status, 422, typed);
    assert.match(text, /ganze Zahl von 0 bis 500/);
    assert.match(text, new RegExp(`name="reserve" [^>]*value="${typed}"`));
  }
  assert.match((await save('5', nightsId)).text, /„Bis Abreise“ ist hier nicht möglich/);
  assert.match((await save('5', 4711)).text, /Dieses Profil gibt es an diesem Standort nicht/);
  assert.deepEqual(await stored(), [0, null]);
});

test('a change is stored with one audit entry, and an equal one without', async () => {
  const entries = () => service.rows(`select details from audit where action = 'site.reserve-changed'`);
  assert.equal((await save('500', dayId)).status, 303);
  assert.equal((await save('500', dayId)).status, 303);
  assert.deepEqual(await stored(), [500, dayId]);
  assert.equal(entries().length, 1);
  const { text } = await anna.get('/audit');
  assert.match(text, /hat die Reserve von .*geändert: Voucher in Reserve: 500; Profil: „1 Tag“/);
});

test('the page says how many are ready, and what keeps the reserve from filling up', async () => {
  assert.match((await anna.get('/sites/1')).text, /0 von 500/);
  assert.match((await anna.get('/sites/1')).text, /wird gerade aufgefüllt/);
  await service.beside.syncs.noteFailure(siteId, 'no route', 'nobody-answers');
  assert.match((await anna.get('/sites/1')).text, /nicht aufgefüllt: Die Konsole antwortet nicht\./);
  await service.beside.syncs.noteSuccess(siteId);
  const audit = { actor: TESTER, atMs: service.clock.nowMs() };
  await service.beside.sites.change(siteId, { active: false }, audit);
  assert.match((await anna.get('/sites/1')).text, /Der Standort ist inaktiv: Die Reserve/);
  await service.beside.sites.change(siteId, { active: true }, audit);
  await service.beside.profiles.remove(dayId, audit);
  const { text } = await anna.get('/sites/1');
  assert.match(text, /Das Profil der Reserve wurde gelöscht/);
  assert.match((await save('400', dayId)).text, /Dieses Profil gibt es an diesem Standort nicht/);
  assert.equal((await save('0', dayId)).status, 303);
  assert.deepEqual(await stored(), [0, null]);
});
