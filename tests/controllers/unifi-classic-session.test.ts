// Tests the login of the classic driver: one session for all callers, kept across restarts, renewed when the controller
// requires it, and no login loop.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  FLAVOURS,
  type SimulatedConsole,
  startSimulatedConsole,
} from '../../packages/unifi-console/src/index.ts';
import { type Clock, systemClock } from '../../src/platform/time/clock.ts';
import { makeFakeClock } from '../support/fake-clock.ts';
import { ordering } from '../support/ordering.ts';
import { connect, type Inputs, memorySessions, pinnedSite } from './support/pinned-site.ts';

const soon = () => AbortSignal.timeout(30_000);
const order = { name: 'Zimmer 12', maxUses: 1, expireMinutes: 5, downKbps: 0, upKbps: 0, quotaMb: 0 };

async function open(flavour: (typeof FLAVOURS)[number], clock: Clock = systemClock, inputs: Inputs = {}) {
  const console: SimulatedConsole = await startSimulatedConsole({ flavour });
  const sessions = memorySessions();
  let controllers = connect(sessions, clock);
  const driver = () => controllers.controllerOf(pinnedSite(console, 'unifi-classic', inputs));
  return {
    controls: console.controls,
    password: console.password,
    sessions,
    asked: () => console.controls.counters().requests.login ?? 0,
    create: () => driver().createVouchers(order, 1, ordering()),
    check: () => driver().check(soon()),
    /** Another client with the same account: another instance, a command, or a client with another password. */
    beside(others: Inputs = inputs) {
      const theirs = connect(sessions, clock);
      const check = () => theirs.controllerOf(pinnedSite(console, 'unifi-classic', others)).check(soon());
      return { check, [Symbol.asyncDispose]: () => theirs.close() };
    },
    async restart() {
      await controllers.close();
      controllers = connect(sessions, clock);
    },
    async [Symbol.asyncDispose]() {
      await controllers.close();
      await console.stop();
    },
  };
}

for (const flavour of FLAVOURS)
  describe(`the classic session on ${flavour}`, { concurrency: true }, () => {
    test('a hundred concurrent orders need one login', async () => {
      await using subject = await open(flavour);
      const made = await Promise.all(Array.from({ length: 100 }, subject.create));
      assert.ok(made.every(({ ok }) => ok));
      assert.equal(subject.controls.vouchers().length, 100);
      assert.equal(subject.asked(), 1);
    });

    test('a session survives a restart and is stored without the password', async () => {
      await using subject = await open(flavour);
      assert.equal(await subject.check(), undefined);
      assert.equal(subject.sessions.kept.size, 1);
      assert.ok(!JSON.stringify([...subject.sessions.kept]).includes(subject.password));
      await subject.restart();
      assert.equal((await subject.create()).ok, true);
      assert.equal(subject.asked(), 1);
    });

    test('an expired session is renewed with one login for all callers, and no voucher is created twice', async () => {
      await using subject = await open(flavour);
      await subject.check();
      subject.controls.expireSessions();
      const made = await Promise.all(Array.from({ length: 20 }, subject.create));
      assert.ok(made.every(({ ok }) => ok));
      assert.equal(subject.controls.vouchers().length, 20);
      assert.equal(subject.asked(), 2);
    });

    test('a session that expired before a restart is renewed once', async () => {
      await using subject = await open(flavour);
      await subject.check();
      subject.controls.expireSessions();
      await subject.restart();
      assert.equal((await subject.create()).ok, true);
      assert.equal(subject.asked(), 2);
      await subject.restart();
      assert.equal((await subject.create()).ok, true);
      assert.equal(subject.asked(), 2, 'the new session was stored');
    });

    test('a site that the account does not have is refused without another login', async () => {
      await using subject = await open(flavour, systemClock, { site: 'nowhere' });
      for (let times = 0; times < 3; times++) {
        const made = await subject.create();
        assert.partialDeepStrictEqual(made, { ok: false, problem: { kind: 'refused' } });
        assert.match(made.ok ? '' : made.problem.text, /no site "nowhere"/);
      }
      assert.match((await subject.check())?.text ?? '', /no site "nowhere"; it has: default/);
      assert.equal(subject.asked(), 1);
    });

    test('if the controller never accepts the session, a call is sent twice and then fails', async () => {
      await using subject = await open(flavour);
      subject.controls.setFault({ match: 'create', kind: 'session-expired', times: 'always' });
      assert.partialDeepStrictEqual(await subject.create(), { ok: false, problem: { kind: 'refused' } });
      assert.equal(subject.controls.counters().requests.create, 2);
      assert.equal(subject.asked(), 2);
    });

    test('after too many logins no login is sent before the reported time, and each pause is longer', async () => {
      const clock = makeFakeClock('2026-01-15T11:00:00.000Z');
      await using subject = await open(flavour, clock);
      subject.controls.setFault({ match: 'login', kind: 'login-limit', times: 2 });
      const told = async (retryAfterS: number) => {
        const made = await subject.create();
        assert.partialDeepStrictEqual(made, { ok: false, problem: { kind: 'unreachable', retryAfterS } });
        return made.ok ? '' : made.problem.text;
      };
      const text = await told(60);
      assert.match(text, /too many logins \(429\); no further login before 2026-01-15T11:01:00.000Z/);
      clock.advance(59_999);
      assert.equal(await told(1), text);
      assert.equal(subject.asked(), 1);
      clock.advance(1);
      assert.match(await told(120), /no further login before 2026-01-15T11:03:00.000Z/);
      assert.equal(subject.asked(), 2);
      clock.advance(120_000);
      assert.equal((await subject.create()).ok, true);
    });

    test('a wrong password is tried once and then not for a while', async () => {
      const wrong = { username: 'voucher-bot', password: 'wrong' };
      await using subject = await open(flavour, makeFakeClock(), { credentials: wrong });
      for (let times = 0; times < 3; times++)
        assert.match((await subject.check())?.text ?? '', /password is wrong; no further login before/);
      await subject.restart();
      assert.match((await subject.check())?.text ?? '', /password is wrong; no further login before/);
      assert.equal(subject.asked(), 1, 'no login after a restart either');
    });

    test('a corrected password is tried at once', async () => {
      const wrong = { username: 'voucher-bot', password: 'wrong' };
      await using subject = await open(flavour, makeFakeClock(), { credentials: wrong });
      assert.match((await subject.check())?.text ?? '', /password is wrong/);
      await using corrected = subject.beside({});
      assert.equal(await corrected.check(), undefined);
    });

    test('a session is not shared with another password of the same account', async () => {
      await using subject = await open(flavour);
      assert.equal(await subject.check(), undefined);
      const wrong = { username: 'voucher-bot', password: 'wrong' };
      await using other = subject.beside({ credentials: wrong });
      assert.match((await other.check())?.text ?? '', /password is wrong/);
    });

    test('a refusal does not last longer if the clock is set back', async () => {
      const clock = makeFakeClock();
      const wrong = { username: 'voucher-bot', password: 'wrong' };
      await using subject = await open(flavour, clock, { credentials: wrong });
      await subject.check();
      clock.advance(-24 * 60 * 60_000);
      await subject.check();
      assert.equal(subject.asked(), 2);
    });

    test('a refusal applies even if it cannot be stored', async () => {
      const wrong = { username: 'voucher-bot', password: 'wrong' };
      await using subject = await open(flavour, makeFakeClock(), { credentials: wrong });
      subject.sessions.save = () => Promise.reject(new Error('disk full'));
      await assert.rejects(subject.check(), /disk full/);
      assert.match((await subject.check())?.text ?? '', /password is wrong; no further login before/);
      assert.equal(subject.asked(), 1);
    });

    test('a controller that refuses every call does not cause a login for each call', async () => {
      await using subject = await open(flavour);
      await subject.check();
      subject.controls.setFault({ match: 'create', kind: 'status', status: 403, body: 'html', times: 99 });
      for (let times = 0; times < 5; times++) assert.equal((await subject.create()).ok, false);
      assert.equal(subject.asked(), 2);
    });

    test('a session renewed by another instance is reused', async () => {
      await using subject = await open(flavour);
      await subject.check();
      subject.controls.expireSessions();
      await using other = subject.beside();
      await other.check();
      assert.equal(await subject.check(), undefined);
      assert.equal(subject.asked(), 2);
    });

    test('a cloud account is refused without calling the controller', async () => {
      const cloud = { username: 'me@example.com', password: 'secret' };
      await using subject = await open(flavour, systemClock, { credentials: cloud });
      const failure = await subject.check();
      assert.equal(failure?.kind, 'refused');
      assert.match(failure?.text ?? '', /cloud accounts .* local administrator/);
      assert.equal(subject.asked(), 0);
    });

    test('an account with a second factor is refused with advice', async () => {
      await using subject = await open(flavour);
      subject.controls.setFault({ match: 'login', kind: 'mfa' });
      assert.match((await subject.check())?.text ?? '', /second factor: make a local administrator/);
    });
  });

test('a renewed CSRF token is used from then on', async () => {
  await using subject = await open('unifi-os');
  subject.controls.setFault({ match: 'create', kind: 'csrf-renewed' });
  assert.equal((await subject.create()).ok, true);
  assert.equal((await subject.create()).ok, true);
  assert.equal(subject.asked(), 1);
});
