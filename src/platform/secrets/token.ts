// Random tokens of sessions, pending logins and links. Only the holder has the token; the database stores its hash.

import { hash, randomBytes, randomInt } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PATH_TOKEN = /^[0-9A-Za-z]{32}$/;

export interface Token {
  token: string;
  tokenHash: string;
}

export function makeToken(): Token {
  const token = randomBytes(32).toString('base64url');
  return { token, tokenHash: hashToken(token) };
}

/** The token of a path that opens something without a login: 190 random bits, without characters that paths escape. */
export function makePathToken(): Token {
  const token = Array.from({ length: 32 }, () => BASE62[randomInt(BASE62.length)]).join('');
  return { token, tokenHash: hashToken(token) };
}

export function isPathToken(text: string): boolean {
  return PATH_TOKEN.test(text);
}

export function hashToken(token: string): string {
  return hash('sha256', token);
}
