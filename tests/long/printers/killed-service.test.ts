// A service that is killed or stopped during a job, and two instances: no job is printed twice. A job that had begun is
// unknown afterwards, and one that had not is printed.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { openInstallation } from '../../../src/app/installation.ts';
import type { LoggedPrintJob } from '../../../src/features/printers/print-job.ts';
import type { MessageId, PrinterId } from '../../../src/kernel/ids.ts';
import type { Installation } from '../../../src/kernel/installation.ts';
import { TESTER } from '../../support/actors.ts';
import { engine } from '../../support/engine.ts';
import { PAPER_OUT, type RawPrinter, startRawPrinter } from '../../support/printers/raw-printer.ts';
import { makeFolder, type RunningGastpass, startGastpass } from '../../support/run-gastpass.ts';
import { configOf } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';

const soon = { timeout: 120_000 };
const environment = { GASTPASS_DEMO: '0', SYNC_INTERVAL_S: '86400' };
const PRINTERS = 30;
const QUESTION_BYTES = 9;

let dataDir: string;
let remove: () => void;
let printer: RawPrinter;
let installation: Installation;
let id: PrinterId;
const services: RunningGastpass[] = [];
beforeEach(async () => {
  ({ folder: dataDir, remove } = makeFolder());
  printer = await startRawPrinter();
  installation = await openInstallation(await configOf(dataDir));
  const site = { name: 'Haus A', active: true, controllerKind: 'simulator' as const };
  await installation.sites.add({ ...site, controllerSite: 'default', connection: null }, audit());
  id = await addPrinter(printer.address);
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop('SIGKILL');
  await installation.close();
  await printer[Symbol.asyncDispose]();
  remove();
});

const audit = () => ({ actor: TESTER, atMs: Date.now() });

async function start(): Promise<RunningGastpass> {
  const service = await startGastpass({ dataDir, environment });
  services.push(service);
  return service;
}

async function addPrinter(address: string): Promise<PrinterId> {
  const [site] = await installation.sites.list();
  assert.ok(site);
  const settings = { paper: 80, layout: 'full', copies: 1, hasCutter: true, jobMinutes: 10 } as const;
  return installation.printers.add(
    { siteId: site.id, kind: 'escpos', name: 'Empfang', address, ...settings },
    null,
    audit(),
  );
}

async function order(printerId: PrinterId): Promise<MessageId> {
  const found = await installation.printers.find(printerId);
  assert.ok(found);
  return installation.printJobs.addTest(found, audit());
}

async function untilState(job: MessageId, state: LoggedPrintJob['state']): Promise<void> {
  await until(async () => {
    const [found] = await installation.printJobs.search({ id: job, limit: 1 });
    const isWaiting = found?.state === 'queued' || found?.state === 'sending';
    assert.ok(isWaiting || found?.state === state, `the job ended as ${found?.state}: ${found?.lastError}`);
    return found?.state === state;
  });
}

test(
  'a job that had begun when the service was killed is unknown, and the next is printed',
  soon,
  async () => {
    printer.behave({ stallsAfter: QUESTION_BYTES + 500 });
    const service = await start();
    const job = await order(id);
    await until(() => printer.received() === QUESTION_BYTES + 500);
    await service.stop('SIGKILL');
    await printer.clear();
    await start();
    await untilState(job, 'unknown');
    await untilState(await order(id), 'printed');
    assert.equal(printer.slips.length, 1);
  },
);

test('a job that had not begun when the service was killed is printed once', soon, async () => {
  printer.behave({ states: PAPER_OUT });
  const service = await start();
  const job = await order(id);
  await until(() => printer.connections() > 1);
  await service.stop('SIGKILL');
  printer.behave({});
  await start();
  await untilState(job, 'printed');
  assert.equal(printer.slips.length, 1);
});

test('a service that stops finishes the job that has begun, and no other', soon, async () => {
  printer.behave({ bytesPer10Ms: 400 });
  const service = await start();
  const jobs = [await order(id), await order(id)];
  await until(() => printer.received() > QUESTION_BYTES + 500);
  const { code } = await service.stop();
  assert.equal(code, 0);
  const found = await installation.printJobs.search({ printerId: id, limit: 2 });
  assert.deepEqual(
    found.map(({ id: job, state }) => [job, state]),
    [
      [jobs[1], 'queued'],
      [jobs[0], 'printed'],
    ],
  );
  assert.deepEqual(
    printer.slips.map(({ isWhole }) => isWhole),
    [true],
  );
});

test('two instances print each job once', { ...soon, skip: engine === 'sqlite' }, async () => {
  await Promise.all([start(), start()]);
  const jobs = [];
  for (let count = 0; count < 20; count++) jobs.push(await order(id));
  for (const job of jobs) await untilState(job, 'printed');
  assert.equal(printer.slips.length, jobs.length);
});

test('a printer that does not answer holds up no other', soon, async (t) => {
  const others = await Promise.all(Array.from({ length: PRINTERS - 1 }, () => startRawPrinter()));
  // Nobody answers at this address, not even with a refusal.
  const dead = await addPrinter('192.0.2.1');
  const ids = await Promise.all(others.map(({ address }) => addPrinter(address)));
  await start();
  // The first job loads the library that draws.
  await untilState(await order(id), 'printed');
  const lost = await order(dead);
  const startMs = performance.now();
  const jobs = await Promise.all(ids.map(order));
  for (const job of jobs) await untilState(job, 'printed');
  t.diagnostic(`${jobs.length} printers printed within ${Math.round(performance.now() - startMs)} ms`);
  assert.deepEqual(
    others.map(({ slips }) => slips.length),
    others.map(() => 1),
  );
  const [found] = await installation.printJobs.search({ id: lost, limit: 1 });
  assert.equal(found?.state, 'queued');
  for (const other of others) await other[Symbol.asyncDispose]();
});
