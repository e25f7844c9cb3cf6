// Tests the client of the API against a service: what it returns, the errors it throws, and that a request that has to be
// repeated creates one voucher. Faults are put between the client and the service by replacing `fetch`.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { GastpassError, makeGastpassClient } from '../../packages/client/src/index.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const ORDER = { site_id: 1, name: 'Zimmer 12', max_uses: 2, expire_minutes: 60, qos: { down: 10_000 } };

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

test('sites are listed, a voucher is created, listed and revoked', async () => {
  const { client } = service;
  assert.deepEqual(await client.listSites(), [{ id: 1, name: 'Demo', site_id: 'default' }]);
  const made = await client.createVoucher(ORDER);
  assert.deepEqual([made.site, made.max_uses, made.expire_minutes], ['Demo', 2, 60]);
  const status = async () =>
    (await client.listVouchers(1)).find(({ voucher_code }) => voucher_code === made.code)?.status;
  assert.equal(await status(), 'valid');
  await client.revokeVoucher(1, made.formatted_code);
  await client.revokeVoucher(1, made.code);
  assert.equal(await status(), 'expired');
});

test('an unchanged list is not sent again, and is the same array', async () => {
  const statuses: number[] = [];
  const { client } = clientWith((_, response) => {
    statuses.push(response.status);
    return response;
  });
  const first = await client.listVouchers(1);
  assert.equal(await client.listVouchers(1), first);
  await client.createVoucher(ORDER);
  assert.equal((await client.listVouchers(1)).length, first.length + 1);
  assert.deepEqual(statuses, [200, 304, 201, 200]);
});

test('lost and broken answers are repeated with the same Idempotency-Key and body, and create one voucher', async () => {
  const count = async () => (await service.client.listVouchers(1)).length;
  const before = await count();
  const { client, sent } = clientWith((attempt, response) => {
    if (attempt === 1) throw new TypeError('fetch failed', { cause: new Error('socket hang up') });
    return attempt === 2 ? new Response('<h1>Bad Gateway</h1>', { status: 502 }) : response;
  });
  const made = await client.createVoucher(ORDER);
  assert.equal(sent.length, 3);
  assert.equal(new Set(sent.map(({ headers, body }) => headers.get('idempotency-key') + body)).size, 1);
  assert.equal(await count(), before + 1);
  assert.equal((await service.client.listVouchers(1))[0]?.voucher_code, made.code);
});

test('an Idempotency-Key of the caller gets the same voucher again', async () => {
  const options = { idempotencyKey: 'booking-4711-r1' };
  const [one, two] = [
    await service.client.createVoucher(ORDER, options),
    await service.client.createVoucher(ORDER, options),
  ];
  assert.deepEqual([one.replayed, two.replayed, two.code], [false, true, one.code]);
  const reused = await refusalOf(service.client.createVoucher({ ...ORDER, name: 'x' }, options));
  assert.deepEqual([reused.status, reused.code], [422, 'idempotency_key_reused']);
});

test('refusals are thrown with status, code, message and request id, and are not repeated', async () => {
  const { client, sent } = clientWith((_, response) => response);
  const missing = await refusalOf(client.revokeVoucher(1, '0000000000'));
  assert.deepEqual(
    [missing.status, missing.code, missing.message],
    [404, 'not_found', 'Voucher nicht gefunden'],
  );
  assert.ok(service.logLines.some(({ requestId }) => requestId === missing.requestId));
  assert.equal(sent.length, 1);
  const reader = makeGastpassClient({ url: service.api, key: await service.issueKey('read') });
  assert.equal((await refusalOf(reader.createVoucher(ORDER))).code, 'forbidden');
  const stranger = await refusalOf(makeGastpassClient({ url: service.api, key: 'gpk_wrong' }).listSites());
  assert.equal(stranger.code, 'unauthorized');
  assert.ok(!JSON.stringify([stranger, stranger.message]).includes('gpk_'), 'the key is in no error');
});

test('Retry-After is obeyed, unless it takes longer than the caller is patient', async () => {
  const key = await service.issueKey('read', 1);
  const limited = makeGastpassClient({ url: service.api, key, patienceMs: 1_000 });
  await limited.listSites();
  const refused = await refusalOf(limited.listSites());
  assert.deepEqual([refused.status, refused.code], [429, 'rate_limited']);
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
  assert.deepEqual([silent.code, silent.status], ['no_answer', undefined]);
  assert.match(silent.message, /within 20 ms$/);

  const responding = (response: Response) =>
    refusalOf(makeGastpassClient({ url: service.api, key: 'x', fetch: async () => response }).listSites());
  assert.equal((await responding(new Response('<html>'))).code, 'unexpected_answer');
  const moved = new Response(null, {
    status: 301,
    headers: { location: 'https://wifi.example.org/api/sites.php' },
  });
  assert.match((await responding(moved)).message, /https:\/\/wifi\.example\.org/);
});
