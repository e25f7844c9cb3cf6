// The store for failed orders. One row of the settings table has the last failure of each site.

import * as v from 'valibot';
import type { Database, Handle } from '../../../platform/database/database.ts';
import {
  holdOrStoreSetting,
  selectSetting,
  upsertSetting,
} from '../../../platform/database/installation-queries.ts';
import { siteDetails } from '../../audit/audit-details.ts';
import { insertAuditEntry } from '../../audit/audit-queries.ts';
import { publishedCause, readCause } from '../../controllers/controller.ts';
import { asSiteId } from '../../ids.ts';
import type { FailedOrderStore, LastFailure } from '../failed-orders.ts';
import { hasOwnVoucherAfter, selectNewestVoucherId } from './usage-queries.ts';

const NAME = 'failed_orders';

const FAILURE = v.object({
  siteId: v.number(),
  action: v.picklist(['voucher.not-created', 'voucher.not-revoked']),
  cause: v.nullable(v.string()),
  atMs: v.number(),
  /** The newest voucher of all sites at that time. A later one of this site shows that the site works again. */
  newestVoucherId: v.number(),
});
type StoredFailure = v.InferOutput<typeof FAILURE>;

export function makeFailedOrderStore(database: Database): FailedOrderStore {
  return {
    audit: ({ action, site, cause, count, actor, atMs, ip }) =>
      database.write((transaction) =>
        insertAuditEntry(transaction, {
          action,
          details: { ...siteDetails(site.id, site.name), count, cause: cause ?? 'unknown' },
          actor,
          atMs,
          ...(ip !== undefined && { ip }),
        }),
      ),
    remember: (siteId, { action, cause, atMs }) =>
      change(async (all, transaction) => {
        const newestVoucherId = await selectNewestVoucherId(transaction);
        const failure = { siteId, action, cause: cause && publishedCause(cause), atMs, newestVoucherId };
        return [...all.filter((one) => one.siteId !== siteId), failure];
      }),
    async forget(siteId, action) {
      const isMeant = (one: StoredFailure) =>
        one.siteId === siteId && (action === undefined || one.action === action);
      if ((await stored()).some(isMeant)) await change(async (all) => all.filter((one) => !isMeant(one)));
    },
    async list() {
      const left = await notPast(database.read, await stored());
      return new Map(left.map((failure) => [asSiteId(failure.siteId), toLast(failure)]));
    },
    async find(siteId) {
      const failure = (await stored()).find((one) => one.siteId === siteId);
      return failure && !(await isPast(database.read, failure)) ? toLast(failure) : undefined;
    },
    async forgetPast() {
      const all = await stored();
      if ((await notPast(database.read, all)).length < all.length)
        await change((all, transaction) => notPast(transaction, all));
    },
  };

  async function stored(): Promise<StoredFailure[]> {
    return readFailures(await selectSetting(database.read, NAME));
  }

  /** A concurrent change waits for this transaction. */
  function change(
    make: (all: StoredFailure[], transaction: Handle) => Promise<StoredFailure[]>,
  ): Promise<void> {
    return database.write(async (transaction) => {
      const all = readFailures(await holdOrStoreSetting(transaction, NAME, '[]'));
      await upsertSetting(transaction, NAME, JSON.stringify(await make(all, transaction)));
    });
  }
}

async function notPast(handle: Handle, failures: StoredFailure[]): Promise<StoredFailure[]> {
  const left: StoredFailure[] = [];
  for (const failure of failures) if (!(await isPast(handle, failure))) left.push(failure);
  return left;
}

function isPast(handle: Handle, { siteId, newestVoucherId }: StoredFailure): Promise<boolean> {
  return hasOwnVoucherAfter(handle, asSiteId(siteId), newestVoucherId);
}

const toLast = ({ action, cause, atMs }: StoredFailure): LastFailure => ({
  action,
  cause: readCause(cause),
  atMs,
});

/** Leaves out entries that this release does not know. A later release may have written them. */
function readFailures(text: string | undefined): StoredFailure[] {
  const entries = v.parse(v.fallback(v.array(v.unknown()), []), JSON.parse(text ?? '[]'));
  return entries.filter((entry) => v.is(FAILURE, entry));
}
