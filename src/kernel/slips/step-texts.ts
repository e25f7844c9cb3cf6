// The steps with which a guest gets online, as slips, guest pages and mails show them.

import type { Language } from '../../platform/text/language.ts';
import { GUEST_TEXTS } from '../vouchers/texts/guest-texts.ts';
import { type SiteSlip, WIFI_PLACEHOLDER } from './slip.ts';

/** The steps of the site, or the default steps. Each line is a step. */
export function stepsOf(own: SiteSlip, language: Language): string {
  const { steps, stepsUnnamed } = GUEST_TEXTS[language].onPaper;
  return own.steps?.[language] ?? (own.wifiName === '' ? stepsUnnamed : steps);
}

/** The steps as the guest reads them, with the name of the Wi-Fi. */
export function stepLines(own: SiteSlip, language: Language): string[] {
  return stepsOf(own, language)
    .split('\n')
    .filter((step) => step.trim() !== '')
    .map((step) => step.replaceAll(WIFI_PLACEHOLDER, () => own.wifiName));
}
