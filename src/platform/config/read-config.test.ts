// Tests of every setting: its default, accepted values and refused values; and that all issues are reported at once.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, test } from 'node:test';
import type { Config } from './config.ts';
import { readConfig } from './read-config.ts';
import type { Environment } from './reader.ts';

const SECRET = 's'.repeat(32);

function read(environment: Environment): Config {
  const { config, issues } = readConfig(environment);
  assert.deepEqual(issues, undefined);
  assert.ok(config);
  return config;
}

test('without any settings all defaults apply, and secrets have no default', () => {
  assert.deepEqual(read({}), {
    host: '127.0.0.1',
    port: 8080,
    basePath: '/api',
    publicUrl: undefined,
    dataDir: resolve('data'),
    database: undefined,
    timeZone: 'Europe/Berlin',
    secret: undefined,
    previousSecret: undefined,
    demo: true,
    admin: undefined,
    metricsToken: undefined,
    securityContact: undefined,
    trustedProxies: [],
    proxyAuthHeader: undefined,
    oidc: undefined,
    webhookTargets: 'any',
    logLevel: 'info',
    syncIntervalS: 60,
    backup: { folder: undefined, intervalH: 24, keep: 7, passphrase: undefined },
    mail: undefined,
  });
});

test('the configuration cannot be changed afterwards', () => {
  assert.ok(Object.isFrozen(read({})));
});

describe('accepted settings', () => {
  const taken: [environment: Environment, expected: Partial<Config>][] = [
    [{ HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
    [{ HOST: '::1' }, { host: '::1' }],
    [{ PORT: '0' }, { port: 0 }],
    [{ PORT: '65535' }, { port: 65_535 }],
    [{ BASE_PATH: '/wlan/api/' }, { basePath: '/wlan/api' }],
    [{ BASE_PATH: '/' }, { basePath: '' }],
    [{ PUBLIC_URL: 'https://wifi.example.org' }, { publicUrl: 'https://wifi.example.org' }],
    [{ PUBLIC_URL: 'HTTP://WiFi.example.org:8080/' }, { publicUrl: 'http://wifi.example.org:8080' }],
    [{ PUBLIC_URL: 'https://wifi.example.org:443' }, { publicUrl: 'https://wifi.example.org' }],
    [{ DATA_DIR: 'elsewhere' }, { dataDir: resolve('elsewhere') }],
    [{ TZ: 'America/New_York' }, { timeZone: 'America/New_York' }],
    [{ GASTPASS_SECRET: SECRET }, { secret: SECRET, previousSecret: undefined }],
    [{ GASTPASS_SECRET: SECRET, GASTPASS_SECRET_PREVIOUS: `${SECRET}!` }, { previousSecret: `${SECRET}!` }],
    [{ GASTPASS_DEMO: '0' }, { demo: false }],
    [{ GASTPASS_DEMO: '1' }, { demo: true }],
    [
      { ADMIN_EMAIL: 'ada@example.org', ADMIN_PASSWORD: '0123456789' },
      { admin: { email: 'ada@example.org', password: '0123456789' } },
    ],
    [{ METRICS_TOKEN: 'm'.repeat(16) }, { metricsToken: 'm'.repeat(16) }],
    [{ SECURITY_CONTACT: 'mailto:it@example.org' }, { securityContact: 'mailto:it@example.org' }],
    [{ SECURITY_CONTACT: 'https://example.org/s?x' }, { securityContact: 'https://example.org/s?x' }],
    [{ TRUSTED_PROXIES: '10.0.0.1, fd00::/8,,' }, { trustedProxies: ['10.0.0.1', 'fd00::/8'] }],
    [
      { OIDC_ISSUER: 'https://login.example.org/', OIDC_CLIENT_ID: 'gastpass' },
      {
        oidc: {
          issuer: 'https://login.example.org/',
          clientId: 'gastpass',
          clientSecret: undefined,
          scopes: undefined,
        },
      },
    ],
    [
      {
        OIDC_ISSUER: 'http://127.0.0.1:9000',
        OIDC_CLIENT_ID: 'gastpass',
        OIDC_CLIENT_SECRET: 'secret',
        OIDC_SCOPES: 'openid groups',
      },
      {
        oidc: {
          issuer: 'http://127.0.0.1:9000',
          clientId: 'gastpass',
          clientSecret: 'secret',
          scopes: 'openid groups',
        },
      },
    ],
    [{ PROXY_AUTH_HEADER: 'Remote-User', TRUSTED_PROXIES: '10.0.0.1' }, { proxyAuthHeader: 'remote-user' }],
    [{ WEBHOOK_TARGETS: 'public' }, { webhookTargets: 'public' }],
    [{ LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
    [{ SYNC_INTERVAL_S: '86400' }, { syncIntervalS: 86_400 }],
    [
      { DATABASE_URL: 'postgresql://db/x?sslmode=require', DATABASE_POOL_SIZE: '2' },
      { database: { url: 'postgresql://db/x?sslmode=require', poolSize: 2, statementTimeoutMs: 5_000 } },
    ],
    [
      { PORT: '', HOST: '', TZ: '', GASTPASS_SECRET: '' },
      { port: 8080, host: '127.0.0.1', secret: undefined },
    ],
  ];
  for (const [environment, expected] of taken)
    test(JSON.stringify(environment), () => {
      assert.partialDeepStrictEqual(read(environment), expected);
    });
});

describe('refused settings', () => {
  const refused: Record<string, string[]> = {
    HOST: ['a b', 'http://x', 'x/y'],
    PORT: ['65536', '-1', '80a', '8080.5', '0x50', ' 80'],
    BASE_PATH: ['api', '/a b', '/a?b', '/a//b', '/a/../b%2f', '/ä'],
    PUBLIC_URL: [
      'wifi.example.org',
      'ftp://wifi.example.org',
      'https://wifi.example.org/gastpass',
      'https://wifi.example.org?x',
      'https://wifi.example.org/#x',
      'https://user:geheim@wifi.example.org',
      'https://wifi example.org',
      'https:wifi.example.org',
      'https://',
    ],
    TZ: ['Mars/Olympus', 'CEST+1X'],
    GASTPASS_SECRET: ['s'.repeat(31)],
    GASTPASS_DEMO: ['yes', 'true', '2'],
    METRICS_TOKEN: ['m'.repeat(15), `${'m'.repeat(16)} `, 'ü'.repeat(16)],
    SECURITY_CONTACT: [
      'it@example.org',
      'mailto:it',
      'http://example.org',
      'https://',
      'https://example.org/ä',
      'mailto:it@example.org\nContact: mailto:x@example.org',
    ],
    TRUSTED_PROXIES: ['proxy.local', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '::/129', '*'],
    WEBHOOK_TARGETS: ['none', 'PUBLIC'],
    LOG_LEVEL: ['INFO', 'verbose'],
    SYNC_INTERVAL_S: ['4', '86401', '1m'],
    DATABASE_URL: [
      'mysql://localhost/gastpass',
      'postgres://',
      'gastpass.sqlite',
      'postgresql://u@h1:5432,h2:5432/db?target_session_attrs=read-write',
      'postgres://u:p@h1,h2/db',
      'postgres:///db?user=u&host=h1,h2',
    ],
    DATABASE_POOL_SIZE: ['1', '1001', 'x'],
    DATABASE_STATEMENT_TIMEOUT_MS: ['99', '600001'],
  };
  for (const [name, values] of Object.entries(refused))
    for (const value of values)
      test(`${name}=${value}`, () => {
        const { config, issues } = readConfig({ [name]: value });
        assert.equal(config, undefined);
        assert.equal(issues?.length, 1);
        assert.ok(issues?.[0]?.startsWith(`${name}: `), issues?.[0]);
      });

  test('administrator and password: only one of them, a short password, an invalid e-mail address', () => {
    const both = ['ADMIN_EMAIL and ADMIN_PASSWORD: set both or neither'];
    assert.deepEqual(readConfig({ ADMIN_EMAIL: 'ada@example.org' }).issues, both);
    assert.deepEqual(readConfig({ ADMIN_PASSWORD: '0123456789' }).issues, both);
    assert.deepEqual(readConfig({ ADMIN_EMAIL: 'ada', ADMIN_PASSWORD: '012345678' }).issues, [
      'ADMIN_EMAIL: expected an e-mail address',
      'ADMIN_PASSWORD: expected at least 10 characters',
    ]);
  });

  test('a previous secret without a secret, and a short one', () => {
    const without = { GASTPASS_SECRET_PREVIOUS: SECRET };
    assert.deepEqual(readConfig(without).issues, ['GASTPASS_SECRET_PREVIOUS: set GASTPASS_SECRET too']);
    assert.deepEqual(readConfig({ GASTPASS_SECRET: SECRET, GASTPASS_SECRET_PREVIOUS: 'x' }).issues, [
      'GASTPASS_SECRET_PREVIOUS: expected at least 32 characters',
    ]);
  });

  test('identity provider: parts of it, an address without https, and scopes without openid', () => {
    const both = ['OIDC_ISSUER and OIDC_CLIENT_ID: set both, or no OIDC setting at all'];
    for (const environment of [
      { OIDC_ISSUER: 'https://login.example.org' },
      { OIDC_CLIENT_ID: 'gastpass' },
      { OIDC_CLIENT_SECRET: 'secret' },
    ])
      assert.deepEqual(readConfig(environment).issues, both);
    for (const OIDC_ISSUER of [
      'http://login.example.org',
      'x',
      'https://a.b/.well-known/openid-configuration',
    ])
      assert.match(String(readConfig({ OIDC_ISSUER, OIDC_CLIENT_ID: 'x' }).issues), /^OIDC_ISSUER: expected/);
    const wrongScopes = { OIDC_ISSUER: 'https://a.b', OIDC_CLIENT_ID: 'x', OIDC_SCOPES: 'profile' };
    assert.match(String(readConfig(wrongScopes).issues), /^OIDC_SCOPES: expected/);
  });

  test('a header for users without a trusted proxy, or with a name that is no header', () => {
    assert.deepEqual(readConfig({ PROXY_AUTH_HEADER: 'Remote-User' }).issues, [
      'PROXY_AUTH_HEADER: set TRUSTED_PROXIES too, or the header would never count',
    ]);
    const wrong = { PROXY_AUTH_HEADER: 'Remote User', TRUSTED_PROXIES: '10.0.0.1' };
    assert.match(String(readConfig(wrong).issues), /^PROXY_AUTH_HEADER: expected/);
  });

  test('all issues are reported at once', () => {
    const environment = Object.fromEntries(Object.entries(refused).map(([name, [value]]) => [name, value]));
    const { issues } = readConfig(environment);
    const named = new Set(issues?.map((issue) => issue.split(':')[0]));
    assert.deepEqual([...named].sort(), Object.keys(refused).sort());
  });

  test('several database hosts are refused with what to do instead; a password may contain a comma', () => {
    const issuesOf = (url: string) => readConfig({ DATABASE_URL: url }).issues;
    assert.match(
      String(issuesOf('postgres://u@h1:5432,h2:5432/db')),
      /: expected one host: .*postgresql\.md/,
    );
    assert.equal(issuesOf('postgres://u:a,b@h1/db?options=-c%20x=1,2'), undefined);
  });

  test('refused values are not repeated in the messages', () => {
    const { issues } = readConfig({
      GASTPASS_SECRET: 'geheim',
      DATABASE_URL: 'geheim',
      METRICS_TOKEN: 'geheim',
      PROXY_AUTH_HEADER: 'X-Secret: geheim',
      SECURITY_CONTACT: 'ftp://ada:geheim@example.org',
    });
    assert.equal(issues?.length, 6);
    assert.doesNotMatch(String(issues), /geheim/);
  });

  test('a comment behind a value is named, because it counts as part of the value', () => {
    const { issues } = readConfig({
      BACKUP_INTERVAL_H: '24 # daily',
      TRUSTED_PROXIES: '::1 # nginx',
      ADMIN_PASSWORD: 'no # 1',
      ADMIN_EMAIL: 'ada@example.org',
    });
    assert.deepEqual(issues?.sort(), [
      'ADMIN_PASSWORD: expected at least 10 characters',
      'BACKUP_INTERVAL_H: expected a whole number from 1 to 8760, found "24 # daily": a comment must be on a line of its own',
      'TRUSTED_PROXIES: "::1 # nginx" is no IP address or CIDR range: a comment must be on a line of its own',
    ]);
  });
});

describe('settings in files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gastpass-test-'));
  after(() => rmSync(folder, { recursive: true }));
  const file = (text: string) => {
    const path = join(folder, 'setting');
    writeFileSync(path, text);
    return path;
  };

  test('the content of a file is not repeated in a message: it may be the file of a secret', () => {
    for (const name of ['TRUSTED_PROXIES', 'HOST', 'PORT']) {
      const { issues } = readConfig({ [`${name}_FILE`]: file('geheim / geheim') });
      assert.equal(issues?.length, 1, name);
      assert.doesNotMatch(String(issues), /geheim/, name);
    }
  });

  test('one line break at the end of a file is removed, and spaces are kept', () => {
    assert.equal(read({ GASTPASS_SECRET_FILE: file(`${SECRET}\n`) }).secret, SECRET);
    assert.equal(read({ GASTPASS_SECRET_FILE: file(`${SECRET}\r\n`) }).secret, SECRET);
    assert.equal(read({ GASTPASS_SECRET_FILE: file(` ${SECRET} `) }).secret, ` ${SECRET} `);
  });

  test('an empty file is an issue: the setting would silently have its default', () => {
    const empty = file('\n');
    assert.deepEqual(readConfig({ DATABASE_URL_FILE: empty }).issues, [
      `DATABASE_URL_FILE: ${empty} is empty: write the value into it, or remove the setting`,
    ]);
  });

  test('the content of a file is validated like any other value', () => {
    assert.deepEqual(readConfig({ PORT_FILE: file('abc') }).issues, [
      'PORT: expected a whole number from 0 to 65535',
    ]);
  });

  test('a missing file and a setting given twice are issues', () => {
    const missing = join(folder, 'missing');
    assert.deepEqual(readConfig({ TZ_FILE: missing }).issues, [
      `TZ_FILE: cannot read ${missing} (ENOENT): create the file, or correct the path`,
    ]);
    assert.match(
      String(readConfig({ TZ_FILE: folder }).issues),
      /\(EISDIR\): it is a folder, but must be a file; a container engine creates a folder/,
    );
    assert.deepEqual(readConfig({ TZ: 'UTC', TZ_FILE: missing }).issues, [
      'TZ and TZ_FILE are both set: use one',
    ]);
  });
});
