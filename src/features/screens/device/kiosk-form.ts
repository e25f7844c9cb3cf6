// The form of a kiosk: what the screen asks for, the terms and one button for each profile. Also reads the form.

import type { PageContext } from '../../../kernel/pages/context.ts';
import { formToken, oneTimeToken } from '../../../kernel/pages/layout.ts';
import type { Profile } from '../../../kernel/profiles/profile.ts';
import { type Allowance, sayAmounts } from '../../../kernel/vouchers/texts/allowance.ts';
import { findNameProblem, trimName } from '../../../kernel/vouchers/voucher-name.ts';
import { DEFAULT_EXPIRE_MINUTES, DEFAULT_MAX_USES } from '../../../kernel/vouchers/voucher-order.ts';
import { belowField, described } from '../../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { isMailAddress, MAX_ADDRESS_LENGTH } from '../../../platform/text/mail-address.ts';
import { sayDuration } from '../../../platform/texts/durations.ts';
import type { ScreenMessages } from '../kiosk-texts-de.ts';
import { MAX_GUEST_NAME_LENGTH, MAX_ROOM_LENGTH } from '../order-at-screen.ts';
import { type AskedField, SCREEN_PATH, type Terms } from '../screen.ts';
import { KIOSK_TEXTS } from '../screen-texts.ts';

/** The value of the button of a screen without profiles. */
const STANDARD = 'standard';

/** What guests can choose and must enter. */
export interface KioskOffer {
  /** Empty for one voucher with the default limits. */
  profiles: Profile[];
  asks: AskedField[];
  terms: Terms | undefined;
}

export type KioskIssues = Partial<Record<AskedField | 'terms' | 'offers', string>>;

/** What a guest has entered. Fields that the screen does not ask for are empty. */
export interface KioskOrder {
  profile: Profile | undefined;
  fields: Record<AskedField, string>;
  issues: KioskIssues;
}

const MAX_LENGTHS: Record<AskedField, number> = {
  name: MAX_GUEST_NAME_LENGTH,
  email: MAX_ADDRESS_LENGTH,
  room: MAX_ROOM_LENGTH,
};

export function readKioskForm(context: PageContext, { profiles, asks, terms }: KioskOffer): KioskOrder {
  const { form, language } = context;
  const text = KIOSK_TEXTS[language];
  const fields = { name: '', email: '', room: '' };
  const issues: KioskIssues = {};
  for (const field of asks) {
    fields[field] = trimName(form.get(field) ?? '');
    const issue = issueOf(field, fields[field], text);
    if (issue) issues[field] = issue;
  }
  const chosen = form.get('profile');
  const profile = profiles.find(({ id }) => String(id) === chosen);
  if (profiles.length > 0 ? !profile : chosen !== STANDARD) issues.offers = text.profileMissing;
  const issue = findTermsIssue(context, terms);
  if (issue) issues.terms = issue;
  return { profile, fields, issues };
}

/** Undefined if the guest has accepted the terms in the version that was shown, or if there are none. */
export function findTermsIssue(
  { form, language }: PageContext,
  terms: Terms | undefined,
): string | undefined {
  const text = KIOSK_TEXTS[language];
  const accepted = form.get('terms');
  if (!terms || accepted === String(terms.id)) return undefined;
  return accepted ? text.termsChanged : text.agreeMissing;
}

function issueOf(field: AskedField, value: string, text: ScreenMessages): string | undefined {
  const problem = findNameProblem(value)?.kind;
  if (problem === 'name-missing') return text.missing[field];
  if (problem === 'name-not-plain') return text.notPlain;
  if ([...value].length > MAX_LENGTHS[field]) return text.tooLong(MAX_LENGTHS[field]);
  return field === 'email' && !isMailAddress(value) ? text.emailWrong : undefined;
}

/** `extra` is shown below the form, for example another way to get a voucher. */
export function kioskForm(context: PageContext, offer: KioskOffer, issues: KioskIssues): Html {
  const text = KIOSK_TEXTS[context.language];
  const { profiles, asks, terms } = offer;
  const offers =
    profiles.length > 0
      ? profiles.map((profile) => offerButton(context, String(profile.id), profile.name, profile))
      : [offerButton(context, STANDARD, text.standard, STANDARD_LIMITS)];
  // A disabled first button keeps the Enter key of the keyboard on the screen from choosing the first of several
  // profiles.
  const guard = profiles.length > 1 && html`<button type="submit" disabled hidden></button>`;
  return html`<form method="post" action="${SCREEN_PATH}" autocomplete="off" data-working="${text.working}">${formToken(context)}${oneTimeToken()}<input type="hidden" name="lang" value="${context.language}">${guard}
${asks.length > 0 && html`<div class="asked">${asks.map((field) => askedField(context, field, issues[field]))}</div>`}
${terms && termsField(context, terms, issues.terms)}
<div class="offers" id="offers" role="group" aria-label="${text.offers}">${offers}</div>
${belowField('offers', { error: issues.offers })}</form>`;
}

const STANDARD_LIMITS: Allowance = {
  maxUses: DEFAULT_MAX_USES,
  expireMinutes: DEFAULT_EXPIRE_MINUTES,
  downKbps: 0,
  upKbps: 0,
  quotaMb: 0,
};

function offerButton(context: PageContext, value: string, name: string, limits: Allowance): Html {
  return html`<button class="offer" type="submit" name="profile" value="${value}"><strong>${name}</strong><span class="offer-limits">${sayOffer(context, limits)}</span></button>`;
}

/** "1 device · 8 hours" */
function sayOffer(context: PageContext, limits: Allowance): string {
  const { messages, language } = context;
  const { maxUses, nights, expireMinutes } = limits;
  const lasts = nights ? messages.forNights(nights) : sayDuration(expireMinutes, language);
  return [messages.devices(maxUses), lasts, ...sayAmounts(limits, context)].join(' · ');
}

/** The keyboard that the device shows for a field, and whether it begins words with a capital. */
const KEYBOARDS: Record<AskedField, { type: string; inputmode: string; autocapitalize: string }> = {
  name: { type: 'text', inputmode: 'text', autocapitalize: 'words' },
  email: { type: 'email', inputmode: 'email', autocapitalize: 'none' },
  room: { type: 'text', inputmode: 'text', autocapitalize: 'characters' },
};

function askedField({ form, language }: PageContext, field: AskedField, error: string | undefined): Html {
  const text = KIOSK_TEXTS[language];
  const hint = field === 'email' ? text.emailHint : undefined;
  const { type, inputmode, autocapitalize } = KEYBOARDS[field];
  return html`<div class="field"><label for="${field}">${text[field]}</label><input id="${field}" name="${field}" type="${type}" inputmode="${inputmode}" autocapitalize="${autocapitalize}" autocomplete="off" autocorrect="off" spellcheck="false" enterkeyhint="done" maxlength="${MAX_LENGTHS[field]}" value="${form.get(field) ?? ''}" required${described(field, { hint, error })}>
${belowField(field, { hint, error })}</div>`;
}

export function termsField(
  { form, language }: PageContext,
  { id, text: terms }: Terms,
  error?: string,
): Html {
  const text = KIOSK_TEXTS[language];
  const isAccepted = form.get('terms') === String(id);
  return html`<div class="field terms"><details><summary>${text.readTerms}</summary><div class="terms-text" tabindex="0" role="region" aria-label="${text.terms}">${terms}</div></details>
<label class="agree"><input type="checkbox" id="terms" name="terms" value="${id}" required${isAccepted && html` checked`}${described('terms', { error })}><span>${text.agree}</span></label>
${belowField('terms', { error })}</div>`;
}
