// Random tokens of sessions, pending logins and links. Only the holder has the token; the database stores its hash.

import { hash, randomBytes } from 'node:crypto';

export function makeToken(): { token: string; tokenHash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, tokenHash: hashToken(token) };
}

export function hashToken(token: string): string {
  return hash('sha256', token);
}
