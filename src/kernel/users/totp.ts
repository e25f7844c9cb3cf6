// One-time codes from an authenticator app, as in RFC 6238 with the parameters that every app supports: SHA-1, six
// digits, steps of 30 seconds. A clock may be off by one step in either direction, and each step is valid once.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const STEP_MS = 30_000;
const DIGITS = 6;
const SECRET_BYTES = 20;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** In base32, the format that apps expect. */
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

/** The step that a code belongs to, unless this step or a later one was already used. */
export function findStep(
  secret: string,
  code: string,
  { nowMs, lastStep }: { nowMs: number; lastStep: number },
): number | undefined {
  const given = Buffer.from(code);
  if (given.length !== DIGITS) return undefined;
  const now = stepAt(nowMs);
  // Compare all three steps, so that the duration reveals nothing.
  const fitting = [now - 1, now, now + 1].filter((step) =>
    timingSafeEqual(Buffer.from(codeOfStep(secret, step)), given),
  );
  return fitting.find((step) => step > lastStep);
}

/** The content of the QR code: the names under which the app lists the codes, and how the app generates them. */
export function toOtpauth(secret: string, { title, account }: { title: string; account: string }): string {
  // Remove colons from the title, because a colon separates the issuer from the account.
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
