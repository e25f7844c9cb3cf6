// Recovery codes for a lost phone: ten are created at a time, shown once and stored as hashes; each code can be used
// once.

import { hashToken } from '../sessions/web-session.ts';
import { makeReadable } from './password.ts';

const RECOVERY_CODES = 10;
const GROUPS = 3;

export function makeRecoveryCodes(): { codes: string[]; codeHashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () => makeReadable(GROUPS));
  return { codes, codeHashes: codes.map(hashRecoveryCode) };
}

/** Ignores case, dashes and spaces. A code is too long to be found from its hash by brute force. */
export function hashRecoveryCode(typed: string): string {
  return hashToken(typed.toLowerCase().replace(/[^a-z0-9]/g, ''));
}
