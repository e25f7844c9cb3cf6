// Tests webhooks in the web interface against real receivers: adding, testing, deactivating, rotating the secret,
// removing, the delivery log, and sending again. Only the host of a URL is shown, and responses of receivers stay text.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { insertDelivery } from '../support/delivery-rows.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { until } from '../support/until.ts';
import {
  addWebhookTo,
  makeVouchers,
  type RecordingReceiver,
  SECRET_PATH,
  startReceiver,
} from '../webhooks/delivery/recording-receiver.ts';
import { addUser, loggedIn, type WebClient } from './web-client.ts';

const EVIL = '<script>alert(1)</script>';
let service: TestService;
let receiver: RecordingReceiver;
let admin: WebClient;
before(async () => {
  service = await startTestService({ pace: 0.1 });
  receiver = await startReceiver();
  await addUser(service, 'anna@example.org', 'admin');
  admin = await loggedIn(service, 'anna@example.org');
});
after(async () => {
  await service.stop();
  await receiver.stop();
});
beforeEach(() => {
  receiver.behave(() => ({}));
  service.change('delete from webhooks');
});

const all = () => service.beside.webhooks.list();
const add = (fields: Record<string, string> = {}) =>
  admin.post('/webhooks/add', { url: receiver.url, format: 'generic', ...fields });
const secretIn = (text: string) => /class="secret-text">([^<]+)</.exec(text)?.[1];
const lastEntry = () => ({ ...service.rows('select * from audit order by id desc limit 1')[0] });
const hostOf = () => new URL(receiver.url).host;

test('a generic webhook is added, and its signing secret is shown once', async () => {
  const { status, text } = await add();
  assert.equal(status, 200);
  const [webhook] = await all();
  assert.equal(secretIn(text), webhook?.secrets?.current);
  assert.match(secretIn(text) ?? '', /^whsec_/);
  assert.partialDeepStrictEqual(lastEntry(), { actor: 'Web: anna', action: 'webhook.added' });
  for (const path of ['/webhooks', `/webhooks/${webhook?.id}`])
    assert.ok(!(await admin.get(path)).text.includes('whsec_'), path);
});

test('a chat webhook is added with the chosen platform, and has no secret', async () => {
  const { status, location } = await add({ format: 'chat', platform: 'mattermost' });
  const [webhook] = await all();
  assert.deepEqual([status, location], [303, `/webhooks/${webhook?.id}`]);
  assert.partialDeepStrictEqual(webhook, { format: 'chat', platform: 'mattermost', secrets: null });
  const { text } = await admin.get('/webhooks');
  assert.match(text, /Mattermost/);
  const rotation = `/webhooks/${webhook?.id}/rotate`;
  assert.equal((await admin.get(rotation)).status, 404);
  assert.equal((await admin.post(rotation, {})).status, 404);
});

test('the form for a new webhook has new vouchers and outages ticked', async () => {
  const ticked = [
    ...(await admin.get('/webhooks/add')).text.matchAll(/name="event" value="([\w.]+)" checked/g),
  ];
  const outages = ['site.unreachable', 'site.recovered', 'certificate.changed'];
  assert.deepEqual(
    ticked.map(([, kind]) => kind),
    ['voucher.created', ...outages],
  );
});

test('webhooks on one host have names of their own, chosen or with a number', async () => {
  await add();
  await add({ url: `${receiver.url}/2` });
  await add({ url: `${receiver.url}/3`, name: 'Kasse' });
  const names = [hostOf(), `${hostOf()} (2)`, 'Kasse'];
  assert.deepEqual(
    (await all()).map(({ name }) => name),
    names,
  );
  const taken = await add({ url: `${receiver.url}/4`, name: 'Kasse' });
  assert.equal(taken.status, 422);
  assert.match(taken.text, /id="name-error">So heißt schon ein anderer Webhook/);
  const { text } = await admin.get('/webhooks');
  for (const [index, { id }] of (await all()).entries()) {
    assert.ok(text.includes(`href="/webhooks/${id}">${names[index]}</a>`));
    for (const path of ['', '/deliveries', '/edit', '/remove'])
      assert.ok((await admin.get(`/webhooks/${id}${path}`)).text.includes(names[index] ?? ''), path);
  }
  assert.match((await admin.get('/audit')).text, /Webhook <a href="\/webhooks\/\d+">Kasse<\/a>/);
});

test('the messages of a webhook are chosen when it is added, and changed later with its name', async () => {
  await add({ events: 'chosen', event: 'site.unreachable' });
  const [webhook] = await all();
  assert.deepEqual(webhook?.events, ['site.unreachable']);
  const path = `/webhooks/${webhook?.id}/edit`;
  assert.match((await admin.get(path)).text, /value="site.unreachable" checked/);
  const none = await admin.post(path, { name: '', events: 'chosen' });
  assert.equal(none.status, 422);
  assert.match(none.text, /Bitte mindestens eine Nachricht auswählen/);
  const changed = await admin.post(path, { name: 'Bar', events: 'chosen', event: 'webhook.failing' });
  assert.deepEqual([changed.status, changed.location], [303, `/webhooks/${webhook?.id}`]);
  assert.partialDeepStrictEqual((await all())[0], { name: 'Bar', events: ['webhook.failing'] });
  assert.partialDeepStrictEqual(lastEntry(), { actor: 'Web: anna', action: 'webhook.changed' });
  await admin.post(path, { name: '', events: 'chosen', event: 'webhook.failing' });
  assert.equal((await all())[0]?.name, hostOf(), 'without a name it is called by its host');
});

test('a forbidden URL is refused at its field, and the field keeps it', async () => {
  for (const url of ['', 'ftp://example.org/', 'http://169.254.169.254/latest', 'javascript:alert(1)']) {
    const { status, text } = await add({ url });
    assert.equal(status, 422, url);
    assert.match(text, /id="url-error"/);
    assert.ok(text.includes(`value="${url}"`));
  }
  await add();
  assert.equal((await add()).status, 422, 'the URL is already in use');
  assert.equal((await all()).length, 1);
});

test('only the host of a URL is shown', async () => {
  await addWebhookTo(service.beside, receiver.url);
  const id = await addWebhookTo(service.beside, `${receiver.url}?key=GEHEIM2`);
  receiver.behave(() => ({ status: 500, body: `no such path ${SECRET_PATH}` }));
  const tested = await admin.post(`/webhooks/${id}/test`, {});
  const paths = ['', `/${id}`, `/${id}/rotate`, `/${id}/remove`, `/${id}/deliveries`];
  const pages = await Promise.all(paths.map((path) => admin.get(`/webhooks${path}`)));
  const [delivery] = await service.beside.deliveries.log({ limit: 1 });
  pages.push(
    tested,
    await admin.get(`/webhooks/${id}/deliveries/${delivery?.id}`),
    await admin.get('/audit'),
  );
  for (const { status, text } of pages) {
    assert.equal(status, 200);
    assert.ok(text.includes(hostOf()));
    assert.doesNotMatch(text, /GEHEIM/);
  }
});

test('a test message is sent at once, and its outcome is shown with the response of the target as text', async () => {
  const id = await addWebhookTo(service.beside, receiver.url);
  const before = receiver.arrivals.length;
  const good = await admin.post(`/webhooks/${id}/test`, {});
  assert.equal(receiver.arrivals.length, before + 1);
  assert.equal(receiver.arrivals.at(-1)?.body.type, 'webhook.test');
  assert.match(good.text, /Die Testnachricht ist angekommen \(200, \d+ ms\)/);

  receiver.behave(() => ({ status: 403, body: EVIL }));
  const bad = await admin.post(`/webhooks/${id}/test`, {});
  assert.match(bad.text, /Die Testnachricht kam nicht an/);
  const [delivery] = await service.beside.deliveries.log({ limit: 1, webhookId: id });
  const log = await admin.get(`/webhooks/${id}/deliveries/${delivery?.id}`);
  for (const { text } of [bad, log]) {
    assert.ok(text.includes('&lt;script&gt;alert(1)'));
    assert.ok(!text.includes(EVIL));
  }
  receiver.behave(() => ({ status: 410 }));
  assert.match((await admin.post(`/webhooks/${id}/test`, {})).text, /ausgeschaltet.*gone for good/is);
  const gone = await addWebhookTo(service.beside, 'http://127.0.0.1:1/');
  const { text: silent } = await admin.post(`/webhooks/${gone}/test`, {});
  assert.match(silent, /Unter dieser Adresse antwortet nichts.*lang="en">[^<]*ECONNREFUSED.*pill valid/s);
  assert.match(
    (await admin.get('/webhooks')).text,
    /127\.0\.0\.1:1.*pill valid/s,
    'the same state in the list',
  );
});

test('a webhook is deactivated and activated by its button, and the audit log names the user', async () => {
  const id = await addWebhookTo(service.beside, receiver.url);
  for (const [what, active] of [
    ['off', false],
    ['on', true],
  ] as const) {
    assert.equal((await admin.post(`/webhooks/${id}/${what}`, {})).location, `/webhooks/${id}`);
    assert.equal((await all())[0]?.active, active);
    assert.partialDeepStrictEqual(lastEntry(), { actor: 'Web: anna', action: 'webhook.changed' });
  }
});

test('rotating a secret asks first, shows the new one once, and keeps the old one for 24 hours', async () => {
  const id = await addWebhookTo(service.beside, receiver.url);
  const before = (await all())[0]?.secrets?.current;
  assert.match((await admin.get(`/webhooks/${id}/rotate`)).text, /24 Stunden/);
  assert.equal((await all())[0]?.secrets?.current, before);
  const { text } = await admin.post(`/webhooks/${id}/rotate`, {});
  const secrets = (await all())[0]?.secrets;
  assert.equal(secretIn(text), secrets?.current);
  assert.match(text, /24 Stunden/);
  const untilMs = service.clock.nowMs() + 24 * 60 * 60_000;
  assert.deepEqual(secrets?.previous, { secret: before, untilMs });
});

test('removing a webhook asks first, names the host, and deletes the delivery log', async () => {
  const id = await addWebhookTo(service.beside, receiver.url);
  await admin.post(`/webhooks/${id}/test`, {});
  assert.ok((await admin.get(`/webhooks/${id}/remove`)).text.includes(hostOf()));
  assert.equal((await all()).length, 1);
  assert.equal((await admin.post(`/webhooks/${id}/remove`, {})).location, '/webhooks');
  assert.deepEqual([await all(), await service.beside.deliveries.log({ limit: 1 })], [[], []]);
  for (const path of [`/webhooks/${id}`, `/webhooks/${id}/deliveries`, '/webhooks/x', '/webhooks/0'])
    assert.equal((await admin.get(path)).status, 404, path);
});

test('the log shows every delivery attempt, and a delivered notification can be sent again', async () => {
  const id = await addWebhookTo(service.beside, receiver.url);
  receiver.behave(() => ({ status: 503, body: 'gerade nicht' }));
  const [eventId] = await makeVouchers(service, 1);
  const find = async () => (await service.beside.deliveries.log({ limit: 1, webhookId: id }))[0];
  await until(async () => (await find())?.attempts.length === 1);
  const path = `/webhooks/${id}/deliveries`;
  const list = await admin.get(path);
  assert.match((await admin.get('/webhooks')).text, /gestört.*Fehlversuche: einer/s);
  assert.match(list.text, /1 Voucher für Demo.*wartet.*503.* ms/s);
  const one = `${path}/${(await find())?.id}`;
  assert.match((await admin.get(one)).text, /Nächster Versuch.*503.*gerade nicht/s);

  receiver.behave(() => ({}));
  for (let times = 1; times <= 2; times++) {
    const { location } = await admin.post(`${one}/resend`, {});
    assert.equal(location, one);
    assert.equal((await admin.get(location ?? '')).status, 200);
    await until(() => receiver.accepted.filter((accepted) => accepted === eventId).length === times);
    await until(async () => (await find())?.state === 'delivered');
  }
  assert.match((await admin.get(one)).text, /zugestellt/);
  assert.partialDeepStrictEqual(lastEntry(), { actor: 'Web: anna', action: 'delivery.resent' });
});

test('a merged delivery links to the one that was sent', async () => {
  const id = await addWebhookTo(service.beside, receiver.url);
  const insert = (event: string, state: string, mergedInto: number | null = null) =>
    service.change(
      insertDelivery({ webhook: id, event, state, mergedInto, finishedAtMs: service.clock.nowMs() }),
    );
  const newest = async () => (await service.beside.deliveries.log({ limit: 1, webhookId: id }))[0]?.id;
  const path = `/webhooks/${id}/deliveries`;
  insert('sent', 'done');
  const sent = await newest();
  insert('merged', 'merged', sent);
  const link = `zusammengefasst</span> <a class="whole" href="${path}/${sent}">mit Zustellung ${sent}</a>`;
  const list = (await admin.get(path)).text;
  assert.ok(list.includes(link), list);
  assert.match(list, /<td class="nothing" data-label="Versuche">–/);
  const { text } = await admin.get(`${path}/${await newest()}`);
  assert.ok(text.includes(link), text);
  assert.ok(text.includes(`Kein eigener Versuch: In der Nachricht von Zustellung ${sent} mitgezählt.`), text);
});

test('paging through a long log neither skips nor repeats a delivery', async () => {
  const id = await addWebhookTo(service.beside, receiver.url);
  for (let made = 0; made < 120; made++)
    service.change(
      insertDelivery({
        webhook: id,
        event: `page-${made}`,
        kind: 'webhook.test',
        state: 'done',
        finishedAtMs: service.clock.nowMs(),
      }),
    );
  const seen: string[] = [];
  for (let path: string | undefined = `/webhooks/${id}/deliveries`; path; ) {
    const { text }: { text: string } = await admin.get(path);
    seen.push(...[...text.matchAll(/\/deliveries\/(\d+)"/g)].map(([, one]) => one ?? ''));
    path = /href="([^"]*before=\d+)"/.exec(text)?.[1];
  }
  assert.equal(seen.length, 120);
  assert.deepEqual(
    seen.map(Number),
    [...new Set(seen.map(Number))].toSorted((one, other) => other - one),
  );
});

test('a delivery is found only under its own webhook', async () => {
  const [one, other] = [
    await addWebhookTo(service.beside, receiver.url),
    await addWebhookTo(service.beside, `${receiver.url}/2`),
  ];
  await admin.post(`/webhooks/${one}/test`, {});
  const [delivery] = await service.beside.deliveries.log({ limit: 1 });
  assert.equal((await admin.get(`/webhooks/${one}/deliveries/${delivery?.id}`)).status, 200);
  assert.equal((await admin.get(`/webhooks/${other}/deliveries/${delivery?.id}`)).status, 404);
  assert.equal((await admin.post(`/webhooks/${other}/deliveries/${delivery?.id}/resend`, {})).status, 404);
  assert.equal((await admin.get(`/webhooks/${one}/deliveries/x`)).status, 404);
});
