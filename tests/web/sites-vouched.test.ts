// Tests a controller whose certificate was issued by a trusted authority: the user does not have to compare a
// fingerprint, and the certificate is still checked on every call.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { startSimulatedConsole } from '../../packages/unifi-console/src/index.ts';
import { makeSelfSigned } from '../../packages/unifi-console/src/self-signed.ts';
import { startTestService } from '../support/test-service.ts';
import { loginTo, ticked } from './site-form.ts';
import { addUser, loggedIn } from './web-client.ts';

const service = await startTestService();
const console = await startSimulatedConsole({ port: 0 });
const named = await startNamedServer();
const authorities = getCACertificates();
/** Trusts one certificate at a time, because both have the same subject. */
const trust = (certificatePem: string) => setDefaultCACertificates([...authorities, certificatePem]);
after(async () => {
  named.server.close();
  await service.stop();
  await console.stop();
});

/** A server whose certificate contains host names but no IP address. */
async function startNamedServer() {
  const { certificatePem, privateKeyPem, fingerprint256 } = makeSelfSigned(Date.now(), []);
  const server = createServer({ key: privateKeyPem, cert: certificatePem }, (socket) => {
    socket.on('error', () => {}).end();
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { server, port, certificatePem, fingerprint256 };
}

test('a certificate of a trusted authority needs no confirmation, and the site trusts the authority', async () => {
  await addUser(service, 'anna@example.org', 'admin');
  const webClient = await loggedIn(service, 'anna@example.org');
  // The certificate of the console is issued for this name.
  const url = console.url.replace('127.0.0.1', 'localhost');
  const start = { kind: 'unifi' };
  trust(console.certificatePem);
  const asked = await webClient.post('/sites/new', { ...start, url });
  assert.match(asked.text, /von einer anerkannten Zertifizierungsstelle/);
  assert.match(asked.text, /name="trust" value="ca"/);
  assert.match(asked.text, /name="api-key"/);
  trust(named.certificatePem);
  const misnamed = `https://127.0.0.1:${named.port}`;
  const byNumber = await webClient.post('/sites/new', { ...start, url: misnamed });
  assert.ok(
    byNumber.text.replaceAll('<wbr>', '').includes(named.fingerprint256),
    'a certificate for host names is not valid for an IP address',
  );

  trust(console.certificatePem);
  const choice = await loginTo(webClient, console, { url, trust: 'ca' });
  const { location } = await webClient.post('/sites/new/store', ticked(choice.text, 'default'));
  assert.match(location ?? '', /^\/sites\/\d+$/);
  assert.match((await webClient.get(location ?? '')).text, /von einer anerkannten Zertifizierungsstelle/);
  trust(named.certificatePem);
  const renewed = await loginTo(webClient, console, { url: misnamed, trust: 'ca' });
  assert.match(renewed.text, /nicht mehr von einer anerkannten Zertifizierungsstelle/);
});
