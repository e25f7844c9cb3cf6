// The store for the mail server that an administrator has set up in the browser. Only this file seals its password.

import type { Selectable } from 'kysely';
import { insertAuditEntry } from '../../kernel/audit/audit-queries.ts';
import { audited } from '../../kernel/audit/audited-store.ts';
import { makeCachedRead } from '../../platform/database/cached-read.ts';
import type { Database, Handle } from '../../platform/database/database.ts';
import { CannotOpen, type Seal } from '../../platform/secrets/seal.ts';
import type { SealedPlace } from '../../platform/secrets/sealed-columns.ts';
import { readKnown, UNKNOWN } from '../../platform/values/unknown-value.ts';
import {
  deleteMailServer,
  deleteServerPause,
  ONLY_ROW,
  selectMailServer,
  upsertMailServer,
} from './mail-queries.ts';
import { MAIL_TLS, type MailServer, type MailServerStore, type StoredMailServer } from './mail-server.ts';
import type { MailTables } from './mail-tables.ts';

const PASSWORD_PLACE: SealedPlace = { table: 'mail_server', column: 'sealed_password', row: ONLY_ROW };

interface Options {
  seal: Seal;
  fromEnvironment: MailServer | undefined;
  targets: NonNullable<MailServer['targets']>;
}

export function makeMailServerStore(
  database: Database,
  { seal, fromEnvironment, targets }: Options,
): MailServerStore {
  // Wrapped, because a missing value is not cached.
  const cached = makeCachedRead(database, async () => ({ stored: await readStored(database.read, seal) }));
  const findStored = async () => (await cached.read('server')).stored;

  return {
    async find() {
      if (fromEnvironment) return { server: fromEnvironment, source: 'environment' };
      const stored = await findStored();
      const server = stored && toUsable(stored);
      return server && { server: { ...server, targets }, source: 'browser' };
    },
    findStored,
    save: (server, audit) =>
      database.write(async (transaction) => {
        const password = server.credentials?.password;
        const sealed = password === undefined ? null : await seal.seal(transaction, password, PASSWORD_PLACE);
        const before = await readStored(transaction, seal);
        await upsertMailServer(transaction, toColumns(server, sealed));
        await deleteServerPause(transaction);
        const details = { changes: changesOf(before, server) };
        await insertAuditEntry(transaction, { ...audit, action: 'mail.server-changed', details });
      }),
    remove: (audit) =>
      audited(
        database,
        { ...audit, action: 'mail.server-removed', details: (name: string) => ({ name }) },
        async (transaction) => {
          await deleteServerPause(transaction);
          return deleteMailServer(transaction);
        },
      ).then((host) => host !== undefined),
    endPause: () => database.write(deleteServerPause),
  };
}

async function readStored(handle: Handle, seal: Seal): Promise<StoredMailServer | undefined> {
  const row = await selectMailServer(handle);
  return row && toStored(row, seal);
}

function toStored(row: Selectable<MailTables['mail_server']>, seal: Seal): StoredMailServer {
  const { username, sealed_password: sealed } = row;
  return {
    host: row.host,
    port: row.port,
    tls: readKnown(MAIL_TLS, row.tls),
    ...(username !== null && { credentials: { username, password: openOrNull(seal, sealed) } }),
    ...(row.ca !== null && { ca: row.ca }),
    from: { ...(row.from_name !== '' && { name: row.from_name }), address: row.from_address },
    perHour: row.per_hour,
  };
}

function openOrNull(seal: Seal, sealed: string | null): string | null {
  try {
    return sealed === null ? null : seal.open(sealed, PASSWORD_PLACE);
  } catch (error) {
    if (error instanceof CannotOpen) return null;
    throw error;
  }
}

/** Undefined if this release or this secret cannot use the server as it is stored. */
function toUsable({ tls, credentials, ...others }: StoredMailServer): MailServer | undefined {
  if (tls === UNKNOWN) return undefined;
  if (!credentials) return { ...others, tls };
  const { username, password } = credentials;
  return password === null ? undefined : { ...others, tls, credentials: { username, password } };
}

function toColumns(server: MailServer, sealedPassword: string | null) {
  return {
    host: server.host,
    port: server.port,
    tls: server.tls,
    username: server.credentials?.username ?? null,
    sealed_password: sealedPassword,
    ca: server.ca ?? null,
    from_name: server.from.name ?? '',
    from_address: server.from.address,
    per_hour: server.perHour,
  };
}

/** The new values. The password is secret, and certificates are long, so both are only named. */
function changesOf(before: StoredMailServer | undefined, after: MailServer): Record<string, unknown> {
  const old: Record<string, unknown> = before ? describe(before) : {};
  const changed = Object.entries(describe(after)).filter(([field, value]) => value !== old[field]);
  const isNewPassword = (before?.credentials?.password ?? null) !== (after.credentials?.password ?? null);
  return {
    ...Object.fromEntries(changed),
    ...(isNewPassword && { password: 'changed' }),
    ...(before?.ca !== after.ca && { ca: 'changed' }),
  };
}

function describe({ host, port, tls, credentials, from, perHour }: MailServer | StoredMailServer) {
  return {
    host,
    port,
    tls,
    username: credentials?.username ?? null,
    from: from.name === undefined ? from.address : `${from.name} <${from.address}>`,
    perHour,
  };
}
