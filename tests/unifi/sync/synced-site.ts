// A site on a simulated UniFi console behind a running service, both on the same clock. Tests let guests use vouchers
// on the console, run a sync and compare the tables.

import assert from 'node:assert/strict';
import { presentVoucher as presentClassic } from '../../../packages/unifi-console/src/classic/present.ts';
import {
  type Fault,
  type StoredVoucher,
  startSimulatedConsole,
} from '../../../packages/unifi-console/src/index.ts';
import { presentVoucher as presentOfficial } from '../../../packages/unifi-console/src/integration/present.ts';
import { openInstallation } from '../../../src/app/installation.ts';
import type { SyncTally } from '../../../src/kernel/vouchers/sync-site.ts';
import { makeSyncUseCases } from '../../../src/kernel/vouchers/sync-use-cases.ts';
import { TESTER } from '../../support/actors.ts';
import { forbidWrites, listRows, tablesOf } from '../../support/disturb-records.ts';
import { engine, readRecords } from '../../support/engine.ts';
import { makeFakeClock } from '../../support/fake-clock.ts';
import { withMoreCases } from '../../support/more-cases.ts';
import { makeFolder } from '../../support/run-gastpass.ts';
import { configOf, startTestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';

export const DRIVERS = [
  { kind: 'unifi', flavour: 'unifi-os' },
  { kind: 'unifi-classic', flavour: 'unifi-os' },
  { kind: 'unifi-classic', flavour: 'unifi-classic' },
] as const;

export type Driver = (typeof DRIVERS)[number];
const [OFFICIAL, , CLASSIC] = DRIVERS;
/**
 * The drivers differ in what they ask a console for, not in their SQL: on PostgreSQL, one is enough. The classic driver
 * uses the same API on both kinds of console: only the long tier tests it on each.
 */
export const TESTED_DRIVERS =
  engine === 'postgres' ? [OFFICIAL] : withMoreCases ? DRIVERS : [OFFICIAL, CLASSIC];
export type SyncedSite = Awaited<ReturnType<typeof openSyncedSite>>;

/** Tables that also change when a sync finds nothing new, or when a key is used. */
const NOT_COMPARED = ['site_syncs', 'controller_sessions', 'api_keys', 'leases', 'instances'];
const LOOK_AGAIN_MS = 5;
const MAX_SHOWN = 6;

export async function openSyncedSite(
  driver: Driver,
  environment: Record<string, string> = {},
  { jobs = true }: { jobs?: boolean } = {},
) {
  const { folder: dataDir, remove } = makeFolder();
  const clock = makeFakeClock();
  const console = await startSimulatedConsole({ flavour: driver.flavour, clock: clock.nowMs });
  const { url, apiKey, username, password, fingerprint256, controls } = console;
  const credentials = driver.kind === 'unifi' ? { apiKey } : { username, password };
  const connection = { url, credentials, trust: { kind: 'pinned' as const, fingerprint256 } };
  const site = { name: 'Haus am See', active: true, controllerKind: driver.kind, controllerSite: 'default' };
  // Added before the service starts: a running service would notice the site only at its next check for sites.
  const installation = await openInstallation(await configOf(dataDir), clock);
  const id = await installation.sites.add({ ...site, connection }, { actor: TESTER, atMs: clock.nowMs() });
  await installation.close();
  const service = await startTestService({ dataDir, clock, environment, webhook: true, jobs });
  const { beside } = service;
  let stopping: Promise<void> | undefined;
  const stopService = () => {
    stopping ??= service.stop();
    return stopping;
  };

  const list = () => service.call('GET', `vouchers.php?site_id=${id}`);
  const tables = tablesOf(service).filter((name) => !NOT_COMPARED.includes(name));
  const dump = () => listRows(service, tables);

  async function trySync(signal = new AbortController().signal) {
    const found = await beside.sites.find(id);
    assert.ok(found);
    return makeSyncUseCases(beside).syncSite(found, signal);
  }

  return {
    service,
    clock,
    controls,
    id,
    list,
    order: (name: string, fields: Record<string, unknown> = {}) =>
      service.call('POST', 'vouchers.php', { body: { site_id: id, name, ...fields } }),
    /** Creates a voucher and returns its code. */
    async make(name: string, fields?: Record<string, unknown>): Promise<string> {
      const reply = await this.order(name, fields);
      assert.equal(reply.status, 201, reply.text);
      return reply.json.code;
    },
    /** The voucher as the API lists it. */
    async shown(code: string): Promise<Record<string, unknown>> {
      const { json } = await list();
      return json.vouchers.find((voucher: { voucher_code: string }) => voucher.voucher_code === code);
    },
    trySync,
    async sync(): Promise<SyncTally> {
      const synced = await trySync();
      assert.ok(synced?.ok, JSON.stringify(synced));
      return synced.value;
    },
    setImport: (importsForeign: boolean) =>
      beside.sites.change(id, { importsForeign }, { actor: TESTER, atMs: clock.nowMs() }),
    dump,
    /** The rows that were added, deleted or changed since then, limited to a readable number. */
    changesSince(before: string[]): string[] {
      const [known, now] = [new Set(before), dump()];
      const [gone, fresh] = [known.difference(new Set(now)), now.filter((row) => !known.has(row))];
      return [...gone, ...fresh].slice(0, MAX_SHOWN);
    },
    /** From now on every write fails, even a write that would change nothing. */
    forbidWrites: () => forbidWrites(service, tables),
    /** Also works after the service has stopped. */
    lastSync: () => readRecords(dataDir, 'select * from site_syncs where site_id = ?', id)[0],
    /** Sets a fault. The promise resolves when a request meets the fault. */
    setFault(fault: Fault): Promise<void> {
      const set = controls.setFault(fault);
      const met = () => controls.faults().some((state) => state.id === set && state.met > 0);
      return until(met, { everyMs: LOOK_AGAIN_MS, ref: false });
    },
    /** A list response with exactly these vouchers, valid for both APIs. */
    listOf: (vouchers: StoredVoucher[]) =>
      JSON.stringify({
        meta: { rc: 'ok' },
        totalCount: vouchers.length,
        data: vouchers.map((voucher) => ({ ...presentClassic(voucher, 0), ...presentOfficial(voucher, 0) })),
      }),
    stopService,
    async [Symbol.asyncDispose]() {
      await stopService();
      await console.stop();
      remove();
    },
  };
}
