// No secret is written to the log, whatever its form, and every log line is a JSON object.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeLog } from '../../../src/platform/log/make-log.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

/** The line that is logged for these fields. */
function logged(fields: Record<string, unknown>): string {
  let written = '';
  const log = makeLog('info', {
    write(line) {
      written = line;
    },
  });
  log.info(fields, 'message');
  return written;
}

function holdsNoSecret(fields: Record<string, unknown>): void {
  const line = logged(fields);
  assert.ok(!/geheim/i.test(line), `the secret is in the log: ${line}`);
  assert.equal(typeof JSON.parse(line), 'object');
}

test('a password in the error message of a driver is not logged', async () => {
  const siteId = await service.addSite('fail:throw');
  const reply = await service.call('POST', 'vouchers.php', { body: { site_id: siteId, name: 'x' } });
  assert.equal(reply.status, 500);
  const log = JSON.stringify(service.logLines);
  assert.match(log, /the simulated driver broke down/);
  assert.ok(!log.includes('geheim'));
});

test('secrets in plain text are masked', () => {
  const texts = [
    'password=geheim',
    'Passwort-Feld password: geheim',
    'api_key=geheim&x=1',
    'X-API-Key: geheim',
    'Authorization: Bearer geheim',
    'Authorization: Basic geheim',
    'Cookie: unifises=geheim; csrf=geheim2',
    'https://admin:geheim@controller.example/api',
    'csrf_token=geheim',
    'gpk_geheim',
    'whsec_geheim',
  ];
  for (const text of texts) holdsNoSecret({ text });
  for (const text of texts) holdsNoSecret({ err: new Error(text) });
});

test('secrets in quotes are masked up to the closing quote, and the line is valid JSON', () => {
  const texts = [
    'password="geheim"',
    "password='geheim'",
    'login refused: {"username":"admin","password":"geheim"}',
    '{"password":"sehr, geheim"}',
    '{"password": "sehr geheim"}',
    'Authorization: Basic "geheim"',
    'Cookie: "geheim"',
  ];
  for (const text of texts) holdsNoSecret({ text });
  for (const text of texts) holdsNoSecret({ err: new Error(text) });
});

test('secrets in separate fields are masked, and the line is valid JSON', () => {
  const fields = [
    { password: 'geheim' },
    { password: 'sehr geheim' },
    { password: 'sehr "geheim' },
    { settings: { apiKey: 'geheim', token: 'geheim' } },
    { headers: { 'set-cookie': ['unifises=geheim; Path=/'] } },
    { headers: { cookie: 'unifises=geheim' } },
  ];
  for (const field of fields) holdsNoSecret(field);
});

test('text that is not secret stays readable', () => {
  const line = JSON.parse(
    logged({ text: 'password=geheim\nsecond line', siteId: 1, route: '/api/sites.php' }),
  );
  assert.match(line.text, /second line/);
  assert.equal(line.siteId, 1);
  assert.equal(line.route, '/api/sites.php');
  assert.equal(JSON.parse(logged({ token: 5, count: 7 })).count, 7);
});
