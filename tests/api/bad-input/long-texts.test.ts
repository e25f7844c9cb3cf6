// Texts of the largest size a request may have, made to be slow to read: numbers that turn out to be none at
// the very end, runs of blanks, long keys. One caller must not keep the service from everybody else.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { leaving, ONE_VOUCHER } from '../support/post-vouchers-traces.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

/** Far more than all of it takes; a reader whose effort grows with the square of the length needs longer. */
const PATIENCE = { timeout: 30_000 };
/** Many, since a text cannot be longer: one that is read with such an effort takes some seconds. */
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
    test(`${field} as ${says} is read at once`, PATIENCE, async () => {
      const body = JSON.stringify({ site_id: 1, name: 'x', [field]: text });
      for (let turn = 0; turn < TURNS; turn++) {
        const reply = await service.call('POST', 'vouchers.php', { body });
        assert.equal(reply.status, field === 'site_id' ? 400 : 201);
      }
    });

test('qos values of many digits and a letter are read at once', PATIENCE, async () => {
  const text = `${'1'.repeat(LENGTH / 3)}x`;
  const body = { site_id: 1, name: 'x', qos: { down: text, up: text, quota_mb: text } };
  for (let turn = 0; turn < TURNS; turn++)
    assert.equal((await service.call('POST', 'vouchers.php', { body })).status, 201);
});

test('a name of blanks, letters far apart and blanks is trimmed at once', PATIENCE, async () => {
  const name = `${' '.repeat(LENGTH / 3)}a${' '.repeat(200)}b${' '.repeat(LENGTH / 3)}`;
  for (let turn = 0; turn < TURNS; turn++) {
    const reply = await leaving(service, ONE_VOUCHER, () =>
      service.call('POST', 'vouchers.php', { body: { site_id: 1, name } }),
    );
    assert.equal(reply.status, 201);
  }
});

test('a site_id of many digits and a letter in the query is read at once', PATIENCE, async () => {
  for (let turn = 0; turn < TURNS; turn++)
    assert.equal((await service.call('GET', `vouchers.php?site_id=${'1'.repeat(15_000)}x`)).status, 400);
});

test('a credential of many blanks or letters is refused at once', PATIENCE, async () => {
  for (const text of ['k'.repeat(15_000), `${'k '.repeat(7_000)}`, `gpk_${'0'.repeat(15_000)}`])
    for (let turn = 0; turn < TURNS; turn++)
      assert.equal((await service.call('POST', 'vouchers.php', { key: text, body: '{}' })).status, 401);
});

test('a list of many tags to compare with is compared at once', PATIENCE, async () => {
  const headers = { 'if-none-match': '"x",'.repeat(3_500) };
  for (let turn = 0; turn < TURNS; turn++)
    assert.equal((await service.call('GET', 'vouchers.php?site_id=1', { headers })).status, 200);
});
