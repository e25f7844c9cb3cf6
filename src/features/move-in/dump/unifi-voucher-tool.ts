// Reads the dump of Unifi-Voucher-Tool. The first reading checks the whole file and collects the small tables, so that
// nothing is written if the file is broken. Vouchers and audit entries are read again while they are written.

import { createReadStream } from 'node:fs';
import type { MovedInData, MovedInTable } from '../moved-in-data.ts';
import { Remarks } from '../report.ts';
import { DumpError } from './dump-scanner.ts';
import { type DumpRow, readDump, type WantedTables } from './mysql-dump.ts';
import {
  type DumpReading,
  readEntry,
  readGrant,
  readKey,
  readProfile,
  readSite,
  readUser,
  readVoucher,
  remarkUnstorable,
} from './tool-rows.ts';

/** Limits the memory: a dump with more rows in a small table is refused. */
const MAX_SMALL_ROWS = 200_000;

const columns = (names: string) => names.split(' ');
const TABLES = {
  settings: columns('id setting_key setting_value created_at updated_at'),
  sites: columns(
    'id name site_id unifi_controller_url unifi_username unifi_password is_active public_access created_at updated_at',
  ),
  users: columns(
    'id email name password_hash is_admin is_active microsoft_id totp_secret totp_enabled totp_backup_codes last_login created_at updated_at',
  ),
  user_site_access: columns('id user_id site_id created_at'),
  voucher_templates: columns(
    'id name max_uses expire_minutes description qos_rate_max_down qos_rate_max_up qos_usage_quota is_active created_by created_at updated_at',
  ),
  api_keys: columns(
    'id name key_prefix key_hash scope rate_limit created_by last_used_at is_active created_at',
  ),
  vouchers: columns(
    'id site_id user_id voucher_code voucher_name max_uses expire_minutes created_at unifi_voucher_id status used_count expires_at synced_from_unifi last_sync',
  ),
  audit_log: columns('id user_id action entity_type entity_id details ip_address created_at'),
} satisfies WantedTables;

const SMALL = ['settings', 'sites', 'users', 'user_site_access', 'voucher_templates', 'api_keys'];
/** Every dump of the tool has rows in these two tables. */
const NEEDED: MovedInTable[] = ['sites', 'users'];

interface Input {
  file: string;
  appKey: Buffer | undefined;
  /** Used for the times in a dump that does not set a time zone. */
  timeZone: string;
}

export async function readUnifiVoucherTool({
  file,
  ...how
}: Input): Promise<{ data: MovedInData; remarks: Remarks }> {
  const remarks = new Remarks();
  const reading: DumpReading = { ...how, remarks };
  const found: Record<MovedInTable, number> = {
    sites: 0,
    users: 0,
    user_site_access: 0,
    voucher_templates: 0,
    api_keys: 0,
    vouchers: 0,
    audit_log: 0,
  };
  const small = new Map<string, DumpRow[]>(SMALL.map((table) => [table, []]));
  let isZoneUnknown = false;
  for await (const rows of readDump(createReadStream(file), TABLES))
    for (const row of rows) {
      const { table, line, zone } = row;
      if (isMovedIn(table, found)) {
        found[table]++;
        remarkUnstorable(row, table, reading);
      }
      isZoneUnknown ||= zone === null;
      // Remarks about vouchers are made only in this first reading: the second one may be repeated, and so would they.
      if (table === 'vouchers') readVoucher(row, reading);
      const kept = small.get(table);
      kept?.push(row);
      if (kept && kept.length > MAX_SMALL_ROWS)
        throw new DumpError(line, `the table ${table} has too many rows`);
    }
  if (NEEDED.some((table) => found[table] === 0))
    throw new DumpError(
      1,
      `the file has no rows for the tables ${NEEDED.join(' and ')}: it is not a dump of Unifi-Voucher-Tool`,
    );
  if (isZoneUnknown)
    remarks.add(
      'dump',
      `the dump does not set a time zone: its times are taken as times in ${how.timeZone} (TZ)`,
    );
  for (const row of small.get('settings') ?? [])
    remarks.add(
      'settings',
      'not taken over: set it on the page Settings if you need it',
      row.fields.get('setting_key') ?? '',
    );

  const rowsOf = (table: MovedInTable) => small.get(table) ?? [];
  const silent: DumpReading = { ...reading, remarks: new Remarks() };
  const data: MovedInData = {
    found,
    sites: readAll(rowsOf('sites'), (row) => readSite(row, reading)),
    users: readAll(rowsOf('users'), (row) => readUser(row, reading)),
    grants: readAll(rowsOf('user_site_access'), readGrant),
    profiles: readAll(rowsOf('voucher_templates'), (row) => readProfile(row, reading)),
    keys: readAll(rowsOf('api_keys'), (row) => readKey(row, reading)),
    async *vouchers(which) {
      for await (const rows of rowsAgain(file, 'vouchers'))
        yield readAll(rows, (row) => readVoucher(row, silent)).filter(
          ({ controllerVoucherId }) => (controllerVoucherId !== null) === (which === 'with-id'),
        );
    },
    async *entries() {
      for await (const rows of rowsAgain(file, 'audit_log')) yield rows.map((row) => readEntry(row, silent));
    },
  };
  return { data, remarks };
}

function isMovedIn(table: string, found: Record<MovedInTable, number>): table is MovedInTable {
  return Object.hasOwn(found, table);
}

function readAll<Value>(rows: DumpRow[], read: (row: DumpRow) => Value | undefined): Value[] {
  return rows.map(read).filter((value) => value !== undefined);
}

function rowsAgain(file: string, table: 'vouchers' | 'audit_log'): AsyncGenerator<DumpRow[]> {
  return readDump(createReadStream(file), { [table]: TABLES[table] });
}
