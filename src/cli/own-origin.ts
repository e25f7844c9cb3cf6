// The address of the service, as commands print it in URLs.

import type { Installation } from '../app/installation.ts';
import type { Config } from '../config/config.ts';

export async function originOf(
  { readPublicUrl }: Pick<Installation, 'readPublicUrl'>,
  { host, port }: Pick<Config, 'host' | 'port'>,
): Promise<string> {
  const shown = host.includes(':') ? `[${host}]` : host;
  return (await readPublicUrl())?.url ?? `http://${shown}:${port}`;
}
