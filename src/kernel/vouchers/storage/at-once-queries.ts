// The steps of a creation, each as one statement for PostgreSQL. A statement is a transaction of its own, so a step
// takes one round trip. The statements do the same as the queries that store.ts runs one after another.

import { type RawBuilder, sql } from 'kysely';
import { compileOnce, type Placeholders } from '../../../platform/database/compiled-query.ts';
import type { Handle } from '../../../platform/database/database.ts';
import type { AuditEntry } from '../../audit/audit-log.ts';
import { toAuditColumns } from '../../audit/audit-queries.ts';
import { asIntentId, asVoucherId, type SiteId, type VoucherId } from '../../ids.ts';
import { insertIfWanted, type OutboxEvent, toOutboxColumns } from '../../messages/outbox-queries.ts';
import type { IdempotencyTicket, Intent, NewIntent } from '../voucher-records.ts';
import { toIntentColumns } from './intent-queries.ts';
import { type NewVoucher, toVoucherColumns } from './voucher-queries.ts';

/** The columns and values of an insert. A `from` clause must follow: each row of its source becomes one new row. */
function rowOf(columns: Record<string, RawBuilder<unknown>>): RawBuilder<unknown> {
  const names = Object.keys(columns).map((name) => sql.ref(name));
  return sql`(${sql.join(names)}) select ${sql.join(Object.values(columns))}`;
}

function toTicketInput(intent: NewIntent, ticket: IdempotencyTicket, keptMs: number) {
  const { apiKeyId, key, bodyHash, replaces = null } = ticket;
  return { intent: toIntentColumns(intent), apiKeyId, key, bodyHash, replaces, keptMs };
}

/** `now` is the time by the clock of the database. */
export function makeInsertIntentWithTicket(now: RawBuilder<number>) {
  const insert = compileOnce(
    (_: Handle, { intent, ...ticket }: Placeholders<ReturnType<typeof toTicketInput>>) =>
      sql<{ id: number; created_at_ms: number }>`
        with ticket as (
          insert into idempotent_answers as known
            (api_key_id, idempotency_key, body_hash, intent_id, created_at_ms)
          values (${ticket.apiKeyId}, ${ticket.key}, ${ticket.bodyHash},
            nextval(pg_get_serial_sequence('intents', 'id')), ${now})
          on conflict (api_key_id, idempotency_key) do update
            set body_hash = excluded.body_hash, intent_id = excluded.intent_id, answer = null,
              created_at_ms = excluded.created_at_ms, voucher_id = null, batch_id = null
            where known.intent_id is null
              and (known.created_at_ms <= excluded.created_at_ms - ${ticket.keptMs}
                or known.answer = ${ticket.replaces})
          returning intent_id, created_at_ms
        )
        insert into intents ${rowOf({ id: sql.ref('intent_id'), created_at_ms: sql.ref('created_at_ms'), ...intent })}
        from ticket
        returning id, created_at_ms`,
  );
  /** Undefined if the idempotency key is taken, as for `insertTicket`. */
  return async function insertIntentWithTicket(
    handle: Handle,
    intent: NewIntent,
    { ticket, keptMs }: { ticket: IdempotencyTicket; keptMs: number },
  ): Promise<Intent | undefined> {
    const [row] = (await insert(handle, toTicketInput(intent, ticket, keptMs))).rows;
    return row && { ...intent, id: asIntentId(row.id), createdAtMs: row.created_at_ms };
  };
}

/** Stands for the voucher's id in an audit entry until the statement that stores the voucher has given it an id. */
export const LATER_ID = '#';

export interface Records {
  intent: Intent;
  voucher: NewVoucher;
  event: OutboxEvent;
  /** The audit entry, with `LATER_ID` as the id of the voucher. */
  entry: AuditEntry<'voucher.created'>;
  response: string;
}

function toRecordInput({ intent, voucher, event, entry, response }: Records) {
  return {
    intentId: intent.id,
    siteId: intent.siteId,
    voucher: toVoucherColumns(voucher),
    event: toOutboxColumns(event),
    entry: toAuditColumns(entry),
    response,
  };
}

/** Another request may have superseded the intent since it was read. */
const SUCCESSOR = sql`case when intent.purpose = 'superseded' then intent.purpose_id end`;

/**
 * Stores the voucher only if the intent is still open, and locks the intent so that it stays open. Raises the list
 * version unless another transaction holds the row of the site. In that case the change is noted in a row of its own,
 * because waiting would make creations at a site run one after another. The tables are locked in the same order as by a
 * migration, because another order could deadlock. As the statement may write to list_changes, it waits for claims for
 * the stock before it looks into the stock (see `holdClaims`).
 */
const record = compileOnce((_: Handle, input: Placeholders<ReturnType<typeof toRecordInput>>) => {
  const { intentId, siteId, voucher, event, entry, response } = input;
  // Replaces only the first `#`, which stands for the id. The names come after it and may contain a `#` too.
  const withId = (text: RawBuilder<string>) => sql`regexp_replace(${text}, ${LATER_ID}, voucher.id::text)`;
  const named = { ...entry, subject: withId(entry.subject), details: withId(entry.details) };
  return sql<{ id: number; noted: boolean }>`
    with voucher as (
      insert into vouchers ${rowOf({ ...voucher, successor_id: SUCCESSOR })}
      from (select purpose, purpose_id from intents where id = ${intentId} for update) as intent
      where not exists (
        select 1 from stock where site_id = ${siteId} and controller_voucher_id = ${voucher.controller_voucher_id}
      )
      on conflict do nothing returning id
    ),
    ended as (delete from intents where id = ${intentId} and exists (select 1 from voucher)),
    event as (${insertIfWanted(event, sql`from voucher`)}),
    entry as (insert into audit ${rowOf(named)} from voucher),
    answered as (
      update idempotent_answers
      set intent_id = null, answer = ${response}, voucher_id = (select id from voucher)
      where intent_id = ${intentId} and exists (select 1 from voucher)
    ),
    held as (
      select id from sites where id = ${siteId} and exists (select 1 from voucher)
      for no key update skip locked
    ),
    raised as (update sites set list_version = list_version + 1 where id in (select id from held)),
    noted as (
      insert into list_changes (site_id)
      select ${siteId} from voucher where not exists (select 1 from held)
      returning id
    )
    select id, exists (select 1 from noted) as noted from voucher`;
});

/**
 * Undefined, and nothing is changed, if another process has settled the intent or the voucher is already recorded.
 * `noted` is true if the list version still has to be raised.
 */
export async function recordAtOnce(
  handle: Handle,
  records: Records,
): Promise<{ id: VoucherId; noted: boolean } | undefined> {
  const [row] = (await record(handle, toRecordInput(records))).rows;
  return row && { id: asVoucherId(row.id), noted: row.noted };
}

const addNoted = compileOnce(
  (_: Handle, { siteId }: Placeholders<{ siteId: SiteId }>) => sql`
    with noted as (delete from list_changes where site_id = ${siteId} returning id)
    update sites set list_version = list_version + (select count(*) from noted) where id = ${siteId}`,
);

/** Adds the noted changes of a site to its list version, so that the number of notes stays small. */
export async function addNotedChanges(handle: Handle, siteId: SiteId): Promise<void> {
  await addNoted(handle, { siteId });
}

export async function addAllNotedChanges(handle: Handle): Promise<void> {
  await sql`
    with noted as (delete from list_changes returning site_id),
    counts as (select site_id, count(*) as changes from noted group by site_id)
    update sites set list_version = list_version + changes from counts where sites.id = counts.site_id
  `.execute(handle);
}

const abandon = compileOnce(
  (_: Handle, { id, createdAtMs }: Placeholders<Pick<Intent, 'id' | 'createdAtMs'>>) => sql<{ id: number }>`
    with gone as (delete from intents where id = ${id} and created_at_ms = ${createdAtMs} returning id),
    freed as (delete from idempotent_answers where intent_id in (select id from gone))
    select id from gone`,
);

/** Keeps the intent if its creation time was reset since it was read (see `resetAgeOfEqualIntents`). */
export async function abandonAtOnce(handle: Handle, { id, createdAtMs }: Intent): Promise<boolean> {
  return (await abandon(handle, { id, createdAtMs })).rows.length > 0;
}
