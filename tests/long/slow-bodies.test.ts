// 5,001 connections of one network begin a POST and do not finish it. The service keeps serving everybody else at once,
// closes nearly all of these connections, and needs little memory for the rest.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeFolder, type RunningGastpass, startGastpass } from '../support/run-gastpass.ts';
import { type BegunPost, beginPost, requestFrom } from '../support/slow-requests.ts';
import { until } from '../support/until.ts';

const [ATTACKER, OTHERS] = ['127.0.0.2', '127.0.0.1'];
const CONNECTIONS = 5_001;
/** The limit for each network. */
const MAX_OPEN = 100;
/**
 * A heap that 5,001 pending requests would exceed. Node collects garbage early then, so the memory shows what is kept.
 */
const HEAP = '--max-old-space-size=80';
const MAX_GROWTH_MB = 100;

const { folder, remove } = makeFolder();
let service: RunningGastpass;
let key: string;
let cookie: string;
const posts: BegunPost[] = [];
before(async () => {
  service = await startGastpass({ dataDir: folder, nodeOptions: [HEAP] });
  const word = (label: string) => new RegExp(`${label} +(\\S+)`).exec(service.stdout())?.[1] ?? '';
  key = word('API key');
  const login = await fetch(`${service.url}/login`);
  cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const token = /name="token" value="([^"]+)"/.exec(await login.text())?.[1] ?? '';
  const loggedIn = await fetch(`${service.url}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie },
    body: new URLSearchParams({ token, email: word('Administrator'), password: word('Password') }),
  });
  cookie = loggedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
});
after(async () => {
  for (const { socket } of posts) socket.destroy();
  await service.stop();
  remove();
});

async function memoryMb(): Promise<number> {
  const { text } = await requestFrom(`${service.url}/metrics`, { from: OTHERS });
  return Number(/process_resident_memory_bytes (\d+)/.exec(text)?.[1]) / 1e6;
}

/** The statuses of an order, a list and two pages. */
async function statuses(from: string): Promise<number[]> {
  const vouchers = `${service.url}/api/vouchers.php`;
  const headers = { authorization: `Bearer ${key}` };
  const responses = await Promise.all([
    requestFrom(vouchers, { from, headers, method: 'POST', body: '{"site_id":1,"name":"x"}' }),
    requestFrom(`${vouchers}?site_id=1`, { from, headers }),
    requestFrom(`${service.url}/overview`, { from, headers: { cookie } }),
    requestFrom(`${service.url}/login`, { from }),
  ]);
  return responses.map(({ status }) => status);
}

const TAKES_MINUTES = { patienceMs: 10 * 60_000 };

test('5,001 unfinished requests of one network hold nobody up', async (t) => {
  for (let round = 0; round < 50; round++) assert.deepEqual(await statuses(OTHERS), [201, 200, 200, 200]);
  const before = await memoryMb();
  let highest = before;
  const isOpen = ({ socket }: BegunPost) => !socket.closed;
  await until(async () => {
    for (let count = 0; count < 500 && posts.length < CONNECTIONS; count++)
      posts.push(beginPost(service.url, '/login', { from: ATTACKER }));
    for (const from of [OTHERS, ATTACKER]) assert.deepEqual(await statuses(from), [201, 200, 200, 200]);
    highest = Math.max(highest, await memoryMb());
    return posts.length >= CONNECTIONS && posts.filter(isOpen).length <= MAX_OPEN;
  }, TAKES_MINUTES);
  for (const post of posts) if (!isOpen(post)) assert.match(post.respond(), /^HTTP\/1\.1 408 /);
  t.diagnostic(`resident memory ${before.toFixed(0)} MB, during the attack at most ${highest.toFixed(0)} MB`);
  assert.ok(highest - before < MAX_GROWTH_MB, `${before.toFixed(0)} MB → ${highest.toFixed(0)} MB`);
});
