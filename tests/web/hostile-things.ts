// An installation in which every name is hostile: markup that would run, quotes that would end an attribute, characters
// that are invisible or change the direction of text, and excessive length.

import { ROUTES } from '../../src/app/routes.ts';
import { asSiteId, asVoucherId } from '../../src/kernel/ids.ts';
import { actorOf } from '../support/actors.ts';
import { addRequestTo } from '../support/added-request.ts';
import { addScreenTo } from '../support/added-screen.ts';
import { insertDelivery } from '../support/delivery-rows.ts';
import { addPrinter } from '../support/printers.ts';
import { failMail, newestMailOf, setupMail } from '../support/setup-mail.ts';
import type { TestService } from '../support/test-service.ts';
import { addWebhookTo } from '../webhooks/delivery/recording-receiver.ts';
import { pathOf, type Things } from './path-of.ts';
import { addUser, loggedIn } from './web-client.ts';

export const EVIL = `<script>alert(1)</script>"'&`;
const NAME = `${EVIL}\u202e\u2066\u200b\u0301${'Donaudampfschiff'.repeat(15)}`;
const audit = { actor: actorOf(`Web: ${NAME}`), atMs: 1 };

/** The user with this e-mail address sees all these names, and has a hostile name too. */
export async function giveHostileNames(service: TestService, email: string): Promise<Things> {
  const { beside } = service;
  const set = (column: string) => service.change(`update ${column} = ?`, NAME);
  const admin = await loggedIn(service, email);
  const site = await service.addSite('fail:refuse', 'Kaputt');
  await setupMail(service, { from: { name: NAME, address: 'wlan@hotel.example' } });
  const made = await admin.post('/vouchers', { site: '1', name: 'x', count: '3', email: 'x@example.org' });
  const mail = newestMailOf(service);
  failMail(service, mail, NAME);
  const failed = await admin.post('/vouchers', { site: String(site), name: 'x', count: '3' });
  const { key } = await beside.issueKey({ name: NAME, scope: 'write', rateLimit: 0 }, audit);
  const limits = { maxUses: 1, expireMinutes: 60, downKbps: 0, upKbps: 0, quotaMb: 0 };
  const profile = await beside.profiles.add({ name: NAME, ...limits, siteIds: [asSiteId(1)] }, audit);
  const user = await addUser(service, 'somebody@example.org', 'operator');
  const webhook = await addWebhookTo(beside, `https://user:${encodeURIComponent(EVIL)}@hooks.example.org/`);
  service.change(
    insertDelivery({ id: 99, webhook, site: NAME, source: NAME, state: 'failed', finishedAtMs: 2 }),
  );
  service.change(
    'insert into message_attempts (message_id, at_ms, duration_ms, status, error, answer) values (99, 1, 1, 500, ?, ?)',
    NAME,
    NAME,
  );
  const nowMs = service.clock.nowMs();
  service.change(
    `insert into bulk_revocations (id, user_id, address, site_ids, only_unused, created_at_ms, ended_at_ms)
      values ('r', ${user}, '', '1', 0, ${nowMs}, ${nowMs})`,
  );
  service.change(
    `insert into bulk_revocation_vouchers
      select 'r', id, 1, 'failed', ?, null from vouchers where site_id = 1`,
    NAME,
  );
  service.change("update batches set replacement_id = 'p'");
  service.change(
    'update vouchers set ended_at_s = ?, missing_since_s = 1 where id = (select max(id) from vouchers where site_id = 1)',
    Math.floor(nowMs / 1_000),
  );
  const slip = { wifiName: EVIL, wifiSecurity: 'wpa', wifiPassword: EVIL, text: NAME } as const;
  await beside.slips.save(asSiteId(1), slip, audit);
  const printer = await addPrinter(beside, { name: NAME });
  await beside.printers.noteStatus(printer, { state: 'fault', words: NAME, atMs: nowMs });
  const found = await beside.printers.find(printer);
  const [printed] = service.rows('select min(id) as id from vouchers');
  if (found) await beside.printJobs.add(found, [asVoucherId(Number(printed?.id))], audit);
  const terms = { terms: `${EVIL}\n${'Donaudampfschiff'.repeat(15)}` };
  const screen = (await addScreenTo(beside, { siteId: asSiteId(1), ...terms })).id;
  const rolling = (await addScreenTo(beside, { siteId: asSiteId(1), kind: 'rolling' })).id;
  service.change('update screens set seen_agent = ?, paired_at_ms = 1, seen_at_ms = 1', NAME);
  const request = await addRequestTo(beside, { siteId: asSiteId(1), name: 'Gast' });
  service.change('update guest_requests set name = ?, host = ?, note = ?', NAME, NAME, NAME);
  const texts = { subject: EVIL, greeting: NAME, closing: NAME };
  await beside.mailTexts.save(asSiteId(1), { de: texts, en: texts }, audit);
  service.change(
    `insert into site_syncs (site_id, failed_at_ms, error) values (${site}, 1, ?)
    on conflict (site_id) do update set failed_at_ms = 1, error = excluded.error`,
    NAME,
  );
  for (const column of ['sites set name', 'users set name', 'vouchers set name', 'vouchers set source'])
    set(column);
  for (const column of [
    'batches set name',
    'batches set problem',
    'web_sessions set agent',
    'audit set subject',
    'screens set name',
  ])
    set(column);
  service.change('update webhooks set off_because = ?, active = 0', NAME);
  service.change('update vouchers set owner_user_id = null where id % 2 = 0');
  await beside.settings.change({ title: EVIL }, audit);
  const [voucher] = service.rows('select min(id) as id from vouchers');
  return {
    batch: made.location?.split('/').at(-1) ?? '',
    failed: failed.location?.split('/').at(-1) ?? '',
    voucher: String(voucher?.id),
    site: '1',
    key: key.id,
    profile: String(profile),
    user: String(user),
    webhook: String(webhook),
    delivery: '99',
    mail: String(mail),
    printer: String(printer),
    screen,
    rolling,
    request: String(request),
    revocation: 'r',
    replacement: 'p',
  };
}

/** The paths of all pages, taken from the routes. */
export function pathsOf(things: Things): string[] {
  const pages = ROUTES.filter(({ method }) => method === 'GET');
  return [...pages.map((route) => pathOf(route, things)), `/batches/${things.failed}`];
}
