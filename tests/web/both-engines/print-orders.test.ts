// Tests orders with a printer, and prints of vouchers that exist.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makePrintUseCases } from '../../../src/features/printers/print-use-cases.ts';
import { asPrinterId, asSiteId, asVoucherId, type PrinterId, type SiteId } from '../../../src/kernel/ids.ts';
import { makeCreationUseCases } from '../../../src/kernel/vouchers/creation-use-cases.ts';
import type { OrderRequest } from '../../../src/kernel/vouchers/order-request.ts';
import type { PlaceOrder } from '../../../src/kernel/vouchers/place-order.ts';
import { makePlacementUseCase } from '../../../src/kernel/vouchers/placement-use-case.ts';
import { makeBackgroundWork } from '../../../src/platform/jobs/background-work.ts';
import { makeLog } from '../../../src/platform/log/make-log.ts';
import { TESTER } from '../../support/actors.ts';
import { addPrinter } from '../../support/printers.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';

const siteId = asSiteId(1);
const OLD = { id: 'old', name: 'web-2:8080', release: '0.2.0', schemaVersion: 1 };
const work = makeBackgroundWork(makeLog('silent'));
let service: TestService;
let place: PlaceOrder;
let print: ReturnType<typeof makePrintUseCases>;
let printerId: PrinterId;

before(async () => {
  service = await startTestService();
  const { beside } = service;
  const { signal: stopping } = new AbortController();
  const creation = makeCreationUseCases(beside, { timeZone: 'Europe/Berlin' });
  place = makePlacementUseCase(beside, {
    ...creation,
    revokeReplaced: async () => {},
    timeZone: 'Europe/Berlin',
    stopping,
    backgroundWork: work,
  });
  print = makePrintUseCases(beside);
  printerId = await addPrinter(service.beside);
});
after(() => service.stop());

const audit = () => ({ actor: TESTER, atMs: service.clock.nowMs() });
const by = (siteIds = [siteId]) => ({ audit: audit(), siteIds });
const count = (from: string) => Number(service.rows(`select count(*) as n from ${from}`)[0]?.n);
const jobs = () => count("messages where channel = 'printer'");

const order = (fields: Partial<OrderRequest> = {}) =>
  place({ siteId, name: 'Zimmer 4', count: 1, ...fields }, { actor: TESTER, keySites: 'all' });
async function problemOf(fields: Partial<OrderRequest>) {
  const result = await order(fields);
  return result.ok ? undefined : result.problem.kind;
}
async function makeVoucher(site: SiteId = siteId) {
  const result = await order({ siteId: site });
  assert.ok(result.ok && result.value.kind === 'voucher');
  return asVoucherId(result.value.id);
}

test('an order with a printer of another site, or with none, is refused, and nothing is stored', async () => {
  const other = asSiteId(await service.addSite('default', 'Haus B'));
  const before = [count('vouchers'), count('batches'), jobs()];
  for (const several of [{}, { count: 2 }])
    for (const id of [asPrinterId(999), await addPrinter(service.beside, { siteId: other, name: 'Bar' })])
      assert.equal(await problemOf({ ...several, print: { printerId: id } }), 'printer-unknown');
  service.change(`update printers set kind = 'future' where name = 'Bar'`);
  const [future] = service.rows("select id from printers where kind = 'future' order by id desc");
  assert.equal(
    await problemOf({ siteId: other, print: { printerId: asPrinterId(Number(future?.id)) } }),
    'printer-unknown',
  );
  assert.deepEqual([count('vouchers'), count('batches'), jobs()], before);
});

test('an order with a printer is refused while an instance of 0.2 is alive, which would delete the job', async () => {
  await service.beside.instances.note(OLD);
  for (const several of [{}, { count: 2 }])
    assert.equal(await problemOf({ ...several, print: { printerId } }), 'instance-outdated');
  await service.beside.instances.forget(OLD.id);
});

test('each voucher of an order gets a job when it exists, and none if it was not made', async () => {
  const before = jobs();
  const one = await order({ print: { printerId } });
  assert.ok(one.ok && one.value.kind === 'voucher');
  assert.partialDeepStrictEqual(
    await service.beside.printJobs.search({ voucherId: asVoucherId(one.value.id), limit: 9 }),
    [{ kind: 'slip', printerId, printerName: 'Rezeption', siteId, state: 'queued', isCopy: false }],
  );

  const batch = await order({ count: 3, print: { printerId } });
  assert.ok(batch.ok && batch.value.kind === 'batch');
  await work.ended();
  assert.equal(jobs(), before + 4);
  const stored = await service.beside.batches.find(batch.value.id);
  assert.deepEqual(stored?.order.print, { printerId });

  const refusing = asSiteId(await service.addSite('fail:refuse', 'Absage'));
  const its = await addPrinter(service.beside, { siteId: refusing });
  assert.equal(await problemOf({ siteId: refusing, print: { printerId: its } }), 'creation-failed');
  assert.deepEqual(await service.beside.printJobs.search({ siteIds: [refusing], limit: 9 }), []);
});

test('a batch whose printer was removed is tried again without it', async () => {
  const gone = await addPrinter(service.beside, { name: 'Bar' });
  const refusing = asSiteId(await service.addSite('fail:refuse', 'Ablehnung'));
  service.change(`update printers set site_id = ${refusing} where id = ${gone}`);
  const placed = await order({ siteId: refusing, count: 2, print: { printerId: gone } });
  assert.ok(placed.ok && placed.value.kind === 'batch');
  await work.ended();
  const { id } = placed.value;
  assert.deepEqual((await service.beside.batches.find(id))?.order.print, { printerId: gone });
  await service.beside.printers.remove(gone, audit());
  assert.equal((await service.beside.batches.find(id))?.order.print, undefined);
});

test('vouchers that exist are printed, a second time as copies, and ended ones are left out', async () => {
  const [first, second] = [await makeVoucher(), await makeVoucher()];
  const once = await print.printVouchers(printerId, [first, first], by());
  assert.ok(once.ok);
  assert.deepEqual([once.value.jobs.length, once.value.jobs[0]?.isCopy], [1, false]);

  const both = await print.printVouchers(printerId, [second, first], by());
  assert.ok(both.ok);
  assert.deepEqual(
    both.value.jobs.map(({ voucherId, isCopy }) => [voucherId, isCopy]),
    [
      [second, false],
      [first, true],
    ],
  );
  service.change(`update vouchers set ended_at_s = 1, revoked_at_s = 1 where id = ${first}`);
  const left = await print.printVouchers(printerId, [first, second], by());
  assert.ok(left.ok);
  assert.deepEqual([left.value.jobs.length, left.value.leftOut], [1, [first]]);
  const problem = async (...args: Parameters<typeof print.printVouchers>) => {
    const result = await print.printVouchers(...args);
    return result.ok ? undefined : result.problem.kind;
  };
  assert.equal(await problem(printerId, [first], by()), 'voucher-ended');
  assert.equal(await problem(printerId, [second], by([])), 'printer-unknown');
  assert.equal(await problem(printerId, [second, asVoucherId(999_999)], by()), 'voucher-not-found');
  assert.equal(await problem(printerId, [], by()), 'voucher-not-found');
  const many = Array.from({ length: 501 }, (_, index) => asVoucherId(index + 1));
  assert.equal(await problem(printerId, many, by()), 'too-many-slips');
});

test('a job is cancelled by whoever may use its site, and only once', async () => {
  const page = await print.printTestPage(printerId, by());
  assert.ok(page.ok);
  assert.equal(await print.cancelPrintJob(page.value, by([])), false);
  assert.equal(await print.cancelPrintJob(page.value, by()), true);
  assert.equal(await print.cancelPrintJob(page.value, by()), false);
  const entries = service.rows(
    "select action from audit where action like 'printer.%' order by id desc limit 2",
  );
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['printer.job-cancelled', 'printer.tested'],
  );
});
