// The parts of the webhook pages: the table, the form, and the card with the details and actions of one webhook.

import type { Attempt } from '../../../domain/webhooks/delivery.ts';
import { FORMATS, PLATFORMS, type Webhook } from '../../../domain/webhooks/webhook.ts';
import type { AuthenticatedContext } from '../../http/context.ts';
import { sayTime } from '../../i18n/durations.ts';
import { selectField, textField } from '../../ui/fields.ts';
import { type Html, html } from '../../ui/html.ts';
import { icon } from '../../ui/icons.ts';
import { formToken, oneTimeToken } from '../../ui/layout.ts';
import { message } from '../../ui/message.ts';

export type TestOutcome = Attempt & { ok: boolean };

/** The only part of a webhook's URL that may be shown. */
export function hostOf({ url }: Pick<Webhook, 'url'>): string {
  return new URL(url).host;
}

export function webhookTable(context: AuthenticatedContext, all: Webhook[]): Html {
  const { webhooks: text } = context.messages.admin;
  const labels = [text.host, text.format, text.platform, text.state, text.failures];
  return html`<table><thead><tr>${labels.map((label) => html`<th scope="col">${label}</th>`)}
<th scope="col"><span class="hidden-text">${text.open}</span></th></tr></thead><tbody>${all.map(
    (webhook) => html`<tr><td data-label="${text.host}">${hostOf(webhook)}</td>
<td data-label="${text.format}">${text.formats[webhook.format]}</td>
<td data-label="${text.platform}">${platformOf(context, webhook)}</td>
<td data-label="${text.state}">${webhookPill(context, webhook)}</td>
<td data-label="${text.failures}">${text.inRow(webhook.failures)}</td>
<td class="doing"><a href="/webhooks/${webhook.id}" aria-label="${text.openHidden(hostOf(webhook))}">${text.open}</a></td></tr>`,
  )}</tbody></table>`;
}

function platformOf({ messages: { admin } }: AuthenticatedContext, { format, platform }: Webhook): string {
  if (format !== 'chat') return '–';
  return platform ? admin.webhooks.platforms[platform] : admin.webhooks.unknownPlatform;
}

function webhookPill({ messages: { admin } }: AuthenticatedContext, { active, failures }: Webhook): Html {
  const { webhooks: text } = admin;
  if (!active) return html`<span class="pill expired">${icon('used')}${text.off}</span>`;
  return failures === 0
    ? html`<span class="pill valid">${icon('valid')}${text.active}</span>`
    : html`<span class="pill used">${icon('warning')}${text.failing}</span>`;
}

export function addWebhookForm(context: AuthenticatedContext, urlIssue?: string): Html {
  const { messages, form } = context;
  const { webhooks: text, cancel } = messages.admin;
  const platforms = PLATFORMS.map((value) => ({ value, label: text.platforms[value] }));
  return html`<form method="post" action="/webhooks/add">${formToken(context)}${oneTimeToken()}
${textField({ name: 'url', label: text.url, type: 'url', hint: text.urlHint, value: form.get('url') ?? '', error: urlIssue, required: true })}
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
<div class="actions"><button class="button primary" type="submit">${text.add}</button><a class="button" href="/webhooks">${cancel}</a></div></form>`;
}

export function webhookCard(context: AuthenticatedContext, webhook: Webhook): Html {
  const { messages, language, timeZone } = context;
  const { webhooks: text } = messages.admin;
  const { id, format, active, offBecause, failures, createdAtMs, secrets } = webhook;
  const button = (what: string, label: string, kind = '') =>
    html`<form method="post" action="/webhooks/${id}/${what}"${what === 'test' && html` data-working="${text.testing}"`}>${formToken(context)}<button class="button ${kind}" type="submit">${label}</button></form>`;
  return html`<section class="card"><h1>${hostOf(webhook)}</h1>
<p>${webhookPill(context, webhook)}</p>
${offBecause !== null && html`<p class="note warn">${icon('warning')}<span>${text.offBecause} ${offBecause}</span></p>`}
<p>${text.formats[format]}${format === 'chat' && html` · ${platformOf(context, webhook)}`} · ${text.failures}: ${text.inRow(failures)}
<br><span class="soft">${text.since} ${sayTime(createdAtMs, { language, timeZone })}</span></p>
${!active && html`<p class="soft">${text.switchOnHint}</p>`}
<div class="actions">${button('test', text.test, 'primary')}${active ? button('off', text.switchOff, 'risky') : button('on', text.switchOn)}
<a class="button" href="/webhooks/${id}/deliveries">${icon('list')}${text.toLog}</a>
${secrets && html`<a class="button" href="/webhooks/${id}/rotate">${icon('key')}${text.rotate}</a>`}
<a class="button risky" href="/webhooks/${id}/remove">${text.remove}</a></div></section>
<div class="pager"><a class="button" href="/webhooks">${text.all}</a></div>`;
}

/** The target's response is untrusted and shown only as escaped text. */
export function outcomeMessage(context: AuthenticatedContext, outcome: TestOutcome): Html {
  const { webhooks: text } = context.messages.admin;
  const { ok, status, answer, durationMs } = outcome;
  const sentence = ok
    ? text.testGood(status ?? 0, Math.round(durationMs))
    : text.testBad(sayError(context, outcome));
  return message(
    ok ? 'success' : 'error',
    html`${sentence}
${!ok && answer && html`<br>${text.answered} <q>${answer}</q>`}`,
  );
}

/** Why an attempt failed. If there was no response, the network error is shown. */
export function sayError(
  { messages }: AuthenticatedContext,
  { status, error }: Pick<Attempt, 'status' | 'error'>,
): string {
  const { webhooks: text } = messages.admin;
  if (error === null) return '–';
  if (status === null) return error;
  return status >= 300 && status < 400 ? text.redirected(status) : text.refused(status);
}
