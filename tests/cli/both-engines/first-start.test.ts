// Tests the first start on an empty data folder: what it creates and prints, and that it prints secrets only once.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { isPassword } from '../../../src/kernel/users/password.ts';
import { readRecords } from '../../support/engine.ts';
import { callApi, makeFolder, runGastpass, startGastpass } from '../../support/run-gastpass.ts';

const KEY = /gpk_[0-9A-Za-z]{46}/;

/** Runs the command as a user would in a shell; without curl, sends the same request. */
async function paste(command: string): Promise<ReturnType<typeof JSON.parse>> {
  const env = { PATH: process.env.PATH };
  if (spawnSync('curl', ['--version'], { env }).status === 0) {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { env, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout);
  }
  const [, url = '', authorization = '', body = ''] =
    /^ *curl -X POST (\S+) \\\n *-H 'Authorization: ([^']+)' \\\n *-d '([^']+)'$/.exec(command) ?? [];
  return (await fetch(url, { method: 'POST', headers: { authorization }, body })).json();
}

describe('the first start of a demo', () => {
  const { folder, remove } = makeFolder();
  const dataDir = join(folder, 'made', 'on', 'the', 'way');
  after(remove);
  let first: string;
  let second: string;
  let logs: string[];
  let pasted: ReturnType<typeof JSON.parse>;
  let listed: ReturnType<typeof JSON.parse>;

  before(async () => {
    const service = await startGastpass({ dataDir });
    first = service.stdout();
    pasted = await paste(first.split('Your first voucher:\n\n')[1]?.split('\n\n')[0] ?? '');
    const key = KEY.exec(first)?.[0] ?? '';
    listed = (await callApi(service, { key, path: 'vouchers.php?site_id=1' })).json;
    const ended = await service.stop();
    const again = await startGastpass({ dataDir });
    second = again.stdout();
    logs = [ended.stdout, (await again.stop()).stdout];
  });

  test('the start that migrates logs the versions of the schema and the time', () => {
    const pattern = /"from":0,"to":(\d+),"durationMs":(\d+),"msg":"schema 0 → \1, [\d,]+ ms"/;
    assert.deepEqual(
      logs.map((log) => pattern.test(log)),
      [true, false],
    );
  });

  test('the first start prints the URLs', () => {
    assert.match(first, /API {6}http:\/\/127\.0\.0\.1:\d+\/api\n/);
    assert.match(first, /OpenAPI {2}http:\/\/127\.0\.0\.1:\d+\/api\/openapi\.php\n/);
    assert.match(first, /API v1 {3}http:\/\/127\.0\.0\.1:\d+\/api\/v1\n/);
    assert.match(first, /OpenAPI {2}http:\/\/127\.0\.0\.1:\d+\/api\/v1\/openapi\.json\n/);
  });

  test('both READMEs show the URLs as they are printed', () => {
    const [urls = ''] =
      /^ {2}Web [\s\S]+?\n\n/m.exec(first.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080')) ?? [];
    for (const name of ['README.md', 'README.de.md'])
      assert.ok(
        readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8').includes(
          `Gastpass is running.\n\n${urls}`,
        ),
        `${name}:\n${urls}`,
      );
  });

  test('the first start prints an administrator and the correct password', async () => {
    const [, email] = /Administrator {2}(\S+)\n/.exec(first) ?? [];
    const [, password] = /Password {7}(\S+)\n/.exec(first) ?? [];
    const [admin, ...others] = readRecords(dataDir, 'select * from users');
    assert.deepEqual(others, []);
    assert.deepEqual([admin?.email, admin?.role], [email, 'admin']);
    assert.ok(await isPassword(password ?? '', String(admin?.password_hash)));
  });

  test('the first start prints the demo site with the id 1, and creates one write key without a limit', () => {
    assert.match(first, /Demo site {6}Demo \(site_id 1, simulated controller\)\n/);
    assert.deepEqual(
      readRecords(dataDir, 'select id, name, active, controller_kind from sites').map((row) => ({ ...row })),
      [{ id: 1, name: 'Demo', active: 1, controller_kind: 'simulator' }],
    );
    assert.deepEqual(
      readRecords(dataDir, 'select scope, rate_limit from api_keys').map((row) => ({ ...row })),
      [{ scope: 'write', rate_limit: 0 }],
    );
  });

  test('the printed curl command creates a voucher', () => {
    assert.equal(pasted.success, true);
    assert.equal(pasted.site, 'Demo');
    assert.equal(listed.vouchers[0].voucher_code, pasted.code);
    assert.match(listed.vouchers[0].voucher_name, /^\d{4}-\d\d-\d\d_Zimmer 12$/);
  });

  test('the second start prints the URLs and no secret', () => {
    assert.match(second, /API {6}http:/);
    assert.doesNotMatch(second, KEY);
    assert.doesNotMatch(second, /Administrator|Password|Demo site|curl/);
    assert.equal(readRecords(dataDir, 'select * from sites').length, 1);
    assert.equal(readRecords(dataDir, 'select * from api_keys').length, 1);
  });
});

test('if the port is in use at the first start, neither password nor key is lost', async () => {
  const { folder: dataDir, remove } = makeFolder();
  const stranger = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => stranger.once('listening', resolve));
  const address = stranger.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  const refused = await runGastpass(['serve'], { dataDir, environment: { PORT: port } });
  assert.equal(refused.code, 1);
  stranger.close();

  const service = await startGastpass({ dataDir });
  await service.stop();
  remove();
  const shown = refused.stdout + service.stdout();
  assert.match(shown, KEY);
  assert.match(shown, /Password {7}\S+\n/);
});
