// Secrets that generic webhooks are signed with, and how one is followed by the next.

import { randomBytes } from 'node:crypto';
import type { SigningSecrets } from './webhook.ts';

const SECRET_BYTES = 32;
/** So long the old one signs too. */
export const OVERLAP_MS = 24 * 60 * 60_000;

export function makeSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

export function rotated({ current }: SigningSecrets, nowMs: number): SigningSecrets {
  return { current: makeSigningSecret(), previous: { secret: current, untilMs: nowMs + OVERLAP_MS } };
}
