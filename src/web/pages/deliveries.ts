// What was sent to a webhook: its deliveries page by page, every try of one, and sending it again. What targets
// answered is foreign text and shown as such.

import { asDeliveryId, type DeliveryId } from '../../domain/ids.ts';
import type { DeliveryStore, LoggedDelivery } from '../../domain/notifications/delivery.ts';
import type { Webhook, WebhookStore } from '../../domain/notifications/webhook.ts';
import type { Answer } from '../../http/exchange.ts';
import { problemPage } from '../answer-visits.ts';
import { sayTime } from '../durations.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../icons.ts';
import { answerPage, formToken, redirect } from '../layout.ts';
import type { Route } from '../routes.ts';
import { auditOf, type UserVisit } from '../visit.ts';
import { withWebhook } from './webhooks.ts';
import { hostOf, sayError } from './webhooks-parts.ts';

const PAGE_SIZE = 50;
const PILLS = { waiting: 'used', delivered: 'valid', 'given-up': 'failing' } as const;
const SHAPES = { waiting: 'expired', delivered: 'valid', 'given-up': 'warning' } as const;

interface Needs {
  webhooks: Pick<WebhookStore, 'find'>;
  deliveries: Pick<DeliveryStore, 'log' | 'resend'>;
}

type Run = (visit: UserVisit, webhook: Webhook, delivery: LoggedDelivery) => Answer | Promise<Answer>;

export function makeDeliveryPages({ webhooks, deliveries }: Needs): Route[] {
  const path = '/webhooks/:webhook/deliveries';
  const access = 'admin';
  return [
    { method: 'GET', path, access, run: (visit) => withWebhook(visit, webhooks, list) },
    { method: 'GET', path: `${path}/:delivery`, access, run: (visit) => withDelivery(visit, show) },
    { method: 'POST', path: `${path}/:delivery/resend`, access, run: (visit) => withDelivery(visit, resend) },
  ];

  function withDelivery(visit: UserVisit, run: Run) {
    return withWebhook(visit, webhooks, async (_, webhook) => {
      const deliveryId = readMark(visit.parameters.delivery ?? null);
      const wish = { atMost: 1, webhookId: webhook.id };
      const [delivery] = deliveryId === undefined ? [] : await deliveries.log({ ...wish, deliveryId });
      return delivery ? run(visit, webhook, delivery) : problemPage(visit, 404, visit.words.problem.notFound);
    });
  }

  async function list(visit: UserVisit, webhook: Webhook) {
    const { webhooks: text } = visit.words.admin;
    const beforeId = readMark(visit.query.get('before'));
    const wish = { atMost: PAGE_SIZE + 1, webhookId: webhook.id };
    const found = await deliveries.log({ ...wish, ...(beforeId !== undefined && { beforeId }) });
    return answerPage(visit, {
      title: text.logOf(hostOf(webhook)),
      content: html`<h1>${text.logOf(hostOf(webhook))}</h1>
<section class="card">${found.length === 0 ? html`<div class="empty">${icon('bell')}<p>${text.logEmpty}</p></div>` : deliveryTable(visit, found.slice(0, PAGE_SIZE))}</section>
${pager(visit, webhook, found)}`,
    });
  }

  async function resend(visit: UserVisit, webhook: Webhook, { id }: LoggedDelivery) {
    await deliveries.resend(id, auditOf(visit));
    return redirect(`/webhooks/${webhook.id}/deliveries/${id}?resent=1`);
  }
}

function show(visit: UserVisit, webhook: Webhook, delivery: LoggedDelivery) {
  const { words, query } = visit;
  const { webhooks: text } = words.admin;
  const { id, state, tries, nextTryAtMs } = delivery;
  const label = state === 'waiting' ? text.resendNow : text.resend;
  return answerPage(visit, {
    title: text.delivery(id),
    content: html`${query.has('resent') && state === 'waiting' && html`<p class="note" role="status">${icon('expired')}<span>${webhook.active ? text.resent : text.resendOff}</span></p>`}
<section class="card"><h1>${text.delivery(id)}</h1><p>${messageOf(visit, delivery)} · ${hostOf(webhook)}<br>
<span class="soft">${text.happened} ${timeOf(visit, delivery.notification.occurredAtMs)}${nextTryAtMs !== null && html` · ${text.nextTry} ${timeOf(visit, nextTryAtMs)}`}</span></p>
<p>${deliveryPill(visit, delivery)}</p>
<form method="post" action="/webhooks/${webhook.id}/deliveries/${id}/resend">${formToken(visit)}<div class="actions"><button class="button primary" type="submit">${label}</button>
<a class="button" href="/webhooks/${webhook.id}/deliveries">${text.back}</a></div></form></section>
<section class="card"><h2>${text.tries}</h2>${tries.length === 0 ? html`<p class="soft">${text.noTries}</p>` : tryTable(visit, tries)}</section>`,
  });
}

function deliveryTable(visit: UserVisit, found: LoggedDelivery[]): Html {
  const { webhooks: text } = visit.words.admin;
  const labels = [text.what, text.happened, text.state, text.tries, text.lastStatus];
  const further = [text.duration, text.nextTry, text.error];
  return html`<table><thead><tr>${[...labels, ...further].map((label) => html`<th scope="col">${label}</th>`)}</tr></thead><tbody>${found.map(
    (delivery) => {
      const last = delivery.tries.at(-1);
      return html`<tr><td data-label="${text.what}"><a href="/webhooks/${delivery.webhookId}/deliveries/${delivery.id}">${messageOf(visit, delivery)}</a></td>
<td data-label="${text.happened}">${timeOf(visit, delivery.notification.occurredAtMs)}</td>
<td data-label="${text.state}">${deliveryPill(visit, delivery)}</td>
<td data-label="${text.tries}">${delivery.tries.length}</td>
<td data-label="${text.lastStatus}">${last ? (last.status ?? text.noAnswer) : '–'}</td>
<td class="short" data-label="${text.duration}">${last ? `${last.durationMs} ms` : '–'}</td>
<td data-label="${text.nextTry}">${delivery.nextTryAtMs === null ? '–' : timeOf(visit, delivery.nextTryAtMs)}</td>
<td data-label="${text.error}">${last ? sayError(visit, last) : '–'}</td></tr>`;
    },
  )}</tbody></table>`;
}

function tryTable(visit: UserVisit, tries: LoggedDelivery['tries']): Html {
  const { webhooks: text } = visit.words.admin;
  const labels = [text.at, text.lastStatus, text.duration, text.error, text.answer];
  return html`<table><thead><tr>${labels.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead><tbody>${tries.map(
    ({ atMs, status, durationMs, error, answer }) =>
      html`<tr><td data-label="${text.at}">${timeOf(visit, atMs)}</td>
<td data-label="${text.lastStatus}">${status ?? text.noAnswer}</td><td class="short" data-label="${text.duration}">${durationMs} ms</td>
<td data-label="${text.error}">${sayError(visit, { status, error })}</td><td data-label="${text.answer}">${answer ? html`<bdi>${answer}</bdi>` : '–'}</td></tr>`,
  )}</tbody></table>`;
}

function readMark(text: string | null): DeliveryId | undefined {
  return /^\d{1,15}$/.test(text ?? '') ? asDeliveryId(Number(text)) : undefined;
}

function pager({ words, query, path }: UserVisit, webhook: Webhook, found: LoggedDelivery[]): Html {
  const { webhooks: text } = words.admin;
  const last = found.length > PAGE_SIZE ? found[PAGE_SIZE - 1] : undefined;
  return html`<nav class="pager" aria-label="${text.log}"><a class="button" href="/webhooks/${webhook.id}">${text.back}</a>
${query.has('before') && html`<a class="button" href="${path}">${text.logNewest}</a>`}
${last && html`<a class="button" href="${path}?before=${last.id}">${text.logOlder}</a>`}</nav>`;
}

function messageOf({ words: { admin } }: UserVisit, { notification }: LoggedDelivery): string {
  const { kind, voucherCount, siteName } = notification;
  const { webhooks: text } = admin;
  return kind === 'webhook.test' ? text.testMessage : text.vouchers(voucherCount, siteName);
}

function deliveryPill({ words: { admin } }: UserVisit, { state }: LoggedDelivery): Html {
  return html`<span class="pill ${PILLS[state]}">${icon(SHAPES[state])}${admin.webhooks.states[state]}</span>`;
}

function timeOf({ language, timeZone }: UserVisit, ms: number): Html {
  return html`<time datetime="${new Date(ms).toISOString()}">${sayTime(ms, { language, timeZone })}</time>`;
}
