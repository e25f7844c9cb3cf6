// Two instances of the release before are replaced one after the other under load: no request fails, and both releases
// read what the other one wrote. On SQLite, the release before refuses the new schema.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { auditBooks } from '../../../rel/instances/books.ts';
import { SECRET } from '../../../rel/instances/fleet.ts';
import { type SimulatedController, startSimulatedController } from '../../../src/unifi-console/server.ts';
import { makeTestDatabase } from '../../support/postgres.ts';
import {
  callApi,
  makeFolder,
  type RunningGastpass,
  runGastpass,
  startGastpass,
} from '../../support/run-gastpass.ts';

/** The last commit of the release before this one: see CONTRIBUTING.md, Releases. */
const RELEASE_BEFORE = { version: '0.1.0', commit: '094e5b1d0f1e93b54e55d88e536ea857aada6406' };
const CALLERS = 6;
const PHASE_MS = 1_500;

const root = fileURLToPath(new URL('../../../', import.meta.url));
const { folder, remove } = makeFolder();
const release = join(folder, 'release');

before(() => {
  const { commit, version } = RELEASE_BEFORE;
  const archive = join(folder, 'release.tar');
  try {
    // The clone may belong to another user.
    const git = ['-C', root, '-c', 'safe.directory=*'];
    execFileSync('git', [...git, 'archive', '-o', archive, commit, 'bin', 'src', 'package.json']);
  } catch (error) {
    throw new Error(`this test needs release ${version} from the history: run git fetch --unshallow`, {
      cause: error,
    });
  }
  mkdirSync(release);
  execFileSync('tar', ['-x', '-f', archive, '-C', release]);
  // The packages of this release: they satisfy the ranges of the release before.
  symlinkSync(join(root, 'node_modules'), join(release, 'node_modules'));
});
after(remove);

test('two instances are upgraded one after the other without a failed request', async (t) => {
  const database = await makeTestDatabase();
  const [console, newConsole] = [
    await startSimulatedController({ latencyMs: 20 }),
    await startSimulatedController(),
  ];
  const environment = {
    DATABASE_URL: database.url,
    GASTPASS_SECRET: SECRET,
    GASTPASS_DEMO: '0',
    LOG_LEVEL: 'silent',
  };
  const options = { dataDir: folder, environment };
  const running: RunningGastpass[] = [];
  t.after(async () => {
    await Promise.all(running.map((instance) => instance.stop('SIGKILL')));
    await Promise.all([console.stop(), newConsole.stop()]);
    await database.drop();
  });
  async function start(more: { release?: string } = {}): Promise<RunningGastpass> {
    const instance = await startGastpass({ ...options, ...more });
    running.push(instance);
    return instance;
  }
  async function run(command: string, more: { release?: string; input?: string } = {}): Promise<string> {
    const { code, stdout, stderr } = await runGastpass(command.split(' '), { ...options, ...more });
    assert.equal(code, 0, stderr);
    return stdout;
  }

  const [one, two] = [await start({ release }), await start({ release })];
  async function addSite(
    { url, fingerprint256, apiKey: input }: SimulatedController,
    more: { release?: string } = {},
  ): Promise<number> {
    const access = `--controller unifi --url ${url} --fingerprint ${fingerprint256} --api-key-file -`;
    return Number(await run(`sites add --name Haus ${access}`, { ...more, input }));
  }
  const siteId = await addSite(console, { release });
  // No server listens at this URL, so all notifications stay undelivered and can be counted.
  await run('webhooks add --url http://127.0.0.1:9/ --format generic', { release });
  const keyOf = async (more: { release?: string } = {}) =>
    /gpk_\w+/.exec(await run('keys create --name Kasse --scope write', more))?.[0] ?? '';
  const key = await keyOf({ release });

  const promised: string[] = [];
  const failed: string[] = [];
  let [lists, isOver] = [0, false];
  /** Instances to which the load balancer sends requests. */
  let rotation = [one, two];
  const callers = Array.from({ length: CALLERS }, async (_, number) => {
    for (let turn = number; !isOver; turn++) {
      const instance = rotation[turn % rotation.length] ?? one;
      const body = turn % 3 === 0 ? undefined : { site_id: siteId, name: `Zimmer ${number}` };
      const path = body ? 'vouchers.php' : `vouchers.php?site_id=${siteId}`;
      const { status, json } = await callApi(instance, { key, path, body }).catch((error) => ({
        status: 0,
        json: { message: String(error.cause ?? error) },
      }));
      if (status === 201) promised.push(json.code);
      else if (status === 200) lists += 1;
      else failed.push(`${status} ${json.message}`);
    }
  });

  await sleep(PHASE_MS);
  rotation = [two];
  assert.equal((await one.stop()).code, 0);
  const newOne = await start();
  rotation = [newOne, two];
  const newSiteId = await addSite(newConsole);
  const both = { newer: newOne, older: two, siteIds: [siteId, newSiteId] };
  await readEachOther(both, { key, newKey: await keyOf() });
  await sleep(PHASE_MS);
  rotation = [newOne];
  assert.equal((await two.stop()).code, 0);
  rotation = [newOne, await start()];
  await sleep(PHASE_MS);
  isOver = true;
  await Promise.all(callers);

  t.diagnostic(`${promised.length} vouchers and ${lists} lists, ${failed.length} failures`);
  assert.deepEqual(failed, []);
  assert.ok(promised.length > 50 && lists > 20);
  const sites = [
    { siteId, console },
    { siteId: newSiteId, console: newConsole },
  ];
  assert.deepEqual(await auditBooks({ database }, sites, promised), []);
});

/** Either release uses the keys and the sealed credentials of the other one, and lists its vouchers at once. */
async function readEachOther(
  { newer, older, siteIds }: { newer: RunningGastpass; older: RunningGastpass; siteIds: number[] },
  { key, newKey }: { key: string; newKey: string },
): Promise<void> {
  for (const siteId of siteIds)
    for (const [writer, reader] of [
      [newer, older],
      [older, newer],
    ] as const) {
      const made = await callApi(writer, { key: newKey, body: { site_id: siteId, name: 'Zimmer 99' } });
      assert.equal(made.status, 201, JSON.stringify(made.json));
      const { json } = await callApi(reader, { key, path: `vouchers.php?site_id=${siteId}` });
      const codes = json.vouchers.map((voucher: { voucher_code: string }) => voucher.voucher_code);
      assert.ok(codes.includes(made.json.code), `site ${siteId}`);
    }
}

test('on SQLite the release before refuses the new schema and says what to do', async () => {
  const dataDir = join(folder, 'data');
  assert.equal((await runGastpass(['migrate'], { dataDir })).code, 0);
  const refused = await runGastpass(['serve'], { dataDir, release });
  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    /schema version \d+, this release knows 7: start the newer release, or restore/,
  );
});
