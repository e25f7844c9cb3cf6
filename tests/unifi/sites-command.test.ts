// Tests `gastpass sites add` for a UniFi console: the first contact shows the certificate and sends nothing, then the
// confirmed certificate is pinned. Invalid options are refused with helpful messages.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type SimulatedConsole, startSimulatedConsole } from '../../packages/unifi-console/src/index.ts';
import { makeDatabase, makeFolder, runGastpass } from '../support/run-gastpass.ts';

const { folder: dataDir, remove } = makeFolder();
let controller: SimulatedConsole;
before(async () => {
  await makeDatabase(dataDir);
  controller = await startSimulatedConsole({ port: 0, flavour: 'unifi-os' });
});
after(async () => {
  await controller.stop();
  remove();
});

const sites = (...words: string[]) => runGastpass(['sites', ...words], { dataDir });
const add = (...words: string[]) =>
  sites('add', '--name', 'Haus A', '--controller', 'unifi', '--url', controller.url, ...words);

test('first contact shows the fingerprint, adds nothing and sends no request', async () => {
  const { code, stdout, stderr } = await add('--api-key', controller.apiKey);
  assert.deepEqual([code, stdout], [1, '']);
  assert.ok(stderr.includes(`--fingerprint ${controller.fingerprint256}`));
  assert.equal(controller.controls.counters().requestsInAll, 0);
  assert.equal((await sites('list', '--json')).stdout.trim(), '[]');
});

test('a site that fails its test is not stored, and the command says how to store it anyway', async () => {
  const wrong = await add('--api-key', 'falsch', '--fingerprint', controller.fingerprint256);
  assert.deepEqual([wrong.code, wrong.stdout], [1, '']);
  assert.match(wrong.stderr, /rejects the API key \(401\).*\n.*Nothing was stored.*--untested/s);

  controller.controls.setFault({ kind: 'status', status: 500, match: 'delete' });
  const left = await add('--api-key', controller.apiKey, '--fingerprint', controller.fingerprint256);
  const [voucher] = controller.controls.vouchers();
  assert.equal(left.code, 1);
  assert.match(left.stderr, new RegExp(`could not be deleted.*"Gastpass Test", code ${voucher?.code}`));
  controller.controls.remove({ code: voucher?.code ?? '' });
  assert.equal((await sites('list', '--json')).stdout.trim(), '[]');
});

test('with the confirmed fingerprint the site is tested, added and works', async () => {
  const { code, stdout } = await add(
    '--api-key',
    controller.apiKey,
    '--fingerprint',
    controller.fingerprint256,
  );
  assert.deepEqual([code, stdout], [0, '1\n']);
  const { create, delete: deleted } = controller.controls.counters().requests;
  assert.deepEqual([create, deleted], [2, 2]);
  assert.deepEqual(controller.controls.vouchers(), []);
  const tested = await sites('test', '1');
  assert.deepEqual([tested.code, tested.stdout], [0, 'Haus A: works\n']);
  const { stdout: listed } = await sites('list', '--json');
  assert.equal(JSON.parse(listed)[0].certificate, 'pinned');
  assert.ok(!listed.includes(controller.apiKey));
});

test('a second site for the same controller site is refused', async () => {
  const { code, stderr } = await add('--api-key', controller.apiKey, '--insecure');
  assert.equal(code, 1);
  assert.match(stderr, /site 1 \(Haus A\) already uses this site/);
});

test('a certificate other than the confirmed one is refused before the key is sent', async () => {
  const before = controller.controls.counters().requestsInAll;
  const refused = await sites('set', '1', '--fingerprint', '0'.repeat(64));
  assert.match(refused.stderr, /shows a different certificate.*Nothing was stored/s);
  assert.equal((await sites('set', '1', '--fingerprint', '0'.repeat(64), '--untested')).code, 0);
  const { code, stderr } = await sites('test', '1');
  assert.equal(code, 1);
  assert.match(stderr, /shows a different certificate from the confirmed one/);
  const synced = await runGastpass(['sync', '--json'], { dataDir });
  const [{ problem }] = JSON.parse(synced.stdout);
  assert.match(problem, /the connection may be intercepted/);
  assert.match(problem, new RegExp(`now ${controller.fingerprint256.replaceAll(':', '')}, was 0{64}\\)$`));
  const compared = await sites('set', '1', '--url', controller.url);
  assert.match(
    compared.stderr,
    new RegExp(`has changed.*confirmed until now: 00:00:.*shown now: +${controller.fingerprint256}`, 's'),
  );
  assert.equal(controller.controls.counters().requestsInAll, before);
  await sites('set', '1', '--fingerprint', controller.fingerprint256);
  assert.equal((await sites('test', '1')).code, 0);
});

test('another URL is refused without credentials, so that the stored ones are not sent there', async () => {
  const other = controller.url.replace('127.0.0.1', 'localhost');
  for (const url of [other, `${controller.url}/proxy/behind`]) {
    const { code, stdout, stderr } = await sites('set', '1', '--url', url, '--insecure', '--untested');
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^gastpass: another --url needs the credentials again \(--api-key\)/);
  }
  const url = async () => JSON.parse((await sites('list', '--json')).stdout)[0].url;
  assert.equal(await url(), controller.url);

  const trust = ['--fingerprint', controller.fingerprint256];
  assert.equal((await sites('set', '1', '--url', `${controller.url}/`, ...trust)).code, 0);
  assert.equal((await sites('set', '1', '--url', other, '--api-key', controller.apiKey, ...trust)).code, 0);
  assert.equal(await url(), other);
  assert.equal(
    (await sites('set', '1', '--url', controller.url, '--api-key', controller.apiKey, ...trust)).code,
    0,
  );
});

test('each invalid combination of options is refused with its reason', async () => {
  const refusals: [string[], RegExp][] = [
    [['--controller', 'unifi', '--api-key', 'x'], /--url is missing/],
    [['--controller', 'unifi', '--url', controller.url], /needs --api-key/],
    [['--controller', 'unifi', '--url', 'http://10.0.0.1', '--api-key', 'x'], /https/],
    [
      ['--controller', 'unifi-classic', '--url', controller.url, '--username', 'a'],
      /--username and --password/,
    ],
    [
      ['--controller', 'unifi-classic', '--url', controller.url, '--username', 'a@b', '--password', 'x'],
      /local administrator/,
    ],
    [['--controller', 'unifi', '--url', controller.url, '--api-key', 'x', '--fingerprint', 'zz'], /64 hex/],
    [['--controller', 'simulator', '--url', controller.url], /needs no address/],
  ];
  for (const [words, reason] of refusals) {
    const { code, stderr, stdout } = await sites('add', '--name', 'x', ...words);
    assert.deepEqual([code, stdout], [2, ''], words.join(' '));
    assert.match(stderr, reason);
  }
});
