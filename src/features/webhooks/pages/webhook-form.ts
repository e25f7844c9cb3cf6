// The parts of the webhook pages: the table, the forms, and the card with the details and actions of one webhook.

import type { Attempt } from '../../../kernel/messages/message.ts';
import type { AuthenticatedContext } from '../../../kernel/pages/context.ts';
import { formToken, oneTimeToken } from '../../../kernel/pages/layout.ts';
import { type FieldIssues, message, note } from '../../../kernel/pages/message.ts';
import { selectField, textField } from '../../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import { UNKNOWN } from '../../../platform/values/unknown-value.ts';
import type { WebhookIssue } from '../manage-webhooks.ts';
import { EVENT_KINDS, type EventKind, OFFERED_EVENTS } from '../notification.ts';
import { FORMATS, isKnownWebhook, MAX_WEBHOOK_NAME_LENGTH, PLATFORMS, type Webhook } from '../webhook.ts';
import { WEBHOOK_TEXTS } from '../webhook-texts.ts';

export type TestOutcome = Attempt & { ok: boolean };

/** The host of a webhook's URL. The rest of the URL is secret and must not be shown. */
export function hostOf({ url }: Pick<Webhook, 'url'>): string {
  return URL.parse(url)?.host ?? '';
}

export function webhookTable(context: AuthenticatedContext, all: Webhook[]): Html {
  const text = WEBHOOK_TEXTS[context.language];
  const labels = [text.name, text.format, text.events, text.state];
  return html`<table class="webhooks"><thead><tr>${labels.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead><tbody>${all.map(
    (
      webhook,
    ) => html`<tr><td data-label="${text.name}"><span><a class="listed" href="/webhooks/${webhook.id}">${webhook.name}</a>${!webhook.name.includes(hostOf(webhook)) && html`<br><span class="soft said">${hostOf(webhook)}</span>`}</span></td>
<td data-label="${text.format}">${formatOf(context, webhook)}</td>
<td data-label="${text.events}">${sayEvents(context, webhook)}</td>
<td data-label="${text.state}"><span>${webhookPill(context, webhook)}${webhook.failures > 0 && html`<br><span class="soft said">${text.failures}: ${text.inRow(webhook.failures)}</span>`}</span></td></tr>`,
  )}</tbody></table>`;
}

function formatOf(context: AuthenticatedContext, webhook: Webhook): string {
  if (webhook.format === UNKNOWN) return context.messages.admin.notKnown;
  const format = WEBHOOK_TEXTS[context.language].formats[webhook.format];
  return webhook.format === 'chat' ? `${format} · ${platformOf(context, webhook)}` : format;
}

function sayEvents(
  { messages, language }: AuthenticatedContext,
  { events, hasUnknownEvents }: Webhook,
): string {
  const known = events.map((kind) => WEBHOOK_TEXTS[language].kinds[kind]);
  return [...known, ...(hasUnknownEvents ? [messages.admin.notKnown] : [])].join(', ') || '–';
}

function platformOf({ language }: AuthenticatedContext, { format, platform }: Webhook): string {
  if (format !== 'chat') return '–';
  const text = WEBHOOK_TEXTS[language];
  return platform ? text.platforms[platform] : text.unknownPlatform;
}

/** The state in the list and on the page of a webhook. A failed test does not change it: no notification was lost. */
function webhookPill({ language }: AuthenticatedContext, { active, failures }: Webhook): Html {
  const text = WEBHOOK_TEXTS[language];
  if (!active) return html`<span class="pill expired">${icon('used')}${text.off}</span>`;
  return failures > 0
    ? html`<span class="pill failing">${icon('warning')}${text.failing}</span>`
    : html`<span class="pill valid">${icon('valid')}${text.active}</span>`;
}

/** The chosen events. Undefined if the submitted form had no event fields. */
export function readEvents({ form }: AuthenticatedContext): EventKind[] | undefined {
  if (!form.has('events')) return undefined;
  const chosen = form.getAll('event');
  return EVENT_KINDS.filter((kind) => chosen.includes(kind));
}

/** The error text for the invalid field. */
export function issuesOf(
  { messages, language }: AuthenticatedContext,
  issue: WebhookIssue | undefined,
): FieldIssues {
  const text = WEBHOOK_TEXTS[language];
  const nameIssues = {
    'too-long': messages.form.nameTooLong(MAX_WEBHOOK_NAME_LENGTH),
    'not-plain': messages.form.notPlain,
    taken: text.nameTaken,
  };
  switch (issue?.field) {
    case 'url':
      return { url: text.urlWrong(issue.text) };
    case 'name':
      return { name: nameIssues[issue.issue] };
    case 'release':
      return { events: messages.admin.outdated(issue.outdated) };
    case 'events':
      return { events: text.eventsMissing };
    default:
      return {};
  }
}

/** The fields that can be changed after the webhook was added: the name and the events. */
function changeableFields(
  context: AuthenticatedContext,
  values: { name: string; events: readonly EventKind[] },
  issue: WebhookIssue | undefined,
): Html {
  const { language, form } = context;
  const text = WEBHOOK_TEXTS[language];
  const events = readEvents(context) ?? values.events;
  const issues = issuesOf(context, issue);
  return html`${textField({
    name: 'name',
    label: text.name,
    hint: text.nameHint,
    value: form.get('name') ?? values.name,
    error: issues.name,
  })}
<fieldset class="field" id="events"${issues.events && html` aria-describedby="events-error"`}><legend>${text.events}</legend><input type="hidden" name="events" value="chosen">
<div class="chips">${EVENT_KINDS.map(
    (kind) =>
      html`<label class="chip"><input type="checkbox" name="event" value="${kind}"${events.includes(kind) && html` checked`}><span>${text.kinds[kind]}</span></label>`,
  )}</div>${issues.events && html`<span class="error" id="events-error">${issues.events}</span>`}</fieldset>`;
}

export function editWebhookForm(context: AuthenticatedContext, webhook: Webhook, issue?: WebhookIssue): Html {
  const { save, cancel } = context.messages.admin;
  return html`<form method="post" action="/webhooks/${webhook.id}/edit">${formToken(context)}
${changeableFields(context, webhook, issue)}
<div class="actions"><button class="button primary" type="submit">${save}</button><a class="button" href="/webhooks/${webhook.id}">${cancel}</a></div></form>`;
}

export function addWebhookForm(context: AuthenticatedContext, issue?: WebhookIssue): Html {
  const { messages, form, language } = context;
  const { cancel } = messages.admin;
  const text = WEBHOOK_TEXTS[language];
  const platforms = PLATFORMS.map((value) => ({ value, label: text.platforms[value] }));
  return html`<form method="post" action="/webhooks/add">${formToken(context)}${oneTimeToken()}
${textField({ name: 'url', label: text.url, type: 'url', hint: text.urlHint, value: form.get('url') ?? '', error: issuesOf(context, issue).url, required: true })}
${selectField({
  name: 'format',
  label: text.format,
  hint: text.formatHint,
  value: form.get('format') ?? 'chat',
  choices: FORMATS.map((value) => ({ value, label: text.formats[value] })),
})}
${selectField({
  name: 'platform',
  label: text.platform,
  hint: text.platformHint,
  value: form.get('platform') ?? '',
  choices: [{ value: '', label: text.byUrl }, ...platforms],
})}
${changeableFields(context, { name: '', events: OFFERED_EVENTS }, issue)}
<div class="actions"><button class="button primary" type="submit">${text.add}</button><a class="button" href="/webhooks">${cancel}</a></div></form>`;
}

export function webhookCard(context: AuthenticatedContext, webhook: Webhook): Html {
  const { messages, language, timeZone } = context;
  const text = WEBHOOK_TEXTS[language];
  const { id, name, active, offBecause, failures, createdAtMs, secrets } = webhook;
  const button = (what: string, label: string, kind = '') =>
    html`<form method="post" action="/webhooks/${id}/${what}"${what === 'test' && html` data-working="${text.testing}"`}>${formToken(context)}<button class="button ${kind}" type="submit">${label}</button></form>`;
  return html`<section class="card"><h1>${name}</h1>
<p>${webhookPill(context, webhook)}</p>
${offBecause !== null && note('warning', html`${text.offBecause} ${offBecause}`)}
<p>${!name.includes(hostOf(webhook)) && html`${hostOf(webhook)} · `}${formatOf(context, webhook)} · ${text.failures}: ${text.inRow(failures)}
<br>${text.events}: ${sayEvents(context, webhook)}
<br><span class="soft">${text.since} ${sayTime(createdAtMs, { language, timeZone })}</span></p>
${!isKnownWebhook(webhook) && note('info', messages.admin.notKnownKept)}${!active && html`<p class="soft">${text.switchOnHint}</p>`}
<div class="actions">${isKnownWebhook(webhook) && button('test', text.test, 'primary')}${active ? button('off', text.switchOff) : button('on', text.switchOn)}
<a class="button" href="/webhooks/${id}/edit">${text.edit}</a>
<a class="button" href="/webhooks/${id}/deliveries">${icon('list')}${text.toLog}</a>
${secrets && html`<a class="button" href="/webhooks/${id}/rotate">${icon('key')}${text.rotate}</a>`}
<a class="button risky" href="/webhooks/${id}/remove">${text.remove}</a></div></section>
<div class="pager"><a class="button" href="/webhooks">${text.all}</a></div>`;
}

/** Shows the result of a test. The target's response is untrusted and is shown only as escaped text. */
export function outcomeMessage(context: AuthenticatedContext, outcome: TestOutcome): Html {
  const { messages, language } = context;
  const text = WEBHOOK_TEXTS[language];
  const { ok, status, error, response, durationMs } = outcome;
  const cause = status === null ? causeOf(error ?? '') : undefined;
  const sentence = ok
    ? text.testGood(status ?? 0, Math.round(durationMs))
    : text.testBad(cause ? text.causes[cause] : sayError(context, outcome));
  return message(
    ok ? 'success' : 'error',
    html`${sentence}
${cause && html`<br><span class="soft said">${messages.admin.sites.said} <span lang="en">${error}</span></span>`}
${!ok && response && html`<br>${text.responded} <q>${response}</q>`}`,
  );
}

const CAUSES = [
  ['nameUnknown', /ENOTFOUND|EAI_/],
  ['nobodyResponds', /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ECONNRESET|no answer within/],
  ['certificate', /certificate/i],
] as const;

/** Finds the cause of a network error, if it is a common one. */
function causeOf(error: string): (typeof CAUSES)[number][0] | undefined {
  return CAUSES.find(([, pattern]) => pattern.test(error))?.[0];
}

/** Why an attempt failed. If there was no response, the network error is shown. */
export function sayError(
  { language }: AuthenticatedContext,
  { status, error }: Pick<Attempt, 'status' | 'error'>,
): string {
  const text = WEBHOOK_TEXTS[language];
  if (error === null) return '–';
  if (status === null) return error;
  return status >= 300 && status < 400 ? text.redirected(status) : text.refused(status);
}
