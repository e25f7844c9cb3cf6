// Request bodies that do not arrive: a network that begins many of them keeps nobody else out, bodies that stall or
// trickle are refused with 408, and a body that arrives slowly but steadily is accepted.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BegunPost, beginPost, requestFrom } from '../../support/slow-requests.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';
import { addUser, loggedIn, type WebClient } from '../../web/web-client.ts';

const [ATTACKER, OTHERS] = ['127.0.0.2', '127.0.0.1'];
const ORDER = '{"site_id":1,"name":"x"}';
/** The attack alone would fill the service. */
const CROWDED = { maxConcurrentRequests: 60, maxPerNetwork: 10, maxUnknown: 20, maxPerCaller: 30 };
const IMPATIENT = { stallMs: 100, checkEveryMs: 10, minBytesPerS: 20_000, maxDiscardMs: 200 };
const MANY = 150;

let crowded: TestService;
let impatient: TestService;
let receptionist: WebClient;
before(async () => {
  crowded = await startTestService({ limits: { ...CROWDED, stallMs: 600_000, maxDiscardMs: 600_000 } });
  await addUser(crowded, 'theke@example.org', 'admin');
  receptionist = await loggedIn(crowded, 'theke@example.org');
  impatient = await startTestService({ limits: IMPATIENT });
});
after(() => Promise.all([crowded.stop(), impatient.stop()]));

const cookieOf = ({ cookies }: WebClient) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

async function untilOpen(posts: BegunPost[], count: number): Promise<void> {
  await until(() => posts.filter(({ socket }) => !socket.closed).length <= count);
}

function assertRefused(posts: BegunPost[]): void {
  for (const { respond } of posts) assert.match(respond(), /^HTTP\/1\.1 408 .*\r\nconnection: close\r\n/is);
}

/** The requests that arrived while the service was full for a moment have got 503. */
function assertClosedOnesResponded(posts: BegunPost[]): void {
  for (const { socket, respond } of posts)
    if (socket.closed) assert.match(respond(), /^HTTP\/1\.1 (408|503) /);
}

async function assertAllServed(from: string): Promise<void> {
  const bearer = { authorization: `Bearer ${crowded.keyText}` };
  const order = { from, method: 'POST', headers: bearer, body: ORDER };
  assert.equal((await requestFrom(`${crowded.api}/vouchers.php`, order)).status, 201);
  const list = `${crowded.api}/vouchers.php?site_id=1`;
  assert.equal((await requestFrom(list, { from, headers: bearer })).status, 200);

  const cookie = cookieOf(receptionist);
  const page = await requestFrom(`${crowded.url}/`, { from, headers: { cookie } });
  assert.equal(page.status, 200);
  const token = /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  const form = {
    from,
    method: 'POST',
    body: new URLSearchParams({ token, site: '1', name: 'x' }).toString(),
  };
  const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
  assert.equal((await requestFrom(`${crowded.url}/vouchers`, { ...form, headers })).status, 303);
  // Not signed in: the form has no valid token, but it is read.
  assert.equal((await requestFrom(`${crowded.url}/login`, { ...form, headers: {} })).status, 403);
}

for (const [says, path, headers] of [
  ['logins', '/login', []],
  ['orders with unknown keys', '/api/vouchers.php', ['X-API-Key: gpk_x']],
  ['requests for unknown pages', '/nowhere', []],
] as const)
  test(`many unfinished ${says} of one network hold up neither that network nor others`, async () => {
    const posts = Array.from({ length: MANY }, () =>
      beginPost(crowded.url, path, { from: ATTACKER, headers: [...headers] }),
    );
    await untilOpen(posts, CROWDED.maxPerNetwork);
    for (const from of [OTHERS, ATTACKER]) await assertAllServed(from);
    if (path === '/login') assertClosedOnesResponded(posts);
    for (const { socket } of posts) socket.destroy();
  });

test('unfinished logins of many networks are limited together', async () => {
  const posts = Array.from({ length: 3 * CROWDED.maxUnknown }, (_, index) =>
    beginPost(crowded.url, '/login', { from: `127.0.1.${index + 1}` }),
  );
  await untilOpen(posts, CROWDED.maxUnknown);
  await assertAllServed(OTHERS);
  assertClosedOnesResponded(posts);
  for (const { socket } of posts) socket.destroy();
});

test('unfinished orders of one key hold up no other key', async () => {
  const key = await crowded.issueKey('write', 0, 'Other');
  const headers = [`X-API-Key: ${key}`];
  const posts = Array.from({ length: MANY }, () => beginPost(crowded.url, '/api/vouchers.php', { headers }));
  await untilOpen(posts, CROWDED.maxPerCaller);
  await assertAllServed(OTHERS);
  assertClosedOnesResponded(posts);
  for (const { socket } of posts) socket.destroy();
});

test('a body that stalls is refused with 408, and the connection is closed', async () => {
  const posts = [
    beginPost(impatient.url, '/api/vouchers.php', { headers: [`X-API-Key: ${impatient.keyText}`] }),
    beginPost(impatient.url, '/login'),
  ];
  await Promise.all(posts.map(({ closed }) => closed));
  assertRefused(posts);
  assert.match(posts[0]?.respond() ?? '', /"error":"request_timeout"/);
  assert.match(posts[1]?.respond() ?? '', /Die Daten kamen zu langsam an/);
  assert.deepEqual(impatient.rows('select id from intents'), []);
});

test('a body that arrives byte by byte is refused too', async () => {
  const post = beginPost(impatient.url, '/login');
  const trickling = setInterval(() => post.socket.write('x'), 5);
  await post.closed;
  clearInterval(trickling);
  assertRefused([post]);
});

test('a body that is discarded after a refusal is given up after a while', async () => {
  const post = beginPost(impatient.url, '/api/vouchers.php', { contentLength: 1e9 });
  const sending = setInterval(() => post.socket.write('x'.repeat(10_000)), 5);
  await post.closed;
  clearInterval(sending);
  assert.match(post.respond(), /^HTTP\/1\.1 401 /);
});

test('a body that arrives slowly but steadily is accepted, however long it takes', async () => {
  const [chunks, chunkBytes] = [40, 1_000];
  const body = ORDER.slice(1).padEnd(chunks * chunkBytes);
  const headers = [`X-API-Key: ${impatient.keyText}`, 'Connection: close'];
  const post = beginPost(impatient.url, '/api/vouchers.php', { headers, contentLength: 1 + body.length });
  for (let sent = 0; sent < body.length; sent += chunkBytes) {
    await sleep(IMPATIENT.checkEveryMs);
    post.socket.write(body.slice(sent, sent + chunkBytes));
  }
  await post.closed;
  assert.match(post.respond(), /^HTTP\/1\.1 201 /);
});
