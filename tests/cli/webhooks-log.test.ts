// Tests the real commands `gastpass webhooks test`, `log` and `resend`: the outcome of a delivery attempt, its log
// entry, and that no response of a receiver can manipulate the terminal.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { openInstallation } from '../../src/app/installation.ts';
import { asWebhookId } from '../../src/kernel/ids.ts';
import { openRecords } from '../support/engine.ts';
import { makeFolder, runGastpass } from '../support/run-gastpass.ts';
import { configOf } from '../support/test-service.ts';
import {
  addWebhookTo,
  type RecordingReceiver,
  SECRET_PATH,
  startReceiver,
} from '../webhooks/delivery/recording-receiver.ts';

/** Control characters of both ranges, and characters that change the direction of text. */
const TRICK = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
const HOSTILE = 'a\u001b[2J\u001b]0;owned\u0007\r\nb\u009b31m\u007f\u0000 ENDE';

const { folder: dataDir, remove } = makeFolder();
let receiver: RecordingReceiver;
before(async () => {
  receiver = await startReceiver();
  const installation = await openInstallation(await configOf(dataDir));
  await addWebhookTo(installation, receiver.url);
  await addWebhookTo(installation, 'http://127.0.0.1:1/', { format: 'chat', secrets: null });
  await installation.close();
});
beforeEach(() => receiver.behave(() => ({})));
after(async () => {
  await receiver.stop();
  remove();
});

const gastpass = (...words: string[]) => runGastpass(['webhooks', ...words], { dataDir });

async function log(...words: string[]): Promise<ReturnType<typeof JSON.parse>[]> {
  const { code, stdout, stderr } = await gastpass('log', ...words, '--json');
  assert.deepEqual([code, stderr], [0, '']);
  return JSON.parse(stdout);
}

/** Creates the deliveries that a running service would create for a voucher. */
async function owe(siteName: string, source = 'API: Theke'): Promise<void> {
  const records = openRecords(dataDir);
  records.change(
    "insert into outbox (event_id, voucher_count, site_name, source, created_at_ms) values ('e', 1, ?, ?, ?)",
    siteName,
    source,
    Date.now(),
  );
  records.close();
  const installation = await openInstallation(await configOf(dataDir));
  await installation.deliveries.fanOut(10);
  await installation.close();
}

test('an empty log says that nothing was sent yet', async () => {
  assert.equal((await gastpass('log')).stdout, 'Nothing was sent yet.\n');
  assert.deepEqual(await log(), []);
});

test('a successful test says so, and is logged as delivered', async () => {
  const { code, stdout, stderr } = await gastpass('test', '1');
  assert.match(stdout, /^delivered: 200 after \d+ ms\n$/);
  assert.deepEqual([code, stderr], [0, '']);
  assert.equal(receiver.arrivals.at(-1)?.body.type, 'webhook.test');
  const [newest] = await log();
  assert.partialDeepStrictEqual(newest, {
    webhook: 1,
    event: 'webhook.test',
    site: null,
    source: null,
    state: 'delivered',
    status: 200,
    next_try_at: null,
    event_id: receiver.arrivals.at(-1)?.eventId,
  });
});

test('a failed test is an error with a reason, and is logged with the response', async () => {
  receiver.behave(({ path }) => ({ status: 404, body: `no ${path} here` }));
  const { code, stdout, stderr } = await gastpass('test', '1');
  assert.deepEqual([code, stdout, stderr], [1, '', 'gastpass: not delivered: answered 404\n']);
  const json = await gastpass('test', '1', '--json');
  const { duration_ms, ...rest } = JSON.parse(json.stdout);
  assert.deepEqual(
    [json.code, rest],
    [1, { ok: false, status: 404, error: 'answered 404', answer: 'no /***/*** here' }],
  );
  const [newest] = await log();
  assert.equal(newest.state, 'given-up');
  assert.equal(newest.tries[0].answer, 'no /***/*** here');
  const refused = await gastpass('test', '2');
  assert.match(refused.stderr, /^gastpass: not delivered: .*ECONNREFUSED/);
  assert.equal(refused.code, 1);
  const list = JSON.parse((await gastpass('list', '--json')).stdout);
  assert.deepEqual(
    list.map(({ failures }: Record<string, unknown>) => failures),
    [0, 0],
    'failed tests do not count, because a user who repairs a target tests it often',
  );
});

test('a test that gets 410 deactivates the webhook, as a delivery would', async () => {
  receiver.behave(() => ({ status: 410 }));
  assert.equal((await gastpass('test', '1')).code, 1);
  const [first] = JSON.parse((await gastpass('list', '--json')).stdout);
  assert.equal(first.active, false);
  assert.match(first.off_because, /410/);
  receiver.behave(() => ({}));
  assert.equal((await gastpass('set', '1', '--active')).code, 0);
});

test('the log can be limited to a webhook, to a delivery with all its attempts, and in length', async () => {
  const all = await log();
  assert.ok(all.length >= 4);
  assert.ok((await log('--webhook', '2')).every(({ webhook }) => webhook === 2));
  assert.deepEqual(await log('--limit', '2'), all.slice(0, 2));
  const { stdout } = await gastpass('log', '--delivery', String(all[0].id));
  assert.match(stdout, /^AT +MS +STATUS +ERROR +ANSWER\n\S+Z +\d+ +410 +answered 410/);
  const table = await gastpass('log');
  assert.match(
    table.stdout,
    /^ID +WEBHOOK +WEBHOOK_NAME +EVENT +SITE +SOURCE +STATE +TRIES +STATUS +MS +LAST_TRY_AT +NEXT_TRY_AT +ERROR\n/,
  );
  assert.ok(!table.stdout.includes(SECRET_PATH) && !JSON.stringify(all).includes('GEHEIM'));
});

test('invalid numbers are a usage error', async () => {
  for (const words of [
    ['log', '--webhook', 'x'],
    ['log', '--delivery', '0'],
    ['log', '--limit', '1001'],
    ['log', '--limit', '0'],
    ['log', '--limit', '-1'],
    ['resend', 'x'],
  ]) {
    const { code, stdout } = await gastpass(...words);
    assert.deepEqual([code, stdout], [2, ''], words.join(' '));
  }
});

test('resend queues a delivery again, and fails for an unknown delivery', async () => {
  await owe('Haus A');
  const [delivery] = await log('--webhook', '1');
  assert.partialDeepStrictEqual(delivery, {
    state: 'waiting',
    site: 'Haus A',
    source: 'API: Theke',
    tries: [],
  });
  const records = openRecords(dataDir);
  records.change("update messages set state = 'failed', attempts = 10, finished_at_ms = 1");
  records.close();
  const { code, stdout, stderr } = await gastpass('resend', String(delivery.id));
  assert.deepEqual([code, stdout, stderr], [0, '', '']);
  assert.equal((await log('--delivery', String(delivery.id)))[0].state, 'waiting');
  const missing = await gastpass('resend', '99999');
  assert.match(missing.stderr, /there is no delivery 99999; see gastpass webhooks log/);
  assert.equal(missing.code, 1);
});

test('a merged delivery names the one that was sent', async () => {
  await owe('Haus A');
  const [merged, sent] = await log('--webhook', '2');
  const records = openRecords(dataDir);
  records.change(
    "update messages set state = 'merged', finished_at_ms = 1, merged_into = ? where id = ?",
    sent.id,
    merged.id,
  );
  records.close();
  const id = String(merged.id);
  assert.partialDeepStrictEqual((await log('--delivery', id))[0], {
    state: 'merged',
    merged_into: sent.id,
    tries: [],
  });
  assert.equal((await gastpass('log', '--delivery', id)).stdout, `Merged into delivery ${sent.id}.\n`);
  assert.match((await gastpass('log')).stdout, new RegExp(`^${id} .* merged into ${sent.id} `, 'm'));
});

test('the time of a delivery attempt that is already due is not shown as 1970', async () => {
  const [delivery] = await log('--webhook', '1');
  assert.equal(delivery.state, 'waiting');
  assert.ok(delivery.next_try_at === null || Date.parse(delivery.next_try_at) > 1, delivery.next_try_at);
});

test('responses of receivers and names of sites and keys cannot manipulate the terminal', async () => {
  receiver.behave(() => ({ status: 500, body: HOSTILE }));
  const failed = await gastpass('test', '1');
  const asJson = await gastpass('test', '1', '--json');
  await owe(HOSTILE.replaceAll('\u0000', ''), HOSTILE.replaceAll('\u0000', ''));
  const installation = await openInstallation(await configOf(dataDir));
  const [newest] = await installation.deliveries.log({ limit: 1, webhookId: asWebhookId(1) });
  const [tested] = (await installation.deliveries.log({ limit: 10 })).filter(
    ({ attempts }) => attempts.length > 0,
  );
  await installation.close();
  assert.ok(newest && tested);
  const outputs = [
    failed,
    asJson,
    await gastpass('log'),
    await gastpass('log', '--json'),
    await gastpass('log', '--delivery', String(tested.id)),
  ];
  assert.match(outputs.at(-1)?.stdout ?? '', /ENDE/);
  for (const { stdout, stderr } of outputs)
    for (const line of (stdout + stderr).split('\n')) assert.doesNotMatch(line, TRICK);
});
