// Consoles lock out clients that log in too often. The service logs in once and keeps its session: under many orders,
// across restarts, and when the console ends the session.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FLAVOURS, type Flavour, startSimulatedConsole } from '../../../packages/unifi-console/src/index.ts';
import { TESTER } from '../../support/actors.ts';
import { makeFakeClock } from '../../support/fake-clock.ts';
import { makeFolder } from '../../support/run-gastpass.ts';
import { type Reply, startTestService, type TestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';

const ORDERS = 1_000;
const CALLERS = 25;
const RESTARTS = 20;
const AT_ONCE = 100;
const LATE_MS = 1_500;

/** A console, and a service whose only real site is on it. The service can be restarted any number of times. */
async function open(flavour: Flavour) {
  // The console's clock stands still, like the clock of the service: everything happens within the minute whose logins
  // the console counts.
  const console = await startSimulatedConsole({ flavour, clock: makeFakeClock().nowMs });
  const { url, username, password, fingerprint256, controls } = console;
  const { folder: dataDir, remove } = makeFolder();
  let service: TestService = await startTestService({ dataDir });
  const siteId = await service.beside.sites.add(
    {
      name: 'Haus am See',
      active: true,
      controllerKind: 'unifi-classic',
      controllerSite: 'default',
      connection: { url, credentials: { username, password }, trust: { kind: 'pinned', fingerprint256 } },
    },
    { actor: TESTER, atMs: service.clock.nowMs() },
  );

  return {
    controls,
    /** Every login attempt counts, including attempts that the console refuses. */
    loginsTried: () => controls.counters().requests.login ?? 0,
    order: (name: string) => service.call('POST', 'vouchers.php', { body: { site_id: siteId, name } }),
    keptSessions: () => service.rows('select * from controller_sessions'),
    async restart() {
      await service.stop();
      service = await startTestService({ dataDir });
    },
    async [Symbol.asyncDispose]() {
      await service.stop();
      await console.stop();
      remove();
    },
  };
}

/** As many different codes as orders: every order got its own voucher. */
function checkMade(replies: Reply[], orders: number): void {
  assert.deepEqual([...new Set(replies.map(({ status }) => status))], [201]);
  assert.equal(new Set(replies.map(({ json }) => json.code)).size, orders);
}

for (const flavour of FLAVOURS)
  describe(`a classic site on ${flavour}`, () => {
    test(`${ORDERS} orders need one login`, async () => {
      await using subject = await open(flavour);
      const replies: Reply[] = [];
      let next = 0;
      const caller = async () => {
        while (next < ORDERS) replies.push(await subject.order(`Gast ${next++}`));
      };
      await Promise.all(Array.from({ length: CALLERS }, caller));
      checkMade(replies, ORDERS);
      assert.equal(subject.controls.vouchers().length, ORDERS);
      assert.equal(subject.loginsTried(), 1);
    });

    test(`${RESTARTS} restarts within a minute, each with an order, need one login`, async () => {
      await using subject = await open(flavour);
      const replies: Reply[] = [];
      for (let restarts = 0; restarts < RESTARTS; restarts++) {
        await subject.restart();
        replies.push(await subject.order(`Gast ${restarts}`));
      }
      checkMade(replies, RESTARTS);
      assert.equal(subject.loginsTried(), 1);
    });

    test('the session that is kept for the next start cannot be read in the database', async () => {
      await using subject = await open(flavour);
      await subject.order('Zimmer 12');
      const kept = subject.keptSessions();
      assert.equal(kept.length, 1);
      assert.doesNotMatch(JSON.stringify(kept), /TOKEN|unifises|cookie|csrf/i);
    });

    test(`a session that ends during ${AT_ONCE} orders costs one more login and no order`, async () => {
      await using subject = await open(flavour);
      const { controls } = subject;
      // Some requests learn that their session has ended when all others already use the next session.
      controls.setFault({ match: 'create', kind: 'latency', ms: LATE_MS, times: 3 });
      let running = AT_ONCE;
      const orders = Array.from({ length: AT_ONCE }, (_, number) =>
        subject.order(`Gast ${number}`).finally(() => running--),
      );
      const all = Promise.all(orders);
      await until(() => controls.vouchers().length >= AT_ONCE / 2 || running === 0, { everyMs: 0 });
      const made = controls.vouchers().length;
      controls.expireSessions();

      checkMade(await all, AT_ONCE);
      assert.ok(
        made >= AT_ONCE / 2 && made < AT_ONCE,
        `${made} vouchers were created when the session ended`,
      );
      assert.equal(controls.vouchers().length, AT_ONCE, 'a voucher was created twice');
      assert.equal(subject.loginsTried(), 2);
    });
  });
