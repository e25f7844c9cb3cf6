// Creates lost vouchers again after confirmation: those of a site, those of a batch, or one voucher. Or notes that they
// are not needed any more.

import { html } from '../../../platform/pages/ui/html.ts';
import { withBatch } from '../../batches/pages/with-batch.ts';
import { asReplacementId } from '../../ids.ts';
import { type AuthenticatedContext, auditContextOf } from '../../pages/context.ts';
import { readFormId } from '../../pages/form-id.ts';
import { formToken, redirect, renderPage } from '../../pages/layout.ts';
import { note } from '../../pages/message.ts';
import { notFoundPage } from '../../pages/problem-page.ts';
import type { Route } from '../../pages/route.ts';
import type { LostScope } from '../lost-vouchers.ts';
import { nameTable } from './name-table.ts';
import { withVoucher } from './with-voucher.ts';

interface Lost extends LostScope {
  siteName: string;
  siteTimeZone: string | null;
  /** The page to which the user returns. */
  back: string;
}

type LostPage = (context: AuthenticatedContext, lost: Lost) => Promise<Response>;
type WithLost = (run: LostPage) => (context: AuthenticatedContext) => Promise<Response>;

export const lostVoucherRoutes: Route[] = [
  ...routesAt('/sites/:site', withLostOfSite),
  ...routesAt('/batches/:id', withLostOfBatch),
  ...routesAt('/vouchers/:id', withLostVoucher),
];

function routesAt(path: string, withLost: WithLost): Route[] {
  const permission = 'operator';
  return [
    { method: 'GET', path: `${path}/lost`, permission, run: withLost(ask) },
    { method: 'POST', path: `${path}/lost`, permission, run: withLost(replace) },
    { method: 'POST', path: `${path}/lost/unneeded`, permission, run: withLost(dismiss) },
  ];
}

function withLostOfSite(run: LostPage) {
  return async (context: AuthenticatedContext) => {
    const { app, user, parameters } = context;
    const site = (await app.sitesFor(user)).find(({ id }) => String(id) === parameters.site);
    if (!site) return notFoundPage(context);
    const back = user.role === 'admin' ? '/overview' : '/vouchers';
    const { id: siteId, name: siteName, timeZone: siteTimeZone } = site;
    return run(context, { siteId, siteName, siteTimeZone, untilS: readUntil(context), back });
  };
}

function withLostOfBatch(run: LostPage) {
  return withBatch((context, { id: batchId, siteName, siteTimeZone }, { id: siteId }) =>
    run(context, {
      siteId,
      siteName,
      siteTimeZone,
      batchId,
      untilS: readUntil(context),
      back: `/batches/${batchId}`,
    }),
  );
}

function withLostVoucher(run: LostPage) {
  return withVoucher((context, { id: voucherId, siteId, siteName, siteTimeZone }) =>
    run(context, {
      siteId,
      siteName,
      siteTimeZone,
      voucherId,
      untilS: readUntil(context),
      back: `/vouchers/${voucherId}`,
    }),
  );
}

/** The moment up to which the user has seen losses: when the form was shown. */
function readUntil({ form, nowS }: AuthenticatedContext): number {
  const untilS = Number(/^\d{1,12}$/.exec(form.get('until') ?? '')?.[0] ?? nowS);
  return Math.min(untilS, nowS);
}

async function ask(context: AuthenticatedContext, lost: Lost): Promise<Response> {
  const { lostVouchers } = context.app;
  const { lostVouchers: text, admin } = context.messages;
  const groups = await lostVouchers.listGroups(lost);
  const count = groups.reduce((sum, { ids }) => sum + ids.length, 0);
  if (count === 0) return nothingLost(context, lost);
  const all = await lostVouchers.count(lost);
  return renderPage(context, {
    title: text.ask(count),
    under: '/vouchers',
    content: html`<section class="card"><h1>${text.ask(count)}</h1>${note('warning', html`<p>${text.some(count)}. ${text.means(count)}</p><p>${text.what(count)}</p>`)}
${all > count && html`<p>${text.firstOf(count, all)}</p>`}<p class="soft">${lost.siteName}</p>
${nameTable(
  context,
  text.count,
  groups.map(({ order, ids }) => ({
    order: { ...order, siteTimeZone: lost.siteTimeZone },
    count: String(ids.length),
  })),
)}
<form method="post" action="${context.path}">${formToken(context)}<input type="hidden" name="replacement" value="${readFormId(context, 'replacement')}"><input type="hidden" name="until" value="${lost.untilS}">
<div class="actions"><button class="button primary" type="submit">${text.button(count)}</button><button class="button" type="submit" formaction="${context.path}/unneeded">${text.unneeded(all)}</button><a class="button" href="${lost.back}">${admin.cancel}</a></div></form></section>`,
  });
}

function nothingLost(context: AuthenticatedContext, { siteName, back }: Lost): Response {
  const { lostVouchers: text, problem } = context.messages;
  return renderPage(context, {
    title: text.nothing,
    under: '/vouchers',
    content: html`<section class="card"><h1>${text.nothing}</h1><p class="soft">${siteName}</p>
<div class="actions"><a class="button" href="${back}">${problem.back}</a></div></section>`,
  });
}

async function replace(context: AuthenticatedContext, { back, ...scope }: Lost): Promise<Response> {
  const { lostVouchers, createReplacement, runInBackground } = context.app;
  const { user, request } = context;
  const id = asReplacementId(readFormId(context, 'replacement'));
  const begun = await lostVouchers.beginReplacement({ id, scope, userId: user.id }, auditContextOf(context));
  runInBackground(createReplacement(begun, user, { ip: request.clientIp(), requestId: request.id }));
  const [first, second] = await lostVouchers.listReplacing(id);
  // Without a batch, somebody else has replaced the vouchers in the meantime, or the console lists them again.
  if (!first) return redirect(context, back);
  return redirect(context, second ? `/replacements/${id}` : `/batches/${first.id}`);
}

async function dismiss(context: AuthenticatedContext, { back, ...scope }: Lost): Promise<Response> {
  await context.app.lostVouchers.dismiss(scope, auditContextOf(context));
  return redirect(context, back, 'lossNoted');
}
