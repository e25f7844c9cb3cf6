// Tests invalid settings: all errors are reported together with exit code 2, without the values of secrets. Also tests
// settings that are read from files.

import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { callApi, makeFolder, runGastpass, startGastpass } from '../support/run-gastpass.ts';

const { folder, remove } = makeFolder();
const dataDir = join(folder, 'data');
after(remove);

const EVERYTHING_WRONG = {
  ADMIN_EMAIL: 'no-address',
  ADMIN_PASSWORD: 'hunter2',
  BASE_PATH: 'api?x',
  GASTPASS_DEMO: 'maybe',
  GASTPASS_SECRET: 'tiny-secret',
  HOST: 'not a host',
  LOG_LEVEL: 'loud',
  PORT: '70000',
  SYNC_INTERVAL_S: '1',
  TRUSTED_PROXIES: '10.0.0.0/8, everyone',
  TZ: 'Mars/Olympus',
  WEBHOOK_TARGETS: 'some',
};

test('all errors are reported together, before anything is done', async () => {
  for (const words of [['serve'], ['doctor']]) {
    const { code, stdout, stderr } = await runGastpass(words, { dataDir, environment: EVERYTHING_WRONG });
    assert.match(stderr, /^gastpass: the configuration is invalid:\n/);
    for (const name of Object.keys(EVERYTHING_WRONG)) assert.match(stderr, new RegExp(`^ {2}${name}: `, 'm'));
    assert.equal(stdout, '');
    assert.equal(code, 2);
    assert.equal(existsSync(dataDir), false);
  }
});

test('each error says what is expected', async () => {
  const { stderr } = await runGastpass(['serve'], { dataDir, environment: EVERYTHING_WRONG });
  assert.deepEqual(stderr.trimEnd().split('\n').slice(1).sort(), [
    '  ADMIN_EMAIL: expected an e-mail address',
    '  ADMIN_PASSWORD: expected at least 10 characters',
    '  BASE_PATH: expected a path such as /api, found "api?x"',
    '  GASTPASS_DEMO: expected one of 0, 1, found "maybe"',
    '  GASTPASS_SECRET: expected at least 32 characters',
    '  HOST: expected a host name or address',
    '  LOG_LEVEL: expected one of trace, debug, info, warn, error, fatal, silent, found "loud"',
    '  PORT: expected a whole number from 0 to 65535, found "70000"',
    '  SYNC_INTERVAL_S: expected a whole number from 5 to 86400, found "1"',
    '  TRUSTED_PROXIES: "everyone" is no IP address or CIDR range',
    '  TZ: expected a time zone such as Europe/Berlin, found "Mars/Olympus"',
    '  WEBHOOK_TARGETS: expected one of any, public, found "some"',
  ]);
});

test('the values of secrets are not repeated', async () => {
  const { stderr } = await runGastpass(['serve'], { dataDir, environment: EVERYTHING_WRONG });
  assert.doesNotMatch(stderr, /hunter2|tiny-secret/);
});

test('a file that cannot be read and a setting that is given twice are reported', async () => {
  const environment = { GASTPASS_SECRET_FILE: join(folder, 'missing'), PORT: '0', PORT_FILE: 'port.txt' };
  const { code, stderr } = await runGastpass(['keys', 'list'], { dataDir, environment });
  assert.match(
    stderr,
    /GASTPASS_SECRET_FILE: cannot read .*missing \(ENOENT\): create the file, or correct the path$/m,
  );
  assert.match(stderr, /PORT and PORT_FILE are both set: use one/);
  assert.equal(code, 2);
});

test('an unsupported database is refused, not ignored', async () => {
  const environment = { DATABASE_URL: 'mysql://gastpass:hunter2@db.example.org/gastpass' };
  const { code, stderr } = await runGastpass(['keys', 'list'], { dataDir, environment });
  assert.match(stderr, /DATABASE_URL: expected an address such as postgres:/);
  assert.doesNotMatch(stderr, /hunter2/);
  assert.equal(code, 2);
});

test('PostgreSQL without GASTPASS_SECRET is refused', async () => {
  const environment = { DATABASE_URL: 'postgres://gastpass:hunter2@db.example.org/gastpass' };
  const { code, stderr } = await runGastpass(['keys', 'list'], { dataDir, environment });
  assert.match(stderr, /with DATABASE_URL set GASTPASS_SECRET too/);
  assert.doesNotMatch(stderr, /hunter2/);
  assert.equal(code, 2);
});

test('settings are read from the files that their _FILE variants name', async () => {
  const inFile = (name: string, text: string) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const environment = {
    DATA_DIR_FILE: inFile('data-dir', `${dataDir}\n`),
    GASTPASS_SECRET_FILE: inFile('secret', 'a secret of the tests, in a file of its own\r\n'),
    GASTPASS_DEMO_FILE: inFile('demo', '0'),
    BASE_PATH_FILE: inFile('base-path', '/api\n'),
  };
  assert.equal((await runGastpass(['migrate'], { environment })).stderr, '');
  const made = await runGastpass(['keys', 'create', '--name', 'Theke', '--scope', 'read'], { environment });
  assert.equal(made.stderr, '');
  assert.ok(existsSync(join(dataDir, 'gastpass.sqlite')));
  assert.equal(existsSync(join(dataDir, 'secret')), false, 'the secret came from the file');

  const service = await startGastpass({ environment: { ...environment, TRUSTED_PROXY: '10.0.0.5' } });
  const { status, json } = await callApi(service, { key: made.stdout.trimEnd(), path: 'sites.php' });
  assert.deepEqual([status, json], [200, { sites: [] }]);
  const { code, stdout, stderr } = await service.stop();
  assert.equal(code, 0);
  assert.match(
    stdout + stderr,
    /"variable":"TRUSTED_PROXY","meant":"TRUSTED_PROXIES"/,
    'a misspelt setting is logged',
  );
});
