// GET /.well-known/security.txt: names the contact that the administrator has set, and does not exist without one.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';

const PATH = '/.well-known/security.txt';
const DAY_MS = 24 * 60 * 60_000;

let service: TestService;
before(async () => {
  const environment = { SECURITY_CONTACT: 'mailto:it@example.org', PUBLIC_URL: 'https://wifi.example.org' };
  service = await startTestService({ environment });
});
after(() => service.stop());

test('the file has the fields of RFC 9116, and expires within a year from now', async () => {
  const read = async () => (await service.call('GET', PATH, { key: null })).text;
  const [contact, expires, languages, canonical, ...rest] = (await read()).split('\n');
  assert.equal(contact, 'Contact: mailto:it@example.org');
  assert.equal(languages, 'Preferred-Languages: de, en');
  assert.equal(canonical, `Canonical: https://wifi.example.org${PATH}`);
  assert.deepEqual(rest, ['']);

  assert.match(expires ?? '', /^Expires: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const days = (Date.parse((expires ?? '').slice('Expires: '.length)) - service.clock.nowMs()) / DAY_MS;
  assert.ok(days > 30 && days < 365, `${days}`);
  service.clock.advance(DAY_MS);
  assert.ok(!(await read()).includes(expires ?? ''), 'the date does not move on');
});

test('the file is plain text, for GET and HEAD', async () => {
  for (const method of ['GET', 'HEAD']) {
    const { status, headers } = await service.call(method, PATH, { key: null });
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/plain; charset=utf-8']);
  }
  assert.equal((await service.call('POST', PATH, { key: null })).status, 405);
});

test('without SECURITY_CONTACT there is no such file', async (t) => {
  const other = await startTestService();
  t.after(() => other.stop());
  assert.equal((await other.call('GET', PATH, { key: null })).status, 404);
});
