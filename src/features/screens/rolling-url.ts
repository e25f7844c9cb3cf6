// The addresses of rolling codes, for commands.

import { ROLLING_PATH } from './screen.ts';

export const ROLLING_FORMATS = ['json', 'svg', 'png', 'txt'] as const;

/** `origin`: scheme and host of the service. */
export function toRollingUrl(
  origin: string,
  token: string,
  format: (typeof ROLLING_FORMATS)[number] = 'json',
): string {
  return `${origin}${ROLLING_PATH}/${token}.${format}`;
}
