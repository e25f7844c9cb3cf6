// Wraps the installation's secret with a passphrase: AES-256-GCM under a key that scrypt derives from the passphrase. A second
// key, derived from the first one, authenticates the lines of the backup.

import {
  createCipheriv,
  createDecipheriv,
  hkdfSync,
  randomBytes,
  type ScryptOptions,
  scrypt,
} from 'node:crypto';
import * as v from 'valibot';
import { WrongConfiguration } from '../../domain/wrong-configuration.ts';

/** About 128 MB and a third of a second for each guess at a passphrase. */
const COST = { N: 2 ** 17, r: 8, p: 1 };
const MAX_COST = { N: 2 ** 20, r: 8, p: 4 };
const IV_BYTES = 12;
const TAG_BYTES = 16;
const LINES = 'gastpass backup lines';
/** Differs from format to format, so that a backup cannot pass for one of format 1, whose lines are not authenticated. */
const purposeOf = (formatVersion: number) =>
  Buffer.from(formatVersion === 1 ? 'gastpass backup secret' : `gastpass backup secret ${formatVersion}`);

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

interface Unwrapped {
  secret: string;
  /** Authenticates the lines. */
  lineKey: Buffer;
}

export async function wrapSecret(
  secret: string,
  passphrase: string,
  formatVersion: number,
): Promise<{ wrapped: WrappedSecret; lineKey: Buffer }> {
  const salt = randomBytes(16);
  const iv = randomBytes(IV_BYTES);
  const key = await derive(passphrase, salt, COST);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(purposeOf(formatVersion));
  const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  const sealed = Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
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
): Promise<Unwrapped> {
  const { N, r, p, salt } = wrapped;
  const key = await derive(passphrase, Buffer.from(salt, 'base64url'), { N, r, p });
  const bytes = Buffer.from(wrapped.sealed, 'base64url');
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(purposeOf(formatVersion)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const secret =
      decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    return { secret, lineKey: lineKeyOf(key) };
  } catch {
    throw new WrongPassphrase();
  }
}

function lineKeyOf(key: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', LINES, 32));
}

function derive(passphrase: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  const { N = 0, r = 0, p = 0 } = cost;
  const options = { N, r, p, maxmem: 256 * N * r * p };
  return new Promise((resolve, reject) =>
    // The same text can be typed as different characters: an "ä" is one or two of them.
    scrypt(passphrase.normalize('NFC'), salt, 32, options, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  );
}
