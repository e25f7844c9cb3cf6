// GET /metrics: metrics for Prometheus, among them the number of open intents and a histogram of the requests.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asSiteId } from '../../../src/kernel/ids.ts';
import { makeSyncUseCases } from '../../../src/kernel/vouchers/sync-use-cases.ts';
import { VERSION } from '../../../src/platform/config/version.ts';
import { TESTER } from '../../support/actors.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';
import { addUser, loggedIn } from '../../web/web-client.ts';
import { addWebhookTo, startReceiver } from '../../webhooks/delivery/recording-receiver.ts';
import { FORGOTTEN_AFTER_MS } from '../support/post-vouchers-settle.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const NAME = 'gastpass_http_request_seconds';

async function metrics(): Promise<string[]> {
  const reply = await service.call('GET', '/metrics', { key: null });
  assert.equal(reply.status, 200);
  assert.match(reply.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  return reply.text.split('\n');
}

/** The value of a series, or 0 if it does not exist yet. */
async function readSeries(series: string): Promise<number> {
  const line = (await metrics()).find((candidate) => candidate.startsWith(`${series} `));
  return line === undefined ? 0 : Number(line.slice(series.length + 1));
}

test('Prometheus can parse every line', async () => {
  await service.call('GET', 'sites.php');
  for (const line of await metrics())
    assert.match(line, /^$|^# (HELP|TYPE) \w+ |^\w+(\{\w+="[^"\\]*"(,\w+="[^"\\]*")*\})? [-+0-9.eNaInf]+$/);
});

test('requests are counted by route, method and status', async () => {
  const listed = `${NAME}_count{route="/api/vouchers.php",method="GET",status="200"}`;
  const refused = `${NAME}_count{route="/api/vouchers.php",method="GET",status="401"}`;
  const created = `${NAME}_count{route="/api/vouchers.php",method="POST",status="201"}`;
  const before = await Promise.all([listed, refused, created].map(readSeries));
  for (let count = 0; count < 3; count++) await service.call('GET', `vouchers.php?site_id=1&n=${count}`);
  await service.call('GET', 'vouchers.php?site_id=1', { key: null });
  await service.call('POST', 'vouchers.php', { body: { site_id: 1, name: 'x' } });

  const [lists, refusals, creations] = await Promise.all([listed, refused, created].map(readSeries));
  assert.deepEqual([lists, refusals, creations], [3 + (before[0] ?? 0), 1, 1]);
});

test('the buckets of the histogram increase up to the count', async () => {
  for (let count = 0; count < 5; count++) await service.call('GET', 'sites.php');
  const labels = 'route="/api/sites.php",method="GET",status="200"';
  const lines = await metrics();
  const buckets = lines
    .filter((line) => line.startsWith(`${NAME}_bucket{${labels},le=`))
    .map((line) => Number(line.split(' ').at(-1)));
  const count = Number(
    lines
      .find((line) => line.startsWith(`${NAME}_count{${labels}}`))
      ?.split(' ')
      .at(-1),
  );
  assert.ok(buckets.length > 5 && count >= 5);
  assert.deepEqual(
    buckets,
    buckets.toSorted((one, other) => one - other),
  );
  assert.equal(buckets.at(-1), count);
});

test('unknown paths share one series, so that requests for random paths cannot fill the memory', async () => {
  for (let count = 0; count < 20; count++) await service.call('GET', `/made-up-${count}`);
  assert.equal(await readSeries(`${NAME}_count{route="unknown",method="GET",status="404"}`), 20);
  assert.ok(!(await metrics()).join('\n').includes('made-up'));
});

test('gastpass_build_info names the version', async () => {
  assert.equal(await readSeries(`gastpass_build_info{version="${VERSION}"}`), 1);
});

test('gastpass_intents_open counts the intents whose outcome is unknown', async () => {
  assert.equal(await readSeries('gastpass_intents_open'), 0);
  const siteId = await service.addSite('fail:throw');
  await service.call('POST', 'vouchers.php', { body: { site_id: siteId, name: 'x' } });
  assert.equal(await readSeries('gastpass_intents_open'), 1);
  service.clock.advance(3_000);
  assert.equal(await readSeries('gastpass_intents_oldest_seconds'), 3);
  service.clock.advance(-6_000);
  assert.equal(await readSeries('gastpass_intents_oldest_seconds'), -3, 'the clock was set back');
  service.clock.advance(6_000);
  for (const name of ['outbox', 'deliveries', 'bulk_revocations'])
    assert.match((await metrics()).join('\n'), new RegExp(`^gastpass_${name}_oldest_seconds [\\d.]+$`, 'm'));
});

test('intents settled by a sync from the web interface are counted', async () => {
  const settled = () => readSeries('gastpass_intents_settled_total{outcome="forgotten"}');
  const siteId = await service.addSite('fail:nothing', 'Ohne Voucher');
  await service.call('POST', 'vouchers.php', { body: { site_id: siteId, name: 'x' } });
  await addUser(service, 'anna@example.org', 'admin');
  const webClient = await loggedIn(service, 'anna@example.org');
  const before = await settled();
  service.clock.advance(FORGOTTEN_AFTER_MS);
  await webClient.post(`/sites/${siteId}/sync`, {});
  // The worker may just hold the lease of the site.
  await until(async () => (await settled()) === before + 1);
});

test('the metrics show when each site was last synced and whether the latest sync failed', async () => {
  const siteId = asSiteId(await service.addSite('default', 'Frau Geheim'));
  const { syncs } = service.beside;
  const labelled = async () =>
    (await metrics()).filter((line) => /_site_/.test(line) && line.includes(`{site="${siteId}"}`));
  assert.deepEqual(await labelled(), []);

  await syncs.noteFailure(siteId, 'password=geheim');
  const never = `gastpass_site_synced_timestamp_seconds{site="${siteId}"} 0`;
  const failing = `gastpass_site_sync_failing{site="${siteId}"}`;
  assert.deepEqual(await labelled(), [never, `${failing} 1`]);
  service.clock.advance(1_500);
  await syncs.noteSuccess(siteId);
  const syncedAtS = service.clock.nowMs() / 1000;
  const synced = `gastpass_site_synced_timestamp_seconds{site="${siteId}"} ${syncedAtS}`;
  assert.deepEqual(await labelled(), [synced, `${failing} 0`]);
  service.clock.advance(1_000);
  await syncs.noteFailure(siteId, 'password=geheim');
  assert.deepEqual(await labelled(), [synced, `${failing} 1`]);
  assert.ok(!/geheim/i.test((await metrics()).join('\n')));

  await service.beside.sites.change(siteId, { active: false }, { actor: TESTER, atMs: 0 });
  assert.deepEqual(await labelled(), [], 'an inactive site raises no alert');
});

test('a sync updates the metrics of its site', async () => {
  const siteId = asSiteId(await service.addSite('default'));
  const site = await service.beside.sites.find(siteId);
  assert.ok(site);
  const synced = await makeSyncUseCases(service.beside).syncSite(site, new AbortController().signal);
  assert.ok(synced?.ok);
  const series = `gastpass_site_synced_timestamp_seconds{site="${siteId}"}`;
  assert.equal(await readSeries(series), service.clock.nowMs() / 1000);
  const help = (await metrics()).filter((line) => /^# TYPE gastpass_site_sync/.test(line));
  assert.deepEqual(help, [
    '# TYPE gastpass_site_synced_timestamp_seconds gauge',
    '# TYPE gastpass_site_sync_failing gauge',
  ]);
});

test('the metrics show the waiting deliveries and the webhooks that fail or were switched off by a 410', async () => {
  const { webhooks, deliveries } = service.beside;
  const audit = { actor: TESTER, atMs: 0 };
  const add = (url: string) => webhooks.add({ url, format: 'chat', platform: null, secrets: null }, audit);
  const labelled = async () =>
    (await metrics()).filter((line) => line.startsWith('gastpass_webhook_failing{'));
  assert.deepEqual([await labelled(), await readSeries('gastpass_deliveries_waiting')], [[], 0]);
  const [good, bad, gone, off] = [
    await add('http://a.example/T0GEHEIM'),
    await add('http://b.example/T0GEHEIM'),
    await add('http://c.example/T0GEHEIM'),
    await add('http://d.example/T0GEHEIM'),
  ];
  await webhooks.change(off, { active: false }, audit);
  service.change('update webhooks set failures = 2 where id = ?', bad);
  service.change("update webhooks set active = 0, off_because = 'gone' where id = ?", gone);
  await service.call('POST', 'vouchers.php', { body: { site_id: 1, name: 'x' } });
  while ((await deliveries.fanOut(200)) > 0);
  const owed = service.rows('select count(*) as count from messages where recipient_id = ?', good)[0];
  assert.equal(await readSeries('gastpass_deliveries_waiting'), 2 * Number(owed?.count));
  const failing = (id: number, value: number) => `gastpass_webhook_failing{webhook="${id}"} ${value}`;
  assert.deepEqual(await labelled(), [failing(good, 0), failing(bad, 1), failing(gone, 1), failing(off, 0)]);
  assert.ok(!(await metrics()).join('\n').includes('GEHEIM'));
});

test('delivery attempts are counted by outcome', async () => {
  const receiver = await startReceiver();
  const counted = await startTestService({ pace: 0.1 });
  const tries = async (outcome: string) =>
    (await counted.call('GET', '/metrics', { key: null })).text.includes(
      `gastpass_webhook_tries_total{outcome="${outcome}"} 1\n`,
    );
  assert.deepEqual([await tries('delivered'), await tries('failed')], [false, false]);
  await addWebhookTo(counted.beside, receiver.url);
  await addWebhookTo(counted.beside, 'http://127.0.0.1:1/');
  await counted.call('POST', 'vouchers.php', { body: { site_id: 1, name: 'x' } });
  await until(async () => (await tries('delivered')) && (await tries('failed')));
  await counted.stop();
  await receiver.stop();
});

test('the metrics contain no keys, codes or names', async () => {
  const { json } = await service.call('POST', 'vouchers.php', { body: { site_id: 1, name: 'Frau Geheim' } });
  const text = (await metrics()).join('\n');
  assert.ok(
    !text.includes(json.code) && !text.includes('Geheim') && !text.includes(service.keyText.slice(4, 12)),
  );
});
