// What an administrator can do about a failure of the mail server. Servers agree on the numbers of their replies only
// roughly, so the words of the well-known servers are recognised, too. Texts are written elsewhere, in each language.

import type { MailServer } from './mail-server.ts';
import type { SmtpFailure } from './smtp.ts';

/**
 * `forbidden`: WEBHOOK_TARGETS does not allow the server's address. `wrong-port`: TLS at a port without it, the
 * reverse, or no mail server at all. `tls-required`: TLS is off, but the server wants it. `login-not-offered`: the
 * server asks for no credentials, or for other kinds. `login-required`: the server wants credentials, but none are set.
 * `app-password`: Google accepts no ordinary password. `try-later`: the server refuses this mail for now, as many
 * servers do with unknown senders (greylisting). `smtp-auth-disabled`: Microsoft has switched logins with a password
 * off.
 */
export const SMTP_ADVICE = [
  'unknown-host',
  'refused',
  'unreachable',
  'forbidden',
  'timed-out',
  'wrong-port',
  'no-starttls',
  'tls-required',
  'certificate',
  'login-not-offered',
  'login-required',
  'login-refused',
  'app-password',
  'smtp-auth-disabled',
  'sender-refused',
  'relay-denied',
  'recipient-refused',
  'try-later',
  'rate-limited',
  'other',
] as const;
export type SmtpAdvice = (typeof SMTP_ADVICE)[number];

/** Codes of errors without a reply. */
const ADVICE_OF_CODES: Record<string, SmtpAdvice> = {
  ENOTFOUND: 'unknown-host',
  EAI_AGAIN: 'unknown-host',
  ECONNREFUSED: 'refused',
  ENETUNREACH: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  EFORBIDDEN: 'forbidden',
  EPROTOCOL: 'wrong-port',
  ENOAUTH: 'login-not-offered',
  ERR_SSL_WRONG_VERSION_NUMBER: 'wrong-port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'wrong-port',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate',
};
const CERTIFICATE = /CERT|UNABLE_TO_|SELF_SIGNED|HOSTNAME_MISMATCH|CRL/;

const RATE =
  /rate.?limit|too (?:many|much)|limit.*exceeded|exceed.*(?:limit|max|quota)|per (?:minute|hour|day)|throttl|concurrent/i;
const SENDER = /send ?as|sender.*(?:not allowed|rejected|denied|refused|verify failed)|not owned by user/i;
const TLS_REQUIRED = /STARTTLS|encryption required/i;
const RELAY = /relay/i;
const LOGIN_REQUIRED = /authenticat\w+ (?:is )?required|must (?:be )?authenticat|not authenticated/i;

export function adviseOn(failure: SmtpFailure, server: Pick<MailServer, 'port' | 'tls'>): SmtpAdvice {
  return failure.status === null ? adviseOnSilence(failure, server) : adviseOnReply(failure, failure.status);
}

/** Port 465 expects TLS at once. Without it, both sides wait for each other. */
function adviseOnSilence(
  { phase, code = '' }: SmtpFailure,
  { port, tls }: Pick<MailServer, 'port' | 'tls'>,
): SmtpAdvice {
  const known = ADVICE_OF_CODES[code];
  if (known) return known;
  if (phase === 'tls' && CERTIFICATE.test(code)) return 'certificate';
  if (phase === 'connect' && port === 465 && tls !== 'implicit') return 'wrong-port';
  if (code === 'ETIMEDOUT') return 'timed-out';
  // Not the greeting of a mail server: something else has replied.
  return phase === 'connect' && code === '' ? 'wrong-port' : 'other';
}

function adviseOnReply({ phase, text }: SmtpFailure, status: number): SmtpAdvice {
  if (phase === 'tls') return 'no-starttls';
  if (RATE.test(text)) return 'rate-limited';
  if (TLS_REQUIRED.test(text)) return 'tls-required';
  if (phase === 'login') return adviseOnLogin(status, text);
  if (status === 530 || LOGIN_REQUIRED.test(text)) return 'login-required';
  if (RELAY.test(text)) return 'relay-denied';
  if ((phase === 'sender' && status >= 500) || SENDER.test(text)) return 'sender-refused';
  if (status < 500 && (phase === 'recipient' || phase === 'content')) return 'try-later';
  return phase === 'recipient' ? 'recipient-refused' : 'other';
}

function adviseOnLogin(status: number, text: string): SmtpAdvice {
  if (/\b5\.7\.139\b|SmtpClientAuthentication/i.test(text)) return 'smtp-auth-disabled';
  if (/\b5\.7\.9\b|application-specific|gsmtp$/i.test(text)) return 'app-password';
  // The server does not know the command or the kind of login.
  return [500, 502, 503, 504].includes(status) ? 'login-not-offered' : 'login-refused';
}
