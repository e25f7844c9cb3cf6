// Tests which failures pause a voucher and which pause its site, and that a slow site ends its turn.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeLog } from '../../../platform/log/make-log.ts';
import type { ControllerFailure } from '../../controllers/controller.ts';
import { asSiteId, asVoucherId } from '../../ids.ts';
import { DEFAULT_SETTINGS } from '../../settings/settings.ts';
import type { Site } from '../../sites/site.ts';
import type { EndedVoucher } from '../ended-vouchers.ts';
import { makeEndedVouchersTurn } from './ended-vouchers.ts';

const MINUTE_MS = 60_000;
const SITE: Site = {
  id: asSiteId(1),
  name: 'Haus A',
  active: true,
  controllerKind: 'unifi',
  controllerSite: 'default',
  connection: null,
  importsForeign: true,
  checkOut: '11:00',
  timeZone: null,
  hasGuestPage: false,
  replyTo: null,
};
const REFUSED: ControllerFailure = { kind: 'refused', cause: 'refused', text: 'no' };
const AWAY: ControllerFailure = { kind: 'unreachable', cause: 'nobody-answers', text: 'away' };

function voucherOf(id: number): EndedVoucher {
  const onConsole = { code: String(id), controllerVoucherId: String(id), isMissing: false };
  return {
    id: asVoucherId(id),
    siteId: SITE.id,
    ...onConsole,
    endsAtS: 0,
    firstUsedAtS: null,
    createdAtS: 0,
  };
}

/** `failures`: what the controller says to the deletion of a voucher. The voucher is deleted if it says nothing. */
function setup(count: number, { takesMs = 0 } = {}) {
  const due = new Set(Array.from({ length: count }, (_, index) => index + 1));
  const failures = new Map<number, ControllerFailure>();
  let nowMs = 0;
  let tried: number[] = [];
  const turn = makeEndedVouchersTurn({
    sites: { listActive: async () => [SITE] },
    settings: { read: async () => DEFAULT_SETTINGS },
    endedVouchers: {
      listSites: async () => (due.size > 0 ? [SITE.id] : []),
      listDue: async (_, { afterId, limit }) =>
        [...due]
          .filter((id) => id > afterId)
          .slice(0, limit)
          .map(voucherOf),
      leftToday: async () => 1_000,
    },
    loadDeleteEnded: async () => async (voucher) => {
      tried.push(voucher.id);
      nowMs += takesMs;
      const failure = failures.get(voucher.id);
      if (!failure) due.delete(voucher.id);
      return failure;
    },
    readTrustedTime: async () => ({ nowMs: 1_000, runningMs: 0 }),
    isClockSettled: async () => true,
    withLease: (_name, signal, job) => job(signal),
    monotonicMs: () => nowMs,
    log: makeLog('silent'),
  });
  /** Returns the vouchers that the turn tried to delete. */
  async function turnAfter(ms: number): Promise<number[]> {
    nowMs += ms;
    tried = [];
    await turn(new AbortController().signal);
    return tried;
  }
  return { turnAfter, failures };
}

test('a refused voucher pauses, and the others are deleted', async () => {
  const { turnAfter, failures } = setup(3);
  failures.set(2, REFUSED);
  assert.deepEqual(await turnAfter(0), [1, 2, 3]);
  assert.deepEqual(await turnAfter(10_000), []);
  assert.deepEqual(await turnAfter(MINUTE_MS), [2]);
  assert.deepEqual(await turnAfter(MINUTE_MS), [], 'the second pause is longer');
  failures.clear();
  assert.deepEqual(await turnAfter(MINUTE_MS), [2]);
});

test('after hours without an answer, the pause is that of the site', async () => {
  const { turnAfter, failures } = setup(1);
  failures.set(1, AWAY);
  for (let tries = 0; tries < 20; ) tries += (await turnAfter(MINUTE_MS)).length;
  failures.clear();
  const tried = [...(await turnAfter(10 * MINUTE_MS)), ...(await turnAfter(10_000))];
  assert.deepEqual(tried, [1]);
});

test('a voucher that is never answered does not keep the others waiting', async () => {
  const { turnAfter, failures } = setup(3);
  failures.set(1, AWAY);
  assert.deepEqual(await turnAfter(0), [1]);
  assert.deepEqual(await turnAfter(0), [], 'the site pauses');
  assert.deepEqual(await turnAfter(10 * MINUTE_MS), [2, 3]);
  assert.deepEqual(await turnAfter(0), [1]);
});

test('a slow site goes on at the next turn', async () => {
  const { turnAfter } = setup(5, { takesMs: 20_000 });
  assert.deepEqual(await turnAfter(0), [1, 2, 3]);
  assert.deepEqual(await turnAfter(0), [4, 5]);
});
