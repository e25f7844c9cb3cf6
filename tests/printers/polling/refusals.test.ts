// Tests what the paths of printers refuse, and that neither their secrets nor the queries of printers are written down.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MAX_REQUESTS } from '../../../src/features/printers/open-polling-path.ts';
import type { PolledJobs } from '../../../src/features/printers/polled-jobs.ts';
import { makeCloudprntHandler } from '../../../src/features/printers/polling/cloudprnt-handler.ts';
import { makeEpsonHandler } from '../../../src/features/printers/polling/epson-handler.ts';
import { SILENT_AFTER_MS, stateNow } from '../../../src/features/printers/printer-state.ts';
import { MAX_WRONG } from '../../../src/platform/network/network-floods.ts';
import { DatabaseUnavailable } from '../../../src/platform/values/database-unavailable.ts';
import { rawRequest } from '../../support/raw-request.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import {
  addPollingPrinter,
  addTestPage,
  auditOf,
  makeEpson,
  makeStar,
  type PollingPrinter,
  READY,
  servePrinters,
  stateOf,
} from './polling-ground.ts';

const MINUTE_MS = 60_000;
const OTHER_NETWORK = '203.0.113.9';

let service: TestService;
let star: PollingPrinter;
let epson: PollingPrinter;

before(async () => {
  service = await startTestService({
    jobs: false,
    pace: 1,
    environment: { TRUSTED_PROXIES: '127.0.0.1' },
    limits: { stallMs: 200, checkEveryMs: 50 },
  });
  star = await addPollingPrinter(service, 'cloudprnt');
  epson = await addPollingPrinter(service, 'epson');
});
after(() => service.stop());

const ask = (path: string, init: RequestInit & { ip?: string } = {}) =>
  fetch(service.url + path, {
    ...init,
    headers: { 'x-forwarded-for': init.ip ?? '198.51.100.7', ...init.headers },
  });
const post = (path: string, body: string | Uint8Array<ArrayBuffer> = '{}') =>
  ask(path, { method: 'POST', body });

async function statusOf({ printer }: PollingPrinter) {
  const found = (await service.beside.printers.find(printer.id)) ?? assert.fail('no printer');
  return { ...found, shown: stateNow(found, service.clock.nowMs()) };
}

test('a wrong path is not found, whatever is wrong with it', async () => {
  const wrong = [
    star.path.replace('cloudprnt', 'epson'),
    `${star.path.slice(0, -1)}!`,
    star.path.slice(0, -1),
    `/print/cloudprnt/${'a'.repeat(32)}`,
    `/print/cloudprnt/${'a'.repeat(5_000)}`,
    '/print/cloudprnt/',
    '/print/cloudprnt/%',
    '/print/escpos/x',
    `${star.path}/cloudprnt-setting.json`,
    '/print',
  ];
  const responses = await Promise.all(
    wrong.map(async (path) => {
      const response = await post(path);
      return `${response.status} ${await response.text()}`;
    }),
  );
  assert.deepEqual(new Set(responses).size, 1, responses.join('\n'));
  assert.match(responses[0] ?? '', /^404 /);

  const renewed = await addPollingPrinter(service, 'cloudprnt');
  await service.beside.printers.remove(renewed.printer.id, auditOf(service));
  assert.equal((await post(renewed.path)).status, 404);
});

test('other methods are refused, and HEAD hands out nothing', async () => {
  const job = await addTestPage(service, star);
  for (const [{ path }, methods, allowed] of [
    [star, ['HEAD', 'PUT', 'PATCH', 'OPTIONS'], 'POST, GET, DELETE'],
    [epson, ['GET', 'HEAD', 'DELETE'], 'POST'],
  ] as const)
    for (const method of methods) {
      const response = await ask(path, { method });
      assert.deepEqual([response.status, response.headers.get('allow')], [405, allowed], method);
    }
  assert.equal(await stateOf(service, job), 'queued');
  await service.beside.printJobs.cancel(job, auditOf(service));
});

test('a body that is malformed, too large or too slow is refused', async () => {
  for (const { path } of [star, epson]) {
    for (const body of ['', '{}', '[]', 'null', 'ConnectionType=x', '\u0000', 'ConnectionType=SetResponse'])
      assert.equal((await post(path, body)).status, 400, body);
    assert.equal((await post(path, new Uint8Array(64 * 1024))).status, 400);
    assert.equal((await post(path, new Uint8Array(64 * 1024 + 1))).status, 413);
    const slow = await rawRequest(
      service.url,
      `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 900\r\n\r\n{"statusCode"`,
    );
    assert.match(slow, /^HTTP\/1.1 408 /);
  }
});

test('only our own media type and job are fetched', async () => {
  const job = await addTestPage(service, star);
  const other = await addPollingPrinter(service, 'cloudprnt');
  const statusFor = async (query: string, path = star.path) => (await ask(`${path}?${query}`)).status;
  assert.equal(await statusFor('type=text/plain'), 415);
  assert.equal(await statusFor(`token=${job}`, other.path), 404, 'the job of another printer');
  for (const token of ['x', '-1', '1e3', `${job}x`, '9'.repeat(400)])
    assert.equal(await statusFor(`token=${token}`), 404, token);
  assert.equal((await ask(`${other.path}?code=510&token=${job}`, { method: 'DELETE' })).status, 200);
  assert.equal((await ask(`${star.path}?code=510&token=x`, { method: 'DELETE' })).status, 404);
  assert.equal(await stateOf(service, job), 'queued');
  assert.equal(await statusFor('type=image/png;%20x=y'), 200);
  await makeStar(service.url, star).confirm('200 OK');
});

test('a printer that reports a fault gets no job', async () => {
  const { offered } = makeStar(service.url, star);
  const poll = offered.bind(makeStar(service.url, star));
  const job = await addTestPage(service, star);
  for (const [statusCode, state] of [
    ['410%20Out%20of%20paper', 'paper-out'],
    ['420%20Cover%20open', 'cover-open'],
    ['500%20Offline', 'fault'],
  ] as const) {
    assert.equal(await poll({ statusCode }), undefined);
    assert.equal((await statusOf(star)).status?.state, state);
  }
  assert.equal((await statusOf(star)).status?.words, '500 Offline');
  assert.equal(await poll(), String(job));
  assert.partialDeepStrictEqual((await statusOf(star)).status, { state: 'ready', words: null });
  await service.beside.printJobs.cancel(job, auditOf(service));
});

test('a printer is noted at most every ten seconds, and silent when it asks no more', async () => {
  const { poll } = makeStar(service.url, star);
  const seen = async () => (await statusOf(star)).seenAtMs;
  service.clock.advance(MINUTE_MS);
  await poll();
  const first = service.clock.nowMs();
  service.clock.advance(9_000);
  await poll();
  assert.equal(await seen(), first);
  service.clock.advance(1_000);
  await poll();
  assert.equal(await seen(), first + 10_000);
  service.clock.advance(SILENT_AFTER_MS);
  assert.equal((await statusOf(star)).shown.state, 'ready');
  service.clock.advance(1);
  assert.deepEqual((await statusOf(star)).shown, { state: 'silent', words: null, sinceMs: first + 10_000 });
  await poll();
  assert.equal((await statusOf(star)).shown.state, 'ready');
});

test('what became of a job decides its state', async () => {
  const { offered, get, confirm } = makeStar(service.url, star);
  const poll = offered.bind(makeStar(service.url, star));
  for (const [code, state] of [
    ['410 Out of paper', 'unknown'],
    ['511 Media decoding error', 'unknown'],
    ['510 Incompatible media type', 'failed'],
    ['520 Timeout', 'queued'],
  ] as const) {
    const job = await addTestPage(service, star);
    const token = await poll();
    await (await get(token)).arrayBuffer();
    await confirm(code, token);
    assert.equal(await stateOf(service, job), state, code);
    service.clock.advance(MINUTE_MS);
    if (state === 'queued') assert.equal(await poll(), String(job), 'offered again');
  }

  const printer = makeEpson(service.url, epson);
  for (const [code, state, shown] of [
    ['EPTR_REC_EMPTY', 'unknown', 'paper-out'],
    ['EPTR_COVER_OPEN', 'unknown', 'cover-open'],
    ['SchemaError', 'failed', 'cover-open'],
    ['DeviceNotFound', 'queued', 'cover-open'],
  ] as const) {
    const job = await addTestPage(service, epson);
    assert.notEqual(await printer.poll(), '');
    await printer.result(job, `success="false" code="${code}"`);
    assert.equal(await stateOf(service, job), state, code);
    assert.equal((await statusOf(epson)).status?.state, shown);
    service.clock.advance(MINUTE_MS);
  }
  await printer.send({
    ConnectionType: 'SetStatus',
    Status:
      '<statusmonitor><printerstatus devicename="local_printer" asbstatus="0x0F000014"/></statusmonitor>',
  });
  assert.equal((await statusOf(epson)).status?.state, 'ready');
});

test('a printer that asks too often is told when to ask again, and others are not affected', async () => {
  const eager = await addPollingPrinter(service, 'cloudprnt');
  const { poll } = makeStar(service.url, eager);
  const statuses = await Promise.all(Array.from({ length: MAX_REQUESTS }, async () => (await poll()).status));
  assert.deepEqual(new Set(statuses), new Set([200]));
  const refused = await poll();
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '60']);
  assert.equal((await makeStar(service.url, star).poll()).status, 200);
  service.clock.advance(MINUTE_MS);
  assert.equal((await poll()).status, 200);
});

test('a flood of wrong paths is refused without a look-up, and does not lock out printers of its network', async () => {
  const wrong = (ip: string) => ask(`/print/epson/${'b'.repeat(32)}`, { method: 'POST', body: '', ip });
  for (let count = 0; count < MAX_WRONG; count++) assert.equal((await wrong(OTHER_NETWORK)).status, 404);
  const refused = await wrong(OTHER_NETWORK);
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '60']);
  assert.equal((await wrong('192.0.2.1')).status, 404);
  const right = await ask(star.path, {
    method: 'POST',
    body: JSON.stringify({ statusCode: READY }),
    ip: OTHER_NETWORK,
  });
  assert.equal(right.status, 200);
  assert.equal(service.logLines.filter(({ wrongPaths }) => wrongPaths === MAX_WRONG).length, 1);
  const loud = service.logLines.filter(({ ip, level }) => ip === OTHER_NETWORK && level !== 'debug');
  assert.deepEqual(
    new Set(loud.map(({ status }) => status)),
    new Set([404]),
    'the flood itself is not logged',
  );
});

test('while the database is away, printers are told to come back', async () => {
  const away = async () => {
    throw new DatabaseUnavailable(new Error('no answer'));
  };
  const deps = { openPollingPath: away, inBackground: () => {}, jobs: {} as PolledJobs };
  await using server = await servePrinters({
    cloudprnt: makeCloudprntHandler(deps),
    epson: makeEpsonHandler(deps),
  });
  for (const { path } of [star, epson]) {
    const response = await fetch(server.url + path, { method: 'POST', body: '{}' });
    assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '5']);
  }
});

test('no secret, address or query of a printer is written down', async () => {
  const tokens = [star, epson].map(({ path }) => path.split('/').at(-1) ?? assert.fail());
  const written = JSON.stringify(service.logLines);
  assert.match(written, /"route":"\/print\/cloudprnt\/\{token\}"/);
  const metrics = await (await ask('/metrics')).text();
  assert.match(metrics, /\/print\/epson\/\{token\}/);
  for (const text of [written, metrics])
    for (const secret of [...tokens, '00:11:62', 'image/png', 'statusCode'])
      assert.ok(!text.includes(secret), secret);
  const stored = await service.rows('select * from printers');
  for (const token of tokens) assert.ok(!JSON.stringify(stored).includes(token));
  const polls = service.logLines.filter(
    ({ route, status }) => /^\/print/.test(String(route)) && status === 200,
  );
  assert.deepEqual(new Set(polls.map(({ level }) => level)), new Set(['debug']));
});
