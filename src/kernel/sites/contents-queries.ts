// Queries for what is deleted together with a site.

import { type RawBuilder, sql } from 'kysely';
import type { Handle } from '../../platform/database/database.ts';
import type { SiteId } from '../ids.ts';
import { DEMO_KIND } from './site.ts';
import { CONTENT_KINDS, type ContentKind, MAX_NAMED, type SiteContents } from './site-contents.ts';

const FROM: Record<ContentKind, (id: SiteId) => RawBuilder<unknown>> = {
  vouchers: (id) => sql`vouchers where site_id = ${id}`,
  batches: (id) => sql`batches where site_id = ${id}`,
  // A profile of several sites stays.
  profiles: (id) => sql`profiles where id in (select profile_id from profile_sites where site_id = ${id})
    and id not in (select profile_id from profile_sites where site_id <> ${id})`,
  printers: (id) => sql`printers where site_id = ${id}`,
  screens: (id) => sql`screens where site_id = ${id}`,
  requests: (id) => sql`guest_requests where site_id = ${id} and state in ('waiting', 'approving')`,
  requestPages: (id) => sql`request_pages where site_id = ${id}`,
  mailTexts: (id) => sql`mail_texts where site_id = ${id}`,
  slips: (id) => sql`site_slips where site_id = ${id}`,
  pictures: (id) => sql`images where name in (${`site-${id}`}, ${`screen-${id}`})`,
  // The stock of a demo does not stay on a controller.
  stock: (id) => sql`stock where site_id = ${id} and state <> 'gone'
    and site_id not in (select id from sites where controller_kind = ${DEMO_KIND})`,
};

const NAMED: readonly ContentKind[] = ['profiles', 'printers', 'screens'];

export async function selectContents(handle: Handle, id: SiteId): Promise<SiteContents> {
  const contents: SiteContents = { counts: {}, names: {} };
  for (const kind of CONTENT_KINDS) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${FROM[kind](id)}`.execute(
      handle,
    );
    const count = Number(rows[0]?.count ?? 0);
    if (count === 0) continue;
    contents.counts[kind] = count;
    if (!NAMED.includes(kind)) continue;
    const named = await sql<{ name: string }>`
      select name from ${FROM[kind](id)} order by id limit ${sql.lit(MAX_NAMED)}`.execute(handle);
    contents.names[kind] = named.rows.map(({ name }) => name);
  }
  return contents;
}
