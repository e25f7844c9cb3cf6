// The data of a front desk: vouchers in every state, a running batch and a failed batch, a site whose controller is
// unreachable, and everything that an administrator has set up. Times come from the service's clock, so that
// screenshots do not change.

import { asSiteId } from '../../src/kernel/ids.ts';
import { actorOf } from '../support/actors.ts';
import { addPrinterTo } from '../support/added-printer.ts';
import { addRequestTo } from '../support/added-request.ts';
import { addScreenTo } from '../support/added-screen.ts';
import { insertDelivery } from '../support/delivery-rows.ts';
import { endWaitingBatches } from '../support/end-waiting-batches.ts';
import { failMail, newestMailOf, setupMail } from '../support/setup-mail.ts';
import type { TestService } from '../support/test-service.ts';
import { until } from '../support/until.ts';
import type { Things } from '../web/path-of.ts';
import { addUser, type WebClient } from '../web/web-client.ts';

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

export const KEY_NAME = 'Buchungssystem';

export interface DeskThings {
  /** Paths of pages. */
  one: string;
  failed: string;
  running: string;
  revoking: string;
  revoked: string;
  lost: string;
  /** Ids of sites. */
  away: number;
  mistake: number;
  things: Things;
  stop(): Promise<void>;
}

export async function furnishDesk(service: TestService, anna: WebClient): Promise<DeskThings> {
  const { beside, clock, change } = service;
  async function make(name: string, fields: Record<string, string> = {}): Promise<string> {
    clock.advance(4 * MINUTE_MS);
    const { location } = await anna.post('/vouchers', { site: '1', name, ...fields });
    // A batch does not wait until its controller works again.
    await endWaitingBatches(service);
    // The service responds to a form after a few seconds, even if the batch is still running.
    await until(() => service.rows('select id from batches where ended_at_ms is null').length === 0);
    return location ?? '';
  }

  change("update sites set name = 'Hotel Seeblick'");
  const running = await make('Hochzeit Petersen', { count: '12', validity: '1440' });
  const batch = await make('Familienfeier', { count: '12', uses: '2' });
  await setupMail(service);
  for (const name of GUESTS) await make(name, { email: 'ada@example.org' });
  const mail = newestMailOf(service);
  failMail(service, mail, '550 5.1.1 User unknown');
  const [last] = service.rows('select max(id) as id from vouchers');
  useSome(service, Number(last?.id));
  const away = await service.addSite('fail:unreachable', 'Strandhaus');
  const failed = await make('Zimmer 3', { site: String(away), count: '2' });
  const one = await make('Zimmer 12');
  const lost = await make('Sommerfest', { count: '8', uses: '2' });
  loseOnConsole(service, lost);
  change("update batches set replacement_id = 'ended' where id = ?", batch.split('/').at(-1) ?? '');
  const mistake = await service.addSite('default', 'Alte Scheune');
  change(`update sites set active = 0 where id = ${mistake}`);

  const audit = { actor: actorOf('Web: anna'), atMs: clock.nowMs() };
  const slip = { wifiName: 'Seeblick Gäste', wifiSecurity: 'wpa', wifiPassword: 'am-wasser-2026' } as const;
  const text = 'Frühstück von 7 bis 10 Uhr im Wintergarten.\nFragen? Rezeption: Durchwahl 9';
  await beside.slips.save(asSiteId(1), { ...slip, text }, audit);
  await addRequestTo(beside, { siteId: asSiteId(1), name: 'Frau Sommer' });
  await putOnConsole(service, 1, 'https://seeblick.invalid');
  await putOnConsole(service, away, 'https://strandhaus.invalid');
  noteSyncs(service, away);
  const stopBatch = keepUnderWay(service, running);
  const stopRevoking = await addRevocations(service, batch);
  return {
    one,
    failed,
    running,
    lost,
    away,
    mistake,
    revoking: '/revocations/running',
    revoked: revoke(service, batch),
    stop: async () => {
      await stopBatch();
      await stopRevoking();
    },
    things: {
      ...(await addAdminThings(service)),
      batch: batch.split('/').at(-1) ?? '',
      voucher: Number(last?.id),
      mail,
      site: 1,
      revocation: 'ended',
      replacement: 'ended',
    },
  };
}

function useSome({ change, clock }: TestService, last: number): void {
  const nowS = Math.floor(clock.nowMs() / 1000);
  const use = (back: number, { max = 1, agoS = 4_000 } = {}) =>
    change(
      'update vouchers set used_count = 1, max_uses = ?, first_used_at_s = ? where id = ?',
      max,
      nowS - agoS,
      last - back,
    );
  use(0, { max: 3, agoS: 1_200 });
  use(2);
  use(3, { agoS: 40_000 });
  use(5);
}

/**
 * Makes the site look like a site of a real controller, under a host name that never exists: the health page calls it.
 */
async function putOnConsole(
  { beside, clock, change }: TestService,
  site: number,
  url: string,
): Promise<void> {
  const trust = { kind: 'pinned', fingerprint256: '5D0A93C4'.repeat(8) } as const;
  const connection = { url, credentials: { apiKey: 'of the console' }, trust };
  const audit = { actor: actorOf('Web: anna'), atMs: clock.nowMs() };
  await beside.sites.change(asSiteId(site), { connection, controllerSite: 'default' }, audit);
  change(`update sites set controller_kind = 'unifi' where id = ${site}`);
}

/** The last sync of one site succeeded; the controller of the other site has not responded for an hour. */
function noteSyncs({ change, clock }: TestService, away: number): void {
  const nowMs = clock.nowMs();
  const [hourAgo, minuteAgo] = [nowMs - 60 * MINUTE_MS, nowMs - MINUTE_MS];
  change('delete from site_syncs');
  const columns = 'site_id, synced_at_ms, failed_at_ms, error, cause, failing_since_ms';
  change(`insert into site_syncs (${columns}) values (1, ${minuteAgo}, null, null, null, null)`);
  change(
    `insert into site_syncs (${columns}) values (?, ?, ?, ?, ?, ?)`,
    away,
    hourAgo - 5 * MINUTE_MS,
    minuteAgo,
    'connect ETIMEDOUT 192.168.30.1:443',
    'nobody-answers',
    hourAgo,
  );
}

/** Makes the batch look as if it were still running, until the returned function is called. */
function keepUnderWay({ beside, change }: TestService, path: string): () => Promise<void> {
  const id = path.split('/').at(-1) ?? '';
  const { promise: over, resolve: stop } = Promise.withResolvers<void>();
  const held = beside.withLease(`batch ${id}`, new AbortController().signal, () => over);
  change('update batches set wanted = 20, ended_at_ms = null where id = ?', id);
  return async () => {
    stop();
    await held;
  };
}

/** A bulk revocation that failed for two vouchers, and one that looks as if it were running until it is stopped. */
async function addRevocations(
  { beside, change, rows, clock }: TestService,
  path: string,
): Promise<() => Promise<void>> {
  const { promise: over, resolve: stop } = Promise.withResolvers<void>();
  const held = beside.withLease('bulk revocation running', new AbortController().signal, () => over);
  const vouchers = rows(
    'select id from vouchers where batch_id = ? order by id',
    path.split('/').at(-1) ?? '',
  );
  const columns = 'id, user_id, address, site_ids, batch_id, only_unused, created_at_ms, ended_at_ms';
  const error = 'connect ETIMEDOUT 192.168.20.1:443';
  for (const voucher of vouchers.slice(0, 4))
    change(
      'update vouchers set used_count = 1, first_used_at_s = created_at_s where id = ?',
      Number(voucher.id),
    );
  for (const [id, endedAtMs] of [
    ['ended', clock.nowMs()],
    ['running', null],
  ] as const) {
    const values = [id, path.split('/').at(-1) ?? '', clock.nowMs(), endedAtMs];
    change(
      `insert into bulk_revocations (${columns}) values (?, 1, '192.0.2.1', '1', ?, 1, ?, ?)`,
      ...values,
    );
    for (const [index, voucher] of vouchers.entries()) {
      const outcome =
        index > 5 && endedAtMs === null ? null : (['failed', 'failed', 'used', 'ended'][index] ?? 'revoked');
      const reason = outcome === 'failed' ? [error, 'nobody-answers'] : [null, null];
      const row = [id, Number(voucher.id), outcome, ...reason];
      change('insert into bulk_revocation_vouchers values (?, ?, 1, ?, ?, ?)', ...row);
    }
  }
  return async () => {
    stop();
    await held;
  };
}

/** Somebody has deleted the vouchers of the batch on the console. */
function loseOnConsole({ change, clock }: TestService, path: string): void {
  const id = path.split('/').at(-1) ?? '';
  const nowS = Math.floor(clock.nowMs() / 1000);
  change('update vouchers set ended_at_s = ?, missing_since_s = ? where batch_id = ?', nowS, nowS, id);
}

/** Revokes the last voucher of the batch; returns the path of its page. */
function revoke({ change, rows, clock }: TestService, batch: string): string {
  const [voucher] = rows(
    'select max(id) as id from vouchers where batch_id = ?',
    batch.split('/').at(-1) ?? '',
  );
  const nowS = Math.floor(clock.nowMs() / 1000);
  const fields = "revoked_at_s = ?, ended_at_s = ?, revoked_by = 'Web: Rita'";
  change(`update vouchers set ${fields} where id = ?`, nowS, nowS, Number(voucher?.id));
  return `/vouchers/${voucher?.id}`;
}

const UNANSWERED = 'The operation was aborted due to timeout (getaddrinfo EAI_AGAIN kasse.example.org)';

/** Adds a user, a profile, a key, and a webhook with a successful, a failed and a slow, waiting delivery. */
async function addAdminThings(service: TestService): Promise<Things> {
  const { beside, clock, change } = service;
  const audit = { actor: actorOf('Web: anna'), atMs: clock.nowMs() };
  const limits = { maxUses: 5, expireMinutes: 2_880, downKbps: 20_000, upKbps: 5_000, quotaMb: 0 };
  const profile = await beside.profiles.add({ name: 'Tagung', ...limits, siteIds: [] }, audit);
  const user = await addUser(service, 'empfang@example.org', 'operator');
  await service.issueKey('write', 60, KEY_NAME);
  const secrets = { current: `whsec_${Buffer.from('the secret of the till').toString('base64')}` };
  const target = { url: 'https://kasse.example.org/hook', format: 'generic', platform: null } as const;
  const webhook = await beside.webhooks.add({ ...target, secrets }, audit);
  change(`update webhooks set due_at_ms = ${audit.atMs + 60 * MINUTE_MS} where id = ${webhook}`);
  for (const { id, state, status, durationMs, error } of [
    { id: 101, state: 'failed', status: 500, durationMs: 84, error: "'500'" },
    { id: 102, state: 'done', status: 200, durationMs: 84, error: null },
    { id: 103, state: 'waiting', status: null, durationMs: 12_345, error: `'${UNANSWERED}'` },
  ]) {
    const finishedAtMs = state === 'waiting' ? null : audit.atMs;
    const facts = { vouchers: 12, site: 'Hotel Seeblick', source: 'Web: anna', occurredAtMs: audit.atMs };
    change(insertDelivery({ id, webhook, ...facts, state, attempts: 1, finishedAtMs }));
    change(`insert into message_attempts (message_id, at_ms, duration_ms, status, error, answer)
      values (${id}, ${audit.atMs}, ${durationMs}, ${status}, ${error}, 'ok')`);
  }
  const printer = await addPrinters(service);
  const screens = await addScreens(service);
  change("update audit set actor = 'Web: anna' where actor = 'test'");
  return { profile, user, printer, ...screens, webhook, delivery: 101, key: service.keyText.slice(4, 12) };
}

/**
 * Adds a printer of each kind: one is ready and has printed a test page, one has no paper, one is new. Returns the
 * last.
 */
async function addPrinters({ beside, clock, change }: TestService): Promise<number> {
  const siteId = asSiteId(1);
  const atMs = clock.nowMs();
  const ready = await addPrinterTo(beside, {
    siteId,
    name: 'Rezeption',
    kind: 'escpos',
    address: '127.0.0.1:9',
  });
  const empty = await addPrinterTo(beside, { siteId, name: 'Bar', kind: 'epson', paper: '58' });
  await beside.printers.noteStatus(ready, { state: 'ready', words: null, atMs });
  await beside.printers.noteStatus(empty, { state: 'paper-out', words: 'paper end', atMs });
  const printer = await beside.printers.find(ready);
  if (printer) await beside.printJobs.addTest(printer, { actor: actorOf('Web: anna'), atMs });
  change("update messages set state = 'done', finished_at_ms = ? where channel = 'printer'", atMs);
  return addPrinterTo(beside, { siteId, name: 'Tagungsbüro', kind: 'cloudprnt' });
}

/** Adds a kiosk with a paired tablet and two versions of its terms, a rolling code that is silent, and a new kiosk. */
async function addScreens({
  beside,
  clock,
  change,
}: TestService): Promise<{ screen: number; rolling: number }> {
  const siteId = asSiteId(1);
  const atMs = clock.nowMs();
  const fields = { profileIds: ['1'], asks: ['name'], terms: 'Bitte nichts Verbotenes tun.' };
  const { id: screen } = await addScreenTo(beside, { siteId, name: 'Frühstücksraum', ...fields });
  const { id: rolling } = await addScreenTo(beside, { siteId, name: 'Bar', kind: 'rolling' });
  await addScreenTo(beside, { siteId, name: 'Tagungsfoyer' });
  const audit = { actor: actorOf('Web: anna'), atMs };
  await beside.screens.setTerms(screen, 'Bitte nichts Verbotenes tun und fair teilen.', audit);
  const agent = 'Mozilla/5.0 (Linux; Android 15; Tablet) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36';
  const paired = 'paired_at_ms = ?, seen_at_ms = ?, seen_ip = ?, seen_agent = ?';
  change(`update screens set ${paired} where id = ?`, atMs, atMs, '192.0.2.40', agent, screen);
  change('update screens set looked_at_ms = ? where id = ?', atMs - 60 * MINUTE_MS, rolling);
  return { screen, rolling };
}
