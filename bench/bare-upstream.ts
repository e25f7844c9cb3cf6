// The upper limit for a driver: only the calls that are needed to create vouchers on a UniFi console, made with undici
// after one login, with nothing recorded. Run as a process, it creates vouchers for the number of seconds in each
// message and replies with the rate.

import { Pool } from 'undici';
import { CALLS_AT_ONCE } from '../src/kernel/controllers/upstream/trusted-pool.ts';
import type { ConsoleConnection } from './start-console.ts';

export type Kind = 'unifi' | 'unifi-classic';
/** A different name for each voucher, or the same name for all vouchers. */
export type Names = 'own' | 'equal';

export interface BareSettings {
  kind: Kind;
  names: Names;
  connection: ConsoleConnection;
}

export interface BareUpstream {
  /** Returns the code of the new voucher. */
  makeVoucher(name: string): Promise<string>;
  /** Creates one voucher of many. On the classic API, one list call per second serves all vouchers of that second. */
  makeOneOfMany(name: string): Promise<unknown>;
  close(): Promise<void>;
}

type Headers = Record<string, string>;

/** Not the site that the service uses: the classic API lists all vouchers that a site created in the same second. */
const SITE = 'k3w9x2pb';
const INTEGRATION = '/proxy/network/integration/v1';
const CLASSIC = `/proxy/network/api/s/${SITE}`;

export const makeNames = (names: Names) => {
  let made = 0;
  return () => (names === 'own' ? `Zimmer ${++made}` : 'Zimmer 12');
};

export async function openBareUpstream({ kind, connection }: BareSettings): Promise<BareUpstream> {
  const pool = new Pool(connection.url, {
    connections: CALLS_AT_ONCE,
    pipelining: 1,
    allowH2: false,
    // A certificate is checked once per connection, and connections are kept, so the check does not affect the rate.
    connect: { rejectUnauthorized: false },
  });
  const calls =
    kind === 'unifi' ? await openIntegration(pool, connection) : await openClassic(pool, connection);
  return { ...calls, close: () => pool.close() };
}

async function openIntegration(pool: Pool, { apiKey }: ConsoleConnection) {
  const headers = { 'x-api-key': apiKey, accept: 'application/json' };
  const sites: { data: { id: string; internalReference: string }[] } = JSON.parse(
    await textOf(pool.request({ method: 'GET', path: `${INTEGRATION}/sites`, headers })),
  );
  const site = sites.data.find(({ internalReference }) => internalReference === SITE)?.id;

  async function makeVoucher(name: string): Promise<string> {
    const order = { count: 1, name, timeLimitMinutes: 480, authorizedGuestLimit: 1 };
    const made: { vouchers: { code: string }[] } = JSON.parse(
      await post(pool, `${INTEGRATION}/sites/${site}/hotspot/vouchers`, order, headers),
    );
    return codeOf(made.vouchers[0]);
  }
  return { makeVoucher, makeOneOfMany: makeVoucher };
}

async function openClassic(pool: Pool, { username, password }: ConsoleConnection) {
  const headers = await login(pool, { username, password });

  let second = 0;

  async function create(name: string): Promise<number> {
    const order = { cmd: 'create-voucher', n: 1, quota: 1, expire: 480, note: name };
    const made: { data: { create_time: number }[] } = JSON.parse(
      await post(pool, `${CLASSIC}/cmd/hotspot`, order, headers),
    );
    return made.data[0]?.create_time ?? 0;
  }

  async function list(createTime: number): Promise<{ note: string; code: string }[]> {
    const body = { create_time: createTime };
    return JSON.parse(await post(pool, `${CLASSIC}/stat/voucher`, body, headers)).data;
  }

  return {
    async makeVoucher(name: string): Promise<string> {
      const listed = await list(await create(name));
      return codeOf(listed.find(({ note }) => note === name));
    },
    async makeOneOfMany(name: string): Promise<void> {
      const createTime = await create(name);
      if (createTime <= second) return;
      const ended = second;
      second = createTime;
      if (ended > 0) await list(ended);
    },
  };
}

async function login(pool: Pool, account: { username: string; password: string }): Promise<Headers> {
  const response = await pool.request({
    method: 'POST',
    path: '/api/auth/login',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...account, rememberMe: true, token: '' }),
  });
  await response.body.dump();
  const cookies = [response.headers['set-cookie'] ?? []].flat();
  return {
    cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; '),
    'x-csrf-token': String(response.headers['x-csrf-token']),
  };
}

function post(pool: Pool, path: string, json: object, headers: Headers): Promise<string> {
  return textOf(
    pool.request({
      method: 'POST',
      path,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    }),
  );
}

async function textOf(request: ReturnType<Pool['request']>): Promise<string> {
  const { statusCode, body } = await request;
  const text = await body.text();
  if (statusCode >= 300) throw new Error(`the console answered ${statusCode}: ${text}`);
  return text;
}

function codeOf(voucher: { code: string } | undefined): string {
  if (!voucher) throw new Error('the console does not show the voucher it made');
  return voucher.code;
}

async function vouchersPerSecond(upstream: BareUpstream, nextName: () => string, seconds: number) {
  const startedAt = performance.now();
  let vouchers = 0;
  const one = async () => {
    while (performance.now() - startedAt < seconds * 1000) {
      // The prefix makes the name as long as the names that the service gives.
      await upstream.makeOneOfMany(`2026-01-15_${nextName()}`);
      vouchers++;
    }
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, one));
  return (vouchers * 1000) / (performance.now() - startedAt);
}

if (import.meta.main) {
  const settings: BareSettings = JSON.parse(process.argv[2] ?? '');
  const upstream = await openBareUpstream(settings);
  const nextName = makeNames(settings.names);
  process.on('message', async (seconds) =>
    process.send?.(await vouchersPerSecond(upstream, nextName, Number(seconds))),
  );
  process.send?.('ready');
}
