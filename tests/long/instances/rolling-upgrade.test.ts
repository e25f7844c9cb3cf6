// Two instances of the release before are replaced one after the other under load: no request fails, and both releases
// read what the other one wrote, also if the service may not change its tables. On SQLite, an older release refuses the new schema.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { auditBooks } from '../../../rel/instances/books.ts';
import { type FleetSite, SECRET } from '../../../rel/instances/fleet.ts';
import { type SimulatedController, startSimulatedController } from '../../../src/unifi-console/server.ts';
import { writeNextRelease } from '../../support/next-release.ts';
import { askServer, makeTestDatabase } from '../../support/postgres.ts';
import { findBinaries } from '../../support/postgres-server.ts';
import {
  callApi,
  makeFolder,
  type RunningGastpass,
  runGastpass,
  startGastpass,
} from '../../support/run-gastpass.ts';

/** The last commit of the release before this one: see CONTRIBUTING.md, Releases. */
const RELEASE_BEFORE = { version: '0.2.0', commit: '668fe75d960fc1c4a6ec6e0c7807e59f8caaa76d' };
/** Its schema is older than that of every later release. */
const FIRST_RELEASE = { version: '0.1.0', commit: '094e5b1d0f1e93b54e55d88e536ea857aada6406' };
const CALLERS = 6;
const PHASE_MS = 1_500;

const root = fileURLToPath(new URL('../../../', import.meta.url));
const { folder, remove } = makeFolder();
const release = join(folder, 'release');
const firstRelease = join(folder, 'first-release');

before(() => {
  unpack(RELEASE_BEFORE, release);
  unpack(FIRST_RELEASE, firstRelease);
});
after(remove);

function unpack({ version, commit }: typeof RELEASE_BEFORE, place: string): void {
  const archive = `${place}.tar`;
  try {
    // The clone may belong to another user.
    const git = ['-C', root, '-c', 'safe.directory=*'];
    execFileSync('git', [...git, 'archive', '-o', archive, commit, 'bin', 'src', 'package.json']);
  } catch (error) {
    throw new Error(`this test needs release ${version} from the history: run git fetch --unshallow`, {
      cause: error,
    });
  }
  mkdirSync(place);
  execFileSync('tar', ['-x', '-f', archive, '-C', place]);
  // The packages of this release: they satisfy the ranges of earlier releases.
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
}

test('two instances are upgraded one after the other without a failed request', async (t) => {
  const database = await makeTestDatabase();
  const { start, addSite, addWebhook, issueKey } = operate(t, database.url);
  t.after(database.drop);
  const [one, two] = [await start({ release }), await start({ release })];
  const oldSite = await addSite({ release });
  await addWebhook({ release });
  const key = await issueKey({ release });
  const load = startLoad([one, two], { key, siteId: oldSite.siteId });

  await sleep(PHASE_MS);
  load.moveTo([two]);
  assert.equal((await one.stop()).code, 0);
  const newOne = await start();
  load.moveTo([newOne, two]);
  const newSite = await addSite();
  const both = { newer: newOne, older: two, siteIds: [oldSite.siteId, newSite.siteId] };
  await readEachOther(both, { key, newKey: await issueKey() });
  await sleep(PHASE_MS);
  load.moveTo([newOne]);
  assert.equal((await two.stop()).code, 0);
  load.moveTo([newOne, await start()]);
  await sleep(PHASE_MS);

  const promised = await load.stop(t);
  assert.deepEqual(await auditBooks({ database }, [oldSite, newSite], promised), []);
});

test('with two roles, the owner migrates and the other role serves without a failed request', async (t) => {
  const { database, ownerUrl, serviceUrl, drop } = await makeTwoRoles();
  const [owner, service] = [operate(t, ownerUrl), operate(t, serviceUrl)];
  t.after(drop);
  const next = { release: join(folder, 'next') };
  writeNextRelease(next.release);
  await owner.run('migrate', { release });
  const running = [await service.start({ release }), await service.start({ release })];
  const site = await service.addSite({ release });
  await service.addWebhook({ release });
  const key = await service.issueKey({ release });
  const load = startLoad(running, { key, siteId: site.siteId });

  await sleep(PHASE_MS);
  assert.match(await owner.run('migrate', next), /^ +\d+ {2}a table$/m);
  for (const index of running.keys()) {
    await sleep(PHASE_MS);
    load.moveTo(running.toSpliced(index, 1));
    assert.equal((await running[index]?.stop())?.code, 0);
    running[index] = await service.start(next);
    load.moveTo(running);
  }
  await sleep(PHASE_MS);

  const promised = await load.stop(t);
  assert.deepEqual(await auditBooks({ database }, [site], promised), []);
  const ask = (statement: string) => askServer(serviceUrl, statement);
  await ask('insert into added default values');
  await ask('update added set id = id');
  assert.equal((await ask('delete from added returning id')).length, 1);
  await assert.rejects(ask('drop table added'), /must be owner/);
  const dump = [`--file=${join(folder, 'dump')}`, `--dbname=${serviceUrl}`];
  execFileSync(join(findBinaries(), 'pg_dump'), dump);
});

/** The two roles of docs/postgresql.md, and a database with exactly the rights that are printed there. */
async function makeTwoRoles() {
  const database = await makeTestDatabase();
  const { name, server } = database;
  const [, printed = ''] =
    /^## Roles$[\s\S]*?^```sql\n([\s\S]*?)^```$/m.exec(
      readFileSync(join(root, 'docs/postgresql.md'), 'utf8'),
    ) ?? [];
  const [roles = '', rights = ''] = printed
    .replace(/^create database \w+ owner (\w+) .*$/m, 'alter database gastpass owner to $1;')
    .replaceAll('gastpass', name)
    .split(/^\\connect .*$/m);
  await askServer(server, roles);
  await askServer(database.url, rights);
  const urlOf = (role: string) => {
    const url = new URL(database.url);
    url.username = role;
    return url.href;
  };
  return {
    database,
    ownerUrl: urlOf(`${name}_owner`),
    serviceUrl: urlOf(name),
    async drop() {
      await database.drop();
      await askServer(server, `drop role ${name}, ${name}_owner`);
    },
  };
}

interface From {
  release?: string;
}

/** Runs instances and commands of any release with one role of the database. */
function operate(t: TestContext, databaseUrl: string) {
  const environment = {
    DATABASE_URL: databaseUrl,
    GASTPASS_SECRET: SECRET,
    GASTPASS_DEMO: '0',
    LOG_LEVEL: 'silent',
  };
  const options = { dataDir: folder, environment };
  const running: RunningGastpass[] = [];
  const consoles: SimulatedController[] = [];
  t.after(async () => {
    await Promise.all(running.map((instance) => instance.stop('SIGKILL')));
    await Promise.all(consoles.map((console) => console.stop()));
  });

  async function run(command: string, more: From & { input?: string } = {}): Promise<string> {
    const { code, stdout, stderr } = await runGastpass(command.split(' '), { ...options, ...more });
    assert.equal(code, 0, stderr);
    return stdout;
  }
  return {
    run,
    async start(from: From = {}): Promise<RunningGastpass> {
      const instance = await startGastpass({ ...options, ...from });
      running.push(instance);
      return instance;
    },
    /** Adds a site with its own console. */
    async addSite(from: From = {}): Promise<FleetSite> {
      const console = await startSimulatedController({ latencyMs: 20 });
      consoles.push(console);
      const { url, fingerprint256, apiKey: input } = console;
      const access = `--controller unifi --url ${url} --fingerprint ${fingerprint256} --api-key-file -`;
      return { siteId: Number(await run(`sites add --name Haus ${access}`, { ...from, input })), console };
    },
    /** No server listens at its URL, so all notifications stay undelivered and can be counted. */
    addWebhook: (from: From) => run('webhooks add --url http://127.0.0.1:9/ --format generic', from),
    issueKey: async (from: From = {}) =>
      /gpk_\w+/.exec(await run('keys create --name Kasse --scope write', from))?.[0] ?? '',
  };
}

/** Lists and creates vouchers on these instances in turn, as a load balancer would, until it is stopped. */
function startLoad(instances: RunningGastpass[], { key, siteId }: { key: string; siteId: number }) {
  const promised: string[] = [];
  const failed: string[] = [];
  let [lists, isOver, rotation] = [0, false, instances];
  const callers = Array.from({ length: CALLERS }, async (_, number) => {
    for (let turn = number; !isOver; turn++) {
      const instance = rotation[turn % rotation.length];
      assert.ok(instance);
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
  return {
    moveTo(others: RunningGastpass[]) {
      rotation = [...others];
    },
    /** Returns the codes of the vouchers. */
    async stop(t: TestContext): Promise<string[]> {
      isOver = true;
      await Promise.all(callers);
      t.diagnostic(`${promised.length} vouchers and ${lists} lists, ${failed.length} failures`);
      assert.deepEqual(failed, []);
      assert.ok(promised.length > 50 && lists > 20);
      return promised;
    },
  };
}

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

test('on SQLite an older release refuses the new schema and says what to do', async () => {
  const dataDir = join(folder, 'data');
  assert.equal((await runGastpass(['migrate'], { dataDir })).code, 0);
  const refused = await runGastpass(['serve'], { dataDir, release: firstRelease });
  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    /schema version \d+, this release knows 7: start the newer release, or restore/,
  );
});
