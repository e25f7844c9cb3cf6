// Readers for single values in controller responses. Each returns a value of the right type and of a plausible length,
// or undefined.

import { toStorable } from '../../../platform/text/storable-text.ts';
import type { CodeFormat } from '../controller-kind.ts';

/** In UTF-16 units. No name that this service creates is that long. */
const MAX_TEXT_LENGTH = 1_000;
const MAX_VERSION_LENGTH = 100;
const MAX_ID_LENGTH = 64;

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
  return typeof value === 'string' && value.length <= MAX_TEXT_LENGTH ? toStorable(value) : undefined;
}

export function readVersion(value: unknown): string | undefined {
  const version = readText(value);
  return version !== undefined && version.length <= MAX_VERSION_LENGTH ? version : undefined;
}

/** Controllers use UUIDs or 24 hexadecimal digits. Any printable ASCII characters except spaces are accepted. */
export function readId(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= MAX_ID_LENGTH && /^[\x21-\x7e]+$/.test(value)
    ? value
    : undefined;
}

/** Accepts a message of any length. It is shortened later, when secrets are masked. */
export function readMessage(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A non-negative integer; some controller versions send it as text. */
export function readCount(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

export function readTimeMs(value: unknown): number | undefined {
  return toTimeMs(Date.parse(readText(value) ?? ''));
}

/** Converts Unix seconds to milliseconds. */
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

const MAX_CODE_LENGTH = 40;

/** A code is a text and may begin with zeros. A code sent as a number has lost them, so they are restored. */
export function toCode(value: unknown, { pattern, length }: CodeFormat): string | null {
  const isNumber = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
  const text = isNumber ? String(value).padStart(length, '0') : (readText(value) ?? '');
  const code = text.length <= MAX_CODE_LENGTH ? text.replaceAll('-', '') : '';
  return pattern.test(code) ? code : null;
}
