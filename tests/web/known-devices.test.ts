// Tests known devices: how long their cookie lasts, that a change of the own password renews it, and how many of them a
// browser keeps. Also that a login with a code ends the session that it replaces.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../support/test-service.ts';
import { enrol } from './enrolled.ts';
import { addUser, loggedIn, makeWebClient, PASSWORD, type WebClient } from './web-client.ts';

const DAY_MS = 24 * 3_600_000;
const NEXT_PASSWORD = 'lang genug ist das';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

/** Attacks the account from the network of the test, and tells whether the browser can log in nevertheless. */
async function isKnown(webClient: WebClient, email: string, password = PASSWORD): Promise<boolean> {
  webClient.cookies.delete('gastpass');
  for (let turn = 0; turn < 5; turn++) await makeWebClient(service).login(email, 'falsch');
  assert.equal((await makeWebClient(service).login(email, password)).status, 429);
  return (await webClient.login(email, password)).status === 303;
}
const devicesIn = ({ cookies }: WebClient) => [...cookies.keys()].filter((name) => name.includes('-device-'));

test('a device is known for 180 days, even if the browser keeps its cookie longer', async () => {
  const email = 'ada@example.org';
  await addUser(service, email, 'operator');
  const [webClient, later] = [await loggedIn(service, email), makeWebClient(service)];
  for (const [name, value] of webClient.cookies) later.cookies.set(name, value);
  service.clock.advance(180 * DAY_MS - 1);
  assert.equal(await isKnown(webClient, email), true);
  service.clock.advance(1);
  assert.equal(await isKnown(later, email), false);
});

test('a device stays known after its user has changed the own password; other devices do not', async () => {
  const email = 'ben@example.org';
  await addUser(service, email, 'operator');
  const [here, elsewhere] = [await loggedIn(service, email), await loggedIn(service, email)];
  const fields = { 'current-password': PASSWORD, 'next-password': NEXT_PASSWORD };
  assert.equal((await here.post('/account/password', fields)).status, 303);
  assert.equal(await isKnown(here, email, NEXT_PASSWORD), true);
  assert.equal(await isKnown(elsewhere, email, NEXT_PASSWORD), false);
});

test('a browser keeps the cookies of the five users who logged in last', async () => {
  const webClient = makeWebClient(service);
  const ids: number[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
    ids.push(await addUser(service, `${name}@example.org`, 'operator'));
    await webClient.login(`${name}@example.org`);
    service.clock.advance(1_000);
    // The first user logs in again, so the second user is the oldest.
    if (name === 'c') await webClient.login('a@example.org');
    service.clock.advance(1_000);
  }
  const kept = ids.filter((_, index) => index !== 1).map((id) => `gastpass-device-${id}`);
  assert.deepEqual(devicesIn(webClient).toSorted(), kept.toSorted());
});

test('a login with a code ends the session that it replaces', async () => {
  const email = 'coded@example.org';
  await addUser(service, email, 'operator');
  const webClient = await loggedIn(service, email);
  const { nextCode } = await enrol(service, webClient);
  const replaced = webClient.cookies.get('gastpass') ?? '';
  await webClient.login(email);
  assert.equal((await webClient.get('/account')).status, 200, 'the session lasts until the code is right');
  assert.equal((await webClient.post('/login/code', { code: nextCode() })).status, 303);
  assert.equal((await webClient.get('/account')).status, 200);
  webClient.cookies.set('gastpass', replaced);
  assert.equal((await webClient.get('/account')).status, 303);
});
