// The tools of `gastpass mcp`, called with the client of the official SDK: what they return, what they refuse, and that
// they have the rights of the key and no more. Client and server talk in memory; a test of the long tier starts the
// command.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { makeGastpassClient } from '../../packages/client/src/index.ts';
import { makeMcpServer } from '../../src/mcp/mcp-server.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

/** `respond` takes the place of the service. */
async function connect(key = service.keyText, respond: typeof fetch = fetch) {
  const gastpass = makeGastpassClient({ url: service.api, key, patienceMs: 0, fetch: respond });
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  await makeMcpServer(gastpass, '0.0.0').connect(there);
  await client.connect(here);
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: input });
    const [first] = content;
    return { text: first?.type === 'text' ? first.text : '', value: structuredContent, isError };
  };
  return { client, call };
}

test('the tools say whether they change something', async () => {
  const { client } = await connect();
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name, annotations }) => [
      name,
      annotations?.readOnlyHint ?? false,
      annotations?.destructiveHint ?? false,
    ]),
    [
      ['list_sites', true, false],
      ['list_vouchers', true, false],
      ['create_voucher', false, false],
      ['revoke_voucher', false, true],
    ],
  );
  for (const { description, inputSchema } of tools)
    assert.ok(description && inputSchema.additionalProperties === false);
});

test('a voucher is created, listed and revoked', async () => {
  const { call } = await connect();
  const sites = await call('list_sites');
  assert.deepEqual(sites.value, { sites: [{ id: 1, name: 'Demo', site_id: 'default' }] });
  assert.deepEqual(JSON.parse(sites.text), sites.value);
  const made = await call('create_voucher', {
    site_id: 1,
    name: 'Zimmer 12',
    expire_minutes: 60,
    qos: { down: 5_000 },
  });
  const { code, formatted_code } = JSON.parse(made.text);
  assert.match(code, /^\d{10}$/);
  assert.deepEqual((await call('revoke_voucher', { site_id: 1, code: formatted_code })).value, {
    success: true,
  });
  const [listed] = JSON.parse((await call('list_vouchers', { site_id: 1 })).text).vouchers;
  assert.deepEqual([listed.voucher_code, listed.expire_minutes, listed.status], [code, 60, 'expired']);
});

test('a key that may only read cannot create or revoke, and the caller is told why', async () => {
  const { call } = await connect(await service.issueKey('read'));
  assert.equal((await call('list_vouchers', { site_id: 1 })).isError, false);
  for (const [tool, more] of [
    ['create_voucher', { name: 'x' }],
    ['revoke_voucher', { code: '0482715936' }],
  ] as const) {
    const refused = await call(tool, { site_id: 1, ...more });
    assert.deepEqual(
      [refused.isError, refused.text],
      [true, "forbidden: Schlüssel hat keinen 'write'-Scope"],
    );
  }
});

test('if the outcome of an order is unknown, the caller is told to look before it orders again', async () => {
  const failing = async (headers: Record<string, string>) => {
    const body = { error: 'server_error', message: 'no answer' };
    const { call } = await connect('gpk_x', async () => Response.json(body, { status: 500, headers }));
    return call;
  };
  const order = { site_id: 1, name: 'Zimmer 12' };
  for (const headers of [{ 'gastpass-retry': 'after-settling' }, {}])
    assert.match(
      (await (await failing(headers))('create_voucher', order)).text,
      /^server_error: no answer\nA voucher may exist; look at list_vouchers before creating again\./,
    );
  const listing = await (await failing({}))('list_vouchers', { site_id: 1 });
  assert.equal(listing.text, 'server_error: no answer');
  const refused = await failing({ 'gastpass-retry': 'no', 'gastpass-hint': 'the site has no hotspot' });
  assert.equal(
    (await refused('create_voucher', order)).text,
    'server_error: no answer (the site has no hotspot)',
  );
});

test('a call that the caller cancels ends its request', async () => {
  const seen = Promise.withResolvers<AbortSignal>();
  const { client } = await connect('gpk_x', (_, options) => {
    if (options?.signal) seen.resolve(options.signal);
    return new Promise(() => {});
  });
  const stop = new AbortController();
  const called = client.callTool({ name: 'list_sites', arguments: {} }, { signal: stop.signal });
  const signal = await seen.promise;
  stop.abort();
  await assert.rejects(called);
  if (!signal.aborted) await once(signal, 'abort');
});

test('wrong input is refused before anything is sent', async () => {
  const { call } = await connect();
  const seen = service.logLines.length;
  for (const input of [
    {},
    { site_id: 'one', name: 'x' },
    { site_id: 1 },
    { site_id: 1, name: 'x', code: '1' },
  ])
    assert.equal((await call('create_voucher', input)).isError, true, JSON.stringify(input));
  assert.equal(service.logLines.length, seen);
});
