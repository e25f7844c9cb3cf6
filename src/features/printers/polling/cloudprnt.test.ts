// Tests how polls and confirmations of Star printers are read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asMessageId } from '../../../kernel/ids.ts';
import { readConfirmation, readPoll, writeOffer } from './cloudprnt.ts';

const poll = (facts: unknown) => readPoll(Buffer.from(JSON.stringify(facts)));

test('a poll reports the state of the printer, and whether it is printing', () => {
  const stateOf = (statusCode: string) => poll({ statusCode })?.report.state;
  for (const code of ['200%20OK', '200 OK', '200', '211%20OK%2CPaper%20Low', '210'])
    assert.deepEqual(poll({ statusCode: code }), {
      report: { state: 'ready', words: null },
      isPrinting: false,
    });
  assert.equal(stateOf('410%20Out%20of%20paper'), 'paper-out');
  assert.equal(stateOf('420 Cover open'), 'cover-open');
  for (const code of ['411', '430', '500', '520', '999']) assert.equal(stateOf(code), 'fault', code);
  assert.equal(poll({ statusCode: '411%20Paper%20jam' })?.report.words, '411 Paper jam');
  const unknown = { printerMAC: 7, clientAction: [{ request: 'x' }], barcodeReader: null };
  assert.equal(poll({ statusCode: '200', printingInProgress: true, ...unknown })?.isPrinting, true);
  assert.equal(poll({ statusCode: '200', printingInProgress: null })?.isPrinting, false);
});

test('what is not a poll is refused', () => {
  for (const facts of [null, 5, [], {}, { statusCode: 200 }, { statusCode: 'ready' }, { statusCode: '2000' }])
    assert.equal(poll(facts), undefined, JSON.stringify(facts));
  for (const body of ['', '{', '\u0000', `{"statusCode":"${'%'.repeat(60_000)}"}`, '['.repeat(60_000)])
    assert.equal(readPoll(Buffer.from(body)), undefined);
});

test('an offer names the job and the only media type', () => {
  assert.deepEqual(writeOffer(undefined), { jobReady: false });
  assert.partialDeepStrictEqual(writeOffer(asMessageId(12)), { jobReady: true, jobToken: '12' });
});

test('each code of a confirmation decides what becomes of the job', () => {
  const fates = Object.groupBy(
    [
      ...['200 OK', '200%20OK', 'OK', '211', '410', '411', '420', '430', '510', '511', '512', '520', '521'],
      ...['522', '530', '599', '', 'Error', '%', '20', '2000'],
    ],
    (code) => readConfirmation(code).fate,
  );
  assert.deepEqual(Object.fromEntries(Object.entries(fates)), {
    printed: ['200 OK', '200%20OK', 'OK', '211'],
    unclear: ['410', '411', '420', '430', '511', '522', '530', '599', '', 'Error', '%', '20', '2000'],
    refused: ['510', '512', '521'],
    later: ['520'],
  });
  assert.deepEqual(readConfirmation('410 Out\u0000 of\npaper'), {
    fate: 'unclear',
    status: 410,
    words: '410 Out of paper',
  });
});
