// What the parts of a mail server may be. The same rules apply to the environment and to the form in the browser.

import { X509Certificate } from 'node:crypto';
import { isMailAddress, type MailAddress } from '../../platform/text/mail-address.ts';

export const MAX_MAILS_PER_HOUR = 100_000;
export const MAX_SENDER_NAME_LENGTH = 100;

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** A name that a header can contain. It may be empty. */
export function isSenderName(text: string): boolean {
  return text.length <= MAX_SENDER_NAME_LENGTH && !/[\p{Cc}\p{Zl}\p{Zp}<>]/u.test(text);
}

/** Reads `a@b` and `Name <a@b>`. Quotes around the name are not part of it. */
export function toSender(text: string): MailAddress | undefined {
  const [, name = '', address = ''] = /^(.*?)\s*<([^<>]*)>$/s.exec(text) ?? [text, '', text];
  const shown = name.replace(/^"(.*)"$/s, '$1').trim();
  if (!isMailAddress(address) || !isSenderName(shown)) return undefined;
  return shown === '' ? { address } : { name: shown, address };
}

/** Whether the text has certificates in PEM format, all of which can be read. */
export function hasCertificates(text: string): boolean {
  const found = text.match(CERTIFICATE) ?? [];
  return found.length > 0 && found.every(isCertificate);
}

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}
