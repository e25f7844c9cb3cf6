// Every route of the web interface against everybody who might call it: nobody, an operator of this site, an
// operator of another site, an administrator, a forged form, the wrong method.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { House } from '../../src/domain/house.ts';
import type { Route } from '../../src/web/routes.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addWebhookTo } from '../webhooks/recording-receiver.ts';
import { pathOf, routesOf, type Things } from './routes-of.ts';
import { addPerson, makeVisitor, signedIn, type Visitor } from './visitor.ts';

let service: TestService;
let routes: Route[];
let people: Record<'nobody' | 'here' | 'elsewhere' | 'admin', Visitor>;
let things: Things;

before(async () => {
  service = await startTestService();
  const elsewhere = await service.addSite('default', 'Haus B');
  const give = (user: number, site: number) =>
    service.change(`insert into user_sites (user_id, site_id) values (${user}, ${site})`);
  give(await addPerson(service, 'here@example.org', 'operator'), 1);
  give(await addPerson(service, 'elsewhere@example.org', 'operator'), elsewhere);
  await addPerson(service, 'admin@example.org', 'admin');
  people = {
    nobody: makeVisitor(service),
    here: await signedIn(service, 'here@example.org'),
    elsewhere: await signedIn(service, 'elsewhere@example.org'),
    admin: await signedIn(service, 'admin@example.org'),
  };
  const made = await people.here.post('/vouchers', { site: '1', name: 'Zimmer 12' });
  const [voucher] = service.rows('select id from vouchers order by id desc limit 1');
  const profile = await people.admin.post('/profiles', { name: 'Tagung' });
  assert.equal(profile.location, '/profiles');
  const [kept] = service.rows('select id from profiles');
  routes = routesOf(service);
  things = {
    batch: made.location?.split('/').at(-1) ?? '',
    voucher: Number(voucher?.id),
    site: elsewhere,
    profile: Number(kept?.id),
    key: 'unknown',
    ...(await addAdminThings()),
  };
});
after(() => service.stop());

/** Somebody, a webhook and something that was sent to it, for the routes that are about one. */
async function addAdminThings(): Promise<Things> {
  const person = await addPerson(service, 'somebody@example.org', 'operator');
  const webhook = await addWebhookTo(service.beside, 'http://127.0.0.1:9/');
  service.change(`insert into deliveries
    (webhook_id, event_id, kind, voucher_count, site_name, source, occurred_at_ms, state, finished_at_ms)
    values (${webhook}, 'e', 'webhook.test', 0, '', '', 1, 'delivered', ${service.clock.nowMs()})`);
  return { person, webhook, delivery: Number(service.rows('select id from deliveries')[0]?.id) };
}

/** Where a route is about a voucher of the first site. */
const isAboutSite = ({ path }: Route) => path.includes(':id') || /^\/vouchers\/(print|pdf)$/.test(path);
const call = (visitor: Visitor, route: Route, headers?: Record<string, string>) => {
  const path = pathOf(route, things);
  return route.method === 'GET' ? visitor.get(path, headers) : visitor.post(path, {}, headers);
};

async function assertSentToTheDoor(route: Route): Promise<void> {
  const { status, location } = await call(people.nobody, route);
  assert.equal(status, 303, route.path);
  assert.match(location ?? '', /^\/login/, route.path);
}

describe('every route of the web interface', () => {
  test('sends those who are not signed in to the door, unless it is for anyone', async () => {
    for (const route of routes.filter(({ access }) => access !== 'anyone' && access !== 'reader'))
      await assertSentToTheDoor(route);
  });

  test('for readers is open to anyone, or only to those who are signed in, as the house decides', async () => {
    const reading = routes.filter(({ access }) => access === 'reader');
    assert.ok(reading.length > 0);
    for (const isApiPageOpen of [true, false]) {
      await service.beside.house.change({ isApiPageOpen }, { actor: 'test', atMs: service.clock.nowMs() });
      for (const route of reading) {
        for (const visitor of [people.here, people.elsewhere, people.admin])
          assert.equal((await call(visitor, route)).status, 200, route.path);
        if (isApiPageOpen) assert.equal((await call(people.nobody, route)).status, 200, route.path);
        else await assertSentToTheDoor(route);
      }
    }
  });

  test('of an administrator’s refuses operators, and shows them nothing', async () => {
    for (const route of routes.filter(({ access }) => access === 'admin'))
      for (const operator of [people.here, people.elsewhere])
        assert.equal((await call(operator, route)).status, 403, route.path);
  });

  test('about people, webhooks and the audit log is there for administrators', async () => {
    const areas = /^\/(people|webhooks|audit)\b/;
    const shown = routes.filter(({ method, path }) => method === 'GET' && areas.test(path));
    assert.ok(shown.length >= 13);
    for (const route of shown) assert.equal((await call(people.admin, route)).status, 200, route.path);
  });

  test('about a voucher is there for operators of its site and administrators, and for nobody else', async () => {
    for (const route of routes.filter(isAboutSite)) {
      assert.equal((await call(people.elsewhere, route)).status, 404, route.path);
      if (route.method === 'POST') continue;
      assert.equal((await call(people.here, route)).status, 200, route.path);
      assert.equal((await call(people.admin, route)).status, 200, route.path);
    }
  });

  test('that changes something refuses a form without our token, or from another site', async () => {
    for (const route of routes.filter(({ method }) => method === 'POST'))
      for (const visitor of [people.here, people.admin]) {
        const path = pathOf(route, things);
        assert.equal((await visitor.post(path, { token: 'forged' })).status, 403, route.path);
        for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }])
          assert.equal((await call(visitor, route, headers)).status, 403, route.path);
      }
  });

  test('changes nothing by GET', async () => {
    const reading = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
    for (const route of routes.filter(({ method, path }) => method === 'POST' && !reading.has(path))) {
      const { status, headers } = await people.admin.get(pathOf(route, things));
      assert.deepEqual([status, headers.get('allow')], [405, 'POST'], route.path);
    }
  });

  test('is closed to whoever must have a second factor and has none, but for what sets it up or leads out', async () => {
    const decide = (change: Partial<House>) =>
      service.beside.house.change(change, { actor: 'test', atMs: service.clock.nowMs() });
    await decide({ secondFactorFor: 'everyone', isApiPageOpen: false });
    const inner = routes.filter(({ access }) => access !== 'anyone' && access !== 'newcomer');
    for (const route of inner)
      assert.match(
        (await call(people.admin, route)).location ?? '',
        /^\/account\/second-factor\/new/,
        route.path,
      );
    const left = routes
      .filter(({ access }) => access === 'newcomer')
      .map(({ method, path }) => `${method} ${path}`);
    await decide({ secondFactorFor: 'nobody', isApiPageOpen: true });
    assert.deepEqual(left.toSorted(), [
      'GET /account/second-factor/new',
      'POST /account/second-factor/new',
      'POST /logout',
    ]);
  });

  test('is kept out of caches and frames, and runs no foreign script', async () => {
    for (const route of routes.filter(({ method }) => method === 'GET')) {
      const { headers } = await call(people.admin, route);
      assert.equal(headers.get('cache-control'), 'no-store', route.path);
      if (headers.get('location')) continue;
      assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
      assert.doesNotMatch(headers.get('content-security-policy') ?? '', /unsafe/);
    }
  });
});

test('an operator cannot make a voucher for a site that is not theirs', async () => {
  const before = service.rows('select count(*) as n from vouchers')[0]?.n;
  const refused = await people.elsewhere.post('/vouchers', { site: '1', name: 'Fremd' });
  assert.equal(refused.status, 422);
  assert.equal(service.rows('select count(*) as n from vouchers')[0]?.n, before);
});

test('the list shows only vouchers of the own sites', async () => {
  assert.match((await people.here.get('/vouchers')).text, /Zimmer 12/);
  assert.doesNotMatch((await people.elsewhere.get('/vouchers?site=1')).text, /Zimmer 12/);
});
