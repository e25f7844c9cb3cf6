// A simulated console on plain HTTP, so that a trace of the service shows what it sends. The console notes when each
// order of a voucher arrived.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { makeConsoleState } from '../packages/unifi-console/src/console-state.ts';
import { completeOptions } from '../packages/unifi-console/src/options.ts';
import { readRequest } from '../packages/unifi-console/src/read-request.ts';
import { makeRoutes } from '../packages/unifi-console/src/routes.ts';

/** Something that happened to the voucher with this name. The time is CLOCK_MONOTONIC in nanoseconds. */
export interface Noted {
  name: string;
  atNs: number;
}

export interface PlainConsole {
  url: string;
  apiKey: string;
  arrivals: Noted[];
  stop(): void;
}

export async function startPlainConsole(): Promise<PlainConsole> {
  const state = makeConsoleState(completeOptions({}));
  const findRoute = makeRoutes(state);
  const arrivals: Noted[] = [];

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const atNs = Number(process.hrtime.bigint());
    const request = await readRequest(message);
    if (!request) return;
    const route = findRoute(request);
    if (route.operation === 'create') arrivals.push({ name: JSON.parse(request.body).name, atNs });
    const { status, headers, body } = route.respond();
    response.writeHead(status, headers).end(body);
  }

  const server = createServer((message, response) => void serve(message, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('the console has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    apiKey: state.apiKey,
    arrivals,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
