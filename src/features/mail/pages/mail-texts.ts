// The texts of a site's mails: the form for each language, a preview, and a sample for the signed-in user. The preview
// is a page of its own in a frame without any rights, because a mail contains inline styles.

import { type AuthenticatedContext, auditContextOf } from '../../../kernel/pages/context.ts';
import { formToken, redirect, renderPage } from '../../../kernel/pages/layout.ts';
import { hasFieldIssues, message } from '../../../kernel/pages/message.ts';
import type { Route } from '../../../kernel/pages/route.ts';
import { withSite } from '../../../kernel/sites/pages/with-site.ts';
import type { Site } from '../../../kernel/sites/site.ts';
import { paperStylesheet } from '../../../platform/pages/assets.ts';
import { textArea, textField } from '../../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { LANGUAGES, type Language } from '../../../platform/text/language.ts';
import { isMailAddress } from '../../../platform/text/mail-address.ts';
import { languageName } from '../../../platform/texts/language-name.ts';
import {
  DEFAULT_MAIL_TEXTS,
  issuesOfMailTexts,
  MAIL_PLACEHOLDERS,
  MAX_MAIL_TEXT_LENGTH,
  MAX_MAIL_TEXT_LINES,
  MAX_SUBJECT_LENGTH,
  type MailTextIssue,
  type MailTexts,
} from '../custom-mail-text.ts';
import type { RenderedMail } from '../mail-content.ts';
import { MAIL_TEXTS } from '../mail-texts.ts';

type TextsByLanguage = Record<Language, MailTexts>;
type Issues = Record<string, string>;

const FIELDS = ['subject', 'greeting', 'closing'] as const;
const FRAME = 'preview';
/** Nothing is loaded and no script runs. Images are part of the page. */
const PREVIEW_CSP =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox";

const path = '/sites/:site/mail';
const permission = 'admin';

export const mailTextRoutes: Route[] = [
  { method: 'GET', path, permission, run: withSite(showStored) },
  { method: 'POST', path, permission, run: withSite(save) },
  { method: 'GET', path: `${path}/preview`, permission, run: withSite(previewStored) },
  { method: 'POST', path: `${path}/preview`, formAt: path, permission, run: withSite(previewTyped) },
  { method: 'POST', path: `${path}/sample`, formAt: path, permission, run: withSite(sendSample) },
];

async function showStored(context: AuthenticatedContext, site: Site): Promise<Response> {
  return show(context, site, { texts: await findTexts(context, site) });
}

async function save(context: AuthenticatedContext, site: Site): Promise<Response> {
  const texts = readTexts(context);
  const issues = await findIssues(context, site, texts);
  if (hasFieldIssues(issues)) return show(context, site, { texts, issues });
  await context.app.mailTexts.save(site.id, texts, auditContextOf(context));
  return redirect(context, `/sites/${site.id}/mail`, 'mailTextsSaved');
}

async function previewStored(context: AuthenticatedContext, site: Site): Promise<Response> {
  return preview(context, site, await findTexts(context, site));
}

async function previewTyped(context: AuthenticatedContext, site: Site): Promise<Response> {
  return preview(context, site, readTexts(context));
}

async function preview(context: AuthenticatedContext, site: Site, texts: TextsByLanguage): Promise<Response> {
  const language = chosenLanguage(context);
  const issues = Object.values(await findIssues(context, site, { [language]: texts[language] }));
  const mail = issues.length === 0 && (await context.app.mailSamples.render(site, { language, texts }));
  const page = mail
    ? context.form.has('asText')
      ? textPage(mail)
      : withImages(mail)
    : html`<!doctype html><p>${issues.join(' ')}</p>`.toString();
  return context.hono.body(page, 200, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': PREVIEW_CSP,
  });
}

function textPage({ subject, text }: RenderedMail): string {
  return html`<!doctype html><meta name="color-scheme" content="light dark"><title>${subject}</title><pre style="white-space:pre-wrap;font-size:14px">${subject}\n\n${text}</pre>`.toString();
}

/**
 * Outside a mail, nothing has the addresses of its images. A quotation mark in a text is escaped, so no text changes.
 */
function withImages({ html: content, images }: RenderedMail): string {
  return images.reduce(
    (page, { cid, type, bytes }) =>
      page.replaceAll(`src="cid:${cid}"`, `src="data:${type};base64,${bytes.toString('base64')}"`),
    content,
  );
}

async function sendSample(context: AuthenticatedContext, site: Site): Promise<Response> {
  const { app, user } = context;
  const text = MAIL_TEXTS[context.language];
  const texts = readTexts(context);
  const language = chosenLanguage(context);
  const issues = await findIssues(context, site, { [language]: texts[language] });
  if (hasFieldIssues(issues)) return show(context, site, { texts, issues });
  const result = await app.mailSamples.send(site, { language, texts, to: user.email });
  const said = result.ok
    ? message('success', text.sampleSent(user.email))
    : message(
        'error',
        html`<strong>${text.sampleFailed}</strong><br>${text.serverSaid} <bdi lang="en">${result.text}</bdi>`,
      );
  return show(context, site, { texts, said });
}

async function findTexts({ app }: AuthenticatedContext, site: Site): Promise<TextsByLanguage> {
  const stored = await app.mailTexts.find(site.id);
  return inEveryLanguage((language) => stored[language] ?? DEFAULT_MAIL_TEXTS);
}

function readTexts({ form }: AuthenticatedContext): TextsByLanguage {
  const typed = (name: string) => (form.get(name) ?? '').replaceAll('\r\n', '\n').trim();
  return inEveryLanguage((language) => ({
    subject: typed(`subject-${language}`),
    greeting: typed(`greeting-${language}`),
    closing: typed(`closing-${language}`),
  }));
}

function inEveryLanguage(textsIn: (language: Language) => MailTexts): TextsByLanguage {
  return { de: textsIn('de'), en: textsIn('en') };
}

function chosenLanguage({ form, query }: AuthenticatedContext): Language {
  const chosen = form.get('asText') ?? form.get('language') ?? query.get('language');
  return LANGUAGES.find((language) => language === chosen) ?? LANGUAGES[0];
}

/** By the id of the field. */
async function findIssues(
  context: AuthenticatedContext,
  site: Site,
  texts: Partial<TextsByLanguage>,
): Promise<Issues> {
  const { wifiName } = await context.app.slips.find(site.id);
  const found = Object.entries(texts).flatMap(([language, ofLanguage]) =>
    issuesOfMailTexts(ofLanguage, wifiName).map((issue): [string, string] => [
      `${issue.field}-${language}`,
      sayIssue(context, issue),
    ]),
  );
  return Object.fromEntries(found);
}

function sayIssue({ language }: AuthenticatedContext, issue: MailTextIssue): string {
  const { issues: text } = MAIL_TEXTS[language];
  switch (issue.issue) {
    case 'unknown-placeholder':
      return text.placeholder(issue.placeholder);
    case 'too-long':
      return text.tooLong(issue.field === 'subject' ? MAX_SUBJECT_LENGTH : MAX_MAIL_TEXT_LENGTH);
    case 'too-many-lines':
      return text.tooManyLines(MAX_MAIL_TEXT_LINES);
    default:
      return text[issue.issue];
  }
}

interface Shown {
  texts: TextsByLanguage;
  issues?: Issues;
  said?: Html;
}

async function show(
  context: AuthenticatedContext,
  site: Site,
  { texts, issues = {}, said }: Shown,
): Promise<Response> {
  const { app, user } = context;
  const text = MAIL_TEXTS[context.language];
  const action = `/sites/${site.id}/mail`;
  const hasServer = (await app.mailServer.find()) !== undefined;
  const canSend = hasServer && isMailAddress(user.email);
  // The Enter key activates the first button of a form. Without the hidden button, Enter would open a preview.
  return renderPage(context, {
    title: text.textsOf(site.name),
    issues,
    message: said,
    stylesheets: [paperStylesheet],
    hasFrame: true,
    content: html`<h1>${text.textsOf(site.name)}</h1><p>${text.textsIntro}</p>
<div class="designer"><section class="card"><form id="texts" method="post" action="${action}" novalidate>${formToken(context)}<button class="hidden-text" tabindex="-1" aria-hidden="true"></button>
<p class="soft">${text.placeholders.title}: ${MAIL_PLACEHOLDERS.map((name, index) => html`${index > 0 && ', '}<code>{${name}}</code> ${text.placeholders[name]}`)}</p>
${LANGUAGES.map((language) => languageFields(context, { language, texts: texts[language], issues }))}
<div class="actions"><button class="button primary" type="submit">${text.save}</button><a class="button" href="/sites/${site.id}">${text.back}</a></div></form></section>
<section class="card shown" aria-labelledby="preview-title"><h2 id="preview-title">${text.preview}</h2>${previewButtons(context, `${action}/preview`)}
<iframe class="mail-preview" name="${FRAME}" title="${text.preview}" src="${action}/preview?language=${chosenLanguage(context)}" sandbox></iframe>
${canSend ? sampleButtons(context, `${action}/sample`) : hasServer && html`<p class="soft">${text.noSampleAddress}</p>`}</section></div>`,
  });
}

interface LanguageFields {
  language: Language;
  texts: MailTexts;
  issues: Issues;
}

function languageFields(context: AuthenticatedContext, { language, texts, issues }: LanguageFields): Html {
  const text = MAIL_TEXTS[context.language];
  const field = (name: (typeof FIELDS)[number]) => ({
    name: `${name}-${language}`,
    label: `${text[name]} (${languageName(language, context.language)})`,
    value: texts[name],
    error: issues[`${name}-${language}`],
  });
  return html`<h2>${languageName(language, context.language)}</h2>${textField(field('subject'))}${textArea(field('greeting'))}${textArea(field('closing'))}`;
}

/** They stand above the preview, which is below the form on a phone. */
function previewButtons(context: AuthenticatedContext, action: string): Html {
  const text = MAIL_TEXTS[context.language];
  const button = (name: 'language' | 'asText', language: Language, label: string) =>
    html`<button class="chip" form="texts" name="${name}" value="${language}" formaction="${action}" formtarget="${FRAME}">${label}</button>`;
  return html`<div class="chips field">${LANGUAGES.map((language) => {
    const name = languageName(language, context.language);
    return html`${button('language', language, name)}${button('asText', language, text.asText(name))}`;
  })}</div>`;
}

function sampleButtons(context: AuthenticatedContext, action: string): Html {
  const text = MAIL_TEXTS[context.language];
  return html`<div class="actions">${LANGUAGES.map((language) => html`<button class="button" form="texts" name="language" value="${language}" formaction="${action}">${text.sample(languageName(language, context.language))}</button>`)}</div>`;
}
