// Texts of the maximum size that could be slow to parse: numbers that turn out to be invalid at the last character,
// long runs of spaces, long keys. One client must not block the service for all others.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { leaving, ONE_VOUCHER } from '../support/post-vouchers-traces.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ webhook: true });
});
after(() => service.stop());

/** Far more than the requests of a test need. A parser with quadratic run time exceeds it. */
const PATIENCE = { timeout: 30_000 };
/** Repeats the request, because the length of a text is limited: a quadratic parser needs only seconds for one. */
const TURNS = 12;
const LENGTH = 60_000;

const texts: [says: string, text: string][] = [
  ['digits and a letter', `${'1'.repeat(LENGTH)}x`],
  ['zeros and a letter', `${'0'.repeat(LENGTH)}x`],
  ['digits around a point and a letter', `${'1'.repeat(LENGTH / 2)}.${'1'.repeat(LENGTH / 2 - 5)}x`],
  ['an endless exponent and a letter', `1e${'1'.repeat(LENGTH)}x`],
  ['blanks and a letter', `${' '.repeat(LENGTH)}x 1`],
  ['a digit, blanks and a letter', `1${' '.repeat(LENGTH)}x`],
  ['signs', '+-'.repeat(LENGTH / 2)],
];

for (const field of ['site_id', 'max_uses', 'expire_minutes'])
  for (const [says, text] of texts)
    test(`${field} set to ${says} is processed without delay`, PATIENCE, async () => {
      const body = JSON.stringify({ site_id: 1, name: 'x', [field]: text });
      for (let turn = 0; turn < TURNS; turn++) {
        const reply = await service.call('POST', 'vouchers.php', { body });
        assert.equal(reply.status, field === 'site_id' ? 400 : 201);
      }
    });

test('qos values of many digits and a letter are processed without delay', PATIENCE, async () => {
  const text = `${'1'.repeat(LENGTH / 3)}x`;
  const body = { site_id: 1, name: 'x', qos: { down: text, up: text, quota_mb: text } };
  for (let turn = 0; turn < TURNS; turn++)
    assert.equal((await service.call('POST', 'vouchers.php', { body })).status, 201);
});

test(
  'a name with long runs of spaces around and between its letters is trimmed without delay',
  PATIENCE,
  async () => {
    const name = `${' '.repeat(LENGTH / 3)}a${' '.repeat(200)}b${' '.repeat(LENGTH / 3)}`;
    for (let turn = 0; turn < TURNS; turn++) {
      const reply = await leaving(service, ONE_VOUCHER, () =>
        service.call('POST', 'vouchers.php', { body: { site_id: 1, name } }),
      );
      assert.equal(reply.status, 201);
    }
  },
);

test('a site_id of many digits and a letter in the query is refused without delay', PATIENCE, async () => {
  for (let turn = 0; turn < TURNS; turn++)
    assert.equal((await service.call('GET', `vouchers.php?site_id=${'1'.repeat(15_000)}x`)).status, 400);
});

test('a key of many spaces or letters is refused without delay', PATIENCE, async () => {
  for (const text of ['k'.repeat(15_000), `${'k '.repeat(7_000)}`, `gpk_${'0'.repeat(15_000)}`])
    for (let turn = 0; turn < TURNS; turn++)
      assert.equal((await service.call('POST', 'vouchers.php', { key: text, body: '{}' })).status, 401);
});

test('an If-None-Match header with thousands of tags is processed without delay', PATIENCE, async () => {
  const headers = { 'if-none-match': '"x",'.repeat(3_500) };
  for (let turn = 0; turn < TURNS; turn++)
    assert.equal((await service.call('GET', 'vouchers.php?site_id=1', { headers })).status, 200);
});
