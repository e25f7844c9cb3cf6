// Collects the facts for the mail with a voucher: what the slip, the settings and the texts of its site say.

import type { VoucherLimits } from '../../../domain/controller.ts';
import { chooseGuestLanguage } from '../../../domain/guest-language.ts';
import type { SiteId } from '../../../domain/ids.ts';
import type { Language } from '../../../domain/language.ts';
import type { VoucherMailFacts } from '../../../domain/mail/mail-content.ts';
import { DEFAULT_MAIL_TEXTS, type MailTextStore } from '../../../domain/mail/mail-texts.ts';
import type { Image, ImageStore, Settings } from '../../../domain/settings/settings.ts';
import type { SlipStore } from '../../../domain/sites/slip.ts';
import { endOfTimeS, formatCode, nameWithoutDate, type Voucher } from '../../../domain/vouchers/voucher.ts';
import { sayAmounts, sayEndOfVoucher } from '../../../i18n/allowance.ts';
import { sayDuration } from '../../../i18n/durations.ts';
import { GUEST_MESSAGES } from '../../../i18n/guest-messages.ts';
import { stepLines } from '../../../i18n/steps.ts';
import { joinText } from '../../../print/join-text.ts';

export interface MailedVoucher extends Voucher, VoucherLimits {
  siteId: SiteId;
  siteName: string;
  /** Null for the time zone of the service. */
  siteTimeZone: string | null;
  isDemo: boolean;
}

/** Where the facts come from. For a preview, the texts come from a form. */
export interface MailSources {
  findSlip: SlipStore['find'];
  findImage: ImageStore['find'];
  findTexts: MailTextStore['find'];
  settings: Pick<Settings, 'language'>;
  /** The time zone of the service. */
  timeZone: string;
  nowMs: number;
}

interface Wanted {
  /** The language that was asked for. */
  language: Language | undefined;
  guestPageUrl: string | null;
}

export async function findVoucherMailFacts(
  voucher: MailedVoucher,
  { language: asked, guestPageUrl }: Wanted,
  sources: MailSources,
): Promise<VoucherMailFacts> {
  const { siteId } = voucher;
  const slip = await sources.findSlip(siteId);
  const language = chooseGuestLanguage(asked, slip.languages, sources.settings.language);
  const texts = await sources.findTexts(siteId);
  return {
    language,
    siteName: voucher.siteName,
    texts: texts[language] ?? DEFAULT_MAIL_TEXTS,
    name: nameWithoutDate(voucher),
    code: formatCode(voucher.code),
    wifi:
      slip.wifiName === ''
        ? null
        : { name: slip.wifiName, password: slip.wifiPassword, qrText: joinText(slip) ?? null },
    steps: stepLines(slip, language),
    slipText: slip.text,
    ...sayValidity(voucher, language, sources),
    guestPageUrl,
    logo: await findLogo(siteId, sources.findImage),
    logoHasName: slip.logoHasName ?? false,
    colour: slip.colour ?? null,
    isDemo: voucher.isDemo,
  };
}

/** The logo of the site, otherwise that of the installation. */
async function findLogo(siteId: SiteId, findImage: ImageStore['find']): Promise<Image | null> {
  return (await findImage(`site-${siteId}`)) ?? (await findImage('logo')) ?? null;
}

function sayValidity(
  voucher: MailedVoucher,
  language: Language,
  { timeZone, nowMs }: MailSources,
): Pick<VoucherMailFacts, 'until' | 'validity'> {
  const { mail, devices, fromFirstUse } = GUEST_MESSAGES[language];
  const endS = endOfTimeS(voucher);
  const end = endS !== null && sayEndOfVoucher(endS, voucher.siteTimeZone, { language, timeZone, nowMs });
  const duration = sayDuration(voucher.expireMinutes, language);
  return {
    until: end ? mail.until(end) : mail.lasts(duration),
    validity: [
      end ? mail.validUntil(end) : fromFirstUse(duration),
      mail.devices(devices(voucher.maxUses)),
      sayAmounts(voucher, { language }).join(', '),
    ].filter(Boolean),
  };
}
