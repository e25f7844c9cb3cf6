// A service whose writes and syncs are traced by strace, while clients order vouchers: one at a time, or several at
// once.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder, startGastpass } from '../../tests/support/run-gastpass.ts';
import { type Acknowledged, orderVoucher, prepareOrdering, runAtOnce } from '../ordering.ts';
import { readTrace, type SystemCall } from './read-trace.ts';

const TRACED = 'trace=pwrite64,write,writev,sendto,sendmsg,fsync,fdatasync';
/** A sync takes as long as on a slow disk, so that a response before its end is noticed. */
const SLOW = 'inject=fsync,fdatasync:delay_enter=4000';
const SKIPPED = 'inject=fsync,fdatasync:retval=0';
/** More than a page of the database. */
const MAX_STRING = '5000';
const PATIENCE_MS = 30_000;

export interface Trace {
  calls: SystemCall[];
  vouchers: Acknowledged[];
  /** The path of the write-ahead log of the database. */
  log: string;
  /** The console's end of its connections, as strace writes it. */
  consoleAddress: string;
  mainThread: number;
}

/** @param isSynced false to skip the syncs and report success to the service */
export async function traceOrders(input: {
  count: number;
  atOnce: number;
  isSynced?: boolean;
}): Promise<Trace> {
  const { count, atOnce, isSynced = true } = input;
  const { folder, remove } = makeFolder();
  const ordering = await prepareOrdering();
  const { environment, key, dataDir, consoleSite: siteId } = ordering;
  const report = join(folder, 'strace.txt');
  // With -D, the started process is the service, not strace: it gets the signals, and the exit code is its own.
  const inject = isSynced ? SLOW : SKIPPED;
  const options = ['-D', '-f', '-yy', '-s', MAX_STRING, '-o', report, '-e', TRACED, '-e', inject];
  try {
    const service = await startGastpass({
      environment: { ...environment, LOG_LEVEL: 'silent' },
      prefix: ['strace', ...options],
    });
    const vouchers: Acknowledged[] = [];
    await runAtOnce({ count, atOnce }, async (number) => {
      const name = `fsync-probe-${atOnce}-${String(number).padStart(5, '0')}`;
      vouchers.push(await orderVoucher(service, { key, siteId, name }));
    });
    const mainThread = Number(service.child.pid);
    await service.stop();
    return {
      calls: readTrace(await untilComplete(report, mainThread)),
      vouchers,
      log: join(dataDir, 'gastpass.sqlite-wal'),
      consoleAddress: `->${new URL(ordering.console.url).host}]`,
      mainThread,
    };
  } finally {
    ordering.remove();
    remove();
  }
}

/** Waits for strace, which ends after the service. */
async function untilComplete(report: string, mainThread: number): Promise<string> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  const ended = new RegExp(`^${mainThread} +\\+\\+\\+ exited`, 'm');
  for (;;) {
    const text = readFileSync(report, 'latin1');
    if (ended.test(text)) return text;
    if (performance.now() > giveUpAt) throw new Error('the trace has no end');
    await sleep(50);
  }
}
