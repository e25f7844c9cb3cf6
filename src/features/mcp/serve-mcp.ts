// Serves the tools over standard input and output, until the caller closes the input. Only the protocol may be written
// to standard output.

import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { GastpassClient } from '../../../packages/client/src/index.ts';
import { makeMcpServer } from './mcp-server.ts';

/** The caller waits for its first answer meanwhile. */
const KEY_PATIENCE_MS = 5_000;

interface Deps {
  client: GastpassClient;
  version: string;
  onError(error: Error): void;
}

export async function serveMcp({ client, version, onError }: Deps): Promise<void> {
  const closed = Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close')]);
  const canWrite = await findCanWrite(client, onError);
  const serving = serveStdio(() => makeMcpServer(client, { version, canWrite }), {
    onerror: onError,
  });
  await closed;
  await serving.close();
}

/** If the service does not tell, all tools are offered: it may answer later, and checks every call itself. */
export async function findCanWrite(
  client: Pick<GastpassClient, 'getKey'>,
  onError: Deps['onError'],
): Promise<boolean> {
  try {
    return (await client.getKey({ signal: AbortSignal.timeout(KEY_PATIENCE_MS) })).scope === 'write';
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    onError(new Error(`the rights of the API key are not known, so all tools are offered: ${why}`));
    return true;
  }
}
