// Rules for API keys: keys that were made to last and end soon, so that clients do not stop without a warning. Keys
// that live for at most 30 days were meant to end.

import { type Finding, warning } from '../health/finding.ts';
import { expiryState } from './expiry.ts';
import type { KeySummary } from './key-records.ts';

const SHORT_LIFE_MS = 30 * 24 * 60 * 60_000;

type KeyDates = Pick<KeySummary, 'name' | 'createdAtMs' | 'expiresAtMs' | 'revokedAtMs'>;

export function judgeKeys(all: KeyDates[], nowMs: number): Finding[] {
  const ending = all
    .flatMap(({ name, createdAtMs, expiresAtMs, revokedAtMs }) =>
      expiresAtMs !== null &&
      revokedAtMs === null &&
      expiryState(expiresAtMs, nowMs) === 'soon' &&
      expiresAtMs - createdAtMs > SHORT_LIFE_MS
        ? [{ name, expiresAtMs }]
        : [],
    )
    .sort((one, other) => one.expiresAtMs - other.expiresAtMs);
  const [first] = ending;
  if (!first) return [];
  return [
    warning({ kind: 'keys-ending', keys: ending.map(({ name }) => name), firstAtMs: first.expiresAtMs }),
  ];
}
