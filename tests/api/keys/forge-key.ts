// Makes keys that were never issued but have a valid checksum. This is a separate implementation of the published
// format, so it also checks that the service follows the format.

import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `id` has 8 characters, `secret` has 32. */
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
