// Kills a primary whose standby is asynchronous and has not received the last second: shows what is lost, and what the
// sync with the consoles brings back. Called by `npm run rel -- failover --asynchronous`.

import { setTimeout as sleep } from 'node:timers/promises';
import { makeSyncUseCases } from '../../src/kernel/vouchers/sync-use-cases.ts';
import { countRows } from '../instances/books.ts';
import { type Fleet, startFleet } from '../instances/fleet.ts';
import { addConsoles, INSTANCES, startLoad, untilServed } from './load.ts';
import { startPatroniCluster } from './patroni-cluster.ts';

const BEFORE_MS = 2_000;
/** How much the standby has not received. Patroni promotes no standby that lacks more than 1 MB. */
const LAG_MS = 500;
const AFTER_MS = 3_000;

/** True if the sync brought every acknowledged voucher back. */
export async function runAsynchronous(): Promise<boolean> {
  const cluster = await startPatroniCluster({ isSynchronous: false });
  process.once('SIGINT', () => process.exit(1));
  process.env.TEST_DATABASE_URL = cluster.url;
  const fleet = await startFleet(INSTANCES);
  try {
    const sites = await addConsoles(fleet);
    const load = await startLoad(fleet, sites);
    await sleep(BEFORE_MS);
    const cutStandby = await cluster.stallStandby();
    await sleep(LAG_MS);
    const killed = await cluster.killPrimary();
    cutStandby();
    await cluster.untilPromoted(killed);
    await untilServed(load);
    await sleep(AFTER_MS);
    await load.stop();

    const lost = await countMissing(fleet, load.promised);
    // An intent that the standby has is open again: settling finds its voucher. Sync imports the others.
    await fleet.settleLater();
    const unsettled = await countMissing(fleet, load.promised);
    const { syncSite } = makeSyncUseCases(fleet.beside);
    for (const site of await fleet.beside.sites.listActive())
      await syncSite(site, new AbortController().signal);
    const stillLost = await countMissing(fleet, load.promised);
    const openIntents = await countRows(fleet, 'intents');
    console.log(
      `${load.promised.length} acknowledged, ${lost} lost by the failover, ${unsettled} missing after settling, ${stillLost} after a sync; ${openIntents} intents open`,
    );
    return stillLost === 0;
  } finally {
    await fleet.stop();
    await cluster.stop();
  }
}

async function countMissing({ database }: Fleet, promised: string[]): Promise<number> {
  const codes = new Set((await database.rows('select code from vouchers')).map(({ code }) => code));
  return promised.filter((code) => !codes.has(code)).length;
}
