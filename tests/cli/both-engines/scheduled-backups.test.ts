// Tests the backups that the service makes by itself: the files, the metrics, the log, and what `doctor` says.

import assert from 'node:assert/strict';
import { readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { engine } from '../../support/engine.ts';
import { makeFakeClock } from '../../support/fake-clock.ts';
import { makeFolder, runGastpass } from '../../support/run-gastpass.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';

let dataDir: string;
let remove: () => void;
let running: TestService | undefined;
beforeEach(() => {
  ({ folder: dataDir, remove } = makeFolder());
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  remove();
});

async function start(folder: string, clock = makeFakeClock()): Promise<TestService> {
  running = await startTestService({ dataDir, clock, environment: { BACKUP_DIR: folder, BACKUP_KEEP: '2' } });
  return running;
}

async function untilLogged({ logLines }: TestService, msg: string): Promise<void> {
  await until(() => logLines.some((line) => line.msg === msg), { otherwise: `"${msg}" was not logged` });
}

const metric = async ({ url }: TestService, name: string) =>
  new RegExp(`^gastpass_backup_${name} (.*)$`, 'm').exec(await (await fetch(`${url}/metrics`)).text())?.[1];

async function doctorOn(folder: string): Promise<string[]> {
  const { stdout } = await runGastpass(['doctor'], { dataDir, environment: { BACKUP_DIR: folder } });
  return stdout.split('\n').filter((line) => line.slice(9).startsWith('Backups'));
}

test('the service makes a backup, which can be verified; metrics and doctor tell its age', async () => {
  const folder = join(dataDir, 'backups');
  const service = await start(folder);
  await untilLogged(service, 'backup made');
  const [name = '', ...others] = readdirSync(folder);
  assert.match(name, /^gastpass-\d{8}T\d{6}Z\.backup$/);
  assert.deepEqual(others, []);
  const { code, stdout } = await runGastpass(['verify', join(folder, name)], { dataDir });
  assert.equal(code, 0);
  assert.match(stdout, /checksum is right/);
  assert.equal(await metric(service, 'interval_seconds'), '86400');
  assert.equal(await metric(service, 'newest_timestamp_seconds'), String(service.clock.nowMs() / 1_000));
  assert.ok(Number(await metric(service, 'newest_bytes')) > 100);
  assert.equal(await metric(service, 'failures_total'), '0');
  assert.match(
    (await doctorOn(folder)).join(),
    /^\w+ +Backups: (Newest: .* UTC \(.*\.backup\)|The newest is (from|dated) )/,
  );
});

test('backups on the disk of a SQLite database cause one warning, those on another disk none', async () => {
  const warnings = async (folder: string) =>
    (await doctorOn(folder)).filter((line) => line.includes('same disk'));
  await start(join(dataDir, 'backups'));
  const said = await warnings(dataDir);
  assert.equal(said.length, engine === 'sqlite' ? 1 : 0);
  if (engine === 'sqlite')
    assert.match(said[0] ?? '', /^warning {2}Backups: \S+ is on the same disk as the database\. .* Copy the/);
  const { dev } = statSync(dataDir);
  const otherDisk = ['/dev/shm', '/var/tmp'].find((path) => statSync(path).dev !== dev);
  const other = makeFolder(otherDisk);
  assert.deepEqual(await warnings(other.folder), []);
  other.remove();
});

test('a backup that fails is logged and counted, and doctor says what to do', async () => {
  const folder = join(dataDir, '..', 'gastpass-no-such-folder');
  const service = await start(folder);
  await untilLogged(service, 'backup failed');
  assert.equal(await metric(service, 'failures_total'), '1');
  assert.equal(await metric(service, 'newest_timestamp_seconds'), '0');
  const line = service.logLines.find(({ msg }) => msg === 'backup failed');
  assert.match(JSON.stringify(line), /the folder .*gastpass-no-such-folder does not exist/);
  assert.match((await doctorOn(folder)).join(), /^fault {4}Backups: .* does not exist\. Mount it/);
});

const damages = {
  deleted: (file: string) => rmSync(file),
  cut: (file: string) => truncateSync(file, 100),
};
for (const [what, damage] of Object.entries(damages))
  test(`a backup that was ${what} is a fault, and the service replaces it at once`, async () => {
    const folder = join(dataDir, 'backups');
    const service = await start(folder);
    await untilLogged(service, 'backup made');
    assert.equal(await metric(service, 'newest_intact'), '1');
    damage(join(folder, readdirSync(folder)[0] ?? ''));
    assert.equal(await metric(service, 'newest_intact'), '0');
    assert.equal(await metric(service, 'newest_timestamp_seconds'), '0');
    assert.match((await doctorOn(folder)).join(), /^fault {4}Backups: .* makes a new backup within a minute/);
    await service.stop();

    const later = makeFakeClock();
    later.advance(60_000);
    const again = await start(folder, later);
    await untilLogged(again, 'the newest backup is gone or was changed: a new one is made');
    await untilLogged(again, 'backup made');
    assert.equal(await metric(again, 'newest_intact'), '1');
    assert.equal(await metric(again, 'newest_timestamp_seconds'), String(later.nowMs() / 1_000));
  });
