// The store for sessions that began at an identity provider or at a trusted proxy. Only this file seals the provider's
// tokens.

import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Database, Handle } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/schema.ts';
import { openOrNull, type Seal } from '../../platform/secrets/seal.ts';
import type { SealedPlace } from '../../platform/secrets/sealed-columns.ts';
import type { ExternalSessionStore } from './external-session.ts';
import { insertWebSession, moveWebSession } from './session-queries.ts';
import { MAX_UNTIL_CHECK_MS, type WebSession } from './web-session.ts';

function tokenPlace(
  tokenHash: string,
  column: 'sealed_id_token' | 'sealed_refresh_token' = 'sealed_id_token',
): SealedPlace {
  return { table: 'external_sessions', column, row: tokenHash };
}

export function makeExternalSessionStore(database: Database, seal: Seal): ExternalSessionStore {
  return {
    add: (session, tokens) =>
      database.write(async (transaction) => {
        const { tokenHash } = session;
        const sealIf = async (
          token: string | undefined,
          column: 'sealed_id_token' | 'sealed_refresh_token',
        ) => (token === undefined ? null : seal.seal(transaction, token, tokenPlace(tokenHash, column)));
        await insertWebSession(transaction, session);
        await insertExternalSession(transaction, session, {
          sealed_id_token: await sealIf(tokens?.idToken, 'sealed_id_token'),
          sealed_refresh_token: await sealIf(tokens?.refreshToken, 'sealed_refresh_token'),
        });
      }),
    async idTokenOf(tokenHash) {
      const sealed = await selectIdToken(database.read, tokenHash);
      return openOrNull(seal, sealed, tokenPlace(tokenHash)) ?? undefined;
    },
    async claimCheck(tokenHash, times) {
      const row = await database.write((transaction) => claimCheck(transaction, tokenHash, times));
      if (!row) return undefined;
      const idToken = openOrNull(seal, row.sealed_id_token, tokenPlace(tokenHash));
      const place = tokenPlace(tokenHash, 'sealed_refresh_token');
      const refreshToken = openOrNull(seal, row.sealed_refresh_token, place);
      return idToken === null || refreshToken === null ? null : { idToken, refreshToken };
    },
    replaceRefreshToken: (tokenHash, refreshToken) =>
      database.write(async (transaction) => {
        const place = tokenPlace(tokenHash, 'sealed_refresh_token');
        const sealed = await seal.seal(transaction, refreshToken, place);
        await updateExternalSession(transaction, tokenHash, { sealed_refresh_token: sealed });
      }),
    noteChecked: (tokenHash, { lastAtMs, nextAtMs }) =>
      database.write((transaction) =>
        updateExternalSession(transaction, tokenHash, {
          checked_at_ms: lastAtMs,
          next_check_at_ms: nextAtMs,
        }),
      ),
    replaceToken: (fromHash, toHash) =>
      database.write(async (transaction) => {
        const external = await selectExternalSession(transaction, fromHash);
        // A token that cannot be opened becomes an empty text, which still shows that the session began at the
        // provider.
        const reseal = async (column: 'sealed_id_token' | 'sealed_refresh_token') => {
          const sealed = external?.[column] ?? null;
          if (sealed === null) return null;
          const token = openOrNull(seal, sealed, tokenPlace(fromHash, column)) ?? '';
          return seal.seal(transaction, token, tokenPlace(toHash, column));
        };
        const moved = {
          token_hash: toHash,
          sealed_id_token: await reseal('sealed_id_token'),
          sealed_refresh_token: await reseal('sealed_refresh_token'),
        };
        if (!(await moveWebSession(transaction, fromHash, toHash))) return false;
        if (external) await insertExternalRow(transaction, { ...external, ...moved });
        return true;
      }),
  };
}

async function insertExternalSession(
  handle: Handle,
  { tokenHash, check }: Pick<WebSession, 'tokenHash' | 'check'>,
  sealed: Record<'sealed_id_token' | 'sealed_refresh_token', string | null>,
): Promise<void> {
  await insertExternalRow(handle, {
    token_hash: tokenHash,
    ...sealed,
    checked_at_ms: check?.lastAtMs ?? null,
    next_check_at_ms: check?.nextAtMs ?? null,
  });
}

async function insertExternalRow(
  handle: Handle,
  row: Insertable<Tables['external_sessions']>,
): Promise<void> {
  await handle.insertInto('external_sessions').values(row).execute();
}

function selectExternalSession(
  handle: Handle,
  tokenHash: string,
): Promise<Selectable<Tables['external_sessions']> | undefined> {
  return handle
    .selectFrom('external_sessions')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
}

async function selectIdToken(handle: Handle, tokenHash: string): Promise<string | null> {
  const row = await handle
    .selectFrom('external_sessions')
    .select('sealed_id_token')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return row?.sealed_id_token ?? null;
}

/** Reads the tokens and postpones the next check in one statement, so that only one of several requests gets them. */
async function claimCheck(
  handle: Handle,
  tokenHash: string,
  { nowMs, nextAtMs }: { nowMs: number; nextAtMs: number },
): Promise<{ sealed_id_token: string | null; sealed_refresh_token: string | null } | undefined> {
  return handle
    .updateTable('external_sessions')
    .set({ next_check_at_ms: nextAtMs })
    .where('token_hash', '=', tokenHash)
    .where((eb) =>
      eb.or([eb('next_check_at_ms', '<=', nowMs), eb('next_check_at_ms', '>', nowMs + MAX_UNTIL_CHECK_MS)]),
    )
    .returning(['sealed_id_token', 'sealed_refresh_token'])
    .executeTakeFirst();
}

async function updateExternalSession(
  handle: Handle,
  tokenHash: string,
  change: Updateable<Tables['external_sessions']>,
): Promise<void> {
  await handle.updateTable('external_sessions').set(change).where('token_hash', '=', tokenHash).execute();
}
