// Tests that failed sign-ins have their series from the start, so that Prometheus counts the first ones too.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { asSiteId } from '../../kernel/ids.ts';
import { makeMetrics } from './metrics.ts';

const ALERTS = readFileSync(new URL('../../../deploy/monitoring/alerts.yml', import.meta.url), 'utf8');

test('the failed logins and session checks of the alerts are 0 before the first', async () => {
  const metrics = makeMetrics({
    version: '0.2.0',
    readBacklogs: () => Promise.reject(new Error('no database')),
    listSyncs: async () => new Map(),
    countLost: async () => new Map(),
    listWebhooks: async () => [],
    listPrinters: async () => [],
    countStock: async () => [{ siteId: asSiteId(1), purpose: 'reserve' as const, ready: 4 }],
    listScreens: async () => [],
    clock: { nowMs: () => 0 },
    readTrustedTime: async () => ({ nowMs: 0, runningMs: 0 }),
    readAheadMs: async () => undefined,
    countStorageErrors: () => ({ 'disk-full': 0, 'read-only': 0, 'io-error': 0, damaged: 0 }),
  });
  metrics.observeLogin('success');
  metrics.observeLogin('wait');
  const { text } = await metrics.render();
  metrics.stop();
  const counters = [...ALERTS.matchAll(/(gastpass_(?:logins|session_checks)_total)\{result=~"([^"]+)"\}/g)];
  assert.equal(counters.length, 4);
  for (const [, name, results = ''] of counters)
    for (const result of results.split('|')) {
      const sample = `${name}{result="${result}"} ${result === 'wait' ? 1 : 0}\n`;
      assert.ok(text.includes(sample), sample);
    }
});
