// Tests very many logins at the same time: a legitimate user can log in, other logins get a clear response, parallel
// guesses get no more attempts than sequential ones, and the service stops without checking all of them.

import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import { de } from '../../../src/kernel/texts/messages-de.ts';
import { hashAtFullCost } from '../../support/cheap-passwords.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { addUser, makeWebClient, PASSWORD, type Page, type WebClient } from '../../web/web-client.ts';

/** More than may wait: one login is checked and 200 wait. */
const AT_ONCE = 240;
/** The factor by which time passes more slowly for the service. */
const SLOWED = 4;

let service: TestService;
let isStopped = false;
before(async () => {
  // The service rests after each hash in proportion to its duration, and refuses a login that has waited for more than
  // thirty seconds. On a machine where a hash takes two seconds, it would refuse some logins, so the clock is slower.
  hashAtFullCost(true);
  const reallyNow = performance.now.bind(performance);
  const startedAt = reallyNow();
  mock.method(performance, 'now', () => startedAt + (reallyNow() - startedAt) / SLOWED);
  service = await startTestService({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  for (const name of ['ada', 'ben']) await addUser(service, `${name}@example.org`, 'operator');
});
after(async () => {
  hashAtFullCost(false);
  if (!isStopped) await service.stop();
});

/** A client that has loaded the login page, so that all its forms carry the same token. */
async function atDoor(): Promise<WebClient> {
  const webClient = makeWebClient(service);
  await webClient.get('/login');
  return webClient;
}

function login(webClient: WebClient, email: string, password: string, address: string): Promise<Page> {
  return webClient.post('/login', { email, password }, { 'x-forwarded-for': address });
}

test('parallel guesses at an account get no more attempts than sequential guesses', async () => {
  const crowd = await atDoor();
  const pages = await Promise.all(
    Array.from({ length: 20 }, (_, i) => login(crowd, 'ben@example.org', `falsch ${i}`, '192.0.2.7')),
  );
  assert.equal(pages.filter(({ status }) => status === 401).length, 5);
  assert.equal(pages.filter(({ status }) => status === 429).length, 15);
});

test('of 240 parallel logins some get 503, a legitimate one is checked next, and a stop ends all', async () => {
  const crowd = await atDoor();
  const responded: Page[] = [];
  const sent = Array.from({ length: AT_ONCE }, async (_, i) => {
    responded.push(await login(crowd, `guess${i}@example.org`, 'falsch', '192.0.2.99'));
  });
  const refused = () => responded.filter(({ status }) => status === 503);
  const checked = () => responded.filter(({ status }) => status === 401).length;
  const list = async () => assert.equal((await service.call('GET', 'vouchers.php?site_id=1')).status, 200);

  while (refused().length === 0) await list();
  for (const { text, headers } of refused()) {
    assert.ok(text.includes(de.login.busy));
    assert.equal(headers.get('retry-after'), '5');
  }

  const rightful = await atDoor();
  const before = checked();
  assert.equal((await login(rightful, 'ada@example.org', PASSWORD, '192.0.2.50')).status, 303);
  assert.ok(checked() - before <= 2, 'only logins that were already being checked came first');

  await Promise.all([service.stop(), ...sent]);
  isStopped = true;
  assert.equal(responded.length, AT_ONCE);
  assert.ok(responded.every(({ status }) => [401, 429, 503].includes(status)));
  assert.ok(checked() < AT_ONCE / 2, 'not all logins were checked before the service stopped');
});
