// Makes the reply of a mail server safe to show and to store. A server may repeat anything that it was told.

import { maskKnownSecret, maskSecrets } from '../../../platform/secrets/mask-secrets.ts';
import { withoutControls } from '../../../platform/text/control-characters.ts';
import { maskMailAddress } from '../../../platform/text/mail-address.ts';
import type { MailServer } from '../mail-server.ts';

const MAX_LENGTH = 500;
/** Begins every line of a reply. */
const STATUS = /^\d{3}[ -](?:\d\.\d{1,3}\.\d{1,3} )?/;

/** Every line of an SMTP reply begins with a status. Another service at the address may send anything, even secrets. */
const REPLY = /^[2-5]\d\d(?:[ -][^\r\n]*)?(?:\r?\n[2-5]\d\d(?:[ -][^\r\n]*)?)*$/;
const NO_REPLY = 'the server did not answer like a mail server';

/** Like `toServerWords`, but only for a reply that the server has sent. Empty without a reply. */
export function toReplyWords(reply: string, server: MailServer, guest?: string): string {
  return reply === '' || REPLY.test(reply.trimEnd()) ? toServerWords(reply, server, guest) : NO_REPLY;
}

/** One line. `guest` is the address that is masked. */
export function toServerWords(reply: string, { credentials }: MailServer, guest = ''): string {
  let text = reply.toWellFormed();
  for (const secret of secretsOf(credentials)) text = maskKnownSecret(text, secret);
  const line = withoutControls(maskSecrets(joinLines(text)))
    .replace(/\s+/g, ' ')
    .trim();
  const masked = guest === '' ? line : line.replaceAll(new RegExp(escaped(guest), 'gi'), maskMailAddress);
  if (masked.length <= MAX_LENGTH) return masked;
  return `${masked.slice(0, MAX_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The password in every form in which it is sent. */
function secretsOf(credentials: MailServer['credentials']): string[] {
  if (!credentials || credentials.password === '') return [];
  const { username, password } = credentials;
  const sent = [`\0${username}\0${password}`, password].map((text) => Buffer.from(text).toString('base64'));
  // The padding may be missing.
  return [...sent, ...sent.map((text) => text.replace(/=+$/, '')), password];
}

function joinLines(reply: string): string {
  const [first = '', ...others] = reply.split(/\r?\n/);
  return [first.replace(/^(\d{3})-/, '$1 '), ...others.map((line) => line.replace(STATUS, ''))].join(' ');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
