// Adds screens, requests and vouchers in stock directly to the database of a test.

import { makeRefillUseCase } from '../../src/features/reserve/refill-use-case.ts';
import { readOverviews } from '../../src/features/reserve/stock-loop.ts';
import type { Controller } from '../../src/kernel/controllers/controller.ts';
import {
  asGuestRequestId,
  asScreenId,
  asSiteId,
  type GuestRequestId,
  type ScreenId,
} from '../../src/kernel/ids.ts';
import type { Installation } from '../../src/kernel/installation.ts';
import type { Site } from '../../src/kernel/sites/site.ts';
import { makeCreationUseCases } from '../../src/kernel/vouchers/creation-use-cases.ts';
import type { OrderPurpose } from '../../src/kernel/vouchers/order-purpose.ts';
import type { OrderedBy } from '../../src/kernel/vouchers/voucher-records.ts';
import { TESTER } from '../support/actors.ts';
import type { Records } from '../support/engine.ts';

export const siteId = asSiteId(1);
const LIMITS = { maxUses: 1, expireMinutes: 480, downKbps: 0, upKbps: 0, quotaMb: 0 };

type Value = string | number | null;
type Table = Pick<Records, 'change' | 'rows'>;

function insert({ change, rows }: Table, table: string, row: Record<string, Value>): number {
  const names = Object.keys(row);
  change(
    `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`,
    ...Object.values(row),
  );
  return Number(rows(`select max(id) as id from ${table}`)[0]?.id);
}

export function addScreen(records: Table, fields: Record<string, Value> = {}): ScreenId {
  const id = insert(records, 'screens', {
    site_id: siteId,
    name: 'Lobby',
    kind: 'kiosk',
    offers: 'vouchers',
    profile_ids: '',
    asks: '',
    per_minute: 10,
    per_day: 200,
    idle_minutes: 15,
    created_at_ms: 0,
    ...fields,
  });
  return asScreenId(id);
}

export function addRequest(records: Table, tokenHash: string): GuestRequestId {
  const id = insert(records, 'guest_requests', {
    site_id: siteId,
    name: 'Gast',
    host: '',
    note: '',
    language: 'de',
    token_hash: tokenHash,
    state: 'waiting',
    created_at_ms: 0,
    expires_at_ms: 0,
  });
  return asGuestRequestId(id);
}

/** Orders vouchers as a worker or a screen does. */
export function ordersOf(installation: Installation) {
  const { createVouchers } = makeCreationUseCases(installation, { timeZone: 'Europe/Berlin' });
  return (
    purpose: OrderPurpose,
    { count = 1, name = 'Gast', ...by }: Partial<OrderedBy> & { count?: number; name?: string } = {},
  ) => createVouchers({ siteId, name, ...LIMITS }, count, { actor: TESTER, ...by, purpose });
}

export function wantReserve({ change }: Table, wanted: number, profileId: number | null = null): void {
  change('delete from site_reserves where site_id = ?', siteId);
  change(
    'insert into site_reserves (site_id, wanted, profile_id) values (?, ?, ?)',
    siteId,
    wanted,
    profileId,
  );
}

/** Fills the stock as the worker does. */
export function refillOf(installation: Installation, { isClockSettled = async () => true } = {}) {
  const refillSite = makeRefillUseCase(installation, {
    timeZone: 'Europe/Berlin',
    isClockSettled,
  });
  const { signal } = new AbortController();
  return async () => {
    const overview = (await readOverviews(installation)).get(siteId);
    return overview ? refillSite(siteId, overview, signal) : 'nothing';
  };
}

/** The installation with a controller of which some methods are replaced. */
export function withController(
  installation: Installation,
  replace: (controller: Controller) => Partial<Controller>,
): Installation {
  const controllerOf = (site: Site) => {
    const controller = installation.controllerOf(site);
    return { ...controller, ...replace(controller) };
  };
  return Object.assign(Object.create(installation), installation, { controllerOf });
}
