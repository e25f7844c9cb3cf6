// Tests the connection to a controller: only to the confirmed server, no redirects, limited response size, few
// concurrent calls, and a pause when the controller is unreachable.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer, type TLSSocket } from 'node:tls';
import { type SimulatedConsole, startSimulatedConsole } from '../../packages/unifi-console/src/index.ts';
import { makeSelfSigned } from '../../packages/unifi-console/src/self-signed.ts';
import { makeCallLimiter } from '../../src/kernel/controllers/upstream/call-limiter.ts';
import { makeTrustedPool } from '../../src/kernel/controllers/upstream/trusted-pool.ts';
import { makeUpstream } from '../../src/kernel/controllers/upstream/upstream-http.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import { makeFakeClock } from '../support/fake-clock.ts';
import { ordering } from '../support/ordering.ts';
import { connect, pinnedSite, WRONG_FINGERPRINT } from './support/pinned-site.ts';

const soon = () => AbortSignal.timeout(20_000);
const probe = { method: 'GET', path: '/' } as const;
const order = { name: 'x', maxUses: 1, expireMinutes: 5, downKbps: 0, upKbps: 0, quotaMb: 0 };

function lineTo(url: string, fingerprint256: string, clock = systemClock) {
  const pool = makeTrustedPool(url, { kind: 'pinned', fingerprint256 });
  return makeUpstream({ url, pool, limiter: makeCallLimiter(clock) });
}

test('a certificate other than the pinned one is refused before any HTTP is sent', async () => {
  const { privateKeyPem, certificatePem, fingerprint256 } = makeSelfSigned(Date.now());
  let bytes = 0;
  const sockets: TLSSocket[] = [];
  const server = createServer({ key: privateKeyPem, cert: certificatePem }, (socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      bytes += data.length;
      socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n');
    });
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  const url = `https://127.0.0.1:${address.port}`;

  const wrong = lineTo(url, WRONG_FINGERPRINT);
  const call = { method: 'POST', path: '/', json: { password: 'secret' } } as const;
  const refused = await wrong.send(call, { signal: soon(), priority: 'settle' });
  assert.partialDeepStrictEqual(refused, { ok: false, problem: { kind: 'unreachable' } });
  assert.match(refused.ok ? '' : refused.problem.text, /a different certificate from the confirmed one/);
  await sleep(50);
  assert.equal(bytes, 0);

  const spelt = (fingerprint256.match(/[0-9a-f]{2}/gi) ?? []).join(':').toLowerCase();
  const right = lineTo(url, spelt);
  assert.partialDeepStrictEqual(await right.send(call, { signal: soon(), priority: 'settle' }), {
    ok: true,
    value: { status: 204 },
  });
  assert.ok(bytes > 0);

  await Promise.all([wrong.close(), right.close()]);
  for (const socket of sockets) socket.destroy();
  server.close();
});

describe('responses of a controller', () => {
  let console: SimulatedConsole;
  before(async () => {
    console = await startSimulatedConsole();
  });
  beforeEach(() => console.controls.resetFaults());
  after(() => console.stop());

  test('a redirect is returned as a response and never followed', async () => {
    const elsewhere = await startSimulatedConsole();
    const { controls, url, fingerprint256 } = console;
    controls.setFault({ kind: 'redirect', location: `${elsewhere.url}/`, times: 'always' });
    const line = lineTo(url, fingerprint256);
    assert.partialDeepStrictEqual(await line.send(probe, { signal: soon(), priority: 'settle' }), {
      ok: true,
      value: { status: 302 },
    });
    const controllers = connect();
    const made = await controllers
      .controllerOf(pinnedSite(console, 'unifi'))
      .createVouchers(order, 1, ordering());
    assert.partialDeepStrictEqual(made, { ok: false, problem: { kind: 'refused' } });
    assert.match(made.ok ? '' : made.problem.text, /redirects elsewhere \(302\)/);
    assert.equal(elsewhere.controls.counters().connectionsOpened, 0);
    await Promise.all([line.close(), controllers.close(), elsewhere.stop()]);
  });

  test('a response that is far too long is abandoned', async () => {
    const line = lineTo(console.url, console.fingerprint256);
    console.controls.setFault({ kind: 'huge' });
    const response = await line.send(probe, { signal: soon(), priority: 'settle' });
    assert.partialDeepStrictEqual(response, { ok: false, problem: { kind: 'outcome-unknown' } });
    assert.match(response.ok ? '' : response.problem.text, /far too long/);
    assert.equal(
      (await line.send(probe, { signal: soon(), priority: 'settle' })).ok,
      true,
      'the connection still works',
    );
    await line.close();
  });

  test('a call ends when its signal aborts, and its outcome is unknown', async () => {
    const line = lineTo(console.url, console.fingerprint256);
    console.controls.setFault({ kind: 'hang-after-write' });
    const response = await line.send(probe, { signal: AbortSignal.timeout(200), priority: 'settle' });
    assert.deepEqual(response, {
      ok: false,
      problem: { kind: 'outcome-unknown', cause: 'too-slow', text: 'the controller did not answer in time' },
    });
    await line.close();
  });

  test('forty concurrent calls use eight connections', async () => {
    const line = lineTo(console.url, console.fingerprint256);
    console.controls.resetCounters();
    console.controls.switches.latencyMs = 20;
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => line.send(probe, { signal: soon(), priority: 'settle' })),
    );
    console.controls.switches.latencyMs = 0;
    assert.ok(responses.every(({ ok }) => ok));
    assert.equal(console.controls.counters().connectionsOpened, 8);
    await line.close();
  });
});

test('after five consecutive failures no call is sent for ten seconds', async () => {
  const console = await startSimulatedConsole();
  await console.stop();
  const clock = makeFakeClock('2026-01-15T11:28:51.000Z');
  const line = lineTo(console.url, console.fingerprint256, clock);
  const tell = async () => {
    const response = await line.send(probe, { signal: soon(), priority: 'settle' });
    assert.partialDeepStrictEqual(response, { ok: false, problem: { kind: 'unreachable' } });
    return response.ok ? '' : response.problem.text;
  };
  for (let failures = 0; failures < 5; failures++) assert.match(await tell(), /ECONNREFUSED/);
  assert.equal(await tell(), 'the controller has not been reachable since 2026-01-15T11:28:51.000Z');
  clock.advance(9_999);
  assert.match(await tell(), /not been reachable since/);
  clock.advance(1);
  assert.match(await tell(), /ECONNREFUSED/);
  assert.match(await tell(), /not been reachable since 2026-01-15T11:28:51/, 'the next pause has begun');
  await line.close();
});
