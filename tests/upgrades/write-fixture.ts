// `bin/node tests/upgrades/write-fixture.ts [FOLDER]` runs the release in FOLDER (default: this one), lets it fill a
// database through its commands and its API, and keeps the rows and its answers as the fixture of its migration.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { deriveKey, encrypt, isBound } from '../../src/platform/secrets/seal-cipher.ts';
import { copied } from '../support/tables.ts';
import { ADMIN, type Fixture, fixtureFile, SECRET, statementsHash } from './fixture.ts';
import { makePageRows } from './page-rows.ts';

const folder = resolve(process.argv[2] ?? '.');
const dataDir = mkdtempSync(join(tmpdir(), 'gastpass-fixture-'));
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
const environment = {
  PATH: process.env.PATH ?? '',
  DATA_DIR: dataDir,
  PORT: '0',
  LOG_LEVEL: 'error',
  GASTPASS_SECRET: SECRET,
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
};

async function startRelease(): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, ['bin/gastpass.js', 'serve'], { cwd: folder, env: environment });
  child.stderr.pipe(process.stderr);
  let output = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    output += text;
    const url = /Health +(http:\S+)\/readyz\n/.exec(output)?.[1];
    if (url) return { url, child };
  }
  throw new Error(`the release did not start: ${output}`);
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill();
  await once(child, 'exit');
}

const run = (command: string, input = '') =>
  execFileSync(process.execPath, ['bin/gastpass.js', ...command.split(' ')], {
    cwd: folder,
    env: environment,
    input,
    encoding: 'utf8',
  });

function makeApi(url: string, key: string) {
  return async (path: string, body?: object, headers = {}): Promise<unknown> => {
    const response = await fetch(`${url}/api/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
}

const first = await startRelease();
const key = /gpk_\w+/.exec(run('keys create --name Kasse --scope write --rate-limit 60'))?.[0] ?? '';
run('users add --email rita@example.org --name Rita --password-file -', ADMIN.password);
const order = makeApi(first.url, key);
await order('vouchers.php', { site_id: 1, name: 'Zimmer 12' }, { 'idempotency-key': 'the-first-order' });
await order('vouchers.php', { site_id: 1, name: "O'Brien „Ä“ 😀", max_uses: 3, expire_minutes: 1440 });
await order('vouchers.php', { site_id: 1, name: 'Zimmer 14', down: 10_000, up: 2_000 });
await stop(first.child);

const database = new DatabaseSync(join(dataDir, 'gastpass.sqlite'));
const numberOf = (sql: string) => Number(Object.values(database.prepare(sql).get() ?? {})[0]);
const version = numberOf('pragma user_version');
if (version >= 2) {
  const permission = '--controller unifi --url https://192.0.2.1 --fingerprint';
  const options = version >= 7 ? ' --inactive --untested' : ' --inactive';
  run(`sites add --name Haus ${permission} ${'AB'.repeat(32)} --api-key-file -${options}`, 'the API key');
}
if (version >= 5) run('webhooks add --url http://127.0.0.1:9/hook --format generic');
const nowMs = Date.now();
const nowS = Math.floor(nowMs / 1_000);
// A second voucher that is in use, and a third one that has ended.
database.exec(`update vouchers set used_count = 1, first_used_at_s = ${nowS} where id = 2`);
database.exec(`update vouchers set ended_at_s = ${nowS} where id = 3`);
database.exec('update sites set list_version = list_version + 1');

const second = await startRelease();
const read = makeApi(second.url, key);
const responses = { sites: await read('sites.php'), vouchers: await read('vouchers.php?site_id=1') };
await stop(second.child);

const columnsOf = (table: string) =>
  database
    .prepare(`select name from pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => String(name));
const literal = (value: unknown) =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
function toInsert(table: string, row: Record<string, unknown>): string {
  const names = columnsOf(table).filter((name) => name in row);
  return `insert into ${table} (${names.join(', ')}) values (${names.map((name) => literal(row[name])).join(', ')});`;
}

const sealed = database.prepare("select value from settings where name = 'secret_check'").get();
const bindsSeals = isBound(String(sealed?.value));
const seal = deriveKey(SECRET);
const pageRows = makePageRows({
  nowMs,
  seal: (plain, { table, column, row }) =>
    encrypt(seal, plain, bindsSeals ? JSON.stringify([table, column, String(row)]) : undefined),
});
for (const { table, row } of pageRows) {
  if (columnsOf(table).length === 0) continue;
  const keys = (copied.get(table) ?? []).map((name) => `${name} = ${literal(row[name])}`).join(' and ');
  database.exec(`delete from ${table} where ${keys}; ${toInsert(table, row)}`);
}

const lines = [...copied].flatMap(([table, keys]) =>
  columnsOf(table).length === 0
    ? []
    : database
        .prepare(`select * from ${table} order by ${keys.join(', ')}`)
        .all()
        .map((row) => toInsert(table, row)),
);
const fixture: Fixture = { statementsHash: statementsHash(version), nowMs, key, ...responses };
writeFileSync(fixtureFile(version, 'sql'), `${lines.join('\n')}\n`);
writeFileSync(fixtureFile(version, 'json'), `${JSON.stringify(fixture, null, 2)}\n`);
console.log(`${fixtureFile(version, 'sql')}: ${lines.length} rows`);
