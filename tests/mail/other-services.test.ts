// Tests that neither what a service that is no mail server says is shown nor a forbidden address is called.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSmtp } from '../../src/features/mail/channel/smtp.ts';
import { adviseOn } from '../../src/features/mail/smtp-advice.ts';
import { startMailServer } from '../support/mail/mail-server.ts';
import { type RawReply, startRawMailServer } from '../support/mail/raw-mail-server.ts';
import { makeMail } from '../support/mail/sample-mail.ts';

const NEVER = new AbortController().signal;
const smtp = makeSmtp();

test('words that no mail server says are not passed on', async () => {
  const cases: [Record<string, RawReply>, RegExp][] = [
    [{ greeting: 'SSH-2.0-secret banner' }, /wrong-port/],
    [{ greeting: 'HTTP/1.1 200 OK\r\n\r\nsecret' }, /wrong-port/],
    [{ greeting: '220-hello\r\nsecret\r\n220 hello', EHLO: 'secret' }, /./],
    [{ greeting: '-ERR secret' }, /wrong-port/],
    [{ RCPT: '1550 secret' }, /other/],
    [{ '.': '2nd secret' }, /./],
  ];
  for (const [replies, advice] of cases) {
    await using server = await startRawMailServer(replies);
    const result = await smtp.send(server.settings, makeMail(), NEVER);
    const said = result.ok ? result.response : result.text;
    assert.equal(said, 'the server did not answer like a mail server');
    assert.match(result.ok ? 'sent' : adviseOn(result, server.settings), advice);
  }
});

test('a server with a rule is called only at an address that the rule allows, whatever its name stands for', async () => {
  await using server = await startMailServer();
  const cases: [host: string, targets: 'any' | 'public', why: RegExp][] = [
    ['169.254.169.254', 'any', /^169\.254\.169\.254 is a link-local, metadata or reserved address/],
    ['127.0.0.1', 'public', /^127\.0\.0\.1 is not a public address/],
    ['::ffff:127.0.0.1', 'public', /is not a public address/],
    ['localhost', 'public', /^localhost stands for \S+, which is not a public address/],
  ];
  for (const [host, targets, why] of cases)
    for (const tls of ['off', 'implicit'] as const) {
      const refused = { ...server.settings, host, targets, tls };
      const failed = await smtp.check(refused, NEVER);
      assert.ok(!failed.ok);
      assert.match(failed.text, why);
      assert.deepEqual([failed.phase, adviseOn(failed, refused)], ['connect', 'forbidden']);
    }
  assert.equal(server.connections.total, 0);
  assert.ok((await smtp.check({ ...server.settings, host: 'localhost', targets: 'any' }, NEVER)).ok);
});
