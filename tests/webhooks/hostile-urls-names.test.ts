// Tests host names that resolve to forbidden IP addresses: they are refused even if they also resolve to a permitted IP
// address or change later. The test answers the lookups; connections would be real.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { makeSendNotification } from '../../src/features/webhooks/channel/send-notification.ts';
import { findUrlIssue } from '../../src/features/webhooks/channel/url-issue.ts';
import type { TargetRule } from '../../src/platform/network/targets/ip-rules.ts';
import { makeFakeClock } from '../support/fake-clock.ts';
import { countAttempts, respondToLookups } from './hostile-urls-attempts.ts';
import { FORBIDDEN_V4 } from './hostile-urls-spellings.ts';
import { oneVoucher, type Receiver, startReceiver, webhookTo } from './receiver.ts';

const NAME = 'hooks.example.org';

let receiver: Receiver;
before(async () => {
  receiver = await startReceiver();
});
beforeEach(() => {
  receiver.requests.length = 0;
});
after(() => receiver.stop());

function send(rule: TargetRule, scheme = 'http') {
  const sendNotification = makeSendNotification({ rule, clock: makeFakeClock(), timeoutMs: 2_000 });
  const url = `${scheme}://${NAME}:${receiver.port}/hook`;
  return sendNotification(webhookTo(url), oneVoucher, new AbortController().signal);
}

const forbidden = [
  ...FORBIDDEN_V4,
  ...[
    'fe80::1',
    'fe80::1%eth0',
    'fe80::1%1',
    '::',
    'ff02::1',
    'fd00:ec2::254',
    'fd20:ce::254',
    'fd00:42::42',
  ],
  ...[
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    '::ffff:0.0.0.0',
  ],
];

describe('a host name that resolves to a forbidden IP address', () => {
  for (const rule of ['any', 'public'] as const)
    for (const scheme of ['http', 'https'])
      test(`is neither accepted nor called over ${scheme} with WEBHOOK_TARGETS=${rule}`, async (t) => {
        const attempts = countAttempts(t);
        for (const address of forbidden) {
          const asked = respondToLookups(t, [address]);
          const says = `${NAME} stands for ${address}, which is a link-local, metadata or reserved address, which is never called`;
          assert.equal(await findUrlIssue(`${scheme}://${NAME}/hook`, rule), says);
          assert.partialDeepStrictEqual(await send(rule, scheme), { status: null, error: says });
          assert.deepEqual(asked, [NAME, NAME]);
        }
        assert.deepEqual(attempts, []);
      });

  test('is refused even if it also resolves to a permitted IP address, in any order', async (t) => {
    const attempts = countAttempts(t);
    for (const addresses of [
      ['127.0.0.1', '0.0.0.0'],
      ['0.0.0.0', '127.0.0.1'],
      ['127.0.0.1', '127.0.0.1', 'fe80::1'],
    ]) {
      respondToLookups(t, addresses);
      assert.match((await findUrlIssue(`http://${NAME}/`, 'any')) ?? '', /never called/);
      assert.match((await send('any')).error ?? '', /never called/);
    }
    assert.deepEqual([attempts, receiver.requests], [[], []]);
  });

  test('is refused even if it resolved to a permitted IP address when it was entered', async (t) => {
    const attempts = countAttempts(t);
    respondToLookups(t, ['127.0.0.1'], ['0.0.0.0']);
    assert.equal(await findUrlIssue(`http://${NAME}/`, 'any'), undefined);
    assert.match((await send('any')).error ?? '', /stands for 0\.0\.0\.0, which/);
    assert.deepEqual([attempts, receiver.requests], [[], []]);
  });
});

test('a host name is looked up once per delivery attempt, and the checked IP address is called', async (t) => {
  const attempts = countAttempts(t);
  const asked = respondToLookups(t, ['127.0.0.1'], ['0.0.0.0']);
  assert.partialDeepStrictEqual(await send('any'), { status: 204, error: null });
  assert.deepEqual([asked, attempts], [[NAME], ['127.0.0.1']]);
  assert.equal(receiver.requests[0]?.headers.host, `${NAME}:${receiver.port}`);

  assert.match(
    (await send('any')).error ?? '',
    /never called/,
    'the next delivery attempt looks up the name again',
  );
  assert.deepEqual([asked.length, attempts.length, receiver.requests.length], [2, 1, 1]);
});

test('a host name in the local network is called, unless only public IP addresses are permitted', async (t) => {
  const attempts = countAttempts(t);
  for (const address of ['127.0.0.1', '::ffff:127.0.0.1']) {
    respondToLookups(t, [address]);
    assert.partialDeepStrictEqual(await send('any'), { status: 204, error: null }, address);
  }
  assert.equal(attempts.length, 2);
  for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '::1', '10.0.0.5', '192.168.1.5', 'fd12::1']) {
    respondToLookups(t, [address]);
    assert.match((await send('public')).error ?? '', /is not a public address/, address);
    respondToLookups(t, ['8.8.8.8', address]);
    assert.match((await send('public')).error ?? '', /is not a public address/, address);
  }
  assert.deepEqual([attempts.length, receiver.requests.length], [2, 2]);
});

test('a host name that does not resolve may be entered; the error is reported when it is called', async (t) => {
  respondToLookups(t, []);
  assert.equal(await findUrlIssue(`http://${NAME}/`, 'public'), undefined);
  assert.partialDeepStrictEqual(await send('any'), { status: null, error: `getaddrinfo ENOTFOUND ${NAME}` });
});
