// The store for vouchers that a newer voucher replaces.

import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { readActor } from '../../audit/actor.ts';
import { asSiteId, asVoucherId } from '../../ids.ts';
import type { ReplacedVoucherStore } from '../replaced-vouchers.ts';
import { isIn } from './search-filter-queries.ts';

const MAX_AT_ONCE = 100;

export function makeReplacedVoucherStore({ read, now }: Database): ReplacedVoucherStore {
  const isLiving = () => isIn('open', sql`${now()} / 1000`);
  return {
    async listLiving({ id, pausedSites = [] }) {
      let living = read
        .selectFrom('vouchers')
        .innerJoin('sites', 'sites.id', 'vouchers.site_id')
        .select(['vouchers.id', 'vouchers.site_id', 'controller_voucher_id', 'code', 'source', 'actor_id'])
        .where('successor_id', 'is not', null)
        .where('revoked_at_s', 'is', null)
        .where(isLiving())
        .where('sites.active', '=', 1)
        .orderBy('vouchers.id')
        .limit(MAX_AT_ONCE);
      if (id !== undefined)
        living = living.where((eb) => eb.or([eb('successor_id', '=', id), eb('vouchers.id', '=', id)]));
      if (pausedSites.length > 0) living = living.where('vouchers.site_id', 'not in', pausedSites);
      return (await living.execute()).map((row) => ({
        id: asVoucherId(row.id),
        siteId: asSiteId(row.site_id),
        controllerVoucherId: row.controller_voucher_id,
        code: row.code,
        actor: readActor(row.source ?? '', row.actor_id),
      }));
    },

    async listReplacedBy(id) {
      const rows = await read
        .selectFrom('vouchers')
        .select(['id', sql<number>`case when ${isLiving()} then 1 else 0 end`.as('isLiving')])
        .where('successor_id', '=', id)
        .orderBy('id')
        .execute();
      return rows.map((row) => ({
        id: asVoucherId(row.id),
        isLiving: row.isLiving === 1,
      }));
    },
  };
}
