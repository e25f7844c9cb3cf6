// The identifiers a UniFi controller hands out: 24 hex digits in the classic API, UUIDs in the official
// one. Sites get theirs from their short name, so that a restart does not change them.

import { createHash, randomBytes, randomInt } from 'node:crypto';

const CODE_DIGITS = 10;
const COUNTER_END = 0x1000000;

/** Four bytes of time, five of the process, three that count, as MongoDB does it. */
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

/** In the form of a UUID made from a name. */
export function uuidFromName(text: string): string {
  const digest = digestOf(text);
  const parts = [digest.slice(0, 8), digest.slice(8, 12), `3${digest.slice(13, 16)}`];
  return [...parts, `8${digest.slice(17, 20)}`, digest.slice(20, 32)].join('-');
}

/** Ten digits, of which the first may well be a zero. */
export function randomCode(): string {
  return String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0').slice(-digits);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
