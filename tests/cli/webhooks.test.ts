// Tests the real commands `gastpass webhooks add`, `list`, `set`, `rotate` and `remove`: their output, their errors,
// and that secrets are shown once or never.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { dumpRecords } from '../support/disturb-records.ts';
import { openRecords } from '../support/engine.ts';
import { type Ended, makeDatabase, makeFolder, runGastpass } from '../support/run-gastpass.ts';
import {
  type RecordingReceiver,
  SECRET_PATH,
  startReceiver,
} from '../webhooks/delivery/recording-receiver.ts';

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
const { folder: dataDir, remove } = makeFolder();
let receiver: RecordingReceiver;
/** The output of the first `add`. */
let added: Ended;
before(async () => {
  await makeDatabase(dataDir);
  receiver = await startReceiver();
  const empty = await gastpass('list');
  assert.match(empty.stdout, /^No webhooks yet. Add one: gastpass webhooks add --url URL --format chat\n$/);
  added = await gastpass('add', '--url', receiver.url, '--format', 'generic');
});
after(async () => {
  await receiver.stop();
  remove();
});

const gastpass = (...words: string[]) => runGastpass(['webhooks', ...words], { dataDir });

async function listed(): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await gastpass('list', '--json');
  assert.deepEqual([code, stderr], [0, '']);
  return JSON.parse(stdout);
}

function assertSilent({ code, stdout, stderr }: Ended): void {
  assert.deepEqual([code, stdout, stderr], [0, '', '']);
}

test('add prints the id and the signing secret, each on its own line', () => {
  const { code, stdout, stderr } = added;
  assert.deepEqual([code, stderr], [0, '']);
  const [id, secret, ...more] = stdout.split('\n');
  assert.deepEqual([id, more], ['1', ['']]);
  assert.match(secret ?? '', SECRET);
});

test('a chat webhook has no secret, and its platform is detected from the host or chosen', async () => {
  const slack = await gastpass(
    'add',
    '--url',
    'https://hooks.slack.com/services/T0/B0/x',
    '--format',
    'chat',
    '--json',
  );
  const { id, ...known } = JSON.parse(slack.stdout);
  assert.deepEqual(known, { format: 'chat', platform: 'slack', secret: null, name: 'hooks.slack.com' });
  const words = ['--url', 'http://127.0.0.1:1/a', '--format', 'chat', '--platform', 'ntfy'];
  const ntfy = await gastpass('add', ...words, '--json');
  assert.equal(JSON.parse(ntfy.stdout).platform, 'ntfy');
  const plain = await gastpass('add', '--url', 'http://127.0.0.1:1/b', '--format', 'chat');
  assert.match(plain.stdout, /^\d+\n$/);
  assert.ok(id > 1);
});

test('add --json prints the id and the signing secret as an object', async () => {
  const words = ['--url', 'http://127.0.0.1:1/c', '--format', 'generic', '--name', ' Kasse '];
  const { stdout } = await gastpass('add', ...words, '--events', 'site.recovered,site.unreachable', '--json');
  const { id, secret, ...rest } = JSON.parse(stdout);
  assert.deepEqual([typeof id, rest], ['number', { format: 'generic', platform: null, name: 'Kasse' }]);
  assert.deepEqual((await listed()).at(-1)?.events, ['site.unreachable', 'site.recovered']);
  assert.match(secret, SECRET);
});

test('the URL can be read from a file or from standard input', async () => {
  const file = join(dataDir, 'address');
  writeFileSync(file, 'http://127.0.0.1:1/from-file\n');
  assert.equal((await gastpass('add', '--url-file', file, '--format', 'chat')).code, 0);
  const words = ['webhooks', 'add', '--url-file', '-', '--format', 'chat'];
  const { code } = await runGastpass(words, { dataDir, input: ' http://127.0.0.2:1/from-input \r\n' });
  assert.equal(code, 0);
  assert.equal((await listed()).at(-1)?.url, 'http://127.0.0.2:1/…');
});

test('invalid options are a usage error with a reason, and nothing is stored', async () => {
  const before = await listed();
  const good = ['--url', 'http://127.0.0.1:1/new', '--format', 'generic'];
  const wrong: [string[], RegExp][] = [
    [['--format', 'chat'], /--url is missing/],
    [['--url', '', '--format', 'chat'], /--url must not be empty/],
    [['--url-file', join(dataDir, 'not-there'), '--format', 'chat'], /cannot read/],
    [['--url', 'http://127.0.0.1:1/new'], /--format is missing/],
    [['--url', 'http://127.0.0.1:1/new', '--format', 'xml'], /--format: expected one of chat, generic/],
    [[...good, '--platform', 'slack'], /--platform is for --format chat/],
    [
      ['--url', 'http://x.example/', '--format', 'chat', '--platform', 'irc'],
      /--platform: expected one of slack/,
    ],
    [['--url', receiver.url, '--format', 'chat'], /--url: webhook 1 has this address already/],
    [[...good, '--name', 'Kasse'], /--name: another webhook has this name already/],
    [[...good, '--name', 'x'.repeat(61)], /--name: at most 60 characters/],
    [[...good, '--name', 'a\u200bb'], /--name: contains invisible characters/],
    [
      [...good, '--events', 'voucher.created,site.lost'],
      /--events: "site.lost" is none of voucher.created, /,
    ],
  ];
  for (const url of ['x', 'ftp://x.example/', 'http://169.254.169.254/'])
    wrong.push([['--url', url, '--format', 'generic'], /^gastpass: --url: /]);
  for (const [words, why] of wrong) {
    const { code, stdout, stderr } = await gastpass('add', ...words);
    assert.match(stderr, why);
    assert.deepEqual([code, stdout], [2, ''], words.join(' '));
    assert.ok(!stderr.includes('GEHEIM'), stderr);
  }
  assert.deepEqual(await listed(), before);
});

test('with WEBHOOK_TARGETS=public, a private IP address is refused', async () => {
  const words = ['webhooks', 'add', '--url', 'http://192.168.1.2/', '--format', 'generic'];
  const { code, stderr } = await runGastpass(words, { dataDir, environment: { WEBHOOK_TARGETS: 'public' } });
  assert.match(stderr, /--url: 192\.168\.1\.2 is not a public address/);
  assert.equal(code, 2);
});

test('neither the list nor the database contains the path of a URL or a secret in plain text', async () => {
  const [first] = await listed();
  const { created_at, ...rest } = first ?? {};
  assert.match(String(created_at), /^\d{4}-\d\d-\d\dT/);
  assert.deepEqual(rest, {
    id: 1,
    name: new URL(receiver.url).host,
    url: `${new URL(receiver.url).origin}/…`,
    format: 'generic',
    platform: null,
    active: true,
    failures: 0,
    off_because: null,
    events: ['voucher.created'],
  });
  const { stdout } = await gastpass('list');
  assert.match(
    stdout,
    /^ID +NAME +URL +FORMAT +PLATFORM +ACTIVE +FAILURES +OFF_BECAUSE +CREATED_AT +EVENTS\n/,
  );
  const records = openRecords(dataDir);
  const kept = dumpRecords(records);
  records.close();
  const secret = added.stdout.split('\n')[1]?.replace('whsec_', '') ?? '';
  for (const text of [stdout, JSON.stringify(await listed()), kept])
    for (const hidden of [SECRET_PATH, 'GEHEIM', secret, 'whsec_']) assert.ok(!text.includes(hidden), hidden);
});

test('set activates or deactivates a webhook, and changes its name and events', async () => {
  assertSilent(await gastpass('set', '1', '--inactive'));
  assert.equal((await listed())[0]?.active, false);
  assertSilent(await gastpass('set', '1', '--active'));
  assert.equal((await listed())[0]?.active, true);
  assertSilent(await gastpass('set', '1', '--name', 'Bar', '--events', 'webhook.failing'));
  assert.partialDeepStrictEqual((await listed())[0], {
    name: 'Bar',
    events: ['webhook.failing'],
    active: true,
  });
  for (const [words, why] of [
    [[], /give --active, --inactive, --name or --events/],
    [['--active', '--inactive'], /give either --active or --inactive/],
    [['--name', 'Kasse'], /--name: another webhook has this name already/],
  ] as const) {
    const { code, stderr } = await gastpass('set', '1', ...words);
    assert.match(stderr, why);
    assert.equal(code, 2);
  }
  const urls = (await listed()).filter(({ url }) => url === 'http://127.0.0.1:1/…');
  assert.ok(urls.length > 1);
  assert.equal(
    new Set(urls.map(({ name }) => name)).size,
    urls.length,
    'webhooks on one host have distinct names',
  );
});

test('rotate prints a new secret; for a day, messages are signed with the old and the new secret', async () => {
  const { code, stdout } = await gastpass('rotate', '1');
  assert.equal(code, 0);
  assert.match(stdout.trimEnd(), SECRET);
  assert.notEqual(stdout.trimEnd(), added.stdout.split('\n')[1]);
  assert.equal((await gastpass('test', '1')).code, 0);
  assert.match(String(receiver.arrivals.at(-1)?.headers['webhook-signature']), /^v1,\S+ v1,\S+$/);
  const json = await gastpass('rotate', '1', '--json');
  assert.match(JSON.parse(json.stdout).secret, SECRET);
  const chat = await gastpass('rotate', '2');
  assert.match(chat.stderr, /a chat has no signing secret/);
  assert.equal(chat.code, 1);
});

test('an unknown webhook is a failure, an invalid webhook id is a usage error', async () => {
  for (const words of [['set', '--active'], ['test'], ['rotate'], ['remove']]) {
    const [name = '', ...rest] = words;
    const gone = await gastpass(name, '99', ...rest);
    assert.match(gone.stderr, /there is no webhook 99; see gastpass webhooks list/);
    assert.equal(gone.code, 1);
    const wrong = await gastpass(name, '1x', ...rest);
    assert.match(wrong.stderr, /"1x" is not the number of a webhook/);
    assert.equal(wrong.code, 2);
  }
});

test('remove deletes a webhook with its log, and fails the second time', async () => {
  assert.equal((await gastpass('test', '1')).code, 0);
  assertSilent(await gastpass('remove', '1'));
  assert.ok(!(await listed()).some(({ id }) => id === 1));
  assert.deepEqual(JSON.parse((await gastpass('log', '--json')).stdout), []);
  assert.equal((await gastpass('remove', '1')).code, 1);
});
