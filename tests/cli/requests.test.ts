// Tests the real commands `gastpass requests …`: the list, both decisions, and the address of the page.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openInstallation } from '../../src/app/installation.ts';
import { asSiteId } from '../../src/kernel/ids.ts';
import { addRequestTo } from '../support/added-request.ts';
import { readRecords } from '../support/engine.ts';
import { makeDatabase, makeFolder, runGastpass } from '../support/run-gastpass.ts';
import { configOf } from '../support/test-service.ts';

const { folder: dataDir, remove } = makeFolder();
after(remove);

const run = (words: string, environment: Record<string, string> = {}) =>
  runGastpass(words.split(' '), { dataDir, environment });
const gastpass = (words: string) => run(`requests ${words}`);
const there = { PUBLIC_URL: 'https://wifi.example.org' };

async function listed(): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await gastpass('list --json');
  assert.deepEqual([code, stderr], [0, '']);
  return JSON.parse(stdout);
}

async function ask(name: string, siteId = 1): Promise<number> {
  const installation = await openInstallation(await configOf(dataDir));
  const id = await addRequestTo(installation, { siteId: asSiteId(siteId), name });
  await installation.close();
  return id;
}

before(async () => {
  await makeDatabase(dataDir);
  for (const [name, ref] of [
    ['Haus-A', 'default'],
    ['Haus-B', 'fail:unreachable'],
  ])
    await run(`sites add --name ${name} --controller simulator --site ${ref}`);
});

test('the address of the page is printed while there is one, and can be renewed', async () => {
  assert.match((await gastpass('list')).stdout, /^No requests\. Guests can ask after gastpass sites set/);
  for (const command of ['address', 'renew-address']) {
    const { code, stdout, stderr } = await gastpass(`${command} --site 1`);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /site 1 has no page for requests; switch it on: gastpass sites set 1 --requests on/);
  }
  assert.match((await gastpass('address --site 9')).stderr, /there is no site 9/);
  assert.equal((await run('sites set 1 --requests on')).code, 0);
  const address = async () => JSON.parse((await run('requests address --site 1 --json', there)).stdout);
  const first = await address();
  assert.deepEqual(Object.keys(first), ['site', 'token', 'url']);
  assert.match(first.token, /^[0-9A-Za-z]{32}$/);
  assert.equal(first.url, `https://wifi.example.org/request/${first.token}`);
  assert.equal((await run('requests address --site 1', there)).stdout, `${first.url}\n`);
  await run('sites set 1 --requests on');
  assert.deepEqual(await address(), first, 'switching it on again keeps the address');
  const renewed = JSON.parse((await run('requests renew-address --site 1 --json', there)).stdout);
  assert.notEqual(renewed.token, first.token);
  assert.deepEqual(await address(), renewed);
});

test('a request is listed and approved once; its voucher has the name of the guest', async () => {
  const id = await ask('Erika');
  const [waiting] = await listed();
  assert.partialDeepStrictEqual(waiting, {
    ...{ id, site: 1, screen: null, name: 'Erika', host: 'Erika', note: 'Erika', state: 'waiting' },
    ...{ decided_at: null, decided_by: null, reason: null, voucher: null },
  });
  assert.match((await gastpass(`approve ${id} --profile None`)).stderr, /the site has no such profile/);
  const approved = JSON.parse((await gastpass(`approve ${id} --json`)).stdout);
  assert.deepEqual(Object.keys(approved), ['id', 'code', 'formatted_code', 'voucher']);
  const [voucher] = await readRecords(dataDir, 'select name, code from vouchers');
  assert.match(String(voucher?.name), /^\d{4}-\d\d-\d\d_Erika$/);
  assert.equal(voucher?.code, approved.code);
  const [decided] = await listed();
  assert.partialDeepStrictEqual(decided, { id, state: 'approved', voucher: approved.voucher });
  assert.equal(typeof decided?.decided_by, 'string');
  for (const command of ['approve', 'decline']) {
    const { code, stderr } = await gastpass(`${command} ${id}`);
    assert.equal(code, 1);
    assert.match(stderr, /does not wait any more: approved by \S/);
  }
});

test('a request is declined with a reason', async () => {
  const id = await ask('Max');
  const tooLong = await gastpass(`decline ${id} --reason ${'x'.repeat(201)}`);
  assert.deepEqual([tooLong.code, tooLong.stdout], [2, '']);
  const { code, stdout, stderr } = await gastpass(`decline ${id} --reason Closed`);
  assert.deepEqual([code, stdout, stderr], [0, '', '']);
  const declined = (await listed()).find((request) => request.id === id);
  assert.partialDeepStrictEqual(declined, { state: 'declined', reason: 'Closed', voucher: null });
  assert.match((await gastpass('decline 99')).stderr, /there is no request 99; see gastpass requests list/);
});

test('without a voucher, the request still waits', async () => {
  const id = await ask('Ute', 2);
  const { code, stdout, stderr } = await gastpass(`approve ${id}`);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /no voucher was created, and request \d+ still waits/);
  assert.partialDeepStrictEqual(await listed(), [{ id, state: 'waiting', decided_by: null }]);
});
