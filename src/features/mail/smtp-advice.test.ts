// Tests the advice on failures of mail servers, with the replies of well-known servers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SmtpFailure, SmtpPhase } from './smtp.ts';
import { adviseOn, type SmtpAdvice } from './smtp-advice.ts';

const SUBMISSION = { port: 587, tls: 'required' } as const;

/** Replies as the servers write them, after their lines were joined. */
const REPLIES: [server: string, phase: SmtpPhase, text: string, advice: SmtpAdvice][] = [
  ['Postfix', 'tls', '502 5.5.1 Error: command not implemented', 'no-starttls'],
  ['Postfix', 'tls', '454 4.7.0 TLS not available due to local problem', 'no-starttls'],
  ['Postfix', 'login', '535 5.7.8 Error: authentication failed: UGFzc3dvcmQ6', 'login-refused'],
  ['Postfix', 'login', '503 5.5.1 Error: authentication not enabled', 'login-not-offered'],
  [
    'Postfix',
    'login',
    '538 5.7.11 Encryption required for requested authentication mechanism',
    'tls-required',
  ],
  ['Postfix', 'recipient', '554 5.7.1 <a…@example.org>: Relay access denied', 'relay-denied'],
  ['Postfix', 'sender', '530 5.7.0 Must issue a STARTTLS command first', 'tls-required'],
  [
    'Postfix',
    'recipient',
    '553 5.7.1 <wlan@hotel.example>: Sender address rejected: not owned by user wlan',
    'sender-refused',
  ],
  [
    'Postfix',
    'recipient',
    '550 5.1.1 <a…@example.org>: Recipient address rejected: User unknown in local recipient table',
    'recipient-refused',
  ],
  ['Postfix', 'sender', '450 4.7.1 Error: too much mail from 192.0.2.7', 'rate-limited'],
  ['Postfix', 'connect', '421 4.7.0 mx.example Error: too many connections from 192.0.2.7', 'rate-limited'],
  ['Postfix', 'connect', '554 5.7.1 mx.example SMTP service not available', 'other'],
  ['Exim', 'login', '535 Incorrect authentication data', 'login-refused'],
  ['Exim', 'login', '503 AUTH command used when not advertised', 'login-not-offered'],
  ['Exim', 'recipient', '550 relay not permitted', 'relay-denied'],
  ['Exim', 'recipient', '550 Sender verify failed', 'sender-refused'],
  [
    'Exchange Online',
    'login',
    '535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant.',
    'smtp-auth-disabled',
  ],
  [
    'Exchange Online',
    'login',
    '535 5.7.139 Authentication unsuccessful, basic authentication is disabled.',
    'smtp-auth-disabled',
  ],
  [
    'Exchange Online',
    'login',
    '535 5.7.3 Authentication unsuccessful [AM0PR01CA0001.eurprd01.prod.exchangelabs.com]',
    'login-refused',
  ],
  [
    'Exchange Online',
    'sender',
    '530 5.7.57 Client not authenticated to send mail. [SI2PR01CA0016.apcprd01.prod.exchangelabs.com]',
    'login-required',
  ],
  [
    'Exchange Online',
    'content',
    '550 5.7.60 SMTP; Client does not have permissions to send as this sender',
    'sender-refused',
  ],
  [
    'Exchange Online',
    'content',
    '554 5.2.252 SendAsDenied; wlan@hotel.example not allowed to send as info@hotel.example',
    'sender-refused',
  ],
  [
    'Exchange Online',
    'recipient',
    '550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain',
    'relay-denied',
  ],
  ['Exchange Online', 'content', '432 4.3.2 Concurrent connections limit exceeded.', 'rate-limited'],
  [
    'Gmail',
    'login',
    '535 5.7.8 Username and Password not accepted. lf4-20020a170902fb44sm4794plb.2999 - gsmtp',
    'app-password',
  ],
  ['Gmail', 'login', '534 5.7.9 Application-specific password required. 5sm1 - gsmtp', 'app-password'],
  [
    'Gmail',
    'login',
    '454 4.7.0 Too many login attempts, please try again later. 5sm1 - gsmtp',
    'rate-limited',
  ],
  ['Gmail', 'sender', '530 5.7.0 Authentication Required. 5sm1 - gsmtp', 'login-required'],
  ['Gmail', 'recipient', '550 5.4.5 Daily user sending limit exceeded. 5sm1 - gsmtp', 'rate-limited'],
  [
    'Google relay',
    'recipient',
    '550 5.7.1 Invalid credentials for relay [192.0.2.7]. The IP address you have registered does not match',
    'relay-denied',
  ],
  ['IONOS', 'login', '535 Authentication credentials invalid', 'login-refused'],
  [
    'IONOS',
    'content',
    '550 Requested action not taken: mailbox unavailable. Sender address is not allowed.',
    'sender-refused',
  ],
  ['IONOS', 'connect', '421 Rate limit reached. Please try again later', 'rate-limited'],
  ['OVH', 'login', '535 5.7.1 Authentication failed', 'login-refused'],
  [
    'cPanel',
    'content',
    '550 Domain hotel.example has exceeded the max emails per hour (100/100 (100%)) allowed. Message discarded.',
    'rate-limited',
  ],
  [
    'any',
    'recipient',
    '450 4.2.0 <a…@example.org>: Recipient address rejected: Greylisted, see http://postgrey.schweikert.ch/',
    'try-later',
  ],
  ['any', 'content', '554 5.7.1 Message rejected as spam', 'other'],
];

test('the reply of a mail server leads to the advice for it', () => {
  const found = REPLIES.map(([server, phase, text]) => {
    const status = Number(text.slice(0, 3));
    return [server, text, adviseOn({ ok: false, phase, status, text, isFinal: status >= 500 }, SUBMISSION)];
  });
  assert.deepEqual(
    found,
    REPLIES.map(([server, , text, advice]) => [server, text, advice]),
  );
});

test('a mail server that says nothing leads to the advice for its silence', () => {
  const advise = (phase: SmtpPhase, code?: string, server: Parameters<typeof adviseOn>[1] = SUBMISSION) => {
    const silent: SmtpFailure = {
      ok: false,
      phase,
      status: null,
      text: '',
      isFinal: false,
      ...(code && { code }),
    };
    return adviseOn(silent, server);
  };
  assert.equal(advise('connect', 'ENOTFOUND'), 'unknown-host');
  assert.equal(advise('connect', 'EAI_AGAIN'), 'unknown-host');
  assert.equal(advise('connect', 'ECONNREFUSED'), 'refused');
  assert.equal(advise('connect', 'EHOSTUNREACH'), 'unreachable');
  assert.equal(advise('connect', 'ETIMEDOUT'), 'timed-out');
  assert.equal(advise('login', 'ETIMEDOUT'), 'timed-out');
  assert.equal(advise('connect', 'ETIMEDOUT', { port: 465, tls: 'required' }), 'wrong-port');
  assert.equal(advise('connect', 'ECONNECTION', { port: 465, tls: 'off' }), 'wrong-port');
  assert.equal(advise('connect', 'ETIMEDOUT', { port: 465, tls: 'implicit' }), 'timed-out');
  assert.equal(advise('tls', 'ERR_SSL_WRONG_VERSION_NUMBER'), 'wrong-port');
  // The reply of something other than a mail server.
  assert.equal(advise('connect'), 'wrong-port');
  for (const code of [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ])
    assert.equal(advise('tls', code), 'certificate', code);
  assert.equal(advise('login', 'ENOAUTH'), 'login-not-offered');
  assert.equal(advise('content', 'ECONNRESET'), 'other');
});
