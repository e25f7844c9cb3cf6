// Tests that each service notes its release, that dead instances are forgotten, and that nothing is stored that a
// living instance of an older release cannot read.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openInstallation } from '../../../src/app/installation.ts';
import { makeWebhookUseCases } from '../../../src/features/webhooks/webhook-use-cases.ts';
import { asSiteId, asWebhookId } from '../../../src/kernel/ids.ts';
import { INSTANCE_NOTED_EVERY_MS } from '../../../src/kernel/instances/instance.ts';
import { sayOutdated } from '../../../src/kernel/instances/known-since.ts';
import { makeSaveSite } from '../../../src/kernel/sites/save-site.ts';
import { whyNotSaved } from '../../../src/kernel/sites/why-not-saved-options.ts';
import { VERSION } from '../../../src/platform/config/version.ts';
import { migrations } from '../../../src/platform/database/migrations/index.ts';
import { TESTER } from '../../support/actors.ts';
import { makeFakeClock } from '../../support/fake-clock.ts';
import { makeFolder } from '../../support/run-gastpass.ts';
import { configOf, startTestService, type TestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';
import { addUser, loggedIn, type WebClient } from '../web-client.ts';

const OLD = { id: 'old', name: 'web-2:8080', release: '0.0.9', schemaVersion: 1 };
const HOUR_MS = 60 * 60_000;
/** New in this release, so that this instance knows them and the old one does not. */
const knownSince = [
  { what: 'format', value: 'generic', since: VERSION },
  { what: 'event', value: 'site.recovered', since: VERSION },
] as const;

let service: TestService;
let admin: WebClient;
before(async () => {
  service = await startTestService({ knownSince });
  await addUser(service, 'anna@example.org', 'admin');
});
after(() => service.stop());

const audit = () => ({ actor: TESTER, atMs: service.clock.nowMs() });
const releases = async () => (await service.beside.instances.listLiving()).map(({ release }) => release);
/** The loop notes the instance in the background. */
async function untilNoted(): Promise<void> {
  await until(async () => (await releases()).length > 0);
}

test('a service notes its name, release and schema, commands do not', async () => {
  await untilNoted();
  const [self, ...others] = await service.beside.instances.listLiving();
  assert.deepEqual([self?.release, self?.schemaVersion, others], [VERSION, migrations.length, []]);
  assert.match(self?.name ?? '', new RegExp(`:${new URL(service.url).port}$`));
});

test('an instance that no longer notes itself is not alive, and its row is deleted after an hour', async () => {
  const { instances } = service.beside;
  await instances.note(OLD);
  assert.deepEqual(await releases(), [OLD.release, VERSION]);
  service.clock.advance(10 * INSTANCE_NOTED_EVERY_MS);
  assert.ok(!(await releases()).includes(OLD.release));
  service.clock.advance(HOUR_MS);
  await instances.note({ ...OLD, id: 'other' });
  assert.deepEqual(service.rows("select id from instances where id = 'old'"), []);
  await instances.forget('other');
});

test('pages refuse what a living older instance cannot read, and name the instance', async () => {
  admin = await loggedIn(service, 'anna@example.org');
  await service.beside.instances.note(OLD);
  const said = /Instanz web-2:8080 läuft noch mit Version 0\.0\.9, die „[\w.]+“ nicht kennt/;
  const count = (table: string) => service.rows(`select id from ${table}`).length;
  const [sites, webhooks] = [count('sites'), count('webhooks')];
  assert.match((await admin.post('/sites/new', { name: 'Neu', kind: 'simulator', import: 'on' })).text, said);
  const url = 'https://hooks.example.org/x';
  const order = { url, name: 'Kasse', events: 'chosen', event: 'voucher.created' };
  assert.match((await admin.post('/webhooks/add', { ...order, format: 'generic' })).text, said);
  assert.deepEqual([count('sites'), count('webhooks')], [sites, webhooks]);

  const chat = { url, format: 'chat' as const, platform: null, secrets: null };
  const id = await service.beside.webhooks.add(chat, audit());
  const event = { name: 'Kasse', events: 'chosen', event: 'site.recovered' };
  assert.match((await admin.post(`/webhooks/${id}/edit`, event)).text, said);
  assert.deepEqual((await service.beside.webhooks.find(id))?.events, ['voucher.created']);
});

test('commands refuse it too', async () => {
  await service.beside.instances.note(OLD);
  const saveSite = makeSaveSite(service.beside);
  const site = { name: 'Neu', active: true, controllerSite: 'default', connection: null };
  const added = await saveSite.add({ ...site, controllerKind: 'simulator' }, audit());
  assert.ok(!added.ok);
  const text = `instance web-2:8080 still runs 0.0.9, which does not know the controller "simulator" (new in 0.1.0); upgrade it first`;
  assert.equal(whyNotSaved(added.problem).message, text);
  const demo = await service.beside.sites.find(asSiteId(1));
  assert.ok(demo);
  assert.equal((await saveSite.change(demo, { controllerSite: 'x' }, audit())).ok, false);
  assert.equal((await saveSite.change(demo, { name: 'Umbenannt' }, audit())).ok, true);

  const { addWebhook, changeWebhook } = makeWebhookUseCases(service.beside);
  const order = { url: 'https://hooks.example.org/y', format: 'generic' as const };
  const refused = await addWebhook(order, audit());
  assert.ok(!refused.ok && refused.problem.field === 'release');
  assert.match(sayOutdated(refused.problem.outdated), /does not know the format "generic"/);
  const webhook = await service.beside.webhooks.find(asWebhookId(1));
  assert.ok(webhook);
  assert.equal((await changeWebhook(webhook, { events: ['site.recovered'] }, audit())).ok, false);
  assert.equal((await changeWebhook(webhook, { name: 'Neu' }, audit())).ok, true);
});

test('once the older instance is gone, the same is stored', async () => {
  await service.beside.instances.forget(OLD.id);
  const { location } = await admin.post('/sites/new', { name: 'Neu', kind: 'simulator', import: 'on' });
  assert.match(location ?? '', /^\/sites\/\d+/);
  const edited = await admin.post('/webhooks/1/edit', {
    name: 'Kasse',
    events: 'chosen',
    event: 'site.recovered',
  });
  assert.match(edited.location ?? '', /^\/webhooks\/1/);
});

test('a service that stops is not shown any more', async () => {
  const { folder: dataDir, remove } = makeFolder();
  const clock = makeFakeClock();
  const other = await startTestService({ dataDir, clock });
  await until(async () => (await other.beside.instances.listLiving()).length > 0);
  await other.stop();
  const installation = await openInstallation(await configOf(dataDir), clock);
  assert.deepEqual(await installation.instances.listLiving(), []);
  await installation.close();
  remove();
});
