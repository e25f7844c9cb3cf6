// Deletes vouchers, batches and audit entries that have passed the retention period, and shortens old IP addresses,
// every hour, in slices with pauses.
// The settings are read before each slice, so a changed retention period takes effect with the next slice.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../domain/clock.ts';
import type { WithLease } from '../domain/leases/leases.ts';
import type { Settings, SettingsStore } from '../domain/settings/settings.ts';
import {
  type KeptFrom,
  keptFrom,
  type RetentionRun,
  type RetentionStore,
  wholeIpsFromMs,
} from '../domain/vouchers/retention.ts';

const EVERY_MS = 60 * 60_000;
const PAUSE_MS = 20;

interface Deps {
  settings: Pick<SettingsStore, 'read'>;
  retention: Pick<RetentionStore, 'begin'>;
  withLease: WithLease;
  clock: Clock;
}

export function makeRetentionTurn({ settings, retention, withLease, clock }: Deps) {
  return async function retentionTurn(signal: AbortSignal): Promise<number> {
    await withLease('retention', signal, apply);
    return EVERY_MS;
  };

  async function apply(signal: AbortSignal): Promise<void> {
    const run = retention.begin(clock.nowMs());
    for (const step of stepsOf(run)) {
      while (!signal.aborted && (await step(limitsOf(await settings.read(), clock.nowMs()))))
        await sleep(PAUSE_MS);
    }
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
