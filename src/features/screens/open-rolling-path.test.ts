// Tests how often the tokens of rolling codes are looked up, and how often one path can be fetched.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asScreenId } from '../../kernel/ids.ts';
import { MAX_WRONG, makeNetworkFloods } from '../../platform/network/network-floods.ts';
import { makePathToken } from '../../platform/secrets/token.ts';
import { MAX_LOOKS, makeOpenRollingPath } from './open-rolling-path.ts';
import type { RollingScreen } from './rolling-code.ts';

const IP = '192.0.2.7';

function setup() {
  const right = makePathToken();
  const counts = { lookUps: 0, lists: 0 };
  let nowMs = 0;
  const clock = { nowMs: () => nowMs };
  const open = makeOpenRollingPath({
    rolling: {
      async findByToken(tokenHash) {
        counts.lookUps++;
        return tokenHash === right.tokenHash ? ({ id: asScreenId(1) } as RollingScreen) : undefined;
      },
      async listTokenHashes() {
        counts.lists++;
        return new Set([right.tokenHash]);
      },
    },
    floods: makeNetworkFloods({ clock, onFlood: () => {} }),
    clock,
  });
  const resultOf = async (token: string, ip = IP) => (await open(token, ip)).result;
  return { resultOf, right: right.token, counts, wait: (ms: number) => (nowMs += ms) };
}

test('of 10,000 wrong tokens few are looked up, and the right one opens meanwhile', async () => {
  const { resultOf, right, counts } = setup();
  for (let sent = 0; sent < 10_000; sent++) {
    assert.equal(await resultOf(makePathToken().token), sent < MAX_WRONG ? 'wrong' : 'flood');
    if (sent % 1_000 === 0) assert.equal(await resultOf(right), 'opened');
  }
  assert.deepEqual(counts, { lookUps: MAX_WRONG + 10, lists: 1 });
});

test('one path can be fetched up to a limit per minute, by all networks together', async () => {
  const { resultOf, right, wait } = setup();
  for (let sent = 0; sent < MAX_LOOKS; sent++)
    assert.equal(await resultOf(right, `192.0.2.${sent}`), 'opened');
  assert.equal(await resultOf(right), 'throttled');
  wait(60_000);
  assert.equal(await resultOf(right), 'opened');
});

test('what does not look like a token is never looked up', async () => {
  const { resultOf, right, counts } = setup();
  for (const odd of ['', right.slice(1), `${right}0`, ` ${right}`, 'a'.repeat(4_000_000)])
    assert.equal(await resultOf(odd), 'wrong');
  assert.equal(counts.lookUps, 0);
});
