// Tests the PDF printer: it writes one PDF at a time, users take turns, the queue is limited, and it stops with the
// service.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asUserId } from '../ids.ts';
import { makePdfPrinter } from './pdf-printer.ts';
import type { PrintInput } from './printed-slip.ts';

const ANNA = asUserId(1);
const BEN = asUserId(2);
const CARL = asUserId(3);

const input: PrintInput = {
  slips: Array.from({ length: 200 }, (_, number) => ({
    theme: 'classic',
    colour: '#000000',
    language: 'de',
    title: 'Gastpass',
    logo: undefined,
    logoHasName: false,
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
  usedLabels: 0,
  title: 'Voucher',
  language: 'de',
};

test('at most eight orders are accepted, and stopping ends the running order and all waiting orders', async () => {
  const stop = new AbortController();
  const printPdf = makePdfPrinter({ stopping: stop.signal });
  const taken = Array.from({ length: 8 }, () => printPdf(input, ANNA).catch(() => 'ended'));
  assert.equal(await printPdf(input, ANNA), 'busy');
  stop.abort();
  assert.deepEqual(await Promise.all(taken), ['ended', ...Array(7).fill('busy')]);
});

/** A printer that records the titles of its PDFs in the order in which they are written. */
function recordingPrinter() {
  const written: string[] = [];
  const printPdf = makePdfPrinter({
    stopping: new AbortController().signal,
    write: async ({ title }) => {
      written.push(title);
      return Buffer.from(title);
    },
  });
  const print = (title: string, userId = ANNA) => printPdf({ ...input, title }, userId);
  return { written, print };
}

test('users take turns: many PDFs of one user delay a PDF of another user by one turn only', async () => {
  const { written, print } = recordingPrinter();
  const all = ['a1', 'a2', 'a3', 'a4'].map((title) => print(title, ANNA));
  all.push(print('b1', BEN), print('b2', BEN), print('c1', CARL));
  await Promise.all(all);
  assert.deepEqual(written, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('a user who fills the queue does not shut out the others', async () => {
  const { written, print } = recordingPrinter();
  const annas = Array.from({ length: 10 }, (_, index) => print(`a${index + 1}`, ANNA));
  const bens = print('b1', BEN);
  assert.equal(String(await bens), 'b1');
  const outcomes = (await Promise.all(annas)).map(String);
  assert.deepEqual(outcomes, ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'busy', 'busy', 'busy']);
  assert.deepEqual(written, ['a1', 'a2', 'b1', 'a3', 'a4', 'a5', 'a6', 'a7']);
});

test('a PDF that cannot be written passes the turn on', async () => {
  const printPdf = makePdfPrinter({
    stopping: new AbortController().signal,
    write: ({ title }) =>
      title === 'broken' ? Promise.reject(new Error('broken')) : Promise.resolve(Buffer.from(title)),
  });
  const broken = assert.rejects(printPdf({ ...input, title: 'broken' }, ANNA), /broken/);
  assert.equal(String(await printPdf({ ...input, title: 'good' }, ANNA)), 'good');
  await broken;
});
