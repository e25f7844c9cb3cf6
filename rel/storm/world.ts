// The installation of a storm: instances on one PostgreSQL server, two consoles, a mail server that often fails, a
// receipt printer, and keys, screens and a reserve for the callers.

import { setTimeout as sleep } from 'node:timers/promises';
import { startEscPosPrinter } from '../../packages/printers/src/index.ts';
import { type SimulatedConsole, startSimulatedConsole } from '../../packages/unifi-console/src/index.ts';
import { openInstallation } from '../../src/app/installation.ts';
import { asSiteId, type PrinterId, type SiteId } from '../../src/kernel/ids.ts';
import type { Installation } from '../../src/kernel/installation.ts';
import type { Scope } from '../../src/kernel/keys/api-key.ts';
import { makeSyncUseCases } from '../../src/kernel/vouchers/sync-use-cases.ts';
import { readConfig } from '../../src/platform/config/read-config.ts';
import type { Clock } from '../../src/platform/time/clock.ts';
import { TESTER } from '../../tests/support/actors.ts';
import { addPrinterTo } from '../../tests/support/added-printer.ts';
import { addScreenTo, pairDevice } from '../../tests/support/added-screen.ts';
import { makeTestDatabase, type TestDatabase } from '../../tests/support/postgres.ts';
import { makeFolder } from '../../tests/support/run-gastpass.ts';
import { type FlakyMailServer, startFlakyMailServer } from '../mail/flaky-mail-server.ts';
import { type PacedService, startPacedService } from '../paced-service.ts';

/** Scales the pauses and time-outs of mails and print jobs. */
const PACE = 0.1;
const CONSOLE_LATENCY_MS = 50;
const RESERVE = 10;
const LATER_MS = 10 * 60_000;
const PATIENCE_MS = 60_000;
const PAUSE_MS = 500;

export interface StormSite {
  siteId: SiteId;
  console: SimulatedConsole;
  printerId: PrinterId;
}

export interface World {
  database: TestDatabase;
  services: PacedService[];
  sites: StormSite[];
  mailServer: FlakyMailServer;
  printer: Awaited<ReturnType<typeof startEscPosPrinter>>;
  /** The same installation, opened in this process as a command would open it. */
  beside: Installation;
  issueKey(scope: Scope, rateLimit?: number): Promise<string>;
  /** Pairs a new kiosk. Returns the Cookie header of its device. */
  openKiosk(siteId: SiteId): Promise<string>;
  /** Kills an instance as a power cut would, and starts another in its place. */
  replace(index: number): Promise<void>;
  /** Settles open intents as if ten minutes had passed. */
  settleLater(): Promise<void>;
  stop(): Promise<void>;
}

export async function openWorld(instances: number, seed: number): Promise<World> {
  const database = await makeTestDatabase();
  const { folder, remove } = makeFolder();
  const mailServer = await startFlakyMailServer(seed);
  const printer = await startEscPosPrinter();
  const environment = {
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    GASTPASS_SECRET: 'a secret for the instances of a storm',
    GASTPASS_DEMO: '0',
    LOG_LEVEL: 'silent',
    PORT: '0',
    SYNC_INTERVAL_S: '5',
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    SMTP_TLS: 'off',
    MAIL_FROM: 'Hotel <wlan@hotel.example>',
  };
  const open = (clock?: Clock) => {
    const { config, issues } = readConfig(environment);
    if (!config) throw new Error(`the configuration of the storm is faulty: ${issues}`);
    return openInstallation(config, clock);
  };
  const beside = await open();
  const audit = () => ({ actor: TESTER, atMs: Date.now() });
  const sites: StormSite[] = [];
  for (const kind of ['unifi', 'unifi-classic'] as const) {
    const console = await startSimulatedConsole({ latencyMs: CONSOLE_LATENCY_MS });
    const { url, apiKey, username, password, fingerprint256 } = console;
    const credentials = kind === 'unifi' ? { apiKey } : { username, password };
    const connection = { url, credentials, trust: { kind: 'pinned' as const, fingerprint256 } };
    const site = { name: `Haus ${kind}`, active: true, controllerKind: kind, controllerSite: 'default' };
    const siteId = asSiteId(await beside.sites.add({ ...site, connection }, audit()));
    await beside.reserves.set({ siteId, wanted: RESERVE, profileId: null }, audit());
    const printerId = await addPrinterTo(beside, {
      siteId,
      name: 'Empfang',
      kind: 'escpos',
      address: `127.0.0.1:${printer.port}`,
    });
    sites.push({ siteId, console, printerId });
  }
  // While the database is away, no service starts. Tries again, as a service manager does.
  const start = () => stubborn(() => startPacedService(environment, PACE));
  const services = await Promise.all(Array.from({ length: instances }, start));

  return {
    database,
    services,
    sites,
    mailServer,
    printer,
    beside,
    async issueKey(scope, rateLimit = 0) {
      const key = { name: 'Storm', scope, rateLimit };
      return (await stubborn(() => beside.issueKey(key, audit()))).keyText;
    },
    openKiosk: (siteId) =>
      stubborn(async () => {
        const limits = { perMinute: '60', perDay: '1000' };
        const { pairingCode } = await addScreenTo(beside, { siteId, ...limits });
        return pairDevice(services.find((service) => service.isRunning())?.url ?? '', pairingCode);
      }),
    async replace(index) {
      await services[index]?.kill();
      services[index] = await start();
    },
    async settleLater() {
      const installation = await open({ nowMs: () => Date.now() + LATER_MS });
      await makeSyncUseCases(installation).settleIntents(new AbortController().signal);
      await installation.close();
    },
    async stop() {
      await Promise.all(services.map((service) => service.kill()));
      await beside.close();
      for (const { console } of sites) await console.stop();
      await printer.stop();
      await mailServer.stop();
      await database.drop();
      remove();
    },
  };
}

/** Repeats what fails while the database is away. */
export async function stubborn<Value>(act: () => Promise<Value>): Promise<Value> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (performance.now() > giveUpAt) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
