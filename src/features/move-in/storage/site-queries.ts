// Queries that make room for the sites of another tool and write them with their ids.

import * as v from 'valibot';
import { asSiteId } from '../../../kernel/ids.ts';
import { toConnectionColumns } from '../../../kernel/sites/connection-columns.ts';
import { selectContents } from '../../../kernel/sites/contents-queries.ts';
import { DEMO_KIND } from '../../../kernel/sites/site.ts';
import { isEmpty } from '../../../kernel/sites/site-contents.ts';
import { deleteSite, hasTraces } from '../../../kernel/sites/site-queries.ts';
import type { Handle } from '../../../platform/database/database.ts';
import type { Seal } from '../../../platform/secrets/seal.ts';
import type { MovedInSite } from '../moved-in-data.ts';

const RULES = v.array(v.object({ siteIds: v.array(v.number()) }));

/** The sites that must stay: every site on a real controller, and demos that were used or set up. */
export async function selectOwnSites(
  handle: Handle,
): Promise<{ id: number; name: string; isDemo: boolean }[]> {
  const rows = await handle
    .selectFrom('sites')
    .select(['id', 'name', 'controller_kind'])
    .orderBy('id')
    .execute();
  const own = [];
  for (const { id, name, controller_kind } of rows) {
    const isDemo = controller_kind === DEMO_KIND;
    if (
      !isDemo ||
      (await hasTraces(handle, asSiteId(id))) ||
      !isEmpty(await selectContents(handle, asSiteId(id)))
    )
      own.push({ id, name, isDemo });
  }
  return own;
}

/**
 * Removes all sites: the caller has made sure that only unused demos are left. Returns a list version that none of them
 * has had, so that no cached list of theirs is taken for that of a new site with the same id.
 */
export async function removeUnusedDemos(handle: Handle): Promise<number> {
  const rows = await handle.selectFrom('sites').select(['id', 'list_version']).execute();
  for (const { id } of rows) await deleteSite(handle, asSiteId(id));
  return Math.max(0, ...rows.map(({ list_version }) => list_version)) + 1;
}

/** The first of these sites that a rule of single sign-on refers to. */
export async function findNamingRule(handle: Handle, siteIds: number[]): Promise<number | undefined> {
  const row = await handle.selectFrom('single_sign_on').select('rules').executeTakeFirst();
  const rules = v.safeParse(RULES, JSON.parse(row?.rules || '[]'));
  const named = rules.success ? rules.output.flatMap((rule) => rule.siteIds) : [];
  return siteIds.find((id) => named.includes(id));
}

export async function insertSites(
  handle: Handle,
  seal: Seal,
  { sites, listVersion, atMs }: { sites: MovedInSite[]; listVersion: number; atMs: number },
): Promise<void> {
  for (const { id, name, controllerSite, url, username, password, createdAtMs } of sites) {
    const connection = {
      url,
      credentials: { username, password: password ?? '' },
      trust: { kind: 'unconfirmed' as const },
    };
    const columns = await toConnectionColumns(handle, seal, { id: asSiteId(id), connection });
    await handle
      .insertInto('sites')
      .values({
        id,
        name,
        active: 0,
        controller_kind: 'unifi-classic',
        controller_site: controllerSite,
        list_version: listVersion,
        created_at_ms: createdAtMs ?? atMs,
        ...columns,
      })
      .execute();
  }
}
