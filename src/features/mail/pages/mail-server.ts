// The settings of e-mail: the mail server, a check of the connection, and a test mail. A server is saved even if it
// cannot be reached now, but the page says so.

import { confirm } from '../../../kernel/pages/confirm.ts';
import { type AuthenticatedContext, auditContextOf } from '../../../kernel/pages/context.ts';
import { formToken, redirect, renderPage } from '../../../kernel/pages/layout.ts';
import { message, note } from '../../../kernel/pages/message.ts';
import { takeNotice } from '../../../kernel/pages/notice.ts';
import { adminRoutes, type Route } from '../../../kernel/pages/route.ts';
import { settingHelp } from '../../../kernel/settings/pages/setting-help.ts';
import { factList } from '../../../platform/pages/ui/fact-list.ts';
import { textField } from '../../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { isMailAddress, maskMailAddress } from '../../../platform/text/mail-address.ts';
import { UNKNOWN } from '../../../platform/values/unknown-value.ts';
import type { MailServer, StoredMailServer } from '../mail-server.ts';
import { MAIL_SERVER_TEXTS } from '../mail-texts.ts';
import type { MailTestResult } from '../test-mail.ts';
import { PICKS, readServerForm, type ServerIssues, serverForm } from './server-form.ts';

const PATH = '/settings/e-mail';
/** How long a page waits for the mail server. */
const PATIENCE_MS = 15_000;

interface Shown {
  issues?: ServerIssues;
  testIssue?: string;
  message?: Html;
}

const { get, post } = adminRoutes(PATH);

export const mailServerRoutes: Route[] = [
  get('', (context) => show(context)),
  post('', save),
  get('/check', check),
  get('/remove', askRemove),
  post('/remove', remove),
  // This POST route does not ask for the password, because a test mail changes nothing.
  { ...get('/test', sendTest), method: 'POST' },
];

async function save(context: AuthenticatedContext) {
  const { mailServer } = context.app;
  const { server, issues } = readServerForm(context, await mailServer.findStored());
  if (!server) return show(context, { issues });
  await mailServer.save(server, auditContextOf(context));
  return redirect(context, `${PATH}/check`, 'mailSaved');
}

async function check(context: AuthenticatedContext) {
  const text = MAIL_SERVER_TEXTS[context.language];
  const { mailServer, mailTests, timeout } = context.app;
  const setup = await mailServer.find();
  const result = await mailTests.check(timeout(PATIENCE_MS));
  if (!setup || !result) return show(context);
  const works = setup.server.credentials ? text.works : text.worksWithoutLogin;
  return show(context, {
    message: html`${takeNotice(context)}${result.ok ? message('success', works) : failedMessage(context, text.failed, result)}`,
  });
}

async function sendTest(context: AuthenticatedContext) {
  const { app, settings, language } = context;
  const text = MAIL_SERVER_TEXTS[language];
  const to = (context.form.get('to') ?? '').trim();
  if (!isMailAddress(to)) return show(context, { testIssue: text.testWrong });
  const mail = { to, language, subject: text.testSubject(settings.title), text: text.testText };
  const result = await app.mailTests.send(mail, app.timeout(PATIENCE_MS));
  if (!result) return show(context);
  await app.noteAudit({
    ...auditContextOf(context),
    action: 'mail.tested',
    details: { name: maskMailAddress(to) },
  });
  return show(context, {
    message: result.ok
      ? message('success', html`<p>${text.tested(to)}</p><p>${text.said(result.response)}</p>`)
      : failedMessage(context, text.testFailed, result),
  });
}

function failedMessage(
  { language }: AuthenticatedContext,
  what: string,
  { advice, text: words }: Extract<MailTestResult, { ok: false }>,
): Html {
  const text = MAIL_SERVER_TEXTS[language];
  return message(
    'error',
    html`<p><strong>${what}</strong></p><p>${text.said(words)}</p><p>${text.advice[advice]}</p>`,
  );
}

function askRemove(context: AuthenticatedContext) {
  return withStored(context, ({ host }) => {
    const text = MAIL_SERVER_TEXTS[context.language];
    return confirm(context, {
      ask: text.removeAsk,
      what: text.removeWhat(host),
      action: `${PATH}/remove`,
      button: text.remove,
      back: PATH,
      under: '/settings',
    });
  });
}

async function remove(context: AuthenticatedContext) {
  await context.app.mailServer.remove(auditContextOf(context));
  return redirect(context, PATH, 'mailRemoved');
}

async function withStored(
  context: AuthenticatedContext,
  then: (stored: StoredMailServer) => Response,
): Promise<Response> {
  const stored = await context.app.mailServer.findStored();
  return stored ? then(stored) : show(context);
}

async function show(context: AuthenticatedContext, { issues = {}, testIssue, message }: Shown = {}) {
  const { mailServer } = context.app;
  const text = MAIL_SERVER_TEXTS[context.language];
  const [setup, stored] = await Promise.all([mailServer.find(), mailServer.findStored()]);
  return renderPage(context, {
    title: text.title,
    under: '/settings',
    message,
    issues: { ...issues, to: testIssue },
    content: html`<h1>${text.title}</h1>
<p>${text.intro}</p>
<section class="card"><h2>${text.server}</h2>${
      setup?.source === 'environment'
        ? environmentFacts(context, setup.server, stored)
        : editor(context, stored, issues)
    }</section>
${setup && testCard(context, testIssue)}`,
  });
}

function editor(
  context: AuthenticatedContext,
  stored: StoredMailServer | undefined,
  issues: ServerIssues,
): Html {
  const text = MAIL_SERVER_TEXTS[context.language];
  const chosen = context.query.get('for');
  const picks = Object.entries(text.picks);
  const pick = isPick(chosen) ? chosen : undefined;
  const isPlain = stored?.tls === 'off' && stored.credentials !== undefined;
  return html`${stored?.tls === UNKNOWN && note('warning', text.unknownTls)}
${stored?.credentials?.password === null && note('warning', text.unreadable)}
${isPlain && note('warning', text.plainPassword)}
<div class="field"><p>${text.quick}</p><div class="chips">${picks.map(
    ([name, { label }]) =>
      html`<a class="chip" href="${PATH}?for=${name}"${name === pick && html` aria-current="true"`}>${label}</a>`,
  )}</div></div>
${pick && note('info', text.picks[pick].note)}
${serverForm(context, { stored, issues, pick })}`;
}

function isPick(name: string | null): name is keyof typeof PICKS {
  return name !== null && Object.hasOwn(PICKS, name);
}

function environmentFacts(
  context: AuthenticatedContext,
  { host, port, tls, credentials, from, perHour, ca }: MailServer,
  stored: StoredMailServer | undefined,
): Html {
  const { admin } = context.messages;
  const text = MAIL_SERVER_TEXTS[context.language];
  const { label, hint } = text.encryption[tls];
  return html`${note('info', text.fromEnvironment)}
${tls === 'off' && credentials && note('warning', text.plainPassword)}
${factList([
  [text.host, host],
  [text.port, String(port)],
  [text.tls, `${label} (${hint})`],
  [text.user, credentials?.username ?? '–'],
  [text.from, from.name === undefined ? from.address : `${from.name} <${from.address}>`],
  [text.perHour, perHour === null ? '–' : String(perHour)],
  [text.ca, ca === undefined ? admin.no : admin.yes],
])}${settingHelp(context, { name: 'SMTP_URL', value: toUrl(host, port, tls) })}
${stored && html`<p>${text.storedToo(stored.host)}</p><p class="actions"><a class="button risky" href="${PATH}/remove">${text.remove}</a></p>`}`;
}

function toUrl(host: string, port: number, tls: MailServer['tls']): string {
  return `${tls === 'implicit' ? 'smtps' : 'smtp'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function testCard(context: AuthenticatedContext, issue: string | undefined): Html {
  const { language, form, user } = context;
  const text = MAIL_SERVER_TEXTS[language];
  const to = form.get('to') ?? (isMailAddress(user.email) ? user.email : '');
  return html`<section class="card"><h2>${text.test}</h2><form method="post" action="${PATH}/test" novalidate>${formToken(context)}
${textField({ name: 'to', label: text.testTo, type: 'email', value: to, error: issue, required: true })}
<div class="actions"><button class="button primary" type="submit">${text.testSend}</button><a class="button" href="${PATH}/check">${text.check}</a></div></form></section>`;
}

/** The card with the link to these settings, shown on the settings page. */
export function mailServerCard({ language }: AuthenticatedContext): Html {
  const text = MAIL_SERVER_TEXTS[language];
  return html`<section class="card"><h2>${text.title}</h2><p>${text.card}</p><p class="actions"><a class="button" href="${PATH}">${text.open}</a></p></section>`;
}
