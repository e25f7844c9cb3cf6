// A service that is killed while a slow console creates the vouchers of twelve orders. The console takes eight calls at
// once, so four orders were never sent. Every caller repeats its order as the service tells it, and gets one voucher,
// which is printed once.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSimulatedConsole } from '../../../packages/unifi-console/src/index.ts';
import { openInstallation } from '../../../src/app/installation.ts';
import { TESTER } from '../../support/actors.ts';
import { addPrinter } from '../../support/printers.ts';
import { callApi, makeFolder, type RunningGastpass, startGastpass } from '../../support/run-gastpass.ts';
import { configOf } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';

const ORDERS = 12;
const CALLS_AT_ONCE = 8;
const LATENCY_MS = 2_000;

const { folder: dataDir, remove } = makeFolder();
after(remove);

interface Outcome {
  code: string;
  conflicts: number;
  afterS: number;
}

test('orders in flight when the service is killed get one voucher each after the restart', async (t) => {
  const console = await startSimulatedConsole({ latencyMs: LATENCY_MS });
  t.after(() => console.stop());
  const beside = await openInstallation(await configOf(dataDir));
  t.after(() => beside.close());
  const audit = { actor: TESTER, atMs: beside.clock.nowMs() };
  const { url, apiKey, fingerprint256 } = console;
  const connection = { url, credentials: { apiKey }, trust: { kind: 'pinned' as const, fingerprint256 } };
  const kind = { controllerKind: 'unifi', controllerSite: 'default' } as const;
  const siteId = await beside.sites.add({ name: 'Haus A', active: true, ...kind, connection }, audit);
  const printer = await addPrinter(beside, { siteId });
  const { keyText: key } = await beside.issueKey({ name: 'Test', scope: 'write', rateLimit: 0 }, audit);

  const order = (service: RunningGastpass, number: number) =>
    callApi(service, {
      key,
      body: { site_id: siteId, name: `Zimmer ${number}` },
      headers: { 'idempotency-key': `order-${number}`, 'guest-print': String(printer) },
    });

  /** Repeats an order until it gets its voucher. */
  async function insist(service: RunningGastpass, number: number): Promise<Outcome> {
    const startedAt = performance.now();
    for (let conflicts = 0; ; conflicts++) {
      const { status, headers, json } = await order(service, number);
      const afterS = Math.round((performance.now() - startedAt) / 1000);
      if (status === 201) return { code: json.code, conflicts, afterS };
      assert.equal(status, 409, JSON.stringify(json));
      await sleep(Number(headers.get('retry-after')) * 1000);
    }
  }

  const environment = { GASTPASS_DEMO: '0', LOG_LEVEL: 'silent', SYNC_INTERVAL_S: '86400' };
  const first = await startGastpass({ dataDir, environment });
  const numbers = Array.from({ length: ORDERS }, (_, index) => index + 1);
  const cutOff = numbers.map((number) => order(first, number).catch(() => undefined));
  await until(() => console.controls.counters().requests.create === CALLS_AT_ONCE);
  await first.stop('SIGKILL');
  assert.ok((await Promise.all(cutOff)).every((reply) => reply === undefined));
  assert.equal(await beside.vouchers.countIntents(), ORDERS);

  const second = await startGastpass({ dataDir, environment });
  t.after(() => second.stop());
  const outcomes = await Promise.all(numbers.map((number) => insist(second, number)));

  const codes = outcomes.map(({ code }) => code);
  assert.equal(new Set(codes).size, ORDERS);
  assert.deepEqual(
    console.controls
      .vouchers()
      .map(({ code }) => code)
      .sort(),
    codes.sort(),
  );
  assert.equal(await beside.vouchers.countIntents(), 0);
  const jobs = await beside.printJobs.search({ limit: 2 * ORDERS });
  assert.equal(jobs.length, ORDERS);
  assert.equal(new Set(jobs.map(({ voucherId }) => voucherId)).size, ORDERS);
  const sent = outcomes.toSorted((one, other) => one.afterS - other.afterS);
  const conflicts = outcomes.reduce((sum, outcome) => sum + outcome.conflicts, 0);
  t.diagnostic(`codes after ${sent.map(({ afterS }) => afterS).join(', ')} s, with ${conflicts} times 409`);
});
