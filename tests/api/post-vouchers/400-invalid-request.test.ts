// POST /vouchers.php → 400 invalid_request: every input rule with its German message, the order in which the rules are
// checked, and that a refused order leaves no records in the service or on the controller.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { leaving } from '../support/post-vouchers-traces.ts';

const MAX_VALUE = 2_147_483_647;
const SITE_ID_MISSING = 'site_id erforderlich';
const NAME_MISSING = 'name erforderlich';
const NAME_TOO_LONG = 'name darf höchstens 244 Zeichen lang sein';
const NAME_NOT_PLAIN = 'name darf keine Steuerzeichen enthalten';
const tooHigh = (field: string) => `${field} darf höchstens ${MAX_VALUE} sein`;

let service: TestService;
before(async () => {
  service = await startTestService({ webhook: true });
});
after(() => service.stop());

async function assertRefused(body: unknown, message: string): Promise<void> {
  const what = typeof body === 'string' ? body : JSON.stringify(body);
  await leaving(service, {}, async () => {
    const reply = await service.call('POST', 'vouchers.php', { body });
    assert.equal(reply.status, 400, what);
    assert.equal(reply.text, JSON.stringify({ error: 'invalid_request', message }), what);
  });
}

// Contract: site_id | integer | yes | none | Must be greater than 0 after …
// Contract: `site_id` is validated.
// Contract: Error body for the cases below: JSON `{ "error": <code>, "message" …
// Contract: 400 | invalid_request | site_id missing or not positive (GET …
test('site_id is required', async () => {
  await assertRefused({ name: 'Ohne Site' }, SITE_ID_MISSING);
});

// Contract: site_id | integer | yes | none | Must be greater than 0 after …
// Contract: If it is not greater than 0, the result is 400 `invalid_request` …
// Contract: 400 | invalid_request | site_id missing or not positive (GET …
test('site_id must be greater than 0 after integer conversion', async () => {
  for (const site_id of [0, -1, 0.99, -0, -1e308, '0', '-1', '0.5', '-1e999'])
    await assertRefused({ site_id, name: 'x' }, SITE_ID_MISSING);
});

// Contract: `site_id` is validated.
test('a site_id that is not a number counts as missing', async () => {
  const others = [
    null,
    true,
    [],
    [1],
    {},
    { id: 1 },
    '',
    ' ',
    'eins',
    '1abc',
    '0x1',
    '1,5',
    'NaN',
    'Infinity',
  ];
  for (const site_id of others) await assertRefused({ site_id, name: 'x' }, SITE_ID_MISSING);
});

test('a site_id in the query string is ignored', async () => {
  const reply = await service.call('POST', 'vouchers.php?site_id=1', { body: { name: 'x' } });
  assert.equal(reply.json.message, SITE_ID_MISSING);
});

const HINTS: Record<string, string> = {
  'empty body': 'body is empty',
  'body is not JSON': 'body is not valid JSON',
};

// Contract: Request bodies are JSON.
test('a body that is empty, not JSON or not an object counts as {}; the log and a header say why', async () => {
  const why: [body: string | Buffer | undefined, reason: string][] = [
    [undefined, 'empty body'],
    ['', 'empty body'],
    ['{', 'body is not JSON'],
    ['site_id=1&name=x', 'body is not JSON'],
    ['[]', 'body is not a JSON object'],
    ['[{"site_id":1,"name":"x"}]', 'body is not a JSON object'],
    ['"x"', 'body is not a JSON object'],
    ['null', 'body is not a JSON object'],
    ['1', 'body is not a JSON object'],
    [Buffer.from('{"site_id":1,"name":"\xfc"}', 'latin1'), 'body is not UTF-8'],
  ];
  for (const [body, reason] of why) {
    const reply = await service.call('POST', 'vouchers.php', { body });

    test('the hint stands beside the headers of the rate limit, and a body that was read gets none', async () => {
      const key = await service.issueKey('write', 10);
      const { headers } = await service.call('POST', 'vouchers.php', { key, body: '{' });
      assert.ok(headers.has('gastpass-hint') && headers.has('x-ratelimit-remaining'));
      const read = await service.call('POST', 'vouchers.php', { key, body: {} });
      assert.ok(!read.headers.has('gastpass-hint'));
    });
    assert.equal(reply.status, 400);
    assert.equal(reply.json.message, SITE_ID_MISSING);
    const requestId = reply.headers.get('x-request-id');
    const line = service.logLines.find((entry) => entry.requestId === requestId && entry.ignoredBecause);
    assert.equal(line?.ignoredBecause, reason, String(body));
    const hint = reply.headers.get('gastpass-hint');
    assert.equal(hint, `the ${HINTS[reason] ?? reason}, so it was treated as {}`);
  }
});

// Contract: name | string | yes | none | Trimmed; must not be empty after …
// Contract: `name` is validated.
// Contract: 400 | invalid_request | name empty (POST) | `name erforderlich`
test('name is required', async () => {
  await assertRefused({ site_id: 1 }, NAME_MISSING);
});

// Contract: name | string | yes | none | Trimmed; must not be empty after …
// Contract: If it is empty after trimming, the result is 400 `invalid_request` …
// Contract: 400 | invalid_request | name empty (POST) | `name erforderlich`
test('a name that is empty after trimming counts as missing', async () => {
  for (const name of ['', ' ', '\t\r\n', '\u00a0\u3000\u2028\ufeff', ' '.repeat(60_000)])
    await assertRefused({ site_id: 1, name }, NAME_MISSING);
});

test('a name that is neither a string nor a number counts as missing', async () => {
  for (const name of [null, true, false, [], ['x'], {}, { name: 'x' }])
    await assertRefused({ site_id: 1, name }, NAME_MISSING);
});

// Contract: Upper bounds for max_uses, expire_minutes and qos values, and …
test('a name of 245 characters is refused as too long, whatever the characters', async () => {
  for (const name of ['x'.repeat(245), 'ß'.repeat(245), '\u{1F3AB}'.repeat(245), 'x'.repeat(60_000)])
    await assertRefused({ site_id: 1, name }, NAME_TOO_LONG);
});

test('a name with a control, invisible or text-reordering character or a lone surrogate is refused', async () => {
  const marks = ['\u0000', '\u0001', '\b', '\t', '\n', '\r', '\u001b', '\u007f', '\u0085', '\u009f'];
  const hiding = ['\u202e', '\u2066', '\u200b', '\u2060', '\ufeff'];
  for (const mark of [...marks, ...hiding, '\ud83c', '\udfab'])
    await assertRefused(`{"site_id":1,"name":${JSON.stringify(`Zimmer${mark}12`)}}`, NAME_NOT_PLAIN);
});

// Contract: Upper bounds for max_uses, expire_minutes and qos values, and …
for (const field of ['max_uses', 'expire_minutes'])
  test(`${field} has an upper bound, and the message contains the field and the bound`, async () => {
    for (const value of ['2147483648', '"2147483648"', '1e308', '1e999', '"1e999"', '9007199254740993'])
      await assertRefused(`{"site_id":1,"name":"x","${field}":${value}}`, tooHigh(field));
  });

// Contract: Upper bounds for max_uses, expire_minutes and qos values, and …
for (const field of ['down', 'up', 'quota_mb'])
  test(`qos.${field} has an upper bound, and the message contains the field and the bound`, async () => {
    for (const value of ['2147483648', '"2147483648"', '1e308', '1e999', '"1e999"', '9007199254740993'])
      await assertRefused(`{"site_id":1,"name":"x","qos":{"${field}":${value}}}`, tooHigh(field));
  });

test('the maximum values of all fields are accepted together', async () => {
  const qos = { down: MAX_VALUE, up: MAX_VALUE, quota_mb: MAX_VALUE };
  const body = { site_id: 1, name: 'Viel', max_uses: MAX_VALUE, expire_minutes: MAX_VALUE, qos };
  const reply = await service.call('POST', 'vouchers.php', { body });
  assert.equal(reply.status, 201);
  assert.equal(reply.json.max_uses, MAX_VALUE);
  assert.equal(reply.json.expire_minutes, MAX_VALUE);
});

test('only the first problem is reported: site_id, then name, then the bounds in field order', async () => {
  const over = MAX_VALUE + 1;
  const qos = { down: over, up: over, quota_mb: over };
  const wrong = { site_id: 0, name: '', max_uses: over, expire_minutes: over, qos };
  await assertRefused(wrong, SITE_ID_MISSING);
  await assertRefused({ ...wrong, site_id: 1 }, NAME_MISSING);
  const named = { ...wrong, site_id: 1, name: 'x' };
  await assertRefused({ ...named, name: 'x'.repeat(245) }, NAME_TOO_LONG);
  await assertRefused(named, tooHigh('max_uses'));
  await assertRefused({ ...named, max_uses: 1 }, tooHigh('expire_minutes'));
  await assertRefused({ ...named, max_uses: 1, expire_minutes: 1 }, tooHigh('down'));
  await assertRefused({ site_id: 1, name: 'x', qos: { ...qos, down: 0 } }, tooHigh('up'));
  await assertRefused({ site_id: 1, name: 'x', qos: { quota_mb: over } }, tooHigh('quota_mb'));
});

test('the input is checked before the site: an invalid order for an unknown site gets a 400', async () => {
  await assertRefused({ site_id: 999_999 }, NAME_MISSING);
  await assertRefused({ site_id: 999_999, name: 'x', max_uses: 1e10 }, tooHigh('max_uses'));
});
