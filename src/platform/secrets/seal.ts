// Seals secrets at rest. A sealed value is bound to its table, column and row, so that a copy of it in another place
// cannot be opened. New values are sealed under the same secret and in the same format as the database's check value.

import type { Handle } from '../database/database.ts';
import { holdSetting } from '../database/installation-queries.ts';
import { decrypt, deriveKey, digest, encrypt, isBound } from './seal-cipher.ts';
import { CHECK_PLACE, type Place, type SealedPlace } from './sealed-columns.ts';
import type { TextSeal } from './text-seal.ts';

/** The place of texts that a browser keeps. It differs from every place in the database. */
const BROWSER = '["browser"]';
/** How many secrets are kept. An earlier secret is needed only by requests that read a value just before a rekey. */
const MAX_KEYS = 3;

export interface Seal {
  /** Locks the check value. Call it before changing an existing row, as `rekey` does: another order could deadlock. */
  seal(transaction: Handle, plain: string, place: SealedPlace): Promise<string>;
  /** Throws CannotOpen. */
  open(sealed: string, place: Place): string;
  text: TextSeal;
  /**
   * A keyed hash, to recognise a text that is not stored. After a rekey, the same text has another hash, so use it only
   * for what is forgotten soon.
   */
  digest(text: string): string;
  /** Whether a value is sealed under the current secret, and whether it is bound to its place. Throws CannotOpen. */
  inspect(sealed: string, place: Place): { isCurrent: boolean; isBound: boolean };
  /** Seals a value anew, under the current secret and bound to its place. Throws CannotOpen. */
  renew(sealed: string, place: Place): string;
}

export class CannotOpen extends Error {
  constructor({ table, column, row }: Place) {
    super(
      `${table} row ${row}: ${column} cannot be opened. It was copied from another place, changed, or sealed with a secret that is not configured here`,
    );
    this.name = 'CannotOpen';
  }
}

/** Null if the value cannot be opened, or if there is none. */
export function openOrNull(seal: Seal, sealed: string | null, place: SealedPlace): string | null {
  try {
    return sealed === null ? null : seal.open(sealed, place);
  } catch (error) {
    if (error instanceof CannotOpen) return null;
    throw error;
  }
}

interface Options {
  /** The secret before the current one, while a rekey is under way. */
  previous?: string | undefined;
  /** Returns the secrets that are stored now, the newest first. Called if a value cannot be opened. */
  readAgain?: () => string[];
}

export function makeSeal(current: string, { previous, readAgain = () => [] }: Options = {}): Seal {
  let currentKey = deriveKey(current);
  let keys = previous === undefined ? [currentKey] : [currentKey, deriveKey(previous)];
  // Texts for browsers are sealed under the previous secret until a value under the current secret has been opened.
  // Before that, the rekey is not done, and other instances may know only the previous secret.
  let textKey = keys.at(-1) ?? currentKey;
  let areTextsBound = false;

  function find(sealed: string, place: string) {
    for (const key of keys) {
      const plain = decrypt(key, sealed, place);
      if (plain !== undefined) return { plain, key, isBound: isBound(sealed) };
    }
    return undefined;
  }

  function openValue(sealed: string, place: Place) {
    const name = toText(place);
    const found = find(sealed, name) ?? (learnSecrets() ? find(sealed, name) : undefined);
    if (!found) throw new CannotOpen(place);
    if (found.key === currentKey) textKey = currentKey;
    if (found.isBound) areTextsBound = true;
    return found;
  }

  /** Reads the stored secrets again. Returns false if none of them is new. */
  function learnSecrets(): boolean {
    const unknown = readAgain().filter((secret) => keys.every((key) => key.secret !== secret));
    keys = [...unknown.map(deriveKey), ...keys].slice(0, MAX_KEYS);
    currentKey = keys[0] ?? currentKey;
    return unknown.length > 0;
  }

  return {
    async seal(transaction, plain, place) {
      // The lock on the check value keeps a concurrent rekey from overlooking this value.
      const check = await holdSetting(transaction, 'secret_check');
      const manner = check === undefined ? { key: currentKey, isBound: true } : openValue(check, CHECK_PLACE);
      return encrypt(manner.key, plain, manner.isBound ? toText(place) : undefined);
    },
    open: (sealed, place) => openValue(sealed, place).plain,
    text: {
      seal: (plain) => encrypt(textKey, plain, areTextsBound ? BROWSER : undefined),
      open: (sealed) => find(sealed, BROWSER)?.plain,
    },
    digest: (text) => digest(textKey, text),
    inspect(sealed, place) {
      const { key, isBound } = openValue(sealed, place);
      return { isCurrent: key === currentKey, isBound };
    },
    renew(sealed, place) {
      const { plain } = openValue(sealed, place);
      return encrypt(currentKey, plain, toText(place));
    },
  };
}

export function canOpen(seal: Seal, sealed: string, place: Place): boolean {
  try {
    seal.open(sealed, place);
    return true;
  } catch (error) {
    if (error instanceof CannotOpen) return false;
    throw error;
  }
}

function toText({ table, column, row }: Place): string {
  return JSON.stringify([table, column, String(row)]);
}
