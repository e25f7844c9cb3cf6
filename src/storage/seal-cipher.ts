// AES-256-GCM under a key derived from a secret. A text in format v2 is bound to its place by additional authenticated
// data; a text in the older format v1 is not bound.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const UNBOUND = 'v1';
const BOUND = 'v2';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface SealKey {
  secret: string;
  bytes: Buffer;
}

export function deriveKey(secret: string): SealKey {
  return { secret, bytes: Buffer.from(hkdfSync('sha256', secret, '', 'gastpass seal v1', 32)) };
}

/** Without a place, the text is sealed in the format that older releases can read. */
export function encrypt({ bytes: key }: SealKey, plain: string, place?: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  if (place !== undefined) cipher.setAAD(Buffer.from(place));
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  const sealed = Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
  return `${place === undefined ? UNBOUND : BOUND}.${sealed}`;
}

/** Undefined if the text was sealed under another key, was changed, or is bound to another place. */
export function decrypt({ bytes: key }: SealKey, sealed: string, place: string): string | undefined {
  const [version, text] = sealed.split('.');
  if ((version !== UNBOUND && version !== BOUND) || !text) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  if (version === BOUND) decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}

export function isBound(sealed: string): boolean {
  return sealed.startsWith(`${BOUND}.`);
}
