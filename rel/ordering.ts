// An installation with a site on a console and a site on the simulator, and clients that order vouchers from its
// service. Every voucher has a name of its own, which identifies it in a trace of the disk or of the network.

import { openInstallation } from '../src/app/installation.ts';
import { TESTER } from '../tests/support/actors.ts';
import { callApi, makeFolder } from '../tests/support/run-gastpass.ts';
import { testConfig } from '../tests/support/test-service.ts';
import { type Noted, type PlainConsole, startPlainConsole } from './plain-console.ts';

/** Keeps the work of background jobs between the orders small. */
const QUIET = { GASTPASS_DEMO: '0', SYNC_INTERVAL_S: '86400', TZ: 'UTC' };

export interface Ordering {
  dataDir: string;
  /** The environment of the service. */
  environment: Record<string, string>;
  key: string;
  console: PlainConsole;
  consoleSite: number;
  simulatorSite: number;
  remove(): void;
}

export interface Acknowledged extends Noted {
  code: string;
}

export async function prepareOrdering(): Promise<Ordering> {
  const { folder: dataDir, remove } = makeFolder();
  const environment = { ...QUIET, DATA_DIR: dataDir };
  const console = await startPlainConsole();
  const { url, apiKey } = console;
  const installation = await openInstallation(testConfig(environment));
  const audit = { actor: TESTER, atMs: Date.now() };
  const connection = { url, credentials: { apiKey }, trust: { kind: 'ca' as const } };
  const site = { name: 'Haus A', active: true, controllerSite: 'default' };
  const consoleSite = await installation.sites.add({ ...site, controllerKind: 'unifi', connection }, audit);
  const simulatorSite = await installation.sites.add(
    { ...site, name: 'Haus B', controllerKind: 'simulator', connection: null },
    audit,
  );
  const { keyText: key } = await installation.issueKey({ name: 'Test', scope: 'write', rateLimit: 0 }, audit);
  await installation.close();
  return {
    dataDir,
    environment,
    key,
    console,
    consoleSite,
    simulatorSite,
    remove() {
      console.stop();
      remove();
    },
  };
}

/**
 * Orders one voucher with two equal requests at the same time, like a client that repeats its request. Returns the
 * first acknowledgement. Throws if the service does not acknowledge both.
 */
export async function orderVoucher(
  service: { url: string },
  { key, siteId, name }: { key: string; siteId: number; name: string },
): Promise<Acknowledged> {
  const request = { key, body: { site_id: siteId, name }, headers: { 'idempotency-key': name } };
  const untilCreated = async (): Promise<Acknowledged> => {
    for (;;) {
      const { status, json } = await callApi(service, request);
      if (status === 201) return { name, atNs: Number(process.hrtime.bigint()), code: String(json.code) };
      // 409: the other request is not finished.
      if (status !== 409) throw new Error(`the order ${name} got ${status} ${json.error}`);
    }
  };
  const [one, other] = await Promise.all([untilCreated(), untilCreated()]);
  if (one.code !== other.code) throw new Error(`the order ${name} got two vouchers`);
  return one.atNs < other.atNs ? one : other;
}

/** Runs `count` jobs, numbered from 0, `atOnce` of them at a time. */
export async function runAtOnce(
  { count, atOnce }: { count: number; atOnce: number },
  job: (number: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const client = async () => {
    while (next < count) await job(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, client));
}
