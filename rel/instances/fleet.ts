// A fleet: several real instances, each in its own process, on one PostgreSQL database, with consoles for their sites.
// Used by the tests and the long runs of several instances.

import { type SimulatedConsole, startSimulatedConsole } from '../../packages/unifi-console/src/index.ts';
import { openInstallation } from '../../src/app/installation.ts';
import type { Installation } from '../../src/kernel/installation.ts';
import type { Scope } from '../../src/kernel/keys/api-key.ts';
import { makeSyncUseCases } from '../../src/kernel/vouchers/sync-use-cases.ts';
import { readConfig } from '../../src/platform/config/read-config.ts';
import type { Clock } from '../../src/platform/time/clock.ts';
import { TESTER } from '../../tests/support/actors.ts';
import { makeTestDatabase, type TestDatabase } from '../../tests/support/postgres.ts';
import { makeFolder, type RunningGastpass, startGastpass } from '../../tests/support/run-gastpass.ts';

export const SECRET = 'one secret for all instances of a fleet';
const LATER_MS = 10 * 60_000;

export type ConsoleKind = 'unifi' | 'unifi-classic';

export interface Fleet {
  database: TestDatabase;
  /** The environment of every instance. */
  environment: Record<string, string>;
  dataDir: string;
  /** Instances that run now, or ran until they were killed. */
  instances: RunningGastpass[];
  /** The same installation, opened in this process as the command line would open it. */
  beside: Installation;
  start(environment?: Record<string, string>): Promise<RunningGastpass>;
  /** Kills an instance as a power cut would, and starts a new one in its place. */
  replace(index: number): Promise<void>;
  issueKey(scope: Scope, rateLimit?: number): Promise<string>;
  /** Adds a site with its own console. */
  addConsole(kind: ConsoleKind, latencyMs?: number): Promise<FleetSite>;
  /** Settles open intents as if ten minutes had passed. */
  settleLater(): Promise<void>;
  stop(): Promise<void>;
}

export interface FleetSite {
  siteId: number;
  console: SimulatedConsole;
}

export async function startFleet(
  size: number,
  inputs: { environment?: Record<string, string>; database?: TestDatabase } = {},
): Promise<Fleet> {
  const database = inputs.database ?? (await makeTestDatabase());
  const { folder: dataDir, remove } = makeFolder();
  const environment = {
    DATABASE_URL: database.url,
    GASTPASS_SECRET: SECRET,
    GASTPASS_DEMO: '0',
    LOG_LEVEL: 'silent',
    SYNC_INTERVAL_S: '86400',
    ...inputs.environment,
  };
  const beside = await open();
  // No server listens at this URL, so all notifications stay undelivered and can be counted.
  await beside.webhooks.add(
    { url: 'http://127.0.0.1:9/', format: 'generic', platform: null, secrets: null },
    { actor: TESTER, atMs: Date.now() },
  );
  const start = (more = {}) => startGastpass({ dataDir, environment: { ...environment, ...more } });
  const instances = await Promise.all(Array.from({ length: size }, () => start()));
  const consoles: SimulatedConsole[] = [];

  function open(clock?: Clock): Promise<Installation> {
    const { config, issues } = readConfig({ ...environment, DATA_DIR: dataDir });
    if (!config) throw new Error(`the configuration of the fleet is faulty: ${issues}`);
    return openInstallation(config, clock);
  }

  return {
    database,
    environment,
    dataDir,
    instances,
    beside,
    start,
    async replace(index) {
      await instances[index]?.stop('SIGKILL');
      instances[index] = await start();
    },
    async issueKey(scope, rateLimit = 0) {
      return (await beside.issueKey({ name: 'Test', scope, rateLimit }, { actor: TESTER, atMs: Date.now() }))
        .keyText;
    },
    async addConsole(kind, latencyMs = 0) {
      const console = await startSimulatedConsole({ latencyMs });
      consoles.push(console);
      const { url, apiKey, username, password, fingerprint256 } = console;
      const connection = {
        url,
        credentials: kind === 'unifi' ? { apiKey } : { username, password },
        trust: { kind: 'pinned' as const, fingerprint256 },
      };
      const siteId = await beside.sites.add(
        {
          name: 'Haus am See',
          active: true,
          controllerKind: kind,
          controllerSite: 'default',
          connection,
        },
        { actor: TESTER, atMs: Date.now() },
      );
      return { siteId, console };
    },
    async settleLater() {
      const installation = await open({ nowMs: () => Date.now() + LATER_MS });
      await makeSyncUseCases(installation).settleIntents(new AbortController().signal);
      await installation.close();
    },
    async stop() {
      await Promise.all(instances.map((instance) => instance.stop()));
      await beside.close();
      await Promise.all(consoles.map((console) => console.stop()));
      await database.drop();
      remove();
    },
  };
}
