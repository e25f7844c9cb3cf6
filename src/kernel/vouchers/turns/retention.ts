// Deletes vouchers, batches and audit entries that have passed the retention period, and shortens old IP addresses,
// every hour, in slices with pauses. Does nothing while the clock is doubted.
// The settings and the clock are read before each slice, so a changed retention period takes effect with the next
// slice.

import { setTimeout as sleep } from 'node:timers/promises';
import type { WithLease } from '../../../platform/leases/leases.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { ReadTrustedTime } from '../../clock-check/clock-check.ts';
import type { Settings, SettingsStore } from '../../settings/settings.ts';
import {
  type KeptFrom,
  keptFrom,
  type RetentionRun,
  type RetentionStore,
  wholeIpsFromMs,
} from '../retention.ts';

const EVERY_MS = 60 * 60_000;
const EVERY_IN_DOUBT_MS = 60_000;
const PAUSE_MS = 20;

interface Deps {
  settings: Pick<SettingsStore, 'read'>;
  retention: Pick<RetentionStore, 'begin'>;
  readTrustedTime: ReadTrustedTime;
  withLease: WithLease;
  log: Log;
}

export function makeRetentionTurn({ settings, retention, readTrustedTime, withLease, log }: Deps) {
  return async function retentionTurn(signal: AbortSignal): Promise<number> {
    if (!(await readTrustedTime())) return EVERY_IN_DOUBT_MS;
    await withLease('retention', signal, apply);
    return EVERY_MS;
  };

  async function apply(signal: AbortSignal): Promise<void> {
    let { limitsDeletions } = await settings.read();
    const begun = await readTrustedTime();
    if (!begun) return;
    const run = retention.begin(begun, () => limitsDeletions);
    try {
      for (const step of stepsOf(run)) {
        for (;;) {
          const time = await readTrustedTime();
          if (signal.aborted || !time) return;
          const current = await settings.read();
          limitsDeletions = current.limitsDeletions;
          if (!(await step(limitsOf(current, time.nowMs)))) break;
          await sleep(PAUSE_MS);
        }
      }
    } finally {
      report(run);
    }
  }

  /** Logs at level warn, because deletions cannot be undone. */
  function report(run: RetentionRun): void {
    const { heldBack, ...deleted } = run.report();
    if (Object.values(deleted).some((count) => count > 0))
      log.warn(deleted, 'retention deleted records that have passed their retention period');
    if (heldBack.length > 0)
      log.warn(
        { heldBack },
        'retention has reached its daily limit and continues tomorrow: an administrator can lift the limit in the settings',
      );
  }
}

interface Limits extends KeptFrom {
  ipsMs: number | null;
  nowMs: number;
}

function limitsOf(settings: Settings, nowMs: number): Limits {
  return { ...keptFrom(settings, nowMs), ipsMs: wholeIpsFromMs(settings, nowMs), nowMs };
}

/** Each step handles one slice and is repeated while it returns true: more rows may follow. */
function stepsOf(run: RetentionRun): ((limits: Limits) => Promise<boolean>)[] {
  let batchId: string | undefined = '';
  let auditId: number | undefined = 0;
  return [
    async ({ vouchersS }) => vouchersS !== null && (await run.forgetVouchers(vouchersS)) > 0,
    async ({ vouchersS }) => {
      if (vouchersS === null || batchId === undefined) return false;
      batchId = await run.forgetBatches(vouchersS * 1_000, batchId);
      return batchId !== undefined;
    },
    async ({ auditMs }) => {
      if (auditMs === null || auditId === undefined) return false;
      auditId = await run.forgetAudit(auditMs, auditId);
      return auditId !== undefined;
    },
    async ({ ipsMs, nowMs }) => ipsMs !== null && (await run.shortenIps(ipsMs, nowMs)),
  ];
}
