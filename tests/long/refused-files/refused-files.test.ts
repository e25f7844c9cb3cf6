// Tests what commands say if the operating system refuses a file or a folder: a file system that is mounted read-only,
// and files that this user may not read. Root may read every file, so root runs the commands without this right.

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeDatabase, makeFolder, runGastpass } from '../../support/run-gastpass.ts';
import { UNSHARE } from '../../support/small-disk.ts';

const MOUNT = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"';
const READ_ONLY =
  '(is read-only\\. Mount|cannot be (used|written) \\(EROFS\\): its file system is read-only: mount it writable)';
const REFUSED = "\\(EACCES\\)(: let the service's user|\\. Let the user of the service)";
const COMMANDS = [['doctor'], ['serve'], ['migrate'], ['keys', 'list'], ['verify'], ['rekey']];
const withoutRights =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all', '--'] : [];

const { folder, remove } = makeFolder();
const dataDir = join(folder, 'data');
const backups = join(folder, 'backups');
before(async () => {
  await makeDatabase(dataDir);
  mkdirSync(backups);
});
after(remove);

async function say(words: string[], prefix: string[], environment: Record<string, string> = {}) {
  const { stdout, stderr } = await runGastpass(words, { dataDir, environment, prefix });
  return stdout + stderr;
}

test('a read-only data folder is named as such by every command', async () => {
  const prefix = [...UNSHARE, 'sh', '-c', MOUNT, 'sh', dataDir];
  for (const words of COMMANDS)
    assert.match(await say(words, prefix), new RegExp(`${dataDir}\\S* ${READ_ONLY}`), words.join(' '));
});

test('a read-only folder for backups is named as such', async () => {
  const prefix = [...UNSHARE, 'sh', '-c', MOUNT, 'sh', backups];
  const found = await say(['doctor'], prefix, { BACKUP_DIR: backups });
  assert.match(found, new RegExp(`^fault {4}Backups: ${backups} ${READ_ONLY}`, 'm'));
  const file = join(backups, 'x');
  assert.match(await say(['backup', file, '--without-secret'], prefix), new RegExp(`${file} ${READ_ONLY}`));
});

test('a file or folder that this user may not use is named, with what to do', async () => {
  for (const name of ['gastpass.sqlite', '']) {
    const path = join(dataDir, name);
    chmodSync(path, 0);
    for (const words of [['doctor'], ['serve'], ['keys', 'list']])
      assert.match(await say(words, withoutRights), new RegExp(`${path}\\S* cannot be used ${REFUSED}`));
    chmodSync(path, name ? 0o600 : 0o700);
  }
  chmodSync(backups, 0);
  assert.match(
    await say(['doctor'], withoutRights, { BACKUP_DIR: backups }),
    new RegExp(`Backups: ${backups} cannot be used ${REFUSED}`),
  );
});

test('the file of a setting that this user may not read is named, with what to do', async () => {
  const file = join(folder, 'setting');
  writeFileSync(file, 'x', { mode: 0 });
  assert.match(
    await say(['doctor'], withoutRights, { GASTPASS_SECRET_FILE: file }),
    new RegExp(
      `GASTPASS_SECRET_FILE: cannot read ${file} ${REFUSED} read it, as with chown gastpass ${file}`,
    ),
  );
});
