// The identifiers of a UniFi controller: 24 hex digits in the classic API, UUIDs in the official API. The ids of a site
// are derived from its short name, so that a restart does not change them.

import { createHash, randomBytes, randomInt } from 'node:crypto';

const CODE_DIGITS = 10;
const COUNTER_END = 0x1000000;

/** Makes ids like those of MongoDB: four bytes of time, five random bytes of the process, three bytes of a counter. */
export function makeObjectIds(): (nowS: number) => string {
  const process = randomBytes(5).toString('hex');
  let counter = randomInt(COUNTER_END);
  return (nowS) => {
    counter = (counter + 1) % COUNTER_END;
    return hex(nowS, 8) + process + hex(counter, 6);
  };
}

export function siteObjectId(name: string): string {
  return digestOf(`site ${name}`).slice(0, 24);
}

/** Derives an id from the text, in the format of a name-based UUID (version 3). */
export function uuidFromName(text: string): string {
  const digest = digestOf(text);
  const parts = [digest.slice(0, 8), digest.slice(8, 12), `3${digest.slice(13, 16)}`];
  return [...parts, `8${digest.slice(17, 20)}`, digest.slice(20, 32)].join('-');
}

/** Ten digits; the first digit may be a zero. */
export function randomCode(): string {
  return String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0').slice(-digits);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
