// Tests what is found at a public address: Gastpass, another program, a redirect, nothing, and its certificate. The
// address 0.0.0.0 leads to this machine, but does not count as loopback.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { after, before, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type Authority, contentOf, makeAuthority } from '../../../tests/support/certificates.ts';
import { makeFolder } from '../../../tests/support/run-gastpass.ts';
import { openapiDocument } from '../contract/openapi-document.ts';
import { callPublicAddress } from './call-public-address.ts';

const CALL = { basePath: '/api', hasProxyLogin: false };
const { folder, remove } = makeFolder();
let authority: Authority;
before(() => {
  authority = makeAuthority(folder, 'authority');
});
after(remove);

const gastpass: RequestListener = (_, response) => response.end(openapiDocument('https://x/api'));

async function found(
  respond: RequestListener,
  { call = {}, certificate = undefined as { certificateFile: string; keyFile: string } | undefined } = {},
) {
  const server: Server = certificate
    ? createTlsServer(
        { cert: contentOf(certificate.certificateFile), key: contentOf(certificate.keyFile) },
        respond,
      )
    : createServer(respond);
  server.listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `${certificate ? 'https' : 'http'}://0.0.0.0:${port}`;
  try {
    return await callPublicAddress(origin, { ...CALL, ...call });
  } finally {
    server.close();
  }
}

test('Gastpass is recognised by the description of its API, and nothing secret is sent', async () => {
  const requests: IncomingMessage[] = [];
  const response = await found((request, answer) => {
    requests.push(request);
    gastpass(request, answer);
  });
  assert.deepEqual(response, { from: 'gastpass', certificate: undefined });
  assert.deepEqual(
    requests.map(({ method, url, headers }) => [method, url, Object.keys(headers)]),
    [['GET', '/api/openapi.php', ['host', 'connection']]],
  );
});

test('another program is told apart, also if it never ends its response', async () => {
  const other = { from: 'another program', path: '/api/openapi.php' };
  assert.deepEqual(await found((_, response) => response.writeHead(502).end('Bad Gateway')), {
    ...other,
    status: 502,
  });
  const endless: RequestListener = (_, response) => {
    const more = () => {
      if (!response.destroyed) response.write('x'.repeat(500), more);
    };
    more();
  };
  assert.deepEqual(await found(endless), { ...other, status: 200 });
});

test('a redirect is reported without its path, and is not followed', async () => {
  const redirect: RequestListener = (_, response) =>
    response.writeHead(302, { location: 'https://login.example.org/?token=1' }).end();
  assert.deepEqual(await found(redirect), { from: 'redirect', to: 'https://login.example.org' });
  const unchanged: RequestListener = (_, response) => response.writeHead(304).end();
  assert.equal((await found(unchanged))?.from, 'another program');
});

test('a proxy that signs users in may answer in place of Gastpass', async () => {
  const call = { hasProxyLogin: true };
  for (const [status, from] of [
    [302, 'proxy login'],
    [401, 'proxy login'],
    [403, 'proxy login'],
    [404, 'another program'],
  ] as const) {
    const respond: RequestListener = (_, response) =>
      response.writeHead(status, { location: '/login' }).end();
    assert.equal((await found(respond, { call }))?.from, from, String(status));
  }
});

test('an address without an answer is reported in time', async () => {
  const call = { patienceMs: 50 };
  assert.deepEqual(await found(() => {}, { call }), { from: 'nothing', detail: 'timeout' });
  const half: RequestListener = (_, response) => response.write('{');
  assert.deepEqual(await found(half, { call }), { from: 'nothing', detail: 'timeout' });
  assert.deepEqual(await callPublicAddress('http://0.0.0.0:1', CALL), {
    from: 'nothing',
    detail: 'ECONNREFUSED',
  });
  assert.deepEqual(await found((_, response) => response.socket?.end('220 mail\r\n')), {
    from: 'nothing',
    detail: 'HPE_INVALID_CONSTANT',
  });
});

test('addresses of this machine are not called', async () => {
  for (const origin of [
    'http://localhost:1',
    'http://a.localhost:1',
    'https://127.0.0.2:1',
    'http://[::1]:1',
  ])
    assert.equal(await callPublicAddress(origin, CALL), undefined, origin);
});

test('the certificate is read, with the reason why it is refused', async () => {
  const own = authority.issue('own', 'IP:0.0.0.0');
  const other = authority.issue('other', 'DNS:other.example.org');
  const errorOf = async (certificate: typeof own) => {
    const response = await found(gastpass, { certificate });
    assert.ok(response?.from === 'gastpass' && response.certificate);
    const { beganAtMs, endsAtMs, error } = response.certificate;
    assert.equal(endsAtMs - beganAtMs, 365 * 24 * 60 * 60_000);
    return error;
  };
  assert.equal(await errorOf(own), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  const usual = getCACertificates();
  setDefaultCACertificates([...usual, contentOf(authority.file)]);
  assert.equal(await errorOf(own), undefined);
  assert.equal(await errorOf(other), 'ERR_TLS_CERT_ALTNAME_INVALID');
  setDefaultCACertificates(usual);
});
