// Tests errors that the pages do not handle: the response has a request id, and the log explains the error under it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { guestPages } from '../../src/features/guest-pages/guest-page-pages.ts';
import { problemResponse } from '../../src/kernel/contract/problem-response.ts';
import type { App } from '../../src/kernel/pages/app.ts';
import { makeServePage } from '../../src/kernel/pages/page-app.ts';
import type { Route } from '../../src/kernel/pages/route.ts';
import { DEFAULT_SETTINGS } from '../../src/kernel/settings/settings.ts';
import { drain, listen } from '../../src/platform/http/listen.ts';
import { makeServer } from '../../src/platform/http/server.ts';
import { makeLog } from '../../src/platform/log/make-log.ts';
import { DatabaseUnavailable } from '../../src/platform/values/database-unavailable.ts';

const logLines: Record<string, unknown>[] = [];
const log = makeLog('info', { write: (line) => void logLines.push(JSON.parse(line)) });

/** Hono rethrows everything that is not an Error. */
const routes: Route[] = [
  { method: 'GET', path: '/broken', permission: 'anyone', run: () => Promise.reject('out of order') },
  { method: 'GET', path: '/failing', permission: 'anyone', run: () => Promise.reject(new Error('failed')) },
];
const isDraining = () => false;
/** Only what a page without a user needs. */
const app: Partial<App> = {
  settings: { read: async () => DEFAULT_SETTINGS, change: async () => {} },
  proxyAuthHeader: undefined,
  clock: { nowMs: () => 0 },
  timeZone: 'Europe/Berlin',
  basePath: '/api',
  environmentPublicUrl: undefined,
  isDraining,
  log,
  openGuestPage: async () => {
    throw new DatabaseUnavailable(new Error('no answer'));
  },
};
const servePage = makeServePage(app as App, {
  routes,
  features: [guestPages],
  showSessionEnded: async () => new Response(),
});
const server = makeServer({
  presentProblem: problemResponse,
  handlers: {},
  servePage: async (message, response, request) => {
    if (message.url === '/not-loaded') throw new Error('the pages cannot be loaded');
    await servePage(message, response, request);
  },
  log,
  trustedProxies: [],
  observeRequest: () => {},
  isDraining,
  isRefusing: () => false,
});
let url: string;
before(async () => {
  url = await listen(server, { host: '127.0.0.1', port: 0 });
});
after(() => drain(server));

test('an error outside the page app is logged under the request id of the response', async () => {
  const response = await fetch(`${url}/broken`);
  assert.equal(response.status, 503);
  const requestId = response.headers.get('x-request-id');
  assert.ok(requestId);
  const failed = logLines.filter(({ msg }) => msg === 'page failed');
  assert.equal(failed.length, 1);
  assert.partialDeepStrictEqual(failed[0], { level: 'error', requestId, err: 'out of order' });
});

test('an error page has one sentence as its heading, and the request id below it', async () => {
  const response = await fetch(`${url}/failing`, { headers: { accept: 'text/html' } });
  assert.equal(response.status, 500);
  const text = await response.text();
  assert.match(text, /<title>Ein Fehler ist aufgetreten\. · /);
  const [, number] = /<h1>Ein Fehler ist aufgetreten\.<\/h1><p>[^<]*: ([^<]+)<\/p>/.exec(text) ?? [];
  assert.equal(number, response.headers.get('x-request-id'));
});

test('an error before the page app is logged with a request id too', async () => {
  await assert.rejects(fetch(`${url}/not-loaded`));
  const [line] = logLines.filter(({ msg }) => msg === 'a response could not be written');
  assert.match(String(line?.requestId), /^[\w-]{8,}$/);
});

test('while the database is away, a guest reads that the page is not available, and the log has no token', async () => {
  const token = 'a'.repeat(32);
  const response = await fetch(`${url}/g/${token}`);
  assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '10']);
  assert.match(await response.text(), /<h1>Die Seite ist gerade nicht erreichbar\.<\/h1>/);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.deepEqual(response.headers.getSetCookie(), []);
  assert.ok(!JSON.stringify(logLines).includes(token));
});
