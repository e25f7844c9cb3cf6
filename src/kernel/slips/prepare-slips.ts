// Prepares slips for printing. Combines each voucher with the slip settings, the logo and the languages of its site.

import { imageSizeOf } from '../../platform/drawing/image-size.ts';
import type { Language } from '../../platform/text/language.ts';
import { UNKNOWN } from '../../platform/values/unknown-value.ts';
import { guestLanguagesOf } from '../guest-language.ts';
import type { SiteId } from '../ids.ts';
import type { Image, ImageStore, Settings } from '../settings/settings.ts';
import { sayAllowance } from '../vouchers/texts/allowance.ts';
import { GUEST_TEXTS } from '../vouchers/texts/guest-texts.ts';
import { formatCode, nameWithoutDate } from '../vouchers/voucher.ts';
import { joinText } from './join-text.ts';
import type { Guide, Logo, PrintedSlip, PrintInput, WifiFact } from './printed-slip.ts';
import { makeSiteHead, type SiteHead } from './site-head.ts';
import {
  FIRST_COLOUR,
  type SiteSlip,
  SLIP_THEMES,
  type SlipStore,
  type SlipVoucher,
  WIFI_PLACEHOLDER,
} from './slip.ts';
import { stepLines, stepsOf } from './step-texts.ts';

export type Prepared = Pick<PrintInput, 'slips' | 'logos'>;

/** What slips depend on. For a preview, slip settings and logos come from a form. */
export interface SlipSources {
  findSlip: SlipStore['find'];
  findImage: ImageStore['find'];
  settings: Pick<Settings, 'title' | 'language'>;
  /** The time zone of the service. */
  timeZone: string;
  nowMs: number;
}

export async function prepareSlips(vouchers: SlipVoucher[], sources: SlipSources): Promise<Prepared> {
  const { findSlip, findImage, settings } = sources;
  const logos: Prepared['logos'] = new Map();
  const sites = new Map<SiteId, { own: SiteSlip; head: SiteHead }>();
  for (const voucher of vouchers) {
    const { siteId } = voucher;
    if (sites.has(siteId)) continue;
    const head = await makeSiteHead(settings, voucher, findImage);
    sites.set(siteId, { own: await findSlip(siteId), head });
    if (head.logo && !logos.has(head.logo.name)) logos.set(head.logo.name, toLogo(head.logo.image));
  }
  return {
    logos,
    slips: vouchers.flatMap((voucher) => {
      const site = sites.get(voucher.siteId);
      return site ? [toPrinted(sources, voucher, site)] : [];
    }),
  };
}

function toLogo({ type, bytes }: Image): Logo {
  return { source: `data:${type};base64,${bytes.toString('base64')}`, ...imageSizeOf(bytes) };
}

function toPrinted(
  sources: SlipSources,
  voucher: SlipVoucher,
  { own, head: { title, site, logo } }: { own: SiteSlip; head: SiteHead },
): PrintedSlip {
  const languages = guestLanguagesOf(own.languages, sources.settings.language);
  const said = languages.map((language) => GUEST_TEXTS[language]);
  const join = joinText(own);
  return {
    theme: own.theme === undefined || own.theme === UNKNOWN ? SLIP_THEMES[0] : own.theme,
    colour: own.colour ?? FIRST_COLOUR,
    language: languages[0],
    title,
    logo: logo?.name,
    logoHasName: own.logoHasName ?? false,
    site,
    name: `${GUEST_TEXTS[languages[0]].onPaper.access} · ${nameWithoutDate(voucher)}`,
    code: formatCode(voucher.code),
    guides: languages.map((language) => guideOf(sources, { voucher, own, language })),
    wifi: own.wifiName === '' ? [] : wifiFacts(own, languages),
    qr: {
      text: join ?? voucher.code,
      caption: said.map(({ onPaper }) => (join ? onPaper.join : onPaper.code)).join('\n'),
    },
    text: own.text,
  };
}

function guideOf(
  sources: SlipSources,
  { voucher, own, language }: { voucher: SlipVoucher; own: SiteSlip; language: Language },
): Guide {
  return {
    language,
    allowance: sayAllowance(voucher, { ...sources, language }),
    steps: stepLines(own, language),
  };
}

function wifiFacts(own: SiteSlip, languages: Language[]): WifiFact[] {
  const labelsOf = (name: 'wifi' | 'password') =>
    languages.map((language) => GUEST_TEXTS[language].onPaper[name]);
  const isInSteps = languages.every((language) => stepsOf(own, language).includes(WIFI_PLACEHOLDER));
  const name = { labels: labelsOf('wifi'), value: own.wifiName, isPassword: false, isInSteps };
  if (own.wifiPassword === null) return [name];
  return [
    name,
    { labels: labelsOf('password'), value: own.wifiPassword, isPassword: true, isInSteps: false },
  ];
}
