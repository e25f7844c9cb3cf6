// The URLs that commands print: the address of the service, and the addresses of its rolling codes.

import { ROLLING_PATH } from '../../features/screens/screen.ts';
import type { Config } from '../config/config.ts';

export async function originOf(
  { readPublicUrl }: { readPublicUrl(): Promise<{ url: string } | undefined> },
  { host, port }: Pick<Config, 'host' | 'port'>,
): Promise<string> {
  const shown = host.includes(':') ? `[${host}]` : host;
  return (await readPublicUrl())?.url ?? `http://${shown}:${port}`;
}

export const ROLLING_FORMATS = ['json', 'svg', 'png', 'txt'] as const;

/** `origin`: scheme and host of the service. */
export function toRollingUrl(
  origin: string,
  token: string,
  format: (typeof ROLLING_FORMATS)[number] = 'json',
): string {
  return `${origin}${ROLLING_PATH}/${token}.${format}`;
}
