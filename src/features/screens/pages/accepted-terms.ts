// The terms that a guest has accepted at a screen, on the page of the voucher. The hash proves which text it was.

import type { VoucherSlots } from '../../../kernel/vouchers/pages/voucher-slots.ts';
import { html } from '../../../platform/pages/ui/html.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import { KIOSK_TEXTS } from '../screen-texts.ts';

export const acceptedTermsSlots: VoucherSlots = {
  async facts({ app, language, timeZone }, { id }) {
    const accepted = await app.screens.findAcceptedTerms(id);
    if (!accepted) return [];
    const { terms, acceptedAtS } = accepted;
    const at = sayTime(acceptedAtS * 1000, { language, timeZone });
    const text = KIOSK_TEXTS[language];
    const hash = html`<span class="sub">SHA-256: ${terms.hash}</span>`;
    return [[text.terms, html`${text.acceptedTerms(terms.version, at)}${hash}`]];
  },
};
