// The upper limit for one instance on PostgreSQL: a bare node:http server on `pg` that runs one statement for a list
// (key, limit, version) and three for a creation (intent, voucher with its records, list version). Run as a program
// with the database URL and the key's id, it prints its URL.

import { spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const POOL_SIZE = 10;

const LIST = `with counted as (
    insert into rate_windows values ($1, $3, 1, 0)
    on conflict (api_key_id) do update set counted = rate_windows.counted + 1 returning counted)
  select key_hash, revoked_at_ms, expires_at_ms, site_ids, counted, list_version
  from api_keys, counted, sites where api_keys.id = $1 and sites.id = $2`;
const ORDER = 'site_id, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb, source, actor_id';
const INTENT = `with counted as (
    insert into rate_windows values ($1, $3, 1, 0)
    on conflict (api_key_id) do update set counted = rate_windows.counted + 1 returning counted)
  insert into intents (${ORDER}, created_at_ms)
  select sites.id, $4, 1, 480, 0, 0, 0, 'API: bench', $1, $3
  from api_keys, counted, sites where api_keys.id = $1 and sites.id = $2 returning id`;
const RECORD = `with intent as (delete from intents where id = $1 returning ${ORDER}),
  voucher as (
    insert into vouchers (${ORDER}, code, name_order, controller_voucher_id, used_count, created_at_s)
    select ${ORDER}, $2, 'zimmer 12', $3, 0, $4::bigint / 1000 from intent returning id),
  event as (
    insert into outbox (event_id, voucher_count, site_name, source, created_at_ms)
    select $3, 1, 'Demo', 'API: bench', $4::bigint from voucher)
  insert into audit (at_ms, actor, actor_id, action, subject, address)
  select $4::bigint, 'API: bench', actor_id, 'voucher.created', name, '127.0.0.1' from intent`;
const CHANGED = 'update sites set list_version = list_version + 1 where id = $1';

interface BareSettings {
  databaseUrl: string;
  keyId: string;
  list: string;
}

export async function startBarePostgres({ databaseUrl, keyId, list }: BareSettings) {
  const program = [fileURLToPath(import.meta.url), databaseUrl, keyId];
  const child = spawn(process.execPath, program, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(list);
  const [line] = await once(child.stdout, 'data');
  return { url: String(line).trim(), process: child, stop: () => child.kill() };
}

async function serve(connectionString: string, keyId: string): Promise<void> {
  const list = await buffer(process.stdin);
  const pool = new pg.Pool({ connectionString, max: POOL_SIZE });
  async function create(): Promise<Buffer> {
    const code = String(randomInt(1e9, 1e10));
    const { rows } = await pool.query(INTENT, [keyId, 1, Date.now(), '2026-01-15_Zimmer 12']);
    await pool.query(RECORD, [rows[0]?.id, code, randomUUID(), Date.now()]);
    await pool.query(CHANGED, [1]);
    return Buffer.from(JSON.stringify({ success: true, code }));
  }
  const server = createServer(async (request, response) => {
    const isCreation = request.method === 'POST';
    if (isCreation) await buffer(request);
    else await pool.query(LIST, [keyId, 1, Date.now()]);
    const body = isCreation ? await create() : list;
    response.writeHead(isCreation ? 201 : 200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
    });
    response.end(body);
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`);
  });
}

if (import.meta.main) await serve(process.argv[2] ?? '', process.argv[3] ?? '');
