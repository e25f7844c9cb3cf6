// A batch goes on by itself after a stop, a kill between any two steps, and a failure of the console that passes: it
// gets exactly the vouchers that were ordered, each is printed once, and they are announced once.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { chanceOf } from '../../rel/chance-of.ts';
import type { FailureCause } from '../../src/kernel/controllers/controller.ts';
import type { BatchId, PrinterId } from '../../src/kernel/ids.ts';
import { fail, ok } from '../../src/platform/values/result.ts';
import { cases } from '../support/more-cases.ts';
import { addPrinter } from '../support/printers.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser } from '../web/web-client.ts';
import { type Life, makeConsole, makeLives } from './batch-lives.ts';

const MINUTE_MS = 60_000;
/** After this many steps, a process only waits until its open orders are settled. */
const MAX_STEPS = 40;
const WANTED = cases({ everyday: 30, long: 500 });
const TIMES = cases({ everyday: 15, long: 50 });
/** The long tier kills a process before and after each step. */
const STRIDE = cases({ everyday: 2, long: 1 });

let service: TestService;
let printerId: PrinterId;
let lives: ReturnType<typeof makeLives>;
const console = makeConsole(() => service.clock.nowMs());
before(async () => {
  service = await startTestService({ jobs: false, webhook: true });
  printerId = await addPrinter(service.beside);
  lives = makeLives(service, console);
});
// A key may order 500 slips in an hour.
beforeEach(() => service.clock.advance(61 * MINUTE_MS));
after(() => service.stop());

async function find(id: BatchId) {
  const batch = await service.beside.batches.find(id);
  assert.ok(batch);
  return batch;
}

/** The batch is complete, and no other vouchers, intents or print jobs were made for it. */
async function assertComplete(id: BatchId, wanted: number): Promise<void> {
  const { vouchers, endedAtMs, problem } = await find(id);
  assert.deepEqual([vouchers.length, problem], [wanted, null]);
  assert.notEqual(endedAtMs, null);
  const made = console.vouchers.filter(({ name }) => name.endsWith(id));
  assert.deepEqual(made.map(({ code }) => code).sort(), vouchers.map(({ code }) => code).sort());
  const printed = service.rows(
    `select m.voucher_id from messages m join vouchers v on v.id = m.voucher_id
      where m.channel = 'printer' and v.batch_id = '${id}'`,
  );
  assert.equal(printed.length, wanted);
  assert.equal(new Set(printed.map(({ voucher_id }) => voucher_id)).size, wanted);
  assert.deepEqual(service.rows(`select 1 from intents where batch_id = '${id}'`), []);
  const [told] = service.rows('select sum(voucher_count) as n from outbox');
  assert.equal(Number(told?.n), console.vouchers.length);
}

const failWith = (
  kind: 'refused' | 'unreachable' | 'outcome-unknown',
  cause: FailureCause,
  retryAfterS?: number,
) => fail({ kind, cause, text: `the console fails: ${cause}`, ...(retryAfterS && { retryAfterS }) });

const RESPONSES: Record<string, Life['respond']> = {
  created: undefined,
  'created, with a lost response': async (make) => {
    make();
    return failWith('outcome-unknown', 'broke-off');
  },
  'not created': async () => failWith('outcome-unknown', 'failed'),
};

for (const [what, respond] of Object.entries(RESPONSES))
  test(`a kill between any two steps loses and doubles no voucher: ${what}`, async () => {
    let wasKilled = true;
    for (let steps = 1; wasKilled && steps <= MAX_STEPS; steps += STRIDE) {
      const id = await lives.begin(3, { printerId });
      let calls = 0;
      wasKilled = await lives.live({
        steps,
        respond: async (make) => (calls++ === 0 && respond ? respond(make) : ok({ vouchers: make() })),
      });
      await lives.live({ steps: Number.POSITIVE_INFINITY });
      await assertComplete(id, 3);
    }
  });

test(`${TIMES} stops and ${TIMES} failures: ${WANTED} of ${WANTED}`, async (t) => {
  const id = await lives.begin(WANTED, { printerId });
  const begunAtMs = service.clock.nowMs();
  let [stops, failures, creations] = [0, 0, 0];
  const chance = (of: string) => chanceOf(`${of} ${stops} ${failures}`);
  /** The creations are spread over all stops and failures. */
  const mayCreate = () => Math.min(stops, failures) >= (TIMES / Math.ceil(WANTED / 100)) * (creations + 1);
  while ((await find(id)).endedAtMs === null) {
    const isCalm = stops >= TIMES || chance('stop') < 0.5;
    const wasKilled = await lives.live({
      steps: isCalm ? Number.POSITIVE_INFINITY : Math.floor(10 + 40 * chance('step')),
      stopsAtPause: () => stops < TIMES && chance('pause') < 0.8 && stops++ >= 0,
      async respond(make) {
        if (Math.min(stops, failures) >= TIMES) return ok({ vouchers: make() });
        const which = chance('response');
        failures++;
        if (which < 0.6) return failWith('unreachable', 'nobody-answers');
        if (which < 0.8) return failWith('unreachable', 'asks-for-pause', 3);
        if (which < 0.94) return failWith('unreachable', 'busy', 1);
        if (mayCreate() && ++creations) make();
        return failWith('outcome-unknown', 'too-slow');
      },
    });
    if (wasKilled) stops++;
  }
  t.diagnostic(
    `${stops} stops, ${failures} failures, ${(service.clock.nowMs() - begunAtMs) / MINUTE_MS} minutes`,
  );
  await assertComplete(id, WANTED);
  assert.ok(stops >= TIMES && failures >= TIMES);
});

test('while the console fails, a batch waits for 30 minutes in all, then it has failed', async () => {
  const id = await lives.begin(5);
  const begunAtMs = service.clock.nowMs();
  const respond = async () => failWith('unreachable', 'nobody-answers');
  let pauses = 0;
  await lives.live({ steps: Number.POSITIVE_INFINITY, respond, stopsAtPause: () => pauses++ === 3 });
  const waiting = await find(id);
  assert.deepEqual([waiting.endedAtMs, waiting.cause], [null, 'nobody-answers']);
  assert.equal(waiting.goesOnUntilMs, begunAtMs + 30 * MINUTE_MS);
  await lives.live({ steps: Number.POSITIVE_INFINITY, respond });
  const failed = await find(id);
  assert.deepEqual([failed.cause, failed.vouchers.length], ['nobody-answers', 0]);
  const tookMs = service.clock.nowMs() - begunAtMs;
  assert.ok(tookMs >= 30 * MINUTE_MS && tookMs <= 32 * MINUTE_MS, `${tookMs} ms`);
  await lives.live({ steps: Number.POSITIVE_INFINITY });
  assert.equal((await find(id)).vouchers.length, 0, 'a failed batch does not go on');
});

test('a kill between any two steps after a batch was resumed loses and doubles no voucher', async () => {
  let wasKilled = true;
  for (let steps = 1; wasKilled && steps <= MAX_STEPS; steps += STRIDE) {
    const id = await lives.begin(3, { printerId });
    const respond = async () => failWith('refused', 'login');
    await lives.live({ steps: Number.POSITIVE_INFINITY, respond });
    await lives.live({ steps: Number.POSITIVE_INFINITY });
    assert.equal((await find(id)).vouchers.length, 0, 'it does not go on by itself');
    assert.equal(await service.beside.batches.resume(id), 'resumed');
    wasKilled = await lives.live({ steps });
    await lives.live({ steps: Number.POSITIVE_INFINITY });
    await assertComplete(id, 3);
    assert.equal(await service.beside.batches.resume(id), 'not-needed');
  }
});

test('a batch that waits orders nothing more once its API key or user may no longer order', async () => {
  const key = String(service.rows('select id from api_keys')[0]?.id);
  const user = await addUser(service, 'rita@example.org', 'operator');
  service.change(`insert into user_sites (user_id, site_id) values (${user}, 1)`);
  const ofKey = (change: string) => [`update api_keys set ${change} where id = '${key}'`];
  const ofUser = (change: string) => [
    `update batches set api_key_id = null, user_id = ${user} where ended_at_ms is null`,
    change,
  ];
  const changes = [
    ofKey('revoked_at_ms = 1'),
    ofKey("revoked_at_ms = null, site_ids = ''"),
    ofKey("site_ids = 'all', scope = 'read'"),
    ofKey("scope = 'write', expires_at_ms = 1"),
    ofUser(`update users set active = 0 where id = ${user}`),
    ofUser(`update users set active = 1 where id = ${user}; delete from user_sites where user_id = ${user}`),
  ];
  for (const change of changes) {
    const id = await lives.begin(5);
    const respond = async () => failWith('unreachable', 'nobody-answers');
    await lives.live({ steps: Number.POSITIVE_INFINITY, respond, stopsAtPause: () => true });
    for (const one of change.flatMap((several) => several.split('; '))) service.change(one);
    await lives.live({ steps: Number.POSITIVE_INFINITY });
    const { problem, vouchers } = await find(id);
    assert.deepEqual([problem, vouchers.length], ['not-allowed', 0], String(change));
  }
  service.change(`update api_keys set expires_at_ms = null where id = '${key}'`);
});

test('a refusal ends a batch at once', async () => {
  const id = await lives.begin(5);
  await lives.live({ steps: Number.POSITIVE_INFINITY, respond: async () => failWith('refused', 'login') });
  assert.equal((await find(id)).cause, 'login');
});

test('a batch that an earlier release left behind, or that was left for too long, fails without another order', async () => {
  for (const change of ['goes_on_until_ms = null', 'goes_on_until_ms = goes_on_until_ms - 1800000']) {
    const id = await lives.begin(5);
    service.change(`update batches set ${change} where id = '${id}'`);
    await lives.live({ steps: Number.POSITIVE_INFINITY });
    const { problem, vouchers } = await find(id);
    assert.deepEqual([problem, vouchers.length], ['interrupted', 0]);
  }
});

test('a clock that is set back by hours does not make a batch wait for longer', async () => {
  const id = await lives.begin(5);
  service.change(`update batches set goes_on_until_ms = goes_on_until_ms + 7200000 where id = '${id}'`);
  await lives.live({ steps: Number.POSITIVE_INFINITY, respond: async () => failWith('unreachable', 'away') });
  assert.notEqual((await find(id)).endedAtMs, null);
});

test('two processes that fill one batch at the same time create no more than was ordered', async () => {
  const id = await lives.begin(150, { printerId });
  const { siteId: _, ...order } = { siteId: 0, name: `2026-01-15_x${id}`, maxUses: 1, expireMinutes: 60 };
  const intent = {
    ...{
      siteId: (await find(id)).order.siteId,
      siteName: 'Demo',
      batchId: id,
      actor: (await find(id)).createdBy,
    },
    order: { ...order, downKbps: 0, upKbps: 0, quotaMb: 0 },
  };
  const opened = await Promise.all(
    Array.from({ length: 4 }, () => service.beside.vouchers.begin(intent, { count: 100 })),
  );
  const counts = opened.map((one) => (one.ok ? one.value.length : -1));
  assert.deepEqual(
    counts.sort((one, other) => one - other),
    [0, 0, 50, 100],
  );
  service.change(`delete from intents where batch_id = '${id}'`);
  await service.beside.batches.end(id, { problem: 'interrupted', cause: null, actor: intent.actor, atMs: 0 });
  const late = await service.beside.vouchers.begin(intent, { count: 1 });
  assert.deepEqual(late, ok([]));
});
