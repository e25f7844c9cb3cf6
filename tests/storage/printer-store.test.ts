// Tests the stores for printers and print jobs on every engine.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { makePrintJob, PRINTER_CHANNEL, type PrintJobStore } from '../../src/features/printers/print-job.ts';
import { makePrintJobStore } from '../../src/features/printers/print-job-store.ts';
import type { NewPrinter, Printer, PrinterStore } from '../../src/features/printers/printer.ts';
import { printerRecipients } from '../../src/features/printers/printer-recipient-queries.ts';
import { makePrinterStore } from '../../src/features/printers/printer-store.ts';
import type { PrinterId, SiteId, VoucherId } from '../../src/kernel/ids.ts';
import type { MessageQueue } from '../../src/kernel/messages/message.ts';
import { makeMessageQueue } from '../../src/kernel/messages/message-store.ts';
import { makeVoucherStore } from '../../src/kernel/vouchers/storage/voucher-store.ts';
import { makePathToken } from '../../src/platform/secrets/token.ts';
import { TESTER } from '../support/actors.ts';
import { onEveryEngine } from './engines.ts';
import {
  addSite,
  badAttempt,
  delivered,
  failedFor,
  goodAttempt,
  sampleIntent,
  samplePrinter,
  sampleUpstream,
  seal,
} from './samples.ts';

const MINUTE_MS = 60_000;

onEveryEngine('the stores for printers', (database) => {
  let printers: PrinterStore;
  let jobs: PrintJobStore;
  let queue: MessageQueue;
  let site: SiteId;
  let vouchers: VoucherId[];
  /** The time of the database, which decides when jobs expire. */
  let nowMs: number;

  const audit = () => ({ actor: TESTER, atMs: nowMs });
  const sample = (change?: Partial<NewPrinter>) => samplePrinter(site, change);

  beforeEach(async () => {
    printers = makePrinterStore(database(), seal);
    jobs = makePrintJobStore(database());
    queue = makeMessageQueue(database(), seal, { printer: printerRecipients });
    await database().write(async (transaction) => {
      for (const table of ['messages', 'printers', 'intents', 'vouchers', 'audit', 'sites'] as const)
        await transaction.deleteFrom(table).execute();
    });
    site = await addSite(database());
    const row = await database().read.selectNoFrom(database().now().as('now')).executeTakeFirstOrThrow();
    nowMs = row.now;
    vouchers = [];
    for (const id of ['u-1', 'u-2']) {
      const store = makeVoucherStore(database(), seal);
      const begun = await store.begin(sampleIntent(site));
      assert.ok(begun.ok);
      const { created } = await store.record(begun.value, [sampleUpstream(id, { code: `${id}2345678` })]);
      vouchers.push(created[0]?.id ?? assert.fail('no voucher'));
    }
  });

  const add = async (change: Partial<NewPrinter> = {}): Promise<Printer> =>
    (await printers.find(await printers.add(sample(change), null, audit()))) ?? assert.fail('no printer');
  const stateOf = async (printerId: PrinterId) =>
    (await jobs.search({ printerId, limit: 10 })).map(({ state }) => state);
  const auditOf = async () =>
    (await database().read.selectFrom('audit').selectAll().orderBy('id').execute())
      .filter(({ action }) => action.includes('print'))
      .map(({ action, subject }) => `${action}: ${subject}`);

  test('a printer is added, changed, found by its token and removed', async () => {
    const token = makePathToken();
    const id = await printers.add(sample({ kind: 'epson', address: null }), token, audit());
    assert.equal(await printers.findToken(id), token.token);
    assert.equal((await printers.findByToken(token.tokenHash))?.id, id);

    assert.equal(await printers.update(id, { name: 'Bar', paper: 58, copies: 1 }, audit()), true);
    const { name, paper, copies, hasCutter, status } = (await printers.find(id)) ?? assert.fail('gone');
    assert.deepEqual([name, paper, copies, hasCutter, status], ['Bar', 58, 1, true, null]);

    const next = makePathToken();
    assert.equal(await printers.renewToken(id, next, audit()), true);
    assert.equal(await printers.findByToken(token.tokenHash), undefined);
    assert.equal(await printers.findToken(id), next.token);

    assert.equal(await printers.remove(id, audit()), true);
    assert.equal(await printers.remove(id, audit()), false);
    assert.equal(await printers.update(id, { name: 'x' }, audit()), false);
    assert.deepEqual(await printers.list(), []);
    assert.deepEqual(
      (await auditOf()).map((text) => text.replaceAll(String(id), 'N').replace(/ of site.*?\)/, '')),
      [
        'printer.added: printer N (Rezeption): epson',
        'printer.changed: printer N (Bar): name, paper',
        'printer.path-renewed: printer N (Bar)',
        'printer.removed: printer N (Bar)',
      ],
    );
  });

  test('a printer that does not poll gets no token', async () => {
    const { id } = await add();
    assert.equal(await printers.renewToken(id, makePathToken(), audit()), false);
    assert.equal(await printers.findToken(id), undefined);
  });

  test('the state of a printer is kept since it began, and silence is not a sign of life', async () => {
    const { id } = await add();
    await printers.noteStatus(id, { state: 'paper-out', words: 'no\0 paper', atMs: 1_000 });
    await printers.noteStatus(id, { state: 'paper-out', words: null, atMs: 2_000 });
    const out = await printers.find(id);
    assert.deepEqual(out?.status, { state: 'paper-out', words: null, atMs: 1_000 });
    assert.equal(out?.seenAtMs, 2_000);
    await printers.noteStatus(id, { state: 'silent', words: 'timed out', atMs: 3_000 });
    const silent = await printers.find(id);
    assert.deepEqual(silent?.status, { state: 'silent', words: 'timed out', atMs: 3_000 });
    assert.equal(silent?.seenAtMs, 2_000);
  });

  test('only the printers that the service connects to are called by the queue', async () => {
    const [tcp, polling] = [await add(), await add({ kind: 'cloudprnt', name: 'Bar' })];
    for (const printer of [tcp, polling]) await jobs.add(printer, vouchers, audit());
    assert.deepEqual(await queue.listDue(PRINTER_CHANNEL), [tcp.id]);
    const job = (await queue.next(PRINTER_CHANNEL, polling.id)) ?? assert.fail('no job');
    assert.equal(job.voucherId, vouchers[0]);

    await queue.confirm(PRINTER_CHANNEL, job, badAttempt, failedFor(MINUTE_MS));
    assert.equal(await queue.next(PRINTER_CHANNEL, polling.id), undefined, 'the printer pauses');
    await printers.update(polling.id, {}, audit());
    assert.ok(await queue.next(PRINTER_CHANNEL, polling.id), 'a change ends the pause');
  });

  test('a voucher that was printed before is marked as a copy', async () => {
    const printer = await add();
    const [first] = await jobs.add(printer, vouchers.slice(0, 1), audit());
    assert.equal(first?.isCopy, false);
    assert.equal(await jobs.cancel(first?.id ?? assert.fail(), audit()), true);
    const again = await jobs.add(printer, vouchers, audit());
    assert.deepEqual(
      again.map(({ isCopy }) => isCopy),
      [false, false],
      'a job that was cancelled has printed nothing',
    );
    const twice = await jobs.add(printer, vouchers, audit());
    assert.deepEqual(
      twice.map(({ isCopy }) => isCopy),
      [true, true],
    );
    await database().write((transaction) =>
      transaction.updateTable('messages').set({ state: 'folded' }).execute(),
    );
    const [later] = await jobs.add(printer, vouchers, audit());
    assert.equal(later?.isCopy, true, 'a state that only a newer release knows');
    const newest = await jobs.newestOf(vouchers);
    assert.equal(newest.get(vouchers[0] ?? assert.fail())?.isCopy, true);
    const sent = await database()
      .read.selectFrom('audit')
      .select('details')
      .orderBy('id', 'desc')
      .executeTakeFirst();
    assert.match(sent?.details ?? '', /"isCopy":true/);
  });

  test('one of two users who print a voucher at the same time gets a copy', async () => {
    const both = [await add(), await add({ name: 'Bar' })];
    // In the first round, the connections are opened one after the other. In the second, the transactions overlap.
    for (const voucher of vouchers) {
      const printing = [...both, ...both].map((printer) => jobs.add(printer, [voucher], audit()));
      const copies = (await Promise.all(printing)).flat().filter(({ isCopy }) => isCopy);
      assert.equal(copies.length, 3);
    }
  });

  test('the job of an order waits for its voucher, and is deleted if the order is abandoned', async () => {
    const printer = await add();
    const job = { ...makePrintJob(printer, { kind: 'slip', atMs: nowMs }), channel: PRINTER_CHANNEL.name };
    const store = makeVoucherStore(database(), seal);
    const begin = async () => {
      const begun = await store.begin(sampleIntent(site, { messages: [job] }));
      return begun.ok ? begun.value : assert.fail('not begun');
    };
    await store.abandon(await begin());
    assert.deepEqual(await stateOf(printer.id), []);

    const intents = await begin();
    const [held] = await jobs.search({ siteIds: [site], limit: 9 });
    assert.deepEqual([held?.state, held?.voucherId, held?.siteId], ['queued', null, site]);
    assert.equal(await queue.next(PRINTER_CHANNEL, printer.id), undefined);
    const { created } = await store.record(intents, [sampleUpstream('u-3', { code: '9876543210' })]);
    const released = await queue.next(PRINTER_CHANNEL, printer.id);
    assert.equal(released?.voucherId, created[0]?.id);
  });

  test('a job is begun once, and its state is told', async () => {
    const printer = await add();
    await jobs.add(printer, vouchers, audit());
    await jobs.addTest(printer, audit());
    const [one, other] = await Promise.all([1, 2].map(() => queue.next(PRINTER_CHANNEL, printer.id)));
    assert.ok(one && other);
    assert.deepEqual((await Promise.all([queue.begin(one), queue.begin(other)])).sort(), [false, true]);
    assert.deepEqual(await stateOf(printer.id), ['queued', 'queued', 'sending']);
    await queue.confirm(PRINTER_CHANNEL, one, { ...goodAttempt, response: 'sent' }, delivered);
    const [printed] = await jobs.search({ id: one.id, limit: 1 });
    assert.deepEqual([printed?.state, printed?.isConfirmed, printed?.siteId], ['printed', false, site]);
    assert.equal((await jobs.listAttempts(one.id)).length, 1);
    assert.equal(await jobs.cancel(one.id, audit()), false, 'a printed job cannot be cancelled');
  });

  test('jobs that were not printed in time expire, also those of printers that poll', async () => {
    const [slow, quick] = [await add({ jobMinutes: 30 }), await add({ name: 'Bar', kind: 'epson' })];
    for (const printer of [slow, quick])
      await jobs.add(printer, vouchers, { ...audit(), atMs: nowMs - 20 * MINUTE_MS });
    await jobs.addTest(quick, audit());
    assert.equal(await jobs.expireOld(), 2);
    assert.equal(await jobs.expireOld(), 0);
    assert.deepEqual(await stateOf(slow.id), ['queued', 'queued']);
    assert.deepEqual(await stateOf(quick.id), ['queued', 'expired', 'expired']);
  });

  test('jobs do not expire while their printer prints one after the other', async () => {
    const printer = await add();
    const atMs = nowMs - 11 * MINUTE_MS;
    for (let job = 0; job < 3; job++) await jobs.addTest(printer, { ...audit(), atMs });
    const first = (await queue.next(PRINTER_CHANNEL, printer.id)) ?? assert.fail('no job');
    await queue.confirm(PRINTER_CHANNEL, first, goodAttempt, delivered);
    assert.equal(await jobs.expireOld(), 0);
    const second = (await queue.next(PRINTER_CHANNEL, printer.id)) ?? assert.fail('no job');
    await queue.confirm(PRINTER_CHANNEL, second, badAttempt, failedFor(0));
    assert.equal(await jobs.expireOld(), 0);
    const printedAt = (ms: number) =>
      database().write((transaction) =>
        transaction.updateTable('printers').set({ printed_at_ms: ms }).execute(),
      );
    await printedAt(nowMs + 800 * 24 * 60 * MINUTE_MS);
    assert.equal(await jobs.expireOld(), 2, 'printed in the future, by a wrong clock');
    assert.deepEqual(await stateOf(printer.id), ['expired', 'expired', 'printed']);
  });

  test('a job from the future expires, and one whose end was never reported is unknown', async () => {
    const printer = await add();
    await jobs.add(printer, vouchers, { ...audit(), atMs: nowMs - 11 * MINUTE_MS });
    const job = (await queue.next(PRINTER_CHANNEL, printer.id)) ?? assert.fail('no job');
    await queue.begin(job);
    await jobs.addTest(printer, { ...audit(), atMs: nowMs + 800 * 24 * 60 * MINUTE_MS });
    assert.equal(await jobs.expireOld(), 2);
    assert.deepEqual(await stateOf(printer.id), ['expired', 'expired', 'sending']);
    await database().write((transaction) =>
      transaction
        .updateTable('messages')
        .set({ occurred_at_ms: nowMs - 13 * MINUTE_MS })
        .where('id', '=', job.id)
        .execute(),
    );
    await jobs.expireOld();
    assert.deepEqual(await stateOf(printer.id), ['expired', 'expired', 'unknown']);
  });

  test('the jobs of a printer that is removed are cancelled, also one that comes later', async () => {
    const printer = await add();
    await jobs.add(printer, vouchers, audit());
    await printers.remove(printer.id, audit());
    await jobs.addTest(printer, { ...audit(), atMs: nowMs - 1 });
    assert.deepEqual(await stateOf(printer.id), ['queued', 'cancelled', 'cancelled']);
    await new Promise((resolve) => setTimeout(resolve, 2));
    await jobs.expireOld();
    assert.deepEqual(await stateOf(printer.id), ['cancelled', 'cancelled', 'cancelled']);
  });
});
