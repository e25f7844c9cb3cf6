// What `gastpass doctor --database` says about a PostgreSQL server, and about an SQLite file and its disk.

import type { FactOf, TerminalFact } from './finding.ts';
import { type SaidOf, titled } from './health-said.ts';
import { DATABASE, sayFilePages } from './health-texts-en.ts';

const FILE_SYSTEM = 'File system';
const NOT_TOLD = 'Not reported by the server';

type Of<Kind> = FactOf<Kind, TerminalFact>;

function describe({ isEncrypted, hasPooler, roundTripMs }: Of<'connection-ok'>): string {
  return [
    isEncrypted ? 'Encrypted' : 'Not encrypted',
    hasPooler ? 'through a pooler' : 'without a pooler',
    `${roundTripMs.toFixed(1)} ms per round trip`,
  ].join(', ');
}

const room = ({ room: all, used, poolSize }: Of<'room-ok'>) =>
  `Room for ${all}, ${used} in use, DATABASE_POOL_SIZE is ${poolSize} for each instance`;

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;

function sayTimeouts({ short, leastMs, transactionMs }: Of<'timeouts-short'>): string {
  const issues = short.map(
    ({ name, ms }) => `${name} is ${ms} ms, less than the ${leastMs} ms of DATABASE_STATEMENT_TIMEOUT_MS`,
  );
  if (transactionMs)
    issues.push(`transaction_timeout is ${transactionMs} ms, and a migration can take minutes`);
  return issues.join('; ');
}

export const saidOfChecklist = {
  ...titled('Connection', {
    'connection-failed': ({ detail, isExplained }) => ({
      text: 'Failed.',
      ...(!isExplained && { todo: 'Check DATABASE_URL, the server, and its pg_hba.conf.' }),
      detail,
    }),
    'connection-ok': (fact) => ({ text: describe(fact) }),
    'connection-plain': (fact) => ({
      text: `${describe(fact)}.`,
      todo: 'Add ?sslmode=verify-full to DATABASE_URL.',
    }),
    'connection-slow': (fact) => ({
      text: `${describe(fact)}; creating a voucher takes four.`,
      todo: 'Run Gastpass nearer to the server.',
    }),
  }),
  ...titled('Primary', {
    'primary-ok': () => ({ text: 'Can be written' }),
    'primary-standby': () => ({
      text: 'This server is a standby.',
      todo: 'Use the address that leads to the primary.',
    }),
    'primary-read-only': () => ({
      text: 'Transactions are read-only.',
      todo: 'Set default_transaction_read_only = off for role and database.',
    }),
  }),
  'schema-missing': ({ role }) => ({
    title: 'Rights',
    text: `The role ${role} has no schema.`,
    todo: 'Set its search_path, or grant the rights:',
    command: `grant usage, create on schema public to ${role}`,
  }),
  'product-untested': ({ product }) => ({
    title: 'Product',
    text: `${product} is not tested.`,
    todo: 'The lines below say whether it works.',
  }),
  ...titled('Collation', {
    'collation-ok': ({ name }) => ({ text: name }),
    'collation-changed': ({ name, recorded, actual }) => ({
      text: `${name} had version ${recorded} when the indexes were built, and has version ${actual} now.`,
      todo: 'Run reindex database, then alter database … refresh collation version.',
    }),
  }),
  ...titled('Isolation', {
    'isolation-ok': ({ level }) => ({ text: level ?? NOT_TOLD }),
    'isolation-other': ({ level }) => ({
      text: `The default is ${level}, which makes transactions fail and repeat.`,
      todo: 'Change it:',
      command: "alter role … set default_transaction_isolation = 'read committed'",
    }),
  }),
  ...titled('Transactions', {
    'transactions-ok': () => ({ text: 'Work' }),
    'transactions-failed': ({ detail }) => ({
      text: 'They do not work.',
      todo: 'A pooler needs pool_mode = transaction or session, not statement.',
      detail,
    }),
  }),
  ...titled('Statement time-out', {
    'statement-timeout-ok': () => ({ text: 'The server cancels statements that take too long' }),
    'statement-timeout-ignored': () => ({
      text: 'The server ignores set local statement_timeout.',
      todo: 'Use another server.',
    }),
  }),
  ...titled('Time-outs of the server', {
    'timeouts-ok': () => ({ text: 'None is too short' }),
    'timeouts-short': (fact) => ({
      text: `${sayTimeouts(fact)}.`,
      todo: 'Set them to 0 with alter role … set.',
    }),
  }),
  ...titled('Advisory locks', {
    'locks-ok': () => ({ text: 'Work' }),
    'locks-failed': ({ detail }) => ({
      text: 'They do not work, but every start needs one.',
      todo: 'Use a server, or a newer version, that has them.',
      detail,
    }),
  }),
  ...titled('Durability', {
    'durability-ok': ({ synchronousCommit }) => ({
      text: synchronousCommit === undefined ? NOT_TOLD : `synchronous_commit = ${synchronousCommit}`,
    }),
    'fsync-off': () => ({
      text: 'fsync is off, so a power cut can destroy the database.',
      todo: 'Set fsync = on.',
    }),
    'commit-off': () => ({
      text: 'synchronous_commit is off, so a crash can lose vouchers that callers have received.',
      todo: 'Set synchronous_commit = on.',
    }),
    'page-writes-off': () => ({
      text: 'full_page_writes is off.',
      todo: 'Set it on, unless the file system never writes parts of a page (ZFS).',
    }),
  }),
  ...titled('Standbys', {
    'standbys-none': () => ({ text: 'None' }),
    'standbys-awaited': () => ({ text: 'A commit waits for a standby' }),
    'standbys-skipped': () => ({
      text: 'synchronous_commit = local does not wait for the standby.',
      todo: 'Change it:',
      command: 'alter role … set synchronous_commit = on',
    }),
    'standbys-not-awaited': () => ({
      text: 'A commit does not wait for them, so a failover can lose the last vouchers.',
      todo: 'Set synchronous_standby_names; with Patroni, synchronous_mode: true.',
    }),
  }),
  ...titled('Connections', {
    'room-untold': () => ({ text: NOT_TOLD }),
    'room-ok': (fact) => ({ text: room(fact) }),
    'room-missing': (fact) => ({
      text: `${room(fact)}.`,
      todo: 'Raise max_connections or the limit of the role, or lower DATABASE_POOL_SIZE.',
    }),
    'room-tight': (fact) => ({
      text: `${room(fact)}.`,
      todo: `Leave ${fact.spare} for starts and commands.`,
    }),
  }),
  ...titled('Tables', {
    'tables-ok': () => ({ text: 'Can be read and written' }),
    'tables-creatable': () => ({ text: 'There are none yet, but all of them can be created' }),
  }),
  'file-ok': ({ pages }) => ({ title: DATABASE, text: `Can be read${sayFilePages(pages)}` }),
  'file-system-ok': () => ({ title: FILE_SYSTEM, text: 'A disk of this machine' }),
  'file-system-lost': ({ name, folder }) =>
    name === 'tmpfs'
      ? {
          title: FILE_SYSTEM,
          text: `${folder} is in memory (tmpfs) and lost at the next restart.`,
          todo: 'Set DATA_DIR to a disk.',
        }
      : {
          title: FILE_SYSTEM,
          text: `${folder} is in a container's own layer and lost with the container.`,
          todo: 'Mount a volume there.',
        },
  ...titled(FILE_SYSTEM, {
    'file-system-doubtful': ({ name, folder }) => ({
      text: `${folder} is on ${name}, which may not lock and sync.`,
      todo: 'Use a disk of this machine.',
    }),
    'file-system-unsafe': ({ name, folder }) => ({
      text: `${folder} is on ${name}, where SQLite can lose records.`,
      todo: 'Use a disk of this machine, or PostgreSQL.',
    }),
  }),
  ...titled('Journal mode', {
    'journal-ok': ({ version }) => ({ text: `wal, SQLite ${version}` }),
    'journal-other': ({ mode, folder }) => ({
      text: `${mode} instead of wal.`,
      todo: `Move ${folder} to a local disk.`,
    }),
  }),
  ...titled('Size', {
    'size-ok': ({ bytes, journalBytes }) => ({
      text: `${megabytes(bytes)}, journal ${megabytes(journalBytes)}`,
    }),
    'journal-large': ({ journalBytes }) => ({
      text: `The journal is ${megabytes(journalBytes)} large.`,
      todo: 'End programs that keep the database open, such as sqlite3.',
    }),
  }),
} satisfies Partial<SaidOf<TerminalFact>>;
