// A real HTTP server that records requests and responds as a test tells it. Also the helpers of notification tests:
// adding a webhook, creating vouchers, and waiting for a condition.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { NewWebhook } from '../../../src/features/webhooks/webhook.ts';
import type { WebhookId } from '../../../src/kernel/ids.ts';
import type { Installation } from '../../../src/kernel/installation.ts';
import { TESTER } from '../../support/actors.ts';
import type { TestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';

export interface Arrival {
  path: string;
  headers: IncomingHttpHeaders;
  /** The same for every delivery attempt. */
  eventId: string;
  text: string;
  /** The parsed JSON; each test checks what it expects. */
  body: ReturnType<typeof JSON.parse>;
}

export interface CallResponse {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

/** Returns the response; 'never' means that no response is sent. */
type Behaviour = (
  arrival: Arrival,
  number: number,
) => CallResponse | 'never' | Promise<CallResponse | 'never'>;

export interface RecordingReceiver {
  /** Contains a secret path. */
  url: string;
  arrivals: Arrival[];
  /** The event ids of all requests, including those that were not accepted. */
  ids(): string[];
  /** The event ids of the requests with a 2xx response, in order of arrival. */
  accepted: string[];
  behave(behaviour: Behaviour): void;
  stop(): Promise<void>;
}

export const SECRET_PATH = 'T0GEHEIM/B0GEHEIM';

export async function startReceiver(): Promise<RecordingReceiver> {
  const arrivals: Arrival[] = [];
  const accepted: string[] = [];
  let behaviour: Behaviour = () => ({});

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const arrival = await read(request);
    arrivals.push(arrival);
    const behaved = await behaviour(arrival, arrivals.length);
    if (behaved === 'never') return;
    const { status = 200, headers = {}, body = '' } = behaved;
    if (status < 300) accepted.push(arrival.eventId);
    response.writeHead(status, headers).end(body);
  }

  const server = createServer((request, response) => {
    // A request that is cut off is not recorded.
    receive(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  return {
    url: `http://127.0.0.1:${address.port}/${SECRET_PATH}`,
    arrivals,
    ids: () => arrivals.map(({ eventId }) => eventId),
    accepted,
    behave(next) {
      behaviour = next;
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}

async function read(request: IncomingMessage): Promise<Arrival> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return {
    path: request.url ?? '',
    headers: request.headers,
    eventId: String(request.headers['webhook-id'] ?? ''),
    text,
    body: text.startsWith('{') ? JSON.parse(text) : undefined,
  };
}

export function addWebhookTo(
  { webhooks }: Pick<Installation, 'webhooks'>,
  url: string,
  fields: Partial<NewWebhook> = {},
): Promise<WebhookId> {
  const secrets = { current: `whsec_${Buffer.from('the secret of the tests').toString('base64')}` };
  const webhook = { url, format: 'generic', platform: null, secrets, ...fields } as const;
  return webhooks.add(webhook, { actor: TESTER, atMs: Date.now() });
}

/** Creates vouchers one after the other; returns the event ids of their notifications, in this order. */
export async function makeVouchers(service: TestService, count: number): Promise<string[]> {
  const before = eventsOf(service).length;
  for (let made = 0; made < count; made++)
    await service.client.createVoucher({ site: 1, name: `Zimmer ${made}` });
  await until(() => eventsOf(service).length === before + count);
  return eventsOf(service).slice(before);
}

/** The event ids of all notifications that have deliveries, oldest first. */
function eventsOf({ rows }: TestService): string[] {
  return [
    ...new Set(
      rows("select event_id from messages where kind <> 'webhook.test' order by id").map((row) =>
        String(row.event_id),
      ),
    ),
  ];
}
