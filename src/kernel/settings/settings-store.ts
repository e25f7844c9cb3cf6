// The stores for the settings of the whole installation, which are one row of the settings table, and for its images.

import * as v from 'valibot';
import { makeCachedRead } from '../../platform/database/cached-read.ts';
import type { Database, Handle } from '../../platform/database/database.ts';
import {
  holdOrStoreSetting,
  selectSetting,
  upsertSetting,
} from '../../platform/database/installation-queries.ts';
import { LANGUAGES } from '../../platform/text/language.ts';
import { readKnown, UNKNOWN } from '../../platform/values/unknown-value.ts';
import { insertAuditEntry } from '../audit/audit-queries.ts';
import { audited } from '../audit/audited-store.ts';
import { withoutMetadata } from './image-metadata.ts';
import { originOf } from './public-url.ts';
import {
  DEFAULT_SETTINGS,
  IMAGE_TYPES,
  type ImageName,
  type ImageStore,
  type Settings,
  type SettingsStore,
  versionOf,
} from './settings.ts';

/**
 * Another release may have written the row. A missing value falls back to its default; an unknown value falls back to
 * the stricter choice where security depends on it.
 */
const SETTINGS: v.GenericSchema<unknown, Settings> = v.object({
  title: v.fallback(v.string(), DEFAULT_SETTINGS.title),
  language: v.fallback(v.nullable(v.picklist(LANGUAGES)), DEFAULT_SETTINGS.language),
  keepVouchersDays: v.fallback(v.nullable(v.number()), DEFAULT_SETTINGS.keepVouchersDays),
  keepAuditDays: v.fallback(v.nullable(v.number()), DEFAULT_SETTINGS.keepAuditDays),
  limitsDeletions: v.fallback(v.boolean(), DEFAULT_SETTINGS.limitsDeletions),
  secondFactorFor: v.optional(
    v.fallback(v.picklist(['nobody', 'admins', 'everyone']), 'everyone'),
    DEFAULT_SETTINGS.secondFactorFor,
  ),
  isApiPageOpen: v.optional(v.fallback(v.boolean(), false), DEFAULT_SETTINGS.isApiPageOpen),
  asksForNames: v.optional(v.fallback(v.boolean(), false), DEFAULT_SETTINGS.asksForNames),
  shortensIps: v.fallback(v.boolean(), DEFAULT_SETTINGS.shortensIps),
  areFirstStepsHidden: v.fallback(v.boolean(), DEFAULT_SETTINGS.areFirstStepsHidden),
  helperName: v.fallback(v.string(), DEFAULT_SETTINGS.helperName),
  helperPhone: v.fallback(v.string(), DEFAULT_SETTINGS.helperPhone),
  logoVersion: v.fallback(v.nullable(v.string()), DEFAULT_SETTINGS.logoVersion),
  publicUrl: v.fallback(
    v.nullable(
      v.pipe(
        v.string(),
        v.check((text) => originOf(text) === text),
      ),
    ),
    DEFAULT_SETTINGS.publicUrl,
  ),
});

const STORED = v.record(v.string(), v.unknown());

export function makeSettingsStore(database: Database): SettingsStore {
  const { read } = makeCachedRead(database, () => readSettings(database.read));
  return {
    read: () => read('house'),
    change: (change, audit) =>
      database.write(async (transaction) => {
        await changeSettings(transaction, change);
        const details = { changes: { ...change } };
        await insertAuditEntry(transaction, { ...audit, action: 'settings.changed', details });
      }),
  };
}

async function changeSettings(transaction: Handle, change: Partial<Settings>): Promise<void> {
  // A concurrent change waits for this transaction. Settings that only a newer release knows stay in the row.
  const stored = v.parse(STORED, JSON.parse(await holdOrStoreSetting(transaction, 'house', '{}')));
  const read: Record<string, unknown> = { ...v.parse(SETTINGS, stored) };
  // For a stored value that this release does not know, the form shows and sends a fallback. Keep the stored value
  // unless the user has changed the fallback.
  const isKept = ([name, value]: [string, unknown]) =>
    name in stored && stored[name] !== read[name] && value === read[name];
  const changed = Object.fromEntries(Object.entries(change).filter((entry) => !isKept(entry)));
  await upsertSetting(transaction, 'house', JSON.stringify({ ...stored, ...changed }));
}

async function readSettings(handle: Handle): Promise<Settings> {
  const text = await selectSetting(handle, 'house');
  return text === undefined ? DEFAULT_SETTINGS : v.parse(SETTINGS, JSON.parse(text));
}

/** What the audit log says about an image. An image without a site is the logo of the installation. */
function auditImage(name: ImageName, done: 'saved' | 'removed') {
  if (name === 'logo') return { action: `image.${done}`, details: {} } as const;
  const [kind, id = ''] = name.split('-');
  const details = { site: { id, name: '' } };
  if (kind === 'site') return { action: `image.${done}`, details } as const;
  return { action: `site.picture-${done}`, details } as const;
}

export function makeImageStore(database: Database): ImageStore {
  return {
    async find(name) {
      const row = await database.read
        .selectFrom('images')
        .selectAll()
        .where('name', '=', name)
        .executeTakeFirst();
      // An image of a type that only a newer release knows counts as missing.
      const type = readKnown(IMAGE_TYPES, row?.type ?? null);
      // An earlier release may have stored the image with its metadata.
      return row && type !== UNKNOWN
        ? withoutMetadata({ type, bytes: Buffer.from(row.base64, 'base64') })
        : undefined;
    },
    async has(name) {
      const row = await database.read
        .selectFrom('images')
        .select('type')
        .where('name', '=', name)
        .executeTakeFirst();
      return row !== undefined && readKnown(IMAGE_TYPES, row.type) !== UNKNOWN;
    },
    save(name, image, audit) {
      const { type, bytes } = withoutMetadata(image);
      return database.write(async (transaction) => {
        const row = { type, base64: bytes.toString('base64') };
        await transaction
          .insertInto('images')
          .values({ name, ...row })
          .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
          .execute();
        if (name === 'logo') await changeSettings(transaction, { logoVersion: versionOf({ type, bytes }) });
        await insertAuditEntry(transaction, { ...audit, ...auditImage(name, 'saved') });
      });
    },
    remove: (name, audit) =>
      audited(database, { ...audit, ...auditImage(name, 'removed') }, async (transaction) => {
        const result = await transaction.deleteFrom('images').where('name', '=', name).executeTakeFirst();
        if (name === 'logo') await changeSettings(transaction, { logoVersion: null });
        return result.numDeletedRows > 0n;
      }),
  };
}
