// Tests URLs that must never be called, in every spelling: they are refused when they are entered and again when a
// notification is sent, with a reason and without a connection. Also tests that permitted URLs work.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeSendNotification } from '../../src/features/webhooks/channel/send-notification.ts';
import { findUrlIssue } from '../../src/features/webhooks/channel/url-issue.ts';
import type { TargetRule } from '../../src/platform/network/targets/ip-rules.ts';
import { makeFakeClock } from '../support/fake-clock.ts';
import { countAttempts, respondToLookups } from './hostile-urls-attempts.ts';
import { FORBIDDEN_V4, FORBIDDEN_V6, spellV4, spellV6 } from './hostile-urls-spellings.ts';
import { oneVoucher, type Receiver, startReceiver, webhookTo } from './receiver.ts';

const RULES: TargetRule[] = ['any', 'public'];
const NEVER = /is a link-local, metadata or reserved address, which is never called$/;
const NOT_PUBLIC = /is not a public address \(WEBHOOK_TARGETS=public\)$/;

function send(url: string, rule: TargetRule, timeoutMs = 5_000) {
  const sendNotification = makeSendNotification({ rule, clock: makeFakeClock(), timeoutMs });
  return sendNotification(webhookTo(url), oneVoucher, new AbortController().signal);
}

const hostile = [...FORBIDDEN_V4.flatMap(spellV4), ...FORBIDDEN_V6.flatMap(spellV6)];

test('the table has hundreds of different hostile URLs', () => {
  assert.equal(new Set(hostile.map(({ url }) => url)).size, hostile.length);
  assert.ok(hostile.length >= 400, `${hostile.length}`);
});

for (const rule of RULES)
  describe(`with WEBHOOK_TARGETS=${rule}`, () => {
    test('no spelling of a forbidden IP address can be entered, and the reason is given', async (t) => {
      const asked = respondToLookups(t, ['93.184.215.14']);
      for (const { how, url } of hostile) assert.match((await findUrlIssue(url, rule)) ?? '', NEVER, how);
      assert.deepEqual(asked, []);
    });

    test('no spelling of a forbidden IP address is called, even if it was stored before', async (t) => {
      const attempts = countAttempts(t);
      const asked = respondToLookups(t, ['93.184.215.14']);
      for (const { how, url } of hostile) {
        const made = await send(url, rule, 500);
        assert.match(made.error ?? '', NEVER, how);
        assert.partialDeepStrictEqual(made, { status: null, response: null, retryAfterMs: null }, how);
      }
      assert.deepEqual([attempts, asked], [[], []]);
    });

    test('a text that is not an HTTP or HTTPS URL is refused and never called', async (t) => {
      const attempts = countAttempts(t);
      for (const url of notOfTheWeb) {
        assert.match((await findUrlIssue(url, rule)) ?? '', /begins with http:\/\/ or https:\/\//, url);
        const made = await send(url, rule, 500);
        assert.ok(made.error, url);
        assert.equal(made.status, null);
      }
      assert.deepEqual(attempts, []);
    });
  });

const notOfTheWeb = [
  'ftp://169.254.169.254/',
  'ftp://192.168.1.5/',
  'file:///etc/passwd',
  'file://169.254.169.254/c$',
  'gopher://127.0.0.1:6379/_FLUSHALL',
  'dict://127.0.0.1:11211/',
  'ldap://127.0.0.1/',
  'ws://127.0.0.1/',
  'wss://127.0.0.1/',
  'javascript:alert(1)',
  'data:application/json,{}',
  'blob:http://127.0.0.1/x',
  'unix:/run/docker.sock',
  'http+unix://%2frun%2fdocker.sock/',
  'jar:http://127.0.0.1!/',
  'slack://hooks.slack.com/',
  'mailto:ada@example.org',
  '//127.0.0.1/',
  '127.0.0.1',
  'http://',
  'http:///',
  'http://[fe80::1%25eth0]/',
  'http://[fe80::1%eth0]/',
  'http://[::ffff:169.254.169.254/',
  'http://[::ffff:169.254.169]/',
  'http://256.256.256.256/',
  'http://169.254.169.254.1/',
  'http://0x100000000/',
  'http://1.2.3.4:65536/',
  'http://1.2.3.4:-1/',
  'http://exa mple.org/',
  'http://example.org\u0000.evil.example/',
  'http://%00/',
  '',
  ' ',
  'null',
];

test('a URL longer than two thousand characters is refused', async () => {
  assert.match((await findUrlIssue(`http://10.0.0.1/${'x'.repeat(2_000)}`, 'any')) ?? '', /longer than 2000/);
});

describe('permitted URLs', () => {
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver();
  });
  after(() => receiver.stop());

  const own = ['127.0.0.1', '127.1', '2130706433', '0x7f.0.0.1', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'];
  test('the machine itself is called, unless only public IP addresses are permitted', async (t) => {
    const attempts = countAttempts(t);
    for (const host of [...own, 'localhost', '127.0.0.1.']) {
      const url = `http://${host}:${receiver.port}/`;
      assert.equal(await findUrlIssue(url, 'any'), undefined, url);
      assert.partialDeepStrictEqual(await send(url, 'any'), { status: 204, error: null }, url);
    }
    // For localhost, ::1 may be tried first.
    assert.ok(attempts.length >= own.length + 2);
    assert.equal(receiver.requests.length, own.length + 2);

    attempts.length = 0;
    for (const host of [...own, 'localhost']) {
      const url = `http://${host}:${receiver.port}/`;
      assert.match((await findUrlIssue(url, 'public')) ?? '', NOT_PUBLIC, url);
      assert.match((await send(url, 'public')).error ?? '', NOT_PUBLIC, url);
    }
    assert.deepEqual(attempts, []);
  });

  test('::1 counts as the machine itself too', async (t) => {
    const six = await startReceiver({ host: '::1' });
    t.after(() => six.stop());
    assert.partialDeepStrictEqual(await send(six.url, 'any'), { status: 204, error: null });
    assert.match((await send(six.url, 'public')).error ?? '', NOT_PUBLIC);
    assert.equal(six.connections(), 1);
  });

  test('private IP addresses may be entered, unless only public IP addresses are permitted', async (t) => {
    respondToLookups(t, []);
    for (const host of privateHosts) {
      assert.equal(await findUrlIssue(`https://${host}:8443/hook`, 'any'), undefined, host);
      assert.match((await findUrlIssue(`https://${host}:8443/hook`, 'public')) ?? '', NOT_PUBLIC, host);
    }
  });

  test('public IP addresses may be entered under either rule', async (t) => {
    respondToLookups(t, []);
    for (const rule of RULES)
      for (const host of publicHosts)
        assert.equal(await findUrlIssue(`https://${host}/hook`, rule), undefined, `${host} with ${rule}`);
  });
});

const privateHosts = [
  ...[
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.254',
    '192.168.1.5',
    '100.64.0.1',
    '3232235781',
  ],
  ...[
    '198.18.0.1',
    '192.0.2.7',
    '198.51.100.7',
    '203.0.113.7',
    '127.255.255.254',
    '0xc0a80105',
    '0300.0250.1.5',
  ],
  ...['[fd12:3456::1]', '[fc00::1]', '[fdff:ffff::1]', '[2001:db8::1]', '[::ffff:192.168.1.5]'],
  ...['[::ffff:c0a8:105]', '[64:ff9b::192.168.1.5]', '[2002:c0a8:105::1]', '[fec0::1]'],
];

/** Includes the IP addresses next to forbidden ranges. */
const publicHosts = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.1', '169.253.255.255', '169.255.0.0', '172.15.255.255'],
  ...['172.32.0.0', '192.167.255.255', '192.169.0.0', '100.63.255.255', '100.128.0.0', '168.63.129.15'],
  ...[
    '223.255.255.255',
    '1.0.0.0',
    '126.255.255.255',
    '128.0.0.1',
    '[2606:4700::1111]',
    '[2a00:1450::5eff:1]',
  ],
  ...['[::ffff:8.8.8.8]', '[64:ff9b::8.8.8.8]', '[2002:808:808::1]', '[2a00::]', '[fbff::1]', '[fe00::1]'],
];
