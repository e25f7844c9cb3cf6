// The tools of `gastpass mcp`, called with the client of the official SDK: what they return, what they refuse, and that
// they have the rights of the key and no more. Client and server talk in memory; a test of the long tier starts the
// command.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { makeGastpassClient } from '../../packages/client/src/index.ts';
import { makeMcpServer } from '../../src/features/mcp/mcp-server.ts';
import { findCanWrite } from '../../src/features/mcp/serve-mcp.ts';
import { addPrinter } from '../support/printers.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

/** `respond` takes the place of the service. */
async function connect(key = service.keyText, respond: typeof fetch = fetch) {
  const said: string[] = [];
  const gastpass = makeGastpassClient({ url: service.api, key, patienceMs: 0, fetch: respond });
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  const canWrite = await findCanWrite(gastpass, ({ message }) => said.push(message));
  await makeMcpServer(gastpass, { version: '0.0.0', canWrite }).connect(there);
  await client.connect(here);
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: input });
    const [first] = content;
    return { text: first?.type === 'text' ? first.text : '', value: structuredContent, isError };
  };
  return { client, call, said };
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
      ['get_voucher', true, false],
      ['create_voucher', false, false],
      ['revoke_voucher', false, true],
    ],
  );
  for (const { description, inputSchema, outputSchema } of tools)
    assert.ok(description && inputSchema.additionalProperties === false && outputSchema);
});

test('a voucher is created, found and revoked', async () => {
  const { call } = await connect();
  const sites = await call('list_sites');
  assert.deepEqual(JSON.parse(sites.text), sites.value);
  assert.deepEqual(sites.value, { sites: await service.client.listSites() });
  const order = { site: 1, name: 'Zimmer 12', nights: 2, reference: 'booking 4711', down_kbps: 5_000 };
  const made = await call('create_voucher', order);
  const { id, code, formatted_code, ends_at } = JSON.parse(made.text);
  assert.match(code, /^\d{10}$/);
  assert.ok(ends_at);
  assert.deepEqual((await call('list_vouchers', { reference: 'booking 4711' })).value, {
    vouchers: [made.value],
    next_cursor: null,
  });
  const byCode = { site: 1, code: formatted_code };
  assert.deepEqual((await call('get_voucher', { id })).value, (await call('get_voucher', byCode)).value);
  assert.equal(JSON.parse((await call('revoke_voucher', byCode)).text).status, 'revoked');
  assert.equal(JSON.parse((await call('revoke_voucher', { id })).text).status, 'revoked');
  assert.deepEqual((await call('list_vouchers', { status: 'unused', name: 'zimmer' })).value, {
    vouchers: [],
    next_cursor: null,
  });
});

test('a voucher is printed by a printer of its site', async () => {
  const { call } = await connect();
  const print = await addPrinter(service.beside);
  const { sites } = JSON.parse((await call('list_sites')).text);
  assert.deepEqual(sites[0].printers, [{ id: print, name: 'Rezeption' }]);
  const { id } = JSON.parse((await call('create_voucher', { site: 1, name: 'Zimmer 12', print })).text);
  assert.equal(service.rows(`select id from messages where voucher_id = ${id}`).length, 1);
  const refused = await call('create_voucher', { site: 1, name: 'Zimmer 12', print: 999 });
  assert.ok(refused.isError);
  assert.match(refused.text, /^printer-unknown: The site has no such printer: .*GET \/sites/);
});

test('a voucher is named by its id, or by its site and code', async () => {
  const { call } = await connect();
  for (const which of [{}, { site: 1 }, { code: '0482715936' }, { id: 1, site: 1, code: '0482715936' }])
    assert.deepEqual(await call('revoke_voucher', which), {
      text: 'Give either `id`, or `site` and `code`.',
      value: undefined,
      isError: true,
    });
  const missing = await call('get_voucher', { id: 999 });
  assert.match(missing.text, /^voucher-not-found: Voucher not found: /);
});

test('a key that may only read is offered no tool that changes something', async () => {
  const { client, call, said } = await connect(await service.issueKey('read'));
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['list_sites', 'list_vouchers', 'get_voucher'],
  );
  assert.equal((await call('list_vouchers')).isError, false);
  assert.deepEqual(said, []);
});

test('if the rights of the key are not known, all tools are offered, and a refusal is told', async () => {
  const { client, call, said } = await connect('gpk_wrong');
  assert.equal((await client.listTools()).tools.length, 5);
  assert.match(said[0] ?? '', /^the rights of the API key are not known, so all tools are offered: A valid /);
  const refused = await call('create_voucher', { site: 1, name: 'x' });
  assert.ok(refused.isError);
  assert.match(refused.text, /^unauthorized: A valid API key is required: /);
});

test('if the outcome of an order is unknown, the caller is told to look before it orders again', async () => {
  const failing = async (headers: Record<string, string>) => {
    const body = { type: '/api-docs/problems#creation-failed', title: 'Not created', detail: 'no answer' };
    const { call } = await connect('gpk_x', async () => Response.json(body, { status: 500, headers }));
    return call;
  };
  const order = { site: 1, name: 'Zimmer 12' };
  for (const headers of [{ 'gastpass-retry': 'after-settling' }, {}])
    assert.match(
      (await (await failing(headers))('create_voucher', order)).text,
      /^creation-failed: Not created: no answer\nA voucher may exist; look at list_vouchers before creating again\./,
    );
  for (const [tool, headers] of [
    ['list_vouchers', {}],
    ['create_voucher', { 'gastpass-retry': 'no' }],
  ] as const)
    assert.equal(
      (await (await failing(headers))(tool, tool === 'create_voucher' ? order : {})).text,
      'creation-failed: Not created: no answer',
    );
});

test('a call that the caller cancels ends its request', async () => {
  const seen = Promise.withResolvers<AbortSignal>();
  const { client } = await connect('gpk_x', (url, options) => {
    if (String(url).endsWith('/key')) return Promise.resolve(Response.json({ scope: 'write' }));
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
  for (const input of [{}, { site: 'one', name: 'x' }, { site: 1 }, { site: 1, name: 'x', count: 2 }])
    assert.equal((await call('create_voucher', input)).isError, true, JSON.stringify(input));
  assert.equal(service.logLines.length, seen);
});
