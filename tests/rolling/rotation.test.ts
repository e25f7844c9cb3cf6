// Tests when a rolling code is replaced, that each look hands out at most one voucher of the stock, and what happens to
// the code that was shown before.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openInstallation } from '../../src/app/installation.ts';
import { makeLookAtRollingCode } from '../../src/features/screens/rolling-code.ts';
import { OFF_SCREEN_MS, SHOWN_MS } from '../../src/features/screens/screen.ts';
import type { Installation } from '../../src/kernel/installation.ts';
import { siteId } from '../stock/support.ts';
import { revokeByCode } from '../support/revoke-by-code.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addRolling, type RollingGround, redeem } from './ground.ts';

let service: TestService;
let other: Installation;
before(async () => {
  service = await startTestService({ jobs: false, webhook: true });
  service.change('update sites set imports_foreign = 0');
  other = await openInstallation(service.config, service.clock);
});
after(async () => {
  await other.close();
  await service.stop();
});

const count = (from: string) => Number(service.rows(`select count(*) as n from ${from}`)[0]?.n);
const inStock = ({ id }: RollingGround) => count(`stock where screen_id = ${id}`);
const handedOut = ({ id }: RollingGround) => count(`vouchers where screen_id = ${id}`);
const dueOf = (code: string | null) =>
  service.rows(
    'select due_at_ms from shown_codes join vouchers on vouchers.id = voucher_id where code = ?',
    code,
  )[0]?.due_at_ms;
/** The database of a server has its own clock, so the test changes when the code was shown. */
const makeOld = ({ id }: RollingGround) =>
  service.change('update screens set shown_at_ms = shown_at_ms - ? where id = ?', SHOWN_MS, id);

function lookBeside(installation: Installation) {
  const { rolling, syncs, clock } = installation;
  const log = { warn: assert.fail } as never;
  const look = makeLookAtRollingCode({ rolling, syncs, pokeStock: () => {}, timeZone: 'UTC', clock, log });
  return async ({ id }: RollingGround) => {
    const screen = await rolling.find(id);
    assert.ok(screen);
    return (await look(screen)).voucher?.code ?? null;
  };
}

test('the first look takes a voucher out of the stock, and the next looks show the same one', async () => {
  const screen = addRolling(service);
  await screen.fill(2);
  const announced = count('outbox');
  const { code, ...rest } = await screen.look();
  assert.match(code ?? '', /^\d{10}$/);
  assert.deepEqual(rest, {
    formatted_code: `${code?.slice(0, 5)}-${code?.slice(5)}`,
    site: 'Demo',
    valid_minutes: 480,
    devices: 1,
    wifi: null,
    state: 'ready',
  });
  assert.equal((await screen.look()).code, code);
  assert.equal(await lookBeside(other)(screen), code);
  assert.deepEqual([inStock(screen), handedOut(screen)], [1, 1]);
  assert.equal(count('outbox'), announced + 1);
  const [voucher] = service.rows('select name, source from vouchers where code = ?', code);
  assert.match(String(voucher?.name), /^\d{4}-\d\d-\d\d_Foyer$/);
  assert.equal(voucher?.source, 'Screen: Foyer');
  assert.equal(count(`screens where id = ${screen.id} and looked_at_ms is not null`), 1);
});

test('a code from the stock does not end the failure of an order: the console may still refuse', async () => {
  const screen = addRolling(service);
  await screen.fill();
  const atMs = service.clock.nowMs();
  const { failedOrders } = service.beside;
  await failedOrders.remember(siteId, { action: 'voucher.not-created', cause: null, atMs });
  await screen.look();
  const [voucher] = service.rows('select name, console_name from vouchers order by id desc limit 1');
  assert.equal(voucher?.console_name, voucher?.name, 'made on the same day, for the same screen');
  assert.ok(await failedOrders.find(siteId));
  await failedOrders.forget(siteId);
});

test('a code that was used on the console is replaced after the sync, and stays valid', async () => {
  const screen = addRolling(service);
  await screen.fill(2);
  const { code } = await screen.look();
  await redeem(service, code);
  const next = await screen.look();
  assert.notEqual(next.code, code);
  assert.equal(next.state, 'ready');
  assert.equal(dueOf(code), undefined, 'a used code is not revoked');
  assert.deepEqual([inStock(screen), handedOut(screen)], [0, 2]);
});

test('a code that was revoked is replaced', async () => {
  const screen = addRolling(service);
  await screen.fill(2);
  const { code } = await screen.look();
  await revokeByCode(service, siteId, code ?? '');
  assert.notEqual((await screen.look()).code, code);
  assert.equal(dueOf(code), undefined);
});

test('a code that is a day old is replaced, and is revoked 30 minutes later if nobody uses it', async () => {
  const screen = addRolling(service);
  await screen.fill(2);
  const { code } = await screen.look();
  makeOld(screen);
  const next = await screen.look();
  assert.ok(next.code !== null && next.code !== code);
  const [row] = service.rows('select shown_at_ms from screens where id = ?', screen.id);
  assert.equal(Number(dueOf(code)), Number(row?.shown_at_ms) + OFF_SCREEN_MS);
});

test('an old code that nobody has used stays while there is no other', async () => {
  const screen = addRolling(service);
  await screen.fill();
  const { code } = await screen.look();
  makeOld(screen);
  assert.deepEqual(await screen.look(), { ...(await screen.look()), code, state: 'ready' });
  assert.equal(dueOf(code), undefined);
});

test('20 looks at once on two instances show one new code and take one voucher', async () => {
  const screen = addRolling(service);
  await screen.fill(3);
  for (const round of [1, 2]) {
    const looks = Array.from({ length: 20 }, async (_, n) =>
      n % 2 ? lookBeside(other)(screen) : (await screen.look()).code,
    );
    const codes = new Set(await Promise.all(looks));
    assert.equal(codes.size, 1);
    assert.ok(!codes.has(null));
    assert.deepEqual([inStock(screen), handedOut(screen)], [3 - round, round]);
    await redeem(service, [...codes][0] ?? null);
  }
});

test('beyond the limit of the day, nothing is taken out of the stock', async () => {
  const screen = addRolling(service, { per_day: 1 });
  await screen.fill(2);
  const { code } = await screen.look();
  makeOld(screen);
  assert.equal((await screen.look()).code, code, 'an unused code stays');
  await redeem(service, code);
  assert.deepEqual([(await screen.look()).state, inStock(screen)], ['none', 1]);
  service.change('update vouchers set created_at_s = created_at_s - 86400 where code = ?', code);
  assert.equal((await screen.look()).state, 'ready');
});

test('without a voucher in stock, one is being prepared, unless the console fails', async () => {
  const screen = addRolling(service);
  const empty = await screen.look();
  const expected = { code: null, formatted_code: null, valid_minutes: 480, devices: 1, state: 'preparing' };
  assert.deepEqual(empty, { ...empty, ...expected });
  await service.beside.syncs.noteFailure(siteId, 'the console does not answer');
  // What the service knows about its syncs is a second old at most.
  service.clock.advance(1_000);
  assert.equal((await screen.look()).state, 'none');
  await service.beside.syncs.noteSuccess(siteId);
  service.clock.advance(1_000);
  await screen.fill();
  assert.equal((await screen.look()).state, 'ready');
});

test('while the console is away, the code stays and then the next one is shown; after that there is none', async () => {
  const screen = addRolling(service);
  await screen.fill(2);
  const { code } = await screen.look();
  await service.beside.syncs.noteFailure(siteId, 'the console does not answer');
  service.clock.advance(1_000);
  assert.equal((await screen.look()).code, code);
  service.change('update vouchers set used_count = 1 where code = ?', code);
  const next = await screen.look();
  assert.ok(next.code !== null && next.code !== code);
  service.change('update vouchers set used_count = 1 where code = ?', next.code);
  assert.deepEqual(await screen.look(), { ...next, code: null, formatted_code: null, state: 'none' });
  await service.beside.syncs.noteSuccess(siteId);
});

test('the limits are those of the profile, also before the first code', async () => {
  const limits = { maxUses: 3, expireMinutes: 1440, downKbps: 0, upKbps: 0, quotaMb: 0 };
  const audit = { actor: { kind: 'command', id: null, name: 'test' } as const, atMs: 0 };
  const profile = await service.beside.profiles.add({ name: 'Tag', siteIds: [], ...limits }, audit);
  const { devices, valid_minutes } = await addRolling(service, { profile_ids: `999,${profile}` }).look();
  assert.deepEqual([devices, valid_minutes], [3, 1440]);
});

test('a site that is switched off shows no code and takes none', async () => {
  const screen = addRolling(service);
  await screen.fill();
  service.change('update sites set active = 0 where id = ?', siteId);
  try {
    assert.equal((await screen.look()).state, 'none');
    assert.equal(inStock(screen), 1);
  } finally {
    service.change('update sites set active = 1 where id = ?', siteId);
  }
});

test('a code that is a day old is taken off if nobody looks, by the trusted clock only', async () => {
  const [seen, unseen, used] = [addRolling(service), addRolling(service), addRolling(service)];
  const codes: (string | null)[] = [];
  for (const screen of [seen, unseen, used]) {
    await screen.fill();
    codes.push((await screen.look()).code);
    makeOld(screen);
  }
  await redeem(service, codes[2] ?? null);
  const takeOff = (trustedMs: number) => other.rolling.takeOffUnseen(trustedMs);
  for (const { id } of [unseen, used])
    service.change('update screens set looked_at_ms = looked_at_ms - 900000 where id = ?', id);
  assert.equal(await takeOff(0), 0, 'the trusted clock has not reached the day');
  assert.equal(await takeOff(Number.MAX_SAFE_INTEGER), 2);
  assert.deepEqual(
    codes.map((code) => dueOf(code) !== undefined),
    [false, true, false],
  );
  assert.equal(count(`screens where id in (${unseen.id}, ${used.id}) and voucher_id is not null`), 0);
  assert.equal(await takeOff(Number.MAX_SAFE_INTEGER), 0);
  await unseen.fill();
  const again = await unseen.look();
  assert.ok(again.code !== null && again.code !== codes[1]);
});
