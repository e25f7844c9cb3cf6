// Masks what is about to be logged, before it is turned into text: fields by their name, texts by what is
// in them, however deep they lie.

import { stdSerializers } from 'pino';
import { isSecretName, MASK, maskSecrets } from '../domain/mask-secrets.ts';

const DEEPEST = 6;

export function maskFields(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return maskSecrets(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return MASK;
  if (value instanceof Error) return maskFields({ ...stdSerializers.err(value) }, depth);
  if (Array.isArray(value)) return value.map((item) => maskFields(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      isSecretName(name) && isRevealing(field) ? MASK : maskFields(field, depth + 1),
    ]),
  );
}

function isRevealing(value: unknown): boolean {
  return value !== null && value !== undefined && typeof value !== 'boolean';
}
