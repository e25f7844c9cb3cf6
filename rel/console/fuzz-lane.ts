// One lane of the fuzzing run: an installation with one site on a console that damages its answers to one operation.
// The lane calls the use cases again and again and compares the records with the vouchers that the console really has.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Operation } from '../../packages/unifi-console/src/http.ts';
import { openInstallation } from '../../src/app/installation.ts';
import { asVoucherId } from '../../src/kernel/ids.ts';
import { makeCreationUseCases } from '../../src/kernel/vouchers/creation-use-cases.ts';
import { makeRevocationUseCases } from '../../src/kernel/vouchers/revocation-use-cases.ts';
import { makeSyncUseCases } from '../../src/kernel/vouchers/sync-use-cases.ts';
import { TESTER } from '../../tests/support/actors.ts';
import { makeFakeClock } from '../../tests/support/fake-clock.ts';
import { findFastFolder } from '../../tests/support/fast-folder.ts';
import { makeFolder } from '../../tests/support/run-gastpass.ts';
import { testConfig } from '../../tests/support/test-service.ts';
import { makeWorld } from '../sim/world.ts';
import { startFuzzingConsole } from './fuzzing-console.ts';

export type FuzzedKind = 'unifi' | 'unifi-classic';

export interface LaneOptions {
  kind: FuzzedKind;
  operation: Operation;
  seed: number;
}

export interface Lane {
  name: string;
  /** Runs until the console has sent this many damaged answers in all. */
  runUntil(mutated: number): Promise<void>;
  report(): LaneReport;
  close(): Promise<void>;
}

export interface LaneReport {
  name: string;
  mutated: number;
  /** Vouchers on the console that only the next complete list brought back, after a lie that cannot be noticed. */
  recovered: number;
  faults: string[];
}

/** Longer than the longest pause after a refused login, and than an intent is kept without a match. */
const STEP_MS = 16 * 60_000;
/** How often the console answers truthfully, and everything is compared. */
const COMPARE_EVERY = 20;
/** Old vouchers are deleted on the console, so that lists stay short. */
const MAX_KEPT = 10;
const LIMITS = { maxUses: 1, expireMinutes: 480, downKbps: 0, upKbps: 0, quotaMb: 0 };
const SINGLE_STEPS: Operation[] = ['probe', 'login', 'info', 'status', 'sites', 'guests'];
/** With these answers to a creation, a console says that it created nothing. */
const isRefusal = (status: number) => status >= 400 && status < 500;

export async function openLane({ kind, operation, seed }: LaneOptions): Promise<Lane> {
  const name = `${kind} ${operation}`;
  const random = makeWorld(seed);
  const clock = makeFakeClock();
  const { folder, remove } = makeFolder(findFastFolder());
  const console = await startFuzzingConsole(operation, random, { clock: clock.nowMs });
  const { simulated } = console;
  const installation = await openInstallation(testConfig({ DATA_DIR: folder }), clock);
  const { apiKey, username, password } = simulated;
  const credentials = kind === 'unifi' ? { apiKey } : { username, password };
  const connection = { url: console.url, credentials, trust: { kind: 'ca' as const } };
  const siteId = await installation.sites.add(
    { name, active: true, controllerKind: kind, controllerSite: 'default', connection },
    { actor: TESTER, atMs: clock.nowMs() },
  );
  const { createVouchers } = makeCreationUseCases(installation, { timeZone: 'Europe/Berlin' });
  const { revokeVoucher } = makeRevocationUseCases(installation);
  const { syncSite, settleIntents } = makeSyncUseCases(installation);
  const records = new DatabaseSync(join(folder, 'gastpass.sqlite'), { readOnly: true });
  const byId = records.prepare(
    'select id, code, ended_at_s, revoked_at_s from vouchers where controller_voucher_id = ?',
  );
  const kept = records.prepare(
    'select (select count(*) from vouchers) + (select count(*) from intents) as n',
  );
  const countKept = () => Number(kept.get()?.n);
  const faults: string[] = [];
  let steps = 0;
  let recovered = 0;

  /** The vouchers of the console, with their ids in the driver's API. */
  const vouchers = () =>
    simulated.vouchers
      .all()
      .map((stored) => ({ stored, name: stored.note, id: kind === 'unifi' ? stored.uuid : stored.id }));
  const note = (fault: string) =>
    void faults.push(`${name}, step ${steps}, ${console.last?.story}: ${fault}`);

  async function site() {
    const found = await installation.sites.find(siteId);
    if (!found) throw new Error('the site of the lane is gone');
    return found;
  }

  async function truthfully<Value>(run: () => Promise<Value>): Promise<Value> {
    const before = console.isOn;
    console.isOn = false;
    try {
      return await run();
    } finally {
      console.isOn = before;
    }
  }

  async function order(): Promise<void> {
    await createVouchers({ ...LIMITS, siteId, name: `Gast ${steps}` }, 1, { actor: TESTER });
  }

  const sync = async () => syncSite(await site(), AbortSignal.timeout(60_000));

  async function step(): Promise<void> {
    const driver = installation.controllerOf(await site());
    const signal = AbortSignal.timeout(60_000);
    if (operation === 'create') return order();
    if (operation === 'list') {
      await truthfully(order);
      await settleIntents(signal, siteId);
      return void (await sync());
    }
    if (operation === 'delete') {
      await truthfully(order);
      return revokeNewest();
    }
    if (operation === 'guests') return void (await driver.findUses(signal));
    if (operation === 'probe' || operation === 'login') simulated.sessions.closeAll();
    if (operation === 'status' || operation === 'info') await driver.readVersion?.(signal);
    if (operation === 'sites') await driver.listSites(signal);
    await driver.check(signal);
  }

  async function revokeNewest(): Promise<void> {
    const newest = vouchers().at(-1);
    const record = newest && byId.get(newest.id);
    if (!newest || !record) return;
    const { id, code } = record;
    const revocable = {
      id: asVoucherId(Number(id)),
      siteId,
      controllerVoucherId: newest.id,
      code: String(code),
    };
    await revokeVoucher(revocable, { actor: TESTER, atMs: clock.nowMs() });
  }

  /**
   * A voucher that was just ordered is recorded or has an open intent, unless the console denied having created it. A
   * damaged answer may change the name and the id in the record; the next sync imports such a voucher under its own id.
   */
  function compareNewest(ids: ReadonlySet<string>, kept: number): void {
    const wasDenied = operation === 'create' && console.last && isRefusal(console.last.status);
    if (wasDenied || countKept() > kept) return;
    for (const { id, name: voucherName } of vouchers())
      if (!ids.has(id)) note(`${voucherName} is not recorded and has no intent`);
  }

  function compareRevoked(): void {
    for (const { id } of vouchers())
      if (byId.get(id)?.revoked_at_s != null) note('a voucher that the console has is recorded as revoked');
  }

  /** After two truthful syncs every voucher of the console is recorded as usable. */
  async function compareAll(): Promise<void> {
    compareRevoked();
    for (const { id } of vouchers()) if (byId.get(id)?.ended_at_s !== null) recovered++;
    await truthfully(async () => {
      for (let rounds = 0; rounds < 2; rounds++) {
        clock.advance(STEP_MS);
        const synced = await sync();
        if (!synced?.ok) note(`the sync fails with truthful answers: ${synced?.problem.text}`);
      }
    });
    for (const { id } of vouchers()) {
      const record = byId.get(id);
      if (!record) note('a voucher of the console is not recorded');
      else if (record.ended_at_s !== null) note('a voucher of the console is recorded as ended');
    }
    for (const { stored } of vouchers().slice(0, -MAX_KEPT)) simulated.vouchers.delete(stored);
  }

  return {
    name,
    async runUntil(mutated) {
      while (console.mutated < mutated) {
        steps++;
        clock.advance(STEP_MS);
        const before = [new Set(vouchers().map(({ id }) => id)), countKept()] as const;
        console.isOn = true;
        try {
          await step();
        } catch (error) {
          note(`threw ${error instanceof Error ? error.stack : error}`);
        }
        console.isOn = false;
        compareNewest(...before);
        if (steps % COMPARE_EVERY === 0 && !SINGLE_STEPS.includes(operation)) await compareAll();
      }
    },
    report: () => ({ name, mutated: console.mutated, recovered, faults }),
    async close() {
      records.close();
      await installation.close();
      await console.stop();
      remove();
    },
  };
}
