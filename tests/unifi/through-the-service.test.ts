// Tests a site on a UniFi console, from the API to the controller and back, over TLS and with each driver.

import assert from 'node:assert/strict';
import diagnostics from 'node:diagnostics_channel';
import { after, before, describe, test } from 'node:test';
import {
  type Fault,
  type SimulatedConsole,
  startSimulatedConsole,
} from '../../packages/unifi-console/src/index.ts';
import type { Retry } from '../../src/kernel/contract/problem-response.ts';
import { TESTER } from '../support/actors.ts';
import { cases } from '../support/more-cases.ts';
import { revokeByCode } from '../support/revoke-by-code.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { TESTED_DRIVERS } from './sync/synced-site.ts';

const AT_ONCE = cases({ everyday: 150, long: 500 });

/** The console has created the voucher, and responds with something else. */
const LOST_RESPONSES: Fault[] = [
  { kind: 'html' },
  { kind: 'empty' },
  { kind: 'truncated-json' },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503, body: 'html' },
  { kind: 'status', status: 599, body: 'empty' },
  { kind: 'restarting' },
  { kind: 'redirect', status: 302 },
  { kind: 'redirect', status: 303 },
  { kind: 'redirect', status: 399 },
];

/** The console has created nothing. After a failure or a redirect, Gastpass cannot know that. */
const FAILED_ORDERS: [Fault, status: number, retry: Retry][] = [
  [{ kind: 'status', status: 400 }, 500, 'no'],
  [{ kind: 'status', status: 403, text: 'api.err.NoPermission' }, 500, 'no'],
  [{ kind: 'status', status: 404, body: 'html' }, 500, 'no'],
  [{ kind: 'status', status: 499, body: 'empty' }, 500, 'no'],
  [{ kind: 'rate-limited' }, 503, 'yes'],
  [{ kind: 'status', status: 500 }, 500, 'after-settling'],
  [{ kind: 'status', status: 504, body: 'html' }, 500, 'after-settling'],
  [{ kind: 'restarting' }, 500, 'after-settling'],
  [{ kind: 'redirect', status: 307 }, 500, 'after-settling'],
];

const textOf = ({ kind, status, body }: Fault) => [kind, status, body].filter(Boolean).join(' ');

for (const { kind, flavour } of TESTED_DRIVERS)
  describe(`${kind} on ${flavour}`, () => {
    let service: TestService;
    let console: SimulatedConsole;
    let siteId: number;

    before(async () => {
      service = await startTestService();
      console = await startSimulatedConsole({ port: 0, flavour });
      const { url, apiKey, username, password, fingerprint256 } = console;
      siteId = await service.beside.sites.add(
        {
          name: 'Haus am See',
          active: true,
          controllerKind: kind,
          controllerSite: 'default',
          connection: {
            url,
            credentials: kind === 'unifi' ? { apiKey } : { username, password },
            trust: { kind: 'pinned', fingerprint256 },
          },
        },
        { actor: TESTER, atMs: service.clock.nowMs() },
      );
    });
    after(async () => {
      await service.stop();
      await console.stop();
    });

    const post = (fields: Record<string, unknown>) =>
      service.call('POST', 'vouchers.php', { body: { site_id: siteId, ...fields } });

    test('a voucher is created on the console, and the API returns its code', async () => {
      const qos = { down: 5000, up: 1000, quota_mb: 100 };
      const reply = await post({ name: 'Zimmer 12', max_uses: 2, expire_minutes: 60, qos });
      assert.equal(reply.status, 201, reply.text);
      assert.equal(reply.json.site, 'Haus am See');
      const [made] = console.controls.vouchers();
      assert.equal(made?.code, reply.json.code);
    });

    test('every call to the console has the trace of the order, and an id of its own', async (t) => {
      const sent: string[] = [];
      const note = (event: unknown) => {
        const [found] = /00-[0-9a-f]{32}-[0-9a-f]{16}-01/.exec(JSON.stringify(event)) ?? ['none'];
        sent.push(found);
      };
      diagnostics.subscribe('undici:request:create', note);
      t.after(() => diagnostics.unsubscribe('undici:request:create', note));
      const [traceId, parentId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
      const reply = await service.call('POST', 'vouchers.php', {
        body: { site_id: siteId, name: 'Spur' },
        headers: { traceparent: `00-${traceId}-${parentId}-01` },
      });
      assert.equal(reply.status, 201, reply.text);
      // The first request is the one of this test.
      assert.match(sent.shift() ?? '', new RegExp(parentId));
      assert.ok(sent.length > 0);
      for (const header of sent) assert.match(header, new RegExp(`^00-${traceId}-(?!${parentId})`));
      assert.equal(new Set(sent).size, sent.length);
    });

    test(`${AT_ONCE} concurrent equal orders get ${AT_ONCE} codes, each recorded once, with one login`, async () => {
      const before = console.controls.vouchers().length;
      // A busy machine refuses some orders with 503 before they are sent. Their callers order again.
      const order = async () => {
        let reply = await post({ name: 'Gruppe' });
        while (reply.status === 503) reply = await post({ name: 'Gruppe' });
        return reply;
      };
      const replies = await Promise.all(Array.from({ length: AT_ONCE }, order));
      assert.deepEqual([...new Set(replies.map(({ status }) => status))], [201]);
      assert.equal(new Set(replies.map(({ json }) => json.code)).size, AT_ONCE);
      assert.equal(console.controls.vouchers().length, before + AT_ONCE);
      assert.equal(service.rows('select count(*) as n from intents')[0]?.n, 0);
      assert.ok(console.controls.counters().logins <= 1);
    });

    test('a voucher is found again if the connection breaks after it was created', async () => {
      const before = console.controls.vouchers().length;
      console.controls.setFault({ match: 'create', kind: 'cut-after-write' });
      const reply = await post({ name: 'Funkloch' });
      assert.equal(reply.status, 201, reply.text);
      assert.equal(console.controls.vouchers().length, before + 1);
    });

    for (const fault of LOST_RESPONSES)
      test(`a response with ${textOf(fault)} after the voucher was created does not lose the voucher`, async () => {
        const before = console.controls.vouchers().length;
        console.controls.setFault({ match: 'create', written: true, ...fault });
        const reply = await post({ name: `Zimmer ${textOf(fault)}` });
        assert.equal(reply.status, 201, reply.text);
        assert.equal(console.controls.vouchers().length, before + 1);
      });

    for (const [fault, status, retry] of FAILED_ORDERS)
      test(`${textOf(fault)}: the API responds with ${status} and Gastpass-Retry: ${retry}`, async () => {
        const countIntents = () => Number(service.rows('select count(*) as n from intents')[0]?.n);
        const [made, open] = [console.controls.vouchers().length, countIntents()];
        console.controls.setFault({ match: 'create', ...fault });
        const reply = await post({ name: `Zimmer ${textOf(fault)}` });
        assert.deepEqual([reply.status, reply.headers.get('gastpass-retry')], [status, retry], reply.text);
        assert.equal(console.controls.vouchers().length, made);
        const isOpen = retry === 'after-settling';
        assert.equal(countIntents() - open, isOpen ? 1 : 0, 'an intent stays while a voucher may exist');
      });

    test('a voucher is revoked on the console, also if the connection breaks, and also if it is gone already', async () => {
      const revoke = (code: string) => revokeByCode(service, siteId, code);
      const isThere = (code: string) => console.controls.vouchers().some((voucher) => voucher.code === code);
      const { code } = (await post({ name: 'Abgereist' })).json;
      console.controls.setFault({ match: 'delete', kind: 'cut-after-write' });
      const cut = await revoke(code);
      assert.ok(cut.status === 200 || cut.status === 502, cut.text);
      assert.equal(isThere(code), false);
      assert.equal((await revoke(code)).status, 200);

      const kept = (await post({ name: 'Bleibt' })).json.code;
      console.controls.setFault({ match: 'delete', kind: 'cut-before-write' });
      assert.equal((await revoke(kept)).status, 502);
      assert.equal(isThere(kept), true);
      assert.equal((await revoke(kept)).status, 200);
      assert.equal(isThere(kept), false);
    });

    test('an order outside the console’s bounds is refused before it is sent', async () => {
      const before = console.controls.vouchers().length;
      const reply = await post({ name: 'zu lang', expire_minutes: 1_000_001 });
      assert.deepEqual(
        [reply.status, reply.json.message],
        [400, 'expire_minutes darf höchstens 1000000 sein'],
      );
      assert.equal(console.controls.vouchers().length, before);
    });

    test('credentials are in neither the database nor the log', async () => {
      const secret = kind === 'unifi' ? console.apiKey : console.password;
      assert.ok(!JSON.stringify(service.rows('select * from sites')).includes(secret));
      assert.ok(!JSON.stringify(service.logLines).includes(secret));
    });
  });

test('the address of a console that cannot be reached is in the log, but in no response', async (t) => {
  const service = await startTestService();
  t.after(() => service.stop());
  const console = await startSimulatedConsole({ port: 0, flavour: 'unifi-os' });
  const { url, apiKey, fingerprint256 } = console;
  const connection = { url, credentials: { apiKey }, trust: { kind: 'pinned', fingerprint256 } } as const;
  const site_id = await service.beside.sites.add(
    {
      name: 'Haus am See',
      active: true,
      controllerKind: 'unifi',
      controllerSite: 'default',
      connection,
    },
    { actor: TESTER, atMs: service.clock.nowMs() },
  );
  const order = { site_id, name: 'Zimmer 12' };
  const { code } = (await service.call('POST', 'vouchers.php', { body: order })).json;
  await console.stop();

  const replies = [
    await service.call('POST', 'vouchers.php', { body: order }),
    await revokeByCode(service, site_id, code),
  ];
  assert.deepEqual(
    replies.map(({ status }) => status),
    [500, 502],
  );
  for (const { json, headers } of replies) {
    assert.equal(json.message ?? json.detail, 'no connection to the controller: connect ECONNREFUSED');
    const requestId = headers.get('x-request-id');
    const lines = JSON.stringify(service.logLines.filter((line) => line.requestId === requestId));
    assert.ok(lines.includes(`connect ECONNREFUSED ${new URL(url).host}`), lines);
  }
});
