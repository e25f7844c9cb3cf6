// Tests that keys, passwords, tokens, cookies and the user info of URLs are masked, and that texts without a secret
// stay unchanged.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { maskSecrets } from './mask-secrets.ts';

const secretive: [what: string, text: string][] = [
  ['an API key of Gastpass', 'refused gpk_geheimgeheimgeheimgeheim now'],
  ['a webhook secret', 'signed with whsec_geheim+geheim/geheim=='],
  ['a Bearer token', 'Authorization: Bearer geheim.geheim-geheim'],
  ['Basic credentials', 'authorization: basic Z2VoZWltgeheim=='],
  ['a password as key=value', 'login failed: password=geheim&user=ada'],
  ['a password in quotes', `password: "geheim", user: "ada"`],
  ['a password in single quotes', `{ password: 'geheim' }`],
  ['a password in JSON', '{"username":"ada","password":"geheim"}'],
  ['a password in JSON inside JSON', '{"body":"{\\"password\\":\\"geheim\\"}"}'],
  ['a password in a query', 'GET /login?user=ada&password=geheim HTTP/1.1'],
  ['a password whose field has a longer name', 'admin_password = geheim; x_passwd: geheim'],
  ['a passphrase', 'passphrase: geheim'],
  ['an API key in a header', 'X-API-KEY: geheim'],
  ['an API key in JSON', '{"api_key": "geheim", "apikey":"geheim", "apiKey":"geheim"}'],
  ['a token', 'access_token=geheim refreshToken: geheim'],
  ['a secret', 'client_secret=geheim GASTPASS_SECRET=geheim'],
  ['a CSRF token', 'X-CSRF-Token: geheim csrf_token=geheim'],
  ['a cookie', 'cookie: TOKEN=geheim; unifises=geheim'],
  ['a cookie that is set', 'Set-Cookie: unifises=geheim; Path=/; HttpOnly'],
  ['the user-info of a URL', 'connect to https://ada:geheim@unifi.example.org:8443/api failed'],
  ['the user-info of a database URL', 'postgres://gastpass:geheim@db/gastpass'],
  ['a URL password with an @ in it', 'postgres://gastpass:p@geheim@db/gastpass'],
];

describe('secrets are masked', () => {
  for (const [what, text] of secretive)
    test(what, () => {
      assert.match(text, /geheim/);
      assert.doesNotMatch(maskSecrets(text), /geheim/);
      assert.match(maskSecrets(text), /\*\*\*/);
    });
});

describe('texts without a secret stay unchanged', () => {
  const plain = [
    'the simulated controller did not answer in time',
    'connect ECONNREFUSED 127.0.0.1:8443',
    'https://unifi.example.org:8443/proxy/network/api/s/default/cmd/hotspot',
    'mail to ada@example.org about site Haus A',
    'the password is missing',
    'SQLITE_BUSY: database is locked',
    '',
  ];
  for (const text of plain)
    test(text || 'an empty text', () => {
      assert.equal(maskSecrets(text), text);
    });
});

test('the text around a secret stays readable', () => {
  assert.equal(
    maskSecrets('login as ada with password=geheim failed at https://ada:geheim@unifi/api'),
    'login as ada with password=*** failed at https://***@unifi/api',
  );
});

test('a key that was moved in is masked; its id is not', () => {
  assert.equal(maskSecrets(`refused uvt_${'0a'.repeat(20)}`), 'refused uvt_***');
  assert.equal(maskSecrets('key uvt_0a0a0a0a'), 'key uvt_0a0a0a0a');
});

test('masking twice changes nothing more', () => {
  for (const [, text] of secretive) assert.equal(maskSecrets(maskSecrets(text)), maskSecrets(text));
});

test('a long text cannot block the service, whatever its content', () => {
  const module = JSON.stringify(new URL('./mask-secrets.ts', import.meta.url).href);
  const script = `
    const { maskSecrets } = await import(${module});
    for (const unit of ['a', 'a-', 'a.', 'a+', 'a:/', 'bearer ', 'cookie:', 'token=', '"'])
      maskSecrets(unit.repeat(200_000));`;
  const program = ['--input-type=module', '-e', script];
  // In a separate process, so that an endless run can be stopped from outside. A quadratic algorithm takes more than a
  // minute.
  const { status } = spawnSync(process.execPath, program, { timeout: 30_000 });
  assert.equal(status, 0);
});
