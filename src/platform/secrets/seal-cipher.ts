// AES-256-GCM under a key derived from a secret. A text in format v2 is bound to its place by additional authenticated
// data; a text in the older format v1 is not bound.

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

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
  return `${place === undefined ? UNBOUND : BOUND}.${encryptText(key, plain, place)}`;
}

/** Returns undefined if the text was sealed under another key, was changed, or is bound to another place. */
export function decrypt({ bytes: key }: SealKey, sealed: string, place: string): string | undefined {
  const [version, text] = sealed.split('.');
  if ((version !== UNBOUND && version !== BOUND) || !text) return undefined;
  return decryptText(key, text, version === BOUND ? place : undefined);
}

/** A keyed hash, under another key than the sealed texts. */
export function digest({ secret }: SealKey, text: string): string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'gastpass digest v1', 32));
  return createHmac('sha256', key).update(text).digest('base64url');
}

export function isBound(sealed: string): boolean {
  return sealed.startsWith(`${BOUND}.`);
}

/** The initialisation vector, the tag and the encrypted text, as base64url. */
export function encryptText(key: Buffer, plain: string, authenticated = ''): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(authenticated));
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
}

/** Returns undefined if the key or the authenticated text is not the one that was used for the encryption. */
export function decryptText(key: Buffer, encrypted: string, authenticated = ''): string | undefined {
  const bytes = Buffer.from(encrypted, 'base64url');
  if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(authenticated)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
