// Searches all tables for a person's name, e-mail address or IP address, and replaces it where nothing depends on it.
// Records are read page by page, so that requests are served in between.

import { sql } from 'kysely';
import type { AuditContext } from '../../domain/audit/audit-log.ts';
import { asSiteId, asVoucherId } from '../../domain/ids.ts';
import type { Mention, PersonalDataStore } from '../../domain/privacy/personal-data.ts';
import type { PersonalText } from '../../domain/privacy/personal-text.ts';
import { insertAuditEntry } from '../audit/queries.ts';
import type { Database, Handle } from '../database.ts';
import { copiedTables } from '../move/copied-tables.ts';
import { pagesOf, type Row } from '../move/table-rows.ts';
import type { Tables } from '../schema.ts';
import { raiseListVersion } from '../sites/queries.ts';
import { forgetBlocksOf } from '../vouchers/search-index-queries.ts';
import { toNameOrder } from '../vouchers/sorting.ts';

interface Personal<Column> {
  /** Columns in which the text is replaced. */
  erased?: readonly Column[];
  /** Columns that are only searched: of users, settings, and intents (settling needs their names). */
  kept?: readonly Column[];
}

/** The columns that may contain personal data. A new table that is missing here does not compile. */
const PERSONAL: { [Table in keyof Tables]: Personal<keyof Tables[Table] & string> } = {
  vouchers: { erased: ['name', 'source', 'revoked_by'] },
  batches: { erased: ['name'] },
  bulk_revocations: { erased: ['address'] },
  audit: { erased: ['actor', 'subject', 'address'] },
  outbox: { erased: ['source'] },
  deliveries: { erased: ['source', 'details'] },
  delivery_tries: { erased: ['error', 'answer'] },
  site_syncs: { erased: ['error'] },
  users: { kept: ['name', 'email'] },
  identities: { kept: ['name', 'email'] },
  web_sessions: { kept: ['address', 'agent'] },
  sign_in_failures: { kept: ['subject'] },
  intents: { kept: ['name', 'source'] },
  api_keys: { kept: ['name', 'note', 'last_used_ip'] },
  sites: { kept: ['name'] },
  profiles: { kept: ['name'] },
  webhooks: { kept: ['name'] },
  site_slips: { kept: ['wifi_name', 'text', 'steps_de', 'steps_en'] },
  settings: { kept: ['value'] },
  // Numbers, codes, secrets and images.
  list_changes: {},
  controller_sessions: {},
  voucher_parts: {},
  idempotent_answers: {},
  rate_windows: {},
  leases: {},
  user_sites: {},
  profile_sites: {},
  bulk_revocation_vouchers: {},
  images: {},
  second_factors: {},
  recovery_codes: {},
  half_sign_ins: {},
  sent_forms: {},
  invitations: {},
  single_sign_on: {},
  external_sessions: {},
};

const SECRET = /hash|sealed|token|digest/;

type Place = [table: keyof Tables, columns: readonly string[]];

export function makePersonalDataStore(database: Database): PersonalDataStore {
  return {
    find: (text) => findMentions(database.read, text),
    async erase(text, audit) {
      const counts: Record<string, number> = {};
      for (const place of placesOf('erased'))
        for await (const rows of pagesOf(database.read, place[0], copiedTables[place[0]])) {
          const changes = rows.flatMap((row) => toChange(row, place, text) ?? []);
          if (changes.length === 0) continue;
          await database.write((transaction) => applyChanges(transaction, place[0], changes));
          counts[place[0]] = (counts[place[0]] ?? 0) + changes.length;
        }
      await noteErasure(database, counts, audit);
      return counts;
    },
  };
}

async function* findMentions(handle: Handle, text: PersonalText): AsyncGenerator<Mention> {
  for (const kind of ['erased', 'kept'] as const)
    for (const [table, columns] of placesOf(kind))
      for await (const rows of pagesOf(handle, table, copiedTables[table]))
        for (const row of rows) {
          const found = columns.filter((column) => contains(row, column, text));
          if (found.length === 0) continue;
          const readable = Object.entries(row).filter(([name]) => !SECRET.test(name));
          const listed = table === 'vouchers' && found.includes('name') ? toListed(row) : undefined;
          yield {
            table,
            row: Object.fromEntries(readable),
            columns: found,
            erasure: kind === 'erased' ? 'possible' : 'kept',
            ...(listed && { listed }),
          };
        }
}

function placesOf(kind: keyof Personal<string>): Place[] {
  const tables = Object.keys(PERSONAL).filter((table): table is keyof Tables => table in PERSONAL);
  return tables.flatMap((table): Place[] => {
    const columns = PERSONAL[table][kind];
    return columns ? [[table, columns]] : [];
  });
}

function contains(row: Row, column: string, text: PersonalText): boolean {
  const value = row[column];
  return typeof value === 'string' && text.isIn(value);
}

/** Undefined if the controller no longer has the voucher. */
function toListed({ id, site_id, code, controller_voucher_id, missing_since_s, revoked_at_s }: Row) {
  if (typeof controller_voucher_id !== 'string' || missing_since_s !== null || revoked_at_s !== null)
    return undefined;
  return {
    id: asVoucherId(Number(id)),
    siteId: asSiteId(Number(site_id)),
    controllerVoucherId: controller_voucher_id,
    code: String(code),
  };
}

interface Change {
  row: Row;
  values: Row;
}

/**
 * The new values of a row. The name of a voucher that its controller still lists is not erased: otherwise it would
 * stay readable there, but no search here would find it.
 */
function toChange(row: Row, [table, columns]: Place, text: PersonalText): Change | undefined {
  const found = columns.filter(
    (column) => contains(row, column, text) && !(table === 'vouchers' && column === 'name' && toListed(row)),
  );
  if (found.length === 0) return undefined;
  const values: Row = Object.fromEntries(
    found.map((column) => [column, text.replaceIn(String(row[column]))]),
  );
  if (table === 'vouchers' && typeof values.name === 'string') values.name_order = toNameOrder(values.name);
  return { row, values };
}

async function applyChanges(transaction: Handle, table: keyof Tables, changes: Change[]): Promise<void> {
  for (const { row, values } of changes) {
    const set = Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
    const isRow = copiedTables[table].map((column) => sql`${sql.ref(column)} = ${row[column]}`);
    await sql`update ${sql.table(table)} set ${sql.join(set)} where ${sql.join(isRow, sql` and `)}`.execute(
      transaction,
    );
  }
  if (table !== 'vouchers') return;
  const renamed = changes.filter(({ values }) => 'name' in values).map(({ row }) => row);
  await forgetBlocksOf(
    transaction,
    renamed.map(({ id }) => Number(id)),
  );
  for (const siteId of new Set(renamed.map((row) => Number(row.site_id))))
    await raiseListVersion(transaction, asSiteId(siteId));
}

/** The entry has the count only: it must not contain what was erased. */
async function noteErasure(
  database: Database,
  counts: Record<string, number>,
  audit: AuditContext,
): Promise<void> {
  const records = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (records === 0) return;
  await database.write((transaction) =>
    insertAuditEntry(transaction, { ...audit, action: 'privacy.erased', subject: `records: ${records}` }),
  );
}
