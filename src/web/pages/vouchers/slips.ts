// Prepares slips for printing. Combines each voucher with the slip settings, the logo and the languages of its site.

import { guestLanguagesOf } from '../../../domain/guest-language.ts';
import type { SiteId } from '../../../domain/ids.ts';
import type { Language } from '../../../domain/language.ts';
import type { Image, ImageStore } from '../../../domain/settings/settings.ts';
import {
  FIRST_COLOUR,
  type SiteSlip,
  SLIP_THEMES,
  type SlipStore,
  type SlipVoucher,
  WIFI_PLACEHOLDER,
} from '../../../domain/sites/slip.ts';
import { UNKNOWN } from '../../../domain/unknown-value.ts';
import { formatCode } from '../../../domain/vouchers/voucher.ts';
import { sayAllowance } from '../../../i18n/allowance.ts';
import { MESSAGES } from '../../../i18n/messages.ts';
import { stepLines, stepsOf } from '../../../i18n/steps.ts';
import { imageSizeOf } from '../../../print/image-size.ts';
import { joinText } from '../../../print/join-text.ts';
import type { Guide, Logo, PrintedSlip, PrintInput, WifiFact } from '../../../print/printed-slip.ts';
import type { PageContext } from '../../http/context.ts';
import { makeSiteHead, type SiteHead } from './site-head.ts';
import { shownName } from './voucher-details.ts';

export type Prepared = Pick<PrintInput, 'slips' | 'logos'>;

/** Where the slip settings and the logos come from. For a preview, they come from a form. */
interface Sources {
  findSlip: SlipStore['find'];
  findImage: ImageStore['find'];
}

export async function prepareSlips(
  context: PageContext,
  vouchers: SlipVoucher[],
  { findSlip, findImage }: Sources = { findSlip: context.app.slips.find, findImage: context.app.images.find },
): Promise<Prepared> {
  const logos: Prepared['logos'] = new Map();
  const sites = new Map<SiteId, { own: SiteSlip; head: SiteHead }>();
  for (const voucher of vouchers) {
    const { siteId } = voucher;
    if (sites.has(siteId)) continue;
    const head = await makeSiteHead(context, voucher, findImage);
    sites.set(siteId, { own: await findSlip(siteId), head });
    if (head.logo && !logos.has(head.logo.name)) logos.set(head.logo.name, toLogo(head.logo.image));
  }
  return {
    logos,
    slips: vouchers.flatMap((voucher) => {
      const site = sites.get(voucher.siteId);
      return site ? [toPrinted(context, voucher, site)] : [];
    }),
  };
}

function toLogo({ type, bytes }: Image): Logo {
  return { source: `data:${type};base64,${bytes.toString('base64')}`, ...imageSizeOf(bytes) };
}

function toPrinted(
  context: PageContext,
  voucher: SlipVoucher,
  { own, head: { title, site, logo } }: { own: SiteSlip; head: SiteHead },
): PrintedSlip {
  const languages = guestLanguagesOf(own.languages, context.settings.language);
  const said = languages.map((language) => MESSAGES[language]);
  const join = joinText(own);
  const { print } = MESSAGES[languages[0]];
  return {
    theme: own.theme === undefined || own.theme === UNKNOWN ? SLIP_THEMES[0] : own.theme,
    colour: own.colour ?? FIRST_COLOUR,
    language: languages[0],
    title,
    logo: logo?.name,
    logoHasName: own.logoHasName ?? false,
    site,
    name: `${print.wifi} · ${shownName(voucher)}`,
    code: formatCode(voucher.code),
    guides: languages.map((language) => guideOf(context, { voucher, own, language })),
    wifi: own.wifiName === '' ? [] : wifiFacts(own, languages),
    qr: {
      text: join ?? voucher.code,
      caption: said.map(({ onPaper }) => (join ? onPaper.join : onPaper.code)).join('\n'),
    },
    text: own.text,
  };
}

function guideOf(
  context: PageContext,
  { voucher, own, language }: { voucher: SlipVoucher; own: SiteSlip; language: Language },
): Guide {
  return {
    language,
    allowance: sayAllowance(voucher, { ...context, language, messages: MESSAGES[language] }),
    steps: stepLines(own, language),
  };
}

function wifiFacts(own: SiteSlip, languages: Language[]): WifiFact[] {
  const labelsOf = (name: 'wifi' | 'password') =>
    languages.map((language) => MESSAGES[language].onPaper[name]);
  const isInSteps = languages.every((language) => stepsOf(own, language).includes(WIFI_PLACEHOLDER));
  const name = { labels: labelsOf('wifi'), value: own.wifiName, isPassword: false, isInSteps };
  if (own.wifiPassword === null) return [name];
  return [
    name,
    { labels: labelsOf('password'), value: own.wifiPassword, isPassword: true, isInSteps: false },
  ];
}
