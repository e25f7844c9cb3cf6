// The progress and the result of creating lost vouchers again in several batches, because they have different names or
// limits.

import { html } from '../../../platform/pages/ui/html.ts';
import { asReplacementId } from '../../ids.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { renderPage } from '../../pages/layout.ts';
import { message } from '../../pages/message.ts';
import { notFoundPage } from '../../pages/problem-page.ts';
import type { Route } from '../../pages/route.ts';
import type { ReplacingBatch } from '../lost-vouchers.ts';
import { nameTable } from './name-table.ts';

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
<section class="card">${nameTable(
      context,
      text.made,
      batches.map(({ id, order, made, wanted }) => ({
        order: { ...order, siteTimeZone: site.timeZone },
        href: `/batches/${id}`,
        count: text.madeOf(made, wanted),
      })),
    )}</section>`,
  });
}
