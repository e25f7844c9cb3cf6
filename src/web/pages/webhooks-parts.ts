// What the pages about webhooks are made of: the table, the form, the card of one with what can be done to it.

import type { Try } from '../../domain/notifications/delivery.ts';
import { FORMATS, PLATFORMS, type Webhook } from '../../domain/notifications/webhook.ts';
import { sayTime } from '../durations.ts';
import { selectField, textField } from '../fields.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../icons.ts';
import { formToken, sentOnce } from '../layout.ts';
import type { UserVisit } from '../visit.ts';

export type TestOutcome = Try & { ok: boolean };

/** All of an address that may be shown. */
export function hostOf({ url }: Pick<Webhook, 'url'>): string {
  return new URL(url).host;
}

export function webhookTable(visit: UserVisit, all: Webhook[]): Html {
  const { webhooks: text } = visit.words.admin;
  const labels = [text.host, text.format, text.platform, text.state, text.failures];
  return html`<table><thead><tr>${labels.map((label) => html`<th scope="col">${label}</th>`)}
<th scope="col"><span class="hidden-text">${text.open}</span></th></tr></thead><tbody>${all.map(
    (webhook) => html`<tr><td data-label="${text.host}">${hostOf(webhook)}</td>
<td data-label="${text.format}">${text.formats[webhook.format]}</td>
<td data-label="${text.platform}">${platformOf(visit, webhook)}</td>
<td data-label="${text.state}">${webhookPill(visit, webhook)}</td>
<td data-label="${text.failures}">${text.inRow(webhook.failures)}</td>
<td class="doing"><a href="/webhooks/${webhook.id}" aria-label="${text.openHidden(hostOf(webhook))}">${text.open}</a></td></tr>`,
  )}</tbody></table>`;
}

function platformOf({ words: { admin } }: UserVisit, { format, platform }: Webhook): string {
  if (format !== 'chat') return '–';
  return platform ? admin.webhooks.platforms[platform] : admin.webhooks.unknownPlatform;
}

function webhookPill({ words: { admin } }: UserVisit, { active, failures }: Webhook): Html {
  const { webhooks: text } = admin;
  if (!active) return html`<span class="pill expired">${icon('used')}${text.off}</span>`;
  return failures === 0
    ? html`<span class="pill valid">${icon('valid')}${text.active}</span>`
    : html`<span class="pill used">${icon('warning')}${text.failing}</span>`;
}

export function addWebhookForm(visit: UserVisit, urlFault?: string): Html {
  const { words, form } = visit;
  const { webhooks: text, cancel } = words.admin;
  const platforms = PLATFORMS.map((value) => ({ value, label: text.platforms[value] }));
  return html`<form method="post" action="/webhooks/add">${formToken(visit)}${sentOnce()}
${textField({ name: 'url', label: text.url, type: 'url', hint: text.urlHint, value: form.get('url') ?? '', error: urlFault, required: true })}
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
  choices: [{ value: '', label: text.byAddress }, ...platforms],
})}
<div class="actions"><button class="button primary" type="submit">${text.add}</button><a class="button" href="/webhooks">${cancel}</a></div></form>`;
}

export function webhookCard(visit: UserVisit, webhook: Webhook, outcome?: TestOutcome): Html {
  const { words, language, timeZone } = visit;
  const { webhooks: text } = words.admin;
  const { id, format, active, offBecause, failures, createdAtMs, secrets } = webhook;
  const button = (what: string, label: string, kind = '') =>
    html`<form method="post" action="/webhooks/${id}/${what}"${what === 'test' && html` data-working="${text.testing}"`}>${formToken(visit)}<button class="button ${kind}" type="submit">${label}</button></form>`;
  return html`${outcome && outcomeNote(visit, outcome)}<section class="card"><h1>${hostOf(webhook)}</h1>
<p>${webhookPill(visit, webhook)}</p>
${offBecause !== null && html`<p class="note warn">${icon('warning')}<span>${text.offBecause} ${offBecause}</span></p>`}
<p>${text.formats[format]}${format === 'chat' && html` · ${platformOf(visit, webhook)}`} · ${text.failures}: ${text.inRow(failures)}
<br><span class="soft">${text.since} ${sayTime(createdAtMs, { language, timeZone })}</span></p>
${!active && html`<p class="soft">${text.switchOnHint}</p>`}
<div class="actions">${button('test', text.test, 'primary')}${active ? button('off', text.switchOff, 'risky') : button('on', text.switchOn)}
<a class="button" href="/webhooks/${id}/deliveries">${icon('list')}${text.toLog}</a>
${secrets && html`<a class="button" href="/webhooks/${id}/rotate">${icon('key')}${text.rotate}</a>`}
<a class="button risky" href="/webhooks/${id}/remove">${text.remove}</a></div></section>
<div class="pager"><a class="button" href="/webhooks">${text.all}</a></div>`;
}

/** What the target said comes from outside, and is shown as nothing but text. */
function outcomeNote(visit: UserVisit, outcome: TestOutcome): Html {
  const { webhooks: text } = visit.words.admin;
  const { ok, status, answer, durationMs } = outcome;
  const sentence = ok
    ? text.testGood(status ?? 0, Math.round(durationMs))
    : text.testBad(sayError(visit, outcome));
  return html`<div class="note ${ok ? 'good' : 'bad'}" role="status">${icon(ok ? 'valid' : 'warning')}<span>${sentence}
${!ok && answer && html`<br>${text.answered} <q>${answer}</q>`}</span></div>`;
}

/** Why a try failed; without an answer in the words of the network. */
export function sayError({ words }: UserVisit, { status, error }: Pick<Try, 'status' | 'error'>): string {
  const { webhooks: text } = words.admin;
  if (error === null) return '–';
  if (status === null) return error;
  return status >= 300 && status < 400 ? text.redirected(status) : text.refused(status);
}
