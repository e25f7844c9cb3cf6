// Runs a service with record-writes.c while clients order vouchers, and kills it. Leaves a folder with everything that
// the cuts need: what was written, what was acknowledged, and the installation before the service started.

import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startGastpass } from '../../tests/support/run-gastpass.ts';
import { type Acknowledged, orderVoucher, prepareOrdering, runAtOnce } from '../ordering.ts';
import type { Noted } from '../plain-console.ts';
import { type DiskRecord, readRecording } from './read-recording.ts';

const SHIM = fileURLToPath(new URL('record-writes.c', import.meta.url));
const SYNC_DELAY_US = 2_000;
const CLIENTS = [1, 4, 16, 32];
/** Every third order goes to the simulator. */
const SIMULATOR_SHARE = 3;

export interface Recording {
  records: DiskRecord[];
  /** Vouchers whose codes the client got. */
  acknowledged: Acknowledged[];
  /** Vouchers whose orders reached the console. */
  arrivals: Noted[];
  key: string;
  siteId: number;
  /** The installation before the service started. */
  installation: string;
}

/** @param isSynced false to skip the syncs and report success to the service */
export async function recordOrders(
  folder: string,
  { orders, isSynced }: { orders: number; isSynced: boolean },
): Promise<void> {
  const ordering = await prepareOrdering();
  const { environment, dataDir, key, console, consoleSite, simulatorSite } = ordering;
  const library = join(folder, 'record-writes.so');
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-Wall', '-Werror', '-o', library, SHIM]);
  cpSync(dataDir, join(folder, 'installation'), { recursive: true });
  const service = await startGastpass({
    environment: {
      ...environment,
      LOG_LEVEL: 'silent',
      LD_PRELOAD: library,
      RECORD_TO: join(folder, 'writes'),
      SYNC_DELAY_US: String(SYNC_DELAY_US),
      ...(!isSynced && { IGNORE_SYNCS: '1' }),
    },
  });
  try {
    const acknowledged: Acknowledged[] = [];
    for (const atOnce of CLIENTS)
      await runAtOnce({ count: Math.ceil(orders / CLIENTS.length), atOnce }, async (number) => {
        const siteId = number % SIMULATOR_SHARE === 0 ? simulatorSite : consoleSite;
        const name = `gast-${atOnce}-${number}`;
        acknowledged.push(await orderVoucher(service, { key, siteId, name }));
      });
    const notes = { acknowledged, arrivals: console.arrivals, key, siteId: simulatorSite };
    writeFileSync(join(folder, 'notes.json'), JSON.stringify(notes));
  } finally {
    await service.stop('SIGKILL');
    ordering.remove();
  }
}

export function loadRecording(folder: string): Recording {
  const records = readRecording(readFileSync(join(folder, 'writes')));
  const notes = JSON.parse(readFileSync(join(folder, 'notes.json'), 'utf8'));
  return { ...notes, records, installation: join(folder, 'installation') };
}
