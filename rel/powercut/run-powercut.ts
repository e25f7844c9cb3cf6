// Simulated power cuts: every voucher that was acknowledged before a cut is there afterwards. Called by
// `npm run rel -- powercut`; the tests run a short version.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadRecording, recordOrders } from './record-orders.ts';
import { tryCuts } from './try-cuts.ts';

/** Enough for many restarts of the log. */
const ORDERS = 2_000;
const SHOWN = 20;

/** True if no fault was found. @param recording a folder that an earlier run left, to repeat its cuts */
export async function runPowercut(input: {
  cuts: number;
  seed: number;
  isSynced: boolean;
  recording?: string | undefined;
}): Promise<boolean> {
  const { cuts, seed, isSynced } = input;
  const folder = input.recording ?? mkdtempSync(join(tmpdir(), 'gastpass-powercut-'));
  if (!input.recording) await recordOrders(folder, { orders: ORDERS, isSynced });
  const recording = loadRecording(folder);
  const { records, acknowledged, arrivals } = recording;
  const count = (kind: string, file: string) =>
    records.filter((record) => record.kind === kind && record.file === file).length;
  console.log(
    `${acknowledged.length} vouchers, ${arrivals.length} of them on a console: ` +
      `${count('write', 'log')} writes and ${count('sync-end', 'log')} syncs of the log, ` +
      `${count('write', 'database')} writes and ${count('sync-end', 'database')} syncs of the database`,
  );
  const { faults, inCheckpoints, afterRestarts, services } = await tryCuts(recording, { cuts, seed });
  for (const fault of faults.slice(0, SHOWN)) console.log(`BAD   ${fault}`);
  console.log(
    `${faults.length === 0 ? 'good' : 'BAD '}  ${cuts} cuts, seed ${seed}, ${inCheckpoints} in a checkpoint, ` +
      `${afterRestarts} after a restart of the log, ${services} with a service afterwards: ${faults.length} with faults`,
  );
  if (faults.length === 0 && !input.recording) rmSync(folder, { recursive: true });
  else
    console.log(
      `      to repeat: npm run rel -- powercut --cuts ${cuts} --seed ${seed} --recording ${folder}`,
    );
  return faults.length === 0;
}
