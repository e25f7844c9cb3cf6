// The store for vouchers whose own end has passed and that their controller may still have.

import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { toWholeSeconds } from '../../../platform/time/clock.ts';
import { asSiteId, asVoucherId } from '../../ids.ts';
import { raiseListVersion } from '../../sites/site-queries.ts';
import { leftOf } from '../deletion-limit.ts';
import type { EndedVoucherStore } from '../ended-vouchers.ts';
import { addToDay, holdDay } from './deletion-days.ts';

/**
 * Repeats the conditions of the index `vouchers_ending`, which has few rows. The queries below write `+ 0`, so that the
 * engines use no other index.
 */
const isEnded = (untilS: number, nowMs: RawBuilder<number>) =>
  sql<boolean>`ended_at_s is null and ends_at_s <= ${untilS} and ends_at_s * 1000.0 <= ${nowMs}`;

export function makeEndedVoucherStore(database: Database): EndedVoucherStore {
  const { read } = database;
  return {
    async listSites(untilS) {
      const rows = await read
        .selectFrom('vouchers')
        .select('site_id')
        .distinct()
        .where(isEnded(untilS, database.now()))
        .execute();
      return rows.map(({ site_id }) => asSiteId(site_id));
    },

    async listDue(siteId, { untilS, afterId, limit }) {
      const rows = await read
        .selectFrom('vouchers')
        .select(['id', 'controller_voucher_id', 'code', 'first_used_at_s', 'created_at_s', 'missing_since_s'])
        .select((eb) => eb.ref('ends_at_s').$notNull().as('endsAtS'))
        .where(isEnded(untilS, database.now()))
        .where(sql<boolean>`site_id + 0 = ${siteId}`)
        .where(sql<boolean>`id + 0 > ${afterId}`)
        .orderBy(sql`id + 0`)
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        id: asVoucherId(row.id),
        siteId,
        controllerVoucherId: row.controller_voucher_id,
        code: row.code,
        firstUsedAtS: row.first_used_at_s,
        createdAtS: row.created_at_s,
        endsAtS: row.endsAtS,
        isMissing: row.missing_since_s !== null,
      }));
    },

    leftToday: ({ runningMs }) =>
      database.write(async (transaction) => leftOf(await holdDay(transaction, 'endedVouchers', runningMs))),

    markDeleted: ({ id, siteId, isMissing }, { nowMs, runningMs }) =>
      database.write(async (transaction) => {
        await holdDay(transaction, 'endedVouchers', runningMs);
        const marked = await transaction
          .updateTable('vouchers')
          .set((eb) => ({ ended_at_s: eb.ref('ends_at_s'), missing_since_s: toWholeSeconds(nowMs) }))
          .where('id', '=', id)
          .where('ended_at_s', 'is', null)
          .where('ends_at_s', 'is not', null)
          .executeTakeFirst();
        if (marked.numUpdatedRows === 0n) return;
        if (!isMissing) await addToDay(transaction, 'endedVouchers', 1);
        await raiseListVersion(transaction, siteId);
      }, 'finishes'),

    async countOverdue(endedBeforeS) {
      const rows = await read
        .selectFrom('vouchers')
        .select((eb) => [
          sql<number>`site_id + 0`.as('siteId'),
          eb.fn.countAll<number>().as('count'),
          sql<number>`min(ends_at_s)`.as('endsAtS'),
        ])
        .where('ended_at_s', 'is', null)
        .where('ends_at_s', '<', endedBeforeS)
        .groupBy(sql`site_id + 0`)
        .execute();
      return new Map(rows.map(({ siteId, ...overdue }) => [asSiteId(siteId), overdue]));
    },
  };
}
