// POST /vouchers.php → 500 server_error: the creation failed on the controller or in the database. The message is the
// text of the exception in one short line without secrets; the log has the details under the request id.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { refusingInserts } from '../../support/disturb-records.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { leaving, type Traces } from '../support/post-vouchers-traces.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ webhook: true });
});
after(() => service.stop());

async function failOn(siteId: number, left: Partial<Traces>) {
  const reply = await leaving(service, left, () =>
    service.call('POST', 'vouchers.php', { body: { site_id: siteId, name: 'Pech' } }),
  );
  assert.equal(reply.status, 500);
  assert.deepEqual(Object.keys(reply.json), ['error', 'message']);
  assert.equal(reply.json.error, 'server_error');
  return reply;
}

/** Makes the recording of a voucher fail with this text. */
function failWith(text: string) {
  return refusingInserts(service, { table: 'vouchers', text }, () => failOn(1, { intents: 1, upstream: 1 }));
}

const linesOf = (requestId: string | null) =>
  service.logLines.filter((line) => line.requestId === requestId && line.msg !== 'answered');

// If the controller may still create the voucher, the intent stays open; if it certainly did not, no record is left.
const ways: [site: string, left: Partial<Traces>, message: string][] = [
  ['fail:refuse', {}, 'the simulated controller refuses every voucher'],
  ['fail:unreachable', {}, 'the simulated controller cannot be reached'],
  ['fail:time-out', { intents: 1 }, 'the simulated controller did not answer in time'],
  ['fail:throw', { intents: 1 }, 'the simulated driver broke down: password=***'],
];
// Contract: Any exception during steps 6 to 9 gives 500 `server_error`, with …
// Contract: 500 | server_error | Exception while creating or recording the …
for (const [site, left, message] of ways)
  test(`a controller fails with ${site}: the response names the cause, and no voucher is recorded`, async () => {
    const reply = await failOn(await service.addSite(site, site), left);
    assert.equal(reply.json.message, message);
    assert.match(
      JSON.stringify(linesOf(reply.headers.get('x-request-id'))),
      new RegExp(message.slice(0, 30)),
    );
  });

// Contract: Any exception during steps 6 to 9 gives 500 `server_error`, with …
// Contract: 500 | server_error | Exception while creating or recording the …
test('a failure to record the voucher gets a 500 with the text of the exception', async () => {
  const reply = await failWith('the index is upset');
  assert.equal(reply.json.message, 'the index is upset');
  const list = await service.call('GET', 'vouchers.php?site_id=1');
  assert.deepEqual(list.json.vouchers, []);
});

test('the log has the full text and the stack trace under the request id', async () => {
  const text = `a long story: ${'word '.repeat(100)}the end`;
  const reply = await failWith(text);
  const [line] = linesOf(reply.headers.get('x-request-id'));
  assert.equal(line?.level, 'error');
  assert.match(JSON.stringify(line), /the end/);
  assert.match(JSON.stringify(line), /at .+\.ts:\d+/);
});

test('the message is a single line', async () => {
  const reply = await failWith('first\r\nsecond\n\n\tthird\u2028fourth');
  assert.equal(reply.json.message, 'first second third fourth');
});

test('the message has at most 300 characters and ends with an ellipsis if it was truncated', async () => {
  const just = 'x'.repeat(300);
  assert.equal((await failWith(just)).json.message, just);
  const cut = (await failWith('y'.repeat(301))).json.message;
  assert.equal(cut, `${'y'.repeat(299)}…`);
});

test('the message is never truncated in the middle of a character', async () => {
  for (const before of [297, 298, 299]) {
    const { text, json } = await failWith(`${'z'.repeat(before)}${'\u{1F3AB}'.repeat(9)}`);
    assert.ok(json.message.isWellFormed(), `${before} characters, then emoji`);
    assert.ok(json.message.length <= 300);
    assert.ok(!text.includes('\\ud'), 'Unicode is not escaped');
  }
});

const secrets = [
  'login failed: password=geheim-1234',
  'login failed: {"username":"admin","password":"geheim-1234"}',
  'login failed: {"password":"mit Leerzeichen, geheim-1234"}',
  "login failed: password: 'mit Leerzeichen geheim-1234'",
  'GET https://admin:geheim-1234@unifi.local:8443/api refused',
  'GET https://geheim-1234@unifi.local/ refused',
  'X-API-KEY: geheim-1234 refused',
  'api_key=geheim-1234&site=default refused',
  '{"apiKey":"geheim-1234"} refused',
  'Authorization: Bearer geheim-1234 refused',
  'Authorization: Basic geheim-1234 refused',
  'access_token=geheim-1234 refused',
  'X-CSRF-Token: geheim-1234 refused',
  'Cookie: TOKEN=geheim-1234; unifises=geheim-1234',
  'Set-Cookie: unifises=geheim-1234; Path=/; Secure',
  'key gpk_geheim1234 is wrong',
  'whsec_geheim-1234 does not fit',
];
for (const text of secrets)
  test(`the secret is in neither the message nor the log: ${text}`, async () => {
    const seen = service.logLines.length;
    const { message } = (await failWith(text)).json;
    assert.doesNotMatch(message, /geheim-?1234/);
    assert.match(message, /\*\*\*/);
    assert.doesNotMatch(JSON.stringify(service.logLines.slice(seen)), /geheim-?1234/);
  });

// Contract: Each site is tied to an upstream network controller.
test('a failing site does not affect another site', async () => {
  const siteId = await service.addSite('fail:throw', 'Kaputt');
  const [broken, fine] = await Promise.all([
    service.call('POST', 'vouchers.php', { body: { site_id: siteId, name: 'Pech' } }),
    service.call('POST', 'vouchers.php', { body: { site_id: 1, name: 'Glück' } }),
  ]);
  assert.equal(broken.status, 500);
  assert.equal(fine.status, 201);
});
