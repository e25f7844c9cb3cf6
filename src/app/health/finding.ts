// A finding about an installation: what was examined, its state, and for a warning or a fault what to do.

export interface Finding {
  state: 'ok' | 'warning' | 'fault';
  about: string;
  text: string;
}

export const ok = (about: string, text: string): Finding => ({ state: 'ok', about, text });
export const warning = (about: string, text: string): Finding => ({ state: 'warning', about, text });
export const fault = (about: string, text: string): Finding => ({ state: 'fault', about, text });

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

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
