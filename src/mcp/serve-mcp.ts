// Serves the tools over standard input and output, until the caller closes the input. Only the protocol may be written
// to standard output.

import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { GastpassClient } from '../../packages/client/src/index.ts';
import { makeMcpServer } from './mcp-server.ts';

interface Deps {
  client: GastpassClient;
  version: string;
  onError(error: Error): void;
}

export async function serveMcp({ client, version, onError }: Deps): Promise<void> {
  const closed = Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close')]);
  const serving = serveStdio(() => makeMcpServer(client, version), {
    onerror: onError,
  });
  await closed;
  await serving.close();
}
