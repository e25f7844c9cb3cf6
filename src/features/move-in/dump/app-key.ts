// Decrypts the secrets of Unifi-Voucher-Tool. After the prefix `enc:v1:`, a secret is the base64 of one of two formats:
// nonce and secretbox (XSalsa20-Poly1305), or IV, tag and AES-256-GCM ciphertext. The prefix does not tell the format,
// so both are tried.

import { createDecipheriv } from 'node:crypto';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';

const SEALED = 'enc:v1:';
const NONCE_BYTES = 24;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Finds the key in the text of a file that contains only the key, or of config.php. Undefined if there is no key. */
export function findAppKey(text: string): Buffer | undefined {
  const base64 =
    /^\s*([A-Za-z0-9+/]{43}=)\s*$/.exec(text)?.[1] ??
    /\bAPP_KEY['"]?\s*(?:,|=>?|:)\s*['"]?([A-Za-z0-9+/]{43}=)/.exec(text)?.[1];
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64');
}

/** Undefined if the secret cannot be opened with this key. A text that is not sealed is returned as it is. */
export function openSecret(value: string, key: Buffer | undefined): string | undefined {
  if (!value.startsWith(SEALED)) return value;
  if (!key) return undefined;
  const bytes = Buffer.from(value.slice(SEALED.length), 'base64');
  return openSecretbox(bytes, key) ?? openGcm(bytes, key);
}

function openSecretbox(bytes: Buffer, key: Buffer): string | undefined {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  try {
    const box = xsalsa20poly1305(key, bytes.subarray(0, NONCE_BYTES));
    return Buffer.from(box.decrypt(bytes.subarray(NONCE_BYTES))).toString('utf8');
  } catch {
    return undefined;
  }
}

function openGcm(bytes: Buffer, key: Buffer): string | undefined {
  if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString(
      'utf8',
    );
  } catch {
    return undefined;
  }
}
