// Recovery codes for the day the phone is gone: made ten at a time, shown once, kept as hashes, each good once.

import { hashToken } from '../sessions/web-session.ts';
import { makeReadable } from './password.ts';

export const RECOVERY_CODES = 10;
const GROUPS = 3;

export function makeRecoveryCodes(): { codes: string[]; codeHashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () => makeReadable(GROUPS));
  return { codes, codeHashes: codes.map(hashRecoveryCode) };
}

/** However it was typed: in capitals, with or without its dashes. The code is too long to be found from its hash. */
export function hashRecoveryCode(typed: string): string {
  return hashToken(typed.toLowerCase().replace(/[^a-z0-9]/g, ''));
}
