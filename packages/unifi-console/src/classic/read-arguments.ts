// Reads the body of a classic call and the numbers in it, as leniently as a real controller: JSON with any content
// type, `json=…` forms of old clients, numbers as text.

import { type Fields, headerOf, parseFields, type SimulatedRequest } from '../http.ts';

/** Undefined if there is a body that cannot be parsed. */
export function readArguments(request: SimulatedRequest): Fields | undefined {
  const text = request.body.trim();
  if (text === '') return {};
  const type = headerOf(request, 'content-type') ?? '';
  if (type.includes('x-www-form-urlencoded') && text.startsWith('json='))
    return parseFields(new URLSearchParams(text).get('json') ?? '');
  return parseFields(text);
}

/** An integer, as a number or as text of digits; undefined for any other value. */
export function readWhole(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) ? number : undefined;
}

export function isWithin(value: number | undefined, min: number, max: number): value is number {
  return value !== undefined && value >= min && value <= max;
}
