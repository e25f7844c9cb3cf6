// Turns the sealed values of an installation into those of a release before 0.2, which were not bound to their rows.

import type { Config } from '../../src/platform/config/config.ts';
import { selectSetting } from '../../src/platform/database/installation-queries.ts';
import { openStorage } from '../../src/platform/database/open-storage.ts';
import { deriveKey, encrypt } from '../../src/platform/secrets/seal-cipher.ts';
import {
  CHECK_PLACE,
  selectSealedValues,
  updateSealedValue,
} from '../../src/platform/secrets/sealed-columns.ts';
import { tables } from './tables.ts';

export async function makeOlder(config: Config): Promise<void> {
  const { database, seal } = await openStorage(config);
  const check = (await selectSetting(database.read, 'secret_check')) ?? '';
  const values = [
    { place: CHECK_PLACE, sealed: check, key: 'name' },
    ...(await selectSealedValues(database.read, tables)),
  ];
  const key = deriveKey(config.secret ?? '');
  await database.write(async (transaction) => {
    for (const value of values)
      await updateSealedValue(transaction, value, encrypt(key, seal.open(value.sealed, value.place)));
  });
  await database.close();
}
