// Tests the storage of the simulated controller: the format of codes, and how guests use vouchers.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openSimulatedVouchers } from '../../src/kernel/controllers/simulator/simulated-vouchers.ts';
import { makeFolder } from '../support/run-gastpass.ts';

const { folder, remove } = makeFolder();
let vouchers = openSimulatedVouchers(folder);
after(() => {
  vouchers.close();
  remove();
});

const NOW_MS = 1_768_476_531_000;
const MINUTE_MS = 60_000;
let names = 0;

function make(fields: { maxUses?: number; expireMinutes?: number } = {}): { name: string; code: string } {
  const unlimited = { maxUses: 1, expireMinutes: 10, downKbps: 0, upKbps: 0, quotaMb: 0 };
  const name = `guest ${++names}`;
  const { code } = vouchers.create('default', { ...unlimited, name, ...fields }, NOW_MS);
  return { name, code: code ?? '' };
}

function use(name: string): { usedCount: number | undefined; firstUsedAtMs: number | null | undefined } {
  const [voucher] = vouchers.findByName('default', name);
  return { usedCount: voucher?.usedCount, firstUsedAtMs: voucher?.firstUsedAtMs };
}

test('codes are ten digits, all different, and leading zeros occur', () => {
  const codes = Array.from({ length: 1_000 }, () => make().code);
  for (const code of codes) assert.match(code, /^\d{10}$/);
  assert.equal(new Set(codes).size, codes.length);
  assert.ok(codes.some((code) => code.startsWith('0')));
});

test('the first use is recorded and starts the validity; later uses are only counted', () => {
  const { name, code } = make({ maxUses: 3 });
  assert.deepEqual(use(name), { usedCount: 0, firstUsedAtMs: null });
  assert.equal(vouchers.redeem('default', code, NOW_MS), true);
  assert.deepEqual(use(name), { usedCount: 1, firstUsedAtMs: NOW_MS });
  assert.equal(vouchers.redeem('default', code, NOW_MS + MINUTE_MS), true);
  assert.deepEqual(use(name), { usedCount: 2, firstUsedAtMs: NOW_MS });
});

test('a voucher can be used up to its limit and not once more', () => {
  const { name, code } = make({ maxUses: 2 });
  const uses = [1, 2, 3, 4].map(() => vouchers.redeem('default', code, NOW_MS));
  assert.deepEqual(uses, [true, true, false, false]);
  assert.equal(use(name).usedCount, 2);
});

test('a voucher expires exactly its validity after the first use', () => {
  const { code } = make({ maxUses: 9, expireMinutes: 10 });
  assert.equal(vouchers.redeem('default', code, NOW_MS), true);
  assert.equal(vouchers.redeem('default', code, NOW_MS + 10 * MINUTE_MS - 1), true);
  assert.equal(vouchers.redeem('default', code, NOW_MS + 10 * MINUTE_MS), false);
});

test('an unused voucher does not expire', () => {
  const { code } = make({ expireMinutes: 1 });
  assert.equal(vouchers.redeem('default', code, NOW_MS + 1_000_000 * MINUTE_MS), true);
});

test('a code is valid only on its own site and exactly as written', () => {
  const { code } = make();
  assert.equal(vouchers.redeem('elsewhere', code, NOW_MS), false);
  assert.equal(vouchers.redeem('default', `${code} `, NOW_MS), false);
  assert.equal(vouchers.redeem('default', '', NOW_MS), false);
  assert.equal(vouchers.redeem('default', code, NOW_MS), true);
});

test('vouchers and their uses survive a restart', () => {
  const { name, code } = make({ maxUses: 2 });
  vouchers.redeem('default', code, NOW_MS);
  const before = vouchers.findByName('default', name);
  vouchers.close();
  vouchers = openSimulatedVouchers(folder);
  assert.deepEqual(vouchers.findByName('default', name), before);
  assert.equal(vouchers.redeem('default', code, NOW_MS), true);
  assert.equal(vouchers.redeem('default', code, NOW_MS), false);
});

test('two processes can use the file at the same time', () => {
  const beside = openSimulatedVouchers(folder);
  const { name } = make();
  assert.equal(beside.findByName('default', name).length, 1);
  beside.close();
});

test('pages contain every voucher of a site once, with its time of creation', () => {
  const [count, size] = [25, 10];
  const limits = { name: 'p', maxUses: 1, expireMinutes: 1, downKbps: 0, upKbps: 0, quotaMb: 0 };
  const made = Array.from({ length: count }, (_, at) => vouchers.create('paged', limits, NOW_MS + at));
  const first = vouchers.page('paged', '', size);
  const second = vouchers.page('paged', first.at(-1)?.controllerVoucherId ?? '', size);
  const third = vouchers.page('paged', second.at(-1)?.controllerVoucherId ?? '', size);
  assert.deepEqual([first.length, second.length, third.length], [size, size, count - 2 * size]);
  assert.deepEqual(vouchers.page('paged', third.at(-1)?.controllerVoucherId ?? '', size), []);
  const seen = [...first, ...second, ...third].sort((one, other) => one.createdAtMs - other.createdAtMs);
  assert.deepEqual(seen, made);
});
