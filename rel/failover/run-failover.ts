// Kills the primary of a PostgreSQL cluster again and again while two instances create and list vouchers. Called by
// `npm run rel -- failover`; prints a table with one line per kill.

import { setTimeout as sleep } from 'node:timers/promises';
import { auditBooks, countRows } from '../instances/books.ts';
import { type Fleet, startFleet } from '../instances/fleet.ts';
import { type Asked, addConsoles, INSTANCES, type Load, startLoad, untilServed } from './load.ts';
import { PATRONI_TIMES, type PatroniCluster, startPatroniCluster } from './patroni-cluster.ts';

/** How long the load runs before each kill, and after the standby is back. */
const BEFORE_KILL_MS = 2_000;

/** True if no acknowledged voucher is missing, and every failed request is explained by the missing primary. */
export async function runFailover({ kills }: { kills: number }): Promise<boolean> {
  const { ttl, loop_wait, retry_timeout } = PATRONI_TIMES;
  console.log(`Patroni with ttl ${ttl}, loop_wait ${loop_wait}, retry_timeout ${retry_timeout} s`);
  const cluster = await startPatroniCluster();
  process.once('SIGINT', () => process.exit(1));
  process.env.TEST_DATABASE_URL = cluster.url;
  const fleet = await startFleet(INSTANCES);
  try {
    const sites = await addConsoles(fleet);
    console.log(
      '| kill | acknowledged | missing | 201 | 200 | 503 | 500 | other | promoted after s | outage s |',
    );
    console.log('|---|---|---|---|---|---|---|---|---|---|');
    const load = await startLoad(fleet, sites);
    let isGood = true;
    for (let kill = 1; kill <= kills; kill++)
      isGood = (await runKill(kill, { cluster, fleet, load })) && isGood;
    await load.stop();
    const openIntents = await countRows(fleet, 'intents');
    await fleet.settleLater();
    const faults = await auditBooks(fleet, sites, load.promised);
    console.log(
      `${load.promised.length} acknowledged; ${openIntents} orders were open and are settled; ${faults.join(', ') || 'nothing is lost, doubled or orphaned'}`,
    );
    return isGood && faults.length === 0;
  } finally {
    await fleet.stop();
    await cluster.stop();
  }
}

async function runKill(
  kill: number,
  { cluster, fleet, load }: { cluster: PatroniCluster; fleet: Fleet; load: Load },
): Promise<boolean> {
  const from = load.asked.length;
  await sleep(BEFORE_KILL_MS);
  const killedAt = performance.now();
  const killed = await cluster.killPrimary();
  await cluster.untilPromoted(killed);
  const promotedS = secondsSince(killedAt);
  await untilServed(load);
  await cluster.revive(killed);
  await sleep(BEFORE_KILL_MS);
  const asked = load.asked.slice(from);
  const promised = [...load.promised];
  const recorded = new Set((await fleet.database.rows('select code from vouchers')).map(({ code }) => code));
  const missing = promised.filter((code) => !recorded.has(code)).length;
  const count = (status: number) => asked.filter((response) => response.status === status).length;
  const others = asked.filter((response) => !isExpected(response));
  const cells = [
    promised.length,
    missing,
    ...[201, 200, 503, 500].map(count),
    others.length,
    promotedS,
    longestGapS(asked),
  ];
  console.log(`| ${[kill, ...cells].join(' | ')} |`);
  for (const { isOrder, status, message } of others.slice(0, 5))
    console.log(`  ${isOrder ? 'POST' : 'GET'} ${status} ${message}`);
  return missing === 0 && others.length === 0;
}

/** Success, 503, or 500 with the reason for an order that was already under way. */
function isExpected({ isOrder, status, message }: Asked): boolean {
  if (status === (isOrder ? 201 : 200) || status === 503) return true;
  return isOrder && status === 500 && message.startsWith('the database became unavailable');
}

const secondsSince = (startedAt: number) => ((performance.now() - startedAt) / 1_000).toFixed(1);

/** The longest time without a created voucher. */
function longestGapS(asked: Asked[]): string {
  const created = asked.filter(({ status }) => status === 201).map(({ endedAt }) => endedAt);
  const gaps = created.slice(1).map((endedAt, index) => endedAt - (created[index] ?? endedAt));
  return (Math.max(0, ...gaps) / 1_000).toFixed(1);
}
