// The check value shows whether the secret fits the database. New values are sealed like the check value: under the
// same secret, and bound to their rows if the check value is bound.

import { WrongConfiguration } from '../domain/wrong-configuration.ts';
import type { Database } from './database.ts';
import { CannotOpen, makeSeal, type Seal } from './seal.ts';
import { CHECK_PLACE } from './sealed-columns.ts';
import {
  holdSetting,
  insertSettingUnlessThere,
  selectSetting,
  upsertSetting,
} from './settings/installation-queries.ts';

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

/** Throws WrongSecret if the database was last used with another secret. */
export async function checkSecret(
  database: Database,
  seal: Seal,
  secrets: { hasPrevious?: boolean } = {},
): Promise<void> {
  const known = await selectSetting(database.read, 'secret_check');
  if (known !== undefined) return openCheck(seal, known, secrets);
  await database.write(async (transaction) => {
    const check = await seal.seal(transaction, CHECK_TEXT, CHECK_PLACE);
    await insertSettingUnlessThere(transaction, 'secret_check', check);
  });
  // Another instance may have stored its check value first, under another secret.
  openCheck(seal, (await selectSetting(database.read, 'secret_check')) ?? '', secrets);
}

export function fitsCheck(secret: string, check: string): boolean {
  try {
    makeSeal(secret).open(check, CHECK_PLACE);
    return true;
  } catch (error) {
    if (error instanceof CannotOpen) return false;
    throw error;
  }
}

function openCheck(seal: Seal, check: string, secrets: { hasPrevious?: boolean }): void {
  try {
    seal.open(check, CHECK_PLACE);
  } catch (error) {
    throw error instanceof CannotOpen ? new WrongSecret(secrets) : error;
  }
}

/**
 * From now on, values are bound when they are written. Releases before 0.2 cannot open bound values: call it only if no
 * such instance can be running.
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
