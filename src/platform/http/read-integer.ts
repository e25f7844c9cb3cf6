// Parses an integer as leniently as the API contract requires, for query parameters and body fields. Undefined means
// that the value counts as absent; each field defines what happens then.

/** Each string matches in at most one way, so that a string that does not match is rejected in linear time. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Accepts a number or a string with a decimal number, and drops the fraction. The result may be infinite. */
export function readInteger(value: unknown): number | undefined {
  if (typeof value === 'number') return Math.trunc(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return DECIMAL.test(text) ? Math.trunc(Number(text)) : undefined;
}
