// Tests the state derived from a site's latest syncs: never, ok, stale or failing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFailing, type SiteSync, syncStateOf } from './site-sync.ts';

const NOW_MS = Date.parse('2026-01-15T11:28:51.750Z');
const INTERVAL_S = 60;
const STALE_MS = 3 * INTERVAL_S * 1000;

function sync(fields: Partial<SiteSync>): SiteSync {
  return { syncedAtMs: null, failedAtMs: null, error: null, cause: null, failingSinceMs: null, ...fields };
}
const stateOf = (fields: Partial<SiteSync>) => syncStateOf(sync(fields), NOW_MS, INTERVAL_S);
const failed = (failedAtMs: number) => ({ failedAtMs, error: 'it hangs' });

test('a site without any sync attempt has the state never', () => {
  assert.equal(syncStateOf(undefined, NOW_MS, INTERVAL_S), 'never');
  assert.equal(stateOf({}), 'never');
});

test('a successful sync is ok for three intervals, then stale', () => {
  assert.equal(stateOf({ syncedAtMs: NOW_MS }), 'ok');
  assert.equal(stateOf({ syncedAtMs: NOW_MS - STALE_MS }), 'ok');
  assert.equal(stateOf({ syncedAtMs: NOW_MS - STALE_MS - 1 }), 'stale');
  assert.equal(syncStateOf(sync({ syncedAtMs: NOW_MS - STALE_MS - 1 }), NOW_MS, INTERVAL_S + 1), 'ok');
});

test('a sync that is old because the service was stopped is ok for three intervals after the start', () => {
  const since = (runningSinceMs: number) => stateOf({ syncedAtMs: 1, runningSinceMs });
  assert.equal(since(NOW_MS - STALE_MS), 'ok');
  assert.equal(since(NOW_MS - STALE_MS - 1), 'stale');
  assert.equal(stateOf({ syncedAtMs: NOW_MS, runningSinceMs: 1 }), 'ok');
});

test('a site whose last sync failed is failing, whatever happened before', () => {
  assert.equal(stateOf(failed(NOW_MS)), 'failing');
  assert.equal(stateOf({ syncedAtMs: NOW_MS - 1, ...failed(NOW_MS) }), 'failing');
  assert.equal(stateOf({ syncedAtMs: NOW_MS - 10 * STALE_MS, ...failed(NOW_MS - STALE_MS) }), 'failing');
});

test('a site whose last sync succeeded is not failing, whatever happened before', () => {
  assert.equal(stateOf({ syncedAtMs: NOW_MS, ...failed(NOW_MS - 1) }), 'ok');
  assert.equal(stateOf({ syncedAtMs: NOW_MS - STALE_MS - 1, ...failed(NOW_MS - STALE_MS - 2) }), 'stale');
});

test('whether a site is failing does not depend on the current time', () => {
  assert.equal(isFailing(sync({})), false);
  assert.equal(isFailing(sync({ syncedAtMs: NOW_MS })), false);
  assert.equal(isFailing(sync(failed(NOW_MS))), true);
  assert.equal(isFailing(sync({ syncedAtMs: NOW_MS, ...failed(NOW_MS - 1) })), false);
  assert.equal(isFailing(sync({ syncedAtMs: NOW_MS - 1, ...failed(NOW_MS) })), true);
});
