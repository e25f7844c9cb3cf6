// The fields for the address and the language of a voucher's mail, in the form for new vouchers and in the form that
// sends a voucher.

import * as v from 'valibot';
import type { PageContext } from '../../../kernel/pages/context.ts';
import { belowField, described, selectField } from '../../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { isLanguage, LANGUAGES } from '../../../platform/text/language.ts';
import { isMailAddress, MAX_ADDRESS_LENGTH } from '../../../platform/text/mail-address.ts';
import { languageName } from '../../../platform/texts/language-name.ts';
import type { OrderedMail } from '../mail.ts';
import { MAIL_TEXTS } from '../mail-texts.ts';

/** The values of the fields. */
interface TypedMail {
  email: string;
  language: string;
}

/** What was typed: a mail, nothing, or something that is not an address. */
export function readMailFields({ form }: PageContext): OrderedMail | undefined | 'wrong' {
  const address = (form.get('email') ?? '').trim();
  if (address === '') return undefined;
  const language = form.get('language');
  return isMailAddress(address) ? { address, ...(isLanguage(language) && { language }) } : 'wrong';
}

/** The prefix of the text before encryption, so that no other encrypted text is accepted. */
const PURPOSE = 'mail ';
const KEPT = v.object({ email: v.pipe(v.string(), v.maxLength(MAX_ADDRESS_LENGTH)), language: v.string() });

/** What was typed, encrypted for a URL: addresses must not appear in the logs of a proxy. Undefined for no address. */
export function sealMail({ app }: PageContext, { email, language }: TypedMail): string | undefined {
  return email === '' ? undefined : app.textSeal.seal(PURPOSE + JSON.stringify({ email, language }));
}

/** What is typed in the form, otherwise what the URL has kept. */
export function typedMail({ app, form, query }: PageContext): TypedMail {
  const kept = form.has('email') ? null : query.get('mail');
  const opened = kept ? app.textSeal.open(kept) : undefined;
  if (!opened?.startsWith(PURPOSE))
    return { email: form.get('email') ?? '', language: form.get('language') ?? '' };
  const parsed = v.safeParse(KEPT, JSON.parse(opened.slice(PURPOSE.length)));
  return parsed.success ? parsed.output : { email: '', language: '' };
}

interface Shown extends TypedMail {
  error?: string | undefined;
  /** Shown below the address. */
  hint?: Html;
}

export function mailFields(context: PageContext, { email, language, error, hint }: Shown): Html {
  const text = MAIL_TEXTS[context.language];
  const choices = [
    { value: '', label: text.siteLanguage },
    ...LANGUAGES.map((one) => ({ value: one, label: languageName(one, context.language) })),
  ];
  // A device at the reception must not offer the addresses of other guests.
  return html`<div class="pair level mail-to"><div class="field"><label for="email">${text.address}</label>
<input id="email" name="email" type="email" autocomplete="off" autocapitalize="off" spellcheck="false" value="${email}"${described('email', { error })}>${hint}
${belowField('email', { error })}</div>
${LANGUAGES.length > 1 && selectField({ name: 'language', label: text.language, value: language, choices })}</div>`;
}
