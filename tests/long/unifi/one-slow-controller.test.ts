// A controller that is down, hangs or is slow affects only its own sites: other sites of the service stay fast, its own
// requests get 500 in time, then immediately, and work again once the controller works.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import {
  type ConsoleOptions,
  type SimulatedConsole,
  startSimulatedConsole,
} from '../../../packages/unifi-console/src/index.ts';
import { TESTER } from '../../support/actors.ts';
import { startTestService } from '../../support/test-service.ts';

/** Few enough to take far less time than one hanging call, even on a busy machine. */
const ORDERS = 60;
const CALLERS = 20;
const SICK_ORDERS = 24;
const SLOW_MS = 1_500;
/** The guaranteed 20 seconds, and what a busy machine may add: the service itself uses up to 18.5 seconds. */
const RESPONDED_WITHIN_MS = 40_000;
const PAUSE_MS = 10_000;

interface Timed {
  status: number;
  error: unknown;
  message: unknown;
  ms: number;
}

type Place = Pick<SimulatedConsole, 'url' | 'apiKey' | 'username' | 'password'>;

/** A service, and the consoles of its sites. */
async function open() {
  const service = await startTestService();
  const consoles: SimulatedConsole[] = [];

  async function order(siteId: number): Promise<Timed> {
    const startedAt = performance.now();
    const body = { site_id: siteId, name: 'Gast' };
    const { status, json } = await service.call('POST', 'vouchers.php', { body });
    return { status, error: json.error, message: json.message, ms: performance.now() - startedAt };
  }

  return {
    clock: service.clock,
    order,
    atOnce: (siteId: number) => Promise.all(Array.from({ length: SICK_ORDERS }, () => order(siteId))),
    /** A few callers, each of which sends one order after the other. */
    async inTurn(siteId: number): Promise<{ ms: number; responses: Timed[] }> {
      const startedAt = performance.now();
      const responses: Timed[] = [];
      let left = ORDERS;
      const caller = async () => {
        while (left-- > 0) responses.push(await order(siteId));
      };
      await Promise.all(Array.from({ length: CALLERS }, caller));
      return { ms: performance.now() - startedAt, responses };
    },
    intentsOf: (siteId: number) => service.rows('select * from intents where site_id = ?', siteId),
    async start(options: ConsoleOptions = {}): Promise<SimulatedConsole> {
      const console = await startSimulatedConsole(options);
      consoles.push(console);
      return console;
    },
    addSite(controllerKind: 'unifi' | 'unifi-classic', { url, apiKey, username, password }: Place) {
      const credentials = controllerKind === 'unifi' ? { apiKey } : { username, password };
      // A simulated console has a new certificate after each start.
      const connection = { url, credentials, trust: { kind: 'insecure' as const } };
      return service.beside.sites.add(
        {
          name: 'Haus am See',
          active: true,
          controllerKind,
          controllerSite: 'default',
          connection,
        },
        { actor: TESTER, atMs: service.clock.nowMs() },
      );
    },
    async [Symbol.asyncDispose]() {
      await service.stop();
      await Promise.all(consoles.map((console) => console.stop()));
    },
  };
}

/** Accepts every connection and never sends a byte, not even for the TLS handshake. */
async function startMute() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address);
  return {
    url: `https://127.0.0.1:${address.port}`,
    connections: () => sockets.length,
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function checkMade(responses: Timed[], orders: number): void {
  assert.equal(responses.length, orders);
  assert.deepEqual([...new Set(responses.map(({ status }) => status))], [201]);
}

function checkFailed(responses: Timed[], reason: RegExp): void {
  assert.ok(responses.length > 0);
  for (const { status, error, message, ms } of responses) {
    assert.deepEqual([status, error], [500, 'server_error']);
    assert.match(String(message), reason);
    assert.ok(ms < RESPONDED_WITHIN_MS, `response after ${ms} ms: ${message}`);
  }
}

describe('one faulty controller among others', { concurrency: true }, () => {
  test('a site stays fast next to sites whose controllers are down, never respond, hang or are slow', async (t) => {
    using mute = await startMute();
    await using subject = await open();
    const { order, atOnce, inTurn, addSite, start, clock } = subject;

    const healthySite = await addSite('unifi', await start());
    const alone = await inTurn(healthySite);
    checkMade(alone.responses, ORDERS);

    const dead = await startSimulatedConsole();
    await dead.stop();
    const deadSite = await addSite('unifi', dead);
    const muteSite = await addSite('unifi', { ...dead, url: mute.url });
    const slowSite = await addSite('unifi', await start({ latencyMs: SLOW_MS }));
    const silent = await start();
    const silentSite = await addSite('unifi-classic', silent);
    checkMade([await order(silentSite)], 1);
    silent.controls.setFault({ kind: 'hang-before-write', times: 'always' });
    const asked = () => silent.controls.counters().requestsInAll;

    const sick = Promise.all([deadSite, muteSite, silentSite, slowSite].map(atOnce));
    const beside = await inTurn(healthySite);
    const [fromDead = [], fromMute = [], fromSilent = [], fromSlow = []] = await sick;
    const soonest = Math.min(...fromSilent.map(({ ms }) => ms));
    t.diagnostic(
      `${ORDERS} orders: ${Math.round(alone.ms)} ms alone, ${Math.round(beside.ms)} ms beside the sick ones, of which the silent one answered after ${Math.round(soonest)} ms`,
    );
    checkMade(beside.responses, ORDERS);
    assert.ok(beside.ms < soonest, `${ORDERS} orders took ${beside.ms} ms, a hanging call ${soonest} ms`);

    await t.test('the orders on the slow controller get their vouchers', () =>
      checkMade(fromSlow, SICK_ORDERS),
    );
    await t.test('the orders on controllers that do not respond get 500 within 20 seconds', () => {
      checkFailed(fromDead, /ECONNREFUSED|not been reachable since/);
      checkFailed(fromSilent, /did not answer in time|not been reachable since/);
      checkFailed(fromMute, /no connection to the controller|not been reachable since/);
    });
    await t.test('orders on a known unreachable controller fail immediately, without a call', async () => {
      // Concurrent orders share one site lookup and its failure, so five failures need five rounds of orders.
      for (let failures = 1; failures < 5; failures++) await Promise.all([deadSite, muteSite].map(order));
      const before = [asked(), mute.connections()];
      const responses = await Promise.all([deadSite, muteSite, silentSite].map(order));
      checkFailed(responses, /^the controller has not been reachable since 2026-/);
      assert.ok(responses.every(({ ms }) => ms < soonest));
      assert.deepEqual([asked(), mute.connections()], before);
    });
    await t.test(
      'a controller that recovers is called again after the pause, not before, and works',
      async () => {
        const before = asked();
        silent.controls.resetFaults();
        clock.advance(PAUSE_MS - 1);
        checkFailed([await order(silentSite)], /not been reachable since/);
        assert.equal(asked(), before);
        clock.advance(1);
        checkMade(await atOnce(silentSite), SICK_ORDERS);
      },
    );
  });

  test('a rebooted controller works again, though its sessions and connections are gone', async () => {
    await using subject = await open();
    const { order, atOnce, addSite, start, clock } = subject;
    const first = await startSimulatedConsole();
    const { password } = first;
    const siteId = await addSite('unifi-classic', first);
    checkMade(await atOnce(siteId), SICK_ORDERS);
    await first.stop();
    checkFailed(await atOnce(siteId), /ECONNREFUSED|broke off|not been reachable since/);

    const again = await start({ port: Number(new URL(first.url).port), password });
    checkFailed([await order(siteId)], /not been reachable since/);
    clock.advance(PAUSE_MS);
    checkMade(await atOnce(siteId), SICK_ORDERS);
    assert.equal(again.controls.vouchers().length, SICK_ORDERS);
    assert.equal(again.controls.counters().requests.login, 1);
  });

  test('an order whose response never arrives, and a list that never ends, end within 20 seconds', async () => {
    await using subject = await open();
    const { order, addSite, start, intentsOf } = subject;
    const endless = await start();
    const siteId = await addSite('unifi-classic', endless);
    checkMade([await order(siteId)], 1);
    endless.controls.setFault({ match: 'create', kind: 'hang-after-write' });
    endless.controls.setFault({ match: 'list', kind: 'drip', times: 'always' });
    checkFailed([await order(siteId)], /did not answer in time/);
    assert.equal(
      intentsOf(siteId).length,
      1,
      'the voucher may exist, so the intent must stay open for settling',
    );
  });
});
