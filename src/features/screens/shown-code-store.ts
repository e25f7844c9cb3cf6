// The store for rolling codes that no screen shows any more. Each method that writes is one transaction.

import { sql } from 'kysely';
import { asSiteId, asVoucherId } from '../../kernel/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { OFF_SCREEN_MS } from './screen.ts';
import type { ShownCodeStore } from './shown-codes.ts';

const MAX_DUE = 100;

export function makeShownCodeStore({ read, write, now }: Database): ShownCodeStore {
  return {
    async forgetUsed() {
      if (!(await read.selectFrom('shown_codes').select('voucher_id').limit(1).executeTakeFirst())) return;
      await write(async (transaction) => {
        await transaction
          .deleteFrom('shown_codes')
          .where('voucher_id', 'not in', (eb) =>
            eb
              .selectFrom('vouchers')
              .innerJoin('shown_codes as shown', 'shown.voucher_id', 'vouchers.id')
              .select('vouchers.id')
              .where('used_count', '=', 0)
              .where('first_used_at_s', 'is', null)
              .where('ended_at_s', 'is', null),
          )
          .execute();
        // A code that is due much later was taken off while the clock was ahead.
        await transaction
          .updateTable('shown_codes')
          .set({ due_at_ms: sql<number>`${now()} + ${sql.lit(OFF_SCREEN_MS)}` })
          .where('due_at_ms', '>', sql<number>`${now()} + ${sql.lit(2 * OFF_SCREEN_MS)}`)
          .execute();
      });
    },
    async listDue(trustedMs) {
      const rows = await read
        .selectFrom('shown_codes')
        .innerJoin('vouchers', 'vouchers.id', 'shown_codes.voucher_id')
        .innerJoin('sites', 'sites.id', 'vouchers.site_id')
        .innerJoin('site_syncs', 'site_syncs.site_id', 'vouchers.site_id')
        .select(['vouchers.id', 'vouchers.site_id', 'controller_voucher_id', 'code'])
        .where('sites.active', '=', 1)
        .whereRef('began_at_ms', '>=', 'due_at_ms')
        // A sync that lies ahead was recorded by a clock that was wrong.
        .where('began_at_ms', '<=', now())
        // In the same query: a use that the sync has recorded is seen together with the time of the sync.
        .where('used_count', '=', 0)
        .where('first_used_at_s', 'is', null)
        .where('ended_at_s', 'is', null)
        .where('due_at_ms', '<=', trustedMs)
        .where('due_at_ms', '<=', now())
        .orderBy('due_at_ms')
        .limit(MAX_DUE)
        .execute();
      return rows.map((row) => ({
        id: asVoucherId(row.id),
        siteId: asSiteId(row.site_id),
        controllerVoucherId: row.controller_voucher_id,
        code: row.code,
      }));
    },
  };
}
