// Tests the rules about sites, their controllers and syncs, webhooks, and the records that `verify` compares.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SITE } from '../../../tests/support/site.ts';
import { judgeWebhooks } from '../../features/webhooks/judge-webhooks.ts';
import type { Webhook } from '../../features/webhooks/webhook.ts';
import { fail, ok as succeed } from '../../platform/values/result.ts';
import { UNKNOWN } from '../../platform/values/unknown-value.ts';
import { type Finding, fault, passed, warning } from '../health/finding.ts';
import { judgeDeletions, judgeIntents, judgeRecords } from '../health/judge-records.ts';
import { asVoucherId, asWebhookId } from '../ids.ts';
import { DEFAULT_SETTINGS } from '../settings/settings.ts';
import { clocksOfSites, judgeSites, judgeSyncs } from './judge-sites.ts';
import type { Site } from './site.ts';

const NOW_MS = Date.UTC(2026, 10, 16, 10, 0);
const DAY_MS = 24 * 60 * 60_000;
const say = (findings: Finding<{ kind: string }>[]) =>
  findings.map(({ state, fact }) => `${state} ${fact.kind}`);

const site: Site = {
  ...SITE,
  controllerKind: 'unifi',
  connection: { url: 'https://192.0.2.1', credentials: { apiKey: 'k' }, trust: { kind: 'ca' } },
};
const NAMED = { siteId: site.id, site: site.name };

test('a site is well, inactive, of a newer release, or its controller fails', () => {
  const server = { certificateEndsAtMs: NOW_MS + 90 * DAY_MS, aheadMs: 5 };
  const judge = (...all: Parameters<typeof judgeSites>[0]) => judgeSites(all, NOW_MS);
  assert.deepEqual(say(judge()), ['warning sites-none']);
  assert.deepEqual(say(judge({ site, controller: { failure: undefined, server } })), [
    'ok site-ok',
    'ok certificate-ok',
  ]);
  assert.deepEqual(say(judge({ site: { ...site, active: false } })), ['ok site-inactive']);
  assert.deepEqual(say(judge({ site: { ...site, controllerKind: UNKNOWN, connection: null } })), [
    'warning site-failing',
  ]);
  const failure = { kind: 'refused', text: 'no luck', cause: 'api-key' } as const;
  assert.deepEqual(judge({ site, controller: { failure } }), [
    fault({ kind: 'site-failing', cause: 'api-key', detail: 'no luck', controllerKind: 'unifi', ...NAMED }),
  ]);
});

test('a time zone that this machine does not know is a warning, also for an inactive site', () => {
  const judge = (timeZone: string | null) => judgeSites([{ site: { ...site, timeZone } }], NOW_MS).slice(1);
  assert.deepEqual(judge('Europe/Atlantis'), [
    warning({ kind: 'site-zone-unknown', zone: 'Europe/Atlantis', ...NAMED }),
  ]);
  assert.deepEqual([...judge('Europe/Berlin'), ...judge(null)], []);
});

test('sites on one controller share its clock', () => {
  const on = (name: string, aheadMs?: number) => ({
    site: { ...site, name },
    controller: { failure: undefined, server: { certificateEndsAtMs: 0, aheadMs } },
  });
  const elsewhere = {
    url: 'https://192.0.2.2',
    credentials: { apiKey: 'k' },
    trust: { kind: 'ca' },
  } as const;
  const other = { ...on('C', 9), site: { ...site, name: 'C', connection: elsewhere } };
  assert.deepEqual(clocksOfSites([on('A'), on('A', 7), on('B', 8), other, { site }]), [
    { site: 'A', aheadMs: 7 },
    { site: 'C', aheadMs: 9 },
  ]);
});

test('a sync is recent, stale, of the future, failing, or was never made', () => {
  const judge = (syncedAtMs: number | null, failedAtMs: number | null = null) => {
    const sync = { syncedAtMs, failedAtMs, error: 'no luck', cause: null, failingSinceMs: failedAtMs };
    return judgeSyncs([{ site, sync }], NOW_MS, 30);
  };
  assert.deepEqual(judge(NOW_MS - 90_000), [passed({ kind: 'sync-ok', atMs: NOW_MS - 90_000, ...NAMED })]);
  assert.deepEqual(say(judge(NOW_MS - 90_001)), ['warning sync-stale']);
  assert.deepEqual(say(judge(NOW_MS + 60_001)), ['warning sync-future']);
  assert.deepEqual(judge(NOW_MS - 2, NOW_MS - 1), [
    warning({ kind: 'sync-failing', atMs: NOW_MS - 2, detail: 'no luck', ...NAMED }),
  ]);
  assert.deepEqual(say(judgeSyncs([{ site, sync: undefined }], NOW_MS, 30)), ['ok sync-never']);
});

test('the last error of a webhook is the one of its latest attempt, and late deliveries are reported', () => {
  const webhook: Webhook = {
    id: asWebhookId(1),
    name: 'Chat',
    events: [],
    url: 'https://chat.example.org/secret',
    format: 'chat',
    platform: null,
    secrets: null,
    active: true,
    offBecause: null,
    failures: 0,
    createdAtMs: 0,
  };
  const attempt = (atMs: number, error: string | null) => ({
    atMs,
    error,
    durationMs: 1,
    status: null,
    response: null,
  });
  const log = [{ attempts: [attempt(1, 'old')] }, { attempts: [attempt(2, 'new'), attempt(3, null)] }];
  const judge = (change: Partial<Webhook>, oldestMs = 0) =>
    judgeWebhooks({
      webhooks: [{ webhook: { ...webhook, ...change }, log }],
      backlog: { count: 2, oldestMs },
    });
  assert.deepEqual(say(judge({})), ['ok webhook-ok']);
  assert.deepEqual(say(judge({ active: false })), ['ok webhook-inactive']);
  assert.deepEqual(say(judge({ active: false, offBecause: 'gone' })), ['warning webhook-off']);
  assert.deepEqual(say(judge({ format: UNKNOWN })), ['warning webhook-not-known']);
  assert.deepEqual(judge({ failures: 2 }), [
    warning({
      kind: 'webhook-failing',
      failures: 2,
      detail: 'new',
      webhookId: webhook.id,
      webhook: 'Chat',
      url: 'https://chat.example.org/…',
    }),
  ]);
  assert.deepEqual(say(judge({}, 31 * 60_000)), ['ok webhook-ok', 'warning deliveries-late']);
});

test('orders that stay open too long, and deletions that reached their limit, are warnings', () => {
  const open = (ageMs: number) =>
    judgeIntents([{ createdAtMs: NOW_MS - ageMs }, { createdAtMs: NOW_MS }], NOW_MS);
  assert.deepEqual(open(159_000), passed({ kind: 'intents-ok', count: 2 }));
  assert.deepEqual(open(161_000), warning({ kind: 'intents-overdue', count: 1 }));
  const limits = { ...DEFAULT_SETTINGS, keepVouchersDays: 30 };
  assert.deepEqual(say(judgeDeletions(['batches'], limits, true)), ['warning retention-held-back']);
  assert.deepEqual(judgeDeletions(['auditRows'], limits, true), [], 'they are not deleted at all');
  assert.deepEqual(judgeDeletions(['batches'], { ...limits, limitsDeletions: false }, true), []);
  assert.deepEqual(say(judgeDeletions(['endedVouchers'], limits, true)), [
    'warning ended-vouchers-held-back',
  ]);
  assert.deepEqual(judgeDeletions(['endedVouchers'], limits, false), [], 'none is due');
});

test('verify: defects, broken values, and vouchers that only one side has', () => {
  const good = { database: { rows: 5, defects: [] }, sealed: { count: 2, broken: [] }, sites: [] };
  assert.deepEqual(judgeRecords(good), [
    passed({ kind: 'rows-ok', rows: 5 }),
    passed({ kind: 'sealed-ok', count: 2 }),
  ]);
  const bad = {
    database: { rows: 5, defects: ['a\nb', 'c'] },
    sealed: { count: 2, broken: ['x'] },
    sites: [],
  };
  assert.deepEqual(judgeRecords(bad), [
    fault({ kind: 'rows-defect', detail: 'a b' }),
    fault({ kind: 'rows-defect', detail: 'c' }),
    fault({ kind: 'sealed-broken', detail: 'x' }),
  ]);
  assert.deepEqual(say(judgeRecords({ ...good, database: { unreadable: 'no luck' } })), [
    'fault rows-unreadable',
    'ok sealed-ok',
  ]);
  const compare = (recorded: number, missing: number[], unrecorded: string[] = []) =>
    judgeRecords({
      ...good,
      sites: [
        {
          site,
          compared: succeed({ listed: 3, recorded, missing: missing.map(asVoucherId), unrecorded }),
        },
      ],
    }).slice(2);
  assert.deepEqual(compare(3, []), [passed({ kind: 'vouchers-agree', count: 3, ...NAMED })]);
  assert.deepEqual(compare(0, [7], ['n']), [
    fault({ kind: 'vouchers-missing', ids: [asVoucherId(7)], found: 'none of ours', ...NAMED }),
    warning({ kind: 'vouchers-unrecorded', names: ['n'], isImported: true, ...NAMED }),
  ]);
  const compared = succeed({ listed: 1, recorded: 1, missing: [], unrecorded: [], missingInStock: 2 });
  assert.deepEqual(judgeRecords({ ...good, sites: [{ site, compared }] }).slice(2), [
    warning({ kind: 'stock-missing', count: 2, ...NAMED }),
  ]);
  const failed = { site, compared: fail({ kind: 'refused', text: 'no luck' } as const) };
  assert.deepEqual(say(judgeRecords({ ...good, sites: [failed] })).slice(2), ['fault vouchers-not-compared']);
});
