// Responses of the simulated official API have the members and types that the vendor's OpenAPI description gives them.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Reply, type TestConsole, useConsoles } from './support/test-console.ts';

const startConsole = useConsoles();

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/;
/** A value has a shape if it has exactly the named members and each member passes its check. */
type Check = (value: unknown) => boolean;
const text: Check = (value) => typeof value === 'string';
const whole: Check = (value) => Number.isInteger(value);
const flag: Check = (value) => typeof value === 'boolean';
const uuid: Check = (value) => UUID.test(String(value));
const time: Check = (value) => TIME.test(String(value));

function assertShape(value: object, shape: Record<string, Check>): void {
  assert.deepEqual(Object.keys(value).sort(), Object.keys(shape).sort());
  for (const [name, member] of Object.entries(value))
    assert.ok(shape[name]?.(member), `${name}: ${JSON.stringify(member)}`);
}

const site = { id: uuid, internalReference: text, name: text };
const fresh = {
  id: uuid,
  createdAt: time,
  name: text,
  code: (value: unknown) => /^\d{10}$/.test(String(value)) && text(value),
  authorizedGuestCount: whole,
  expired: flag,
  timeLimitMinutes: whole,
};
const limits = {
  authorizedGuestLimit: whole,
  dataUsageLimitMBytes: whole,
  rxRateLimitKbps: whole,
  txRateLimitKbps: whole,
};
const page = { offset: whole, limit: whole, count: whole, totalCount: whole, data: Array.isArray };
const problem = {
  statusCode: whole,
  statusName: text,
  code: text,
  message: text,
  timestamp: time,
  requestPath: text,
  requestId: uuid,
};

let console: TestConsole;
let path: string;
before(async () => {
  console = await startConsole();
  path = `/sites/${console.siteUuid}/hotspot/vouchers`;
});

const LIMITED = {
  authorizedGuestLimit: 2,
  dataUsageLimitMBytes: 2048,
  rxRateLimitKbps: 10_000,
  txRateLimitKbps: 2000,
};

function order(fields: object): Promise<Reply> {
  const body = { count: 1, name: 'Front desk', timeLimitMinutes: 1440, ...fields };
  return console.integration('POST', path, { body });
}

test('the application information has the documented members', async () => {
  const { json } = await console.integration('GET', '/info');
  assertShape(json, { applicationVersion: text });
});

test('a page of sites has the documented members', async () => {
  const { json } = await console.integration('GET', '/sites');
  assertShape(json, page);
  for (const each of json.data) assertShape(each, site);
});

test('the vouchers of an order have the documented members, without limits and with all limits', async () => {
  const plain = (await order({ count: 2 })).json;
  assertShape(plain, { vouchers: Array.isArray });
  for (const each of plain.vouchers) assertShape(each, fresh);
  const limited = (await order(LIMITED)).json;
  assertShape(limited.vouchers[0], { ...fresh, ...limits });
});

test('a used voucher and a page of vouchers have the documented members', async () => {
  const [voucher] = (await order(LIMITED)).json.vouchers;
  assert.ok(console.controls.redeem({ code: voucher.code }).ok);
  const used = (await console.integration('GET', `${path}/${voucher.id}`)).json;
  assertShape(used, { ...fresh, ...limits, activatedAt: time, expiresAt: time });
  const list = (await console.integration('GET', path)).json;
  assertShape(list, page);
  assert.ok(list.count > 0);
});

test('the result of deleting has the documented members', async () => {
  const [voucher] = (await order({})).json.vouchers;
  const { json } = await console.integration('DELETE', `${path}/${voucher.id}`);
  assertShape(json, { vouchersDeleted: whole });
});

test('errors of all kinds have the documented members', async () => {
  const nobody = '0c9d0000-0000-4000-8000-000000000000';
  for (const { json } of [
    await order({ count: 0 }),
    await order({ whatever: 1 }),
    await console.integration('GET', `${path}/${nobody}`),
    await console.integration('GET', '/sites/default/hotspot/vouchers'),
    await console.integration('GET', `${path}?filter=x.eq(1)`),
    await console.integration('PUT', path),
  ]) {
    assertShape(json, problem);
  }
});

test('guest devices and the results of their actions have the documented members', async () => {
  const [voucher] = (await order(LIMITED)).json.vouchers;
  assert.ok(console.controls.redeem({ code: voucher.code }).ok);
  const clients = `/sites/${console.siteUuid}/clients`;
  const list = (await console.integration('GET', clients)).json;
  assertShape(list, page);
  const { id } = list.data.at(-1);
  const device = (await console.integration('GET', `${clients}/${id}`)).json;
  const { authorization } = device.access;
  const { authorizedGuestLimit: _, ...guestLimits } = limits;
  const granted = { authorizedAt: time, authorizationMethod: text, expiresAt: time };
  assertShape(authorization, { ...granted, ...guestLimits, usage: (value) => typeof value === 'object' });
  const act = (body: object) => console.integration('POST', `${clients}/${id}/actions`, { body });
  const again = (await act({ action: 'AUTHORIZE_GUEST_ACCESS' })).json;
  assert.equal(again.action, 'AUTHORIZE_GUEST_ACCESS');
  const out = (await act({ action: 'UNAUTHORIZE_GUEST_ACCESS' })).json;
  assert.equal(out.action, 'UNAUTHORIZE_GUEST_ACCESS');
});
