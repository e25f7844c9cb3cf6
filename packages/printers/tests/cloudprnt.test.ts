// The simulated CloudPRNT client: its requests, its slips and every fault.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { startCloudPrntPrinter } from '../src/cloudprnt/printer.ts';
import type { Faults } from '../src/faults.ts';
import { encodePng } from '../src/png/encode.ts';
import type { PollingPrinter } from '../src/polling/polling-printer.ts';
import { type Asked, type FakeServer, type Reply, startFakeServer } from './support/fake-server.ts';
import { LETTERS, show } from './support/pictures.ts';
import { until } from './support/until.ts';

const OFFER = { jobReady: true, mediaTypes: ['image/png'], jobToken: 'job 1', deleteMethod: 'DELETE' };
const MAC = 'mac=00%3A11%3A62%3A00%3A00%3A01';
const GET = `GET /print?${MAC}&token=job%201&type=image%2Fpng`;
const confirmed = (code: string) => `DELETE /print?${MAC}&token=job%201&code=${code}`;

let server: FakeServer;
let printer: PollingPrinter;
beforeEach(async () => {
  server = await startFakeServer();
  server.reply = serve();
});
afterEach(async () => {
  await printer.stop();
  await server.stop();
});

/** Offers one job until it is confirmed. */
function serve({ offer = OFFER, job = {} }: { offer?: object; job?: Reply } = {}) {
  let isDone = false;
  return ({ method, url }: Asked): Reply => {
    if (method === 'DELETE' || url.includes('delete')) isDone = true;
    if (method === 'POST') return { body: JSON.stringify(isDone ? { jobReady: false } : offer) };
    return { body: encodePng(LETTERS), ...job };
  };
}

function start(faults: Faults = {}) {
  printer = startCloudPrntPrinter({ url: server.url, faults, paper: 58 });
}

const requests = () =>
  server.asked.map(({ method, url }) => (method === 'POST' ? method : `${method} ${url}`));
const statusCodes = () =>
  server.asked.flatMap(({ method, body }) => (method === 'POST' ? [JSON.parse(body).statusCode] : []));

test('a job is polled, got, printed and confirmed', async () => {
  start();
  await printer.poll();
  await printer.poll();
  assert.deepEqual(requests(), ['POST', GET, confirmed('200%20OK'), 'POST']);
  const [poll] = server.asked;
  assert.equal(poll?.contentType, 'application/json');
  assert.deepEqual(JSON.parse(poll?.body ?? ''), {
    statusCode: '200%20OK',
    printerMAC: '00:11:62:00:00:01',
    uniqueID: null,
    printingInProgress: false,
    clientAction: null,
  });
  const [slip] = printer.slips;
  assert.ok(slip);
  assert.deepEqual([slip.width, slip.height, slip.ending], [384, 5, 'cut']);
  assert.deepEqual(show(slip, 8, 5), show(LETTERS, 8, 5));
});

test('it polls by itself, confirms by GET where asked, and does not cut if told so', async () => {
  const job = { headers: { 'x-star-cut': 'none; feed=false' } };
  server.reply = serve({ offer: { ...OFFER, deleteMethod: 'GET', jobToken: undefined }, job });
  printer = startCloudPrntPrinter({ url: server.url, everyMs: 5 });
  await until(() => server.asked.length >= 5);
  assert.deepEqual(requests().slice(0, 4), [
    'POST',
    `GET /print?${MAC}&type=image%2Fpng`,
    `GET /print?${MAC}&code=200%20OK&delete=`,
    'POST',
  ]);
  assert.equal(printer.slips[0]?.ending, 'uncut');
});

test('it performs client actions and sends the results with the next poll', async () => {
  const actions = [{ request: 'ClientType' }, { request: 'SetID', options: 'desk' }, { request: 'Other' }];
  server.reply = () => ({ body: JSON.stringify({ jobReady: false, clientAction: actions }) });
  start();
  await printer.poll();
  await printer.poll();
  const { uniqueID, clientAction } = JSON.parse(server.asked[1]?.body ?? '');
  assert.equal(uniqueID, 'desk');
  assert.deepEqual(clientAction, [
    { request: 'ClientType', result: 'Simulated printer' },
    { request: 'SetID', result: 'desk' },
    { request: 'Other', result: '' },
  ]);
});

test('jobs that it cannot get or print are confirmed with the code of the manual', async () => {
  start();
  for (const [served, code] of [
    [{ offer: { ...OFFER, mediaTypes: ['text/plain'] } }, '510%20Incompatible%20media%20type'],
    [{ job: { body: 'no picture' } }, '511%20Media%20decoding%20error'],
    [{ job: { status: 404 } }, '520%20Download%20failed'],
  ] as const) {
    server.reply = serve(served);
    await printer.poll();
    assert.equal(requests().at(-1), confirmed(code));
  }
  assert.deepEqual(printer.slips, []);
});

test('refused and senseless polls are reported, and so is a server that is gone', async () => {
  start();
  server.reply = () => ({ status: 404 });
  await printer.poll();
  server.reply = () => ({ body: '{"jobReady":"yes"}' });
  await printer.poll();
  await server.stop();
  await printer.poll();
  assert.deepEqual(printer.events, [
    'poll: 404',
    'poll: jobReady is not true or false',
    'no response: ECONNREFUSED',
  ]);
});

test('paper-out and cover-open: it polls with the status, but gets no job', async () => {
  start({ 'paper-out': true });
  await printer.poll();
  printer.setFault('cover-open');
  await printer.poll();
  assert.deepEqual(statusCodes(), ['410%20Out%20of%20paper', '420%20Cover%20open']);
  assert.deepEqual(requests(), ['POST', 'POST']);
});

test('reports-ready: it gets the job without paper, and can neither print nor confirm it', async () => {
  start({ 'paper-out': true, 'reports-ready': true });
  await printer.poll();
  assert.deepEqual(statusCodes(), ['200%20OK']);
  assert.deepEqual(requests(), ['POST', GET]);
  assert.deepEqual(printer.slips, []);
});

test('paper-ends-after-rows: half a slip, no confirmation, and the next poll has the status', async () => {
  start({ 'paper-ends-after-rows': 2 });
  await printer.poll();
  await printer.poll();
  assert.deepEqual(requests(), ['POST', GET, 'POST']);
  assert.deepEqual(statusCodes(), ['200%20OK', '410%20Out%20of%20paper']);
  assert.equal(printer.slips[0]?.height, 2);
});

test('dies-after-bytes and dies-after-rows: the job is not confirmed', async () => {
  start({ 'dies-after-bytes': 20 });
  await printer.poll();
  assert.deepEqual(printer.slips, []);
  printer.setFault('dies-after-bytes', false);
  printer.setFault('dies-after-rows', 3);
  await printer.poll();
  assert.deepEqual(
    printer.slips.map(({ height, ending }) => [height, ending]),
    [[3, 'power-lost']],
  );
  assert.deepEqual(requests(), ['POST', GET, 'POST', GET]);
});

test('slow: the job is printed when all of it has arrived', async () => {
  start({ slow: 400 });
  const turn = printer.poll();
  await until(() => requests().at(-1) === GET);
  assert.equal(printer.slips.length, 0);
  printer.setFault('slow', false);
  await turn;
  assert.equal(printer.slips.length, 1);
});

test('offline: it does not poll', async () => {
  start({ offline: true });
  await printer.poll();
  assert.deepEqual(server.asked, []);
});

test('prints-nothing: the job is confirmed without a slip', async () => {
  start({ 'prints-nothing': true });
  await printer.poll();
  assert.equal(requests().at(-1), confirmed('200%20OK'));
  assert.deepEqual(printer.slips, []);
});

test('forgets-to-confirm: the slip is printed, and nothing says so', async () => {
  start({ 'forgets-to-confirm': true });
  await printer.poll();
  assert.deepEqual(requests(), ['POST', GET]);
  assert.equal(printer.slips.length, 1);
});

test('polls-twice and asks-twice: two requests, one slip', async () => {
  start({ 'polls-twice': true, 'asks-twice': true });
  await printer.poll();
  assert.deepEqual(requests(), ['POST', 'POST', GET, GET, confirmed('200%20OK')]);
  assert.equal(printer.slips.length, 1);
});
