// Keeps the log short while the database is unavailable. One error per minute is logged with its stack. Other errors
// are logged without their stack if they have fields of their own, such as those of an order, and only counted
// otherwise. When the database works again, one line tells how long the outage lasted and how many errors there were.

import { DatabaseUnavailable } from '../values/database-unavailable.ts';
import type { Log } from './log.ts';

const STACK_EVERY_MS = 60_000;
const PROBE_EVERY_MS = 1_000;
/**
 * An error that has only these fields may be counted instead of logged. An error with other fields, such as those of an
 * order, is always logged.
 */
const COUNTED_FIELDS = new Set(['err', 'requestId', 'worker']);

interface Deps {
  log: Log;
  /** Rejects while the database is unavailable. Called only after an error. */
  probe: () => Promise<unknown>;
  nowMs?: () => number;
}

export interface OutageLog {
  log: Log;
  /** Ends the probes, and logs an outage that has not ended. */
  stop(): void;
}

export function makeOutageLog({ log, probe, nowMs = () => performance.now() }: Deps): OutageLog {
  let outage: { sinceMs: number; errors: number } | undefined;
  let stackAtMs = Number.NEGATIVE_INFINITY;
  let leftOut = 0;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function write(level: 'warn' | 'error', fields: Record<string, unknown>, message: string): void {
    const { err, ...facts } = fields;
    if (!(err instanceof DatabaseUnavailable)) {
      log[level](fields, message);
      return;
    }
    const isFirst = outage === undefined;
    outage ??= { sinceMs: nowMs(), errors: 0 };
    outage.errors++;
    if (isFirst) probeLater(outage.errors);

    if (nowMs() - stackAtMs >= STACK_EVERY_MS) {
      log[level](leftOut > 0 ? { ...fields, leftOut } : fields, message);
      stackAtMs = nowMs();
      leftOut = 0;
    } else if (isFirst || Object.keys(facts).some((name) => !COUNTED_FIELDS.has(name)))
      log[level]({ ...facts, reason: err.message }, message);
    else leftOut++;
  }

  function probeLater(errorsBefore: number): void {
    if (isStopped) return;
    timer = setTimeout(async () => {
      const isWorking = await probe().then(
        () => true,
        () => false,
      );
      if (!outage || isStopped) return;
      // An overloaded database may answer the probe but not other queries. So the outage ends only if there were no new
      // errors either.
      if (isWorking && outage.errors === errorsBefore) finish('database works again');
      else probeLater(outage.errors);
    }, PROBE_EVERY_MS).unref();
  }

  function finish(message: string): void {
    if (!outage) return;
    const { sinceMs, errors } = outage;
    log.warn({ unavailableMs: Math.round(nowMs() - sinceMs), errors }, message);
    outage = undefined;
    leftOut = 0;
  }

  return {
    log: {
      debug: (fields, message) => log.debug(fields, message),
      info: (fields, message) => log.info(fields, message),
      warn: (fields, message) => write('warn', fields, message),
      error: (fields, message) => write('error', fields, message),
      isLevelEnabled: (level) => log.isLevelEnabled(level),
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
      finish('service stops while the database is unavailable');
    },
  };
}
