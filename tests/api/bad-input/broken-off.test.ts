// Clients that disconnect or stop sending in the middle of a request, and clients that send several requests at once.
// An incomplete order creates nothing, and the service does not count the client's fault as a server error.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';
import { readToEnd, statusesIn } from '../support/bad-input-read-to-end.ts';
import { leaving, tracesOf } from '../support/post-vouchers-traces.ts';

const ORDER = '{"site_id":1,"name":"x"}';

let service: TestService;
before(async () => {
  service = await startTestService({ webhook: true });
});
after(() => service.stop());

const head = (...lines: string[]) =>
  [
    'POST /api/vouchers.php HTTP/1.1',
    'Host: localhost',
    `X-API-Key: ${service.keyText}`,
    ...lines,
    '',
    '',
  ].join('\r\n');

async function begin(bytes: string): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  await new Promise((resolve) => socket.write(bytes, resolve));
  // The response to a later request on another connection shows that the service has received these bytes.
  await service.call('GET', 'sites.php');
  return socket;
}

const halves: [says: string, bytes: () => string][] = [
  ['the request line', () => 'POST /api/vou'],
  ['the headers', () => head().slice(0, -2)],
  ['a body of known length', () => head('Content-Length: 1000') + ORDER],
  ['a body in chunks', () => `${head('Transfer-Encoding: chunked')}18\r\n${ORDER}\r\n`],
  ['a body before its first byte', () => head('Content-Length: 24')],
];
for (const [says, bytes] of halves) {
  test(`a connection reset during ${says} creates nothing`, async () => {
    await leaving(service, {}, async () => {
      const socket = await begin(bytes());
      socket.resetAndDestroy();
      await once(socket, 'close');
      await service.call('GET', 'sites.php');
    });
  });

  test(`a client that stops sending during ${says} gets a 400`, async () => {
    await leaving(service, {}, async () => {
      const socket = await begin(bytes());
      socket.end();
      const [response] = await once(socket, 'data');
      assert.match(String(response), /^HTTP\/1\.1 400 /);
      socket.destroy();
    });
  });
}

test('a complete order is fulfilled once, even if the client disconnects before the response', async () => {
  const two = { vouchers: 2, upstream: 2, notifications: 2, auditEntries: 2 };
  const had = tracesOf(service).vouchers;
  await leaving(service, two, async () => {
    const socket = await begin(head(`Content-Length: ${ORDER.length}`) + ORDER);
    socket.resetAndDestroy();
    await once(socket, 'close');
    await service.call('POST', 'vouchers.php', { body: ORDER });
    await until(() => tracesOf(service).vouchers === had + 2);
  });
});

test('pipelined requests get their responses in the order of the requests', async () => {
  const bytes = [
    head(`Content-Length: ${ORDER.length}`) + ORDER,
    `${head('Content-Length: 2')}{}`,
    head(`Content-Length: ${ORDER.length}`, 'Connection: close') + ORDER,
  ].join('');
  const two = { vouchers: 2, upstream: 2, notifications: 2, auditEntries: 2 };
  const responses = await leaving(service, two, () => readToEnd(service.url, bytes));
  assert.deepEqual(statusesIn(responses), [201, 400, 201]);
});

test('none of these requests is counted or logged as a server error', async () => {
  assert.deepEqual(
    service.logLines.filter(({ level, status }) => level === 'error' || Number(status) >= 500),
    [],
  );
  assert.doesNotMatch((await service.call('GET', '/metrics')).text, /status="5/);
});
