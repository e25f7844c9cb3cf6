// Tests that an impostor between the service and a console receives no request: every connection is checked against the
// confirmed certificate, and no redirect carries a password to another host.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { createServer as createTlsServer, type SecureVersion, type TLSSocket } from 'node:tls';
import { FLAVOURS, startSimulatedConsole } from '../../packages/unifi-console/src/index.ts';
import { makeSelfSigned } from '../../packages/unifi-console/src/self-signed.ts';
import { makeCallLimiter } from '../../src/kernel/controllers/upstream/call-limiter.ts';
import { makeTrustedPool } from '../../src/kernel/controllers/upstream/trusted-pool.ts';
import { makeUpstream } from '../../src/kernel/controllers/upstream/upstream-http.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import { connect, pinnedSite } from '../controllers/support/pinned-site.ts';
import { ordering } from '../support/ordering.ts';

const CALLS = 8;
const RESPONSE_AFTER_MS = 100;
const call = { method: 'POST', path: '/', json: { password: 'secret' } } as const;
const order = { name: 'x', maxUses: 1, expireMinutes: 5, downKbps: 0, upKbps: 0, quotaMb: 0 };
const soon = () => AbortSignal.timeout(20_000);

interface Inputs {
  /** Whether the connection with this number, counted from 0, leads to the impostor. */
  toImpostor: (connection: number) => boolean;
  tls?: SecureVersion;
}

/**
 * One port behind which each connection reaches the confirmed console or an impostor. Both accept the same TLS tickets.
 */
async function startTwoFaced({ toImpostor, tls }: Inputs) {
  const ticketKeys = randomBytes(48);
  const sockets: Socket[] = [];
  const heard = { console: 0, impostor: 0, resumed: 0 };
  const makeFace = (face: 'console' | 'impostor') => {
    const { privateKeyPem, certificatePem, fingerprint256 } = makeSelfSigned(Date.now());
    const versions = tls ? { minVersion: tls, maxVersion: tls } : {};
    const server = createTlsServer({ key: privateKeyPem, cert: certificatePem, ticketKeys, ...versions });
    server.on('tlsClientError', () => {});
    server.on('secureConnection', (socket: TLSSocket) => {
      if (socket.isSessionReused()) heard.resumed++;
      socket.on('error', () => {});
      socket.once('data', () => {
        heard[face]++;
        const response = 'HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n';
        setTimeout(() => socket.end(response), RESPONSE_AFTER_MS);
      });
    });
    return { server, fingerprint256 };
  };
  const [console, impostor] = [makeFace('console'), makeFace('impostor')];
  const door = createServer((socket) => {
    const face = toImpostor(sockets.push(socket) - 1) ? impostor : console;
    face.server.emit('connection', socket);
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  const address = door.address();
  assert.ok(typeof address === 'object' && address);
  const url = `https://127.0.0.1:${address.port}`;
  const pool = makeTrustedPool(url, { kind: 'pinned', fingerprint256: console.fingerprint256 });
  const line = makeUpstream({ url, pool, limiter: makeCallLimiter(systemClock) });
  return {
    heard,
    connections: () => sockets.length,
    send: () => line.send(call, { signal: soon(), priority: 'settle' }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      door.close();
      await line.close();
    },
  };
}

test('of several concurrent connections only those to the confirmed console are used', async () => {
  await using subject = await startTwoFaced({ toImpostor: (connection) => connection % 2 === 1 });
  const responses = await Promise.all(Array.from({ length: CALLS }, subject.send));
  const responded = responses.filter(({ ok }) => ok).length;
  assert.equal(subject.connections(), CALLS);
  assert.equal(responded, CALLS / 2);
  for (const response of responses)
    if (!response.ok) {
      assert.equal(response.problem.kind, 'unreachable');
      assert.match(response.problem.text, /a different certificate from the confirmed one/);
    }
  assert.deepEqual(subject.heard, { console: CALLS / 2, impostor: 0, resumed: 0 });
});

for (const tls of ['TLSv1.2', 'TLSv1.3'] as const)
  test(`every connection checks the certificate, although ${tls} could resume a session without it`, async () => {
    await using subject = await startTwoFaced({ toImpostor: (connection) => connection > 1, tls });
    assert.equal((await subject.send()).ok, true);
    assert.equal((await subject.send()).ok, true);
    const refused = await subject.send();
    assert.partialDeepStrictEqual(refused, { ok: false, problem: { kind: 'unreachable' } });
    assert.match(refused.ok ? '' : refused.problem.text, /a different certificate from the confirmed one/);
    assert.deepEqual(subject.heard, { console: 2, impostor: 0, resumed: 0 });
  });

for (const flavour of FLAVOURS)
  describe(`redirects of a classic controller on ${flavour}`, () => {
    for (const match of ['login', 'create', 'list'] as const)
      test(`a redirected ${match} call is not followed`, async (t) => {
        const [console, elsewhere] = await Promise.all([
          startSimulatedConsole({ flavour }),
          startSimulatedConsole({ flavour }),
        ]);
        const controllers = connect();
        t.after(() => Promise.all([controllers.close(), console.stop(), elsewhere.stop()]));
        // A client that follows a 307 redirect sends the body again.
        const fault = { kind: 'redirect', status: 307, times: 'always' } as const;
        console.controls.setFault({ ...fault, match, location: `${elsewhere.url}/api/${match}` });
        const driver = controllers.controllerOf(pinnedSite(console, 'unifi-classic'));
        const made = await driver.createVouchers(order, 1, ordering());
        assert.equal(made.ok, false);
        assert.match(made.ok ? '' : made.problem.text, /redirects .*elsewhere \(307\)/);
        assert.equal(elsewhere.controls.counters().connectionsOpened, 0);
      });
  });
