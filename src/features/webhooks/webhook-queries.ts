// Queries for webhooks. Their URLs and secrets are sealed before they are written.

import { type RawBuilder, type Selectable, sql } from 'kysely';
import * as v from 'valibot';
import { asWebhookId, type WebhookId } from '../../kernel/ids.ts';
import { compileOnce } from '../../platform/database/compiled-query.ts';
import type { Handle } from '../../platform/database/database.ts';
import { readJson } from '../../platform/database/read-json.ts';
import type { Tables } from '../../platform/database/schema.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import type { SealedPlace } from '../../platform/secrets/sealed-columns.ts';
import { readKnown, UNKNOWN } from '../../platform/values/unknown-value.ts';
import { DEFAULT_EVENTS, EVENT_KINDS, type EventKind } from './notification.ts';
import {
  FORMATS,
  type NewWebhook,
  PLATFORMS,
  type SigningSecrets,
  type Webhook,
  type WebhookChange,
} from './webhook.ts';

/** Strict: secrets with a further field were written by a newer release, so the webhook counts as unknown. */
const SECRETS = v.strictObject({
  current: v.string(),
  previous: v.exactOptional(v.strictObject({ secret: v.string(), untilMs: v.number() })),
});

const placeOf = (id: WebhookId | number, column: 'sealed_url' | 'sealed_secrets'): SealedPlace => ({
  table: 'webhooks',
  column,
  row: id,
});

const all = compileOnce((handle: Handle) => handle.selectFrom('webhooks').selectAll().orderBy('id'));

export async function selectWebhooks(handle: Handle, seal: Seal): Promise<Webhook[]> {
  const { rows } = await all(handle);
  const webhooks = rows.map((row) => toWebhook(row, seal));
  // Webhooks of earlier releases have no name and are called by their host, so several may have the same name.
  const taken = new Set<string>();
  return webhooks.map((webhook) => {
    const name = taken.has(webhook.name) ? `${webhook.name} (${webhook.id})` : webhook.name;
    taken.add(name);
    return { ...webhook, name };
  });
}

export async function selectWebhook(handle: Handle, seal: Seal, id: WebhookId): Promise<Webhook | undefined> {
  const row = await handle.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toWebhook(row, seal);
}

/** The active webhooks that are notified of this event. */
export async function selectWebhookIdsFor(handle: Handle, kind: EventKind): Promise<WebhookId[]> {
  const rows = await handle.selectFrom('webhooks').select(['id', 'events']).where('active', '=', 1).execute();
  return rows.filter(({ events }) => toEvents(events).includes(kind)).map(({ id }) => asWebhookId(id));
}

export async function insertWebhook(
  handle: Handle,
  seal: Seal,
  webhook: NewWebhook & { createdAtMs: number },
): Promise<WebhookId> {
  const row = await handle
    .insertInto('webhooks')
    .values({
      sealed_url: '',
      format: webhook.format,
      platform: webhook.platform,
      sealed_secrets: null,
      active: 1,
      created_at_ms: webhook.createdAtMs,
      name: webhook.name ?? '',
      events: (webhook.events ?? DEFAULT_EVENTS).join(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const id = asWebhookId(row.id);
  // The sealed values are bound to the id, so the row has to exist first.
  const { url, secrets } = webhook;
  const sealed_url = await seal.seal(handle, url, placeOf(id, 'sealed_url'));
  const sealed_secrets = secrets && (await sealSecrets(handle, seal, { id, secrets }));
  await handle.updateTable('webhooks').set({ sealed_url, sealed_secrets }).where('id', '=', id).execute();
  return id;
}

function sealSecrets(
  handle: Handle,
  seal: Seal,
  { id, secrets }: { id: WebhookId; secrets: SigningSecrets },
): Promise<string> {
  return seal.seal(handle, JSON.stringify(secrets), placeOf(id, 'sealed_secrets'));
}

export async function updateWebhook(
  handle: Handle,
  seal: Seal,
  { id, change, now }: { id: WebhookId; change: WebhookChange; now: RawBuilder<number> },
): Promise<boolean> {
  const { active, secrets, name, events } = change;
  const sealed_secrets = secrets && (await sealSecrets(handle, seal, { id, secrets }));
  const kept = events ? await holdUnknownEvents(handle, id) : [];
  const result = await handle
    .updateTable('webhooks')
    .set({
      ...(active !== undefined && { active: active ? 1 : 0, off_because: null }),
      // Activating a webhook implies that its target works again.
      ...(active && {
        failures: 0,
        due_at_ms: dueAtOnce(now),
      }),
      ...(sealed_secrets !== undefined && { sealed_secrets }),
      ...(name !== undefined && { name }),
      ...(events !== undefined && { events: [...events, ...kept].join() }),
    })
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Locks the webhook until the transaction ends. */
async function holdUnknownEvents(handle: Handle, id: WebhookId): Promise<string[]> {
  const row = await handle
    .updateTable('webhooks')
    .set((eb) => ({ events: eb.ref('events') }))
    .where('id', '=', id)
    .returning('events')
    .executeTakeFirst();
  return row ? unknownEvents(row.events) : [];
}

/** Makes a webhook due at once, but a chat only after a second, because it may have been called a moment ago. */
export function dueAtOnce(now: RawBuilder<number>): RawBuilder<number> {
  return sql<number>`case when format = 'chat' then ${now} + 1000 else 0 end`;
}

/** A trigger also deletes the webhook's waiting deliveries and its log. */
export async function deleteWebhook(handle: Handle, id: WebhookId): Promise<boolean> {
  const result = await handle.deleteFrom('webhooks').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export function toWebhook(row: Selectable<Tables['webhooks']>, seal: Seal): Webhook {
  const url = seal.open(row.sealed_url, placeOf(row.id, 'sealed_url'));
  const { host } = URL.parse(url) ?? {};
  return {
    id: asWebhookId(row.id),
    name: row.name || host || `${row.id}`,
    events: toEvents(row.events),
    ...(unknownEvents(row.events).length > 0 && { hasUnknownEvents: true as const }),
    url,
    ...toTarget(row, seal),
    active: row.active === 1,
    offBecause: row.off_because,
    failures: row.failures,
    createdAtMs: row.created_at_ms,
  };
}

function toTarget(
  row: Selectable<Tables['webhooks']>,
  seal: Seal,
): Pick<Webhook, 'format' | 'platform' | 'secrets'> {
  const format = readKnown(FORMATS, row.format);
  const platform = row.platform === null ? null : readKnown(PLATFORMS, row.platform);
  const secrets = openSecrets(row, seal);
  return platform === UNKNOWN || !secrets.success
    ? { format: UNKNOWN, platform: null, secrets: null }
    : { format, platform, secrets: format === UNKNOWN ? null : secrets.output };
}

function toEvents(text: string): EventKind[] {
  const chosen = text.split(',');
  return EVENT_KINDS.filter((kind) => chosen.includes(kind));
}

/** The events that only a newer release knows. */
function unknownEvents(text: string): string[] {
  return text.split(',').filter((kind) => kind !== '' && readKnown(EVENT_KINDS, kind) === UNKNOWN);
}

function openSecrets({ id, sealed_secrets: sealed }: Selectable<Tables['webhooks']>, seal: Seal) {
  const stored = sealed === null ? null : readJson(seal.open(sealed, placeOf(id, 'sealed_secrets')));
  return v.safeParse(v.nullable(SECRETS), stored);
}
