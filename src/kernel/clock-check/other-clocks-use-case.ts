// Reads the clocks of other machines: of PostgreSQL and of the controllers. Loaded only when this machine's clock
// must be confirmed.

import { existsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import type { Config } from '../../platform/config/config.ts';
import { readServerFacts } from '../../platform/database/postgres/server-facts.ts';
import { probeServer } from '../controllers/upstream/probe-server.ts';
import type { Installation } from '../installation.ts';
import type { OtherClock } from './clock-check-turn.ts';
import { makeIsOtherMachine } from './other-machine.ts';

const PATIENCE_MS = 3_000;
/** How many controllers are asked for their clock. A few suffice: one that agrees confirms this machine's clock. */
const MAX_ASKED = 10;
const CONTAINER_MARKS = ['/.dockerenv', '/run/.containerenv', '/var/run/secrets/kubernetes.io'];

export async function readOtherClocks(installation: Installation, config: Config): Promise<OtherClock[]> {
  const isOtherMachine = makeIsOtherMachine({
    own: Object.values(networkInterfaces()).flatMap((all = []) => all.flatMap(({ cidr }) => cidr ?? [])),
    isContainer: CONTAINER_MARKS.some((path) => existsSync(path)),
  });
  const clocks = await Promise.all([
    readPostgresClock(installation, config).catch(() => undefined),
    ...(await readControllerClocks(installation)),
  ]);
  return clocks.flatMap((clock) => (clock && isOtherMachine(clock.ip) ? clock : []));
}

type ClockAt = OtherClock & { ip: string };

async function readPostgresClock(
  { clock }: Installation,
  { database }: Config,
): Promise<ClockAt | undefined> {
  if (!database) return undefined;
  const { nowMs, ip } = await readServerFacts(database);
  return ip === null ? undefined : { of: 'PostgreSQL', aheadMs: nowMs - clock.nowMs(), ip };
}

async function readControllerClocks({ sites, clock }: Installation): Promise<Promise<ClockAt | undefined>[]> {
  const siteOf = new Map((await sites.listActive()).map((site) => [site.connection?.url, site]));
  return [...siteOf].slice(0, MAX_ASKED).map(async ([url, { id, name }]) => {
    const facts = url === undefined ? undefined : await probeServer(url, { clock, patienceMs: PATIENCE_MS });
    const { aheadMs, ip } = facts ?? {};
    if (aheadMs === undefined || ip === undefined) return undefined;
    return { of: `the controller of site ${id} (${name})`, aheadMs, ip };
  });
}
