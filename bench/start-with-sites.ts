// Starts the service on an installation with many sites, each with vouchers and an API key of its own.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashKeyText, makeKeyText } from '../src/kernel/keys/api-key.ts';
import { cpuMs } from './processor-time.ts';
import { type RunningService, startServiceProcess } from './start-service.ts';

/** The id of the first new site. Site 1 comes with each installation. */
const FIRST_ID = 2;
/** Six vouchers a day. */
const ONE_EVERY_S = 4 * 60 * 60;

export interface FilledSite {
  siteId: number;
  /** Text of a key for this site only. */
  keyText: string;
}

function fillSites(dataDir: string, siteCount: number, vouchersPerSite: number): FilledSite[] {
  const file = new DatabaseSync(join(dataDir, 'gastpass.sqlite'));
  file.exec('pragma synchronous = off; begin');
  const site =
    file.prepare(`insert into sites (id, name, active, controller_kind, controller_site, created_at_ms)
    values (?, ?, 1, 'simulator', 'default', 1)`);
  const key =
    file.prepare(`insert into api_keys (id, name, scope, rate_limit, key_hash, created_at_ms, site_ids)
    values (?, ?, 'write', 1000000, ?, 1, ?)`);
  const voucher =
    file.prepare(`insert into vouchers (site_id, code, name, name_order, max_uses, expire_minutes, down_kbps, up_kbps,
    quota_mb, controller_voucher_id, used_count, created_at_s)
    values (?, ?, 'Zimmer 12', 'zimmer 12', 1, 0, 0, 0, 0, ?, 0, ?)`);
  const nowS = Math.floor(Date.now() / 1_000);
  const filled = Array.from({ length: siteCount }, (_, index) => {
    const siteId = FIRST_ID + index;
    const { id, keyText } = makeKeyText();
    site.run(siteId, `Haus ${siteId}`);
    key.run(id, `Haus ${siteId}`, hashKeyText(keyText).toString('hex'), String(siteId));
    for (let i = 0; i < vouchersPerSite; i++)
      voucher.run(siteId, String(1_000_000_000 + i), `filled-${i}`, nowS - i * ONE_EVERY_S);
    return { siteId, keyText };
  });
  file.exec('commit');
  file.close();
  return filled;
}

/** Waits until the service uses less than a tenth of a processor. */
async function becomeIdle({ process }: RunningService): Promise<void> {
  for (let before = -1_000, now = cpuMs(process.pid); now - before > 100; now = cpuMs(process.pid)) {
    before = now;
    await sleep(1_000);
  }
}

export async function startWithSites(siteCount: number, vouchersPerSite: number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'gastpass-bench-'));
  const first = await startServiceProcess(dataDir);
  await first.stop();
  const sites = fillSites(dataDir, siteCount, vouchersPerSite);
  // The vouchers are not on the controller: two syncs would mark all of them as missing.
  const service = await startServiceProcess(dataDir, { SYNC_INTERVAL_S: '86400' });
  await becomeIdle(service);
  return {
    service,
    sites,
    adminPassword: first.adminPassword,
    async stop(): Promise<void> {
      await service.stop();
      rmSync(dataDir, { recursive: true });
    },
  };
}
