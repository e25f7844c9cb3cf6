// Tests that addresses and ports are masked in the texts of Node, PostgreSQL and consoles, whatever stands around them,
// and that other texts stay unchanged.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { maskAddresses } from './mask-addresses.ts';

const addressed: [text: string, masked: string][] = [
  ['connect ECONNREFUSED 10.0.0.5:443', 'connect ECONNREFUSED'],
  ['connect ECONNREFUSED ::1:5432', 'connect ECONNREFUSED'],
  ['connect ETIMEDOUT [fe80::1%eth0]:443', 'connect ETIMEDOUT'],
  ['connect ENETUNREACH 2001:db8::5:443 - Local (:::0)', 'connect ENETUNREACH'],
  ['connect EHOSTUNREACH 10.0.0.5:443 - Local (10.0.0.2:53412)', 'connect EHOSTUNREACH'],
  ['connect ENOENT /var/run/postgresql/.s.PGSQL.5432', 'connect ENOENT'],
  ['getaddrinfo ENOTFOUND unifi.hotel.local', 'getaddrinfo ENOTFOUND'],
  ['getaddrinfo EAI_AGAIN unifi', 'getaddrinfo EAI_AGAIN'],
  [
    'no connection: getaddrinfo ENOTFOUND db, will try again',
    'no connection: getaddrinfo ENOTFOUND …, will try again',
  ],
  ['GET https://unifi.local:8443/x failed', 'GET https://… failed'],
  ['GET https://admin:pa@unifi.local:8443/api refused', 'GET https://***@… refused'],
  ['postgres://gastpass:secret@db:5432/gastpass', 'postgres://***@…'],
  [
    "Hostname/IP does not match certificate's altnames: Host: localhost. is not in the cert's altnames: DNS:unifi.local, IP Address:10.0.0.5",
    "Hostname/IP does not match certificate's altnames: Host is not in the cert's altnames",
  ],
  ["IP: 10.0.0.5 is not in the cert's list: 192.168.1.1", "IP is not in the cert's list"],
  ["Host: unifi. is not cert's CN: console", "Host is not cert's CN"],
  [
    'Connect Timeout Error (attempted address: unifi:8443, timeout: 10000ms)',
    'Connect Timeout Error (attempted address: …, timeout: 10000ms)',
  ],
  [
    'connection to server at "db" (10.0.0.5), port 5432 failed',
    'connection to server at "…" (…), port … failed',
  ],
  [
    'no pg_hba.conf entry for host "10.0.0.3", user "gastpass"',
    'no pg_hba.conf entry for host "…", user "gastpass"',
  ],
  ['could not translate host name "db" to address', 'could not translate host name "…" to address'],
  ['{"hostname":"unifi","port":8443,"ip":"10.0.0.5"}', '{"hostname":"…","port":…,"ip":"…"}'],
  ['the controller refused (400): moved to unifi.hotel.de', 'the controller refused (400): moved to'],
  ['the controller redirects to localhost:8443.', 'the controller redirects to ….'],
  ['the socket /run/postgresql/db.sock is missing', 'the socket … is missing'],
  ['192.168.1.0/24 and 2001:db8::/32 are not allowed', '… and … are not allowed'],
  ['peer ::ffff:10.0.0.5:443 and 2001:db8:0:1:2:3:4:5:443 gone', 'peer … and … gone'],
];

describe('addresses and ports are masked', () => {
  for (const [text, masked] of addressed) test(text, () => assert.equal(maskAddresses(text), masked));
});

describe('texts without an address stay unchanged', () => {
  const plain = [
    'the controller refused (400): api.err.InvalidPayload',
    'the controller failed (503): try again in 60 s',
    'the controller has no site "default"; it has: haus-a, haus-b',
    'UniFi Network 9.1.120 and UniFi OS 4.0.21',
    'the controller has not been reachable since 2026-10-30T10:30:15.000Z',
    'from 10:30 to 11:45:10, 30.10.2026 10:30',
    'voucher 04827-15936 (0482715936) for 1.000.000.000 bytes',
    'status:400 code:500 at line:12',
    'error:0A000086:SSL routines::certificate verify failed',
    'write EPROTO 40E7:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/openssl/record.c:355:',
    'certificate AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89',
    'no such column: vouchers.code, $1::text',
    'Cannot read properties of undefined (reading "code")',
    'mail to ada@example.org about the import…',
    'the list goes on …',
    'read ECONNRESET',
    '',
  ];
  for (const text of plain) test(text || 'nothing', () => assert.equal(maskAddresses(text), text));
});

test('the host name of the console is masked wherever it stands, whatever its ending', () => {
  const url = 'https://console.hotel.wien:8443/';
  assert.equal(maskAddresses('console.hotel.wien said: ask Console.Hotel.Wien:8443', url), '… said: ask');
  assert.equal(maskAddresses('not a UniFi OS console', 'https://unifi:8443'), 'not a UniFi OS console');
  assert.equal(maskAddresses('refused', 'not a URL'), 'refused');
});

test('no IP address and no port survives, whatever stands around it', () => {
  const ip = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.ipV6().map((address) => `${address}%eth0`),
  );
  const port = fc.integer({ min: 1, max: 65_535 });
  const address = fc.oneof(
    ip,
    fc.tuple(fc.ipV4(), port).map(([host, number]) => `${host}:${number}`),
    fc.tuple(fc.ipV6(), port).map(([host, number]) => `[${host}]:${number}`),
    fc.tuple(fc.ipV6(), port).map(([host, number]) => `${host}:${number}`),
    fc.tuple(fc.domain(), fc.integer({ min: 10, max: 65_535 })).map(([host, number]) => `${host}:${number}`),
  );
  const before = fc.constantFrom('', 'connect ECONNREFUSED ', 'at ', '(', '"', 'host=', 'peer: ', '\n', 'ü ');
  const after = fc.constantFrom('', ' gone', ')', '"', ', gone', '; gone', '\n');
  fc.assert(
    fc.property(before, address, after, (left, hidden, right) => {
      const masked = maskAddresses(`${left}${hidden}${right}`);
      assert.ok(!masked.includes(hidden), masked);
      assert.doesNotMatch(masked, /[\d:]\d|\d[\d:]/);
    }),
    { numRuns: 2_000 },
  );
});

test('masking twice changes nothing more', () => {
  for (const [text] of addressed) assert.equal(maskAddresses(maskAddresses(text)), maskAddresses(text));
});

test('a long text cannot block the service, whatever its content', () => {
  const module = JSON.stringify(new URL('./mask-addresses.ts', import.meta.url).href);
  const script = `
    const { maskAddresses } = await import(${module});
    const units = ['a', 'a-', 'a.', '1.', '1', ':', 'a:', 'a:/', '/a', '/', '[', '::', 'ffff:', '@', ' ', '"', 'a://',
      'host ', 'host="', 'port ', 'Host: ', 'connect E', 'connect EX ', 'getaddrinfo E', ' - Local (', '%', 'a.de', '1.1.1.'];
    for (const unit of units) maskAddresses(unit.repeat(50_000), 'https://a.a:1');`;
  const program = ['--input-type=module', '-e', script];
  // In a separate process, so that an endless run can be stopped from outside. A quadratic algorithm takes more than a
  // minute.
  const { status } = spawnSync(process.execPath, program, { timeout: 30_000 });
  assert.equal(status, 0);
});
