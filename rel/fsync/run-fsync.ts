// Checks with strace that nothing is sent before it is on disk. Called by `npm run rel -- fsync`; the tests run a short
// version.

import { findTooEarly, syncsOf } from './check-order.ts';
import { traceOrders } from './traced-service.ts';

const AT_ONCE = [1, 16];
const SHOWN = 20;

/** True if no fault was found. */
export async function runFsync({ count, isSynced }: { count: number; isSynced: boolean }): Promise<boolean> {
  let isGood = true;
  for (const atOnce of AT_ONCE) {
    const trace = await traceOrders({ count, atOnce, isSynced });
    const faults = findTooEarly(trace);
    const syncs = syncsOf(trace.calls, trace.log);
    const onMainThread = syncs.filter(({ thread }) => thread === trace.mainThread).length;
    for (const fault of faults.slice(0, SHOWN)) console.log(`BAD   ${fault}`);
    console.log(
      `${faults.length === 0 ? 'good' : 'BAD '}  ${trace.vouchers.length} vouchers, ${atOnce} at a time: ` +
        `${syncs.length} syncs of the log, ${onMainThread} of them on the main thread; ` +
        `${faults.length} orders or codes sent before they were on disk`,
    );
    isGood &&= faults.length === 0;
  }
  return isGood;
}
