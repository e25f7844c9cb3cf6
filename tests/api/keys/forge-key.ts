// Keys that were never issued, with a checksum that is right: written anew from the published format, so
// that it also tells whether the service keeps to it.

import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `id` has 8, `secret` 32 characters. */
export function forgeKey(id: string, secret: string): string {
  const body = `gpk_${id}${secret}`;
  let rest = crc32(body);
  const digits: string[] = [];
  while (digits.length < 6) {
    digits.unshift(ALPHABET.charAt(rest % 62));
    rest = Math.floor(rest / 62);
  }
  return body + digits.join('');
}

export const idOf = (keyText: string): string => keyText.slice(4, 12);
export const secretOf = (keyText: string): string => keyText.slice(12, 44);
