// Tests that a rolling code is revoked when it has been off its screen for half an hour and nobody has used it.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { makeShownCodesTurn } from '../../src/features/screens/shown-codes-turn.ts';
import {
  openSimulatedVouchers,
  type SimulatedVouchers,
} from '../../src/kernel/controllers/simulator/simulated-vouchers.ts';
import type { Installation } from '../../src/kernel/installation.ts';
import { makeRevocationUseCases } from '../../src/kernel/vouchers/revocation-use-cases.ts';
import { makeSyncUseCases } from '../../src/kernel/vouchers/sync-use-cases.ts';
import { fail } from '../../src/platform/values/result.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { unobserved } from '../support/unobserved.ts';
import { siteId, withController } from './support.ts';

const MINUTE_MS = 60_000;
const OFF_SCREEN_MS = 30 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const { folder: dataDir, remove } = makeFolder();
const { signal } = new AbortController();
let service: TestService;
let console: SimulatedVouchers;
let codes: string[] = [];

before(async () => {
  service = await startTestService({ dataDir, jobs: false });
  console = openSimulatedVouchers(dataDir);
});
beforeEach(async () => {
  service.change('delete from vouchers');
  console.forget('1/');
  for (const name of ['A', 'B']) await service.call('POST', 'vouchers.php', { body: { site_id: 1, name } });
  codes = service.rows('select code from vouchers order by id').map(({ code }) => String(code));
  takeOff(service.clock.nowMs());
});
after(async () => {
  console.close();
  await service.stop();
  remove();
});

/** As if the screen had shown other codes since `atMs`. */
function takeOff(atMs: number): void {
  service.change('delete from shown_codes');
  service.change(
    `insert into shown_codes (voucher_id, due_at_ms) select id, ${atMs + OFF_SCREEN_MS} from vouchers`,
  );
}

async function sync(): Promise<void> {
  const site = await service.beside.sites.findActive(siteId);
  assert.ok(site);
  await makeSyncUseCases(service.beside).syncSite(site, signal);
}

async function turn(installation: Installation = service.beside): Promise<void> {
  const { revokeVoucher } = makeRevocationUseCases(installation);
  const { log } = unobserved;
  await makeShownCodesTurn({ ...installation, revokeVoucher, monotonicMs: () => 0, log })(signal);
}

/** As `sync`, but somebody does something after the list was read, and the sync takes two seconds more. */
async function syncSlowly(meanwhile: () => void): Promise<void> {
  const slow = withController(service.beside, (controller) => ({
    async forEachVoucherChunk(...args) {
      const failure = await controller.forEachVoucherChunk(...args);
      meanwhile();
      service.clock.advance(2_000);
      return failure;
    },
  }));
  const site = await slow.sites.findActive(siteId);
  assert.ok(site);
  await makeSyncUseCases(slow).syncSite(site, signal);
}

const onConsole = () => console.page('1/default', '', 10).map(({ code }) => code);
const waiting = () => service.rows('select * from shown_codes').length;

test('a code is revoked after half an hour, once a sync knows that nobody has used it', async () => {
  service.clock.advance(OFF_SCREEN_MS - 1);
  await sync();
  await turn();
  assert.equal(onConsole().length, 2);
  service.clock.advance(MINUTE_MS);
  await turn();
  assert.equal(onConsole().length, 2, 'the last sync is older than the half hour');
  await sync();
  await turn();
  assert.deepEqual([onConsole(), waiting()], [[], 0]);
  const [entry] = service.rows(
    "select * from audit where action = 'voucher.revoked' order by id desc limit 1",
  );
  assert.equal(entry?.actor, 'Clean-up');
});

test('a code that a guest used in time, while a sync was running, is not revoked', async () => {
  // The sync begins a second before the codes are due, and ends a second after.
  service.clock.advance(OFF_SCREEN_MS - 1_000);
  await syncSlowly(() => assert.ok(console.redeem('1/default', codes[0] ?? '', service.clock.nowMs())));
  await turn();
  assert.deepEqual([onConsole().length, waiting()], [2, 2]);
  await sync();
  await turn();
  assert.deepEqual([onConsole(), waiting()], [[codes[0]], 0]);
});

test('a sync that was recorded while the clock was ahead does not count', async () => {
  service.clock.advance(OFF_SCREEN_MS + MINUTE_MS);
  await service.beside.syncs.noteSuccess(siteId, service.clock.nowMs() + DAY_MS);
  await turn();
  assert.equal(onConsole().length, 2);
  await sync();
  await turn();
  assert.equal(onConsole().length, 0);
});

test('a code that a guest has used stays, and is forgotten', async () => {
  console.redeem('1/default', codes[0] ?? '', service.clock.nowMs());
  service.clock.advance(OFF_SCREEN_MS + MINUTE_MS);
  await turn();
  assert.equal(onConsole().length, 2);
  await sync();
  await turn();
  assert.deepEqual([onConsole(), waiting()], [[codes[0]], 0]);
});

test('a failed revocation is tried again later', async () => {
  service.clock.advance(OFF_SCREEN_MS + MINUTE_MS);
  await sync();
  const AWAY = fail({ kind: 'unreachable' as const, cause: 'away' as const, text: 'nobody answers' });
  await turn(withController(service.beside, () => ({ deleteVoucher: async () => AWAY })));
  assert.equal(waiting(), 2);
  await turn();
  assert.deepEqual([onConsole(), waiting()], [[], 0]);
});

test('a clock that is 800 days ahead revokes nothing', async () => {
  await service.beside.beat();
  service.clock.advance(800 * DAY_MS);
  await sync();
  await turn();
  service.clock.advance(-800 * DAY_MS);
  assert.deepEqual([onConsole().length, waiting()], [2, 2]);
});

test('a code that was taken off while the clock was ahead is due within half an hour', async () => {
  takeOff(service.clock.nowMs() + 800 * DAY_MS);
  await turn();
  service.clock.advance(OFF_SCREEN_MS + MINUTE_MS);
  await sync();
  await turn();
  assert.deepEqual([onConsole(), waiting()], [[], 0]);
});

test('a site that is switched off is left alone', async () => {
  service.clock.advance(OFF_SCREEN_MS + MINUTE_MS);
  await sync();
  service.change('update sites set active = 0');
  await turn();
  service.change('update sites set active = 1');
  assert.equal(onConsole().length, 2);
});
