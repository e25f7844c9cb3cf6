// Tests the PDF printer: it writes one PDF at a time, limits the queue, and stops with the service.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePdfPrinter } from './pdf-printer.ts';
import type { PrintOrder } from './printed-slip.ts';

const order: PrintOrder = {
  slips: Array.from({ length: 200 }, (_, number) => ({
    language: 'de',
    title: 'Gastpass',
    logo: undefined,
    site: 'Haus A',
    name: `Zimmer ${number}`,
    code: '04827-15936',
    guides: [{ language: 'de', allowance: '1 Gerät', steps: [] }],
    wifi: [],
    qr: { text: '0482715936', caption: '' },
    text: '',
  })),
  logos: new Map(),
  paper: 'a4',
  title: 'Voucher',
  language: 'de',
};

test('at most eight orders are accepted, and stopping ends the running order and all waiting orders', async () => {
  const stop = new AbortController();
  const printPdf = makePdfPrinter({ stopping: stop.signal });
  const taken = Array.from({ length: 8 }, () => printPdf(order).catch(() => 'ended'));
  assert.equal(await printPdf(order), 'busy');
  stop.abort();
  assert.deepEqual(await Promise.all(taken), ['ended', ...Array(7).fill('busy')]);
});
