// Queries for the terms of screens and for the result pages of kiosks.

import { hash } from 'node:crypto';
import type { Selectable } from 'kysely';
import { type RawBuilder, sql } from 'kysely';
import { asTermsId, asVoucherId, type ScreenId, type TermsId, type VoucherId } from '../../kernel/ids.ts';
import type { Handle } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/schema.ts';
import { FIRST_LANGUAGE, isLanguage } from '../../platform/text/language.ts';
import { RESULT_MS, type ScreenResult, type Terms } from './screen.ts';

type Now = RawBuilder<number>;

/** Makes a new version, and makes it the one that guests must accept. */
export async function insertTerms(
  handle: Handle,
  screenId: ScreenId,
  { text, atMs }: { text: string; atMs: number },
): Promise<TermsId> {
  // Locks the row of the screen, so that no other transaction takes the same number.
  await updateTerms(handle, screenId, null);
  const { last } = await handle
    .selectFrom('terms')
    .select((eb) => eb.fn.coalesce(eb.fn.max('version'), sql<number>`0`).as('last'))
    .where('screen_id', '=', screenId)
    .executeTakeFirstOrThrow();
  const row = await handle
    .insertInto('terms')
    .values({
      screen_id: screenId,
      version: Number(last) + 1,
      text,
      hash: hash('sha256', text),
      created_at_ms: atMs,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const id = asTermsId(row.id);
  await updateTerms(handle, screenId, id);
  return id;
}

/** With null, guests need not accept terms any more. */
export async function updateTerms(handle: Handle, screenId: ScreenId, id: TermsId | null): Promise<void> {
  await handle.updateTable('screens').set({ terms_id: id }).where('id', '=', screenId).execute();
}

export async function selectTerms(handle: Handle, id: TermsId): Promise<Terms | undefined> {
  const row = await handle.selectFrom('terms').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toTerms(row);
}

export async function selectAcceptedTerms(
  handle: Handle,
  id: VoucherId,
): Promise<{ terms: Terms; acceptedAtS: number } | undefined> {
  const row = await handle
    .selectFrom('vouchers')
    .innerJoin('terms', 'terms.id', 'vouchers.terms_id')
    .selectAll('terms')
    .select('vouchers.terms_accepted_at_s')
    .where('vouchers.id', '=', id)
    .executeTakeFirst();
  if (!row || row.terms_accepted_at_s === null) return undefined;
  return { terms: toTerms(row), acceptedAtS: row.terms_accepted_at_s };
}

export async function selectTermsOfScreen(handle: Handle, id: ScreenId): Promise<Terms[]> {
  const rows = await handle
    .selectFrom('terms')
    .selectAll()
    .where('screen_id', '=', id)
    .orderBy('version', 'desc')
    .execute();
  return rows.map(toTerms);
}

function toTerms({ id, version, text, hash: digest, created_at_ms }: Selectable<Tables['terms']>): Terms {
  return { id: asTermsId(id), version, text, hash: digest, createdAtMs: created_at_ms };
}

export async function insertResult(
  handle: Handle,
  { screenId, tokenHash, voucherId, language }: ScreenResult & { screenId: ScreenId; tokenHash: string },
  now: Now,
): Promise<void> {
  await handle
    .insertInto('screen_results')
    .values({
      token_hash: tokenHash,
      screen_id: screenId,
      voucher_id: voucherId,
      language,
      until_ms: sql<number>`${now} + ${RESULT_MS}`,
    })
    .execute();
}

export async function deleteResult(
  handle: Handle,
  { screenId, tokenHash }: { screenId: ScreenId; tokenHash: string },
  now: Now,
): Promise<ScreenResult | undefined> {
  const row = await handle
    .deleteFrom('screen_results')
    .where('token_hash', '=', tokenHash)
    .where('screen_id', '=', screenId)
    .where('until_ms', '>', now)
    .returning(['voucher_id', 'language'])
    .executeTakeFirst();
  if (!row) return undefined;
  const language = isLanguage(row.language) ? row.language : FIRST_LANGUAGE;
  return { voucherId: asVoucherId(row.voucher_id), language };
}

/** Also deletes those that end much later than a new one: they were made while the clock was ahead. */
export async function deleteOldResults(handle: Handle, now: Now): Promise<void> {
  await handle
    .deleteFrom('screen_results')
    .where(sql<boolean>`until_ms <= ${now} or until_ms > ${now} + ${2 * RESULT_MS}`)
    .execute();
}
