// Which failures the client repeats, and for how long: what `Gastpass-Retry` says counts, and without it the status.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GastpassError, makeGastpassClient } from '../../packages/client/src/index.ts';
import { decideRetry, pauseBefore, type Retry } from '../../packages/client/src/retry.ts';

const ORDER = { site: 1, name: 'Room 12' };
const VOUCHER = { id: 17, code: '0482715936', formatted_code: '04827-15936' };
const CREATED = { vouchers: [VOUCHER] };
const PROBLEM = {
  type: '/api-docs/problems#creation-failed',
  title: 'The voucher was not created',
  detail: 'text',
};

type Planned = [status: number, headers?: Record<string, string>, body?: object];

/**
 * A client of a service that gives these responses, one after the other; `keys` has the Idempotency-Keys that arrived.
 */
function clientOf(responses: (Planned | Error)[], patienceMs?: number) {
  const keys: (string | null)[] = [];
  const client = makeGastpassClient({
    url: 'https://wifi.example.org/api',
    key: 'gpk_test',
    ...(patienceMs !== undefined && { patienceMs }),
    async fetch(_, options) {
      const response = responses[keys.length] ?? [400, {}, { type: '', title: 'one request too many' }];
      keys.push(new Headers(options?.headers).get('idempotency-key'));
      if (response instanceof Error) throw response;
      const [status, headers = {}, body = PROBLEM] = response;
      return Response.json(body, { status, headers });
    },
  });
  return { client, keys };
}

async function failureOf(deed: Promise<unknown>): Promise<GastpassError> {
  const error = await deed.catch((reason: unknown) => reason);
  assert.ok(error instanceof GastpassError, String(error));
  return error;
}

const lost = new TypeError('fetch failed', { cause: new Error('socket hang up') });
const refused = new TypeError('fetch failed', {
  cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
});
const untrusted = new TypeError('fetch failed', {
  cause: Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
});

test('a refusal is thrown at once, with all that the service says about it', async () => {
  const headers = { 'gastpass-retry': 'no', 'gastpass-cause': 'login-refused', 'x-request-id': 'r-1' };
  const { client, keys } = clientOf([[502, headers]]);
  const { status, code, message, retry, cause, requestId } = await failureOf(client.createVoucher(ORDER));
  assert.deepEqual(
    [status, code, message, retry, cause, requestId],
    [502, 'creation-failed', 'The voucher was not created: text', 'no', 'login-refused', 'r-1'],
  );
  assert.equal(keys.length, 1);
});

test('an unknown outcome is repeated with the same Idempotency-Key, and the result says that it was replayed', async () => {
  const { client, keys } = clientOf([
    [500, { 'gastpass-retry': 'after-settling' }],
    [409, { 'gastpass-retry': 'after-settling', 'retry-after': '0' }],
    [201, { 'idempotent-replayed': 'true' }, CREATED],
  ]);
  assert.deepEqual(await client.createVoucher(ORDER), { ...VOUCHER, replayed: true, freed: false });
  assert.equal(keys.length, 3);
  assert.equal(new Set(keys).size, 1);
});

test('the result says that the Idempotency-Key was free again', async () => {
  const { client } = clientOf([[201, { 'idempotency-key-freed': 'true' }, CREATED]]);
  const made = await client.createVoucher(ORDER, { idempotencyKey: 'client-4711-r1' });
  assert.deepEqual([made.replayed, made.freed], [false, true]);
});

test('the error has the first cause that was told', async () => {
  const failed: Planned = [502, { 'gastpass-retry': 'after-settling', 'gastpass-cause': 'too-slow' }];
  const waiting: Planned = [409, { 'gastpass-retry': 'after-settling', 'retry-after': '0' }];
  const busy: Planned = [503, { 'gastpass-retry': 'no', 'gastpass-cause': 'busy' }];
  for (const last of [waiting, lost, busy]) {
    const { client } = clientOf([failed, waiting, last], 1_000);
    assert.equal((await failureOf(client.createVoucher(ORDER))).cause, 'too-slow');
  }
  const { client } = clientOf([[503], busy]);
  assert.equal((await failureOf(client.createVoucher(ORDER))).cause, 'busy');
});

test('a 500 that does not say whether to repeat is repeated twice', async () => {
  const { client, keys } = clientOf([[500], [500], [500]]);
  const { retry } = await failureOf(client.createVoucher(ORDER));
  assert.deepEqual([retry, keys.length], [undefined, 3]);
});

test('if a voucher may exist because of an earlier attempt, the last failure says so', async () => {
  for (const last of [refused, [503, { 'gastpass-retry': 'yes', 'retry-after': '60' }] satisfies Planned]) {
    const { client } = clientOf([lost, last], 1_000);
    assert.equal((await failureOf(client.createVoucher(ORDER))).retry, 'after-settling');
  }
});

test('a lost answer, a request that was never sent and an untrusted certificate are told apart', async () => {
  const retryFor = async (error: Error, deed: 'createVoucher' | 'listSites') => {
    const { client } = clientOf([error], 0);
    return (await failureOf(deed === 'listSites' ? client.listSites() : client.createVoucher(ORDER))).retry;
  };
  assert.equal(await retryFor(lost, 'createVoucher'), 'after-settling');
  assert.equal(await retryFor(lost, 'listSites'), 'yes');
  assert.equal(await retryFor(refused, 'createVoucher'), 'yes');
  assert.equal(await retryFor(untrusted, 'createVoucher'), 'no');
});

describe('without Gastpass-Retry the status decides', () => {
  const rows: [number[], Retry | undefined][] = [
    [[301, 400, 401, 403, 404, 405, 413, 422], 'no'],
    [[408, 429, 503], 'yes'],
    [[409, 502, 504], 'after-settling'],
    [[500], undefined],
  ];
  for (const [statuses, expected] of rows)
    for (const status of statuses)
      test(`${status}: ${expected}`, () => {
        for (const told of [null, 'perhaps'])
          assert.equal(decideRetry({ told, status, creates: true, mayExist: false }), expected);
        assert.equal(decideRetry({ told: 'no', status, creates: true, mayExist: false }), 'no');
      });
});

test('patience: a minute, two minutes if a voucher may exist, or what the caller says; pauses grow to 10 seconds', () => {
  const pauseOf = (
    retry: Retry,
    elapsedMs: number,
    more: { attempt?: number; s?: number; patienceMs?: number } = {},
  ) =>
    pauseBefore(
      more.attempt ?? 2,
      { retry, retryAfterS: more.s },
      { elapsedMs, patienceMs: more.patienceMs },
    );
  assert.deepEqual(
    [2, 3, 4, 5, 6, 7, 50].map((attempt) => pauseOf('yes', 0, { attempt })),
    [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000],
  );
  assert.deepEqual([pauseOf('yes', 59_000), pauseOf('yes', 60_000)], [500, undefined]);
  assert.deepEqual(
    [pauseOf('after-settling', 110_000, { attempt: 20 }), pauseOf('after-settling', 120_000)],
    [10_000, undefined],
    'longer than settling takes',
  );
  assert.deepEqual([pauseOf('yes', 0, { s: 42 }), pauseOf('yes', 20_000, { s: 42 })], [42_000, undefined]);
  assert.equal(pauseOf('after-settling', 0, { patienceMs: 0 }), undefined);
  assert.equal(pauseOf('no', 0, { patienceMs: 60_000 }), undefined);
});

describe('a signal ends a call', () => {
  const gone = new Error('the guest left');

  test('while it waits for the next attempt', async () => {
    const stop = new AbortController();
    const { client } = clientOf([[429, { 'retry-after': '50' }]]);
    const call = client.listSites({ signal: stop.signal });
    setTimeout(() => stop.abort(gone), 20);
    await assert.rejects(call, gone);
  });

  test('while it waits for an answer, and before it begins', async () => {
    const stop = new AbortController();
    const client = makeGastpassClient({
      url: 'https://wifi.example.org/api',
      key: 'gpk_test',
      fetch: (_, options) =>
        new Promise((_, reject) => {
          const { signal } = options ?? {};
          if (signal?.aborted) reject(signal.reason);
          signal?.addEventListener('abort', () => reject(signal.reason));
        }),
    });
    const calls = [
      client.listVouchers({}, { signal: stop.signal }),
      client.createVoucher(ORDER, { signal: stop.signal }),
      client.revokeVoucher({ site: 1, code: '0482715936' }, { signal: stop.signal }),
    ];
    setTimeout(() => stop.abort(gone), 20);
    for (const call of calls) await assert.rejects(call, gone);
    await assert.rejects(client.listSites({ signal: stop.signal }), gone);
  });
});

test('a url or a key that cannot work is refused at once, without repeating it in the message', async () => {
  const make = (url: string, key: string) => () => makeGastpassClient({ url, key });
  const nothing: string = JSON.parse('{}').url;
  for (const url of ['', nothing]) assert.throws(make(url, 'gpk_x'), /^TypeError: The url is missing: /);
  for (const url of [
    'gastpass.example.org',
    'gastpass.example.org:8443/api',
    '//gastpass.example.org',
    'gpk_secret',
  ])
    assert.throws(make(url, 'gpk_x'), (error: Error) => {
      assert.match(error.message, /^The url lacks https:\/\/ at its beginning: /);
      return !error.message.includes(url);
    });
  assert.throws(make('https://', 'gpk_x'), /^TypeError: The url is not an address: /);
  assert.throws(make('https://wifi.example.org/api', ''), /^TypeError: The key is missing: /);
  assert.throws(make('https://wifi.example.org/api', 'gpk_ä'), /^TypeError: The key contains /);
  const { client } = clientOf([]);
  await assert.rejects(client.createVoucher(ORDER, { idempotencyKey: '→' }), TypeError);
});
