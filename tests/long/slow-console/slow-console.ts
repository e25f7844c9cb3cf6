// Sends many orders at once to a site on a slow console. Rule: the console has exactly as many vouchers as there are
// responses with 201, and every other order was refused before anything was sent to the console.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pool } from 'undici';
import { type SimulatedConsole, startSimulatedConsole } from '../../../packages/unifi-console/src/index.ts';
import { TESTER } from '../../support/actors.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';

type Kind = 'unifi' | 'unifi-classic';

interface SlowSite {
  console: SimulatedConsole;
  service: TestService;
  siteId: number;
  close(): Promise<void>;
}

export async function openSlowSite(kind: Kind, latencyMs: number): Promise<SlowSite> {
  const console = await startSimulatedConsole({ latencyMs });
  const service = await startTestService();
  const siteId = await addConsoleSite(service, console, kind);
  return {
    console,
    service,
    siteId,
    async close() {
      await service.stop();
      await console.stop();
    },
  };
}

function addConsoleSite(service: TestService, console: SimulatedConsole, kind: Kind): Promise<number> {
  const { url, apiKey, username, password, fingerprint256 } = console;
  const credentials = kind === 'unifi' ? { apiKey } : { username, password };
  const connection = { url, credentials, trust: { kind: 'pinned' as const, fingerprint256 } };
  const site = {
    name: 'Haus am See',
    active: true,
    controllerKind: kind,
    controllerSite: 'default',
    connection,
  };
  return service.beside.sites.add(site, { actor: TESTER, atMs: service.clock.nowMs() });
}

interface Outcome {
  responded: number;
  refused: number;
  made: number;
  /** The time until the last refusal. */
  slowestRefusalMs: number;
}

/** Sends the orders, checks the rule, and returns the counts. */
export async function orderAtOnce(site: SlowSite, count: number): Promise<Outcome> {
  const { service, console, siteId } = site;
  const target = { urls: [service.url], key: service.keyText, siteId };
  const outcome = await checkOrders(console, () => sendOrders(target, count));
  assert.equal(service.rows('select count(*) as n from intents')[0]?.n, 0, 'an intent is left open');
  return outcome;
}

interface Target {
  /** The URLs of the instances, which are used in turn. */
  urls: string[];
  key: string;
  siteId: number;
}

interface Reply {
  status: number;
  json: { code?: string; error?: string; message?: string };
  retryAfter: string;
  afterMs: number;
}

export async function sendOrders({ urls, key, siteId }: Target, count: number): Promise<Reply[]> {
  const pools = urls.map((url) => new Pool(url));
  const replies = await Promise.all(
    Array.from({ length: count }, (_, n) => {
      const pool = pools[n % pools.length];
      assert.ok(pool);
      return post(pool, key, { site_id: siteId, name: `Gast ${n}` });
    }),
  );
  await Promise.all(pools.map((pool) => pool.close()));
  return replies;
}

/** Other programs took the processor, so that an accepted order outlived its request. */
class Overtaxed extends Error {}

/** The rule: every voucher on the console was returned, and every order without a voucher was refused. */
export async function checkOrders(
  console: SimulatedConsole,
  order: () => Promise<Reply[]>,
): Promise<Outcome> {
  const before = console.controls.vouchers().length;
  const replies = await order();
  const created = replies.filter(({ status }) => status === 201);
  const refused = replies.filter(({ status }) => status !== 201);
  const codes = new Set(created.map(({ json }) => json.code));
  assert.equal(codes.size, created.length, 'two responses have the same code');
  for (const { status, json, retryAfter } of refused) {
    if (status === 500 && / in time$/.test(json.message ?? '')) throw new Overtaxed(json.message);
    assert.deepEqual([status, json.error], [503, 'unavailable'], JSON.stringify(json));
    assert.match(retryAfter, /^[1-9]\d?$/);
  }
  const made = console.controls.vouchers().length - before;
  assert.equal(made, created.length, `${made} created, ${created.length} returned`);
  const slowestRefusalMs = Math.max(0, ...refused.map(({ afterMs }) => afterMs));
  return { responded: created.length, refused: refused.length, made, slowestRefusalMs };
}

/** One connection per order. Service and console share this process, so the client stays lightweight. */
async function post(pool: Pool, key: string, order: object): Promise<Reply> {
  const startedAt = performance.now();
  const { statusCode, headers, body } = await pool.request({
    method: 'POST',
    path: '/api/vouchers.php',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(order),
  });
  const json: Reply['json'] = JSON.parse(await body.text());
  const afterMs = performance.now() - startedAt;
  return { status: statusCode, json, retryAfter: String(headers['retry-after'] ?? ''), afterMs };
}

const LATENCIES_MS = [10, 50, 200, 1_000, 3_000];
const COUNTS = [10, 100, 1_000];

export function testRespondedIsMade(kind: Kind): void {
  for (const latencyMs of LATENCIES_MS)
    for (const count of COUNTS)
      test(`${kind}: ${count} orders at once on a ${latencyMs} ms console return every created voucher`, async (t) => {
        const { responded, refused, slowestRefusalMs } = await orderOnNewSite().catch((error) => {
          if (!(error instanceof Overtaxed)) throw error;
          t.diagnostic(`tried again: ${error.message}`);
          return orderOnNewSite();
        });
        t.diagnostic(
          `${responded} answered, ${refused} refused, the last after ${Math.round(slowestRefusalMs)} ms`,
        );
        // One round of eight calls always fits into the lifetime of a request.
        assert.ok(responded >= Math.min(count, 8), `only ${responded} orders got a voucher`);

        async function orderOnNewSite(): Promise<Outcome> {
          const site = await openSlowSite(kind, latencyMs);
          return orderAtOnce(site, count).finally(() => site.close());
        }
      });
}
