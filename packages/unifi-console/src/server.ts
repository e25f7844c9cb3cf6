// A simulated UniFi controller: an HTTPS server with its own certificate, both UniFi APIs on one voucher store, a
// control API, and faults on demand. Started by `gastpass simulate-controller` and by tests.

import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeConnection } from './connection.ts';
import { makeConsoleState } from './console-state.ts';
import { isControlPath, makeControlApi } from './control-api.ts';
import { type Controls, makeControls } from './controls.ts';
import { makeTally } from './counters.ts';
import { makeFaultList } from './faults/fault-list.ts';
import { htmlResponse } from './http.ts';
import { type ConsoleOptions, completeOptions, type Flavour } from './options.ts';
import { readRequest } from './read-request.ts';
import { makeRoutes } from './routes.ts';
import { makeSelfSigned } from './self-signed.ts';

/** Longer than the keep-alive time of clients: a client must not send a request on a connection that is closing. */
const KEEP_ALIVE_MS = 75_000;

export interface SimulatedConsole {
  url: string;
  flavour: Flavour;
  fingerprint256: string;
  certificatePem: string;
  username: string;
  password: string;
  apiKey: string;
  controls: Controls;
  /** Closes all connections at once, including connections with hanging responses. */
  stop(): Promise<void>;
}

export async function startSimulatedConsole(options: ConsoleOptions = {}): Promise<SimulatedConsole> {
  const state = makeConsoleState(completeOptions(options));
  const { flavour, username, password, apiKey, switches, host } = state;
  const findRoute = makeRoutes(state);
  const faults = makeFaultList();
  const tally = makeTally(state);
  const controls = makeControls({ state, faults, tally });
  const sites = state.allSites.map(({ name, desc, id, uuid }) => ({ name, desc, id, uuid }));
  const respondToControl = makeControlApi(controls, { flavour, version: state.version(), sites });

  // Clients check certificates against real time, independent of the controller's clock.
  const { certificatePem, privateKeyPem, fingerprint256 } = makeSelfSigned(Date.now());
  const bareSockets = new Map<string, Socket>();
  const stopping = new AbortController();
  const server = createServer(
    { key: privateKeyPem, cert: certificatePem, keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0 },
    (message, response) => {
      serve(message, response).catch((error) => {
        // When the controller stops, all waits fail, which is ignored. Any other error is sent to the caller.
        if (!stopping.signal.aborted)
          makeConnection(message, response, undefined).send(respondToBroken(error));
      });
    },
  );
  server.on('connection', (socket: Socket) => {
    const caller = callerOf(socket);
    bareSockets.set(caller, socket);
    tally.connectionOpened();
    socket.once('close', () => {
      if (bareSockets.get(caller) === socket) bareSockets.delete(caller);
      tally.connectionClosed();
    });
  });

  async function wait(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: stopping.signal });
  }

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const connection = makeConnection(message, response, bareSockets.get(callerOf(message.socket)));
    const request = await readRequest(message);
    if (!request) return connection.cut();
    if (isControlPath(request.path)) return connection.send(respondToControl(request));

    const route = findRoute(request);
    tally.request(route.operation);
    const fault = faults.take(route);
    if (switches.latencyMs > 0) await wait(switches.latencyMs);
    if (!fault) return connection.send(route.respond());

    const run = route.respond;
    const rehearse = () => state.vouchers.during({ kind: 'never' }, run);
    await fault.entry.play({ request, route, state, connection, run, rehearse, wait }, fault.settings);
  }

  server.listen(state.port, host);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : state.port;

  return {
    url: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    flavour,
    fingerprint256,
    certificatePem,
    username,
    password,
    apiKey,
    controls,
    async stop() {
      stopping.abort();
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of bareSockets.values()) socket.destroy();
      await closed;
    },
  };
}

/** Returns the same text for a TLS socket and for the TCP socket below it. */
function callerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

function respondToBroken(error: unknown) {
  return htmlResponse(500, error instanceof Error ? error.message : String(error));
}
