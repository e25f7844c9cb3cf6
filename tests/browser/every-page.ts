// Every page there is, of a front desk with a day's vouchers on it: by the routes, so that a page that is added
// later is among them, and in the states that are worth a look of their own.

import { asSiteId } from '../../src/domain/ids.ts';
import type { TestService } from '../support/test-service.ts';
import { pathOf, routesOf, type Things } from '../web/routes-of.ts';
import { addPerson, signedIn, type Visitor } from '../web/visitor.ts';
import { addWebhookTo } from '../webhooks/recording-receiver.ts';
import { type Desk, EMAIL } from './desk.ts';

const MINUTE_MS = 60_000;
const GUESTS = [
  'Zimmer 4',
  'Frau Okafor',
  'Zimmer 21',
  'Tagung Lindner GmbH',
  'Zimmer 7',
  'Herr Sørensen',
  'Zimmer 15',
];

/** A day at a front desk: vouchers in every state, a batch, and one that failed. Answers where pages are, by name. */
export async function furnish({ service }: Pick<Desk, 'service'>): Promise<Record<string, string>> {
  const anna = await signedIn(service, EMAIL);
  const nowS = () => Math.floor(service.clock.nowMs() / 1000);
  async function make(name: string, fields: Record<string, string> = {}): Promise<string> {
    service.clock.advance(4 * MINUTE_MS);
    return (await anna.post('/vouchers', { site: '1', name, ...fields })).location ?? '';
  }

  service.change("update sites set name = 'Hotel Seeblick'");
  await make('Hochzeit Petersen', { count: '12', validity: '1440' });
  const batch = await make('Familienfeier', { count: '12', uses: '2' });
  for (const name of GUESTS) await make(name);
  const [last] = service.rows('select max(id) as id from vouchers');
  const use = (back: number, { max = 1, agoS = 4_000 } = {}) =>
    service.change(
      'update vouchers set used_count = 1, max_uses = ?, first_used_at_s = ? where id = ?',
      max,
      nowS() - agoS,
      Number(last?.id) - back,
    );
  use(0, { max: 3, agoS: 1_200 });
  use(2);
  use(3, { agoS: 40_000 });
  use(5);
  const one = await make('Zimmer 12');
  const away = await service.addSite('fail:unreachable', 'Strandhaus');
  const failed = await make('Zimmer 3', { site: String(away), count: '2' });
  const slip = { wifiName: 'Seeblick Gäste', wifiSecurity: 'wpa', wifiPassword: 'am-wasser-2026' } as const;
  const text = 'Frühstück von 7 bis 10 Uhr im Wintergarten.\nFragen? Rezeption: Durchwahl 9';
  await service.beside.slips.save(asSiteId(1), { ...slip, text }, { actor: 'test', atMs: 1 });
  const mistake = await service.addSite('default', 'Alte Scheune');
  service.change(`update sites set active = 0 where id = ${mistake}`);
  const things = {
    ...(await addAdminThings(service)),
    batch: batch.split('/').at(-1) ?? '',
    voucher: Number(last?.id),
    site: 1,
  };
  const toPrint = `/vouchers/print?batch=${things.batch}`;
  const named = {
    'new-voucher': '/',
    result: one,
    'batch-failed': failed,
    'print-sheet': toPrint,
    'print-slip': `${toPrint}&paper=receipt`,
    'site-away': `/sites/${away}`,
    'sites-site-remove': `/sites/${mistake}/remove`,
    'vouchers-nothing-found': '/vouchers?q=Zimmer+99',
    'settings-retention': '/settings/retention?vouchers=90&audit=365',
    'not-found': '/nowhere',
  };
  return { ...(await pagesByRoute(service, anna, things)), ...named };
}

/** Somebody, a profile, and a webhook with something that was sent to it and something that was not. */
async function addAdminThings(service: TestService): Promise<Things> {
  const { beside, clock } = service;
  const audit = { actor: 'test', atMs: clock.nowMs() };
  const limits = { maxUses: 5, expireMinutes: 2_880, downKbps: 20_000, upKbps: 5_000, quotaMb: 0 };
  const profile = await beside.profiles.add({ name: 'Tagung', ...limits, siteIds: [] }, audit);
  const person = await addPerson(service, 'empfang@example.org', 'operator');
  const webhook = await addWebhookTo(beside, 'https://kasse.example.org/hook');
  for (const [id, state, status] of [
    [1, 'given-up', 500],
    [2, 'delivered', 200],
  ] as const) {
    service.change(`insert into deliveries
      (id, webhook_id, event_id, kind, voucher_count, site_name, source, occurred_at_ms, state, tries, finished_at_ms)
      values (${id}, ${webhook}, 'e${id}', 'voucher.created', 12, 'Hotel Seeblick', 'Web: anna', ${clock.nowMs()}, '${state}', 1, ${clock.nowMs()})`);
    service.change(`insert into delivery_tries (delivery_id, at_ms, duration_ms, status, error, answer)
      values (${id}, ${clock.nowMs()}, 84, ${status}, ${status === 200 ? 'null' : "'500'"}, 'ok')`);
  }
  return { profile, person, webhook, delivery: 1, key: service.keyText.slice(4, 12) };
}

/** `/people/:person/password` is called `people-person-password`. What leads elsewhere or is no page is left out. */
async function pagesByRoute(
  service: TestService,
  visitor: Visitor,
  things: Things,
): Promise<Record<string, string>> {
  const pages: Record<string, string> = {};
  for (const route of routesOf(service).filter(({ method, path }) => method === 'GET' && path !== '/')) {
    const path = pathOf(route, things);
    const { status, headers } = await visitor.get(path);
    if (status === 200 && headers.get('content-type')?.startsWith('text/html'))
      pages[route.path.slice(1).replaceAll(/[/:]+/g, '-')] = path;
  }
  return pages;
}
