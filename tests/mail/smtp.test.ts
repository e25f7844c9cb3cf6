// Tests sending mails against a real SMTP server library and against servers that break the protocol: what arrives, and
// in which phase each failure is reported.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { makeSmtp } from '../../src/features/mail/channel/smtp.ts';
import { runSession } from '../../src/features/mail/channel/smtp-session.ts';
import type { MailServer } from '../../src/features/mail/mail-server.ts';
import type { Smtp, SmtpFailure, SmtpPhase, SmtpResult } from '../../src/features/mail/smtp.ts';
import { adviseOn } from '../../src/features/mail/smtp-advice.ts';
import { contentOf, makeAuthority } from '../support/certificates.ts';
import { type MailFault, type MailStep, startMailServer } from '../support/mail/mail-server.ts';
import { type RawReply, startRawMailServer } from '../support/mail/raw-mail-server.ts';
import { GUEST, LONG_NAME, makeMail } from '../support/mail/sample-mail.ts';
import { until } from '../support/until.ts';

const NEVER = new AbortController().signal;
const CREDENTIALS = { username: 'wlan@hotel.example', password: 'pass word/für+Gäste' };
const folder = mkdtempSync(join(tmpdir(), 'smtp-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const authority = makeAuthority(folder, 'private-ca');
const issue = (name: string, alternativeNames: string) => {
  const { certificateFile, keyFile } = authority.issue(name, alternativeNames);
  return { cert: contentOf(certificateFile), key: contentOf(keyFile) };
};
const certificate = issue('localhost', 'DNS:localhost');
const ca = contentOf(authority.file);

const smtp = makeSmtp();
const LIMITS = { greetingMs: 1_000, idleMs: 1_500, wholeMs: 4_000, quitMs: 1_000 };
const hasty: Smtp = {
  send: (server, mail, signal) => runSession({ server, mail, limits: LIMITS, signal }),
  check: (server, signal) => runSession({ server, limits: LIMITS, signal }),
};

function failureOf(result: SmtpResult): SmtpFailure {
  assert.ok(!result.ok, 'the mail was sent');
  return result;
}

const summaryOf = (result: SmtpResult) => {
  const { phase, status, isFinal } = failureOf(result);
  return [phase, status, isFinal];
};

describe('what arrives', () => {
  test('the mail as it was written, to exactly one address', async () => {
    await using server = await startMailServer();
    const from = { name: `"${LONG_NAME}" <a@b.example>, Käfer`, address: 'wlan@hotel.example' };
    const mail = makeMail({ replyTo: 'empfang@hotel.example' });
    const result = await smtp.send({ ...server.settings, from }, mail, NEVER);
    assert.deepEqual(result, { ok: true, response: '250 OK: message queued' });

    const [received] = server.mails;
    assert.ok(received);
    assert.deepEqual(received.envelope, { from: 'wlan@hotel.example', to: [GUEST] });
    assert.equal(received.messageId, mail.messageId);
    // Every server takes lines of this length without a further agreement.
    assert.match(received.raw, /^[\x20-\x7e\r\n\t]*$/);
    assert.ok(received.raw.split('\r\n').every((line) => line.length <= 998));

    const read = await received.parse();
    assert.deepEqual(read.from, from);
    assert.deepEqual(read.to, [{ name: '', address: GUEST }]);
    assert.deepEqual(read.replyTo, [{ name: '', address: 'empfang@hotel.example' }]);
    assert.equal(read.cc ?? read.bcc, undefined);
    assert.equal(read.subject, mail.content.subject);
    assert.equal(read.date, '2026-11-18T10:00:00.000Z');
    assert.equal(read.text?.trimEnd(), mail.content.text);
    assert.equal(read.html?.trimEnd(), mail.content.html);
    const headers = Object.fromEntries(read.headers.map(({ key, value }) => [key, value]));
    assert.equal(headers['auto-submitted'], 'auto-generated');
    assert.equal(headers['x-auto-response-suppress'], 'All');
    assert.equal(headers['content-language'], 'de');
    const [image] = read.attachments;
    assert.ok(image && image.content instanceof ArrayBuffer);
    assert.deepEqual(
      [image.contentId, image.filename, image.mimeType, Buffer.from(image.content)],
      ['<qr>', 'qr.png', 'image/png', mail.content.images[0]?.bytes],
    );
  });

  test('a text that looks encoded is not decoded', async () => {
    await using server = await startMailServer();
    const text = 'A =?utf-8?q?=0D=0ABcc:_b@example.org?=';
    const settings = { ...server.settings, from: { name: text, address: 'wlan@hotel.example' } };
    const content = { ...makeMail().content, subject: text };
    assert.ok((await smtp.send(settings, makeMail({ content }), NEVER)).ok);
    const read = await server.mails[0]?.parse();
    assert.match(String(read?.subject), /^A = \?utf-8/);
    assert.match(String(read?.from?.name), /^A = \?utf-8/);
  });

  test('no further header by a line break, and no file', async () => {
    await using server = await startMailServer();
    const content = {
      ...makeMail().content,
      subject: 'Hallo\r\nBcc: other@example.org',
      text: '/etc/passwd',
    };
    assert.ok((await smtp.send(server.settings, makeMail({ content }), NEVER)).ok);
    const read = await server.mails[0]?.parse();
    assert.equal(read?.bcc, undefined);
    assert.equal(read?.text?.trimEnd(), '/etc/passwd');
    assert.deepEqual(server.mails[0]?.envelope.to, [GUEST]);
    for (const to of ['a@example.org, b@example.org', 'a@example.org>\r\nRCPT TO:<b@example.org'])
      assert.deepEqual(summaryOf(await smtp.send(server.settings, makeMail({ to }), NEVER)), [
        'recipient',
        null,
        true,
      ]);
    assert.equal(server.mails.length, 1);
  });
});

describe('TLS and login', () => {
  test('each kind of TLS with a private authority, with a login', async () => {
    for (const tls of ['none', 'starttls', 'implicit'] as const) {
      await using server = await startMailServer({ tls, certificate, credentials: CREDENTIALS });
      const settings: MailServer = { ...server.settings, ca };
      assert.deepEqual(await smtp.check(settings, NEVER), { ok: true, response: '' });
      assert.equal(server.mails.length, 0, 'a check sends nothing');
      assert.ok((await smtp.send(settings, makeMail(), NEVER)).ok, tls);
      const { isSecure, username } = server.mails[0] ?? {};
      assert.deepEqual([isSecure, username], [tls !== 'none', CREDENTIALS.username]);
      await until(() => server.connections.now() === 0);
    }
  });

  test('a certificate that is not trusted, or is of another host', async () => {
    const other = issue('other', 'DNS:mail.example');
    for (const tls of ['starttls', 'implicit'] as const) {
      await using unknown = await startMailServer({ tls, certificate, credentials: CREDENTIALS });
      await using wrong = await startMailServer({ tls, certificate: other });
      for (const settings of [unknown.settings, { ...wrong.settings, ca }]) {
        const failed = failureOf(await smtp.send(settings, makeMail(), NEVER));
        assert.deepEqual([failed.phase, failed.status], ['tls', null]);
        assert.equal(adviseOn(failed, settings), 'certificate');
        assert.doesNotMatch(failed.text, /Node\.js/);
      }
    }
  });

  test('TLS that is off is not used, even if the server offers it with a bad certificate', async () => {
    await using server = await startMailServer({ tls: 'starttls', certificate });
    assert.ok((await smtp.send({ ...server.settings, tls: 'off' }, makeMail(), NEVER)).ok);
    assert.equal(server.mails[0]?.isSecure, false);
  });

  test('credentials are never sent if required TLS is missing or was stripped', async () => {
    const offers: RawReply[] = ['250-mx.example\r\n250 AUTH PLAIN LOGIN', '502 no'];
    for (const EHLO of offers)
      for (const STARTTLS of ['502 unknown', '454 not now', '220 go', 'drop']) {
        await using server = await startRawMailServer({ EHLO, STARTTLS, AUTH: '235 ok', HELO: '250 hi' });
        const settings: MailServer = { ...server.settings, tls: 'required', credentials: CREDENTIALS };
        const failed = failureOf(await hasty.send(settings, makeMail(), NEVER));
        assert.ok(['tls', 'connect'].includes(failed.phase), failed.phase);
        assert.ok(!server.lines.some((line) => /^(AUTH|MAIL)/.test(line)), server.lines.join());
      }
    await using plain = await startMailServer();
    const settings: MailServer = { ...plain.settings, tls: 'required' };
    const failed = failureOf(await smtp.check(settings, NEVER));
    assert.equal(adviseOn(failed, settings), 'no-starttls');
  });

  test('TLS at a port without it, and the reverse', async () => {
    await using plain = await startMailServer();
    await using secure = await startMailServer({ tls: 'implicit', certificate });
    const wrong: MailServer = { ...plain.settings, tls: 'implicit' };
    const failed = failureOf(await smtp.check(wrong, NEVER));
    assert.equal(adviseOn(failed, wrong), 'wrong-port');
    assert.equal(failed.text, 'wrong version number');
    const impatient = failureOf(
      await smtp.check({ ...secure.settings, tls: 'off' }, AbortSignal.timeout(100)),
    );
    assert.deepEqual([impatient.phase, impatient.code], ['connect', 'ETIMEDOUT']);
    assert.equal(impatient.text, 'the server did not answer in time');
    const silent = failureOf(await hasty.check({ ...secure.settings, tls: 'off' }, NEVER));
    assert.deepEqual([silent.phase, silent.code], ['connect', 'ETIMEDOUT']);
  });

  test('a wrong password, no login offered, no login given', async () => {
    await using server = await startMailServer({ credentials: CREDENTIALS });
    const wrong = { ...server.settings, credentials: { ...CREDENTIALS, password: 'other' } };
    assert.deepEqual(summaryOf(await smtp.check(wrong, NEVER)), ['login', 535, true]);
    const { credentials: _none, ...without } = server.settings;
    assert.deepEqual(summaryOf(await smtp.send(without, makeMail(), NEVER)), ['sender', 530, true]);
    await using open = await startMailServer();
    const failed = failureOf(await smtp.check({ ...open.settings, credentials: CREDENTIALS }, NEVER));
    assert.deepEqual([failed.phase, failed.code], ['login', 'ENOAUTH']);
  });

  test('what the server says is shown without password and address, on one short line', async () => {
    const { username, password } = CREDENTIALS;
    const plain = Buffer.from(`\0${username}\0${password}`).toString('base64');
    const encoded = Buffer.from(password).toString('base64');
    await using server = await startRawMailServer({
      EHLO: '250-mx.example\r\n250 AUTH PLAIN',
      AUTH: `535-5.7.8 AUTH PLAIN ${plain}\r\n535-5.7.8 ${encoded} is\u0007 ${password}\r\n535 5.7.8 no`,
      RCPT: `550 5.1.1 <${GUEST.toUpperCase()}> unknown ${'x'.repeat(5_000)}`,
    });
    const refused = failureOf(await smtp.check({ ...server.settings, credentials: CREDENTIALS }, NEVER));
    assert.equal(refused.text, '535 5.7.8 AUTH PLAIN *** *** is *** no');
    const unknown = failureOf(await smtp.send(server.settings, makeMail(), NEVER));
    assert.match(unknown.text, /^550 5\.1\.1 <A…@EXAMPLE\.ORG> unknown x+…$/);
    assert.equal(unknown.text.length, 500);
  });
});

describe('failures', () => {
  test('a refusal at each step, also if several commands were sent at once', async () => {
    const expected: [MailStep, MailFault, ...unknown[]][] = [
      ['connect', '554 no service', 'connect', 554, true],
      ['connect', '421 too many connections', 'connect', 421, false],
      ['login', '535 5.7.8 no', 'login', 535, true],
      ['login', '454 later', 'login', 454, false],
      ['sender', '550 not you', 'sender', 550, true],
      ['sender', '421 closing', 'sender', 421, false],
      ['recipient', '451 4.7.1 greylisted', 'recipient', 451, false],
      ['recipient', '550 unknown', 'recipient', 550, true],
      ['content', '451 later', 'content', 451, false],
      ['content', '552 too large', 'content', 552, true],
    ];
    const refuse = async (pipelining: boolean) => {
      await using server = await startMailServer({ credentials: CREDENTIALS, pipelining });
      for (const [step, fault, ...summary] of expected) {
        server.setFault((reached) => (reached === step ? fault : undefined));
        const failed = failureOf(await smtp.send(server.settings, makeMail(), NEVER));
        assert.deepEqual(summaryOf(failed), summary, fault);
        assert.equal(failed.text, fault);
      }
      server.setFault(undefined);
      assert.ok((await smtp.send(server.settings, makeMail(), NEVER)).ok, 'the server recovers');
      assert.equal(server.mails.length, 1);
    };
    await Promise.all([true, false].map(refuse));
  });

  test('a missing reply and a lost connection at each step', async () => {
    const steps = ['connect', 'login', 'sender', 'recipient', 'content', 'accepted'] as const;
    const cases = steps.flatMap((step) =>
      (['hang', 'drop'] as const).flatMap((fault) =>
        [true, false].map((pipelining) => ({ step, fault, pipelining })),
      ),
    );
    await Promise.all(
      cases.map(async ({ step, fault, pipelining }) => {
        await using server = await startMailServer({ credentials: CREDENTIALS, pipelining });
        server.setFault((reached) => (reached === step ? fault : undefined));
        const failed = failureOf(await hasty.send(server.settings, makeMail(), NEVER));
        assert.equal(failed.phase, step === 'accepted' ? 'content' : step, `${fault} at ${step}`);
        assert.deepEqual([failed.status, failed.isFinal], [null, false]);
        assert.equal(failed.code === 'ETIMEDOUT', fault === 'hang', failed.code);
        assert.equal(server.mails.length, step === 'accepted' ? 1 : 0);
      }),
    );
  });

  test('a missing reply and a lost connection at EHLO, STARTTLS and within the handshake', async () => {
    const tls = { tls: 'required' } as const;
    const cases: [Record<string, RawReply>, Partial<MailServer>, SmtpPhase][] = [
      [{ EHLO: 'hang' }, {}, 'connect'],
      [{ EHLO: 'drop' }, {}, 'connect'],
      [{ STARTTLS: 'hang' }, tls, 'tls'],
      [{ STARTTLS: 'drop' }, tls, 'tls'],
      [{ STARTTLS: '220 go' }, tls, 'tls'],
      [{ STARTTLS: (socket) => socket.write('220 go\r\n', () => socket.destroy()) }, tls, 'tls'],
      [{ greeting: 'hang' }, { tls: 'implicit' }, 'tls'],
      [{ greeting: 'drop' }, { tls: 'implicit' }, 'tls'],
    ];
    await Promise.all(
      cases.map(async ([replies, changes, phase]) => {
        await using server = await startRawMailServer(replies);
        const failed = failureOf(await hasty.send({ ...server.settings, ...changes }, makeMail(), NEVER));
        assert.deepEqual([failed.phase, failed.status], [phase, null], JSON.stringify(replies));
      }),
    );
  });

  test('a server that never stops talking is cut off', async () => {
    const endless = (text: string): RawReply => {
      return (socket) => {
        const pump = () => {
          while (!socket.destroyed && socket.write(text));
          socket.once('drain', pump);
        };
        pump();
      };
    };
    const cases: [Record<string, RawReply>, SmtpPhase][] = [
      [{ greeting: endless('x'.repeat(65_536)) }, 'connect'],
      [{ greeting: endless('220-hello\r\n'.repeat(1_000)) }, 'connect'],
      [{ greeting: endless('\r\n'.repeat(10_000)) }, 'connect'],
      [{ EHLO: endless('250-x\r\n'.repeat(1_000)) }, 'connect'],
      [{ RCPT: endless('x'.repeat(1_000)) }, 'recipient'],
      [{ '.': endless('250-x\r\n'.repeat(1_000)) }, 'content'],
    ];
    for (const [replies, phase] of cases) {
      await using server = await startRawMailServer(replies);
      const failed = failureOf(await smtp.send(server.settings, makeMail(), NEVER));
      assert.deepEqual([failed.phase, failed.text], [phase, 'the server sends too much']);
    }
  });

  test('rubbish and very slow replies', async () => {
    const slow: RawReply = (socket) => {
      const timer = setInterval(() => socket.write('2'), 20);
      socket.once('close', () => clearInterval(timer));
    };
    const cases: [Record<string, RawReply>, SmtpPhase][] = [
      [{ greeting: '\u0000\u0001\u00ff\u0016\u0003' }, 'connect'],
      [{ greeting: 'HTTP/1.1 400 Bad Request' }, 'connect'],
      [{ greeting: slow }, 'connect'],
      [{ RCPT: 'what?' }, 'recipient'],
      [{ RCPT: '9999999999999999999999 what?' }, 'recipient'],
      [{ RCPT: slow }, 'recipient'],
      [{ '.': '' }, 'content'],
    ];
    await Promise.all(
      cases.map(async ([replies, phase]) => {
        await using server = await startRawMailServer(replies);
        const failed = failureOf(await hasty.send(server.settings, makeMail(), NEVER));
        assert.deepEqual([failed.phase, failed.status, failed.isFinal], [phase, null, false], failed.text);
      }),
    );
  });

  test('a server that reads slowly gets the whole mail', async () => {
    await using server = await startMailServer({ bytesPerSecond: 100_000 });
    const text = `${'Zeile '.repeat(12)}\n`.repeat(500);
    const mail = makeMail({ content: { ...makeMail().content, text } });
    assert.ok((await smtp.send(server.settings, mail, NEVER)).ok);
    assert.equal((await server.mails[0]?.parse())?.text?.trimEnd(), text.trimEnd());
  });

  test('nobody listens, or the name does not exist', async () => {
    const server = await startMailServer();
    await server.stop();
    const failed = failureOf(await smtp.check(server.settings, NEVER));
    assert.deepEqual([failed.phase, failed.code], ['connect', 'ECONNREFUSED']);
    const unknown = failureOf(await smtp.check({ ...server.settings, host: 'nowhere.invalid' }, NEVER));
    assert.equal(adviseOn(unknown, server.settings), 'unknown-host');
  });

  test('a signal ends the conversation and closes the connection', async () => {
    for (const [replies, changes] of [
      [{ greeting: 'hang' }, {}],
      [{ greeting: 'hang' }, { tls: 'implicit' }],
      [{ RCPT: 'hang' }, {}],
    ] as const) {
      await using server = await startRawMailServer(replies);
      const stopped = new AbortController();
      const sending = smtp.send({ ...server.settings, ...changes }, makeMail(), stopped.signal);
      setTimeout(() => stopped.abort(), 100);
      const failed = failureOf(await sending);
      assert.deepEqual([failed.status, failed.isFinal], [null, false]);
      await until(server.isIdle);
    }
    await using server = await startMailServer();
    failureOf(await smtp.send(server.settings, makeMail(), AbortSignal.abort()));
    assert.equal(server.mails.length, 0);
  });
});
