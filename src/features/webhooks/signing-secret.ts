// Signing secrets of generic webhooks, and their rotation.

import { randomBytes } from 'node:crypto';
import type { SigningSecrets } from './webhook.ts';

const SECRET_BYTES = 32;
/** How long notifications are also signed with the previous secret after a rotation. */
export const OVERLAP_MS = 24 * 60 * 60_000;

export function makeSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

export function rotated({ current }: SigningSecrets, nowMs: number): SigningSecrets {
  return { current: makeSigningSecret(), previous: { secret: current, untilMs: nowMs + OVERLAP_MS } };
}
