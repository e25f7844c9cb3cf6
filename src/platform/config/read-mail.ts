// Reads the settings of the mail server. SMTP_URL may contain a password, so no message repeats it.

import type { MailServer, MailTls } from '../../features/mail/mail-server.ts';
import { hasCertificates, MAX_MAILS_PER_HOUR, toSender } from '../../features/mail/server-rules.ts';
import { toHost } from '../network/host.ts';
import type { Reader } from './reader.ts';

const DEFAULT_PORTS = { 'smtp:': 587, 'smtps:': 465 };

interface SmtpUrl {
  host: string;
  port: number;
  isEncrypted: boolean;
  username: string | undefined;
  password: string | undefined;
}

export function readMail(read: Reader): MailServer | undefined {
  const urlText = read.text(
    'SMTP_URL',
    undefined,
    (text) => toSmtpUrl(text) !== undefined,
    'an address such as smtp://mail.example.org:587 or smtps://mail.example.org:465, without a path; percent-encode special characters of the user and the password, such as %40 for @',
  );
  const url = urlText === undefined ? undefined : toSmtpUrl(urlText);
  const credentials = readCredentials(read, url);
  const tlsText = read.text('SMTP_TLS', undefined, isTlsChoice, 'one of required, off');
  const ca = read.text('SMTP_CA', undefined, hasCertificates, 'certificates in PEM format');
  const fromText = read.text(
    'MAIL_FROM',
    undefined,
    (text) => toSender(text) !== undefined,
    'an address such as wifi@example.org or Hotel Ada <wifi@example.org>',
  );
  const perHour = read.integer('MAIL_PER_HOUR', undefined, 1, MAX_MAILS_PER_HOUR);

  const isAnySet = [urlText, tlsText, ca, fromText, perHour].some((value) => value !== undefined);
  if ((isAnySet || credentials.areGiven) && (urlText === undefined || fromText === undefined))
    read.issues.push('SMTP_URL and MAIL_FROM: set both, or none of the settings for e-mail');
  if (url?.isEncrypted && tlsText === 'off')
    read.issues.push('SMTP_TLS: off contradicts smtps:// in SMTP_URL: use smtp://, or remove SMTP_TLS');

  const from = fromText === undefined ? undefined : toSender(fromText);
  if (!url || !from) return undefined;
  const { username, password } = credentials;
  return {
    host: url.host,
    port: url.port,
    tls: toTls(url, tlsText),
    ...(username !== undefined && password !== undefined && { credentials: { username, password } }),
    ...(ca !== undefined && { ca }),
    from,
    perHour: perHour ?? null,
  };
}

/** User and password may be part of the address, or settings of their own. */
function readCredentials(read: Reader, url: SmtpUrl | undefined) {
  const user = read.text('SMTP_USER', undefined, isOneLine, 'a user name without line breaks');
  const secret = read.text('SMTP_PASSWORD', undefined, isOneLine, 'a password without line breaks');
  if (user !== undefined && url?.username !== undefined)
    read.issues.push('SMTP_USER: SMTP_URL also names a user: set only one of them');
  if (secret !== undefined && url?.password !== undefined)
    read.issues.push('SMTP_PASSWORD: SMTP_URL also has a password: set only one of them');
  const username = user ?? url?.username;
  const password = secret ?? url?.password;
  if ((username === undefined) !== (password === undefined))
    read.issues.push('SMTP_USER and SMTP_PASSWORD: set both or neither');
  return { username, password, areGiven: user !== undefined || secret !== undefined };
}

function toTls({ isEncrypted }: SmtpUrl, text: string | undefined): MailTls {
  if (isEncrypted) return 'implicit';
  return text === 'off' ? 'off' : 'required';
}

function isTlsChoice(text: string): boolean {
  return text === 'required' || text === 'off';
}

function isOneLine(text: string): boolean {
  return !/[\r\n\0]/.test(text);
}

function toSmtpUrl(text: string): SmtpUrl | undefined {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:')) return undefined;
  const hasMore = (url.pathname !== '' && url.pathname !== '/') || url.search !== '' || url.hash !== '';
  const [host, username, password] = [url.hostname, url.username, url.password].map(decode);
  const asciiHost = host === undefined ? undefined : toHost(host);
  const port = url.port === '' ? DEFAULT_PORTS[url.protocol] : Number(url.port);
  if (hasMore || asciiHost === undefined || port === 0) return undefined;
  if (username === undefined || password === undefined || !isOneLine(username + password)) return undefined;
  return {
    host: asciiHost,
    port,
    isEncrypted: url.protocol === 'smtps:',
    username: username || undefined,
    password: password || undefined,
  };
}

/** Undefined if a percent sign is followed by anything but an encoded character. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
