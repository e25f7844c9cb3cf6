// Masks secrets in the fields of a log entry before it is serialised: fields by name, strings by content, at any depth.
// Values nested deeper than `DEEPEST` are masked completely.

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
