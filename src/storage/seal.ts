// Encryption at rest: credentials and other secrets are sealed with AES-256-GCM under a key derived from the
// installation's secret. A check value in the database shows at once whether the secret is the right one.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { WrongConfiguration } from '../domain/wrong-configuration.ts';
import type { Database } from './database.ts';
import { insertSettingUnlessThere, selectSetting } from './settings/installation-queries.ts';

const VERSION = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const CHECK_TEXT = 'gastpass';

export interface Seal {
  seal(plain: string): string;
  /** Throws WrongSecret if the text was sealed under another secret or has been modified. */
  open(sealed: string): string;
}

export class WrongSecret extends WrongConfiguration {
  constructor() {
    super(
      'the secret does not fit this database: set GASTPASS_SECRET to the one it was created with, or put the file "secret" back into the data folder',
    );
    this.name = 'WrongSecret';
  }
}

export function makeSeal(secret: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'gastpass seal v1', 32));
  return {
    seal(plain) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return `${VERSION}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    open(sealed) {
      const [version, text] = sealed.split('.');
      if (version !== VERSION || !text) throw new WrongSecret();
      const bytes = Buffer.from(text, 'base64url');
      if (bytes.length < IV_BYTES + TAG_BYTES) throw new WrongSecret();
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      try {
        return (
          decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
        );
      } catch {
        throw new WrongSecret();
      }
    },
  };
}

/** For untrusted input: returns undefined if the text was not sealed under this secret. */
export function openOrNot({ open }: Seal, sealed: string): string | undefined {
  try {
    return open(sealed);
  } catch (error) {
    if (error instanceof WrongSecret) return undefined;
    throw error;
  }
}

/** Throws WrongSecret if the database was first used with another secret. */
export async function checkSecret(database: Database, seal: Seal): Promise<void> {
  const known = await selectSetting(database.read, 'secret_check');
  if (known !== undefined) {
    seal.open(known);
    return;
  }
  await database.write((transaction) =>
    insertSettingUnlessThere(transaction, 'secret_check', seal.seal(CHECK_TEXT)),
  );
  // Another instance may have stored its check value first, under another secret.
  seal.open((await selectSetting(database.read, 'secret_check')) ?? '');
}
