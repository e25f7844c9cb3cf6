// Tests the real command `gastpass sites …`: adding, listing, changing, testing and removing sites.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openInstallation } from '../../src/app/installation.ts';
import { sampleIntent, sampleUpstream } from '../storage/samples.ts';
import { TESTER } from '../support/actors.ts';
import { readRecords } from '../support/engine.ts';
import { makePng } from '../support/pictures.ts';
import { type Ended, makeDatabase, makeFolder, runGastpass } from '../support/run-gastpass.ts';
import { configOf } from '../support/test-service.ts';

const { folder: dataDir, remove } = makeFolder();
after(remove);

const gastpass = (...words: string[]): Promise<Ended> => runGastpass(words, { dataDir });

/** The values that the list shows for every site on the simulator. */
const simulator = {
  controller: 'simulator',
  url: null,
  certificate: null,
  import: true,
  check_out: '11:00',
  time_zone: null,
  guest_page: false,
  reply_to: null,
  reserve: 0,
  reserve_ready: 0,
  reserve_profile: null,
  requests: false,
  requests_mail: null,
  picture: false,
  sync: 'never',
  synced_at: null,
  sync_error: null,
};

async function listed(): Promise<unknown[]> {
  const { code, stdout, stderr } = await gastpass('sites', 'list', '--json');
  assert.equal(stderr, '');
  assert.equal(code, 0);
  return JSON.parse(stdout);
}

before(async () => {
  await makeDatabase(dataDir);
  const empty = await gastpass('sites', 'list');
  assert.match(empty.stdout, /^No sites yet. Add one: gastpass sites add/);

  const first = await gastpass('sites', 'add', '--name', 'Haus B', '--controller', 'simulator');
  assert.deepEqual([first.code, first.stdout, first.stderr], [0, '1\n', '']);
  const words = ['--name', 'Haus A', '--controller', 'simulator', '--site', 'fail:refuse', '--inactive'];
  const second = await gastpass('sites', 'add', ...words, '--json');
  assert.deepEqual([second.code, JSON.parse(second.stdout)], [0, { id: 2 }]);
});

test('sites are listed by name, as JSON and as a table', async () => {
  const siteA = { id: 2, name: 'Haus A', active: false, site: 'fail:refuse', ...simulator, sync: 'off' };
  const siteB = { id: 1, name: 'Haus B', active: true, site: 'default', ...simulator };
  assert.deepEqual(await listed(), [siteA, siteB]);

  const { stdout } = await gastpass('sites', 'list');
  assert.deepEqual(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/)),
    [
      [
        'ID',
        'NAME',
        'ACTIVE',
        'CONTROLLER',
        'SITE',
        'URL',
        'CERTIFICATE',
        'IMPORT',
        'CHECK_OUT',
        'TIME_ZONE',
        'GUEST_PAGE',
        'REPLY_TO',
        'RESERVE',
        'RESERVE_READY',
        'RESERVE_PROFILE',
        'REQUESTS',
        'REQUESTS_MAIL',
        'PICTURE',
        'SYNC',
        'SYNCED_AT',
        'SYNC_ERROR',
      ],
      [
        '2',
        'Haus A',
        'no',
        'simulator',
        'fail:refuse',
        '-',
        '-',
        'yes',
        '11:00',
        '-',
        'no',
        '-',
        '0',
        '0',
        '-',
        'no',
        '-',
        'no',
        'off',
        '-',
        '-',
      ],
      [
        '1',
        'Haus B',
        'yes',
        'simulator',
        'default',
        '-',
        '-',
        'yes',
        '11:00',
        '-',
        'no',
        '-',
        '0',
        '0',
        '-',
        'no',
        '-',
        'no',
        'never',
        '-',
        '-',
      ],
    ],
  );
});

test('sites test reports whether the controller would accept a voucher', async () => {
  const [good, goodJson, bad, badJson] = await Promise.all([
    gastpass('sites', 'test', '1'),
    gastpass('sites', 'test', '1', '--json'),
    gastpass('sites', 'test', '2'),
    gastpass('sites', 'test', '2', '--json'),
  ]);
  assert.deepEqual([good.code, good.stdout, good.stderr], [0, 'Haus B: works\n', '']);
  assert.deepEqual([goodJson.code, JSON.parse(goodJson.stdout)], [0, { id: 1, ok: true }]);
  assert.deepEqual([bad.code, bad.stdout], [1, '']);
  assert.match(bad.stderr, /^gastpass: Haus A: .*fail:refuse/);
  assert.equal(badJson.code, 1);
  assert.partialDeepStrictEqual(JSON.parse(badJson.stdout), { id: 2, ok: false });
  assert.match(JSON.parse(badJson.stdout).problem, /fail:refuse/);
});

test('sites set changes the name, the controller site and the active state of a site', async () => {
  const words = ['--name', 'Haus Ä', '--site', 'garten', '--active'];
  const changed = await gastpass('sites', 'set', '2', ...words);
  assert.deepEqual([changed.code, changed.stdout, changed.stderr], [0, '', '']);
  const off = await gastpass('sites', 'set', '1', '--inactive');
  assert.equal(off.code, 0);
  assert.deepEqual(await listed(), [
    { id: 2, name: 'Haus Ä', active: true, site: 'garten', ...simulator },
    { id: 1, name: 'Haus B', active: false, site: 'default', ...simulator, sync: 'off' },
  ]);
});

test('sites set switches pages for guests on and off', async () => {
  for (const choice of ['on', 'off'] as const) {
    assert.equal((await gastpass('sites', 'set', '2', '--guest-page', choice)).code, 0);
    assert.partialDeepStrictEqual(await listed(), [{ id: 2, guest_page: choice === 'on' }]);
  }
  assert.equal((await gastpass('sites', 'set', '2', '--guest-page', 'yes')).code, 2);
});

test('sites set gives a site an address for replies to its e-mails', async () => {
  for (const [typed, stored] of [
    ['empfang@example.org', 'empfang@example.org'],
    ['default', null],
  ] as const) {
    assert.equal((await gastpass('sites', 'set', '2', '--reply-to', typed)).code, 0);
    assert.partialDeepStrictEqual(await listed(), [{ id: 2, reply_to: stored }]);
  }
});

test('sites set keeps a number of vouchers with a profile in reserve', async () => {
  const config = await configOf(dataDir);
  const { profiles, close } = await openInstallation(config);
  const limits = { maxUses: 1, expireMinutes: 60, downKbps: 0, upKbps: 0, quotaMb: 0 };
  const audit = { actor: TESTER, atMs: 1 };
  const tag = await profiles.add({ name: 'Tag', ...limits, siteIds: [] }, audit);
  await profiles.add({ name: 'Stay', ...limits, nights: 2, siteIds: [] }, audit);
  await close();
  const set = (...words: string[]) => gastpass('sites', 'set', '2', ...words);
  assert.equal((await set('--reserve', '20', '--reserve-profile', 'Tag')).code, 0);
  assert.partialDeepStrictEqual(await listed(), [{ id: 2, reserve: 20, reserve_profile: tag }]);
  assert.match((await set('--reserve', '501')).stderr, /--reserve/);
  assert.match((await set('--reserve-profile', 'Stay')).stderr, /end at a check-out/);
  assert.match((await set('--reserve-profile', 'None')).stderr, /no such profile; it has: .*Tag/);
  assert.partialDeepStrictEqual(await listed(), [{ id: 2, reserve: 20, reserve_profile: tag }]);
  assert.equal((await set('--reserve', '0', '--reserve-profile', 'default')).code, 0);
  assert.partialDeepStrictEqual(await listed(), [{ id: 2, reserve: 0, reserve_profile: null }]);
});

test('sites set opens and closes the page for requests, and sets the address for its mails', async () => {
  const set = (...words: string[]) => gastpass('sites', 'set', '2', ...words);
  const early = await set('--requests-mail', 'empfang@example.org');
  assert.deepEqual([early.code, early.stdout], [1, '']);
  assert.match(early.stderr, /no page for requests; switch it on: gastpass sites set 2 --requests on/);
  const both = await set('--requests', 'on', '--requests-mail', 'empfang@example.org');
  assert.equal(both.code, 0);
  assert.match(both.stderr, /warning: e-mail is not set up/);
  assert.partialDeepStrictEqual(await listed(), [
    { id: 2, requests: true, requests_mail: 'empfang@example.org' },
  ]);
  assert.match((await set('--requests-mail', 'nobody')).stderr, /expected an e-mail address/);
  assert.match((await set('--requests', 'off', '--requests-mail', 'a@b.de')).stderr, /without its page/);
  assert.equal((await set('--requests-mail', 'none')).code, 0);
  assert.partialDeepStrictEqual(await listed(), [{ id: 2, requests: true, requests_mail: null }]);
  assert.equal((await set('--requests', 'off')).code, 0);
  assert.partialDeepStrictEqual(await listed(), [{ id: 2, requests: false }]);
});

test('sites set stores, checks and removes the picture of the kiosks', async () => {
  const set = (...words: string[]) => gastpass('sites', 'set', '2', ...words);
  const [picture, text] = [join(dataDir, 'picture.png'), join(dataDir, 'picture.txt')];
  writeFileSync(picture, makePng());
  writeFileSync(text, 'no picture');
  const stored = async () =>
    (await readRecords(dataDir, "select base64 from images where name = 'screen-2'"))[0]?.base64;
  assert.match((await set('--picture-file', text)).stderr, /--picture-file: the file is neither/);
  assert.match((await set('--picture-file', picture, '--no-picture')).stderr, /exclude each other/);
  assert.equal(await stored(), undefined);
  assert.equal((await set('--picture-file', picture)).code, 0);
  assert.partialDeepStrictEqual(await listed(), [{ id: 2, picture: true }]);
  assert.equal(await stored(), makePng().toString('base64'));
  assert.equal((await set('--no-picture')).code, 0);
  assert.partialDeepStrictEqual(await listed(), [{ id: 2, picture: false }]);
});

test('sites remove deletes a site that is inactive and was never used', async () => {
  const refused = await gastpass('sites', 'remove', '2');
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.match(refused.stderr, /Haus Ä is active; first deactivate it: gastpass sites set 2 --inactive\n$/);
  const { code, stdout, stderr } = await gastpass('sites', 'remove', '1');
  assert.deepEqual([code, stdout, stderr], [0, '', '']);
  assert.deepEqual(await listed(), [{ id: 2, name: 'Haus Ä', active: true, site: 'garten', ...simulator }]);
});

test('a used demo is removed only with --yes, and a used site of a real controller not at all', async () => {
  const config = await configOf(dataDir);
  const { sites, vouchers, close } = await openInstallation(config);
  const audit = { actor: TESTER, atMs: 1 };
  const add = (name: string, controllerKind: 'simulator' | 'unifi') =>
    sites.add({ name, active: false, controllerKind, controllerSite: 'x', connection: null }, audit);
  const [demo, real] = [await add('Probe', 'simulator'), await add('Echt', 'unifi')];
  for (const id of [demo, real]) {
    const begun = await vouchers.begin(sampleIntent(id), { count: 2 });
    assert.ok(begun.ok);
    await vouchers.record(begun.value, [sampleUpstream('a', { code: '1' }), sampleUpstream('b')]);
  }
  await close();

  const refused = await gastpass('sites', 'remove', String(demo));
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.match(
    refused.stderr,
    /Probe would be removed together with:\n {2}2 vouchers\nTo remove all of it: .*sites remove \d+ --yes\n$/,
  );
  const protectedSite = await gastpass('sites', 'remove', String(real), '--yes');
  assert.equal(protectedSite.code, 1);
  assert.match(protectedSite.stderr, /Echt has vouchers, users or profiles; it can only be deactivated/);

  const { code, stdout, stderr } = await gastpass('sites', 'remove', String(demo), '--yes');
  assert.deepEqual([code, stdout, stderr], [0, 'Probe: removed with 2 vouchers\n', '']);
  const left = readRecords(dataDir, 'select site_id from vouchers group by site_id');
  assert.deepEqual(
    left.map(({ site_id }) => site_id),
    [real],
  );
});

test('a site that was never used is removed only with --yes if a printer or a screen would go with it', async () => {
  const added = await gastpass('sites', 'add', '--name', 'Anbau', '--controller', 'simulator', '--inactive');
  const id = added.stdout.trim();
  const printer = ['--site', id, '--name', 'Bar', '--kind', 'escpos', '--address', '192.0.2.7'];
  assert.equal((await gastpass('printers', 'add', ...printer)).code, 0);
  assert.equal(
    (await gastpass('screens', 'add', '--site', id, '--name', 'Lobby', '--kind', 'kiosk')).code,
    0,
  );
  const refused = await gastpass('sites', 'remove', id);
  assert.deepEqual(
    [refused.code, refused.stdout, refused.stderr],
    [
      1,
      '',
      `gastpass: Anbau would be removed together with:\n  1 printer (“Bar”)\n  1 screen (“Lobby”)\nTo remove all of it: gastpass sites remove ${id} --yes\n`,
    ],
  );
  assert.match((await gastpass('sites', 'list')).stdout, /Anbau/);

  const removed = await gastpass('sites', 'remove', id, '--yes', '--json');
  assert.deepEqual(JSON.parse(removed.stdout), {
    id: Number(id),
    vouchers: 0,
    batches: 0,
    printers: 1,
    screens: 1,
    names: { printers: ['Bar'], screens: ['Lobby'] },
  });
  assert.doesNotMatch((await gastpass('sites', 'list')).stdout, /Anbau/);
});

test('a command for an unknown site fails', async () => {
  const ends = await Promise.all([
    gastpass('sites', 'set', '99', '--active'),
    gastpass('sites', 'test', '99'),
    gastpass('sites', 'remove', '99'),
  ]);
  for (const { code, stdout, stderr } of ends) {
    assert.match(stderr, /there is no site 99; see gastpass sites list/);
    assert.equal(stdout, '');
    assert.equal(code, 1);
  }
});
