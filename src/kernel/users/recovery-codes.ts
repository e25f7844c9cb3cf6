// Recovery codes for a lost phone: ten are created at a time, shown once and stored as hashes; each code can be used
// once.

import { hash } from 'node:crypto';
import { hashToken } from '../../platform/secrets/token.ts';
import { makeReadable } from './password.ts';

const RECOVERY_CODES = 10;
const GROUPS = 3;

export function makeRecoveryCodes(): { codes: string[]; codeHashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () => makeReadable(GROUPS));
  return { codes, codeHashes: codes.map(hashRecoveryCode) };
}

/** Ignores case, dashes and spaces. A fast hash is enough: our own codes are too long to be found by brute force. */
export function hashRecoveryCode(typed: string): string {
  const code = typed.toLowerCase().replace(/[^a-z0-9]/g, '');
  return MOVED_IN.test(code) ? hashMovedIn(code) : hashToken(code);
}

/** Codes that were moved in from Unifi-Voucher-Tool are shorter than our own: `1A2B-3C4D`. */
const MOVED_IN = /^[0-9a-f]{8}$/;

function hashMovedIn(code: string): string {
  const written = `${code.slice(0, 4)}-${code.slice(4)}`.toUpperCase();
  return hash('sha256', written);
}
