// Random tokens that only their holder has: of sessions, pending logins and links. The store has their hashes.

import { hash, randomBytes } from 'node:crypto';

export function makeToken(): { token: string; tokenHash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, tokenHash: hashToken(token) };
}

export function hashToken(token: string): string {
  return hash('sha256', token);
}
