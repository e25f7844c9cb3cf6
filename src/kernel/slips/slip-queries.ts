// Queries for the content of slips: the slip settings of a site, whose Wi-Fi password is sealed, and the vouchers.

import type { Selectable } from 'kysely';
import * as v from 'valibot';
import { compileOnce, type Placeholders } from '../../platform/database/compiled-query.ts';
import type { Handle } from '../../platform/database/database.ts';
import { readJson } from '../../platform/database/read-json.ts';
import type { Tables } from '../../platform/database/schema.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import type { SealedPlace } from '../../platform/secrets/sealed-columns.ts';
import { LANGUAGES } from '../../platform/text/language.ts';
import { readKnown } from '../../platform/values/unknown-value.ts';
import { asSiteId, asVoucherId, type SiteId, type VoucherId } from '../ids.ts';
import { toOrder } from '../vouchers/storage/order-columns.ts';
import {
  FIRST_COLOUR,
  isColour,
  type SiteSlip,
  SLIP_THEMES,
  type SlipVoucher,
  WIFI_SECURITIES,
} from './slip.ts';

const placeOf = (siteId: SiteId): SealedPlace => ({
  table: 'site_slips',
  column: 'sealed_wifi_password',
  row: siteId,
});

const bySite = compileOnce((handle: Handle, { siteId }: Placeholders<{ siteId: SiteId }>) =>
  handle.selectFrom('site_slips').selectAll().where('site_id', '=', siteId),
);

export async function selectSlip(handle: Handle, seal: Seal, siteId: SiteId): Promise<SiteSlip | undefined> {
  const [row] = (await bySite(handle, { siteId })).rows;
  if (!row) return undefined;
  const stored = row.languages.split(' ').filter((language) => language !== '');
  const languages = LANGUAGES.filter((language) => stored.includes(language)).sort(
    (one, other) => stored.indexOf(one) - stored.indexOf(other),
  );
  const steps = toSteps(row);
  const theme = readKnown(SLIP_THEMES, row.theme);
  return {
    wifiName: row.wifi_name,
    wifiSecurity: readKnown(WIFI_SECURITIES, row.wifi_security),
    wifiPassword:
      row.sealed_wifi_password === null ? null : seal.open(row.sealed_wifi_password, placeOf(siteId)),
    text: row.text,
    ...(languages.length > 0 && { languages }),
    ...(languages.length < stored.length && { hasUnknownLanguages: true as const }),
    ...(Object.keys(steps).length > 0 && { steps }),
    ...(theme !== SLIP_THEMES[0] && { theme }),
    ...(row.colour !== FIRST_COLOUR && isColour(row.colour) && { colour: row.colour }),
    ...(row.logo_has_name === 1 && { logoHasName: true as const }),
  };
}

const STEPS = v.fallback(v.record(v.string(), v.string()), {});

/** The columns `steps_de` and `steps_en` take precedence, because instances of earlier releases write only these. */
function toSteps({
  steps,
  steps_de,
  steps_en,
}: Selectable<Tables['site_slips']>): NonNullable<SiteSlip['steps']> {
  const stored: Record<string, string | null> = {
    ...v.parse(STEPS, readJson(steps ?? '{}')),
    de: steps_de,
    en: steps_en,
  };
  const known: NonNullable<SiteSlip['steps']> = {};
  for (const language of LANGUAGES) {
    const text = stored[language];
    if (typeof text === 'string') known[language] = text;
  }
  return known;
}

export async function upsertSlip(
  handle: Handle,
  seal: Seal,
  { siteId, slip }: { siteId: SiteId; slip: SiteSlip },
): Promise<void> {
  const { wifiPassword } = slip;
  const row = {
    wifi_name: slip.wifiName,
    wifi_security: slip.wifiSecurity,
    sealed_wifi_password:
      wifiPassword === null ? null : await seal.seal(handle, wifiPassword, placeOf(siteId)),
    text: slip.text,
    languages: (slip.languages ?? []).join(' '),
    steps_de: slip.steps?.de ?? null,
    steps_en: slip.steps?.en ?? null,
    steps: slip.steps ? JSON.stringify(slip.steps) : null,
    theme: slip.theme ?? SLIP_THEMES[0],
    colour: slip.colour ?? FIRST_COLOUR,
    logo_has_name: slip.logoHasName ? 1 : 0,
  };
  await handle
    .insertInto('site_slips')
    .values({ site_id: siteId, ...row })
    .onConflict((conflict) => conflict.column('site_id').doUpdateSet(row))
    .execute();
}

export async function selectSlipVouchers(handle: Handle, ids: VoucherId[]): Promise<SlipVoucher[]> {
  if (ids.length === 0) return [];
  const rows = await handle
    .selectFrom('vouchers')
    .innerJoin('sites', 'sites.id', 'vouchers.site_id')
    .selectAll('vouchers')
    .select(['sites.name as site_name', 'sites.time_zone'])
    .where('vouchers.id', 'in', ids)
    .execute();
  return rows.map((row) => ({
    ...toOrder(row),
    id: asVoucherId(row.id),
    siteId: asSiteId(row.site_id),
    siteName: row.site_name,
    siteTimeZone: row.time_zone,
    code: row.code,
    usedCount: row.used_count,
    createdAtS: row.created_at_s,
    firstUsedAtS: row.first_used_at_s,
    endedAtS: row.ended_at_s,
    endsAtS: row.ends_at_s,
    revokedAtS: row.revoked_at_s,
  }));
}
