// Tests printers that poll, on both engines: how a job gets to the printer, and that no job is printed twice silently.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Drawing, makeDrawing } from '../../../src/app/drawing.ts';
import type { DrawJob } from '../../../src/features/printers/channel/draw-job.ts';
import { makePrintingHandlers } from '../../../src/features/printers/polling-use-cases.ts';
import { asVoucherId, type MessageId } from '../../../src/kernel/ids.ts';
import { makeBackgroundWork } from '../../../src/platform/jobs/background-work.ts';
import { makeLog } from '../../../src/platform/log/make-log.ts';
import { revokeByCode } from '../../support/revoke-by-code.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';
import {
  addPollingPrinter,
  addTestPage,
  auditOf,
  makeEpson,
  makeStar,
  type PollingServer,
  SITE,
  servePrinters,
  stateOf,
} from './polling-ground.ts';

const LIFE_MS = 10 * 60_000;
const PAUSE_MS = 60_000;

let service: TestService;
/** The same paths, served by a second instance on the same database. */
let other: PollingServer;
let drawing: Drawing;

before(async () => {
  service = await startTestService({ jobs: false, pace: 1 });
  drawing = makeDrawing(service.beside, { timeZone: 'Europe/Berlin' });
  other = await startInstance();
});
after(async () => {
  await other[Symbol.asyncDispose]();
  drawing.stop();
  await service.stop();
});

async function startInstance(drawJob: DrawJob = drawing.drawJob): Promise<PollingServer> {
  const log = makeLog('silent', { write: () => {} });
  const parts = {
    backgroundWork: makeBackgroundWork(log),
    drawJob,
    count: () => {},
    log,
    pace: 1,
  };
  return servePrinters(makePrintingHandlers(service.beside, parts));
}

const states = (...ids: MessageId[]) => Promise.all(ids.map((id) => stateOf(service, id)));
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

async function addStar() {
  const own = await addPollingPrinter(service, 'cloudprnt');
  return { own, star: makeStar(service.url, own) };
}

async function addEpson() {
  const own = await addPollingPrinter(service, 'epson');
  return { own, epson: makeEpson(service.url, own) };
}

test('a Star printer polls, fetches its jobs one after the other and confirms them', async () => {
  const { own, star } = await addStar();
  assert.equal(await star.offered(), undefined);
  const [first, second] = [await addTestPage(service, own), await addTestPage(service, own)];
  const poll = await star.poll();
  assert.deepEqual([poll.status, poll.headers.get('cache-control')], [200, 'no-store']);
  assert.deepEqual(await poll.json(), {
    jobReady: true,
    mediaTypes: ['image/png'],
    jobToken: String(first),
    deleteMethod: 'DELETE',
  });
  assert.deepEqual(await states(first, second), ['queued', 'queued']);

  const fetched = await star.get(String(first));
  assert.equal(fetched.status, 200);
  assert.partialDeepStrictEqual(Object.fromEntries(fetched.headers), {
    'content-type': 'image/png',
    'cache-control': 'no-store',
    'x-star-cut': 'partial; feed=true',
    'x-star-imageditherpattern': 'none',
  });
  const bytes = await bytesOf(fetched);
  assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
  assert.deepEqual(await states(first), ['sending']);
  for (const token of [String(first), undefined])
    assert.deepEqual(await bytesOf(await star.get(token)), bytes, 'the same bytes again');
  assert.deepEqual(
    await bytesOf(await makeStar(other.url, own).get(String(first))),
    bytes,
    'also from another instance',
  );

  assert.equal((await star.confirm('200 OK', String(first))).status, 200);
  assert.equal((await star.confirm('200 OK', String(first))).status, 200, 'repeated');
  assert.deepEqual(await states(first, second), ['printed', 'queued']);
  assert.equal(await star.offered(), String(second));
  assert.equal((await star.get(String(first))).status, 404, 'printed');
  // An old firmware sends no token.
  assert.equal((await star.get()).status, 200);
  assert.equal((await star.confirm('200 OK')).status, 200);
  assert.deepEqual(await states(second), ['printed']);
  assert.deepEqual([await star.offered(), (await star.get()).status], [undefined, 404]);
});

test('an Epson printer gets the job with its poll and says what became of it', async () => {
  const { own, epson } = await addEpson();
  assert.equal(await epson.poll(), '');
  const [first, second] = [await addTestPage(service, own), await addTestPage(service, own)];
  const xml = await epson.poll();
  assert.match(xml, new RegExp(`<printjobid>${first}</printjobid>`));
  assert.deepEqual(await states(first, second), ['sending', 'queued']);
  const response = await epson.result(first, 'success="true" code="" status="251658262" battery="0"');
  assert.deepEqual([response.status, await response.text()], [200, '']);
  assert.deepEqual(await states(first), ['printed']);
  assert.match(await epson.poll(), new RegExp(`<printjobid>${second}<`));
  await epson.result(second, "success='1'");
  assert.deepEqual(await states(second), ['printed']);
  assert.equal(await epson.poll(), '');
});

test('a report that names no job and comes twice does not end the next job', async () => {
  const { own, star } = await addStar();
  const [first, second] = [await addTestPage(service, own), await addTestPage(service, own)];
  await bytesOf(await star.get(await star.offered()));
  for (let times = 0; times < 2; times++) assert.equal((await star.confirm('200 OK')).status, 200);
  assert.deepEqual(await states(first, second), ['printed', 'queued']);
  assert.equal(await star.offered(), String(second));

  const { own: ownEpson, epson } = await addEpson();
  const [third, fourth] = [await addTestPage(service, ownEpson), await addTestPage(service, ownEpson)];
  assert.notEqual(await epson.poll(), '');
  for (let times = 0; times < 2; times++) await epson.result('', 'success="true"');
  assert.deepEqual(await states(third, fourth), ['printed', 'queued']);
});

test('a job that was handed out and not confirmed is unknown, and is never handed out again', async () => {
  const { own, star } = await addStar();
  const lost = await addTestPage(service, own);
  await bytesOf(await star.get(await star.offered()));
  assert.equal(await star.offered({ printingInProgress: true }), undefined);
  assert.deepEqual(await states(lost), ['sending'], 'the printer is still printing');
  assert.equal(await star.offered(), undefined);
  assert.deepEqual(await states(lost), ['unknown']);
  assert.equal((await star.get(String(lost))).status, 404);
  await star.confirm('420 Paper Error', String(lost));
  assert.deepEqual(await states(lost), ['unknown']);
  const stranger = await addStar();
  await stranger.star.confirm('200 OK', String(lost));
  assert.deepEqual(await states(lost), ['unknown'], 'another printer');
  await star.confirm('200 OK', String(lost));
  assert.deepEqual(await states(lost), ['printed'], 'the confirmation came late');
  service.clock.advance(PAUSE_MS);
  const next = await addTestPage(service, own);
  assert.equal(await star.offered(), String(next));

  const { own: ownEpson, epson } = await addEpson();
  const [first, second] = [await addTestPage(service, ownEpson), await addTestPage(service, ownEpson)];
  assert.notEqual(await epson.poll(), '');
  // Another instance does not know what this one has handed out.
  assert.equal(
    await makeEpson(other.url, ownEpson).poll(),
    '',
    'a pause, so that the next job does not end alike',
  );
  assert.deepEqual(await states(first, second), ['unknown', 'queued']);
  service.clock.advance(PAUSE_MS);
  assert.match(await epson.poll(), new RegExp(`<printjobid>${second}<`));
});

test('a job whose order took longer does not hide the job that is being printed', async () => {
  const { own, star } = await addStar();
  const [held, printing] = [await addTestPage(service, own), await addTestPage(service, own)];
  const setState = (state: string) =>
    service.rows(`update messages set state = '${state}' where id = ${held}`);
  await setState('held');
  const bytes = await bytesOf(await star.get(await star.offered()));
  await setState('waiting');
  assert.deepEqual(await bytesOf(await star.get(String(printing))), bytes);
  await star.confirm('200 OK', String(printing));
  assert.deepEqual(await states(held, printing), ['queued', 'printed']);
  assert.equal(await star.offered(), String(held));
});

test('of several polls at once, on two instances, one gets the job', async () => {
  const { own } = await addEpson();
  const epsons = [service.url, other.url, service.url, other.url].map((url) => makeEpson(url, own));
  for (let round = 0; round < 5; round++) {
    const job = await addTestPage(service, own);
    const got = (await Promise.all(epsons.map((epson) => epson.poll()))).filter((xml) => xml !== '');
    assert.equal(got.length, 1);
    await epsons[0]?.poll();
    assert.deepEqual(await states(job), ['unknown']);
    service.clock.advance(PAUSE_MS);
  }
});

test('a download that breaks off gives the job back, unless it was fetched again meanwhile', async () => {
  const { own } = await addStar();
  // More than the buffers of a connection hold, so that the service notices that not everything got out.
  const bits = randomBytes(8_000_000);
  await using instance = await startInstance(async () => ({
    picture: { width: 800, height: 80_000, bits },
  }));
  const star = makeStar(instance.url, own);
  const job = await addTestPage(service, own);
  const token = await star.offered();
  const breakOff = await beginDownload(star.at(`?token=${token}`));
  assert.deepEqual(await states(job), ['sending']);
  breakOff();
  await until(async () => (await states(job))[0] === 'queued');

  assert.equal(await star.offered(), token);
  const breakOffLater = await beginDownload(star.at(`?token=${token}`));
  const again = await star.get(token);
  await again.body?.cancel();
  breakOffLater();
  await sleep(100);
  assert.deepEqual(await states(job), ['sending']);
  assert.equal(await star.offered(), undefined);
  assert.deepEqual(await states(job), ['unknown']);
});

/** Returns a function that breaks the connection off. */
async function beginDownload(address: string): Promise<() => void> {
  const { hostname, port, pathname, search } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\nhost: x\r\n\r\n`);
  await once(socket, 'readable');
  return () => socket.resetAndDestroy();
}

test('a job that has expired, was cancelled or whose voucher has ended is not handed out', async () => {
  const { own, star } = await addStar();
  const old = await addTestPage(service, own);
  const token = await star.offered();
  assert.equal(token, String(old));
  service.clock.advance(LIFE_MS + 1);
  assert.equal((await star.get(token)).status, 404);
  assert.deepEqual([await star.offered(), ...(await states(old))], [undefined, 'expired']);

  const cancelled = await addTestPage(service, own);
  const offered = await star.offered();
  await service.beside.printJobs.cancel(cancelled, auditOf(service));
  assert.deepEqual([(await star.get(offered)).status, await star.offered()], [404, undefined]);

  await service.client.createVoucher({ site: SITE, name: 'Zimmer 12' });
  const [row] = await service.rows('select id, code from vouchers order by id desc limit 1');
  const voucherIds = [asVoucherId(Number(row?.id))];
  const jobs = await service.beside.printJobs.add(own.printer, voucherIds, auditOf(service));
  const { own: ownEpson, epson } = await addEpson();
  jobs.push(...(await service.beside.printJobs.add(ownEpson.printer, voucherIds, auditOf(service))));
  const slip = await star.offered();
  assert.equal(slip, String(jobs[0]?.id));
  await revokeByCode(service, SITE, String(row?.code));
  assert.equal((await star.get(slip)).status, 404);
  const next = await addTestPage(service, ownEpson);
  assert.match(await epson.poll(), new RegExp(`<printjobid>${next}<`));
  assert.deepEqual(await states(...jobs.map(({ id }) => id)), ['cancelled', 'cancelled']);
});

test('a slip that cannot be drawn does not hold up the jobs behind it for long', async () => {
  const { own, star } = await addStar();
  const [broken, next] = [await addTestPage(service, own), await addTestPage(service, own)];
  await using instance = await startInstance(() => Promise.reject(new Error('no glyphs')));
  const elsewhere = makeStar(instance.url, own);
  for (let tries = 0; tries < 3; tries++) {
    assert.equal((await elsewhere.get(await elsewhere.offered())).status, 404);
    service.clock.advance(PAUSE_MS);
  }
  assert.deepEqual([...(await states(broken)), await star.offered()], ['failed', String(next)]);
});
