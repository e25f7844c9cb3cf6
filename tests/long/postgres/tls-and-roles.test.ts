// PostgreSQL as administrators run it: TLS with client certificates, a role that owns the tables and another one that
// only reads and writes them, and pg_dump while the service works. The commands are those of docs/postgresql.md.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { openPostgres } from '../../../src/platform/database/postgres/open-postgres.ts';
import { type Authority, contentOf, makeAuthority } from '../../support/certificates.ts';
import { askServer } from '../../support/postgres.ts';
import { findBinaries, type PostgresServer, startPostgres } from '../../support/postgres-server.ts';
import { startRecordingProxy } from '../../support/recording-proxy.ts';
import { callApi, runGastpass, startGastpass } from '../../support/run-gastpass.ts';
import { checkStuckStatements } from '../../support/stuck-statements.ts';

const run = promisify(execFile);
const SECRET = 'a secret of forty characters for a test.';
/** The code of a request to cancel a statement, as it would appear in an unencrypted connection. */
const CANCEL_REQUEST = Buffer.from([0x04, 0xd2, 0x16, 0x2e]);

const folder = mkdtempSync(join(tmpdir(), 'gastpass-tls-'));
let server: PostgresServer;
let authority: Authority;
let client: ReturnType<Authority['issue']>;
before(async () => {
  authority = makeAuthority(folder, 'authority');
  const { certificateFile, keyFile } = authority.issue('server', 'DNS:localhost');
  client = authority.issue('gastpass_service');
  server = await startPostgres({
    settings: {
      ssl: 'on',
      ssl_cert_file: 'server.crt',
      ssl_key_file: 'server.key',
      ssl_ca_file: 'authority.crt',
    },
    files: {
      'server.crt': contentOf(certificateFile),
      'server.key': contentOf(keyFile),
      'authority.crt': contentOf(authority.file),
      'pg_hba.conf': [
        'host    all      gastpass          all trust',
        'hostssl all      gastpass_service  all cert',
        'hostssl all      gastpass_owner    all scram-sha-256',
      ].join('\n'),
    },
  });
  for (const statement of [
    "create role gastpass_owner login password 'owner'",
    'create role gastpass_service login',
    "create database hotel owner gastpass_owner encoding 'UTF8' template template0",
  ])
    await askServer(server.url, statement);
});
after(() => {
  server.stop();
  rmSync(folder, { recursive: true });
});

function urlOf(role: string, parameters: Record<string, string>, { host = 'localhost' } = {}): string {
  const url = new URL(server.url);
  [url.username, url.hostname, url.pathname] = [role, host, '/hotel'];
  if (role === 'gastpass_owner') url.password = 'owner';
  url.search = new URLSearchParams(parameters).toString();
  return url.href;
}

const verified = () => ({ sslmode: 'verify-full', sslrootcert: authority.file });
const serviceUrl = () =>
  urlOf('gastpass_service', { ...verified(), sslcert: client.certificateFile, sslkey: client.keyFile });
const settings = (url: string) => ({
  dataDir: join(folder, 'data'),
  environment: { DATABASE_URL: url, GASTPASS_SECRET: SECRET },
});
/** The findings of `doctor --database` that are not ok, apart from a round trip that a busy machine makes slow. */
async function findings(url: string): Promise<string[]> {
  const { stdout } = await runGastpass(['doctor', '--database', '--json'], settings(url));
  const found: { state: string; about: string; text: string }[] = JSON.parse(stdout);
  return found
    .filter(({ state, text }) => state !== 'ok' && !text.includes('ms per round trip, and'))
    .map(({ about, text }) => `${about}: ${text}`);
}

test('a certificate of another authority, another host name, a missing client certificate and no TLS are refused', async () => {
  const other = makeAuthority(folder, 'other');
  const [ofOther] = await findings(urlOf('gastpass_owner', { ...verified(), sslrootcert: other.file }));
  assert.match(ofOther ?? '', /^Connection: .*(certificate|signature)/);
  const [ofHost] = await findings(urlOf('gastpass_owner', verified(), { host: '127.0.0.1' }));
  assert.match(ofHost ?? '', /^Connection: .*does not match certificate's altnames/);
  const [noClient] = await findings(urlOf('gastpass_service', verified()));
  assert.match(noClient ?? '', /^Connection: .*requires a valid client certificate/);
  const [noTls] = await findings(urlOf('gastpass_owner', {}));
  assert.match(noTls ?? '', /^Connection: .*no pg_hba\.conf entry for host .* no encryption/);
});

test('before the tables exist, the owner may create them, and the role of the service may not', async () => {
  assert.deepEqual(await findings(urlOf('gastpass_owner', verified())), [
    'Durability: fsync is off, so a power cut can destroy the database. Set fsync = on.',
  ]);
  const { code, stderr } = await runGastpass(['serve'], settings(serviceUrl()));
  assert.match(
    stderr,
    /may not create or change the tables \(permission denied for schema public\): run gastpass migrate with the role that owns them/,
  );
  assert.equal(code, 2);
});

test('a role that may only read and write serves tables of another role, while pg_dump copies them', async () => {
  const migrated = await runGastpass(['migrate'], settings(urlOf('gastpass_owner', verified())));
  assert.equal(migrated.code, 0, migrated.stderr);
  const hotel = new URL(server.url);
  hotel.pathname = '/hotel';
  for (const statement of [
    'grant usage on schema public to gastpass_service',
    'grant select, insert, update, delete on all tables in schema public to gastpass_service',
    'grant select on all sequences in schema public to gastpass_service',
  ])
    await askServer(hotel.href, statement);
  const advice =
    'alter default privileges for role gastpass_owner in schema public grant select, insert, update, delete on tables to gastpass_service';
  const [aboutRights] = await findings(serviceUrl());
  assert.equal(
    aboutRights,
    `PostgreSQL: The role gastpass_service lacks rights on tables that a later release adds. Grant the rights on the database server before the next upgrade: ${advice}`,
  );
  await askServer(hotel.href, advice);

  const service = await startGastpass(settings(serviceUrl()));
  try {
    const key = /API key +(\S+)/.exec(service.stdout())?.[1] ?? '';
    const order = async () => {
      const { status, json } = await callApi(service, { key, body: { site_id: 1, name: 'Zimmer 12' } });
      assert.equal(status, 201);
      return String(json.code);
    };
    const before = [await order(), await order()];
    let isDumped = false;
    const load = (async () => {
      while (!isDumped) await order();
    })();
    const dump = join(folder, 'gastpass.dump');
    const bin = findBinaries();
    try {
      await run(join(bin, 'pg_dump'), ['--format=custom', `--file=${dump}`, `--dbname=${serviceUrl()}`]);
    } finally {
      isDumped = true;
      await load;
    }
    await askServer(server.url, "create database restored encoding 'UTF8' template template0");
    const restored = new URL(server.url);
    restored.pathname = '/restored';
    await run(join(bin, 'pg_restore'), ['--no-owner', '--no-privileges', `--dbname=${restored.href}`, dump]);
    const codes = (await askServer(restored.href, 'select code from vouchers')).map(({ code }) => code);
    assert.deepEqual(
      before.filter((code) => !codes.includes(code)),
      [],
    );
  } finally {
    await service.stop();
  }
  assert.deepEqual(await findings(serviceUrl()), [
    'Durability: fsync is off, so a power cut can destroy the database. Set fsync = on.',
  ]);
});

test('a stuck statement is cancelled through TLS, at the server that runs it', async () => {
  const proxy = await startRecordingProxy(server.url);
  const url = new URL(serviceUrl());
  url.port = String(proxy.port);
  try {
    const rows = (sql: string) => askServer(server.url, sql);
    const owned = new URL(urlOf('gastpass_owner', verified()));
    owned.port = url.port;
    await checkStuckStatements({ rows }, owned.href);
    assert.ok(proxy.connections().length >= 3);
    assert.deepEqual(
      proxy.connections().filter((bytes) => bytes.includes(CANCEL_REQUEST)),
      [],
    );
  } finally {
    proxy.close();
  }
});

test('a password that was changed makes the database unavailable until it is right again', async () => {
  const url = urlOf('gastpass_owner', verified());
  const database = await openPostgres({ url, poolSize: 2, statementTimeoutMs: 5_000 });
  const ask = () => sql`select 1 as answer`.execute(database.read);
  try {
    await ask();
    await askServer(server.url, "alter role gastpass_owner password 'another'");
    await askServer(
      server.url,
      "select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = 'gastpass_owner'",
    );
    await assert.rejects(async () => {
      // The first query may still meet the connection that was cut.
      await ask().catch(() => ask());
    }, /database unavailable: password authentication failed/);
    await askServer(server.url, "alter role gastpass_owner password 'owner'");
    assert.equal((await ask()).rows.length, 1);
  } finally {
    await database.close();
  }
});
