// Tests that keys, passwords, tokens, cookies and the user info of URLs are masked, and that texts without a secret
// stay unchanged.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { longestTextRead } from '../../../tests/support/longest-text-read.ts';
import { toOneLine } from '../text/one-line.ts';
import { MAX_TEXT_LENGTH, maskEnd, maskKnownSecret, maskSecrets } from './mask-secrets.ts';

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
  ['a password link', 'spam: https://wifi.example.org/invitation/geheim-geheim_geheimgeheim'],
  ['a guest page', 'refused because of /g/geheimgeheimgeheimgeheim.'],
  ['a printer', 'POST /print/cloudprnt/geheimgeheimgeheim?mac=1 failed, /print/epson/geheimgeheim too'],
  ['a rolling code', 'GET https://wifi.example.org/rolling/geheimgeheimgeheim.png?w=800 failed'],
  ['a page of a kiosk', 'GET /screen/done/geheimgeheim?mail=none, /screen/request/geheimgeheim/decision'],
  ['a request page', 'open /request/geheimgeheimgeheim or /request/geheim/geheimgeheim/ again'],
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

describe('a text of several megabytes', () => {
  const flood = 'password=geheim '.repeat(400_000);

  test('is cut before any pattern reads it', (t) => {
    for (const [what, mask] of Object.entries({ maskSecrets, toOneLine }))
      assert.ok(longestTextRead(t, () => mask(flood)) <= MAX_TEXT_LENGTH, what);
    assert.ok(longestTextRead(t, () => maskKnownSecret(flood, 'geheim')) <= MAX_TEXT_LENGTH);
  });

  test('gives the same whatever follows the cut', () => {
    for (const [, text] of secretive) {
      const start = `${'x '.repeat(MAX_TEXT_LENGTH)}${text}`.slice(-MAX_TEXT_LENGTH);
      assert.equal(maskSecrets(start + flood), maskSecrets(`${start}y`), text);
      assert.equal(maskKnownSecret(start + flood, 'geheim'), maskKnownSecret(`${start}y`, 'geheim'), text);
    }
  });

  test('is not cut in the middle of a character', () => {
    for (const shift of ['', 'x']) {
      const cut = maskSecrets(shift + '😀'.repeat(MAX_TEXT_LENGTH));
      assert.ok(cut.isWellFormed());
      assert.ok(cut.length >= MAX_TEXT_LENGTH - 1 && cut.length <= MAX_TEXT_LENGTH);
    }
  });
});

describe('a secret that the cut divides leaves nothing readable', () => {
  const long: typeof secretive = [
    ...secretive,
    ['a password of several words', 'password: "geheim geheim geheim geheim"'],
    ['a password of several words in JSON inside JSON', '{\\"password\\":\\"geheim geheim geheim\\"}'],
    ['a password with escaped quotes', '{"password":"geheim\\"geheim\\\\geheim"}'],
    ['a long user name in a URL', `https://${'geheim'.repeat(200)}:geheim@unifi`],
  ];
  for (const [what, text] of long)
    test(what, () => {
      for (let kept = 1; kept < text.length; kept++) {
        const padding = `${'.'.repeat(MAX_TEXT_LENGTH - kept - 1)} `;
        const masked = maskSecrets(`${padding}${text} and so on`);
        assert.doesNotMatch(masked.slice(padding.length), /geh|eim/, `${kept} characters before the cut`);
        // A text may be cut twice: first where the credentials of its site are masked.
        const twice = maskSecrets(maskKnownSecret(`${padding}${text} and so on`, 'another'));
        assert.doesNotMatch(twice.slice(padding.length), /geh|eim/, `${kept} characters, cut twice`);
      }
    });

  test('a known secret, of which not even one character stays', () => {
    const secret = 'Käse mit: Brot';
    for (let kept = 1; kept <= secret.length; kept++) {
      const padding = '.'.repeat(MAX_TEXT_LENGTH - kept);
      assert.equal(maskKnownSecret(`${padding}${secret} and so on`, secret), `${padding}***`);
    }
    assert.equal(maskKnownSecret('the end is K', secret), 'the end is K');
  });

  test('the end of a text is masked from a given length on', () => {
    assert.equal(maskEnd('said geh', 'geheim', 3), 'said ***');
    assert.equal(maskEnd('said ge', 'geheim', 3), 'said ge');
    assert.equal(maskEnd('', 'geheim', 1), '');
  });
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
