// Makes findings, and puts times, durations and errors into their English texts.

import type { Finding, FindingState, HealthFact } from '../../domain/health/finding.ts';

export type { Finding } from '../../domain/health/finding.ts';

const makeFinding =
  (state: FindingState) =>
  (about: string, text: string, fact?: HealthFact): Finding => ({
    state,
    about,
    text,
    ...(fact && { fact }),
  });

export const ok = makeFinding('ok');
export const warning = makeFinding('warning');
export const fault = makeFinding('fault');

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** For readers who need the order of magnitude only: 90 min, 30 h, 400 days. */
export function sayDuration(ms: number): string {
  if (ms < 2 * HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  return ms < 2 * DAY_MS ? `${Math.round(ms / HOUR_MS)} h` : `${Math.round(ms / DAY_MS)} days`;
}

export function sayTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

export function sayNames(names: string[], maxNamed: number): string {
  const rest = names.length - maxNamed;
  return names.slice(0, maxNamed).join(', ') + (rest > 0 ? ` and ${rest.toLocaleString('en')} more` : '');
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
