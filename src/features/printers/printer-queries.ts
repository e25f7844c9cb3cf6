// Queries for printers. Their tokens are sealed; a printer that polls is found by the hash of its token.

import type { Selectable } from 'kysely';
import { asPrinterId, asSiteId, type PrinterId, type SiteId } from '../../kernel/ids.ts';
import { compareNames } from '../../kernel/sites/site-queries.ts';
import { compileOnce, type Placeholders } from '../../platform/database/compiled-query.ts';
import type { Handle } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/schema.ts';
import { canOpen, type Seal } from '../../platform/secrets/seal.ts';
import type { SealedPlace } from '../../platform/secrets/sealed-columns.ts';
import type { Token } from '../../platform/secrets/token.ts';
import { toOneLine } from '../../platform/text/one-line.ts';
import { readKnown, UNKNOWN } from '../../platform/values/unknown-value.ts';
import {
  type NewPrinter,
  PRINTER_KINDS,
  PRINTER_LAYOUTS,
  PRINTER_STATES,
  type Printer,
  type PrinterSettings,
  type PrinterStatus,
  ROLL_WIDTHS,
} from './printer.ts';

const placeOf = (tokenHash: string): SealedPlace => ({
  table: 'printers',
  column: 'sealed_token',
  row: tokenHash,
});

function printers(handle: Handle) {
  return handle
    .selectFrom('printers')
    .innerJoin('sites', 'sites.id', 'printers.site_id')
    .selectAll('printers')
    .select('sites.name as site_name');
}

const byId = compileOnce((handle: Handle, { id }: Placeholders<{ id: PrinterId }>) =>
  printers(handle).where('printers.id', '=', id),
);
const byHash = compileOnce((handle: Handle, { tokenHash }: Placeholders<{ tokenHash: string }>) =>
  printers(handle).where('token_hash', '=', tokenHash),
);

export async function selectPrinters(handle: Handle, siteIds: SiteId[] | undefined): Promise<Printer[]> {
  const rows = await printers(handle).execute();
  const own = siteIds && new Set<number>(siteIds);
  // Sorted here, because the engines sort letters such as ä differently.
  return rows
    .filter(({ site_id }) => own?.has(site_id) ?? true)
    .map(toPrinter)
    .sort(
      (one, other) =>
        compareNames(one.siteName, other.siteName) || compareNames(one.name, other.name) || one.id - other.id,
    );
}

export async function selectPrinter(handle: Handle, id: PrinterId): Promise<Printer | undefined> {
  const [row] = (await byId(handle, { id })).rows;
  return row && toPrinter(row);
}

/** Locks the printer until the transaction ends. Returns the printer as it is then. */
export async function holdPrinter(handle: Handle, id: PrinterId): Promise<Printer | undefined> {
  await handle
    .updateTable('printers')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('id', '=', id)
    .execute();
  return selectPrinter(handle, id);
}

export async function selectPrinterByToken(handle: Handle, tokenHash: string): Promise<Printer | undefined> {
  const [row] = (await byHash(handle, { tokenHash })).rows;
  return row && toPrinter(row);
}

export async function selectTokenHashes(handle: Handle): Promise<Set<string>> {
  const rows = await handle
    .selectFrom('printers')
    .select('token_hash')
    .where('token_hash', 'is not', null)
    .execute();
  return new Set(rows.flatMap(({ token_hash }) => token_hash ?? []));
}

export async function selectToken(handle: Handle, seal: Seal, id: PrinterId): Promise<string | undefined> {
  const [row] = (await byId(handle, { id })).rows;
  if (!row || row.token_hash === null || row.sealed_token === null) return undefined;
  const place = placeOf(row.token_hash);
  return canOpen(seal, row.sealed_token, place) ? seal.open(row.sealed_token, place) : undefined;
}

export async function insertPrinter(
  handle: Handle,
  seal: Seal,
  { token, ...printer }: NewPrinter & { token: Token | null; createdAtMs: number },
): Promise<PrinterId> {
  const { siteId, kind, createdAtMs, paper, layout, ...settings } = printer;
  const row = await handle
    .insertInto('printers')
    .values({
      site_id: siteId,
      kind,
      paper,
      layout,
      ...toColumns(settings),
      ...(await toTokenColumns(handle, seal, token)),
      created_at_ms: createdAtMs,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return asPrinterId(row.id);
}

function toColumns({
  name,
  address,
  copies,
  hasCutter,
  jobMinutes,
}: Omit<PrinterSettings, 'paper' | 'layout'>) {
  return { name, address, copies, has_cutter: hasCutter ? 1 : 0, job_minutes: jobMinutes };
}

async function toTokenColumns(handle: Handle, seal: Seal, token: Token | null) {
  if (!token) return { token_hash: null, sealed_token: null };
  return {
    token_hash: token.tokenHash,
    sealed_token: await seal.seal(handle, token.token, placeOf(token.tokenHash)),
  };
}

/**
 * Ends a pause, too: whoever changes a printer has often repaired it. A value of a newer release is not overwritten.
 */
export async function updatePrinter(handle: Handle, { id, paper, layout, ...settings }: Printer) {
  await handle
    .updateTable('printers')
    .set({
      ...toColumns(settings),
      ...(paper !== UNKNOWN && { paper }),
      ...(layout !== UNKNOWN && { layout }),
      failures: 0,
      due_at_ms: 0,
    })
    .where('id', '=', id)
    .execute();
}

/** False if the printer has no token. */
export async function updateToken(handle: Handle, seal: Seal, id: PrinterId, token: Token): Promise<boolean> {
  const { numUpdatedRows } = await handle
    .updateTable('printers')
    .set(await toTokenColumns(handle, seal, token))
    .where('id', '=', id)
    .where('token_hash', 'is not', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function deletePrinter(handle: Handle, id: PrinterId): Promise<void> {
  await handle.deleteFrom('printers').where('id', '=', id).execute();
}

export async function updateStatus(
  handle: Handle,
  id: PrinterId,
  { state, words, atMs }: PrinterStatus,
): Promise<void> {
  await handle
    .updateTable('printers')
    .set((eb) => ({
      state,
      state_words: words === null ? null : toOneLine(words),
      state_at_ms: eb
        .case()
        .when(eb.and([eb('state', '=', state), eb('state_at_ms', 'is not', null)]))
        .then(eb.ref('state_at_ms'))
        .else(atMs)
        .end(),
      ...(state !== 'silent' && { seen_at_ms: atMs }),
    }))
    .where('id', '=', id)
    .execute();
}

function toPrinter(row: Selectable<Tables['printers']> & { site_name: string }): Printer {
  const { state, state_words, state_at_ms } = row;
  return {
    id: asPrinterId(row.id),
    siteId: asSiteId(row.site_id),
    siteName: row.site_name,
    name: row.name,
    kind: readKnown(PRINTER_KINDS, row.kind),
    address: row.address,
    paper: ROLL_WIDTHS.find((width) => width === row.paper) ?? UNKNOWN,
    layout: readKnown(PRINTER_LAYOUTS, row.layout),
    copies: row.copies,
    hasCutter: row.has_cutter === 1,
    jobMinutes: row.job_minutes,
    status:
      state === null || state_at_ms === null
        ? null
        : { state: readKnown(PRINTER_STATES, state), words: state_words, atMs: state_at_ms },
    seenAtMs: row.seen_at_ms,
  };
}
