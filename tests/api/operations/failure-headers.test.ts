// Every failure says in headers whether to repeat the request, and the cause if a controller failed. The bodies are
// fixed by the contract.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  type Fault,
  type SimulatedConsole,
  startSimulatedConsole,
} from '../../../packages/unifi-console/src/index.ts';
import { TESTER } from '../../support/actors.ts';
import { refusingInserts } from '../../support/disturb-records.ts';
import { rawRequest } from '../../support/raw-request.ts';
import {
  type CallOptions,
  type Reply,
  startTestService,
  type TestService,
} from '../../support/test-service.ts';
import { leaving } from '../support/post-vouchers-traces.ts';

let service: TestService;
let console: SimulatedConsole;
before(async () => {
  service = await startTestService({ limits: { stallMs: 100, checkEveryMs: 10 } });
  console = await startSimulatedConsole({ loginsPerMinute: null });
});
after(async () => {
  await service.stop();
  await console.stop();
});

/** The status and what the headers say about repeating the request. */
function toldBy({ status, headers }: Reply) {
  return [status, headers.get('gastpass-retry'), headers.get('gastpass-cause')];
}

const order = (siteId: number, options: CallOptions = {}) =>
  service.call('POST', 'vouchers.php', { body: { site_id: siteId, name: 'x' }, ...options });

test('what the request itself is to blame for is not repeated', async () => {
  const reader = await service.issueKey('read');
  const limited = await service.issueKey('write', 1);
  await service.call('GET', 'sites.php', { key: limited });
  const headers = { 'idempotency-key': 'one' };
  await order(1, { headers });
  const replies: [number, string, Promise<Reply>][] = [
    [400, 'no', order(0)],
    [400, 'no', order(1, { body: { site_id: 1, name: '' } })],
    [401, 'no', order(1, { key: null })],
    [401, 'no', order(1, { key: 'wrong' })],
    [403, 'no', order(1, { key: reader })],
    [404, 'no', order(999)],
    [404, 'no', service.call('GET', 'vouchers')],
    [405, 'no', service.call('PUT', 'vouchers.php')],
    [405, 'no', service.call('PUT', 'openapi.php')],
    [413, 'no', order(1, { body: 'x'.repeat(70_000) })],
    [422, 'no', order(1, { headers, body: { site_id: 1, name: 'y' } })],
    [429, 'yes', order(1, { key: limited })],
  ];
  for (const [status, retry, reply] of replies) assert.deepEqual(toldBy(await reply), [status, retry, null]);
});

test('a failure of the controller says the cause, and whether a voucher may exist', async () => {
  const ways: [site: string, status: number, retry: string, cause: string | null][] = [
    ['fail:refuse', 500, 'no', 'refused'],
    ['fail:unreachable', 500, 'yes', 'nobody-answers'],
    ['fail:nothing', 502, 'after-settling', 'no-voucher'],
    ['fail:throw', 500, 'after-settling', null],
  ];
  for (const [site, ...told] of ways)
    assert.deepEqual(toldBy(await order(await service.addSite(site, site))), told);
});

test('a voucher that could not be recorded may exist', async () => {
  const disturbance = { table: 'vouchers', text: 'the index is upset' } as const;
  const reply = await refusingInserts(service, disturbance, () => order(1));
  assert.deepEqual(toldBy(reply), [500, 'after-settling', null]);
});

test('an open order with an Idempotency-Key is repeated after it is settled', async () => {
  const siteId = await service.addSite('fail:time-out', 'Offen');
  const headers = { 'idempotency-key': 'open' };
  assert.deepEqual(toldBy(await order(siteId, { headers })), [500, 'after-settling', 'too-slow']);
  assert.deepEqual(toldBy(await order(siteId, { headers })), [409, 'after-settling', null]);
});

test('a request that cannot be read is not repeated, and a slow one is', async () => {
  assert.match(
    await rawRequest(service.url, 'nonsense\r\n\r\n'),
    /^HTTP\/1\.1 400 .*\r\ngastpass-retry: no\r\n/s,
  );
  const head = `POST /api/vouchers.php HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.keyText}\r\n`;
  assert.match(
    await rawRequest(service.url, `${head}Content-Length: 24\r\n\r\n{"site_id"`),
    /^HTTP\/1\.1 408 .*\r\ngastpass-retry: yes\r\n/s,
  );
});

test('a list that could not be read may be repeated', async () => {
  service.change('alter table vouchers rename to away');
  const reply = await service
    .call('GET', 'vouchers.php?site_id=1')
    .finally(() => service.change('alter table away rename to vouchers'));
  assert.deepEqual(toldBy(reply), [500, 'yes', null]);
});

async function addConsole(kind: 'unifi' | 'unifi-classic', fingerprint256 = console.fingerprint256) {
  const { url, apiKey, username, password } = console;
  const credentials = kind === 'unifi' ? { apiKey } : { username, password };
  const connection = { url, credentials, trust: { kind: 'pinned' as const, fingerprint256 } };
  return service.beside.sites.add(
    { name: kind, active: true, controllerKind: kind, controllerSite: 'default', connection },
    { actor: TESTER, atMs: service.clock.nowMs() },
  );
}

async function withFault<Value>(fault: Fault, run: () => Promise<Value>): Promise<Value> {
  console.controls.setFault(fault);
  try {
    return await run();
  } finally {
    console.controls.resetFaults();
  }
}

test('if the console asks for a pause, nothing is created and its Retry-After is passed on, from 1 to 300', async () => {
  const asked = [17, 0, 86_400, undefined] as const;
  const passedOn: Record<string, string[]> = {};
  for (const kind of ['unifi', 'unifi-classic'] as const) {
    const siteId = await addConsole(kind);
    const { json: ordered } = await order(siteId);
    const { json: voucher } = await service.call('GET', `v1/vouchers/by-code/${siteId}/${ordered.code}`);
    passedOn[kind] = [];
    for (const retryAfterS of asked)
      for (const path of ['vouchers.php', `v1/vouchers/${voucher.id}/revoke`]) {
        const fault = { kind: 'status', status: 429, ...(retryAfterS !== undefined && { retryAfterS }) };
        const order = path === 'vouchers.php' ? { body: { site_id: siteId, name: 'x' } } : {};
        const reply = await leaving(service, {}, () =>
          withFault(fault as Fault, () => service.call('POST', path, order)),
        );
        assert.deepEqual(toldBy(reply), [503, 'yes', 'asks-for-pause']);
        passedOn[kind].push(reply.headers.get('retry-after') ?? '');
      }
  }
  const expected = ['17', '17', '1', '1', '300', '300', '5', '5'];
  assert.deepEqual(passedOn, { unifi: expected, 'unifi-classic': expected });
});

test('another certificate or wrong credentials need an administrator', async () => {
  const changed = await addConsole('unifi', 'AB'.repeat(32));
  assert.deepEqual(toldBy(await order(changed)), [500, 'no', 'other-certificate']);
  const siteId = await addConsole('unifi');
  const reply = await withFault({ kind: 'status', status: 401 }, () => order(siteId));
  assert.deepEqual(toldBy(reply), [500, 'no', 'api-key']);
});
