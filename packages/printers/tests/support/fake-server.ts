// A server that polling printers talk to: it records the requests, and the test says what it answers.

import { once } from 'node:events';
import { createServer } from 'node:http';

export interface Asked {
  method: string;
  /** Path and parameters as sent. */
  url: string;
  contentType: string | undefined;
  body: string;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export interface FakeServer {
  url: string;
  asked: Asked[];
  /** Set by the test. */
  reply: (asked: Asked) => Reply;
  stop(): Promise<void>;
}

export async function startFakeServer(): Promise<FakeServer> {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString('utf8');
    const { method = '', url = '', headers } = request;
    const asked = { method, url, contentType: headers['content-type'], body };
    fake.asked.push(asked);
    const { status = 200, headers: answered = {}, body: content = '' } = fake.reply(asked);
    response.writeHead(status, answered).end(content);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const fake: FakeServer = {
    url: `http://127.0.0.1:${port}/print`,
    asked: [],
    reply: () => ({}),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}
