// Reads an integer the lenient way the contract asks for. Called for query parameters and body fields.
// Undefined means absent; what absence leads to is up to the field.

/** Each text can be read in one way only, so that a hopeless one is given up in linear time. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** A number, or a string that holds a decimal number; the fraction is cut off. May be infinite. */
export function readInteger(value: unknown): number | undefined {
  if (typeof value === 'number') return Math.trunc(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return DECIMAL.test(text) ? Math.trunc(Number(text)) : undefined;
}
