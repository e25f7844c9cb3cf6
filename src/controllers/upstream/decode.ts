// Readers for single values in controller responses. Each returns a value of the right type, or undefined.

import { isStorable, toStorable } from '../../domain/storable-text.ts';

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A text to show: a character that cannot be stored becomes �. */
export function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? toStorable(value) : undefined;
}

/** A text that identifies something. With a replaced character it could be the id of something else. */
export function readId(value: unknown): string | undefined {
  return typeof value === 'string' && isStorable(value) ? value : undefined;
}

/** A non-negative integer; some controller versions send it as text. */
export function readCount(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

export function readTimeMs(value: unknown): number | undefined {
  return toTimeMs(typeof value === 'string' ? Date.parse(value) : Number.NaN);
}

/** Unix seconds. */
export function readSecondsMs(value: unknown): number | undefined {
  return toTimeMs((readCount(value) ?? Number.NaN) * 1000);
}

/** Times and validity periods above these limits are invalid: they lead to dates that cannot be displayed. */
const LATEST_MS = Date.UTC(5000, 0, 1);
const MAX_MINUTES = 2_147_483_647;

function toTimeMs(ms: number): number | undefined {
  return ms >= 0 && ms < LATEST_MS ? ms : undefined;
}

export function readMinutes(value: unknown): number | undefined {
  const minutes = readCount(value);
  return minutes !== undefined && minutes <= MAX_MINUTES ? minutes : undefined;
}

const CODE_DIGITS = 10;

/** A code is a text of digits and may begin with zeros. A code sent as a number has lost them, so they are restored. */
export function toCode(value: unknown): string | null {
  if (typeof value === 'number' && Number.isSafeInteger(value))
    return String(value).padStart(CODE_DIGITS, '0');
  const digits = typeof value === 'string' ? value.replaceAll('-', '') : '';
  return /^\d+$/.test(digits) ? digits : null;
}
