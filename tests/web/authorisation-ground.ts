// The test data of the authorisation tests: users of every role with sessions and second factors, records for every
// route, and calls that report their outcome.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { startSimulatedConsole } from '../../packages/unifi-console/src/index.ts';
import { ROUTES } from '../../src/app/routes.ts';
import { asBulkRevocationId, asSiteId, asUserId, asVoucherId } from '../../src/kernel/ids.ts';
import { makeFormToken } from '../../src/kernel/pages/csrf.ts';
import type { Route } from '../../src/kernel/pages/route.ts';
import { makeInvite } from '../../src/kernel/users/invitations.ts';
import { TESTER } from '../support/actors.ts';
import { addPrinterTo } from '../support/added-printer.ts';
import { addRequestTo } from '../support/added-request.ts';
import { addScreenTo, pairDevice } from '../support/added-screen.ts';
import { insertDelivery } from '../support/delivery-rows.ts';
import { listRows, tablesOf } from '../support/disturb-records.ts';
import { makePng } from '../support/pictures.ts';
import { newestMailOf, setupMail } from '../support/setup-mail.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addWebhookTo } from '../webhooks/delivery/recording-receiver.ts';
import { enrol } from './enrolled.ts';
import { pathOf, type Things } from './path-of.ts';
import { pinOf } from './site-form.ts';
import { addUser, loggedIn, makeWebClient, type WebClient } from './web-client.ts';

/**
 * `nobody`: an anonymous visitor; `here`: an operator of the site that the records belong to; `elsewhere`: an operator
 * of another site.
 */
export const ROLES = ['nobody', 'here', 'elsewhere', 'admin'] as const;
export type Role = (typeof ROLES)[number];
/** Part of the name of every record, so that tests notice when a page shows a record without permission. */
export const MARK = 'Sonderzimmer';

const ON_PAPER = ['?voucher=:voucher', '?batch=:batch'];
const QUERIES: Record<string, string[]> = {
  '/vouchers/print': ON_PAPER,
  '/vouchers/pdf': ON_PAPER,
  '/vouchers/revoke': ['?voucher=:voucher', '?all=1&q=nothing'],
  '/settings/retention': ['?vouchers=90&audit=365'],
};

/** A client with the form token of its session. */
export interface Caller {
  webClient: WebClient;
  readonly token: string;
}

export interface Call {
  method?: 'GET' | 'HEAD' | 'POST';
  token?: string;
  headers?: Record<string, string>;
}

export interface Called {
  /** The outcome of the call, in a word. */
  fate: string;
  status: number;
  headers: Headers;
  text: string;
}

export interface Ground {
  service: TestService;
  routes: Route[];
  users: Record<Role, Caller>;
  /** Further sessions of the same users, which tests may end. */
  leaving: Record<Role, Caller>;
  /** An administrator without a second factor. */
  newcomer: Caller;
  /** The device of a screen. Its only cookie is the one of the screen. */
  screen: Caller;
  things: Things;
  /** Creates new records, for a route that changes them. */
  makeThings(): Promise<Things>;
  call(by: Caller, route: Route, call?: Call & { about?: Things }): Promise<Called>;
  stop(): Promise<void>;
}

export const nameOf = ({ method, path }: Route) => `${method} ${path}`;

export async function prepareGround(): Promise<Ground> {
  const service = await startTestService();
  const console = await startSimulatedConsole();
  const [hereId, elsewhereId] = [await add('here', 'operator'), await add('elsewhere', 'operator')];
  await add('admin', 'admin');
  await add('new', 'admin');
  give(elsewhereId, await service.addSite('default', 'Haus B'));
  const nobody = await toCaller(makeWebClient(service), '/login');
  const users = {
    nobody,
    here: await enter('here'),
    elsewhere: await enter('elsewhere'),
    admin: await enter('admin'),
  };
  const leaving = {
    nobody,
    here: await enterAgain('here'),
    elsewhere: await enterAgain('elsewhere'),
    admin: await enterAgain('admin'),
  };
  await setupMail(service);
  const audit = { actor: TESTER, atMs: service.clock.nowMs() };
  // Users can ask for a link by e-mail only with a public address.
  await service.beside.settings.change({ publicUrl: service.url }, audit);
  const invited = { email: 'invited@example.org', name: 'Invited', role: 'operator' } as const;
  const link = await makeInvite(service.beside).newUser(invited, audit);
  assert.ok(link);
  await service.beside.images.save('logo', { type: 'image/png', bytes: makePng() }, audit);

  function add(name: string, role: 'operator' | 'admin'): Promise<number> {
    return addUser(service, `${name}@example.org`, role);
  }
  function give(user: number, site: number): void {
    service.change(`insert into user_sites (user_id, site_id) values (${user}, ${site})`);
  }
  async function enter(name: string): Promise<Caller> {
    return toCaller(await loggedIn(service, `${name}@example.org`), '/account');
  }
  /** Sets up a second factor and logs in again with it. */
  async function enterAgain(name: Exclude<Role, 'nobody'>): Promise<Caller> {
    const { nextCode } = await enrol(service, users[name].webClient);
    const webClient = makeWebClient(service);
    assert.equal((await webClient.login(`${name}@example.org`)).location, '/login/code?next=%2F');
    assert.equal((await webClient.post('/login/code', { code: nextCode() })).location, '/');
    return toCaller(webClient, '/account');
  }

  async function enterAsScreen(): Promise<Caller> {
    const { pairingCode } = await addScreenTo(service.beside, {
      siteId: asSiteId(Number(things.site)),
      name: MARK,
    });
    const [name = '', value = ''] = (await pairDevice(service.url, pairingCode)).split('=');
    const webClient = makeWebClient(service);
    webClient.cookies.set(name, value);
    return { webClient, token: makeFormToken(value) };
  }

  let made = 0;
  async function makeThings(): Promise<Things> {
    const { beside } = service;
    const name = `${MARK} ${++made}`;
    const site = asSiteId(
      await beside.sites.add(
        {
          name,
          active: true,
          controllerKind: 'unifi',
          controllerSite: 'default',
          connection: {
            url: console.url,
            credentials: { apiKey: console.apiKey },
            trust: { kind: 'pinned', fingerprint256: pinOf(console) },
          },
        },
        audit,
      ),
    );
    give(hereId, site);
    await beside.images.save(`site-${site}`, { type: 'image/png', bytes: makePng() }, audit);
    await beside.images.save(`screen-${site}`, { type: 'image/png', bytes: makePng() }, audit);
    const { location } = await users.here.webClient.post('/vouchers', {
      site: String(site),
      name,
      email: 'guest@example.org',
    });
    const [voucher] = service.rows('select max(id) as id from vouchers where site_id = ?', site);
    assert.ok(voucher?.id);
    const batch = location?.split('/').at(-1) ?? '';
    const replacement = `replacement-${made}`;
    service.change('update batches set replacement_id = ? where id = ?', replacement, batch);
    const limits = { maxUses: 1, expireMinutes: 480, downKbps: 0, upKbps: 0, quotaMb: 0 };
    const webhook = await addWebhookTo(beside, `http://127.0.0.1:9/${MARK}`);
    const sent = { event: `e${made}`, kind: 'webhook.test', vouchers: 0, site: name, source: '' };
    service.change(insertDelivery({ webhook, ...sent, state: 'done', finishedAtMs: service.clock.nowMs() }));
    const revocation = asBulkRevocationId(randomUUID());
    await beside.bulkRevocations.begin({
      id: revocation,
      userId: asUserId(hereId),
      ip: '192.0.2.1',
      vouchers: [{ id: asVoucherId(Number(voucher.id)), siteId: site }],
      batchId: null,
      onlyUnused: false,
      createdAtMs: audit.atMs,
    });
    await beside.bulkRevocations.failRest(revocation, site, { kind: 'refused', text: 'refused' });
    await beside.bulkRevocations.end(revocation, audit.atMs);
    return {
      token: link?.token ?? '',
      revocation,
      site,
      batch,
      replacement,
      voucher: Number(voucher.id),
      profile: await beside.profiles.add({ name, ...limits, siteIds: [site] }, audit),
      key: (await service.issueKey('write', 0, name)).slice(4, 12),
      user: await add(`${MARK}-${made}`, 'operator'),
      printer: await addPrinterTo(beside, { siteId: site, name, kind: 'cloudprnt' }),
      screen: (await addScreenTo(beside, { siteId: site, name })).id,
      request: await addRequestTo(beside, { siteId: site, name }),
      rolling: (await addScreenTo(beside, { siteId: site, name, kind: 'rolling' })).id,
      webhook,
      delivery: Number(service.rows("select max(id) as id from messages where channel = 'webhook'")[0]?.id),
      mail: newestMailOf(service),
    };
  }
  const things = await makeThings();
  const screen = await enterAsScreen();

  return {
    service,
    routes: ROUTES.flatMap(asAsked).toSorted(settingsLast),
    users,
    leaving,
    newcomer: await enter('new'),
    screen,
    things,
    makeThings,
    async call(by, route, { method = route.method, token = by.token, headers, about = things } = {}) {
      const cookie = [...by.webClient.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(service.url + pathOf(route, about), {
        method,
        redirect: 'manual',
        headers: { accept: 'text/html', cookie, 'sec-fetch-site': 'same-origin', ...headers },
        ...(method === 'POST' && { body: new URLSearchParams({ token }) }),
      });
      const [, renewed] = /^gastpass=([^;]+)/m.exec(response.headers.getSetCookie().join('\n')) ?? [];
      if (renewed) by.webClient.cookies.set('gastpass', renewed);
      return {
        fate: fateOf(response, method),
        status: response.status,
        headers: response.headers,
        text: await response.text(),
      };
    },
    async stop() {
      await service.stop();
      await console.stop();
    },
  };
}

/** The settings come last, because a form may switch off what other routes need, such as e-mail. */
function settingsLast(one: Route, other: Route): number {
  const isSetting = ({ path }: Route) => Number(path.startsWith('/settings'));
  return isSetting(one) - isSetting(other);
}

/** The route once for each query that it is tested with. */
function asAsked(route: Route): Route[] {
  const queries = QUERIES[route.path] ?? [''];
  return queries.map((query) => ({ ...route, path: route.path + query }));
}

async function toCaller(webClient: WebClient, page: string): Promise<Caller> {
  const { text } = await webClient.get(page);
  const caller = {
    webClient,
    get token() {
      return makeFormToken(
        webClient.cookies.get('gastpass') ?? webClient.cookies.get('gastpass-visitor') ?? '',
      );
    },
  };
  assert.ok(text.includes(caller.token));
  return caller;
}

function fateOf({ status, headers }: Response, method: string): string {
  const isLeaving = /^gastpass=;.*max-age=0/i.test(headers.get('set-cookie') ?? '');
  if (status === 403) return 'refused';
  if (status === 404) return 'hidden';
  if (status === 405) return `only ${headers.get('allow')}`;
  if (status === 303 && headers.get('location')?.startsWith('/login') && !isLeaving) return 'door';
  if (status >= 500) return `broken: ${status}`;
  if (method === 'POST' || status === 200) return 'in';
  return status === 303 ? 'led on' : `odd: ${status}`;
}

/** All records, except leases and the time when a session was last used. */
export function recordsOf({ service }: Ground): Set<string> {
  const tables = tablesOf(service).filter((table) => table !== 'leases');
  return new Set(listRows(service, tables).map((row) => row.replace(/"seen_at_ms":\d+/, '')));
}
