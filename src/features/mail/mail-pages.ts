// What e-mails bring to the web interface.

import type { FeaturePages } from '../../kernel/pages/feature-pages.ts';
import { html } from '../../platform/pages/ui/html.ts';
import type { MailTextStore } from './custom-mail-text.ts';
import type { MailStore } from './mail.ts';
import type { MailSamples } from './mail-samples.ts';
import type { MailServerStore } from './mail-server.ts';
import { MAIL_TEXTS } from './mail-texts.ts';
import type { MailVoucher } from './mail-voucher.ts';
import { mailServerCard, mailServerRoutes } from './pages/mail-server.ts';
import { mailTextRoutes } from './pages/mail-texts.ts';
import { mailVoucherRoutes } from './pages/mail-voucher.ts';
import { mailRoutes } from './pages/mails.ts';
import { mailVoucherSlots } from './pages/voucher-slots.ts';
import type { ResendMail } from './resend-mail.ts';
import type { MailTests } from './test-mail.ts';

declare module '../../kernel/pages/app.ts' {
  interface App {
    mailServer: MailServerStore;
    mailTests: MailTests;
    mails: MailStore;
    mailTexts: MailTextStore;
    mailVoucher: MailVoucher;
    resendMail: ResendMail;
    mailSamples: MailSamples;
  }
}

export const mailPages: FeaturePages = {
  siteLink: ({ language }, { id }) =>
    html`<a class="button" href="/sites/${id}/mail">${MAIL_TEXTS[language].texts}</a>`,
  routes: [...mailVoucherRoutes, ...mailRoutes, ...mailTextRoutes, ...mailServerRoutes],
  settingsCard: mailServerCard,
  vouchers: mailVoucherSlots,
};
