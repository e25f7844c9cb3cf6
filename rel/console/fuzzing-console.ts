// A simulated console on plain HTTP that damages its answers to one operation while `isOn`. It carries out every
// request first, so it knows which vouchers really exist.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ConsoleState, makeConsoleState } from '../../packages/unifi-console/src/console-state.ts';
import type { Operation } from '../../packages/unifi-console/src/http.ts';
import { type ConsoleOptions, completeOptions } from '../../packages/unifi-console/src/options.ts';
import { readRequest } from '../../packages/unifi-console/src/read-request.ts';
import { makeRoutes } from '../../packages/unifi-console/src/routes.ts';
import type { World } from '../sim/world.ts';
import { mutateResponse } from './mutate.ts';

export interface FuzzingConsole {
  url: string;
  simulated: ConsoleState;
  /** Whether answers to the operation are damaged. */
  isOn: boolean;
  mutated: number;
  /** The last damaged answer: how it was damaged, and its status. */
  last: { story: string; status: number } | undefined;
  stop(): Promise<void>;
}

export async function startFuzzingConsole(
  operation: Operation,
  random: World,
  options: ConsoleOptions,
): Promise<FuzzingConsole> {
  const simulated = makeConsoleState(completeOptions({ ...options, loginsPerMinute: null }));
  const findRoute = makeRoutes(simulated);
  const server = createServer(async (message, response) => {
    const request = await readRequest(message);
    if (!request) return;
    const route = findRoute(request);
    const right = route.respond();
    if (!state.isOn || route.operation !== operation) {
      response.writeHead(right.status, right.headers);
      return void response.end(right.body);
    }
    const { pieces, ...last } = mutateResponse(right, random);
    state.mutated++;
    state.last = last;
    for (const piece of pieces) {
      message.socket.write(piece);
      if (pieces.length > 1) await nextTurn();
    }
    message.socket.end();
  });
  server.on('connection', (socket) => socket.on('error', () => {}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const state: FuzzingConsole = {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    simulated,
    isOn: false,
    mutated: 0,
    last: undefined,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return state;
}
