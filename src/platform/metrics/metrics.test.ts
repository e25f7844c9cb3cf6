// Tests that failed sign-ins have their series from the start, so that Prometheus counts the first ones too.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LOGINS, SESSION_CHECKS } from '../../kernel/health/kernel-metrics.ts';
import { makeMetrics } from './metrics.ts';

const ALERTS = readFileSync(new URL('../../../deploy/monitoring/alerts.yml', import.meta.url), 'utf8');

test('the failed logins and session checks of the alerts are 0 before the first', async () => {
  const countStorageErrors = () => ({ 'disk-full': 0, 'read-only': 0, 'io-error': 0, damaged: 0 });
  const metrics = makeMetrics({ version: '0.2.0', countStorageErrors }, async () => [LOGINS, SESSION_CHECKS]);
  metrics.count(LOGINS, { result: 'success' });
  metrics.count(LOGINS, { result: 'wait' });
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
