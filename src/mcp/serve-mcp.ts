// Serves the tools over standard input and output, until the caller closes the input. Only the protocol may be written
// to standard output.

import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { GastpassClient } from '../client/index.ts';
import { makeMcpServer } from './mcp-server.ts';

export async function serveMcp(client: GastpassClient, version: string): Promise<void> {
  const closed = Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close')]);
  const serving = serveStdio(() => makeMcpServer(client, version), {
    onerror: (error) => console.error(`gastpass mcp: ${error.message}`),
  });
  await closed;
  await serving.close();
}
