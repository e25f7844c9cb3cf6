// A migration that fails on a full disk says so and changes nothing. With the space that `--check` names, it succeeds.

import assert from 'node:assert/strict';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { runGastpass } from '../../../support/run-gastpass.ts';
import { SECRET } from '../../../upgrades/fixture.ts';
import { makeOldInstallation, readVersion } from '../../../upgrades/old-installation.ts';

const { SMALL_DISK: disk = '' } = process.env;
/** The next migration copies the log of notifications. */
const VERSION = 20;
const NOTIFICATIONS = 20_000;
const LEFT_BYTES = 2_000_000;
const dataDir = join(disk, 'data');
const ballast = join(disk, 'ballast');
const migrate = (...words: string[]) =>
  runGastpass(['migrate', ...words], { dataDir, environment: { GASTPASS_SECRET: SECRET } });

/** Leaves this much of the disk free. */
function fillDisk(freeBytes: number): void {
  rmSync(ballast, { force: true });
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - freeBytes)));
}

test('a migration names the full disk and the space it needs, and that much is enough', async () => {
  mkdirSync(dataDir);
  await makeOldInstallation(dataDir, VERSION);
  const file = new DatabaseSync(join(dataDir, 'gastpass.sqlite'));
  const [webhook] = file.prepare('select id from webhooks').all();
  file.exec(`with recursive many(n) as (select 1 union all select n + 1 from many where n < ${NOTIFICATIONS})
    insert into deliveries (webhook_id, event_id, kind, voucher_count, site_name, source, occurred_at_ms, state, finished_at_ms)
    select ${webhook?.id}, 'event-' || n, 'voucher.created', 1, 'Haus am See', 'API: Buchungssystem', n, 'delivered', n from many`);
  file.close();

  fillDisk(LEFT_BYTES);
  const failed = await migrate();
  assert.equal(failed.code, 1, failed.stderr);
  const place = join(dataDir, 'gastpass.sqlite');
  const [, named] =
    /^gastpass: the disk of (\S+) is full: the migration needs up to \d+ MB there, \d MB are free\. Delete/.exec(
      failed.stderr,
    ) ?? assert.fail(failed.stderr);
  assert.equal(named, place);
  assert.equal(readVersion(dataDir), VERSION);

  const checked = await migrate('--check', '--json');
  const { needed_bytes: needed } = JSON.parse(checked.stdout);
  fillDisk(needed);
  const done = await migrate();
  assert.equal(done.code, 0, done.stderr);
});
