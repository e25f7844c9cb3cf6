// Tests how often tokens are looked up, that a right link opens while its network sends wrong ones, and how often it
// opens.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asSiteId, asVoucherId } from '../../kernel/ids.ts';
import type { FoundVoucher } from '../../kernel/vouchers/voucher-search.ts';
import { MAX_WRONG, makeNetworkFloods } from '../../platform/network/network-floods.ts';
import { makePathToken } from '../../platform/secrets/token.ts';
import { MAX_OPENED, makeOpenGuestPage } from './open-guest-page.ts';

const IP = '192.0.2.7';
const VOUCHER: FoundVoucher = {
  id: asVoucherId(1),
  siteId: asSiteId(1),
  siteName: 'Haus A',
  siteTimeZone: null,
  isDemo: false,
  code: '0482715936',
  name: '2026-01-15_Zimmer 4',
  nameSortKey: '',
  maxUses: 1,
  expireMinutes: 480,
  downKbps: 0,
  upKbps: 0,
  quotaMb: 0,
  usedCount: 0,
  createdAtS: 0,
  firstUsedAtS: null,
  endedAtS: null,
  endsAtS: null,
  revokedAtS: null,
  revokedBy: null,
  ownerName: null,
  createdBy: null,
  batchId: null,
  batchSize: 1,
  controllerVoucherId: null,
  consoleName: null,
  replacedBy: null,
  successorId: null,
  reference: null,
  note: null,
  profileId: null,
};

function setup({ links = 1 } = {}) {
  const right = makePathToken();
  const site = { hasGuestPage: true };
  const counts = { lookUps: 0, lists: 0 };
  let nowMs = 0;
  const clock = { nowMs: () => nowMs };
  const openGuestPage = makeOpenGuestPage({
    guestLinks: {
      async findVoucher(tokenHash) {
        counts.lookUps++;
        return tokenHash === right.tokenHash ? VOUCHER : undefined;
      },
      async listHashes(maxLinks) {
        counts.lists++;
        return links > maxLinks ? undefined : new Set([right.tokenHash]);
      },
    },
    sites: { findActive: async () => site },
    finder: { search: async () => ({ vouchers: [VOUCHER] }) },
    floods: makeNetworkFloods({ clock, onFlood: () => {} }),
    openings: makeNetworkFloods({ clock, max: MAX_OPENED, onFlood: () => {} }),
    clock,
  });
  const resultOf = async (token: string, ip = IP) => (await openGuestPage(token, ip)).result;
  const wait = (ms: number) => {
    nowMs += ms;
  };
  return { resultOf, wait, right: right.token, counts };
}

test('of 10,000 wrong tokens few are looked up, and the right one opens before, meanwhile and afterwards', async () => {
  const { resultOf, right, counts } = setup();
  for (let sent = 0; sent < 10_000; sent++) {
    const expected = sent < MAX_WRONG ? 'wrong' : 'throttled';
    assert.equal(await resultOf(makePathToken().token), expected);
    if (sent % 1_000 === 0) assert.equal(await resultOf(right), 'opened');
  }
  assert.deepEqual(counts, { lookUps: MAX_WRONG + 10, lists: 1 });
});

test('with more links than the memory holds, every token is looked up', async () => {
  const { resultOf, right, counts } = setup({ links: 1_000_000 });
  for (let sent = 0; sent < MAX_WRONG + 5; sent++) await resultOf(makePathToken().token);
  assert.equal(counts.lookUps, MAX_WRONG + 5);
  assert.equal(await resultOf(right), 'opened');
});

test('a network that opens right links very often waits for the rest of the minute, and others do not', async () => {
  const { resultOf, wait, right, counts } = setup();
  for (let sent = 0; sent < MAX_OPENED; sent++) assert.equal(await resultOf(right), 'opened');
  assert.equal(await resultOf(right), 'throttled');
  assert.equal(await resultOf(makePathToken().token), 'throttled', 'a wrong link gets the same answer');
  assert.equal(counts.lookUps, MAX_OPENED);
  assert.equal(await resultOf(right, '198.51.100.7'), 'opened');
  wait(60_000);
  assert.equal(await resultOf(right), 'opened');
});

test('what does not look like a token is never looked up', async () => {
  const { resultOf, right, counts } = setup();
  for (const odd of [
    '',
    right.slice(1),
    `${right}0`,
    `${right.slice(1)}-`,
    ` ${right}`,
    'a'.repeat(4_000_000),
  ])
    assert.equal(await resultOf(odd), 'wrong');
  assert.equal(counts.lookUps, 0);
});
