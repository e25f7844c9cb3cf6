// Settings of the whole installation: title, logo, language, access to the API documentation, who helps, the public
// address, retention and data protection. A change of retention is saved only after a preview of what it would delete.

import { selectField, textField } from '../../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { isLanguage } from '../../../platform/text/language.ts';
import { confirm } from '../../pages/confirm.ts';
import { type AuthenticatedContext, auditContextOf } from '../../pages/context.ts';
import { formToken, redirect, renderPage } from '../../pages/layout.ts';
import type { FieldIssues } from '../../pages/message.ts';
import type { Route } from '../../pages/route.ts';
import { keptFrom } from '../../vouchers/retention.ts';
import type { ImageIssue } from '../image-check.ts';
import { helperIssue, titleIssue } from '../settings.ts';
import { logoForm } from './logo-form.ts';
import { publicUrlCard } from './public-url-form.ts';
import {
  type Keeping,
  keepingIssues,
  keepingOf,
  previewTable,
  readKeeping,
  retentionForm,
  sayPreview,
  toQuery,
} from './retention.ts';

interface Issues {
  title?: string | undefined;
  'helper-name'?: string | undefined;
  'helper-phone'?: string | undefined;
  'public-url'?: string | undefined;
  logo?: ImageIssue;
  keeping?: Keeping;
}

const path = '/settings/retention';

export const settingsRoutes: Route[] = [
  { method: 'GET', path: '/settings', permission: 'admin', run: showSettings },
  { method: 'POST', path: '/settings', permission: 'admin', run: saveLook },
  { method: 'POST', path: '/settings/helper', formAt: '/settings', permission: 'admin', run: saveHelper },
  { method: 'POST', path: '/settings/privacy', formAt: '/settings', permission: 'admin', run: savePrivacy },
  { method: 'GET', path, permission: 'admin', run: previewRetention },
  { method: 'POST', path, permission: 'admin', recentPassword: true, run: saveRetention },
];

async function saveLook(context: AuthenticatedContext) {
  const { form, messages } = context;
  const title = (form.get('title') ?? '').trim();
  const issue = titleIssue(title);
  if (issue) return showSettings(context, { title: messages.settings.nameIssues[issue] });
  const language = form.get('language');
  const change = {
    title,
    language: isLanguage(language) ? language : null,
    isApiPageOpen: form.get('api-page') === 'open',
  };
  await context.app.settings.change(change, auditContextOf(context));
  return redirect(context, '/settings', 'settingsSaved');
}

async function saveHelper(context: AuthenticatedContext) {
  const { form, messages, app } = context;
  const typed = (name: string) => (form.get(name) ?? '').trim();
  const change = { helperName: typed('helper-name'), helperPhone: typed('helper-phone') };
  const nameIssue = helperIssue(change.helperName);
  const phoneIssue = helperIssue(change.helperPhone);
  const { helperIssues } = messages.settings;
  if (nameIssue || phoneIssue)
    return showSettings(context, {
      'helper-name': nameIssue && helperIssues[nameIssue],
      'helper-phone': phoneIssue && helperIssues[phoneIssue],
    });
  await app.settings.change(change, auditContextOf(context));
  return redirect(context, '/settings', 'settingsSaved');
}

async function savePrivacy(context: AuthenticatedContext) {
  const { form } = context;
  const change = { asksForNames: form.get('names') !== 'none', shortensIps: form.get('ips') === 'short' };
  await context.app.settings.change(change, auditContextOf(context));
  return redirect(context, '/settings', 'settingsSaved');
}

async function previewRetention(context: AuthenticatedContext) {
  const keeping = readKeeping(context.query);
  if (!keeping.chosen) return showSettings(context, { keeping });
  const preview = await context.app.retention.preview(keptFrom(keeping.chosen, context.nowMs));
  const { settings: text } = context.messages;
  return confirm(context, {
    ask: text.ask,
    what: sayPreview(context, keeping.chosen, preview),
    details: previewTable(context, preview),
    action: `${path}?${toQuery(keeping.chosen)}`,
    button: text.saveRetention,
    back: '/settings',
  });
}

/** Saves the retention settings. The confirmed values are in the query of the form's URL. */
async function saveRetention(context: AuthenticatedContext) {
  const keeping = readKeeping(context.query);
  if (!keeping.chosen) return showSettings(context, { keeping });
  await context.app.settings.change(keeping.chosen, auditContextOf(context));
  return redirect(context, '/settings', 'settingsSaved');
}

export function showSettings(context: AuthenticatedContext, issues: Issues = {}) {
  const { messages, settings } = context;
  const { settings: text } = messages;
  const src = settings.logoVersion === null ? undefined : `/logo?v=${settings.logoVersion}`;
  return renderPage(context, {
    title: text.title,
    issues: fieldIssuesOf(context, issues),
    content: html`<h1>${text.title}</h1>
<section class="card"><h2>${text.look}</h2>${lookForm(context, issues.title)}</section>
<section class="card" id="logo-card"><h2>${messages.logo.title}</h2>${logoForm(context, { src, issue: issues.logo })}</section>
<section class="card" id="helper"><h2>${text.helper}</h2><p>${text.helperIntro}</p>${helperForm(context, issues)}</section>
${publicUrlCard(context, issues['public-url'])}
<section class="card" id="retention"><h2>${text.retention}</h2><p>${text.retentionIntro}</p>
${retentionForm(context, issues.keeping ?? keepingOf(settings))}</section>
<section class="card" id="privacy"><h2>${text.privacy}</h2>${privacyForm(context)}</section>${context.slots.map(({ settingsCard }) => settingsCard && html`\n${settingsCard(context)}`)}`,
  });
}

function fieldIssuesOf(context: AuthenticatedContext, { logo, keeping, ...texts }: Issues): FieldIssues {
  return {
    ...texts,
    logo: logo && context.messages.logo.issues[logo],
    ...(keeping && keepingIssues(context, keeping)),
  };
}

function helperForm(context: AuthenticatedContext, issues: Issues): Html {
  const { messages, form, settings } = context;
  const { settings: text } = messages;
  const name = { name: 'helper-name', label: text.helperName, error: issues['helper-name'] };
  const phone = { name: 'helper-phone', label: text.helperPhone, error: issues['helper-phone'] };
  return html`<form method="post" action="/settings/helper" novalidate>${formToken(context)}
${textField({ ...name, value: form.get(name.name) ?? settings.helperName })}
${textField({ ...phone, value: form.get(phone.name) ?? settings.helperPhone })}
<button class="button primary" type="submit">${text.saveHelper}</button></form>`;
}

function privacyForm(context: AuthenticatedContext): Html {
  const { messages, settings } = context;
  const { settings: text } = messages;
  return html`<form method="post" action="/settings/privacy">${formToken(context)}
${selectField({ name: 'names', label: text.names, value: settings.asksForNames ? 'ask' : 'none', hint: text.namesHint, choices: toChoices(text.namesChoices) })}
${selectField({ name: 'ips', label: text.ips, value: settings.shortensIps ? 'short' : 'whole', hint: text.ipsHint, choices: toChoices(text.ipsChoices) })}
<button class="button primary" type="submit">${text.savePrivacy}</button></form>`;
}

function toChoices(labels: Record<string, string>) {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}

function lookForm(context: AuthenticatedContext, titleError: string | undefined): Html {
  const { messages, form, settings } = context;
  const { settings: text } = messages;
  const typed = (name: string, now: string) => form.get(name) ?? now;
  return html`<form method="post" action="/settings" novalidate>${formToken(context)}
${textField({ name: 'title', label: text.name, value: typed('title', settings.title), hint: text.nameHint, error: titleError, required: true })}
${selectField({ name: 'language', label: text.language, value: typed('language', settings.language ?? 'browser'), hint: text.languageHint, choices: toChoices(text.languages) })}
${selectField({ name: 'api-page', label: text.apiPage, value: typed('api-page', settings.isApiPageOpen ? 'open' : 'closed'), hint: text.apiPageHint, choices: toChoices(text.apiPages) })}
<button class="button primary" type="submit">${messages.admin.save}</button></form>`;
}
