// The pairing code, which a person reads on one screen and types on another.

import { randomInt } from 'node:crypto';
import { hashToken } from '../../platform/secrets/token.ts';

/** Without characters that can be mistaken for another one: 0, O, 1, I, L, 2, Z, 5, S, 8, B and U. */
const ALPHABET = 'ACDEFGHJKMNPQRTVWXY34679';
const CODE = new RegExp(`^[${ALPHABET}]{8}$`);
const MAX_TYPED_LENGTH = 100;

export interface PairingCode {
  /** Such as `ACDE-FGHJ`. */
  code: string;
  pairingHash: string;
}

export function makePairingCode(): PairingCode {
  const code = Array.from({ length: 8 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return { code: `${code.slice(0, 4)}-${code.slice(4)}`, pairingHash: hashToken(code) };
}

/** The hash of a code as it was typed, in capital or small letters, with or without the dash; otherwise undefined. */
export function readPairingCode(typed: string): string | undefined {
  if (typed.length > MAX_TYPED_LENGTH) return undefined;
  const code = typed.toUpperCase().replace(/[\s\p{Pd}]/gu, '');
  return CODE.test(code) ? hashToken(code) : undefined;
}
