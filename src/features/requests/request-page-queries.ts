// Queries for the public pages on which guests ask for vouchers. A page is found by the hash of its token.

import { asSiteId, type SiteId } from '../../kernel/ids.ts';
import { compileOnce, type Placeholders } from '../../platform/database/compiled-query.ts';
import type { Handle } from '../../platform/database/database.ts';
import { canOpen, type Seal } from '../../platform/secrets/seal.ts';
import type { SealedPlace } from '../../platform/secrets/sealed-columns.ts';
import type { Token } from '../../platform/secrets/token.ts';
import type { RequestPage } from './guest-request.ts';

const placeOf = (tokenHash: string): SealedPlace => ({
  table: 'request_pages',
  column: 'sealed_token',
  row: tokenHash,
});

const byHash = compileOnce((handle: Handle, { tokenHash }: Placeholders<{ tokenHash: string }>) =>
  handle.selectFrom('request_pages').select('site_id').where('token_hash', '=', tokenHash),
);

export async function selectSiteByToken(handle: Handle, tokenHash: string): Promise<SiteId | undefined> {
  const [row] = (await byHash(handle, { tokenHash })).rows;
  return row && asSiteId(row.site_id);
}

export async function selectPageHashes(handle: Handle): Promise<Set<string>> {
  const rows = await handle.selectFrom('request_pages').select('token_hash').execute();
  return new Set(rows.map(({ token_hash }) => token_hash));
}

export async function selectPage(
  handle: Handle,
  seal: Seal,
  siteId: SiteId,
): Promise<RequestPage | undefined> {
  const row = await handle
    .selectFrom('request_pages')
    .selectAll()
    .where('site_id', '=', siteId)
    .executeTakeFirst();
  if (!row) return undefined;
  const { token_hash, sealed_token, mail_to: mailTo } = row;
  const place = placeOf(token_hash);
  const isReadable = sealed_token !== null && canOpen(seal, sealed_token, place);
  return { siteId, token: isReadable ? seal.open(sealed_token, place) : undefined, mailTo };
}

/** Call it before changing an existing row: see `Seal`. */
export async function toTokenColumns(handle: Handle, seal: Seal, { token, tokenHash }: Token) {
  return { token_hash: tokenHash, sealed_token: await seal.seal(handle, token, placeOf(tokenHash)) };
}

type TokenColumns = Awaited<ReturnType<typeof toTokenColumns>>;

/** False if the site has a page already. */
export async function insertPage(handle: Handle, siteId: SiteId, token: TokenColumns): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await handle
    .insertInto('request_pages')
    .values({ site_id: siteId, ...token, mail_to: null })
    .onConflict((conflict) => conflict.column('site_id').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

export async function updatePage(
  handle: Handle,
  siteId: SiteId,
  change: Partial<TokenColumns> & { mail_to?: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await handle
    .updateTable('request_pages')
    .set(change)
    .where('site_id', '=', siteId)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function deletePage(handle: Handle, siteId: SiteId): Promise<boolean> {
  const { numDeletedRows } = await handle
    .deleteFrom('request_pages')
    .where('site_id', '=', siteId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
