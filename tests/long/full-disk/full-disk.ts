// The database is on a disk that becomes full while vouchers are created: the service says so to load balancers, to
// `doctor` and to callers; nothing that was acknowledged is lost, and with space again everything works without a
// restart.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { appendFileSync, chownSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type SimulatedConsole, startSimulatedConsole } from '../../../packages/unifi-console/src/index.ts';
import { openInstallation } from '../../../src/app/installation.ts';
import type { Installation } from '../../../src/kernel/installation.ts';
import { TESTER } from '../../support/actors.ts';
import { engine } from '../../support/engine.ts';
import { askServer } from '../../support/postgres.ts';
import { findFreePort, NOBODY, type PostgresServer, startPostgres } from '../../support/postgres-server.ts';
import {
  callApi,
  makeFolder,
  type RunningGastpass,
  runGastpass,
  startGastpass,
} from '../../support/run-gastpass.ts';
import { testConfig } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';

const { SMALL_DISK: disk = '' } = process.env;
const BLOCK_BYTES = 4_096;
const UNDER_WAY = 8;
const FURTHER_ORDERS = 40;
/**
 * Requests that wait for the controller while the disk becomes full have their intents, and cannot record a voucher.
 */
const LATENCY_MS = 6_000;
const PATIENCE = { patienceMs: 180_000, everyMs: 500 };
/** What an answer must not name. */
const INTERNALS = /extend|base\/|pg_|sqlite|\btable|relation|constraint|column|insert|disk|space left/i;
const DISK_FULL = 'database cannot be written: disk full';
const ADVICE = 'Delete files on the disk of the database, or enlarge it\\.';

const { folder, remove } = makeFolder();
let server: PostgresServer | undefined;
let console: SimulatedConsole;
let beside: Installation;
let service: RunningGastpass;
let environment: Record<string, string>;
let key: string;
let siteId: number;
const acknowledged: string[] = [];
const refused: { status: number; json: { error: string; message: string } }[] = [];

before(async () => {
  console = await startSimulatedConsole();
  const common = {
    PORT: String(await findFreePort()),
    GASTPASS_DEMO: '0',
    SYNC_INTERVAL_S: '86400',
    TZ: 'UTC',
  };
  environment = { ...common, ...(engine === 'sqlite' ? { DATA_DIR: join(disk, 'data') } : await onServer()) };
  beside = await openInstallation(testConfig(environment));
  const audit = { actor: TESTER, atMs: Date.now() };
  const { url, apiKey, fingerprint256 } = console;
  const connection = { url, credentials: { apiKey }, trust: { kind: 'pinned' as const, fingerprint256 } };
  siteId = await beside.sites.add(
    {
      name: 'Haus am See',
      active: true,
      controllerKind: 'unifi',
      controllerSite: 'default',
      connection,
    },
    audit,
  );
  key = (await beside.issueKey({ name: 'Test', scope: 'write', rateLimit: 0 }, audit)).keyText;
  service = await startGastpass({ environment });
});
after(async () => {
  await service?.stop();
  await beside?.close();
  await console?.stop();
  server?.stop();
  remove();
});

/** Only the tables are on the small disk, because a server without space for its write-ahead log ends. */
async function onServer(): Promise<Record<string, string>> {
  server = await startPostgres();
  const tables = join(disk, 'tables');
  mkdirSync(tables);
  if (process.getuid?.() === 0) chownSync(tables, NOBODY, NOBODY);
  await askServer(server.url, `create tablespace small location '${tables}'`);
  await askServer(server.url, 'create database hotel tablespace small');
  return {
    DATA_DIR: folder,
    DATABASE_URL: server.url.replace(/postgres$/, 'hotel'),
    GASTPASS_SECRET: 'a secret of forty characters for a test.',
  };
}

const ballast = join(disk, 'ballast');

/** The service may take the last blocks meanwhile. */
function fillDisk(): void {
  try {
    for (;;) appendFileSync(ballast, Buffer.alloc(BLOCK_BYTES));
  } catch (error) {
    assert.match(String(error), /ENOSPC/);
  }
}

/** Files have space of their own: entries of the audit log take it, the large ones first. */
async function fillTables(): Promise<void> {
  for (const bytes of [50_000, 2_000, 20]) {
    const add = () =>
      beside.noteAudit({
        atMs: Date.now(),
        actor: TESTER,
        action: 'installation.set-up',
        details: { key: { id: randomBytes(bytes).toString('hex'), name: '' } },
      });
    while (
      await add().then(
        () => true,
        () => false,
      )
    );
  }
}

async function order(name: string): Promise<void> {
  const { status, json } = await callApi(service, { key, body: { site_id: siteId, name } });
  if (status === 201) acknowledged.push(json.code);
  else refused.push({ status, json });
}

async function ready(): Promise<{ status: number; obstacles: string[] }> {
  const response = await fetch(`${service.url}/readyz`);
  const { obstacles } = JSON.parse(await response.text());
  return { status: response.status, obstacles };
}

const doctor = () => runGastpass(['doctor'], { environment });
const recordedCodes = async () => {
  const { json } = await callApi(service, { key, path: `vouchers.php?site_id=${siteId}` });
  return new Set<string>(json.vouchers.map((voucher: { voucher_code: string }) => voucher.voucher_code));
};
const unrecorded = async () => {
  const recorded = await recordedCodes();
  return console.controls.vouchers().filter(({ code }) => !recorded.has(code));
};

test('before, the service is ready, and doctor finds no fault of service and database', async () => {
  await order('davor');
  assert.deepEqual([acknowledged.length, (await ready()).status], [1, 200]);
  const { stdout } = await doctor();
  assert.match(stdout, /^ok {7}Database: Can be read and written/m);
  assert.match(stdout, /^ok {7}Service: Running at/m);
});

test('a disk that becomes full while nobody orders anything makes the service unready and doctor fail', async () => {
  fillDisk();
  try {
    await until(async () => (await ready()).status === 503, {
      ...PATIENCE,
      otherwise: 'the next attempt to write',
    });
    assert.deepEqual((await ready()).obstacles, [DISK_FULL]);
    const { code, stdout } = await doctor();
    assert.equal(code, 1);
    assert.match(stdout, new RegExp(`^fault {4}Database: Cannot be written: .*\\. ${ADVICE}$`, 'm'));
  } finally {
    rmSync(ballast);
  }
});

test('on a disk that becomes full, orders get a 503 or a 500 that names no internals', async () => {
  console.controls.switches.latencyMs = LATENCY_MS;
  const underWay = Array.from({ length: UNDER_WAY }, (_, index) => order(`Zimmer ${index}`));
  await until(async () => (await beside.vouchers.countIntents()) === UNDER_WAY, {
    ...PATIENCE,
    otherwise: 'the intents',
  });
  fillDisk();
  await fillTables();
  await Promise.all(underWay);
  assert.deepEqual(new Set(refused.map(({ status }) => status)), new Set([500]));
  console.controls.switches.latencyMs = 0;
  for (let index = 0; index < FURTHER_ORDERS; index++) await order(`Zelt ${index}`);
  assert.equal(refused.length, UNDER_WAY + FURTHER_ORDERS);
  for (const { status, json } of refused) {
    assert.ok(
      (status === 503 && json.error === 'database_unavailable') ||
        (status === 500 && json.error === 'server_error'),
      `${status} ${json.error}`,
    );
    assert.doesNotMatch(json.message, INTERNALS);
  }
});

test('the service is not ready and names the reason, in its metrics and its log, too', async () => {
  const { status, obstacles } = await ready();
  assert.deepEqual([status, obstacles], [503, [DISK_FULL]]);
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  assert.match(metrics, /^gastpass_storage_errors_total\{reason="disk-full"\} [1-9]/m);
  await until(async () => service.stdout().includes('"msg":"database cannot be written"'), {
    ...PATIENCE,
    otherwise: 'the log',
  });
  const lines = service.stdout().split('\n');
  assert.ok(lines.filter((line) => line.includes('"msg":"database cannot be written"')).length <= 3);
});

test('doctor learns it from the running service and says what to do', async () => {
  const { code, stdout } = await doctor();
  assert.equal(code, 1);
  assert.match(
    stdout,
    new RegExp(`^fault {4}Service: .*, but not ready \\(${DISK_FULL}\\)\\. ${ADVICE}$`, 'm'),
  );
});

test('every acknowledged voucher is recorded, and every other one on the console has its intent', async () => {
  const recorded = await recordedCodes();
  assert.deepEqual(
    acknowledged.filter((code) => !recorded.has(code)),
    [],
  );
  const lost = await unrecorded();
  assert.ok(lost.length > 0, 'no request was under way when the disk became full');
  assert.ok((await beside.vouchers.countIntents()) >= lost.length);
});

test('with space again, the service becomes ready and records what it ordered, without a restart', async () => {
  rmSync(ballast);
  await until(async () => (await ready()).status === 200, { ...PATIENCE, otherwise: 'readiness' });
  await until(async () => (await beside.vouchers.countIntents()) === 0, {
    ...PATIENCE,
    otherwise: 'settling',
  });
  assert.deepEqual(await unrecorded(), []);
  const known = acknowledged.length;
  await order('danach');
  assert.equal(acknowledged.length, known + 1);
  assert.match((await doctor()).stdout, /^ok {7}Service: Running at/m);
});
