// English texts about the health of the installation, for the health page and `gastpass doctor`.

import type { CheckedFilePages } from '../../platform/database/sqlite/find-damage.ts';
import { isDenied } from '../../platform/values/file-error.ts';
import { saidOfSitesEn } from '../sites/health-texts-en.ts';
import type { FactOf, KernelFact } from './finding.ts';
import { type Formats, type SaidOf, titled } from './health-said.ts';
import type { HealthMessages } from './health-texts-de.ts';
import { saidOfReachEn } from './reach-texts-en.ts';

export const SECRET = 'Installation secret';
export const SEALED = 'Encrypted values';
export const DATABASE = 'Database';
/** The maximum number of e-mail addresses that one text lists. */
const MAX_ADDRESSES = 20;

const WRITABLE =
  'Mount the file system writable; after an error, check the disk first. Under systemd, name the folder in ReadWritePaths=.';
const WRONG_TIME = 'This makes vouchers, sessions and keys end at the wrong time.';

/** Says that no page of the database file is damaged or, if the file is too large to check it here, how to check it. */
export function sayFilePages(pages: CheckedFilePages): string {
  if (pages === 'unchecked') return '';
  return pages === 'intact'
    ? '; no page is damaged'
    : `; too large to check its pages here: ${pages.checkWith}`;
}

export const DISK: Record<FactOf<'database-disk'>['reason'], { text: string; todo: string }> = {
  'disk-full': {
    text: 'The disk of the database is full. No more vouchers are created.',
    todo: 'Delete files on the disk of the database, or enlarge it.',
  },
  'read-only': {
    text: 'The database is read-only. No more vouchers are created.',
    todo: 'Make the disk writable again, or set DATABASE_URL to the primary server.',
  },
  'io-error': {
    text: 'The disk of the database reports errors. Creating vouchers may fail.',
    todo: 'Check the disk. The logs of the service and of the server say more.',
  },
  damaged: {
    text: 'The database is damaged. Creating vouchers may fail.',
    todo: 'Stop the service, keep a copy of the database, check the disk, and restore the last backup.',
  },
};

function nameClocks(
  { sites, isDatabase }: Pick<FactOf<'clock-ok'>, 'sites' | 'isDatabase'>,
  { names }: Formats,
): string {
  const database = 'the clock of the database server';
  if (sites.length === 0) return database;
  const controllers =
    sites.length === 1 ? 'the clock of the controller of' : 'the clocks of the controllers of';
  return `${isDatabase ? `${database} and ` : ''}${controllers} ${names(sites, (count) => `${count} more`)}`;
}

const offset = (aheadMs: number, { duration }: Formats) =>
  `${duration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'behind' : 'ahead of'}`;

const locked = ({ path, code }: FactOf<'folder-locked'>) => ({
  text: `${path} cannot be used (${code}).`,
  todo: isDenied(code)
    ? 'Let the user of the service access it with chown and chmod; run commands as that user.'
    : 'Check the path and its disk.',
});

const said: SaidOf<KernelFact> = {
  ...saidOfReachEn,
  ...saidOfSitesEn,
  'node-ok': ({ version }) => ({ title: 'Node', text: `The service runs on version ${version}` }),
  ...titled('Data folder', {
    'folder-ok': ({ path }) => ({ text: path }),
    'folder-open': ({ path }) => ({
      text: `Other users of the server can access ${path}.`,
      todo: 'Give access only to the user of the service:',
      command: `chmod 700 ${path}`,
    }),
    'folder-missing': ({ path }) => ({
      text: `${path} does not exist.`,
      todo: 'Correct DATA_DIR, or start the service: it creates the folder.',
    }),
    'folder-is-file': ({ path }) => ({
      text: `${path} is not a folder.`,
      todo: 'Move it away, or correct DATA_DIR.',
    }),
    'folder-locked': locked,
    'folder-read-only': ({ path }) => ({ text: `${path} is read-only.`, todo: WRITABLE }),
  }),
  'setting-unknown': ({ name, meant }) => ({
    title: `Setting ${name}`,
    text: 'There is no such setting; it has no effect.',
    todo: meant
      ? `${meant} is probably meant: rename the setting and restart the service.`
      : 'Remove it from the settings of the service.',
  }),
  ...titled('Disk space', {
    'disk-ok': ({ freeMb, percent }, { volume }) => ({ text: `${volume(freeMb)} (${percent} %) free` }),
    'disk-low': ({ freeMb, percent, path }, { volume }) => ({
      text: `Only ${volume(freeMb)} (${percent} %) free on the disk of ${path}.`,
      todo: 'Delete files there, or enlarge the disk.',
    }),
    'disk-full': ({ freeMb, percent, path }, { volume }) => ({
      text: `Only ${volume(freeMb)} (${percent} %) free on the disk of ${path}. When it is full, no vouchers can be created.`,
      todo: 'Delete files there now, or enlarge the disk.',
    }),
  }),
  ...titled(SECRET, {
    'secret-ok': ({ path }) => ({ text: `${path ?? 'GASTPASS_SECRET'} fits the database` }),
    'secret-previous-needed': ({ count }) => ({
      text: `${count === 1 ? 'One value is' : `${count} values are`} still encrypted with the previous secret.`,
      todo: 'Encrypt again:',
      command: 'gastpass rekey',
    }),
    'secret-previous-unneeded': () => ({
      text: 'GASTPASS_SECRET_PREVIOUS is set but no longer needed.',
      todo: 'Remove the setting and restart the service.',
    }),
  }),
  'secret-weak': ({ setting }) => ({
    title: `Setting ${setting}`,
    text: 'This value is a placeholder or easy to guess.',
    todo:
      setting === 'GASTPASS_SECRET'
        ? 'Change the secret; docs/secret.md lists the steps under “Changing the secret”.'
        : 'Set a random value and restart the service. This command prints one:',
    ...(setting !== 'GASTPASS_SECRET' && { command: 'openssl rand -hex 32' }),
  }),
  ...titled(({ file }) => (file === 'secret' ? SECRET : DATABASE), {
    'file-readable': ({ path }) => ({
      text: `${path} can be read by other users of the server.`,
      todo: 'Give access only to the user of the service:',
      command: `chmod 600 ${path}`,
    }),
    'file-of-other-user': ({ path, folder }) => ({
      text: `${path} does not belong to the same user as the data folder.`,
      todo: 'Give it the same owner:',
      command: `chown --reference=${folder} ${path}`,
    }),
  }),
  ...titled(SEALED, {
    'sealed-broken': ({ detail }) => ({
      text: 'An encrypted value cannot be opened.',
      todo: "Put the installation's right secret back, or enter the value again.",
      detail,
    }),
    'sealed-unbound': ({ count }) => ({
      text: `${count === 1 ? 'One value is' : `${count} values are`} from an older release and less well protected.`,
      todo: 'As soon as all instances run this release, encrypt again:',
      command: 'gastpass rekey',
    }),
  }),
  ...titled(DATABASE, {
    'database-ok': ({ pages }) => ({ text: `Can be read and written${sayFilePages(pages)}` }),
    'database-unwritable': ({ detail }) => ({
      text: 'The database accepts no changes.',
      todo: 'Check whether its disk has space and whether another program has the database open.',
      detail,
    }),
    'database-disk': ({ reason }) => DISK[reason],
  }),
  ...titled('PostgreSQL', {
    'postgresql-ok': ({ version, role }) => ({ text: `Version ${version}, the role ${role} has all rights` }),
    'postgresql-owner': ({ version, role }) => ({
      text: `Version ${version}, the role ${role} may not change tables; before an upgrade, run gastpass migrate as their owner`,
    }),
    'postgresql-old': ({ version, minVersion }) => ({
      text: `Version ${version} is too old.`,
      todo: `Upgrade the database server to version ${minVersion} or newer.`,
    }),
    'postgresql-encoding': ({ encoding }) => ({
      text: `The database has the encoding ${encoding} instead of UTF8.`,
      todo: "Move to a database that was created with encoding 'UTF8' template template0.",
    }),
    'postgresql-rights': ({ role, schema, tables }, { names }) => ({
      text: `The role ${role} may not read and write these tables: ${names(tables, (count) => `${count} more`)}.`,
      todo: 'Grant the rights on the database server:',
      command: `grant select, insert, update, delete on all tables in schema ${schema} to ${role}`,
    }),
    'postgresql-later-rights': ({ role, schema, owner }) => ({
      text: `The role ${role} lacks rights on tables that a later release adds.`,
      todo: 'Grant the rights on the database server before the next upgrade:',
      command: `alter default privileges for role ${owner} in schema ${schema} grant select, insert, update, delete on tables to ${role}`,
    }),
  }),
  'service-ok': ({ version }) => ({ title: 'Service', text: `Running, version ${version}` }),
  ...titled('Clock', {
    'clock-ok': (fact, formats) => ({
      text:
        fact.sites.length === 0 && !fact.isDatabase
          ? `${formats.time(fact.nowMs)}; no record is dated in the future`
          : `${formats.time(fact.nowMs)}; agrees with ${nameClocks(fact, formats)}`,
    }),
    'clock-was-ahead': ({ nowMs, untilMs }, { time }) => ({
      text: `Correct now (${time(nowMs)}), but it was ahead once: a record is dated ${time(untilMs)}`,
    }),
    'clock-off': (fact, formats) => ({
      text: `The clock of the server (${formats.time(fact.nowMs)}) is ${offset(fact.aheadMs, formats)} ${nameClocks(fact, formats)}. ${WRONG_TIME}`,
      todo:
        fact.sites.length + Number(fact.isDatabase) > 1
          ? 'Correct the clock of the server:'
          : 'Correct whichever of the two clocks is wrong. On the server:',
      command: 'timedatectl set-ntp true',
    }),
    'clock-behind-record': ({ nowMs, aheadMs }, formats) => ({
      text: `The clock of the server (${formats.time(nowMs)}) is ${offset(aheadMs, formats)} the newest record. ${WRONG_TIME}`,
      todo: 'Correct the clock of the server. If it is right, it was ahead once; then this message disappears with the next sync and the next entry in the audit log.',
    }),
    'clock-set-back': ({ nowMs, untilMs }, { time }) => ({
      text: `The clock of the server shows ${time(nowMs)}, but a record is dated ${time(untilMs)}: the clock was set back.`,
      todo: 'If the clock is right now, there is nothing to do: everything that waits continues after the usual pauses. Otherwise set the clock.',
    }),
    'clock-not-compared': (fact, formats) => ({
      text: `Not compared with ${nameClocks({ ...fact, isDatabase: false }, formats)}: no time was received within three seconds`,
    }),
    'clock-doubted': ({ nowMs, heartbeatMs, untilTrustedMs }, { time, duration }) => ({
      text: `The clock of the server shows ${time(nowMs)}, but Gastpass last ran on ${time(heartbeatMs)}. For now, no old data is deleted.`,
      todo: `If the clock is right, confirm it; otherwise correct it. If you do neither, it counts as right once the service has run for 24 hours (${duration(untilTrustedMs)} left).`,
    }),
  }),
  'retention-held-back': () => ({
    title: 'Retention',
    text: 'The daily limit has been reached. The rest is deleted over the next days.',
    todo: 'An administrator can lift the limit on the settings page.',
  }),
  'ended-vouchers-held-back': () => ({
    title: 'Expired vouchers',
    text: 'The daily limit has been reached. For now, other expired vouchers stay on the controllers and may still work there.',
    todo: 'Check the controllers. An administrator can lift the limit on the settings page, under “Retention”.',
  }),
  ...titled('Time zone', {
    'zone-ok': ({ zone }) => ({ text: zone }),
    'zone-other': ({ zone, machine }) => ({
      text: `Gastpass uses ${zone}, the server ${machine}.`,
      todo: `To stay with ${zone}, set TZ=${zone}. For ${machine}, set this and restart the service:`,
      command: `TZ=${machine}`,
    }),
  }),
  'sites-none': () => ({
    title: 'Sites',
    text: 'No site has been set up yet.',
    todo: 'Connect a site to its controller.',
  }),
  ...titled('Users', {
    'admins-ok': ({ count }) => ({ text: count === 1 ? 'One administrator' : `${count} administrators` }),
    'admins-none': () => ({
      text: 'There is no active administrator.',
      todo: 'Add one:',
      command: 'gastpass users add --email EMAIL --name NAME --admin',
    }),
  }),
  'addresses-not-plain': ({ emails }, { names }) => ({
    title: 'E-mail addresses',
    text: `These users can sign in with their password only, not through single sign-on or a proxy: ${names(emails, (count) => `${count} more`, MAX_ADDRESSES)}. Their addresses contain umlauts or other characters that are no longer allowed.`,
    todo: 'Change the address on the server:',
    command: 'gastpass users change-email --email OLD --new-email NEW',
  }),
  ...titled('Open orders', {
    'intents-ok': ({ count }) => ({ text: count === 0 ? 'None' : `${count}, being worked on` }),
    'intents-overdue': ({ count }) => ({
      text: `It is not known whether the controller has created ${count === 1 ? 'a voucher' : `${count} vouchers`}.`,
      todo: 'Make sure that the controller can be reached; the rest happens by itself.',
    }),
  }),
  ...titled('Backups', {
    'backups-off': () => ({ text: 'Not scheduled; with the setting BACKUP_DIR, the service makes them' }),
    'backups-missing': () => ({
      text: 'Not scheduled.',
      todo: 'Set BACKUP_DIR and restart the service. If you make backups in another way, there is nothing to do.',
    }),
    'backups-ok': ({ newestAtMs, path }, { time }) => ({ text: `Newest: ${time(newestAtMs)} (${path})` }),
    'backups-none': ({ folder }) => ({
      text: `There is none in ${folder} yet.`,
      todo: 'The service makes the first one after its start. If it does not appear, the log says why.',
    }),
    'backups-late': ({ newestAtMs }, { time }) => ({
      text: `The newest is from ${time(newestAtMs)}; the next one is overdue.`,
      todo: 'The log of the service says why: search for “backup failed”.',
    }),
    'backups-future': ({ newestAtMs }, { time }) => ({
      text: `The newest is dated ${time(newestAtMs)}, in the future.`,
      todo: 'Correct the clock of the server.',
    }),
    'backups-no-folder': ({ folder }) => ({
      text: `${folder} does not exist.`,
      todo: 'Mount it, or create it with access only for the user of the service.',
    }),
    'backups-locked': locked,
    'backups-read-only': ({ folder }) => ({
      text: `${folder} is read-only.`,
      todo: WRITABLE,
    }),
    'backup-changed': ({ path }) => ({
      text: `${path} is missing or was changed. The service makes a new backup within a minute.`,
      todo: 'Leave the files in this folder as they are; copy them elsewhere instead.',
    }),
    'backup-unread': ({ path }) => ({
      text: `${path} cannot be read.`,
      todo: 'Check whether the disk of the folder can be reached.',
    }),
    'backups-without-secret': () => ({
      text: 'They do not contain the installation’s secret; without it, they cannot be restored.',
      todo: 'Set BACKUP_PASSPHRASE_FILE, or keep a copy of the file “secret” from the data folder elsewhere.',
    }),
    'backups-on-same-disk': ({ folder }) => ({
      text: `${folder} is on the same disk as the database. If that disk fails, both are lost.`,
      todo: 'Copy the backups to another machine, or put a folder on another disk into BACKUP_DIR. If they are copied already, there is nothing to do.',
    }),
  }),
  ...titled('Instances', {
    'instances-ok': ({ count, release }) => ({ text: `${count} running release ${release}` }),
    'instances-differ': ({ instances }) => ({
      text: `They run different releases: ${instances.join(', ')}.`,
      todo: 'Upgrade the older ones. Until then, some new features cannot be chosen.',
    }),
  }),
  'not-examined': ({ part, detail }) => ({
    title: 'Not examined',
    text: 'This part could not be examined.',
    todo: 'Try again. The log of the service says more.',
    detail: `${part}: ${detail}`,
  }),
};

export const healthEn: HealthMessages = {
  title: 'System health',
  said,
  checkedAt: (time) => `Checked: ${time}`,
  again: 'Check again',
  allWell: 'Everything is fine.',
  faults: 'Problems',
  warnings: 'Hints',
  good: (count) => (count === 1 ? 'One item is fine' : `${count} items are fine`),
  copy: 'Copy',
  addSite: 'Set up a site',
  toUsers: 'View users',
  toKeys: 'View API keys',
  toSites: 'View sites',
  toRetention: 'View retention',
  confirmClock: 'Confirm the clock',
  askClock: 'Is the clock of the server right?',
  clockShows: (now, heartbeat) =>
    `It shows ${now}. Gastpass last ran on ${heartbeat}. If the clock is wrong and you confirm it, vouchers and audit entries are deleted too early.`,
  clockIsRight: 'Yes, the clock is right',
  more: 'The same check on the server, also while the service is not running:',
};
