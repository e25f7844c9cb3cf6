// The form of the slip designer: Wi-Fi, languages, steps, text and logo. The stored Wi-Fi password is never shown in
// it.

import { selectField, textArea, textField } from '../../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { FIRST_LANGUAGE, isLanguage, LANGUAGES, type Language } from '../../../platform/text/language.ts';
import { languageName } from '../../../platform/texts/language-name.ts';
import { guestLanguagesOf } from '../../guest-language.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { checkImage } from '../../settings/image-check.ts';
import { logoField } from '../../settings/pages/logo-form.ts';
import type { Image } from '../../settings/settings.ts';
import { MESSAGES } from '../../texts/messages.ts';
import {
  FIRST_COLOUR,
  isColour,
  issueOfSlipText,
  issueOfSteps,
  issueOfWifiName,
  issueOfWifiPassword,
  MAX_SLIP_LINES,
  MAX_SLIP_TEXT_LENGTH,
  MAX_STEPS,
  MAX_STEPS_LENGTH,
  MAX_WIFI_NAME_BYTES,
  MAX_WIFI_PASSWORD_LENGTH,
  MIN_WIFI_PASSWORD_LENGTH,
  type SiteSlip,
  SLIP_THEMES,
  type SlipIssue,
  WIFI_PLACEHOLDER,
} from '../slip.ts';
import type { SlipMessages } from '../slip-texts-de.ts';
import { stepsOf } from '../step-texts.ts';

/** All pairs of languages, because the slips of a site may have two languages. */
const PAIRS = LANGUAGES.flatMap((one, index) =>
  LANGUAGES.slice(index + 1).map((other) => [one, other] as const),
);

type FieldName = 'wifi-name' | 'wifi-password' | 'text' | 'logo' | `steps-${Language}`;
type SlipIssues = Partial<Record<FieldName, string>>;

export interface ReadSlip {
  slip: SiteSlip;
  issues: SlipIssues;
  /** The new logo of the site, or null if its logo is removed. Undefined if the logo stays as it is. */
  newLogo?: Image | null | undefined;
}

/** An empty password field keeps the stored password; an open Wi-Fi has no password. */
export function readSlip(context: AuthenticatedContext, stored: SiteSlip): ReadSlip {
  const { form, messages, settings } = context;
  const { issues: said } = messages.slip;
  const wifiName = form.get('wifi-name') ?? '';
  const wifiSecurity = form.get('wifi-security') === 'wpa' ? 'wpa' : 'open';
  const typed = form.get('wifi-password') ?? '';
  const kept = form.has('remove-password') ? null : stored.wifiPassword;
  const languages = (form.get('languages') ?? '').split(' ').filter(isLanguage);
  const used = guestLanguagesOf(languages, settings.language);
  const steps = readSteps(form, { stored, used });
  const slip: SiteSlip = {
    wifiName,
    wifiSecurity,
    wifiPassword: wifiSecurity === 'open' ? null : typed || kept,
    text: linesOf(form.get('text')).trim(),
    ...(languages.length > 0 && { languages }),
    ...(Object.keys(steps).length > 0 && { steps }),
    ...readLook(form),
  };
  const name = issueOfWifiName(wifiName);
  const password = typed === '' ? undefined : issueOfWifiPassword(typed);
  const own = issueOfSlipText(slip.text);
  const logo = context.file?.length ? checkImage(context.file) : undefined;
  return {
    slip,
    newLogo: logo?.ok ? logo.value : form.has('remove-logo') ? null : undefined,
    issues: {
      ...(name && {
        'wifi-name': name === 'invisible' ? said.invisible : said.nameTooLong(MAX_WIFI_NAME_BYTES),
      }),
      ...(typed !== '' && wifiSecurity === 'open' && { 'wifi-password': said.openWithPassword }),
      ...(wifiSecurity === 'wpa' &&
        password && {
          'wifi-password':
            password === 'invisible'
              ? said.invisible
              : said.password(MIN_WIFI_PASSWORD_LENGTH, MAX_WIFI_PASSWORD_LENGTH),
        }),
      ...Object.fromEntries(
        used.flatMap((language) => {
          const issue = issueOfSteps(stepsOf(slip, language), wifiName);
          return issue
            ? [[`steps-${language}`, sayIssue(issue, said, { length: MAX_STEPS_LENGTH, lines: MAX_STEPS })]]
            : [];
        }),
      ),
      ...(own && { text: sayIssue(own, said, { length: MAX_SLIP_TEXT_LENGTH, lines: MAX_SLIP_LINES }) }),
      ...(logo && !logo.ok && { logo: messages.logo.issues[logo.problem] }),
    },
  };
}

/** Browsers send only valid themes and colours. Other values count as the default. */
function readLook(form: URLSearchParams): Pick<SiteSlip, 'theme' | 'colour' | 'logoHasName'> {
  const theme = SLIP_THEMES.find((one) => one === form.get('theme')) ?? SLIP_THEMES[0];
  const colour = (form.get('colour') ?? '').toLowerCase();
  return {
    ...(theme !== SLIP_THEMES[0] && { theme }),
    ...(isColour(colour) && colour !== FIRST_COLOUR && { colour }),
    ...(form.has('logo-has-name') && { logoHasName: true }),
  };
}

/** Steps that equal the default are not stored. Languages that are not on the slip keep their stored steps. */
function readSteps(
  form: URLSearchParams,
  { stored, used }: { stored: SiteSlip; used: Language[] },
): NonNullable<SiteSlip['steps']> {
  const steps = { ...stored.steps };
  for (const language of used) {
    const { steps: named, stepsUnnamed } = MESSAGES[language].onPaper;
    const typed = linesOf(form.get(`steps-${language}`) ?? stepsOf(stored, language))
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join('\n');
    if ([named, stepsUnnamed].includes(typed)) delete steps[language];
    else steps[language] = typed;
  }
  return steps;
}

function linesOf(text: string | null): string {
  return (text ?? '').replaceAll('\r\n', '\n');
}

function sayIssue(
  issue: SlipIssue,
  said: SlipMessages['issues'],
  most: { length: number; lines: number },
): string {
  if (issue === 'invisible') return said.invisible;
  if (issue === 'no-wifi-name') return said.noWifiName(WIFI_PLACEHOLDER);
  return issue === 'too-long' ? said.textTooLong(most.length) : said.tooManyLines(most.lines);
}

/** The slip for the preview. Invalid fields are replaced by stored values, and invalid steps by the default steps. */
export function withoutIssues({ slip, issues }: ReadSlip, stored: SiteSlip): SiteSlip {
  const { steps: _, ...others } = slip;
  const hasStepIssue = LANGUAGES.some((language) => issues[`steps-${language}`]);
  const steps = hasStepIssue ? undefined : slip.steps;
  return {
    ...others,
    ...(issues['wifi-name'] && { wifiName: stored.wifiName }),
    ...(issues['wifi-password'] && { wifiPassword: stored.wifiPassword }),
    ...(issues.text && { text: stored.text }),
    ...(steps && { steps }),
  };
}

interface Stored {
  hasPassword: boolean;
  /** The URL of the site's logo; undefined if it has none. */
  logoSrc: string | undefined;
}

/** For an open Wi-Fi, the stylesheet hides the password field, unless the field has an error. */
export function slipFields(
  context: AuthenticatedContext,
  { slip: shown, issues, hasPassword, logoSrc }: ReadSlip & Stored,
): Html {
  const { slip: text, logo } = context.messages;
  return html`${textField({ name: 'wifi-name', label: text.wifiName, hint: text.wifiNameHint, value: shown.wifiName, error: issues['wifi-name'] })}
${selectField({
  name: 'wifi-security',
  label: text.wifiSecurity,
  value: shown.wifiSecurity,
  choices: [
    { value: 'open', label: text.open },
    { value: 'wpa', label: text.wpa },
  ],
})}
<div${!issues['wifi-password'] && html` class="for-wpa"`}>${textField({
    name: 'wifi-password',
    label: text.wifiPassword,
    type: 'password',
    hint: hasPassword ? text.wifiPasswordKept : text.wifiPasswordHint,
    error: issues['wifi-password'],
    autocomplete: 'new-password',
  })}
${hasPassword && html`<p><label class="tick"><input type="checkbox" name="remove-password" value="1">${text.removePassword}</label></p>`}</div>
${languageField(context, shown)}
${LANGUAGES.map(
  (language) =>
    html`<div class="steps-in-${language}">${textArea({
      name: `steps-${language}`,
      label: text.stepsIn(languageName(language, context.language)),
      hint: text.stepsHint(WIFI_PLACEHOLDER, MAX_STEPS),
      value: stepsOf(shown, language),
      error: issues[`steps-${language}`],
    })}</div>`,
)}
${textArea({ name: 'text', label: text.ownText, hint: text.ownTextHint(MAX_SLIP_TEXT_LENGTH, MAX_SLIP_LINES), value: shown.text, error: issues.text })}
${lookFields(context, shown)}
<h2>${logo.title}</h2>
${
  logoSrc !== undefined &&
  html`<div class="logo-now"><img class="logo" src="${logoSrc}" alt="${logo.present}">
<label class="tick"><input type="checkbox" name="remove-logo" value="1"${context.form.has('remove-logo') && html` checked`}>${logo.remove}</label></div>`
}
<p><label class="tick"><input type="checkbox" name="logo-has-name" value="1"${shown.logoHasName && html` checked`}>${text.logoHasName}</label></p>
${logoField(context, { error: issues.logo, hint: `${text.logoHint} ${logo.hint}` })}`;
}

/** The stylesheet hides the colour for themes without a band. */
function lookFields(context: AuthenticatedContext, { theme = SLIP_THEMES[0], colour }: SiteSlip): Html {
  const { slip: text } = context.messages;
  return html`<fieldset class="field"><legend>${text.theme}</legend><div class="chips">${SLIP_THEMES.map(
    (one) =>
      html`<label class="chip"><input type="radio" name="theme" value="${one}"${one === theme && html` checked`}><span>${text.themes[one]}</span></label>`,
  )}</div></fieldset>
<div class="field for-strong"><label for="colour">${text.colour}</label>
<input id="colour" name="colour" type="color" value="${colour ?? FIRST_COLOUR}" aria-describedby="colour-hint">
<span class="hint" id="colour-hint">${text.colourHint}</span></div>`;
}

/** Each choice has the CSS classes `no-…` of the languages that it lacks. The stylesheet hides their steps. */
function languageField(context: AuthenticatedContext, { languages = [] }: SiteSlip): Html {
  const { slip: text } = context.messages;
  const own = context.settings.language ?? FIRST_LANGUAGE;
  const name = (language: Language) => languageName(language, context.language);
  const missing = (used: readonly Language[]) =>
    LANGUAGES.filter((language) => !used.includes(language))
      .map((language) => `no-${language}`)
      .join(' ');
  const choices = [
    { value: '', label: text.installationLanguage(name(own)), used: [own] },
    ...LANGUAGES.map((language) => ({ value: language, label: name(language), used: [language] })),
    ...PAIRS.map((pair) => ({
      value: pair.join(' '),
      label: text.inTwoLanguages(...pair.map(name)),
      used: pair,
    })),
  ];
  return html`<fieldset class="field"><legend>${text.languages}</legend><div class="chips">${choices.map(
    ({ value, label, used }) =>
      html`<label class="chip"><input type="radio" name="languages" value="${value}" class="${missing(used)}"${value === languages.join(' ') && html` checked`}><span>${label}</span></label>`,
  )}</div><span class="hint">${text.languagesHint}</span></fieldset>`;
}
