// Sample values for storage tests. A test specifies only the fields that matter to it.

import type { NewPrinter } from '../../src/features/printers/printer.ts';
import type { NewScreen } from '../../src/features/screens/screen.ts';
import type { Notification } from '../../src/features/webhooks/notification.ts';
import type { NewWebhook } from '../../src/features/webhooks/webhook.ts';
import { insertWebhook } from '../../src/features/webhooks/webhook-queries.ts';
import type { UpstreamOrder, UpstreamVoucher } from '../../src/kernel/controllers/controller.ts';
import {
  asKeyId,
  asPrinterId,
  asProfileId,
  asSiteId,
  type SiteId,
  type WebhookId,
} from '../../src/kernel/ids.ts';
import { insertKey } from '../../src/kernel/keys/key-queries.ts';
import type { NewKey } from '../../src/kernel/keys/key-records.ts';
import type { Attempt, Verdict } from '../../src/kernel/messages/message.ts';
import { insertOutboxEvent } from '../../src/kernel/messages/outbox-queries.ts';
import type { NewSite } from '../../src/kernel/sites/site.ts';
import { insertSite } from '../../src/kernel/sites/site-queries.ts';
import type { IdempotencyTicket, NewIntent, Recording } from '../../src/kernel/vouchers/voucher-records.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { makeSeal } from '../../src/platform/secrets/seal.ts';
import { actorOf } from '../support/actors.ts';
import { SITE } from '../support/site.ts';

export const NOW_MS = Date.parse('2026-01-15T11:28:51.750Z');

/** Seals the credentials of sites unless a test uses another seal. */
export const seal = makeSeal('a secret of the tests, long enough');

export function samplePrinter(siteId: SiteId, fields: Partial<NewPrinter> = {}): NewPrinter {
  return {
    siteId,
    name: 'Rezeption',
    kind: 'escpos',
    address: '192.0.2.7',
    paper: 80,
    layout: 'full',
    copies: 1,
    hasCutter: true,
    jobMinutes: 10,
    ...fields,
  };
}

export function sampleScreen(siteId: SiteId, fields: Partial<NewScreen> = {}): NewScreen {
  return {
    siteId,
    name: 'Lobby',
    kind: 'kiosk',
    offers: 'both',
    profileIds: [asProfileId(3), asProfileId(1)],
    asks: ['name', 'room'],
    printerId: asPrinterId(7),
    perMinute: 2,
    perDay: 30,
    idleMinutes: 15,
    terms: null,
    ...fields,
  };
}

export function sampleSite(fields: Partial<NewSite> = {}): Required<NewSite> {
  const { id: _id, unreadUrl: _unread, ...site } = SITE;
  return { ...site, ...fields };
}

export function sampleKey(id: string, fields: Partial<NewKey> = {}): NewKey {
  return {
    id: asKeyId(id),
    name: 'Theke',
    scope: 'write',
    rateLimit: 0,
    sites: 'all',
    expiresAtMs: null,
    note: '',
    hash: Buffer.alloc(32, id),
    createdAtMs: NOW_MS,
    ...fields,
  };
}

export const sampleOrder: UpstreamOrder = {
  name: '2026-01-15_Zimmer 12',
  maxUses: 3,
  expireMinutes: 480,
  downKbps: 10_000,
  upKbps: 2_000,
  quotaMb: 2_048,
};

export function sampleIntent(siteId: SiteId | number, fields: Partial<NewIntent> = {}): NewIntent {
  return {
    siteId: asSiteId(siteId),
    siteName: 'Haus A',
    order: sampleOrder,
    actor: actorOf('API: Theke'),
    ...fields,
  };
}

/** The code of the recorded voucher; undefined if none was recorded. */
export function codeOf(recording: Recording): string | undefined {
  return recording.created[0]?.code;
}

export function sampleUpstream(id: string | null, fields: Partial<UpstreamVoucher> = {}): UpstreamVoucher {
  return {
    ...sampleOrder,
    controllerVoucherId: id,
    code: '0482715936',
    usedCount: 0,
    createdAtMs: NOW_MS,
    firstUsedAtMs: null,
    ...fields,
  };
}

export function sampleTicket(key: string, fields: Partial<IdempotencyTicket> = {}): IdempotencyTicket {
  return { apiKeyId: asKeyId('keyAAAAA'), key, bodyHash: 'hash of the body', ...fields };
}

export function addSite(database: Database, fields: Partial<NewSite> = {}): Promise<SiteId> {
  return database.write((transaction) =>
    insertSite(transaction, seal, { ...sampleSite(fields), createdAtMs: NOW_MS }),
  );
}

export function addKey(database: Database, id: string, fields: Partial<NewKey> = {}): Promise<void> {
  return database.write((transaction) => insertKey(transaction, sampleKey(id, fields)));
}

export function sampleWebhook(fields: Partial<NewWebhook> = {}): NewWebhook {
  return {
    url: 'https://hooks.example.org/T0GEHEIM/B0GEHEIM',
    format: 'generic',
    platform: null,
    secrets: { current: 'whsec_R0VIRUlN' },
    ...fields,
  };
}

export function addWebhook(database: Database, fields: Partial<NewWebhook> = {}): Promise<WebhookId> {
  return database.write((transaction) =>
    insertWebhook(transaction, seal, { ...sampleWebhook(fields), createdAtMs: NOW_MS }),
  );
}

type Sample = Extract<Notification, { kind: 'voucher.created' }>;

export function sampleNotification(eventId: string, fields: Partial<Sample> = {}): Sample {
  return {
    eventId,
    kind: 'voucher.created',
    voucherCount: 1,
    siteName: 'Haus A',
    source: 'API: Theke',
    occurredAtMs: NOW_MS,
    ...fields,
  };
}

/** Writes notifications to the outbox in this order. */
export async function oweNotifications(database: Database, ...eventIds: string[]): Promise<void> {
  for (const id of eventIds)
    await database.write((transaction) => insertOutboxEvent(transaction, sampleNotification(id)));
}

export const goodAttempt: Attempt = { durationMs: 12, status: 204, error: null, response: null };
export const badAttempt: Attempt = {
  ...goodAttempt,
  status: 500,
  error: 'answered 500',
  response: 'out of order',
};

export const delivered: Verdict = {
  state: 'done',
  pauses: 'recipient',
  pauseMs: 0,
  failed: false,
  isCounted: true,
  offBecause: null,
};
export const failedFor = (pauseMs: number): Verdict => ({
  state: 'waiting',
  pauses: 'recipient',
  pauseMs,
  failed: true,
  isCounted: true,
  offBecause: null,
});
export const givenUp: Verdict = { ...failedFor(0), state: 'failed' };
