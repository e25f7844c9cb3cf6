// The progress and the result of creating lost vouchers again in several batches, because they have different names or
// limits.

import { asReplacementId } from '../../../domain/ids.ts';
import type { ReplacingBatch } from '../../../domain/vouchers/lost-vouchers.ts';
import type { AuthenticatedContext } from '../../http/context.ts';
import { notFoundPage } from '../../http/problem-page.ts';
import type { Route } from '../../http/route.ts';
import { type Html, html } from '../../ui/html.ts';
import { renderPage } from '../../ui/layout.ts';
import { message } from '../../ui/message.ts';
import { MAX_NAMES } from './lost-vouchers.ts';
import { sayAllowance } from './voucher-details.ts';

const REFRESH_S = 2;

export const replacementRoutes: Route[] = [
  { method: 'GET', path: '/replacements/:replacement', permission: 'operator', run: show },
];

async function show(context: AuthenticatedContext): Promise<Response> {
  const { app, messages, user, parameters } = context;
  const { lostVouchers: text, result } = messages;
  const batches = await app.lostVouchers.listReplacing(asReplacementId(parameters.replacement ?? ''));
  const [first] = batches;
  const site = (await app.sitesFor(user)).find(({ id }) => id === first?.order.siteId);
  if (!first || !site) return notFoundPage(context);
  const sum = (count: (batch: ReplacingBatch) => number) =>
    batches.reduce((total, batch) => total + count(batch), 0);
  const [made, wanted] = [sum((batch) => batch.made), sum((batch) => batch.wanted)];
  const isRunning = batches.some(({ isEnded }) => !isEnded);
  const isComplete = made >= wanted;
  const title = isRunning
    ? text.running(made, wanted)
    : isComplete
      ? text.all(made)
      : text.partly(made, wanted);
  return renderPage(context, {
    title,
    under: '/vouchers',
    ...(isRunning && { refresh: REFRESH_S }),
    content: html`<section class="card"><div role="status"><h1>${title}</h1></div><p class="soft">${site.name}</p>
${isRunning && html`<progress max="${wanted}" value="${made}" aria-label="${title}"></progress><p>${text.background}</p>`}
${!isRunning && !isComplete && message('error', text.stillLost(wanted - made))}
<div class="actions">${!isRunning && !isComplete && html`<a class="button primary" href="/sites/${site.id}/lost">${text.rest}</a>`}
${isRunning && html`<a class="button" href="${context.path}">${result.reload}</a>`}<a class="button" href="/vouchers">${result.all}</a></div></section>
<section class="card">${batchTable(context, batches)}</section>`,
  });
}

function batchTable(context: AuthenticatedContext, batches: ReplacingBatch[]): Html {
  const { lostVouchers: text } = context.messages;
  const further = batches.length - MAX_NAMES;
  return html`<table class="lost"><thead><tr><th scope="col">${text.name}</th><th scope="col">${text.made}</th></tr></thead>
<tbody>${batches.slice(0, MAX_NAMES).map(
    ({ id, order, made, wanted }) => html`<tr>
<td data-label="${text.name}"><span><a class="listed" href="/batches/${id}">${order.name}</a><span class="sub">${sayAllowance(order, context)}</span></span></td><td data-label="${text.made}">${text.madeOf(made, wanted)}</td></tr>`,
  )}</tbody></table>${further > 0 && html`<p class="soft">${text.furtherNames(further)}</p>`}`;
}
