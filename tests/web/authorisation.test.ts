// Every route of the web interface against everybody who might call it: nobody, an operator of this site, an
// operator of another site, an administrator, a forged form, the wrong method.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeRoutes } from '../../src/app/pages.ts';
import { makeCreateVoucher } from '../../src/domain/vouchers/create-voucher.ts';
import { makeLog } from '../../src/observe/log.ts';
import type { Route } from '../../src/web/routes.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addWebhookTo } from '../webhooks/recording-receiver.ts';
import { addPerson, makeVisitor, signedIn, type Visitor } from './visitor.ts';

let service: TestService;
let routes: Route[];
let people: Record<'nobody' | 'here' | 'elsewhere' | 'admin', Visitor>;
let paths: Record<string, string>;

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
  paths = {
    '/batches/:id': made.location ?? '',
    '/batches/:id/print': `${made.location}/print`,
    '/vouchers/:id': `/vouchers/${voucher?.id}`,
    '/vouchers/:id/revoke': `/vouchers/${voucher?.id}/revoke`,
    '/vouchers/:id/print': `/vouchers/${voucher?.id}/print`,
    '/sites/:site': `/sites/${elsewhere}`,
    '/sites/:site/test': `/sites/${elsewhere}/test`,
    '/sites/:site/sync': `/sites/${elsewhere}/sync`,
    '/sites/:site/activate': `/sites/${elsewhere}/activate`,
    '/sites/:site/deactivate': `/sites/${elsewhere}/deactivate`,
    '/sites/:site/access': `/sites/${elsewhere}/access`,
    '/sites/:site/access/certificate': `/sites/${elsewhere}/access/certificate`,
    '/sites/:site/access/store': `/sites/${elsewhere}/access/store`,
  };
  const profile = await people.admin.post('/profiles', { name: 'Tagung' });
  assert.equal(profile.location, '/profiles');
  const [kept] = service.rows('select id from profiles');
  for (const rest of ['', '/remove']) paths[`/profiles/:profile${rest}`] = `/profiles/${kept?.id}${rest}`;
  const createVoucher = makeCreateVoucher({ ...service.beside, timeZone: 'Europe/Berlin' });
  routes = makeRoutes(service.beside, {
    createVoucher,
    basePath: '/api',
    log: makeLog('silent'),
    stopping: new AbortController().signal,
    underWay: new Set(),
  });
  const ids = await addAdminThings();
  for (const { path } of routes)
    paths[path] ??= path.replace(/:(person|webhook|delivery)\b/g, (whole, name) =>
      String(ids[name] ?? whole),
    );
});
after(() => service.stop());

/** Somebody, a webhook and something that was sent to it, for the routes that are about one. */
async function addAdminThings(): Promise<Record<string, unknown>> {
  const person = await addPerson(service, 'somebody@example.org', 'operator');
  const webhook = await addWebhookTo(service.beside, 'http://127.0.0.1:9/');
  service.change(`insert into deliveries
    (webhook_id, event_id, kind, voucher_count, site_name, source, occurred_at_ms, state, finished_at_ms)
    values (${webhook}, 'e', 'webhook.test', 0, '', '', 1, 'delivered', ${service.clock.nowMs()})`);
  return { person, webhook, delivery: service.rows('select id from deliveries')[0]?.id };
}

/** Where a route is about a voucher of the first site. */
const isAboutSite = (route: Route) => route.path.includes(':id');
const call = (visitor: Visitor, route: Route, headers?: Record<string, string>) => {
  const path = paths[route.path] ?? route.path;
  return route.method === 'GET' ? visitor.get(path, headers) : visitor.post(path, {}, headers);
};

describe('every route of the web interface', () => {
  test('sends those who are not signed in to the door, unless it is for anyone', async () => {
    for (const route of routes.filter(({ access }) => access !== 'anyone')) {
      const { status, location } = await call(people.nobody, route);
      assert.equal(status, 303, route.path);
      assert.match(location ?? '', /^\/login/, route.path);
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
        const path = paths[route.path] ?? route.path;
        assert.equal((await visitor.post(path, { token: 'forged' })).status, 403, route.path);
        for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }])
          assert.equal((await call(visitor, route, headers)).status, 403, route.path);
      }
  });

  test('changes nothing by GET', async () => {
    const reading = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
    for (const route of routes.filter(({ method, path }) => method === 'POST' && !reading.has(path))) {
      const { status, headers } = await people.admin.get(paths[route.path] ?? route.path);
      assert.deepEqual([status, headers.get('allow')], [405, 'POST'], route.path);
    }
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
