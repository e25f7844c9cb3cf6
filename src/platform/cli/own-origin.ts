// The address of the service, for the URLs that commands print.

import type { Config } from '../config/config.ts';

export async function originOf(
  { readPublicUrl }: { readPublicUrl(): Promise<{ url: string } | undefined> },
  { host, port }: Pick<Config, 'host' | 'port'>,
): Promise<string> {
  const shown = host.includes(':') ? `[${host}]` : host;
  return (await readPublicUrl())?.url ?? `http://${shown}:${port}`;
}
