// Tests page requests that are malformed, too large, cut off or late: each gets a clear response, and stores nothing.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePng } from '../support/pictures.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { until } from '../support/until.ts';
import { addUser, loggedIn, type WebClient } from './web-client.ts';

const BOUNDARY = '----border';

let service: TestService;
let admin: WebClient;
let token: string;
before(async () => {
  service = await startTestService();
  await addUser(service, 'admin@example.org', 'admin');
  admin = await loggedIn(service, 'admin@example.org');
  token = /name="token" value="([^"]+)"/.exec((await admin.get('/account')).text)?.[1] ?? '';
});
after(() => service.stop());

const cookie = () => [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

function send(path: string, type: string, body: string | Uint8Array<ArrayBuffer>) {
  return fetch(service.url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { accept: 'text/html', cookie: cookie(), 'content-type': type },
    body,
  });
}

function open(...lines: string[]): Socket {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  const type = 'Content-Type: application/x-www-form-urlencoded';
  socket.write([...lines, 'Host: localhost', type, '', ''].join('\r\n'));
  return socket;
}

const part = (head: string, content: string | Buffer) =>
  Buffer.concat([Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')]);
const tokenPart = () => part('Content-Disposition: form-data; name="token"', token);
const filePart = () =>
  part('Content-Disposition: form-data; name="logo"; filename="a.png"\r\nContent-Type: image/png', makePng());
const end = Buffer.from(`--${BOUNDARY}--\r\n`);

describe('an unreadable form has no token and is refused:', () => {
  const multipart = `multipart/form-data; boundary=${BOUNDARY}`;
  const forms: Record<string, [type: string, body: () => string | Uint8Array<ArrayBuffer>]> = {
    'no content type of a form': ['application/json', () => JSON.stringify({ token })],
    'multipart without a boundary': ['multipart/form-data', () => toBody(tokenPart(), filePart(), end)],
    'multipart with another boundary': [
      'multipart/form-data; boundary=other',
      () => toBody(tokenPart(), filePart(), end),
    ],
    'multipart that breaks off in the file': [
      multipart,
      () => toBody(tokenPart(), filePart().subarray(0, -20)),
    ],
    'a part without a name': [
      multipart,
      () => toBody(tokenPart(), part('Content-Type: text/plain', 'x'), end),
    ],
    'nothing at all': [multipart, () => ''],
  };
  const toBody = (...parts: Buffer[]) => new Uint8Array(Buffer.concat(parts));

  for (const [name, [type, body]] of Object.entries(forms))
    test(name, async () => {
      assert.equal((await send('/settings/logo', type, body())).status, 403);
      assert.deepEqual(service.rows('select name from images'), []);
    });

  test('the complete form is accepted', async () => {
    const response = await send('/settings/logo', multipart, toBody(tokenPart(), filePart(), end));
    assert.equal(response.status, 303);
  });
});

test('a file that is too large is refused with a page, although the browser is still sending it', {
  timeout: 60_000,
}, async () => {
  const size = 2_000_000;
  const socket = open('POST /settings/logo HTTP/1.1', `Cookie: ${cookie()}`, `Content-Length: ${size}`);
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes;
  });
  // Slower than half a second, the time after which a server might lose patience.
  for (let sent = 0; sent < size; sent += 100_000) {
    await new Promise((resolve) => socket.write(Buffer.alloc(100_000), resolve));
    await sleep(40);
  }
  // The connection is still usable: the whole body was taken.
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  await new Promise((resolve) => socket.on('close', resolve));
  assert.match(text, /^HTTP\/1\.1 413 .*256 kB.*HTTP\/1\.1 200 OK/s);
});

test('a chunked body is refused as soon as it is too large', async () => {
  const socket = open('POST /login HTTP/1.1', 'Transfer-Encoding: chunked');
  const chunk = `2710\r\n${'x'.repeat(10_000)}\r\n`;
  const timer = setInterval(() => socket.write(chunk), 1);
  const [bytes] = await once(socket, 'data');
  clearInterval(timer);
  socket.destroy();
  assert.match(String(bytes), /^HTTP\/1\.1 413 /);
});

for (const [name, header, bytes] of [
  ['a form', 'Content-Length: 100', 'token='],
  ['a form in chunks', 'Transfer-Encoding: chunked', '6\r\ntoken=\r\n'],
] as const)
  test(`a client that disconnects while sending ${name} is logged as info, not as an error`, async () => {
    const socket = open('POST /login HTTP/1.1', header);
    await new Promise((resolve) => socket.write(bytes, resolve));
    await service.call('GET', 'sites.php');
    const before = service.logLines.length;
    socket.resetAndDestroy();
    const gone = () => service.logLines.slice(before).find(({ msg }) => /went away/.test(String(msg)));
    await until(gone);
    assert.equal(gone()?.level, 'info');
    assert.deepEqual(
      service.logLines.slice(before).filter(({ level }) => level === 'error'),
      [],
    );
  });

test('a request whose client has left is still logged with its status', async () => {
  const siteId = await service.addSite('fail:time-out');
  const body = new URLSearchParams({ token, site: String(siteId), name: 'x' }).toString();
  const lines = ['POST /vouchers HTTP/1.1', `Cookie: ${cookie()}`, `Content-Length: ${body.length}`];
  const socket = open(...lines);
  socket.write(body);
  await until(() => service.rows('select id from intents').length > 0);
  const before = service.logLines.length;
  socket.resetAndDestroy();
  const logged = () => service.logLines.slice(before).find(({ msg }) => msg === 'answered');
  await until(logged);
  assert.partialDeepStrictEqual(logged(), { method: 'POST', status: 303 });
});

test('a request without a Host header is accepted, a request with an invalid one gets 400', async () => {
  const { hostname, port } = new URL(service.url);
  for (const [host, response] of [
    ['', /^HTTP\/1\.1 200 /],
    ['Host: a b\r\n', /^HTTP\/1\.1 400 .*Anfrage nicht lesbar/s],
  ] as const) {
    const socket = connect(Number(port), hostname);
    socket.end(`GET /login HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
    let text = '';
    for await (const bytes of socket) text += bytes;
    assert.match(text, response);
  }
});

test('a request in progress when the service stops gets its response, and the connection is closed', async () => {
  const other = await startTestService();
  await addUser(other, 'admin@example.org', 'admin');
  const webClient = await loggedIn(other, 'admin@example.org');
  const siteId = await other.addSite('fail:time-out');
  const slow = webClient.post('/vouchers', { site: String(siteId), name: 'langsam' });
  await until(() => other.rows('select id from intents').length > 0);
  const stopping = other.stop();
  const { status, headers } = await slow;
  assert.equal(status, 303);
  assert.equal(headers.get('connection'), 'close');
  await stopping;
});
