// Tests when a rolling code is replaced, and what is shown if there is no other.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asScreenId, asSiteId, asVoucherId } from '../../kernel/ids.ts';
import type { SiteSync } from '../../kernel/sites/site-sync.ts';
import { makeLookAtRollingCode, type RollingScreen, type ShownVoucher } from './rolling-code.ts';
import { SHOWN_MS } from './screen.ts';

const NOW_MS = Date.parse('2026-11-17T23:30:00Z');

const VOUCHER: ShownVoucher = {
  id: asVoucherId(7),
  code: '0482715936',
  name: '2026-11-17_Foyer',
  maxUses: 1,
  expireMinutes: 480,
  downKbps: 0,
  upKbps: 0,
  quotaMb: 0,
  usedCount: 0,
  createdAtS: NOW_MS / 1000,
  firstUsedAtS: null,
  endedAtS: null,
  endsAtS: null,
  revokedAtS: null,
};

const SCREEN: RollingScreen = {
  id: asScreenId(1),
  name: 'Foyer',
  siteId: asSiteId(2),
  siteName: 'Haus A',
  siteTimeZone: 'Europe/Berlin',
  isSiteActive: true,
  isDemo: false,
  profileIds: [],
  idleMinutes: 15,
  lookedAtMs: NOW_MS,
  shown: VOUCHER,
  shownAtMs: NOW_MS,
  nowMs: NOW_MS,
};

const NEXT = { ...SCREEN, shown: { ...VOUCHER, id: asVoucherId(8), code: '1111122222' } };
const FAILING: SiteSync = {
  syncedAtMs: NOW_MS - 2,
  failedAtMs: NOW_MS - 1,
  error: 'away',
  cause: null,
  failingSinceMs: NOW_MS - 1,
};

interface Situation {
  screen?: Partial<RollingScreen>;
  next?: RollingScreen | 'limit' | 'empty' | 'gone' | Error;
  sync?: SiteSync;
  noteLook?: () => Promise<void>;
}

async function look({ screen, next = NEXT, sync, noteLook }: Situation) {
  const calls: string[] = [];
  const lookAtRollingCode = makeLookAtRollingCode({
    rolling: {
      async noteLook() {
        calls.push('look');
        await noteLook?.();
      },
      async showNext(_screen, storedName) {
        calls.push(storedName);
        if (next instanceof Error) throw next;
        return next;
      },
    },
    syncs: { list: async () => new Map(sync && [[SCREEN.siteId, sync]]) },
    pokeStock: () => calls.push('poke'),
    timeZone: 'UTC',
    clock: { nowMs: () => NOW_MS },
    log: { warn: () => calls.push('warning') } as never,
  });
  const { state, voucher } = await lookAtRollingCode({ ...SCREEN, ...screen });
  return { state, code: voucher?.code, calls };
}

const READY = { state: 'ready', code: VOUCHER.code };
const REPLACED = { state: 'ready', code: '1111122222', calls: ['2026-11-18_Foyer', 'poke'] };

test('an unused code stays', async () => {
  assert.deepEqual(await look({}), { ...READY, calls: [] });
  assert.deepEqual(await look({ screen: { shownAtMs: NOW_MS - SHOWN_MS + 1 } }), { ...READY, calls: [] });
});

test('a code that was used, revoked or is a day old is replaced, with the date of the site in its name', async () => {
  for (const screen of [
    { shown: { ...VOUCHER, usedCount: 1, firstUsedAtS: VOUCHER.createdAtS } },
    { shown: { ...VOUCHER, revokedAtS: VOUCHER.createdAtS, endedAtS: VOUCHER.createdAtS } },
    { shown: { ...VOUCHER, endedAtS: VOUCHER.createdAtS } },
    { shownAtMs: NOW_MS - SHOWN_MS },
    // The clock was ahead when the code was shown.
    { shownAtMs: NOW_MS + SHOWN_MS },
    { shown: null, shownAtMs: null },
  ])
    assert.deepEqual(await look({ screen }), REPLACED);
});

test('an old code that nobody has used stays if there is no other', async () => {
  const screen = { shownAtMs: NOW_MS - SHOWN_MS };
  for (const next of ['limit', 'empty'] as const) {
    const { state, code } = await look({ screen, next });
    assert.deepEqual({ state, code }, READY);
  }
});

test('if the database cannot be written, an old code stays, and without one the look fails', async () => {
  const next = new Error('disk full');
  const old = await look({ screen: { shownAtMs: NOW_MS - SHOWN_MS }, next });
  assert.deepEqual(old, { ...READY, calls: ['2026-11-18_Foyer', 'warning', 'poke'] });
  await assert.rejects(look({ screen: { shown: null }, next }), /disk full/);
});

test('without a code, one is being prepared, unless the console fails or the limit is reached', async () => {
  const screen = { shown: null, shownAtMs: null };
  const stateIf = async (situation: Situation) => (await look({ screen, ...situation })).state;
  assert.equal(await stateIf({ next: 'empty' }), 'preparing');
  assert.equal(await stateIf({ next: 'empty', sync: { ...FAILING, failedAtMs: null } }), 'preparing');
  assert.equal(await stateIf({ next: 'empty', sync: FAILING }), 'none');
  assert.equal(await stateIf({ next: 'limit' }), 'none');
  assert.equal(await stateIf({ next: 'gone' }), 'none');
});

test('a site that is switched off shows nothing and takes nothing out of the stock', async () => {
  const screen = { isSiteActive: false, lookedAtMs: null };
  assert.deepEqual(await look({ screen }), { state: 'none', code: undefined, calls: [] });
});

test('a look is stored once a minute, and the code is shown even if this fails', async () => {
  const noteLook = async () => {
    throw new Error('disk full');
  };
  assert.deepEqual((await look({ screen: { lookedAtMs: NOW_MS - 59_999 } })).calls, []);
  assert.deepEqual((await look({ screen: { lookedAtMs: NOW_MS - 60_000 } })).calls, ['look', 'poke']);
  assert.deepEqual(await look({ screen: { lookedAtMs: null }, noteLook }), {
    ...READY,
    calls: ['look', 'warning', 'poke'],
  });
});
