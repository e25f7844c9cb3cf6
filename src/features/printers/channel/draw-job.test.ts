// What a print job prints, and when it prints nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFakeClock } from '../../../../tests/support/fake-clock.ts';
import { asPrinterId, asSiteId, asVoucherId } from '../../../kernel/ids.ts';
import type { SiteSlip } from '../../../kernel/slips/slip.ts';
import { SAMPLE_VOUCHER } from '../../../kernel/vouchers/sample-voucher.ts';
import type { FoundVoucher } from '../../../kernel/vouchers/voucher-search.ts';
import type { ReceiptInput } from '../../../platform/drawing/print-task.ts';
import type { Printer } from '../printer.ts';
import { type DrawJobDeps, makeDrawJob } from './draw-job.ts';

const PRINTER = {
  id: asPrinterId(7),
  siteId: asSiteId(1),
  siteName: 'Haus am See',
  name: 'Rezeption',
  paper: 58,
  layout: 'compact',
} as Printer;
const JOB = { kind: 'slip', payload: { printer: 'Rezeption' }, voucherId: asVoucherId(3), occurredAtMs: 0 };

/** The inputs of all drawings are kept in `drawn`. */
function prepare({ isTimeTrusted = true }: { isTimeTrusted?: boolean } = {}) {
  const clock = makeFakeClock();
  const drawn: ReceiptInput[] = [];
  const voucher = {
    ...SAMPLE_VOUCHER,
    ...{ id: JOB.voucherId, siteId: PRINTER.siteId, siteName: 'Haus am See', siteTimeZone: null },
    ...{
      createdAtS: clock.nowMs() / 1000,
      endsAtS: clock.nowMs() / 1000 + 3_600,
      revokedAtS: null,
      name: 'Zimmer 12',
    },
  } as unknown as FoundVoucher;
  const found = { voucher };
  const slip: SiteSlip = {
    wifiName: 'Gast',
    wifiSecurity: 'open',
    wifiPassword: null,
    text: '',
    languages: ['en'],
  };
  const deps = {
    clock,
    timeZone: 'Europe/Berlin',
    finder: { search: async () => ({ vouchers: [found.voucher] }) },
    readTrustedTime: async () => (isTimeTrusted ? { nowMs: clock.nowMs(), runningMs: 0 } : undefined),
    slips: { find: async () => slip },
    images: { find: async () => undefined },
    sites: { find: async () => undefined },
    settings: { read: async () => ({ title: 'Gastpass', language: 'de' }) },
    drawPicture: async (input: ReceiptInput) => {
      drawn.push(input);
      return { width: 384, height: 1, bits: new Uint8Array(48) };
    },
  } as unknown as DrawJobDeps;
  return { clock, found, drawn, drawJob: makeDrawJob(deps) };
}

test('a slip has the paper and the layout of its printer, and a copy is marked in the language of the slip', async () => {
  const { drawn, drawJob } = prepare();
  await drawJob(PRINTER, JOB);
  await drawJob(PRINTER, { ...JOB, payload: { printer: 'Rezeption', isCopy: true } });
  const receipts = drawn.flatMap((input) => ('receipt' in input ? input.receipt : []));
  assert.deepEqual(
    receipts.map(({ paper, layout, mark, slip }) => [paper, layout, mark, slip.site]),
    [
      [58, 'compact', undefined, 'Haus am See'],
      [58, 'compact', 'Copy', 'Haus am See'],
    ],
  );
});

test('the picture of a job that is fetched again is not drawn again, unless the voucher has changed', async () => {
  const { found, drawn, drawJob } = prepare();
  const first = await drawJob(PRINTER, JOB);
  assert.deepEqual(await drawJob(PRINTER, JOB), first);
  assert.equal(drawn.length, 1);
  found.voucher = { ...found.voucher, name: 'Zimmer 13' };
  await drawJob(PRINTER, JOB);
  assert.equal(drawn.length, 2);
});

test('an ended voucher is not printed, and one that ended by a doubted clock waits', async () => {
  for (const [isTimeTrusted, result] of [
    [true, 'cancelled'],
    [false, 'later'],
  ] as const) {
    const { clock, drawn, drawJob } = prepare({ isTimeTrusted });
    clock.advance(800 * 24 * 3_600_000);
    const outcome = await drawJob(PRINTER, JOB);
    assert.equal('outcome' in outcome && outcome.outcome.result, result);
    assert.equal(drawn.length, 0);
  }
  const { found, drawJob } = prepare({ isTimeTrusted: false });
  found.voucher = { ...found.voucher, revokedAtS: 1 };
  const outcome = await drawJob(PRINTER, JOB);
  assert.equal('outcome' in outcome && outcome.outcome.result, 'cancelled');
});

test('a test page names its printer, its site and the time it was ordered', async () => {
  const { drawn, drawJob } = prepare();
  await drawJob(PRINTER, {
    ...JOB,
    kind: 'test',
    voucherId: null,
    occurredAtMs: Date.UTC(2026, 10, 18, 13, 30),
  });
  const [input] = drawn;
  assert.ok(input && 'testPage' in input);
  const { printer, site, facts } = input.testPage;
  assert.deepEqual([printer, site], ['Rezeption', 'Haus am See']);
  assert.deepEqual(facts, ['Rolle 58 mm, 384 Punkte', 'Auftrag: 18.11.2026,\u00a014:30']);
});
