// The vouchers of the simulated controller and their use, in a separate file in the data folder. The simulated
// controller stands for a third-party product, so its SQL is kept here and shares nothing with the service's database.

import { randomInt, randomUUID } from 'node:crypto';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { UpstreamOrder, UpstreamVoucher } from '../controller.ts';

const CODE_DIGITS = 10;
const COLUMNS = `
  id as controllerVoucherId, code, name, max_uses as maxUses, expire_minutes as expireMinutes,
  down_kbps as downKbps, up_kbps as upKbps, quota_mb as quotaMb,
  used_count as usedCount, created_at_ms as createdAtMs, first_used_at_ms as firstUsedAtMs`;

const fileIn = (dataDir: string) => join(dataDir, 'simulator.sqlite');

export const hasSimulatedVouchers = (dataDir: string) => existsSync(fileIn(dataDir));

export type SimulatedVouchers = ReturnType<typeof openSimulatedVouchers>;

export function openSimulatedVouchers(dataDir: string) {
  const path = fileIn(dataDir);
  const file = new DatabaseSync(path, { timeout: 5_000 });
  chmodSync(path, 0o600);
  // The simulator may lose its latest vouchers in a power failure, so it does not sync each voucher to disk.
  file.exec('pragma journal_mode = wal; pragma synchronous = normal');
  file.exec(`
    create table if not exists vouchers (
      id text primary key,
      site text not null,
      code text not null,
      name text not null,
      max_uses integer not null,
      expire_minutes integer not null,
      down_kbps integer not null,
      up_kbps integer not null,
      quota_mb integer not null,
      used_count integer not null default 0,
      created_at_ms integer not null,
      first_used_at_ms integer
    ) strict;
    create unique index if not exists vouchers_code on vouchers (site, code);
    create index if not exists vouchers_name on vouchers (site, name);
    create index if not exists vouchers_site on vouchers (site, id);`);

  const insert = file.prepare(`
    insert into vouchers
      (id, site, code, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb, created_at_ms, used_count,
      first_used_at_ms)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (site, code) do nothing`);
  const selectByName = file.prepare(
    `select ${COLUMNS} from vouchers where site = ? and name = ? order by rowid`,
  );
  const selectChunk = file.prepare(
    `select ${COLUMNS} from vouchers where site = ? and id > ? order by id limit ?`,
  );
  const use = file.prepare(`
    update vouchers set used_count = used_count + 1, first_used_at_ms = coalesce(first_used_at_ms, :now)
    where site = :site and code = :code and used_count < max_uses
      and (first_used_at_ms is null or first_used_at_ms + expire_minutes * 60000 > :now)`);

  const remove = file.prepare('delete from vouchers where site = ? and id = ?');
  const forget = file.prepare('delete from vouchers where substr(site, 1, length(:start)) = :start');

  return {
    create(site: string, order: UpstreamOrder, nowMs: number): UpstreamVoucher {
      const { name, maxUses, expireMinutes, downKbps, upKbps, quotaMb } = order;
      const limits = [maxUses, expireMinutes, downKbps, upKbps, quotaMb];
      for (;;) {
        const controllerVoucherId = makeId(nowMs);
        const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
        const { changes } = insert.run(controllerVoucherId, site, code, name, ...limits, nowMs, 0, null);
        if (changes === 1)
          return {
            ...order,
            controllerVoucherId,
            code,
            usedCount: 0,
            createdAtMs: nowMs,
            firstUsedAtMs: null,
          };
      }
    },
    /** Adds a voucher as it is, unless the site has its code. */
    add(site: string, voucher: UpstreamVoucher): void {
      const { controllerVoucherId, code, name, maxUses, expireMinutes, downKbps, upKbps, quotaMb } = voucher;
      const { createdAtMs, usedCount, firstUsedAtMs } = voucher;
      const limits = [maxUses, expireMinutes, downKbps, upKbps, quotaMb];
      insert.run(controllerVoucherId, site, code, name, ...limits, createdAtMs, usedCount, firstUsedAtMs);
    },
    findByName: (site: string, name: string) => selectByName.all(site, name).map(decodeRow),
    /** Up to `limit` vouchers after the voucher `afterId`, in the order of ids; '' starts at the beginning. */
    page: (site: string, afterId: string, limit: number) =>
      selectChunk.all(site, afterId, limit).map(decodeRow),
    /** Does nothing if the voucher does not exist. */
    remove: (site: string, controllerVoucherId: string) => void remove.run(site, controllerVoucherId),
    /** Simulates a guest who enters the code. Returns false if the code is unknown, used up or expired. */
    redeem: (site: string, code: string, nowMs: number) => use.run({ site, code, now: nowMs }).changes === 1,
    /** Deletes all vouchers of the sites whose key starts with this text. */
    forget: (start: string) => void forget.run({ start }),
    close: () => file.close(),
  };
}

/** A UUID of version 7: ids that grow with time keep the indexes compact. */
function makeId(nowMs: number): string {
  const time = nowMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

function decodeRow(row: Record<string, unknown>): UpstreamVoucher {
  return {
    controllerVoucherId: String(row.controllerVoucherId),
    code: String(row.code),
    name: String(row.name),
    maxUses: Number(row.maxUses),
    expireMinutes: Number(row.expireMinutes),
    downKbps: Number(row.downKbps),
    upKbps: Number(row.upKbps),
    quotaMb: Number(row.quotaMb),
    usedCount: Number(row.usedCount),
    createdAtMs: Number(row.createdAtMs),
    firstUsedAtMs: row.firstUsedAtMs === null ? null : Number(row.firstUsedAtMs),
  };
}
