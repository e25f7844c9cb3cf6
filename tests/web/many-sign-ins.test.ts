// Very many sign-ins at the same time: the rightful one gets in, the crowd gets a clear answer, guesses sent
// together have no more tries than one after the other, and the service stops without checking them all.

import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import { de } from '../../src/web/i18n/de.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, makeWebClient, PASSWORD, type Page, type WebClient } from './web-client.ts';

const AT_ONCE = 60;
/** One is checked, fifty wait. */
const TAKEN_IN = 51;
/** So many times slower than it is. */
const SLOWED = 4;

let service: TestService;
let isStopped = false;
before(async () => {
  // Hashing rests for as long as it takes, and who waits for more than ten seconds is sent away: on a machine where one
  // hash takes two seconds that would be everybody. To the service time passes more slowly.
  const reallyNow = performance.now.bind(performance);
  const startedAt = reallyNow();
  mock.method(performance, 'now', () => startedAt + (reallyNow() - startedAt) / SLOWED);
  service = await startTestService({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  for (const name of ['ada', 'ben']) await addUser(service, `${name}@example.org`, 'operator');
});
after(async () => {
  if (!isStopped) await service.stop();
});

/** Has been at the door, so that all its forms carry one token. */
async function atDoor(): Promise<WebClient> {
  const webClient = makeWebClient(service);
  await webClient.get('/login');
  return webClient;
}

function signIn(webClient: WebClient, email: string, password: string, address: string): Promise<Page> {
  return webClient.post('/login', { email, password }, { 'x-forwarded-for': address });
}

test('guesses at an account that are sent together have no more tries than one after the other', async () => {
  const crowd = await atDoor();
  const pages = await Promise.all(
    Array.from({ length: 20 }, (_, i) => signIn(crowd, 'ben@example.org', `falsch ${i}`, `192.0.2.${i}`)),
  );
  assert.equal(pages.filter(({ status }) => status === 401).length, 5);
  assert.equal(pages.filter(({ status }) => status === 429).length, 15);
});

test('sixty sign-ins at once: some are asked to come back, the rightful one is next, and all end when the service does', async () => {
  const crowd = await atDoor();
  const answered: Page[] = [];
  const sent = Array.from({ length: AT_ONCE }, async (_, i) => {
    answered.push(await signIn(crowd, `guess${i}@example.org`, 'falsch', '192.0.2.99'));
  });
  const refused = () => answered.filter(({ status }) => status === 503);
  const checked = () => answered.filter(({ status }) => status === 401).length;
  const list = async () => assert.equal((await service.call('GET', 'vouchers.php?site_id=1')).status, 200);

  while (refused().length < AT_ONCE - TAKEN_IN) await list();
  for (const { text, headers } of refused()) {
    assert.ok(text.includes(de.signIn.busy));
    assert.equal(headers.get('retry-after'), '5');
  }

  const rightful = await atDoor();
  const before = checked();
  assert.equal((await signIn(rightful, 'ada@example.org', PASSWORD, '192.0.2.50')).status, 303);
  assert.ok(checked() - before <= 2, 'only who was being checked came first');

  await Promise.all([service.stop(), ...sent]);
  isStopped = true;
  assert.equal(answered.length, AT_ONCE);
  assert.equal(checked() + refused().length, AT_ONCE);
  assert.ok(refused().length >= AT_ONCE / 2, 'they were not all checked before the service stopped');
});
