// Tests the real commands `gastpass printers add`, `list`, `test` and `remove`: their output and their errors.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeDatabase, makeFolder, runGastpass } from '../support/run-gastpass.ts';

const PATH = /^\/print\/epson\/[0-9A-Za-z]{32}$/;
const { folder: dataDir, remove } = makeFolder();
before(async () => {
  await makeDatabase(dataDir);
  await runGastpass(['sites', 'add', '--name', 'Haus A', '--controller', 'simulator'], { dataDir });
  assert.match(
    (await gastpass('list')).stdout,
    /^No printers yet\. Add one: gastpass printers add --site ID/,
  );
});
after(remove);

const gastpass = (words: string, environment: Record<string, string> = {}) =>
  runGastpass(['printers', ...words.split(' ')], { dataDir, environment });

async function listed(): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await gastpass('list --json');
  assert.deepEqual([code, stderr], [0, '']);
  return JSON.parse(stdout);
}

test('a printer is added without being contacted, listed and removed', async () => {
  const added = await gastpass('add --site 1 --name Bar --kind escpos --address 192.0.2.1:9100');
  assert.deepEqual([added.code, added.stdout, added.stderr], [0, '1\n', '']);
  assert.deepEqual(await listed(), [
    {
      ...{ id: 1, site: 1, name: 'Bar', kind: 'escpos', address: '192.0.2.1', paper: 80, layout: 'full' },
      ...{
        copies: 1,
        cutter: true,
        job_minutes: 10,
        state: 'new',
        since: null,
        message: null,
        seen_at: null,
      },
    },
  ]);
  const tested = await gastpass('test 1');
  assert.deepEqual(
    [tested.code, tested.stderr],
    [1, 'gastpass: the service prints the page, but it is not running: start it first\n'],
  );
  assert.equal((await gastpass('remove 1')).code, 0);
  assert.deepEqual(await listed(), []);
  const again = await gastpass('remove 1');
  assert.deepEqual(
    [again.code, again.stderr],
    [1, 'gastpass: there is no printer 1; see gastpass printers list\n'],
  );
});

test('a printer that polls gets a path, and the JSON has the whole address', async () => {
  const options =
    '--site 1 --name Bar --kind epson --paper 58 --layout code --copies 2 --no-cutter --job-minutes 30';
  const [id = '', path = ''] = (await gastpass(`add ${options}`)).stdout.trim().split('\n');
  assert.match(path, PATH);
  const [row] = await listed();
  assert.deepEqual(
    [row?.id, row?.paper, row?.layout, row?.copies, row?.cutter, row?.job_minutes],
    [Number(id), 58, 'code', 2, false, 30],
  );
  const json = JSON.parse((await gastpass(`add ${options} --json`, { HOST: '::1', PORT: '8123' })).stdout);
  assert.deepEqual(Object.keys(json), ['id', 'path', 'url']);
  assert.match(json.path, PATH);
  assert.equal(json.url, `http://[::1]:8123${json.path}`);
  const there = { PUBLIC_URL: 'https://wifi.example.org' };
  const published = JSON.parse((await gastpass(`add ${options} --json`, there)).stdout);
  assert.equal(published.url, `https://wifi.example.org${published.path}`);
});

test('what is wrong is named, and nothing is added', async () => {
  const before = await listed();
  const wrong = {
    'add --name N --kind epson': /--site is missing/,
    'add --site 99 --name N --kind epson': /there is no such site; see gastpass sites list/,
    'add --site 1 --name N --kind fax': /--kind: expected one of escpos, cloudprnt, epson/,
    'add --site 1 --name N --kind escpos': /--address: is missing/,
    'add --site 1 --name N --kind escpos --address tcp://a': /--address: expected HOST or HOST:PORT/,
    'add --site 1 --name N --kind escpos --address 169.254.1.1': /--address: .* WEBHOOK_TARGETS/,
    'add --site 1 --name N --kind epson --address a': /--address: only for --kind escpos/,
    'add --site 1 --name N --kind epson --paper 76 --copies 6': /--paper: .*\n.*--copies: .* from 1 to 5/,
    'test 99': /there is no printer 99/,
    'test x': /"x" is not the number of a printer/,
  };
  for (const [words, expected] of Object.entries(wrong)) {
    const { code, stdout, stderr } = await gastpass(words);
    assert.notEqual(code, 0, words);
    assert.equal(stdout, '');
    assert.match(stderr, expected);
  }
  assert.deepEqual(await listed(), before);
});
