// Two instances of the release before are replaced one after the other under load: no request fails, and both releases
// read what the other one wrote, also if the service may not change its tables. On SQLite, an older release refuses the
// new schema.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { auditBooks } from '../../../rel/instances/books.ts';
import { writeNextRelease } from '../../support/next-release.ts';
import { askServer, makeTestDatabase } from '../../support/postgres.ts';
import { findBinaries } from '../../support/postgres-server.ts';
import { callApi, makeFolder, type RunningGastpass, runGastpass } from '../../support/run-gastpass.ts';
import { FIRST_RELEASE, operate, RELEASE_BEFORE, startLoad, unpackRelease } from './releases.ts';

const PHASE_MS = 1_500;

const root = fileURLToPath(new URL('../../../', import.meta.url));
const { folder, remove } = makeFolder();
const release = join(folder, 'release');
const firstRelease = join(folder, 'first-release');

before(() => {
  unpackRelease(RELEASE_BEFORE, release);
  unpackRelease(FIRST_RELEASE, firstRelease);
});
after(remove);

test('two instances are upgraded one after the other without a failed request', async (t) => {
  const database = await makeTestDatabase();
  const { start, addSite, addWebhook, issueKey } = operate(t, {
    dataDir: folder,
    DATABASE_URL: database.url,
  });
  t.after(database.drop);
  const [one, two] = [await start({ release }), await start({ release })];
  const oldSite = await addSite({ release });
  await addWebhook({ release });
  const key = await issueKey({ release });
  const load = startLoad(t, [one, two], { key, siteId: oldSite.siteId });

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

  const promised = await load.stop();
  assert.deepEqual(await auditBooks({ database }, [oldSite, newSite], promised), []);
});

test('with two roles, the owner migrates and the other role serves without a failed request', async (t) => {
  const { database, ownerUrl, serviceUrl, drop } = await makeTwoRoles();
  const operateAs = (url: string) => operate(t, { dataDir: folder, DATABASE_URL: url });
  const [owner, service] = [operateAs(ownerUrl), operateAs(serviceUrl)];
  t.after(drop);
  const next = { release: join(folder, 'next') };
  writeNextRelease(next.release);
  await owner.run('migrate', { release });
  const running = [await service.start({ release }), await service.start({ release })];
  const site = await service.addSite({ release });
  await service.addWebhook({ release });
  const key = await service.issueKey({ release });
  const load = startLoad(t, running, { key, siteId: site.siteId });

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

  const promised = await load.stop();
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
