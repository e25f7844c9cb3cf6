// Wraps the installation's secret with a passphrase: AES-256-GCM under a key that scrypt derives from the passphrase. A
// second key, derived from the first one, authenticates the lines of the backup.

import { hkdfSync, randomBytes, scrypt } from 'node:crypto';
import * as v from 'valibot';
import { decryptText, encryptText } from '../secrets/seal-cipher.ts';
import { WrongConfiguration } from '../values/wrong-configuration.ts';

/** Each guess at a passphrase costs about 128 MB of memory and a third of a second. */
const COST = { N: 2 ** 17, r: 8, p: 1 };
const MAX_COST = { N: 2 ** 20, r: 8, p: 4 };
const LINES = 'gastpass backup lines';
/** Each format has its own text, so that no backup can be passed off as format 1, whose lines are not authenticated. */
const purposeOf = (formatVersion: number) =>
  formatVersion === 1 ? 'gastpass backup secret' : `gastpass backup secret ${formatVersion}`;

const base64 = v.pipe(v.string(), v.regex(/^[\w-]+$/));

export const WRAPPED_SECRET = v.object({
  kdf: v.literal('scrypt'),
  N: v.pipe(v.number(), v.integer(), v.maxValue(MAX_COST.N)),
  r: v.pipe(v.number(), v.integer(), v.maxValue(MAX_COST.r)),
  p: v.pipe(v.number(), v.integer(), v.maxValue(MAX_COST.p)),
  salt: base64,
  cipher: v.literal('aes-256-gcm'),
  /** The initialisation vector, the tag and the encrypted secret. */
  sealed: base64,
});
export type WrappedSecret = v.InferOutput<typeof WRAPPED_SECRET>;

export class WrongPassphrase extends WrongConfiguration {
  constructor() {
    super('the passphrase is not the one of this backup');
    this.name = 'WrongPassphrase';
  }
}

export async function wrapSecret(
  secret: string,
  passphrase: string,
  formatVersion: number,
): Promise<{ wrapped: WrappedSecret; lineKey: Buffer }> {
  const salt = randomBytes(16);
  const key = await derive(passphrase, salt, COST);
  const sealed = encryptText(key, secret, purposeOf(formatVersion));
  return {
    wrapped: { kdf: 'scrypt', ...COST, salt: salt.toString('base64url'), cipher: 'aes-256-gcm', sealed },
    lineKey: lineKeyOf(key),
  };
}

/** Throws WrongPassphrase. */
export async function unwrapSecret(
  wrapped: WrappedSecret,
  passphrase: string,
  formatVersion: number,
): Promise<{ secret: string; lineKey: Buffer }> {
  const key = await derive(passphrase, Buffer.from(wrapped.salt, 'base64url'), wrapped);
  const secret = decryptText(key, wrapped.sealed, purposeOf(formatVersion));
  if (secret === undefined) throw new WrongPassphrase();
  return { secret, lineKey: lineKeyOf(key) };
}

function lineKeyOf(key: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', LINES, 32));
}

function derive(passphrase: string, salt: Buffer, { N, r, p }: typeof COST): Promise<Buffer> {
  const options = { N, r, p, maxmem: 256 * N * r * p };
  return new Promise((resolve, reject) =>
    // Unicode can encode "ä" as one character or as two. Both must give the same key.
    scrypt(passphrase.normalize('NFC'), salt, 32, options, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  );
}
