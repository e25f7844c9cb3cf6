// Collects the facts for the mail with a voucher: what the slip, the settings and the texts of its site say.

import { chooseGuestLanguage } from '../../../kernel/guest-language.ts';
import type { ImageStore, SettingsStore } from '../../../kernel/settings/settings.ts';
import { joinText } from '../../../kernel/slips/join-text.ts';
import { findLogo } from '../../../kernel/slips/site-head.ts';
import type { SlipStore } from '../../../kernel/slips/slip.ts';
import { stepLines } from '../../../kernel/slips/step-texts.ts';
import { type Reader, sayAmounts, sayEndOfVoucher } from '../../../kernel/vouchers/texts/allowance.ts';
import { GUEST_TEXTS } from '../../../kernel/vouchers/texts/guest-texts.ts';
import { endOfTimeS, formatCode, nameWithoutDate } from '../../../kernel/vouchers/voucher.ts';
import { sayDuration } from '../../../platform/texts/durations.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { DEFAULT_MAIL_TEXTS, type MailTextStore } from '../custom-mail-text.ts';
import type { MailedVoucher, VoucherMailFacts, WantedMail } from '../mail-content.ts';
import { MAIL_CONTENT_TEXTS } from '../mail-content-texts.ts';

/** Where the facts come from. */
export interface MailSources {
  slips: Pick<SlipStore, 'find'>;
  images: Pick<ImageStore, 'find'>;
  mailTexts: Pick<MailTextStore, 'find'>;
  settings: Pick<SettingsStore, 'read'>;
  /** The time zone of the service. */
  timeZone: string;
  clock: Clock;
}

export async function findVoucherMailFacts(
  voucher: MailedVoucher,
  { language: asked, guestPageUrl, texts: drafts }: WantedMail,
  { slips, images, mailTexts, settings, timeZone, clock }: MailSources,
): Promise<VoucherMailFacts> {
  const { siteId } = voucher;
  const slip = await slips.find(siteId);
  const language = chooseGuestLanguage(asked, slip.languages, (await settings.read()).language);
  const texts = drafts ?? (await mailTexts.find(siteId));
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
    ...sayValidity(voucher, { language, timeZone, nowMs: clock.nowMs() }),
    guestPageUrl,
    logo: (await findLogo(siteId, images.find))?.image ?? null,
    logoHasName: slip.logoHasName ?? false,
    colour: slip.colour ?? null,
    isDemo: voucher.isDemo,
  };
}

function sayValidity(voucher: MailedVoucher, reader: Reader): Pick<VoucherMailFacts, 'until' | 'validity'> {
  const { language } = reader;
  const mail = MAIL_CONTENT_TEXTS[language];
  const { devices, fromFirstUse } = GUEST_TEXTS[language];
  const endS = endOfTimeS(voucher);
  const end = endS !== null && sayEndOfVoucher(endS, voucher.siteTimeZone, reader);
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
