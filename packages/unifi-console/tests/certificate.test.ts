// The certificate that a simulated controller creates for itself: valid, readable by other software, and with the same
// names and IP addresses as the certificate of a real console.

import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Agent, request } from 'undici';
import { makeSelfSigned } from '../src/self-signed.ts';
import { type SimulatedConsole, startSimulatedConsole } from '../src/server.ts';

let console: SimulatedConsole;
before(async () => {
  console = await startSimulatedConsole();
});
after(() => console.stop());

async function callWith(connect: object): Promise<number> {
  const dispatcher = new Agent({ connect });
  try {
    const { statusCode, body } = await request(console.url, { dispatcher });
    await body.dump();
    return statusCode;
  } finally {
    await dispatcher.destroy();
  }
}

test('the certificate is a well-formed X.509 certificate, signed by its own P-256 key', () => {
  const certificate = new X509Certificate(console.certificatePem);
  assert.equal(certificate.subject, 'CN=unifi.local');
  assert.equal(certificate.issuer, 'CN=unifi.local');
  assert.equal(certificate.publicKey.asymmetricKeyDetails?.namedCurve, 'prime256v1');
  assert.ok(certificate.verify(certificate.publicKey));
  assert.equal(certificate.fingerprint256, console.fingerprint256);
  assert.match(console.fingerprint256, /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
});

test('the certificate has the names and IP addresses that captures of real consoles show', () => {
  const certificate = new X509Certificate(console.certificatePem);
  const names =
    'DNS:unifi.local, DNS:localhost, DNS:[::1], IP Address:127.0.0.1, IP Address:FE80:0:0:0:0:0:0:1';
  assert.equal(certificate.subjectAltName, names);
  assert.equal(certificate.checkHost('unifi.local'), 'unifi.local');
  assert.equal(certificate.checkIP('127.0.0.1'), '127.0.0.1');
  assert.equal(certificate.checkIP('192.168.1.1'), undefined);
});

test('a client that trusts the certificate can connect by its name and by the IP address of the server', async () => {
  const ca = console.certificatePem;
  assert.equal(await callWith({ ca, servername: 'unifi.local' }), 200);
  assert.equal(await callWith({ ca }), 200);
  await assert.rejects(callWith({ ca, servername: 'example.org' }), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  await assert.rejects(callWith({}), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
});

test('every start creates a new certificate', async () => {
  const other = await startSimulatedConsole();
  await other.stop();
  assert.notEqual(other.fingerprint256, console.fingerprint256);
});

test('certificates stay readable for many keys and after the year 2049', () => {
  for (let round = 0; round < 50; round++) {
    const { certificatePem } = makeSelfSigned(Date.parse('2026-01-15T11:28:51Z'));
    assert.match(new X509Certificate(certificatePem).serialNumber, /^[0-9A-F]+$/);
  }
  const late = new X509Certificate(makeSelfSigned(Date.parse('2049-12-31T00:00:00Z')).certificatePem);
  assert.equal(new Date(late.validFrom).toISOString(), '2049-12-30T00:00:00.000Z');
  assert.equal(new Date(late.validTo).getUTCFullYear(), 2059);
});
