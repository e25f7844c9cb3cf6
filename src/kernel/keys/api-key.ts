// API keys and the format of their text: `gpk_` + id + secret + checksum, all base62. The checksum lets the service
// reject a mistyped key without a database query. Of the text, only the id and the SHA-256 hash are stored.
// Keys that were moved in from Unifi-Voucher-Tool keep their text: `uvt_` + 40 hexadecimal digits.

import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { OrUnknown } from '../../platform/values/unknown-value.ts';
import { asKeyId, type KeyId, type SiteId } from '../ids.ts';

export const SCOPES = ['read', 'write'] as const;
export type Scope = (typeof SCOPES)[number];

export interface ApiKey {
  id: KeyId;
  name: string;
  /** A key with an unknown scope, or with sites that this release cannot read, authorises nothing. */
  scope: OrUnknown<Scope>;
  /** Accepted requests per minute; 0 means unlimited. */
  rateLimit: number;
  sites: KeySites;
  /** From this time on the key is refused; null means that it does not expire. */
  expiresAtMs: number | null;
}

/**
 * The sites that a key may use. An empty list means no site, so that a key whose last site is removed does not get
 * access to all sites.
 */
export type KeySites = 'all' | readonly SiteId[];

export const MAX_RATE_LIMIT = 1_000_000;
export const MAX_NOTE_LENGTH = 500;

const PREFIX = 'gpk_';
const ID_LENGTH = 8;
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BODY_LENGTH = PREFIX.length + ID_LENGTH + SECRET_LENGTH;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${ID_LENGTH + SECRET_LENGTH + CHECKSUM_LENGTH}}$`);
const MOVED_IN_SHAPE = /^uvt_[0-9a-f]{40}$/;
/** The id of a key that was moved in includes `uvt_`, so that it differs from the ids of all other keys. */
const MOVED_IN_ID_LENGTH = 12;

function randomBase62(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    text = ALPHABET[rest % ALPHABET.length] + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}

export function makeKeyText(): { id: KeyId; keyText: string } {
  const id = randomBase62(ID_LENGTH);
  const body = PREFIX + id + randomBase62(SECRET_LENGTH);
  return { id: asKeyId(id), keyText: body + checksumOf(body) };
}

/** The id for looking up the key, or undefined if the text cannot be a key of this service. */
export function keyIdOf(keyText: string): KeyId | undefined {
  if (!SHAPE.test(keyText)) return movedInIdOf(keyText);
  const body = keyText.slice(0, BODY_LENGTH);
  if (checksumOf(body) !== keyText.slice(BODY_LENGTH)) return undefined;
  return asKeyId(body.slice(PREFIX.length, PREFIX.length + ID_LENGTH));
}

function movedInIdOf(keyText: string): KeyId | undefined {
  return MOVED_IN_SHAPE.test(keyText) ? asKeyId(keyText.slice(0, MOVED_IN_ID_LENGTH)) : undefined;
}

/** `prefix`: the eight digits that Unifi-Voucher-Tool stores of a key. Undefined if it is not such a prefix. */
export function toMovedInId(prefix: string): KeyId | undefined {
  return /^[0-9a-f]{8}$/.test(prefix) ? asKeyId(`uvt_${prefix}`) : undefined;
}

export function hashKeyText(keyText: string): Buffer {
  return hash('sha256', keyText, 'buffer');
}

export function includesSite(sites: KeySites, siteId: SiteId): boolean {
  return sites === 'all' || sites.includes(siteId);
}

export function includesScope(held: OrUnknown<Scope>, needed: Scope): boolean {
  return held === needed || held === 'write';
}
