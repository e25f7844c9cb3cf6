// The filter language of the official API: what it finds, how it may be written, and which errors it returns.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:https';
import { text } from 'node:stream/consumers';
import { before, describe, test } from 'node:test';
import { type TestConsole, useConsoles } from './support/test-console.ts';

const startConsole = useConsoles();

let console: TestConsole;
let path: string;
let uuidOf: (name: string) => string;
let codeOf: (name: string) => string;
before(async () => {
  console = await startConsole();
  path = `/sites/${console.siteUuid}/hotspot/vouchers`;
  const { controls, clock } = console; // the clock starts at 2026-01-15T11:28:51Z
  controls.fill({ note: 'alpha', quota: 1, durationMinutes: 10 });
  controls.fill({ note: "it's beta", quota: 0, durationMinutes: 100, downKbps: 5000, upKbps: 1000 });
  clock.advance(24 * 60 * 60 * 1000);
  controls.fill({ note: 'gamma.1*', quota: 5, durationMinutes: 1000, usageQuotaMb: 100 });
  const find = (name: string) => controls.vouchers().find(({ note }) => note === name);
  uuidOf = (name) => find(name)?.uuid ?? '';
  codeOf = (name) => find(name)?.code ?? '';
  controls.redeem({ code: codeOf('alpha') });
  controls.redeem({ code: codeOf('gamma.1*'), devices: 2 });
  clock.advance(11 * 60 * 1000); // alpha has expired
});

const list = (filter: string) => console.integration('GET', `${path}?${new URLSearchParams({ filter })}`);
const A = 'alpha';
const B = "it's beta";
const C = 'gamma.1*';

describe('finds', () => {
  const table: [string | (() => string), string[]][] = [
    ["name.eq('alpha')", [A]],
    ["name.eq('it''s beta')", [B]],
    ["name.ne('alpha')", [B, C]],
    ["name.in('alpha', 'gamma.1*')", [A, C]],
    ["name.notIn('alpha', 'gamma.1*')", [B]],
    ["name.like('a*')", [A]],
    ["name.like('alph.')", [A]],
    ["name.like('alp')", []],
    ["name.like('*A')", []],
    ["name.like('*a')", [A, B]],
    ["name.like('gamma.1*')", [C]],
    ["name.like('gamma\\.1\\*')", [C]],
    ["name.like('gamma\\*1*')", []],
    ["name.like('*')", [A, B, C]],
    [() => `id.eq(${uuidOf(B)})`, [B]],
    [() => `id.eq(${uuidOf(B).toUpperCase()})`, [B]],
    [() => `id.ne(${uuidOf(B)})`, [A, C]],
    [() => `id.in(${uuidOf(A)},${uuidOf(B)})`, [A, B]],
    [() => `id.notIn(${uuidOf(A)},${uuidOf(B)})`, [C]],
    [() => `code.eq('${codeOf(C)}')`, [C]],
    [() => `code.in('${codeOf(C)}', '0')`, [C]],
    ['createdAt.lt(2026-01-16)', [A, B]],
    ['createdAt.gt(2026-01-16T00:00:00Z)', [C]],
    ['createdAt.ge(2026-01-16T11:28:51Z)', [C]],
    ['createdAt.le(2026-01-15T12:28:51.000+01:00)', [A, B]],
    ['createdAt.eq(2026-01-15T11:28:51Z)', [A, B]],
    ['createdAt.ne(2026-01-15T11:28:51Z)', [C]],
    ['activatedAt.gt(2026-01-01)', [A, C]],
    ['expiresAt.lt(2026-01-17)', [A]],
    ['expired.eq(true)', [A]],
    ['expired.ne(true)', [B, C]],
    ['authorizedGuestLimit.isNull()', [B]],
    ['authorizedGuestLimit.isNotNull()', [A, C]],
    ['authorizedGuestLimit.ge(5)', [C]],
    ['authorizedGuestLimit.ne(1)', [B, C]],
    ['authorizedGuestCount.gt(0)', [A, C]],
    ['authorizedGuestCount.eq(2)', [C]],
    ['timeLimitMinutes.le(100)', [A, B]],
    ['dataUsageLimitMBytes.eq(100)', [C]],
    ['rxRateLimitKbps.eq(5000)', [B]],
    ['txRateLimitKbps.lt(1001)', [B]],
    ['txRateLimitKbps.isNull()', [A, C]],
    ["and(name.like('*a'), authorizedGuestCount.gt(0))", [A]],
    ["and(name.eq('alpha'),expired.eq(false))", []],
    ["or(name.eq('alpha'),name.eq('gamma.1*'))", [A, C]],
    ["not(name.eq('alpha'))", [B, C]],
    ["not(or(expired.eq(true),and(name.eq('gamma.1*'),authorizedGuestCount.gt(1))))", [B]],
    [" and( name.eq('alpha') ,\n expired.eq( true ) ) ", [A]],
    ['', [A, B, C]],
  ];
  for (const [expression, expected] of table) {
    const shown = typeof expression === 'string' ? expression : String(expression).slice(6);
    test(shown, async () => {
      const { status, json } = await list(typeof expression === 'string' ? expression : expression());
      assert.equal(status, 200, json.message);
      assert.deepEqual(json.data.map(({ name }: { name: string }) => name).sort(), expected.toSorted());
      assert.equal(json.totalCount, expected.length);
    });
  }
});

describe('refuses', () => {
  const table: [string, string][] = [
    ["note.eq('x')", "unknown filter property 'note' at 1:1"],
    ["code.like('1*')", "'like' is not allowed for 'code' at 1:1"],
    ['id.gt(0c9d0000-0000-4000-8000-000000000000)', "'gt' is not allowed for 'id' at 1:1"],
    ['expired.in(true)', "'in' is not allowed for 'expired' at 1:1"],
    ["name.contains('x')", "'contains' is not allowed for 'name' at 1:1"],
    ["name.equals('x')", "unknown filter function 'equals' at 1:1"],
    ["id.eq('0c9d0000-0000-4000-8000-000000000000')", 'is not a value of type UUID at 1:7'],
    ['id.eq(0c9d)', "'0c9d' is not a value of type UUID at 1:7"],
    ['name.eq(alpha)', "'alpha' is not a value of type STRING at 1:9"],
    ['authorizedGuestCount.gt(-1)', "'-1' is not a value of type INTEGER at 1:25"],
    ["authorizedGuestCount.gt('1')", "'1' is not a value of type INTEGER at 1:25"],
    ['expired.eq(yes)', "'yes' is not a value of type BOOLEAN at 1:12"],
    ['createdAt.gt(yesterday)', "'yesterday' is not a value of type TIMESTAMP at 1:14"],
    ['createdAt.gt(2026-13-45)', "'2026-13-45' is not a value of type TIMESTAMP at 1:14"],
    ['timeLimitMinutes.eq([1, 2])', "'1, 2' is not a value of type INTEGER at 1:21"],
    ["name.eq('a','b')", "'eq' does not accept 2 argument(s) at 1:1"],
    ['name.eq()', "'eq' does not accept 0 argument(s) at 1:1"],
    ['name.in()', "'in' does not accept 0 argument(s) at 1:1"],
    ['rxRateLimitKbps.isNull(1)', "'isNull' does not accept 1 argument(s) at 1:1"],
    ["and(name.eq('a'))", "'and' takes two or more expressions at 1:1"],
    ["not(name.eq('a'),name.eq('b'))", "'not' takes one expression at 1:1"],
    ["name.eq('a", 'unterminated string at 1:9'],
    ["name.eq('a'", 'unexpected end of input at 1:12'],
    ["name.eq('a'))", "unexpected ')' at 1:13"],
    ['name', "function expected after 'name' at 1:1"],
    ['(name)', "unexpected '(' at 1:1"],
    ["and(name.eq('a'),\nnote.eq('b'))", "unknown filter property 'note' at 2:1"],
  ];
  for (const [expression, detail] of table)
    test(`${JSON.stringify(expression)}: ${detail}`, async () => {
      const { status, json } = await list(expression);
      assert.deepEqual([status, json.code], [400, 'api.request.invalid-filter']);
      assert.ok(json.message.startsWith('failed to parse filter expression: '), json.message);
      assert.ok(json.message.endsWith(detail), json.message);
    });
});

test('a filter may be sent raw, percent-encoded, or with + for spaces', async () => {
  for (const filter of [
    "and(name.eq('alpha'),expired.eq(true))",
    'and%28name.eq%28%27alpha%27%29%2C%20expired.eq%28true%29%29',
    "and(name.eq('alpha'),+expired.eq(true))",
  ])
    assert.equal(JSON.parse(await getRaw(`${path}?filter=${filter}`)).count, 1, filter);
});

/** Sends the path unchanged; other clients would encode it. */
async function getRaw(target: string): Promise<string> {
  const { url, certificatePem, apiKey } = console;
  const { hostname, port } = new URL(url);
  const tls = { ca: certificatePem, servername: 'unifi.local' };
  const where = { host: hostname, port, path: `/proxy/network/integration/v1${target}` };
  const sent = get({ ...tls, ...where, headers: { 'x-api-key': apiKey, connection: 'close' } });
  const [response] = await once(sent, 'response');
  return text(response);
}

test('a filter limits what is counted and paged', async () => {
  const filter = new URLSearchParams({ filter: "name.like('*')", limit: '1', offset: '2' });
  const { json } = await console.integration('GET', `${path}?${filter}`);
  assert.deepEqual([json.count, json.totalCount], [1, 3]);
});

test('sites are found by short name, display name and id', async () => {
  const names = async (filter: string) => {
    const { json } = await console.integration('GET', `/sites?${new URLSearchParams({ filter })}`);
    return json.data?.map(({ internalReference }: { internalReference: string }) => internalReference);
  };
  assert.deepEqual(await names("internalReference.eq('default')"), ['default']);
  assert.deepEqual(await names("or(internalReference.eq('Haus B'),name.eq('Haus B'))"), ['k3w9x2pb']);
  assert.deepEqual(await names(`id.eq(${console.siteUuid})`), ['default']);
  assert.equal(await names("name.like('*')"), undefined);
});
