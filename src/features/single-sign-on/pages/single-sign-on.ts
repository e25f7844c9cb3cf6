// The settings of single sign-on: the provider and its test, the rules with a preview, and accounts of the provider
// that an administrator has to link.

import { asUserId } from '../../../kernel/ids.ts';
import { confirm } from '../../../kernel/pages/confirm.ts';
import { type AuthenticatedContext, auditContextOf } from '../../../kernel/pages/context.ts';
import { formToken, redirect, renderPage } from '../../../kernel/pages/layout.ts';
import { message } from '../../../kernel/pages/message.ts';
import { notFoundPage } from '../../../kernel/pages/problem-page.ts';
import { adminRoutes, type Route } from '../../../kernel/pages/route.ts';
import type { User } from '../../../kernel/users/user.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import type { Claims } from '../identity-provider.ts';
import type { Identity } from '../single-sign-on.ts';
import { SINGLE_SIGN_ON_TEXTS } from '../single-sign-on-texts.ts';
import { type ProviderIssues, providerForm, readProviderForm } from './provider-form.ts';
import {
  type Preview,
  previewForm,
  previewResult,
  readClaims,
  readRule,
  ruleForm,
  ruleTable,
} from './rules.ts';
import { sendToProvider } from './send-to-provider.ts';

const PATH = '/settings/single-sign-on';

interface Shown {
  issues?: ProviderIssues;
  ruleIssue?: string;
  preview?: Preview;
  isTest?: boolean;
}

const { get, post } = adminRoutes(PATH);

export const singleSignOnRoutes: Route[] = [
  get('', show),
  post('', saveProvider),
  get('/remove', askRemove),
  post('/remove', removeProvider),
  get('/test', test),
  post('/rules', addRule),
  post('/rules/remove', removeRule),
  // This POST route does not ask for the password, because a preview changes nothing.
  { ...get('/preview', preview), method: 'POST' },
  post('/link', link),
];

/** Shows the claims that the provider sent in a test login. */
export function showTest(context: AuthenticatedContext, claims: Claims): Promise<Response> {
  return show(context, { preview: { claims, claimsText: JSON.stringify(claims, null, 2) }, isTest: true });
}

function preview(context: AuthenticatedContext) {
  return show(context, { preview: readClaims(context.form.get('claims') ?? '') });
}

async function saveProvider(context: AuthenticatedContext) {
  const { singleSignOn } = context.app;
  const { change, issues } = readProviderForm(context, await singleSignOn.read());
  if (Object.keys(issues).length > 0) return show(context, { issues });
  await singleSignOn.change(change, auditContextOf(context));
  return redirect(context, PATH, 'providerSaved');
}

async function removeProvider(context: AuthenticatedContext) {
  await context.app.singleSignOn.change({ provider: null }, auditContextOf(context));
  return redirect(context, PATH, 'providerRemoved');
}

async function test(context: AuthenticatedContext) {
  const { response } = await sendToProvider(context, { next: PATH, testedBy: context.user.id });
  return response;
}

async function addRule(context: AuthenticatedContext) {
  const { sites, singleSignOn } = context.app;
  const text = SINGLE_SIGN_ON_TEXTS[context.language];
  const rule = readRule(context, await sites.list());
  if (!rule) return show(context, { ruleIssue: text.ruleWrong });
  const isAdded = await singleSignOn.addRule(rule, auditContextOf(context));
  return isAdded ? redirect(context, PATH, 'ruleAdded') : show(context, { ruleIssue: text.tooManyRules });
}

async function removeRule(context: AuthenticatedContext) {
  await context.app.singleSignOn.removeRule(context.form.get('rule') ?? '', auditContextOf(context));
  return redirect(context, PATH, 'ruleRemoved');
}

async function link(context: AuthenticatedContext) {
  const [identity, user] = [Number(context.form.get('identity')), Number(context.form.get('user'))];
  const isLinked =
    Number.isSafeInteger(identity) &&
    Number.isSafeInteger(user) &&
    (await context.app.identities.link(identity, asUserId(user), auditContextOf(context)));
  return isLinked ? redirect(context, PATH, 'accountLinked') : notFoundPage(context);
}

async function show(context: AuthenticatedContext, shown: Shown = {}) {
  const { identities, singleSignOn, sites, users } = context.app;
  const text = SINGLE_SIGN_ON_TEXTS[context.language];
  const { issues = {}, ruleIssue, preview = { claimsText: '' }, isTest } = shown;
  const [settings, allSites, waiting] = await Promise.all([
    singleSignOn.read(),
    sites.list(),
    identities.listWaiting(),
  ]);
  const result = preview.claims && previewResult(context, { claims: preview.claims, settings, allSites });
  return renderPage(context, {
    title: text.title,
    under: '/settings',
    message: isTest ? message('success', text.tested) : undefined,
    issues: {
      ...issues,
      claim: ruleIssue,
      claims: preview.isWrong ? text.claimsWrong : undefined,
    },
    content: html`<h1>${text.title}</h1>
<p>${text.intro}</p>
${result && html`<section class="card"><h2>${text.preview}</h2>${result}${previewForm(context, preview)}</section>`}
${waiting.length > 0 && waitingCard(context, waiting, await users.list())}
<section class="card"><h2>${text.provider}</h2>${providerForm(context, settings, issues)}</section>
${settings.provider !== null && html`<section class="card"><h2>${text.test}</h2><p>${text.testHint}</p><p class="actions"><a class="button" href="${PATH}/test">${text.test}</a></p></section>`}
<section class="card"><h2>${text.rules}</h2><p>${text.rulesIntro}</p>${ruleTable(context, settings.rules, allSites)}</section>
<section class="card"><h2>${text.addRule}</h2>${ruleForm(context, allSites, ruleIssue)}</section>
${!result && html`<section class="card"><h2>${text.preview}</h2>${previewForm(context, preview)}</section>`}`,
  });
}

function askRemove(context: AuthenticatedContext) {
  const text = SINGLE_SIGN_ON_TEXTS[context.language];
  return confirm(context, {
    ask: text.removeAsk,
    what: text.removeWhat,
    action: `${PATH}/remove`,
    button: text.remove,
    back: PATH,
  });
}

function waitingCard(context: AuthenticatedContext, waiting: Identity[], all: User[]): Html {
  const text = SINGLE_SIGN_ON_TEXTS[context.language];
  const options = all.map(({ id, name, email }) => html`<option value="${id}">${name} (${email})</option>`);
  return html`<section class="card"><h2>${text.waiting}</h2><p>${text.waitingIntro}</p>${waiting.map(
    ({
      id,
      name,
      email,
      subject,
      issuer,
    }) => html`<p><strong>${name}</strong><br><span class="soft">${email} · ${subject} · ${issuer}</span></p>
<form method="post" action="${PATH}/link">${formToken(context)}<input type="hidden" name="identity" value="${id}">
<div class="field"><label for="user-${id}">${text.user}</label><select id="user-${id}" name="user">${options}</select></div>
<button class="button" type="submit">${text.link}</button></form>`,
  )}</section>`;
}

/** The card with the link to these settings, shown on the settings page. */
export function singleSignOnCard({ language }: AuthenticatedContext): Html {
  const text = SINGLE_SIGN_ON_TEXTS[language];
  return html`<section class="card"><h2>${text.title}</h2><p>${text.card}</p><p class="actions"><a class="button" href="${PATH}">${text.open}</a></p></section>`;
}
