// A receiver that rejects many notifications and lets some hang, as the seed decides. It records which notifications it
// accepted in which order, and whether the reference library accepts every signature.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { chanceOf } from '../chance-of.ts';

const REFUSED_SHARE = 0.3;
const HANGING_SHARE = 0.05;
/**
 * Failures per notification: each failure lengthens the pause, and a tenth failed attempt would rightly end the
 * delivery.
 */
const MAX_FAILURES = 3;

export interface Book {
  arrivals: number;
  refused: number;
  hung: number;
  /**
   * Notifications that had already been accepted: the sender was killed or timed out before it could record the
   * acceptance.
   */
  repeats: number;
  /** Ids in the order in which they were accepted for the first time. */
  accepted: string[];
  faults: string[];
}

export interface FlakyReceiver {
  url: string;
  book: Book;
  /** Sets the secret that verifies the deliveries. */
  useSecret(secret: string): void;
  /** Runs `act` once `count` notifications are accepted, before the last of them gets its response. */
  beforeResponse(count: number, act: () => void): void;
  stop(): void;
}

export async function startFlakyReceiver(seed: number): Promise<FlakyReceiver> {
  const book: Book = { arrivals: 0, refused: 0, hung: 0, repeats: 0, accepted: [], faults: [] };
  const known = new Set<string>();
  const trouble = new Map<string, number>();
  let library: Webhook | undefined;
  let watch: { count: number; act: () => void } | undefined;

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The sender may be killed while it sends the body.
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    book.arrivals++;
    const id = String(request.headers['webhook-id']);
    verify(id, request.headers, body);
    const before = trouble.get(id) ?? 0;
    // Do not fail an accepted notification: its repeats already result from other failures.
    const isFailure = before < MAX_FAILURES && !known.has(id);
    const chance = isFailure ? chanceOf(`${seed} ${id} ${before}`) : 1;
    trouble.set(id, before + 1);
    if (chance < HANGING_SHARE) book.hung++;
    else if (chance < HANGING_SHARE + REFUSED_SHARE) refuse(chance, response);
    else accept(id, response);
  }

  function verify(id: string, headers: IncomingMessage['headers'], body: string): void {
    const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    try {
      library?.verify(body, named);
    } catch (error) {
      book.faults.push(`${id}: ${error}`);
    }
    // The content must belong to the event id in the header.
    if (JSON.parse(body).data.site !== siteNameOf(id)) book.faults.push(`${id} tells of another event`);
  }

  function refuse(chance: number, response: ServerResponse): void {
    book.refused++;
    const how = Math.floor(chance * 1_000) % 4;
    if (how === 0) response.destroy();
    else response.writeHead([500, 503, 302][how - 1] ?? 500, { location: '/elsewhere' }).end('not now');
  }

  function accept(id: string, response: ServerResponse): void {
    if (known.has(id)) book.repeats++;
    else book.accepted.push(id);
    known.add(id);
    if (watch && book.accepted.length >= watch.count) {
      watch.act();
      watch = undefined;
    }
    response.writeHead(204).end();
  }

  const server = createServer((request, response) => void receive(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('the receiver has no port');
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    book,
    useSecret(secret) {
      library = new Webhook(secret);
    },
    beforeResponse(count, act) {
      watch = { count, act };
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

export const siteNameOf = (eventId: string) => `Haus ${eventId}`;
