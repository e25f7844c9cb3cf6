// Tests starts that must be refused: each ends at once, with one clear line on stderr and without listening on a port.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  makeFolder,
  type RunningGastpass,
  type RunOptions,
  runGastpass,
  startGastpass,
} from '../support/run-gastpass.ts';
import { assertRefused, environment } from './assert-refused.ts';

test('an administrator’s password that is easy to guess is refused, unless it is not used any more', async () => {
  const { folder: dataDir, remove } = makeFolder();
  const admin = { ...environment, ADMIN_EMAIL: 'ada@example.org', ADMIN_PASSWORD: 'Passwort2024!' };
  await assertRefused({ dataDir, environment: admin }, /ADMIN_PASSWORD: this password is among the first/, 2);
  const add = ['users', 'add', '--email', 'ada@example.org', '--name', 'Ada', '--admin'];
  assert.equal((await runGastpass(add, { dataDir })).code, 0);
  const running = await startGastpass({ dataDir, environment: admin });
  assert.equal((await running.stop()).code, 0);
  remove();
});

describe('while another service runs', () => {
  const { folder: dataDir, remove } = makeFolder();
  let running: RunningGastpass;
  before(async () => {
    running = await startGastpass({ dataDir, environment });
  });
  after(async () => {
    await running.stop();
    remove();
  });

  test('a port in use is reported, with what to do; when the service has stopped, it is free again', async () => {
    const { folder: other, remove: removeOther } = makeFolder();
    const { port } = new URL(running.url);
    await assertRefused(
      { dataDir: other, environment: { ...environment, PORT: port } },
      new RegExp(`port ${port} on 127\\.0\\.0\\.1 is taken: stop the other program or set PORT`),
    );
    removeOther();
    await running.stop();
    running = await startGastpass({ dataDir, environment: { ...environment, PORT: port } });
    assert.equal(new URL(running.url).port, port);
  });
});

test('an IP address that this machine does not have is reported', async () => {
  const { folder: dataDir, remove } = makeFolder();
  const elsewhere = { ...environment, HOST: '192.0.2.1' };
  await assertRefused({ dataDir, environment: elsewhere }, /HOST: 192\.0\.2\.1/, 2);
  remove();
});

describe('a version of Node that is too old', () => {
  const { folder, remove } = makeFolder();
  after(remove);

  /** An old Node if the machine has one, otherwise the current Node with a faked version. */
  function oldNode(): Pick<RunOptions, 'node' | 'nodeOptions'> {
    for (const place of (process.env.PATH ?? '').split(delimiter)) {
      const node = join(place, 'node');
      const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? '';
      const major = Number(/^v(\d+)\./.exec(version)?.[1] ?? Number.NaN);
      if (major >= 18 && major < 24) return { node };
    }
    const disguise = join(folder, 'disguise.mjs');
    writeFileSync(
      disguise,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } });
       Object.defineProperty(process, 'version', { value: 'v20.0.0' });`,
    );
    return { nodeOptions: ['--import', disguise] };
  }

  test('an old Node is refused with one line that says what to do', async () => {
    const { code, stdout, stderr } = await runGastpass(['serve'], { ...oldNode(), environment });
    assert.match(stderr, /^gastpass needs Node 24 or newer, this is v[\d.]+: use bin\/gastpass[^\n]*\n$/);
    assert.equal(stdout, '');
    assert.equal(code, 1);
  });
});

test('a data folder that cannot be created is a configuration error, whatever its path', async () => {
  for (const dataDir of ['/proc/gastpass', '/proc/gastpass/data', '/dev/null/data'])
    await assertRefused({ dataDir }, /DATA_DIR: .* cannot be made or used/, 2);
});

test('an emptied database is no new installation: the start says what to do, and a backup can be restored', async () => {
  const { folder: dataDir, remove } = makeFolder();
  const backup = join(dataDir, 'backup');
  const file = join(dataDir, 'gastpass.sqlite');
  const run = (...words: string[]) => runGastpass(words, { dataDir });
  assert.equal((await run('migrate')).code, 0);
  await run('sites', 'add', '--name', 'Haus A', '--controller', 'simulator');
  assert.equal((await run('backup', backup, '--without-secret')).code, 0);
  writeFileSync(file, '');
  const said = /gastpass\.sqlite is empty \(0 bytes\).* delete the empty file, and restore a backup/;
  for (const words of ['migrate', 'migrate --check', 'sites list', `restore ${backup}`]) {
    const refused = await run(...words.split(' '));
    assert.deepEqual([refused.code, refused.stdout], [2, ''], words);
    assert.match(refused.stderr, said);
  }
  await assertRefused({ dataDir, environment }, said, 2);
  assert.match((await run('doctor')).stdout, said);
  assert.equal(statSync(file).size, 0);
  rmSync(file);
  const restored = await run('restore', backup);
  assert.equal(restored.code, 0, restored.stderr);
  assert.match((await run('sites', 'list')).stdout, /Haus A/);
  remove();
});
