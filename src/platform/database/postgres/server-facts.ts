// Reads what decides whether Gastpass can work on a PostgreSQL server: its version, its encoding, the rights of the
// role, and the server's clock.

import * as v from 'valibot';
import { guarded, makePool, type PostgresOptions } from './connection.ts';

const SERVER_FACTS = v.object({
  version: v.string(),
  major: v.number(),
  encoding: v.string(),
  role: v.string(),
  schema: v.string(),
  nowMs: v.number(),
  /** Null if the connection uses a Unix socket. */
  ip: v.nullable(v.string()),
  /** Tables that the role may not read or may not write. */
  forbidden: v.array(v.string()),
  /** Whether the role may create tables, and alter the existing ones. */
  mayMigrate: v.boolean(),
  /** The owner of the tables; null if the role may read and write all tables that this owner adds later. */
  closedOwner: v.nullable(v.string()),
});
export type ServerFacts = v.InferOutput<typeof SERVER_FACTS>;

const QUERY = `
  select
    current_setting('server_version') as "version",
    current_setting('server_version_num')::int / 10000 as "major",
    current_setting('server_encoding') as "encoding",
    current_user::text as "role",
    current_schema()::text as "schema",
    (extract(epoch from clock_timestamp()) * 1000)::bigint as "nowMs",
    host(inet_server_addr()) as "ip",
    array(
      select relname::text from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'r'
        and not (has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
          and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete'))
      order by relname
    ) as "forbidden",
    has_schema_privilege(current_schema(), 'create') and not exists (
      select from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'r' and not pg_has_role(relowner, 'usage')
    ) as "mayMigrate",
    (
      select pg_get_userbyid(relowner)::text from pg_class
      where oid = to_regclass('schema_version') and not pg_has_role(relowner, 'usage')
        and not array['SELECT', 'INSERT', 'UPDATE', 'DELETE'] <@ array(
          select privilege_type from pg_default_acl, aclexplode(defaclacl)
          where defaclrole = relowner and defaclobjtype = 'r' and defaclnamespace in (0, relnamespace)
            and (grantee = 0 or pg_has_role(grantee, 'usage'))
        )
    ) as "closedOwner"`;

export async function readServerFacts(options: PostgresOptions): Promise<ServerFacts> {
  await using pool = await makePool({ ...options, poolSize: 1 });
  const { rows } = await guarded(() => pool.query(QUERY));
  return v.parse(SERVER_FACTS, rows[0]);
}
