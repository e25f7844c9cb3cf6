// One-time codes from an app, after RFC 6238 with what every app knows: SHA-1, six digits, steps of thirty
// seconds. A clock may be a step off in either direction, and a step is good once.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const STEP_MS = 30_000;
const DIGITS = 6;
const SECRET_BYTES = 20;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** In base32, as apps take it. */
export function makeTotpSecret(): string {
  return toBase32(randomBytes(SECRET_BYTES));
}

export function stepAt(nowMs: number): number {
  return Math.floor(nowMs / STEP_MS);
}

export function codeOfStep(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const number = hash.readUInt32BE((hash.at(-1) ?? 0) & 0xf) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The step that a code belongs to, unless it or a later one was used already. */
export function findStep(
  secret: string,
  code: string,
  { nowMs, lastStep }: { nowMs: number; lastStep: number },
): number | undefined {
  const given = Buffer.from(code);
  if (given.length !== DIGITS) return undefined;
  const now = stepAt(nowMs);
  // All of them, so that the time it takes tells nothing.
  const fitting = [now - 1, now, now + 1].filter((step) =>
    timingSafeEqual(Buffer.from(codeOfStep(secret, step)), given),
  );
  return fitting.find((step) => step > lastStep);
}

/** What the QR code says: under which names the app lists the codes, and how it makes them. */
export function toOtpauth(secret: string, { title, account }: { title: string; account: string }): string {
  // A colon stands between the two.
  const issuer = title.replaceAll(':', ' ');
  const label = [issuer, account].map(encodeURIComponent).join(':');
  const facts = { secret, issuer, algorithm: 'SHA1', digits: DIGITS, period: STEP_MS / 1000 };
  const query = Object.entries(facts).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `otpauth://totp/${label}?${query.join('&')}`;
}

function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('');
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
