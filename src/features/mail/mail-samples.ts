// Samples of the mails of a site, for the administrator who writes their texts. Defines only the interface.

import type { Site } from '../../kernel/sites/site.ts';
import type { Language } from '../../platform/text/language.ts';
import type { MailTexts } from './custom-mail-text.ts';
import type { RenderedMail } from './mail-content.ts';

export interface MailSample {
  language: Language;
  /** Texts that need not be stored. */
  texts: Partial<Record<Language, MailTexts>>;
}

export interface MailSamples {
  render(site: Site, sample: MailSample): Promise<RenderedMail>;
  /** Sends at once. `text` is what the server said if it did not accept the mail. */
  send(site: Site, sample: MailSample & { to: string }): Promise<{ ok: true } | { ok: false; text: string }>;
}
