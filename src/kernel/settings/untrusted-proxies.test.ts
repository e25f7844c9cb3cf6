// Tests which untrusted proxies are noted and logged, and which of them an administrator is told about.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFakeClock } from '../../../tests/support/fake-clock.ts';
import {
  adviseOnProxies,
  makeNoteUntrustedProxy,
  PROXY_FORGOTTEN_AFTER_MS,
  type UntrustedProxy,
} from './untrusted-proxies.ts';

const HOUR_MS = 60 * 60_000;

function makeNotes(fails = false) {
  const [clock, stored, logged]: [ReturnType<typeof makeFakeClock>, string[], unknown[]] = [
    makeFakeClock(),
    [],
    [],
  ];
  const write = ({ ip, err }: Record<string, unknown>) => void logged.push(ip ?? err);
  const note = makeNoteUntrustedProxy({
    untrustedProxies: {
      async note({ ip }) {
        if (fails) throw new Error('disk full');
        stored.push(ip);
      },
    },
    clock,
    log: { debug: write, info: write, warn: write, error: write, isLevelEnabled: () => true },
  });
  return { clock, stored, logged, note };
}

test('each network is stored once an hour and logged once', () => {
  const { clock, stored, logged, note } = makeNotes();
  for (const ip of ['10.0.0.1', '10.0.0.1', '10.0.0.2', '2001:db8::1', '2001:db8::2']) note(ip);
  assert.deepEqual(stored, ['10.0.0.1', '10.0.0.2', '2001:db8::1']);
  clock.advance(HOUR_MS);
  note('10.0.0.1');
  assert.deepEqual(stored.slice(3), ['10.0.0.1']);
  assert.deepEqual(logged, ['10.0.0.1', '10.0.0.2', '2001:db8::1']);
});

test('many clients that send the header cause few notes an hour, and the next hour begins anew', () => {
  const { clock, stored, logged, note } = makeNotes();
  for (let client = 0; client < 200; client++) note(`198.51.100.${client}`);
  assert.deepEqual([stored.length, logged.length], [10, 10]);
  clock.advance(HOUR_MS);
  note('10.0.0.1');
  assert.equal(stored.at(-1), '10.0.0.1');
  assert.equal(logged.at(-1), '10.0.0.1');
});

test('a database that fails is logged, and nothing else happens', async () => {
  const { logged, note } = makeNotes(true);
  note('10.0.0.1');
  await new Promise(setImmediate);
  assert.match(String(logged), /10\.0\.0\.1,Error: disk full/);
});

test('the advice names the setting, private addresses first, and not what is trusted or long ago', async () => {
  const clock = makeFakeClock();
  const seen = (ip: string, ageMs = 0): UntrustedProxy => ({ ip, seenAtMs: clock.nowMs() - ageMs });
  const list = [
    seen('8.8.8.1'),
    seen('8.8.8.2'),
    seen('10.0.0.1'),
    seen('172.18.0.2'),
    seen('10.0.0.9', PROXY_FORGOTTEN_AFTER_MS),
    seen('192.168.0.1'),
  ];
  const untrustedProxies = { list: async () => list };
  assert.deepEqual(await adviseOnProxies({ untrustedProxies, clock, trustedProxies: ['192.168.0.0/24'] }), [
    { ip: '10.0.0.1', proxies: '192.168.0.0/24,10.0.0.1' },
    { ip: '172.18.0.2', proxies: '192.168.0.0/24,172.18.0.2' },
    { ip: '8.8.8.1', proxies: '192.168.0.0/24,8.8.8.1' },
  ]);
});
