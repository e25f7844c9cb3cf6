// The deliveries of a webhook: the paged list, all attempts of a delivery, and resending. Responses of the target are
// untrusted and shown only as escaped text.

import { asDeliveryId, type DeliveryId } from '../../../kernel/ids.ts';
import { type AuthenticatedContext, auditContextOf } from '../../../kernel/pages/context.ts';
import { formToken, redirect, renderPage } from '../../../kernel/pages/layout.ts';
import { notFoundPage, problemPage } from '../../../kernel/pages/problem-page.ts';
import type { Route } from '../../../kernel/pages/route.ts';
import { emptyState } from '../../../platform/pages/ui/empty-state.ts';
import { type Html, html, type Piece } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import { UNKNOWN } from '../../../platform/values/unknown-value.ts';
import type { LoggedDelivery } from '../delivery.ts';
import type { Webhook } from '../webhook.ts';
import { WEBHOOK_TEXTS } from '../webhook-texts.ts';
import { hostOf, sayError } from './webhook-form.ts';
import { withWebhook } from './webhooks.ts';

const PAGE_SIZE = 50;
const NOTHING = '–';
const PILLS = {
  waiting: 'used',
  delivered: 'valid',
  merged: 'valid',
  'given-up': 'failing',
  unknown: 'used',
} as const;
const SHAPES = {
  waiting: 'expired',
  delivered: 'valid',
  merged: 'valid',
  'given-up': 'warning',
  unknown: 'warning',
} as const;

type Run = (
  context: AuthenticatedContext,
  webhook: Webhook,
  delivery: LoggedDelivery,
) => Response | Promise<Response>;

const path = '/webhooks/:webhook/deliveries';
const permission = 'admin';

export const deliveryRoutes: Route[] = [
  { method: 'GET', path, permission, run: withWebhook(list) },
  { method: 'GET', path: `${path}/:delivery`, permission, run: withDelivery(show) },
  { method: 'POST', path: `${path}/:delivery/resend`, permission, run: withDelivery(resend) },
];

function withDelivery(run: Run) {
  return withWebhook(async (context, webhook) => {
    const deliveryId = readMark(context.parameters.delivery ?? null);
    const input = { limit: 1, webhookId: webhook.id };
    const [delivery] =
      deliveryId === undefined ? [] : await context.app.deliveries.log({ ...input, deliveryId });
    return delivery ? run(context, webhook, delivery) : notFoundPage(context);
  });
}

async function list(context: AuthenticatedContext, webhook: Webhook) {
  const text = WEBHOOK_TEXTS[context.language];
  const beforeId = readMark(context.query.get('before'));
  const input = { limit: PAGE_SIZE + 1, webhookId: webhook.id };
  const found = await context.app.deliveries.log({ ...input, ...(beforeId !== undefined && { beforeId }) });
  return renderPage(context, {
    title: text.logOf(webhook.name),
    content: html`<h1>${text.logOf(webhook.name)}</h1>${!webhook.name.includes(hostOf(webhook)) && html`<p class="soft">${hostOf(webhook)}</p>`}
<section class="card">${found.length === 0 ? emptyState('bell', text.logEmpty) : deliveryTable(context, found.slice(0, PAGE_SIZE))}</section>
${pager(context, webhook, found)}`,
  });
}

async function resend(context: AuthenticatedContext, webhook: Webhook, { id }: LoggedDelivery) {
  if (!(await context.app.deliveries.resend(id, auditContextOf(context))))
    return problemPage(context, 409, context.messages.admin.notKnownKept);
  const notice = webhook.active ? 'deliveryWaits' : 'deliveryWaitsOff';
  return redirect(context, `/webhooks/${webhook.id}/deliveries/${id}`, notice);
}

function show(context: AuthenticatedContext, webhook: Webhook, delivery: LoggedDelivery) {
  const text = WEBHOOK_TEXTS[context.language];
  const { id, state, mergedInto, attempts, nextAttemptAtMs } = delivery;
  const label = state === 'waiting' ? text.resendNow : text.resend;
  return renderPage(context, {
    title: text.delivery(id),
    content: html`<section class="card"><h1>${text.delivery(id)}</h1><p>${messageOf(context, delivery)} · ${webhook.name}${!webhook.name.includes(hostOf(webhook)) && html` (${hostOf(webhook)})`}<br>
<span class="soft">${text.happened} ${timeOf(context, delivery.notification.occurredAtMs)}${nextAttemptAtMs !== null && html` · ${text.nextAttempt} ${timeOf(context, nextAttemptAtMs)}`}</span></p>
<p>${stateOf(context, delivery)}</p>
<form method="post" action="/webhooks/${webhook.id}/deliveries/${id}/resend">${formToken(context)}<div class="actions"><button class="button primary" type="submit">${label}</button>
<a class="button" href="/webhooks/${webhook.id}/deliveries">${text.back}</a></div></form></section>
<section class="card"><h2>${text.attempts}</h2>${attempts.length === 0 ? html`<p class="soft">${mergedInto === null ? text.noAttempts : text.noOwnAttempts(mergedInto)}</p>` : attemptTable(context, attempts)}</section>`,
  });
}

function deliveryTable(context: AuthenticatedContext, found: LoggedDelivery[]): Html {
  const text = WEBHOOK_TEXTS[context.language];
  const labels = [text.what, text.happened, text.state, text.attempts, text.lastStatus, text.error];
  return html`<table><thead><tr>${labels.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead><tbody>${found.map(
    (delivery) => {
      const { nextAttemptAtMs } = delivery;
      const last = delivery.attempts.at(-1);
      return html`<tr><td data-label="${text.what}"><a class="listed" href="/webhooks/${delivery.webhookId}/deliveries/${delivery.id}">${messageOf(context, delivery)}</a></td>
<td data-label="${text.happened}">${timeOf(context, delivery.notification.occurredAtMs)}</td>
<td data-label="${text.state}"><span>${stateOf(context, delivery)}${nextAttemptAtMs !== null && html`<span class="sub">${text.nextAttempt} ${timeOf(context, nextAttemptAtMs)}</span>`}</span></td>
${cell(text.attempts, delivery.mergedInto === null && delivery.attempts.length)}
${cell(text.lastStatus, last && html`<span>${last.status ?? text.noResponse} <span class="soft whole">(${last.durationMs} ms)</span></span>`)}
${cell(text.error, last && sayError(context, last))}</tr>`;
    },
  )}</tbody></table>`;
}

/** A table cell. Small screens do not show empty cells. */
function cell(label: string, fact: Piece): Html {
  const isEmpty = (!fact && fact !== 0) || fact === NOTHING;
  return html`<td${isEmpty && html` class="nothing"`} data-label="${label}">${isEmpty ? NOTHING : fact}</td>`;
}

function attemptTable(context: AuthenticatedContext, attempts: LoggedDelivery['attempts']): Html {
  const text = WEBHOOK_TEXTS[context.language];
  const labels = [text.at, text.lastStatus, text.duration, text.error, text.response];
  return html`<table><thead><tr>${labels.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead><tbody>${attempts.map(
    ({ atMs, status, durationMs, error, response }) =>
      html`<tr><td data-label="${text.at}">${timeOf(context, atMs)}</td>
<td data-label="${text.lastStatus}">${status ?? text.noResponse}</td><td class="short" data-label="${text.duration}">${durationMs} ms</td>
${cell(text.error, sayError(context, { status, error }))}${cell(text.response, response && html`<bdi>${response}</bdi>`)}</tr>`,
  )}</tbody></table>`;
}

function readMark(text: string | null): DeliveryId | undefined {
  return /^\d{1,15}$/.test(text ?? '') ? asDeliveryId(Number(text)) : undefined;
}

function pager(
  { language, query, path }: AuthenticatedContext,
  webhook: Webhook,
  found: LoggedDelivery[],
): Html {
  const text = WEBHOOK_TEXTS[language];
  const last = found.length > PAGE_SIZE ? found[PAGE_SIZE - 1] : undefined;
  return html`<nav class="pager" aria-label="${text.log}"><a class="button" href="/webhooks/${webhook.id}">${text.back}</a>
${query.has('before') && html`<a class="button" href="${path}">${text.logNewest}</a>`}
${last && html`<a class="button" href="${path}?before=${last.id}">${text.logOlder}</a>`}</nav>`;
}

function messageOf({ messages, language }: AuthenticatedContext, { notification }: LoggedDelivery): string {
  const { siteName } = notification;
  const text = WEBHOOK_TEXTS[language];
  switch (notification.kind) {
    case 'webhook.test':
      return text.testMessage;
    case 'voucher.created':
      return text.vouchers(notification.voucherCount, siteName);
    case UNKNOWN:
      return messages.admin.notKnown;
    case 'webhook.failing':
      return text.incidents[notification.kind](notification.webhookName);
    default:
      return text.incidents[notification.kind](siteName);
  }
}

/** The state of a delivery. A merged delivery has a link to the delivery whose message was sent instead. */
function stateOf(context: AuthenticatedContext, delivery: LoggedDelivery): Html {
  const { webhookId, mergedInto } = delivery;
  return html`${deliveryPill(context, delivery)}${mergedInto !== null && html` <a class="whole" href="/webhooks/${webhookId}/deliveries/${mergedInto}">${WEBHOOK_TEXTS[context.language].mergedInto(mergedInto)}</a>`}`;
}

function deliveryPill({ language }: AuthenticatedContext, { state }: LoggedDelivery): Html {
  return html`<span class="pill ${PILLS[state]}">${icon(SHAPES[state])}${WEBHOOK_TEXTS[language].states[state]}</span>`;
}

function timeOf({ language, timeZone }: AuthenticatedContext, ms: number): Html {
  return html`<time datetime="${new Date(ms).toISOString()}">${sayTime(ms, { language, timeZone })}</time>`;
}
