// Tests the client of the API against a service: what it returns, the errors it throws, and that a request that has to
// be repeated creates one voucher. Faults are put between the client and the service by replacing `fetch`.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { GastpassError, makeGastpassClient, type Voucher } from '../../packages/client/src/index.ts';
import { OPERATIONS } from '../../src/features/api-v1/openapi-operations.ts';
import { addPrinter } from '../support/printers.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const ORDER = { site: 1, name: 'Zimmer 12', devices: 2, minutes: 60, down_kbps: 10_000 };

/** A client whose answers `change` may replace; `sent` has the requests that reached the service. */
function clientWith(change: (attempt: number, response: Response) => Response | Promise<Response>) {
  const sent: { url: string; headers: Headers; body: string }[] = [];
  const client = makeGastpassClient({
    url: `${service.api}/`,
    key: service.keyText,
    async fetch(url, options) {
      const response = await fetch(url, options);
      sent.push({ url: String(url), headers: new Headers(options?.headers), body: String(options?.body) });
      return change(sent.length, response);
    },
  });
  return { client, sent };
}

async function refusalOf(deed: Promise<unknown>): Promise<GastpassError> {
  const error = await deed.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof GastpassError, String(error));
  return error;
}

test('sites and the key are read; a voucher is created, found and revoked: every operation of the API', async () => {
  const { client } = service;
  const [site] = await client.listSites();
  assert.deepEqual([site?.id, site?.name, site?.controller], [1, 'Demo', 'simulator']);
  assert.deepEqual(await client.getSite(1), site);
  assert.deepEqual(await client.getKey(), {
    name: 'Test',
    scope: 'write',
    sites: 'all',
    rate_limit: null,
    expires_at: null,
  });

  const { replayed, freed, ...made } = await client.createVoucher({ ...ORDER, reference: 'booking 1/ä' });
  assert.deepEqual([replayed, freed, made.devices, made.minutes], [false, false, 2, 60]);
  assert.deepEqual((await client.listVouchers({ reference: 'booking 1/ä' })).vouchers, [made]);
  const { history, ...got } = await client.getVoucher(made.id);
  assert.deepEqual([got, history.length], [made, 1]);
  assert.equal((await client.getVoucherByCode(1, made.formatted_code)).id, made.id);
  assert.equal((await client.revokeVoucher({ site: 1, code: made.formatted_code })).status, 'revoked');
  assert.equal((await client.revokeVoucher(made.id)).status, 'revoked');

  const { batch } = await client.createVouchers({ ...ORDER, count: 2 });
  assert.equal((await client.getBatch(batch?.id ?? '')).state, 'done');
  assert.equal((await client.resumeBatch(batch?.id ?? '')).state, 'done');

  const called = service.logLines.flatMap(({ method, route }) => (route ? [`${method} ${route}`] : []));
  const operations = OPERATIONS.map(({ method, path }) => `${method.toUpperCase()} /api/v1${path}`);
  assert.deepEqual([...new Set(called)].sort(), operations.sort());
});

test('vouchers are printed by a printer of the site', async () => {
  const { client } = service;
  const id = await addPrinter(service.beside);
  const [site] = await client.listSites();
  assert.deepEqual(site?.printers, [{ id, name: 'Rezeption' }]);
  const one = await client.createVoucher({ ...ORDER, print: id });
  const { vouchers } = await client.createVouchers({ ...ORDER, print: id, count: 2 });
  for (const voucher of [one, ...vouchers])
    assert.equal(service.rows(`select id from messages where voucher_id = ${voucher.id}`).length, 1);
  const { code, status, retry } = await refusalOf(client.createVoucher({ ...ORDER, print: 999 }));
  assert.deepEqual([code, status, retry], ['printer-unknown', 400, 'no']);
});

test('several vouchers are awaited, one is none of a batch, and all pages are read', async () => {
  const { client } = service;
  const reference = 'group';
  const many = await client.createVouchers({ ...ORDER, reference, count: 7 });
  assert.deepEqual([many.vouchers.length, many.batch?.state], [7, 'done']);
  const one = await client.createVouchers({ ...ORDER, reference, count: 1 });
  assert.deepEqual([one.vouchers.length, one.batch], [1, null]);
  const accepted = await client.createVouchers({ ...ORDER, count: 3 }, { wait: false });
  assert.deepEqual([accepted.batch?.count, accepted.replayed], [3, false]);

  const page = await client.listVouchers({ reference, limit: 3 });
  assert.deepEqual([page.vouchers.length, typeof page.next_cursor], [3, 'string']);
  const all: Voucher[] = [];
  for await (const voucher of client.eachVoucher({ reference, limit: 3 })) all.push(voucher);
  assert.equal(new Set(all.map(({ id }) => id)).size, 8);
});

test('a batch that lacks vouchers is an error that has those that exist', async () => {
  const site = await service.addSite('fail:refuse');
  const order = { site, name: 'x', count: 3 };
  const error = await refusalOf(service.client.createVouchers(order));
  assert.equal(error.code, 'creation-failed');
  assert.equal(error.message, `Only ${error.batch?.vouchers.length} of 3 vouchers were created`);
});

test('an unchanged list is not sent again, and is the same object', async () => {
  const statuses: number[] = [];
  const { client } = clientWith((_, response) => {
    statuses.push(response.status);
    return response;
  });
  const first = await client.listVouchers({ site: 1, limit: 500 });
  assert.equal(await client.listVouchers({ site: 1, limit: 500 }), first);
  await client.createVoucher(ORDER);
  assert.equal(
    (await client.listVouchers({ site: 1, limit: 500 })).vouchers.length,
    first.vouchers.length + 1,
  );
  assert.deepEqual(statuses, [200, 304, 201, 200]);
});

test('lost and broken answers are repeated with the same Idempotency-Key and body, and create one voucher', async () => {
  const reference = 'lost';
  const { client, sent } = clientWith((attempt, response) => {
    if (attempt === 1) throw new TypeError('fetch failed', { cause: new Error('socket hang up') });
    return attempt === 2 ? new Response('<h1>Bad Gateway</h1>', { status: 502 }) : response;
  });
  const made = await client.createVoucher({ ...ORDER, reference });
  assert.equal(sent.length, 3);
  assert.equal(new Set(sent.map(({ headers, body }) => headers.get('idempotency-key') + body)).size, 1);
  const { vouchers } = await service.client.listVouchers({ reference });
  assert.deepEqual([vouchers.map(({ id }) => id), made.replayed], [[made.id], true]);
});

test('an Idempotency-Key of the caller gets the same voucher again', async () => {
  const options = { idempotencyKey: 'client-4711-r1' };
  const [one, two] = [
    await service.client.createVoucher(ORDER, options),
    await service.client.createVoucher(ORDER, options),
  ];
  assert.deepEqual([one.replayed, two.replayed, two.id], [false, true, one.id]);
  const reused = await refusalOf(service.client.createVoucher({ ...ORDER, name: 'x' }, options));
  assert.deepEqual([reused.status, reused.code], [422, 'idempotency-key-reused']);
});

test('refusals are thrown with status, code, message and request id, and are not repeated', async () => {
  const { client, sent } = clientWith((_, response) => response);
  const missing = await refusalOf(client.revokeVoucher({ site: 1, code: '0000000000' }));
  assert.deepEqual([missing.status, missing.code], [404, 'voucher-not-found']);
  assert.match(missing.message, /^Voucher not found: There is no such voucher/);
  assert.ok(service.logLines.some(({ requestId }) => requestId === missing.requestId));
  assert.equal(sent.length, 1);
  const invalid = await refusalOf(client.createVoucher({ site: 1, name: '', devices: 0 }));
  assert.deepEqual(
    [invalid.code, invalid.errors.map(({ field }) => field)],
    ['invalid-request', ['name', 'devices']],
  );
  assert.match(invalid.message, /: name must be text .*; devices must be a whole number/);
  const reader = makeGastpassClient({ url: service.api, key: await service.issueKey('read') });
  assert.equal((await refusalOf(reader.createVoucher(ORDER))).code, 'scope-missing');
  const stranger = await refusalOf(makeGastpassClient({ url: service.api, key: 'gpk_wrong' }).listSites());
  assert.equal(stranger.code, 'unauthorized');
  assert.ok(!JSON.stringify([stranger, stranger.message]).includes('gpk_'), 'the key is in no error');
});

test('Retry-After is obeyed, unless it takes longer than the caller is patient', async () => {
  const key = await service.issueKey('read', 1);
  const limited = makeGastpassClient({ url: service.api, key, patienceMs: 1_000 });
  await limited.listSites();
  const refused = await refusalOf(limited.listSites());
  assert.deepEqual([refused.status, refused.code], [429, 'rate-limited']);
  assert.ok((refused.retryAfterS ?? 0) > 1);
});

test('a service that does not answer, another server and a redirect are told apart', async () => {
  const never = makeGastpassClient({
    url: service.api,
    key: service.keyText,
    timeoutMs: 20,
    patienceMs: 0,
    fetch: (_, options) =>
      new Promise((_, reject) =>
        options?.signal?.addEventListener('abort', () => reject(options.signal?.reason)),
      ),
  });
  const silent = await refusalOf(never.listSites());
  assert.deepEqual([silent.code, silent.status], ['no-answer', undefined]);
  assert.match(silent.message, /within 20 ms$/);

  const responding = (response: Response) =>
    refusalOf(makeGastpassClient({ url: service.api, key: 'x', fetch: async () => response }).listSites());
  assert.equal((await responding(new Response('<html>'))).code, 'unexpected-answer');
  const older = await responding(new Response('<html>', { status: 404 }));
  assert.match(older.message, /^HTTP 404: is the address .* of Gastpass 0\.3 or newer\?$/);
  const moved = new Response(null, {
    status: 301,
    headers: { location: 'https://wifi.example.org/api/v1/sites' },
  });
  assert.match((await responding(moved)).message, /https:\/\/wifi\.example\.org/);
});
