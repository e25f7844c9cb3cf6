// A soak: one instance under a steady load of everything. Prints the memory of the service each minute, and finds a
// fault if it grows in the second half: what is only kept up to a limit is there by then.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loginToService } from '../../bench/login.ts';
import { median } from '../../bench/median.ts';
import { startServiceProcess } from '../../bench/start-service.ts';
import { startEscPosPrinter } from '../../packages/printers/src/index.ts';
import { startSimulatedConsole } from '../../packages/unifi-console/src/index.ts';
import { openInstallation } from '../../src/app/installation.ts';
import { ROLLING_PATH } from '../../src/features/screens/screen.ts';
import { asSiteId } from '../../src/kernel/ids.ts';
import { readConfig } from '../../src/platform/config/read-config.ts';
import { TESTER } from '../../tests/support/actors.ts';
import { addPrinterTo } from '../../tests/support/added-printer.ts';
import { addScreenTo } from '../../tests/support/added-screen.ts';
import { deviceOf } from '../../tests/support/kiosk.ts';
import { startMailServer } from '../../tests/support/mail/mail-server.ts';
import { makeTestDatabase } from '../../tests/support/postgres.ts';
import { callApi } from '../../tests/support/run-gastpass.ts';
import { memoryKinds } from './memory-kinds.ts';

const SAMPLE_MS = 10_000;
const SAMPLES_PER_MINUTE = 6;
const MAX_GROWTH_MB = 5;
/** The oldest vouchers beyond this number are revoked: the console must not grow. */
const MAX_LIVING = 1_000;
const LOGIN = { email: 'admin@example.org', password: 'zehn Zeichen und mehr' };
const PAGES = ['/', '/vouchers', '/overview', '/audit', '/batches', '/sites', '/keys', '/vouchers?q=zimmer'];

/** True if the memory of the service did not grow in the second half. */
export async function runSoak({ minutes, onPostgres }: { minutes: number; onPostgres: boolean }) {
  const folder = mkdtempSync(join(tmpdir(), 'gastpass-soak-'));
  const database = onPostgres ? await makeTestDatabase() : undefined;
  const [mailServer, printer] = [await startMailServer(), await startEscPosPrinter()];
  const unifi = await startSimulatedConsole({ latencyMs: 20 });
  const environment = {
    DATA_DIR: folder,
    ...(database && { DATABASE_URL: database.url, GASTPASS_SECRET: 'a secret for the service of a soak' }),
    ADMIN_EMAIL: LOGIN.email,
    ADMIN_PASSWORD: LOGIN.password,
    LOG_LEVEL: 'silent',
    MAIL_FROM: 'Hotel <wlan@hotel.example>',
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    SMTP_TLS: 'off',
    SYNC_INTERVAL_S: '15',
  };
  const service = await startServiceProcess(folder, environment);
  const { config } = readConfig(environment);
  if (!config) throw new Error('the configuration of the soak is faulty');
  const beside = await openInstallation(config);
  const audit = () => ({ actor: TESTER, atMs: Date.now() });
  const { url, apiKey, fingerprint256 } = unifi;
  const connection = { url, credentials: { apiKey }, trust: { kind: 'pinned' as const, fingerprint256 } };
  const details = {
    name: 'Haus A',
    active: true,
    controllerKind: 'unifi' as const,
    controllerSite: 'default',
  };
  const siteId = asSiteId(await beside.sites.add({ ...details, connection }, audit()));
  const address = `127.0.0.1:${printer.port}`;
  const print = await addPrinterTo(beside, { siteId, name: 'Empfang', kind: 'escpos', address });
  const { token } = await addScreenTo(beside, { siteId, kind: 'rolling' });
  const user = deviceOf(service.url, await loginToService(service.url, LOGIN));
  // A key may order 500 mails in an hour.
  async function renewKey(): Promise<undefined> {
    key = (await beside.issueKey({ name: 'Soak', scope: 'write', rateLimit: 0 }, audit())).keyText;
  }
  let key = '';
  await renewKey();
  const living: number[] = [];
  let number = 0;

  const call = (path: string, body?: object, method?: 'POST') =>
    callApi(service, {
      key,
      path,
      headers: { 'idempotency-key': `${number}` },
      ...(body && { body }),
      ...(method && { method }),
    });
  async function order(more: object = {}) {
    const made = await call('v1/vouchers', { site: siteId, name: `Buchung ${number++}`, ...more });
    for (const { id } of made.json.vouchers ?? []) living.push(id);
    return made;
  }
  const newest = () =>
    living
      .slice(-6)
      .map((id) => `voucher=${id}`)
      .join('&');
  const revokeOldest = async () =>
    living.length > MAX_LIVING ? call(`v1/vouchers/${living.shift()}/revoke`, undefined, 'POST') : undefined;
  /** Each with the time from one to the next in ms. */
  const callers: [number, () => Promise<{ status: number } | undefined>][] = [
    [80, () => call(`vouchers.php?site_id=${siteId}`)],
    [400, () => call('vouchers.php', { site_id: siteId, name: `Zimmer ${number++}` })],
    [600, () => order()],
    [5_000, () => order({ email: 'gast@example.org', print })],
    [30_000, () => order({ count: 20, email: 'gast@example.org', print })],
    [300, () => call(`v1/vouchers?site=${siteId}&limit=200`)],
    [500, () => call(`v1/vouchers?name=Zimmer%20${number % 50}`)],
    [250, revokeOldest],
    [250, () => user.send(PAGES[number % PAGES.length] ?? '/')],
    [4_000, async () => (living.length > 0 ? user.send(`/vouchers/pdf?${newest()}`) : undefined)],
    [3_000, () => user.send(`${ROLLING_PATH}/${token}.png?width=${400 + (number % 200)}&height=300`)],
    [8_000, async () => void (await loginToService(service.url, LOGIN))],
    [240_000, renewKey],
    [10_000, async () => void [mailServer.mails, printer.slips].map((taken) => taken.splice(0))],
  ];

  const endsAt = performance.now() + minutes * 60_000;
  const faults = new Set<string>();
  const calling = callers.map(async ([everyMs, run]) => {
    while (performance.now() < endsAt) {
      const next = sleep(Math.min(everyMs, endsAt - performance.now()));
      const status = (await run())?.status ?? 200;
      if (status >= 400) faults.add(`${run} was answered ${status}`);
      await next;
    }
  });
  const samples: number[] = [];
  const sampling = sampleUntil(endsAt, service.process.pid, samples);
  try {
    await Promise.all([...calling, sampling]);
  } finally {
    await service.stop();
    await beside.close();
    for (const { stop } of [unifi, printer, mailServer]) await stop();
    await database?.drop();
    rmSync(folder, { recursive: true });
  }
  const [before, after] = [
    samples.slice(samples.length / 2, samples.length * 0.75),
    samples.slice(samples.length * 0.75),
  ];
  const grownMb = median(after) - median(before);
  if (grownMb > MAX_GROWTH_MB) faults.add(`the service grew by ${grownMb.toFixed(1)} MB`);
  for (const fault of faults) console.log(`BAD   ${fault}`);
  if (faults.size === 0)
    console.log(`good  from the third quarter to the last, the service grew by ${grownMb.toFixed(1)} MB`);
  return faults.size === 0;
}

async function sampleUntil(endsAt: number, pid: number | undefined, samples: number[]): Promise<void> {
  for (; performance.now() < endsAt; await sleep(SAMPLE_MS)) {
    const kinds = memoryKinds(pid);
    if (samples.push(kinds.all) % SAMPLES_PER_MINUTE !== 1) continue;
    const shown = Object.entries(kinds).map(([kind, mb]) => `${kind} ${mb.toFixed(0)} MB`);
    console.log(`minute ${(samples.length - 1) / SAMPLES_PER_MINUTE}: ${shown.join(', ')}`);
  }
}
