// Tests the settings of the mail server: what they mean, that every issue is named, and that no secret is repeated.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { rootCertificates } from 'node:tls';
import type { MailServer } from '../../features/mail/mail-server.ts';
import { readConfig } from './read-config.ts';
import type { Environment } from './reader.ts';

const FROM = { MAIL_FROM: 'wifi@example.org' };
const [PEM = '', SECOND_PEM = ''] = rootCertificates;
const folder = mkdtempSync(join(tmpdir(), 'gastpass-test-'));
after(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function read(environment: Environment): MailServer | undefined {
  const { config, issues } = readConfig(environment);
  assert.deepEqual(issues, undefined);
  return config?.mail;
}

const issuesOf = (environment: Environment) => readConfig(environment).issues;

test('without settings there is no mail server', () => {
  assert.equal(read({}), undefined);
});

describe('accepted settings', () => {
  const plain = { from: { address: 'wifi@example.org' }, perHour: null };
  const taken: [environment: Environment, expected: MailServer][] = [
    [
      { SMTP_URL: 'smtp://mail.example.org', ...FROM },
      { host: 'mail.example.org', port: 587, tls: 'required', ...plain },
    ],
    [
      { SMTP_URL: 'SMTPS://Mail.example.org/', ...FROM },
      { host: 'mail.example.org', port: 465, tls: 'implicit', ...plain },
    ],
    [
      { SMTP_URL: 'smtp://relay:25', SMTP_TLS: 'off', ...FROM },
      { host: 'relay', port: 25, tls: 'off', ...plain },
    ],
    [
      { SMTP_URL: 'smtps://mail.example.org', SMTP_TLS: 'required', ...FROM },
      { host: 'mail.example.org', port: 465, tls: 'implicit', ...plain },
    ],
    [
      { SMTP_URL: 'smtp://[fd00::25]:2525', SMTP_TLS: 'required', ...FROM },
      { host: 'fd00::25', port: 2525, tls: 'required', ...plain },
    ],
    [
      { SMTP_URL: 'smtp://bücher.example', ...FROM },
      { host: 'xn--bcher-kva.example', port: 587, tls: 'required', ...plain },
    ],
    [
      { SMTP_URL: 'smtp://ada%40example.org:p%40ss%2Fw%25rd%C3%BC@mail.example.org', ...FROM },
      {
        host: 'mail.example.org',
        port: 587,
        tls: 'required',
        credentials: { username: 'ada@example.org', password: 'p@ss/w%rdü' },
        ...plain,
      },
    ],
    [
      {
        SMTP_URL: 'smtp://h',
        SMTP_USER: 'ada@example.org',
        SMTP_PASSWORD_FILE: write('password', 'a%b\n'),
        ...FROM,
      },
      {
        host: 'h',
        port: 587,
        tls: 'required',
        credentials: { username: 'ada@example.org', password: 'a%b' },
        ...plain,
      },
    ],
    [
      { SMTP_URL: 'smtp://h', SMTP_CA_FILE: write('ca.pem', `# ours\n${PEM}\n${SECOND_PEM}\n`), ...FROM },
      { host: 'h', port: 587, tls: 'required', ca: `# ours\n${PEM}\n${SECOND_PEM}`, ...plain },
    ],
    [
      { SMTP_URL: 'smtp://h', MAIL_FROM: 'Gästehaus Größe <wifi@example.org>', MAIL_PER_HOUR: '100000' },
      {
        host: 'h',
        port: 587,
        tls: 'required',
        from: { name: 'Gästehaus Größe', address: 'wifi@example.org' },
        perHour: 100_000,
      },
    ],
    [
      { SMTP_URL: 'smtp://h', MAIL_FROM: '"Hotel, Ada"<wifi@example.org>' },
      {
        host: 'h',
        port: 587,
        tls: 'required',
        from: { name: 'Hotel, Ada', address: 'wifi@example.org' },
        perHour: null,
      },
    ],
  ];
  for (const [environment, expected] of taken)
    test(JSON.stringify(environment), () => {
      assert.deepEqual(read(environment), expected);
    });
});

describe('refused settings', () => {
  const complete = { SMTP_URL: 'smtp://mail.example.org', ...FROM };
  const refused: Record<string, string[]> = {
    SMTP_URL: [
      'mail.example.org',
      'mail.example.org:587',
      'http://mail.example.org',
      'smtp:mail.example.org',
      'smtp://',
      'smtp://mail.example.org:0',
      'smtp://mail.example.org:65536',
      'smtp://mail.example.org/path',
      'smtp://mail.example.org?tls=off',
      'smtp://ada:geheim%zz@mail.example.org',
      'smtp://ada:geheim#1@mail.example.org',
      'smtp://ada:geheim%0d%0aRSET@mail.example.org',
      'smtp://mail.example.org,other.example.org',
      'smtp://[fd00::zz]',
    ],
    SMTP_TLS: ['on', 'REQUIRED', 'starttls'],
    SMTP_CA: ['geheim', PEM.replaceAll('A', ''), PEM.split('\n', 3).join('\n')],
    MAIL_FROM: [
      'wifi',
      'wifi@localhost',
      'wifi@bücher.example',
      'a@example.org, b@example.org',
      'Ada <a@example.org> <b@example.org>',
      'Ada\nBcc: x@example.org <a@example.org>',
      `${'n'.repeat(101)} <a@example.org>`,
    ],
    MAIL_PER_HOUR: ['0', '100001', 'many'],
  };
  for (const [name, values] of Object.entries(refused))
    for (const value of values)
      test(`${name}=${JSON.stringify(value)}`, () => {
        const issues = issuesOf({ ...complete, [name]: value });
        assert.equal(issues?.length, 1, String(issues));
        assert.ok(issues?.[0]?.startsWith(`${name}: expected `), issues?.[0]);
        assert.doesNotMatch(String(issues), /geheim/);
      });

  test('a server without a sender, a sender without a server, or other settings alone', () => {
    const both = ['SMTP_URL and MAIL_FROM: set both, or none of the settings for e-mail'];
    assert.deepEqual(issuesOf({ SMTP_URL: 'smtp://ada:geheim@h' }), both);
    assert.deepEqual(issuesOf(FROM), both);
    assert.deepEqual(issuesOf({ MAIL_PER_HOUR: '5' }), both);
    assert.deepEqual(issuesOf({ SMTP_TLS: 'off' }), both);
    assert.deepEqual(issuesOf({ SMTP_USER: 'ada', SMTP_PASSWORD: 'geheim' }), both);
  });

  test('a user without a password, and settings that contradict the address', () => {
    const both = ['SMTP_USER and SMTP_PASSWORD: set both or neither'];
    assert.deepEqual(issuesOf({ ...complete, SMTP_USER: 'ada' }), both);
    assert.deepEqual(issuesOf({ ...complete, SMTP_PASSWORD: 'geheim' }), both);
    assert.deepEqual(issuesOf({ ...complete, SMTP_URL: 'smtp://ada@h' }), both);
    assert.deepEqual(
      issuesOf({ ...FROM, SMTP_URL: 'smtp://ada:geheim@h', SMTP_USER: 'ben', SMTP_PASSWORD: 'x' }),
      [
        'SMTP_USER: SMTP_URL also names a user: set only one of them',
        'SMTP_PASSWORD: SMTP_URL also has a password: set only one of them',
      ],
    );
    assert.deepEqual(issuesOf({ ...FROM, SMTP_URL: 'smtps://h', SMTP_TLS: 'off' }), [
      'SMTP_TLS: off contradicts smtps:// in SMTP_URL: use smtp://, or remove SMTP_TLS',
    ]);
  });

  test('a file of certificates that cannot be read, or that contains none', () => {
    const missing = join(folder, 'missing.pem');
    assert.deepEqual(issuesOf({ ...complete, SMTP_CA_FILE: missing }), [
      `SMTP_CA_FILE: cannot read ${missing} (ENOENT): create the file, or correct the path`,
    ]);
    assert.deepEqual(issuesOf({ ...complete, SMTP_CA_FILE: write('no.pem', 'geheim') }), [
      'SMTP_CA: expected certificates in PEM format',
    ]);
  });
});
