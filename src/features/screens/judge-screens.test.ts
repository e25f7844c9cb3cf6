// Tests what System health says about screens.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asScreenId, asSiteId } from '../../kernel/ids.ts';
import { judgeScreens } from './judge-screens.ts';
import type { Screen } from './screen.ts';

const NOW_MS = 1_000_000_000;
const SCREEN: Screen = {
  ...{ id: asScreenId(7), siteId: asSiteId(1), siteName: 'Haus A', name: 'Lobby', kind: 'kiosk' },
  ...{ offers: 'vouchers', profileIds: [], asks: [], printerId: null, perMinute: 1, perDay: 1 },
  ...{ idleMinutes: 15, termsId: null, pairingUntilMs: null, pairedAtMs: 1, seenAtMs: NOW_MS, seenIp: null },
  ...{ seenAgent: null, lookedAtMs: null, voucherId: null, shownAtMs: null },
};

function judge(change: Partial<Screen>): string[] {
  return judgeScreens([{ ...SCREEN, ...change }], NOW_MS).map(({ state, fact }) => `${state} ${fact.kind}`);
}

test('a silent screen is a warning; one that is online or not paired yet is fine', () => {
  assert.deepEqual(judge({}), ['ok screen-ok']);
  assert.deepEqual(judge({ pairedAtMs: null, seenAtMs: null }), ['ok screen-waiting']);
  assert.deepEqual(judge({ seenAtMs: NOW_MS - 16 * 60_000 }), ['warning screen-silent']);
  assert.deepEqual(judge({ kind: 'unknown' }), ['warning screen-not-known']);
});
