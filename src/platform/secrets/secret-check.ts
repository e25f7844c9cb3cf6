// The check value shows whether the secret fits the database. New values are sealed like the check value: under the
// same secret, and bound to their rows if the check value is bound.

import type { Database } from '../database/database.ts';
import {
  holdSetting,
  insertSettingUnlessThere,
  selectSetting,
  upsertSetting,
} from '../database/installation-queries.ts';
import { WrongConfiguration } from '../values/wrong-configuration.ts';
import { CannotOpen, canOpen, makeSeal, type Seal } from './seal.ts';
import { CHECK_PLACE } from './sealed-columns.ts';
import { isWeakSecret } from './weak-secret.ts';

const CHECK_TEXT = 'gastpass';

export class WrongSecret extends WrongConfiguration {
  constructor({ hasPrevious = false } = {}) {
    super(
      hasPrevious
        ? 'neither GASTPASS_SECRET nor GASTPASS_SECRET_PREVIOUS fits this database: set one of them to the secret that it was last used with'
        : 'the secret does not fit this database: set GASTPASS_SECRET to the one it was created with, or put the file "secret" back into the data folder',
    );
    this.name = 'WrongSecret';
  }
}

export class WeakSecret extends WrongConfiguration {
  constructor() {
    super(
      'the new GASTPASS_SECRET is a placeholder or easy to guess: set it to the output of openssl rand -hex 32',
    );
    this.name = 'WeakSecret';
  }
}

interface Secrets {
  /** The configured secret; undefined if the secret is in a file, where it is random and therefore not weak. */
  secret?: string | undefined;
  hasPrevious?: boolean;
  mayStore?: boolean;
}

/**
 * Throws WrongSecret if the database was last used with another secret. Throws WeakSecret if the current secret is weak
 * and the database does not use it yet. Stores a check value if the database has none and `mayStore` is true.
 */
export async function checkSecret(
  database: Database,
  seal: Seal,
  { secret, mayStore = true, ...secrets }: Secrets = {},
): Promise<void> {
  try {
    const known = await selectSetting(database.read, 'secret_check');
    if (known === undefined && !mayStore)
      throw new WrongConfiguration(
        'no service has used this database yet: run gastpass serve or gastpass migrate first',
      );
    if (known === undefined) refuseWeak(secret);
    // Another instance may have stored a check value under another secret in between, so inspect the stored one.
    const { isCurrent } = seal.inspect(known ?? (await storeCheck(database, seal)), CHECK_PLACE);
    if (!isCurrent) refuseWeak(secret);
  } catch (error) {
    throw error instanceof CannotOpen ? new WrongSecret(secrets) : error;
  }
}

function refuseWeak(newSecret: string | undefined): void {
  if (newSecret !== undefined && isWeakSecret(newSecret)) throw new WeakSecret();
}

function storeCheck(database: Database, seal: Seal): Promise<string> {
  return database.write(async (transaction) => {
    const check = await seal.seal(transaction, CHECK_TEXT, CHECK_PLACE);
    await insertSettingUnlessThere(transaction, 'secret_check', check);
    return (await selectSetting(transaction, 'secret_check')) ?? check;
  });
}

export function fitsCheck(secret: string, check: string): boolean {
  return canOpen(makeSeal(secret), check, CHECK_PLACE);
}

/**
 * Makes `seal` bind all new values to their rows from now on. Releases before 0.2 cannot open bound values, so call
 * this only if no instance of such a release can be running.
 */
export async function bindNewValues(database: Database, seal: Seal): Promise<void> {
  await database.write(async (transaction) => {
    const check = await holdSetting(transaction, 'secret_check');
    if (check === undefined) return;
    const { isCurrent, isBound } = seal.inspect(check, CHECK_PLACE);
    if (isCurrent && !isBound)
      await upsertSetting(transaction, 'secret_check', seal.renew(check, CHECK_PLACE));
  });
}
