// Small readers for what controllers send: a value of the right kind, or undefined.

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

export function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A whole number that is not negative; some versions send it as text. */
export function readCount(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

export function readTimeMs(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

const CODE_DIGITS = 10;

/** Codes are digits, and text: a leading zero belongs to them. A number has lost its own. */
export function toCode(value: unknown): string | null {
  if (typeof value === 'number' && Number.isSafeInteger(value))
    return String(value).padStart(CODE_DIGITS, '0');
  const digits = typeof value === 'string' ? value.replaceAll('-', '') : '';
  return /^\d+$/.test(digits) ? digits : null;
}
