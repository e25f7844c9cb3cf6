// Tests what System health says about printers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asPrinterId } from '../../kernel/ids.ts';
import { judgePrinters } from './judge-printers.ts';
import type { Printer, PrinterStatus } from './printer.ts';
import { SILENT_AFTER_MS } from './printer-state.ts';

const NOW_MS = 1_000_000_000;
const ID = asPrinterId(7);

/** The findings about one printer, with the advice. */
function judge(kind: Printer['kind'], status: Partial<PrinterStatus> | null, seenAtMs = NOW_MS, failed = 0) {
  const printer = {
    ...{ id: ID, name: 'Bar', siteName: 'Haus A', kind, seenAtMs },
    status: status && { state: 'ready' as const, words: null, atMs: NOW_MS, ...status },
  };
  const findings = judgePrinters({ printers: [printer], failedJobs: new Map([[ID, failed]]) }, NOW_MS);
  return findings.map(({ state, fact }) =>
    [state, fact.kind, ...('advice' in fact ? [fact.advice] : [])].join(' '),
  );
}

test('a printer that is ready or new is well, and one that cannot print is a warning with advice', () => {
  assert.deepEqual(judge('escpos', null), ['ok printer-new']);
  assert.deepEqual(judge('escpos', {}), ['ok printer-ok']);
  assert.deepEqual(judge('epson', { state: 'paper-out' }), ['warning printer-failing paper-out']);
  assert.deepEqual(judge('unknown', {}), ['warning printer-not-known']);
  const silent = (words: string) => judge('escpos', { state: 'silent', words });
  assert.deepEqual(silent('getaddrinfo ENOTFOUND x'), ['warning printer-failing unknown-host']);
  assert.deepEqual(silent('connect ECONNREFUSED 10.0.0.5:9100'), ['warning printer-failing refused']);
  assert.deepEqual(silent('connect EHOSTUNREACH 10.0.0.5'), ['warning printer-failing unreachable']);
  assert.deepEqual(silent('10.0.0.5 is not a public address (WEBHOOK_TARGETS=public)'), [
    'warning printer-failing forbidden',
  ]);
  assert.deepEqual(silent('no answer within 5 s'), ['warning printer-failing no-answer']);
});

test('a printer that polls is silent if it has not asked for a while, whatever it said last', () => {
  const longAgoMs = NOW_MS - SILENT_AFTER_MS;
  assert.deepEqual(judge('cloudprnt', {}, longAgoMs), ['ok printer-ok']);
  assert.deepEqual(judge('cloudprnt', {}, longAgoMs - 1), ['warning printer-failing not-polling']);
  assert.deepEqual(judge('escpos', {}, longAgoMs - 1), ['ok printer-ok']);
  const futureMs = NOW_MS + SILENT_AFTER_MS + 1;
  assert.deepEqual(
    judge('cloudprnt', {}, futureMs),
    ['warning printer-failing not-polling'],
    'a clock set back',
  );
});

test('jobs that were not printed are reported beside the state', () => {
  assert.deepEqual(judge('escpos', {}, NOW_MS, 2), ['ok printer-ok', 'warning print-jobs-failed']);
});
