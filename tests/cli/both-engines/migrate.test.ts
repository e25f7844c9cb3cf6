// Tests that only `serve` and `migrate` create or change a database: every other command leaves an empty folder empty
// and refuses a database of another release.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { loadCommands } from '../../../src/cli/commands.ts';
import { migrations } from '../../../src/platform/database/migrations/index.ts';
import { engine, openRecords } from '../../support/engine.ts';
import { makeFolder, runGastpass, startGastpass } from '../../support/run-gastpass.ts';

const NEWEST = migrations.length;
/** The shortest valid call of every command that needs the data. */
const CALLS = [
  'keys create --name K --scope read',
  'keys list',
  'keys set AAAAAAAA --rate-limit 1',
  'keys revoke AAAAAAAA',
  'sites add --name N --controller simulator',
  'sites list',
  'sites set 1 --name N',
  'sites test 1',
  'sites remove 1',
  'users add --email e@example.org --name N',
  'users change-email --email e@example.org --new-email f@example.org',
  'users list',
  'users reset-password --email e@example.org',
  'users unlock --email e@example.org',
  'users remove-second-factor --email e@example.org',
  'users disable --email e@example.org',
  'users enable --email e@example.org',
  'users remove --email e@example.org --yes',
  'webhooks add --url http://127.0.0.1:1/ --format generic',
  'webhooks list',
  'webhooks set 1 --name N',
  'webhooks test 1',
  'webhooks rotate 1',
  'webhooks remove 1',
  'webhooks log',
  'webhooks resend 1',
  'mail test --to a@example.org',
  'mail log',
  'mail resend 1',
  'printers add --site 1 --name N --kind epson',
  'printers list',
  'printers test 1',
  'printers remove 1',
  'screens add --site 1 --name N --kind kiosk',
  'screens list',
  'screens show 1',
  'screens set 1 --idle 9',
  'screens address 1',
  'screens renew-address 1',
  'screens terms 1',
  'screens pair 1',
  'screens unpair 1',
  'screens remove 1',
  'requests list',
  'requests address --site 1',
  'requests renew-address --site 1',
  'requests approve 1',
  'requests decline 1',
  'vouchers create --site 1 --name N',
  'vouchers list',
  'vouchers revoke --site 1 --code 1',
  'vouchers import',
  'sync',
  'doctor',
  'rekey',
  'backup b.gastpass --without-secret',
  'verify',
  'privacy find Mustermann',
  'privacy export Mustermann',
  'privacy erase Mustermann --yes',
  ...(engine === 'sqlite' ? ['move --to postgres://127.0.0.1:1/none'] : []),
];

let folder: string;
let dataDir: string;
let remove: () => void;
beforeEach(() => {
  ({ folder, remove } = makeFolder());
  dataDir = join(folder, 'data');
});
afterEach(() => remove());

const run = (words: string) => runGastpass(words.split(' '), { dataDir });

/** The whole output: `doctor` reports on stdout why it cannot open the database. */
async function refusalOf(words: string): Promise<string> {
  const { code, stdout, stderr } = await run(words);
  assert.notEqual(code, 0, `${words}: ${stdout}`);
  return `${stdout}${stderr}`;
}

function setVersion(version: number): void {
  const records = openRecords(dataDir);
  if (engine === 'sqlite') records.change(`pragma user_version = ${version}`);
  else {
    records.change('delete from schema_version where version > ?', version);
    if (version > NEWEST) records.change('insert into schema_version values (?)', version);
  }
  records.close();
}

function readVersion(): number {
  const records = openRecords(dataDir);
  const [row] = records.rows(
    engine === 'sqlite' ? 'pragma user_version' : 'select max(version) as user_version from schema_version',
  );
  records.close();
  return Number(row?.user_version);
}

test('the list of calls has every command that needs the data', async () => {
  const others = [
    'serve',
    'migrate',
    'simulate-controller',
    'simulate-printer',
    'version',
    'completion',
    'mcp',
    'move-in unifi-voucher-tool',
    'restore',
    ...(engine === 'sqlite' ? [] : ['move']),
  ];
  const needed = (await loadCommands()).map(({ name }) => name).filter((name) => !others.includes(name));
  const called = CALLS.map((call) => needed.find((name) => `${call} `.startsWith(`${name} `)));
  assert.deepEqual(called.toSorted(), needed.toSorted());
});

test('without a database every command says so and creates nothing', async () => {
  for (const words of CALLS) {
    assert.match(
      await refusalOf(words),
      /there is no Gastpass database .*gastpass migrate|does not exist/,
      words,
    );
    assert.ok(!existsSync(dataDir), words);
  }
});

test('migrate creates a database, which commands then use', async () => {
  const check = await run('migrate --check');
  assert.equal(check.code, 1);
  assert.match(
    check.stdout,
    /^There is no database\. These migrations would run:\n {2}1 {2}the first tables\n/,
  );
  assert.ok(!existsSync(dataDir));

  const first = await run('migrate');
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /^There was no database\. These migrations ran:\n/);
  assert.match(first.stdout, new RegExp(`\nDone: schema 0 → ${NEWEST}, [\\d,]+ ms\\.\n$`));
  assert.equal(readVersion(), NEWEST);
  for (const words of ['migrate', 'migrate --check', 'keys list'])
    assert.equal((await run(words)).code, 0, words);
  assert.equal((await run('migrate')).stdout, `The schema is up to date (version ${NEWEST}).\n`);
});

test('commands refuse an older or newer schema with one line and leave it as it is', async () => {
  await run('migrate');
  for (const [version, advice] of [
    [NEWEST - 1, /run gastpass migrate\n/],
    [NEWEST + 1, /start the newer release/],
  ] as const) {
    setVersion(version);
    for (const words of [...CALLS, 'migrate --check']) {
      const refusal = await refusalOf(words);
      assert.match(refusal, words === 'migrate --check' && version < NEWEST ? /would run/ : advice, words);
    }
    assert.equal(readVersion(), version);
  }
});

if (engine === 'sqlite')
  test('migrate does not change the schema under a running service', async (t) => {
    await run('migrate');
    const service = await startGastpass({ dataDir });
    t.after(() => service.stop());
    assert.equal((await run('migrate')).code, 0, 'nothing to do');
    setVersion(NEWEST - 1);
    assert.match((await run('migrate')).stderr, /another service is running on the data folder/);
    assert.equal(readVersion(), NEWEST - 1);
  });
