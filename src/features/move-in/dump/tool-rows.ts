// Converts the rows of Unifi-Voucher-Tool to the types of this service. A row that cannot be used is left out, and a
// remark is recorded. A column that an older release of the tool lacks gets the default value of a later release.

import type { UpstreamOrder } from '../../../kernel/controllers/controller.ts';
import { toConsoleUrl } from '../../../kernel/sites/console-url.ts';
import { toEmailAddress } from '../../../kernel/users/email-address.ts';
import { isBcrypt } from '../../../kernel/users/password.ts';
import { toForeignName } from '../../../kernel/vouchers/foreign-name.ts';
import { trimName } from '../../../kernel/vouchers/voucher-name.ts';
import { MAX_INTEGER } from '../../../kernel/vouchers/voucher-order.ts';
import { hasInvisible } from '../../../platform/text/invisible.ts';
import { isStorable, toStorable } from '../../../platform/text/storable-text.ts';
import type {
  MovedInEntry,
  MovedInGrant,
  MovedInKey,
  MovedInSite,
  MovedInTable,
  MovedInUser,
  MovedInVoucher,
} from '../moved-in-data.ts';
import type { Remarks } from '../report.ts';
import { openSecret } from './app-key.ts';
import { readDumpTime } from './dump-times.ts';
import type { DumpRow } from './mysql-dump.ts';

export interface DumpReading {
  appKey: Buffer | undefined;
  timeZone: string;
  remarks: Remarks;
}

const MAX_RATE_LIMIT = 1_000_000;

const text = ({ fields }: DumpRow, column: string) => toStorable(fields.get(column) ?? '');
const isOn = (row: DumpRow, column: string) => text(row, column) === '1';
const atLine = ({ line }: DumpRow) => `line ${line}`;

export function remarkUnstorable(row: DumpRow, table: MovedInTable, { remarks }: DumpReading): void {
  if (![...row.fields.values()].every((value) => value === null || isStorable(value)))
    remarks.add(
      table,
      'contains a NUL character, which cannot be stored: � stands in its place',
      atLine(row),
    );
}

/** Undefined if the column does not contain a whole number up to 2^31 - 1. */
function count(row: DumpRow, column: string): number | undefined {
  const digits = text(row, column);
  return /^\d{1,10}$/.test(digits) && Number(digits) <= MAX_INTEGER ? Number(digits) : undefined;
}

const time = (row: DumpRow, column: string, { timeZone }: DumpReading) =>
  readDumpTime(row.fields.get(column), { zone: row.zone, timeZone });

/** Removes invisible characters, which could make two different names look the same. */
function readName(row: DumpRow, table: MovedInTable, { remarks }: DumpReading): string {
  const name = trimName(text(row, 'name'));
  const cleaned = trimName([...name].filter((character) => !hasInvisible(character)).join(''));
  if (cleaned !== name)
    remarks.add(table, 'characters that cannot be seen were removed from the name', cleaned || atLine(row));
  return cleaned;
}

export function readSite(row: DumpRow, reading: DumpReading): MovedInSite | undefined {
  const { remarks, appKey } = reading;
  const id = count(row, 'id');
  const url = readUrl(text(row, 'unifi_controller_url'));
  const name = readName(row, 'sites', reading);
  const shown = `${id} (${name})`;
  if (!id || !url) {
    remarks.add('sites', 'left out with its vouchers: no usable id or address', name || atLine(row));
    return undefined;
  }
  if (url !== text(row, 'unifi_controller_url').trim().replace(/\/+$/, ''))
    remarks.add('sites', 'the address of the console was changed', `${shown}: ${url}`);
  const sealed = text(row, 'unifi_password');
  const password = openSecret(sealed, appKey);
  if (password === undefined)
    remarks.add(
      'sites',
      appKey
        ? 'the password cannot be opened with this APP_KEY: enter it before the site is activated'
        : 'the password is encrypted: use --app-key-file, or enter it before the site is activated',
      shown,
    );
  if (isOn(row, 'public_access'))
    remarks.add(
      'sites',
      'guests could create vouchers without signing in there; Gastpass has no such page',
      shown,
    );
  if (!isOn(row, 'is_active')) remarks.add('sites', 'was switched off there', shown);
  return {
    id,
    name: name || `Site ${id}`,
    controllerSite: text(row, 'site_id') || 'default',
    url,
    username: text(row, 'unifi_username'),
    password: password ?? null,
    wasActive: isOn(row, 'is_active'),
    createdAtMs: time(row, 'created_at', reading),
  };
}

/** Always returns an https address, because consoles use HTTPS. The tool may have stored the address without https. */
function readUrl(address: string): string | undefined {
  const url = URL.parse(/^https?:\/\//i.test(address) ? address : `https://${address}`);
  if (!url || url.hostname === '') return undefined;
  url.protocol = 'https:';
  url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  return toConsoleUrl(url);
}

export function readUser(row: DumpRow, reading: DumpReading): MovedInUser | undefined {
  const { remarks } = reading;
  const id = count(row, 'id');
  const typed = text(row, 'email').trim();
  const email = toEmailAddress(typed);
  if (!id || email === undefined) {
    remarks.add('users', 'left out: no usable e-mail address (plain ASCII is needed)', typed || atLine(row));
    return undefined;
  }
  const hash = text(row, 'password_hash');
  const passwordHash = isBcrypt(hash) ? hash : null;
  if (!passwordHash)
    remarks.add(
      'users',
      text(row, 'microsoft_id')
        ? 'signed in with Microsoft: needs a password link'
        : 'has no usable password: needs a password link',
      email,
    );
  const totp = readTotp(row, reading);
  if (totp === 'unusable')
    remarks.add(
      'users',
      'the second factor cannot be taken over: switched off until an administrator checks the account',
      email,
    );
  return {
    id,
    email,
    name: readName(row, 'users', reading) || (email.split('@')[0] ?? email),
    isAdmin: isOn(row, 'is_admin'),
    isActive: isOn(row, 'is_active') && totp !== 'unusable',
    passwordHash,
    totp: totp === 'unusable' ? null : totp,
    createdAtMs: time(row, 'created_at', reading),
  };
}

function readTotp(row: DumpRow, { appKey }: DumpReading): MovedInUser['totp'] | 'unusable' {
  if (!isOn(row, 'totp_enabled')) return null;
  const secret = openSecret(text(row, 'totp_secret'), appKey)?.toUpperCase().replace(/[\s=]/g, '') ?? '';
  if (!/^[A-Z2-7]{16,}$/.test(secret)) return 'unusable';
  return { secret, codeHashes: readCodeHashes(text(row, 'totp_backup_codes')) };
}

function readCodeHashes(json: string): string[] {
  try {
    const parsed: unknown = JSON.parse(json || '[]');
    const hashes = Array.isArray(parsed) ? parsed : [];
    return [...new Set(hashes.filter((hash) => typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash)))];
  } catch {
    return [];
  }
}

export function readGrant(row: DumpRow): MovedInGrant | undefined {
  const [userId, siteId] = [count(row, 'user_id'), count(row, 'site_id')];
  return userId && siteId ? { userId, siteId } : undefined;
}

export function readProfile(row: DumpRow, { remarks }: DumpReading): UpstreamOrder | undefined {
  const name = text(row, 'name').trim();
  const [maxUses, expireMinutes] = [count(row, 'max_uses'), count(row, 'expire_minutes')];
  if (!isOn(row, 'is_active')) {
    remarks.add('voucher_templates', 'left out: was switched off there', name);
    return undefined;
  }
  if (!name || !maxUses || !expireMinutes) {
    remarks.add(
      'voucher_templates',
      'left out: no usable name, number of uses or duration',
      name || atLine(row),
    );
    return undefined;
  }
  if (text(row, 'description')) remarks.add('voucher_templates', 'the description is not taken over', name);
  return {
    name,
    maxUses,
    expireMinutes,
    downKbps: count(row, 'qos_rate_max_down') ?? 0,
    upKbps: count(row, 'qos_rate_max_up') ?? 0,
    quotaMb: count(row, 'qos_usage_quota') ?? 0,
  };
}

export function readKey(row: DumpRow, reading: DumpReading): MovedInKey | undefined {
  const { remarks } = reading;
  const name = text(row, 'name').trim() || 'Unifi-Voucher-Tool';
  const [prefix, hash] = [text(row, 'key_prefix').toLowerCase(), text(row, 'key_hash').toLowerCase()];
  if (!/^[0-9a-f]{8}$/.test(prefix) || !/^[0-9a-f]{64}$/.test(hash)) {
    remarks.add('api_keys', 'left out: the key has another format', name);
    return undefined;
  }
  const isActive = isOn(row, 'is_active');
  if (!isActive) remarks.add('api_keys', 'was switched off there: is revoked here', name);
  return {
    name,
    prefix,
    hash,
    scope: (row.fields.get('scope') ?? 'write') === 'write' ? 'write' : 'read',
    rateLimit: Math.min(count(row, 'rate_limit') ?? 0, MAX_RATE_LIMIT),
    isActive,
    createdAtMs: time(row, 'created_at', reading),
    lastUsedAtMs: time(row, 'last_used_at', reading),
  };
}

export function readVoucher(row: DumpRow, reading: DumpReading): MovedInVoucher | undefined {
  const code = text(row, 'voucher_code').replace(/[\s-]/g, '');
  const siteId = count(row, 'site_id');
  const [maxUses, expireMinutes] = [count(row, 'max_uses'), count(row, 'expire_minutes')];
  if (!siteId || !/^\d+$/.test(code) || maxUses === undefined || expireMinutes === undefined) {
    reading.remarks.add(
      'vouchers',
      'left out: no usable site, code, number of uses or duration',
      atLine(row),
    );
    return undefined;
  }
  const status = text(row, 'status');
  const usedCount = count(row, 'used_count') ?? 0;
  return {
    line: row.line,
    siteId,
    userId: count(row, 'user_id') || null,
    code,
    name: toForeignName(text(row, 'voucher_name')),
    maxUses,
    expireMinutes,
    usedCount: status === 'used' ? Math.max(1, usedCount) : usedCount,
    createdAtMs: time(row, 'created_at', reading),
    controllerVoucherId: text(row, 'unifi_voucher_id') || null,
    isExpired: status === 'expired',
    isForeign: isOn(row, 'synced_from_unifi'),
  };
}

export function readEntry(row: DumpRow, reading: DumpReading): MovedInEntry {
  const [kind, id] = [text(row, 'entity_type'), text(row, 'entity_id')];
  const about = kind && id ? ` (${kind} ${id})` : '';
  const details = text(row, 'details');
  return {
    atMs: time(row, 'created_at', reading),
    userId: count(row, 'user_id') || null,
    text: `${text(row, 'action')}${details && `: ${details}`}${about}`,
    ip: text(row, 'ip_address') || null,
  };
}
