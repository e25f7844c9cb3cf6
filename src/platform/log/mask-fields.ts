// Masks secrets in the fields of a log entry before it is serialised: fields by name, strings by content, at any depth.
// Limits what one entry holds, because a field may come from outside: long texts are cut, long lists end early, and
// values nested deeper than `DEEPEST` are masked completely.

import { stdSerializers } from 'pino';
import { isSecretName, MASK, MAX_TEXT_LENGTH, maskSecrets } from '../secrets/mask-secrets.ts';

const DEEPEST = 6;
/** The maximum number of elements in a list, or of fields in an object. */
const MAX_ITEMS = 100;
const MAX_FIELD_NAME_LENGTH = 100;
/** The maximum length of all texts and names in one entry together. A value without a text counts as one character. */
const MAX_ENTRY_LENGTH = 4 * MAX_TEXT_LENGTH;
const CUT = '…';

export function maskFields(fields: unknown): unknown {
  let left = MAX_ENTRY_LENGTH;
  return mask(fields, 0);

  function mask(value: unknown, depth: number): unknown {
    if (left <= 0) return CUT;
    if (typeof value === 'string') return maskText(value);
    left--;
    if (typeof value !== 'object' || value === null) return value;
    if (depth > DEEPEST) return MASK;
    if (value instanceof Error) return mask({ ...stdSerializers.err(value) }, depth);
    if (Array.isArray(value)) {
      const items = value.slice(0, MAX_ITEMS).map((item) => mask(item, depth + 1));
      return value.length > MAX_ITEMS ? [...items, CUT] : items;
    }
    const names = Object.entries(value);
    const masked = names.slice(0, MAX_ITEMS).map(([name, field]) => maskField(name, field, depth + 1));
    return Object.fromEntries(names.length > MAX_ITEMS ? [...masked, [CUT, CUT]] : masked);
  }

  function maskField(name: string, field: unknown, depth: number): [string, unknown] {
    const shown = name.slice(0, MAX_FIELD_NAME_LENGTH);
    left -= shown.length;
    const isSecret = name.length > MAX_FIELD_NAME_LENGTH || isSecretName(name);
    return [maskSecrets(shown), isSecret && isRevealing(field) ? MASK : mask(field, depth)];
  }

  function maskText(text: string): string {
    const masked = maskSecrets(text);
    left -= masked.length;
    return text.length > MAX_TEXT_LENGTH ? masked + CUT : masked;
  }
}

function isRevealing(value: unknown): boolean {
  return value !== null && value !== undefined && typeof value !== 'boolean';
}
