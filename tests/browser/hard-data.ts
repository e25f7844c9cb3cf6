// The hard data of a front desk: 40 sites on several consoles, 5,000 vouchers in every state, large batches, and names
// of 40 characters without a space. The vouchers are inserted at once, so that filling takes about a second.

import { actorOf } from '../support/actors.ts';
import type { TestService } from '../support/test-service.ts';
import { addUser } from '../web/web-client.ts';
import { addWebhookTo } from '../webhooks/delivery/recording-receiver.ts';

const SITES = 40;
const VOUCHERS = 5_000;
/** The newest vouchers belong to the first batch, the next ones to the second. Most vouchers have no batch. */
const BATCH_SIZES = [12, 60, 500];
const STATES = ['unused', 'in-use', 'used-up', 'expired', 'revoked', 'deleted'] as const;
/** A statement has at most 32,766 values. */
const ROWS_AT_ONCE = 1_000;
const [DAY_S, DAY_MS] = [86_400, 86_400_000];
/** 40 characters. */
const LONG_WORD = 'Donaudampfschifffahrtsgesellschaftshotel';
const LONG_USER = 'Maximiliane-Alexandra von Hohenzollern-Sigmaringen';
/** The longest reference and the longest note that a program may give a voucher. */
const REFERENCE = LONG_WORD.repeat(3).slice(0, 100);
const NOTE = LONG_WORD.repeat(13).slice(0, 500);
const FINGERPRINT = '5D0A93C4'.repeat(8);

type State = (typeof STATES)[number];
type Row = Record<string, string | number | null>;

export interface HardThings {
  site: number;
  /** One in each state. */
  vouchers: Record<State, number>;
  /** The largest batch. */
  batch: string;
}

/** The pages that users open most, by name. */
export function pathsOf({ site, vouchers, batch }: HardThings): Record<string, string> {
  const details = STATES.map((state): [string, string] => [
    `voucher-${state}`,
    `/vouchers/${vouchers[state]}`,
  ]);
  return {
    home: '/',
    list: '/vouchers',
    ...Object.fromEntries(details),
    batch: `/batches/${batch}`,
    overview: '/overview',
    sites: '/sites',
    site: `/sites/${site}`,
    slip: `/sites/${site}/slip`,
    'api-docs': '/api-docs',
  };
}

/** The user with this e-mail address gets a long name. */
export async function fillWithHardData(service: TestService, email: string): Promise<HardThings> {
  service.change('update users set name = ? where email = ?', LONG_USER, email);
  await addAdminThings(service);
  await addSites(service);
  noteSyncs(service);
  addBatches(service);
  addVouchers(service);
  return { site: SITES, vouchers: newestVouchers(service), batch: batchIdOf(BATCH_SIZES.length - 1) };
}

async function addAdminThings(service: TestService): Promise<void> {
  const { beside, clock } = service;
  const audit = { actor: actorOf(`Web: ${LONG_USER}`), atMs: clock.nowMs() };
  const limits = {
    maxUses: 0,
    expireMinutes: 525_600,
    downKbps: 100_000,
    upKbps: 25_000,
    quotaMb: 1_048_576,
  };
  await beside.profiles.add({ name: LONG_WORD, ...limits, siteIds: [] }, audit);
  await service.issueKey('write', 60, LONG_WORD);
  const user = await addUser(service, `${LONG_WORD}@example.org`.toLowerCase(), 'operator');
  service.change('update users set name = ? where id = ?', LONG_WORD, user);
  const webhook = await addWebhookTo(beside, `https://${LONG_WORD.toLowerCase()}.example.org/hook`);
  service.change(
    'update webhooks set name = ?, failures = 5, due_at_ms = ? where id = ?',
    LONG_WORD,
    audit.atMs + DAY_MS,
    webhook,
  );
}

/** Every third site has a long name, every ninth is inactive. A console has ten sites; the first ten are demos. */
async function addSites({ beside, clock, change }: TestService): Promise<void> {
  const audit = { actor: actorOf(`Web: ${LONG_USER}`), atMs: clock.nowMs() - 30 * DAY_MS };
  const trust = { kind: 'pinned', fingerprint256: FINGERPRINT } as const;
  for (let number = 2; number <= SITES; number += 1) {
    const url = `https://konsole-${Math.floor(number / 10)}.${LONG_WORD.toLowerCase()}.example.org:8443`;
    const isDemo = number < 10;
    await beside.sites.add(
      {
        name: number % 3 === 2 ? longName(number) : `Haus ${number}`,
        active: number % 9 !== 0,
        controllerKind: isDemo ? 'simulator' : 'unifi',
        controllerSite: number % 4 === 0 ? LONG_WORD : 'default',
        connection: isDemo ? null : { url, credentials: { apiKey: 'of the console' }, trust },
      },
      audit,
    );
  }
  change(`update sites set name = ? where id = 1`, longName(1));
}

/** Syncs of the last sites fail for different reasons; the site before them has never been synced. */
function noteSyncs({ change, clock }: TestService): void {
  const nowMs = clock.nowMs();
  change('delete from site_syncs');
  change(
    `insert into site_syncs (site_id, synced_at_ms) select id, ${nowMs - 60_000} from sites where id < ${SITES - 5}`,
  );
  const causes = ['nobody-answers', 'other-certificate', 'api-key', 'too-slow', 'no-such-site'];
  for (const [index, cause] of causes.entries())
    change(
      `insert into site_syncs (site_id, synced_at_ms, failed_at_ms, error, cause, failing_since_ms) values (?, ?, ?, ?, ?, ?)`,
      SITES - index,
      nowMs - 2 * DAY_MS,
      nowMs - 60_000,
      'connect ETIMEDOUT 192.168.130.101:8443',
      cause,
      nowMs - DAY_MS,
    );
}

const batchIdOf = (index: number) => `hard-${index}`;
const batchNameOf = (index: number) => `Hochzeit ${LONG_WORD} ${index + 1}`;
/** 40 characters, too. */
const longName = (number: number) => LONG_WORD.slice(0, -String(number).length) + number;

function addBatches({ change, clock }: TestService): void {
  for (const [index, wanted] of BATCH_SIZES.entries())
    insert(change, 'batches', [
      {
        id: batchIdOf(index),
        user_id: 1,
        site_id: index + 1,
        wanted,
        ended_at_ms: clock.nowMs() - index * DAY_MS,
        created_at_ms: clock.nowMs() - index * DAY_MS,
        ...orderOf(index, batchNameOf(index)),
      },
    ]);
}

const orderOf = (number: number, name: string) => ({
  name,
  max_uses: 1 + (number % 3),
  expire_minutes: [480, 1_440, 2_880, 43_200][number % 4] ?? 60,
  down_kbps: number % 2 ? 20_000 : 0,
  up_kbps: number % 2 ? 5_000 : 0,
  quota_mb: 0,
});

function addVouchers({ change, clock }: TestService): void {
  const nowS = Math.floor(clock.nowMs() / 1000);
  const all = Array.from({ length: VOUCHERS }, (_, number) => voucherOf(number, nowS));
  // The newest voucher has the highest id.
  all.reverse();
  for (let start = 0; start < VOUCHERS; start += ROWS_AT_ONCE)
    insert(change, 'vouchers', all.slice(start, start + ROWS_AT_ONCE));
}

/** Voucher 0 is the newest. In every state some vouchers have a long name. */
function voucherOf(number: number, nowS: number): Row {
  const createdAtS = nowS - number * 600;
  const batch = batchIndexOf(number);
  const state = STATES[number % STATES.length] ?? 'unused';
  const isLong = number % 13 < STATES.length;
  const name = batch === undefined ? (isLong ? longName(number) : `Zimmer ${number}`) : batchNameOf(batch);
  const order = orderOf(batch ?? number, `2026-01-15_${name}`);
  return {
    ...order,
    ...usesOf(state, order, { createdAtS, nowS }),
    site_id: 1 + (batch ?? number % SITES),
    code: String((number * 6_180_339_887 + 482_715_936) % 10_000_000_000).padStart(10, '0'),
    controller_voucher_id: `hard-${number}`,
    owner_user_id: number % 5 === 0 ? null : 1,
    source: number % 5 === 0 ? `API: ${LONG_WORD}` : `Web: ${LONG_USER}`,
    batch_id: batch === undefined ? null : batchIdOf(batch),
    reference: isLong ? REFERENCE : `Buchung ${number}`,
    note: isLong ? NOTE : null,
    profile_id: isLong ? 1 : null,
    created_at_s: createdAtS,
    name_order: name.toLowerCase(),
  };
}

function batchIndexOf(number: number): number | undefined {
  let end = 0;
  const index = BATCH_SIZES.findIndex((size) => {
    end += size;
    return number < end;
  });
  return index === -1 ? undefined : index;
}

/** What makes the state of a voucher: its uses and its end. */
function usesOf(
  state: State,
  order: ReturnType<typeof orderOf>,
  { createdAtS, nowS }: Record<'createdAtS' | 'nowS', number>,
): Row {
  const isUsed = state === 'in-use' || state === 'used-up' || state === 'expired';
  const runningS = Math.min(nowS - createdAtS, order.expire_minutes * 30);
  const isOver = state === 'revoked' || state === 'deleted';
  return {
    max_uses: state === 'in-use' ? order.max_uses + 1 : order.max_uses,
    used_count: isUsed ? order.max_uses : 0,
    first_used_at_s: isUsed
      ? nowS - (state === 'expired' ? order.expire_minutes * 60 + DAY_S : runningS)
      : null,
    ended_at_s: isOver ? nowS : null,
    revoked_at_s: state === 'revoked' ? nowS : null,
    revoked_by: state === 'revoked' ? `Web: ${LONG_USER}` : null,
  };
}

function insert(change: TestService['change'], table: string, rows: Row[]): void {
  const columns = Object.keys(rows[0] ?? {});
  const places = `(${columns.map(() => '?').join(', ')})`;
  change(
    `insert into ${table} (${columns.join(', ')}) values ${rows.map(() => places).join(', ')}`,
    ...rows.flatMap((row) => columns.map((column) => row[column] ?? null)),
  );
}

/** The newest vouchers have these states, in this order. */
function newestVouchers({ rows }: TestService): Record<State, number> {
  const newest = Number(rows('select max(id) as id from vouchers')[0]?.id);
  const ids = STATES.map((state, index): [State, number] => [state, newest - index]);
  return Object.fromEntries(ids) as Record<State, number>;
}
