// Two loads of everyday life, compared with a bare node:http server that only sends the bytes of a list: lists,
// creations and pages mixed, and lists of 10,000 sites, each asked for with a key of its own.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashKeyText, makeKeyText } from '../src/domain/keys/api-key.ts';
import { creation } from './create.ts';
import { measureLoad, type Request } from './load.ts';
import { loginToService } from './login.ts';
import { cpuMs } from './processor-time.ts';
import { cpuBoundRow, measureInTurns, type Row } from './row.ts';
import { startBareServer } from './start-bare.ts';
import { createVouchers, type RunningService, startServiceProcess } from './start-service.ts';

const CONNECTIONS = 32;
const ROUND_S = 3;
const SITES = 10_000;
const VOUCHERS_PER_SITE = 20;

const list = (siteId: number, keyText: string): Request => ({
  path: `/api/vouchers.php?site_id=${siteId}`,
  headers: { authorization: `Bearer ${keyText}` },
});

async function compare(name: string, service: RunningService, requests: Request[]): Promise<Row> {
  const [first] = requests;
  const response = await fetch(service.url + first?.path, { headers: first?.headers ?? {} });
  const bare = await startBareServer(response);
  const load = { requests, connections: CONNECTIONS, seconds: ROUND_S };
  const sides = await measureInTurns(
    () => measureLoad({ ...load, url: service.url, pid: service.process.pid }),
    () => measureLoad({ ...load, url: bare.url, pid: bare.process.pid }),
  );
  await bare.stop();
  return cpuBoundRow(name, sides);
}

async function benchMixture(): Promise<Row> {
  const service = await startServiceProcess();
  await createVouchers(service, 200);
  const login = { email: 'admin@localhost', password: service.adminPassword };
  const page = { path: '/vouchers', headers: { cookie: await loginToService(service.url, login) } };
  const requests = Array.from({ length: 100 }, (_, i) => {
    if (i === 50) return page;
    return i % 11 === 10 ? creation(service.keyText) : list(1, service.keyText);
  });
  const row = await compare('90 % lists, 9 % creations, 1 % pages', service, requests);
  await service.stop();
  return row;
}

/** Returns the texts of the keys. The key at index `i` is for site `i + 2`. */
function fillSites(dataDir: string): string[] {
  const keys = Array.from({ length: SITES }, makeKeyText);
  const file = new DatabaseSync(join(dataDir, 'gastpass.sqlite'));
  file.exec('pragma synchronous = off; begin');
  const site =
    file.prepare(`insert into sites (id, name, active, controller_kind, controller_site, created_at_ms)
    values (?, ?, 1, 'simulator', 'default', 1)`);
  const key =
    file.prepare(`insert into api_keys (id, name, scope, rate_limit, key_hash, created_at_ms, site_ids)
    values (?, ?, 'read', 1000000, ?, 1, ?)`);
  const voucher =
    file.prepare(`insert into vouchers (site_id, code, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb,
    controller_voucher_id, used_count, created_at_s) values (?, ?, 'Zimmer 12', 1, 0, 0, 0, 0, ?, 0, ?)`);
  for (const [index, { id, keyText }] of keys.entries()) {
    const siteId = index + 2;
    site.run(siteId, `Haus ${siteId}`);
    key.run(id, `Haus ${siteId}`, hashKeyText(keyText).toString('hex'), String(siteId));
    for (let i = 0; i < VOUCHERS_PER_SITE; i++)
      voucher.run(siteId, String(1_000_000_000 + i), `filled-${i}`, 1_700_000_000 + i);
  }
  file.exec('commit');
  file.close();
  return keys.map(({ keyText }) => keyText);
}

/** Waits until the service uses less than a tenth of a processor. */
async function becomeIdle({ process }: RunningService): Promise<void> {
  for (let before = -1_000, now = cpuMs(process.pid); now - before > 100; now = cpuMs(process.pid)) {
    before = now;
    await sleep(1_000);
  }
}

async function benchManySites(): Promise<Row> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gastpass-bench-'));
  await (await startServiceProcess(dataDir)).stop();
  const keys = fillSites(dataDir);
  // The vouchers are not on the controller: two syncs would mark all of them as missing.
  const service = await startServiceProcess(dataDir, { SYNC_INTERVAL_S: '86400' });
  await becomeIdle(service);
  const requests = keys.map((keyText, index) => list(index + 2, keyText));
  const row = await compare(
    `lists of ${VOUCHERS_PER_SITE}, 10,000 sites and keys in turn`,
    service,
    requests,
  );
  await service.stop();
  rmSync(dataDir, { recursive: true });
  return row;
}

export async function benchMix(): Promise<Row[]> {
  return [await benchMixture(), await benchManySites()];
}
