// The progress and the report of a bulk revocation: how many vouchers were revoked, which were not and why, and a
// button that tries the failed ones again.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import { asBulkRevocationId } from '../../ids.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { formToken, oneTimeToken, redirect, renderPage } from '../../pages/layout.ts';
import { message } from '../../pages/message.ts';
import { notFoundPage } from '../../pages/problem-page.ts';
import type { Route } from '../../pages/route.ts';
import { failureText } from '../../sites/pages/controller-errors.ts';
import {
  BULK_REVOCATION_OUTCOMES,
  type BulkRevocation,
  type BulkRevocationOutcome,
  type BulkRevocationTally,
  type ReportedVoucher,
} from '../bulk-revocation.ts';
import { formatCode } from '../voucher.ts';
import { carryOut } from './begin-bulk-revocation.ts';
import { toList, withFrom } from './list-link.ts';
import { shownName } from './voucher-details.ts';

const REFRESH_S = 2;
const PAGE_SIZE = 50;

export const bulkRevocationReportRoutes: Route[] = [
  { method: 'GET', path: '/revocations/:revocation', permission: 'operator', run: withBulkRevocation(show) },
  {
    method: 'POST',
    path: '/revocations/:revocation/retry',
    permission: 'operator',
    run: withBulkRevocation(retry),
  },
];

/** Responds with 404 if the user does not have access to the sites of all vouchers in the revocation. */
function withBulkRevocation(run: typeof show): (context: AuthenticatedContext) => Promise<Response> {
  return async (context) => {
    const { bulkRevocations, hasSites } = context.app;
    const revocation = await bulkRevocations.find(asBulkRevocationId(context.parameters.revocation ?? ''));
    return revocation && (await hasSites(context.user, revocation.siteIds))
      ? run(context, revocation)
      : notFoundPage(context);
  };
}

async function retry(context: AuthenticatedContext, { id }: BulkRevocation): Promise<Response> {
  const by = { userId: context.user.id, ip: context.request.clientIp() };
  if (!(await context.app.bulkRevocations.retryFailed(id, by)))
    return redirect(context, withFrom(context, `/revocations/${id}`));
  return carryOut(context, id);
}

async function show(context: AuthenticatedContext, revocation: BulkRevocation): Promise<Response> {
  const { bulkRevocations } = context.app;
  const { messages, language, timeZone, query } = context;
  const { bulkRevocation: text } = messages;
  const tally = await bulkRevocations.tally(revocation.id);
  const outcome = readOutcome(query.get('outcome'), tally);
  const afterId = Number(/^\d{1,15}$/.exec(query.get('after') ?? '')?.[0] ?? 0);
  const found = await bulkRevocations.report(revocation.id, { outcome, afterId, limit: PAGE_SIZE + 1 });
  const isRunning = revocation.endedAtMs === null;
  const title = titleOf(context, tally, isRunning);
  const all = allOf(tally);
  const started = text.startedBy(
    revocation.user.name || messages.list.removedUser,
    sayTime(revocation.createdAtMs, { language, timeZone }),
  );
  return renderPage(context, {
    title,
    under: '/vouchers',
    ...(isRunning && { refresh: REFRESH_S }),
    content: html`<section class="card"><div role="status"><h1>${title}</h1></div>
${isRunning && html`<progress max="${all}" value="${all - tally.awaiting}" aria-label="${title}"></progress><p>${text.background}</p>`}
<p class="soft">${started}${tally.unknown > 0 && html`<br>${messages.admin.notKnown}: ${tally.unknown}`}</p>${actions(context, revocation, tally)}</section>
${found.length > 0 && html`<section class="card">${chips(context, revocation, { tally, outcome })}${details(context, found.slice(0, PAGE_SIZE), { outcome, count: tally[outcome] })}</section>`}${pager(context, found)}`,
  });
}

/** Messages with links to the reports of all bulk revocations that are in progress. */
export async function runningBulkRevocations(context: AuthenticatedContext): Promise<Html[]> {
  const { bulkRevocations, hasSites } = context.app;
  const { bulkRevocation: text, batches } = context.messages;
  const notes: Html[] = [];
  for (const id of await bulkRevocations.listOpen()) {
    const revocation = await bulkRevocations.find(id);
    if (!revocation || !(await hasSites(context.user, revocation.siteIds))) continue;
    const tally = await bulkRevocations.tally(id);
    const said = text.underWay(allOf(tally) - tally.awaiting, allOf(tally));
    notes.push(
      message(
        'info',
        html`${said} <a href="${withFrom(context, `/revocations/${id}`)}">${batches.report}</a>`,
      ),
    );
  }
  return notes;
}

const allOf = (tally: BulkRevocationTally) =>
  tally.awaiting + tally.failed + tally.used + tally.ended + tally.revoked + tally.unknown;

/** The outcome that the user has chosen. By default, the first outcome that occurs. */
function readOutcome(text: string | null, tally: BulkRevocationTally): BulkRevocationOutcome {
  return (
    BULK_REVOCATION_OUTCOMES.find((outcome) => outcome === text) ??
    BULK_REVOCATION_OUTCOMES.find((outcome) => tally[outcome] > 0) ??
    'revoked'
  );
}

function titleOf(
  { messages: { bulkRevocation: text } }: AuthenticatedContext,
  tally: BulkRevocationTally,
  isRunning: boolean,
): string {
  const all = allOf(tally);
  if (isRunning) return text.running(all - tally.awaiting, all);
  if (tally.revoked === 0) return text.none;
  return tally.revoked === all ? text.all(all) : text.partly(tally.revoked, all);
}

function actions(
  context: AuthenticatedContext,
  { id, batchId, endedAtMs }: BulkRevocation,
  tally: BulkRevocationTally,
): Html {
  const { bulkRevocation: text, batches, result } = context.messages;
  const canRetry = endedAtMs !== null && tally.failed > 0;
  return html`<div class="actions">
${canRetry && html`<form method="post" action="${withFrom(context, `/revocations/${id}/retry`)}">${formToken(context)}${oneTimeToken()}<button class="button primary" type="submit">${text.retry(tally.failed)}</button></form>`}
${endedAtMs === null && html`<a class="button" href="${withFrom(context, `/revocations/${id}`)}">${result.reload}</a>`}
${batchId !== null && html`<a class="button" href="/batches/${batchId}">${batches.back}</a>`}
${toList(context)}</div>`;
}

function chips(
  context: AuthenticatedContext,
  { id }: BulkRevocation,
  { tally, outcome: current }: { tally: BulkRevocationTally; outcome: BulkRevocationOutcome },
): Html {
  const { messages, language } = context;
  const { bulkRevocation: text } = messages;
  const shown = BULK_REVOCATION_OUTCOMES.filter((outcome) => tally[outcome] > 0 || outcome === current);
  return html`<div class="chips row">${shown.map(
    (outcome) =>
      html`<a class="chip" href="${withFrom(context, `/revocations/${id}?outcome=${outcome}`)}"${outcome === current && html` aria-current="true"`}>${tally[outcome].toLocaleString(language)} ${text.outcomes[outcome]}</a>`,
  )}</div>`;
}

/** Lists the vouchers with this outcome. If all failed for the same reason, the reason is shown only once. */
function details(
  context: AuthenticatedContext,
  reported: ReportedVoucher[],
  { outcome, count }: { outcome: BulkRevocationOutcome; count: number },
): Html {
  const explained = context.messages.bulkRevocation.explained[outcome](count);
  if (outcome !== 'failed') return html`<p>${explained}</p>${table(context, reported, false)}`;
  const [first] = reported;
  const isShared = reported.every(
    ({ siteId, cause, problem }) =>
      siteId === first?.siteId && cause === first.cause && problem === first.problem,
  );
  return html`${message('error', html`${explained}${isShared && first && html`<br>${reasonOf(context, first)}`}`)}${table(context, reported, !isShared)}`;
}

function reasonOf(context: AuthenticatedContext, { siteId, cause, problem }: ReportedVoucher): Html {
  return failureText(context, { siteId, cause, text: problem });
}

function table(context: AuthenticatedContext, reported: ReportedVoucher[], withReason: boolean): Html {
  const { list, form, bulkRevocation: text } = context.messages;
  return html`<table class="reported"><thead><tr><th scope="col">${list.code}</th><th scope="col">${form.name}</th><th scope="col">${form.site}</th>${withReason && html`<th scope="col">${text.reason}</th>`}</tr></thead>
<tbody>${reported.map(
    (one) => html`<tr>
<td data-label="${list.code}">${one.voucher ? html`<a class="code listed" href="${withFrom(context, `/vouchers/${one.id}`)}">${formatCode(one.voucher.code)}</a>` : text.removed}</td>
<td data-label="${form.name}">${one.voucher && shownName(one.voucher)}</td><td data-label="${form.site}">${one.siteName}</td>
${withReason && html`<td class="words" data-label="${text.reason}"><span>${reasonOf(context, one)}</span></td>`}</tr>`,
  )}</tbody></table>`;
}

function pager({ messages: { list }, query, path }: AuthenticatedContext, found: ReportedVoucher[]): Html {
  const last = found.length > PAGE_SIZE ? found[PAGE_SIZE - 1] : undefined;
  const next = new URLSearchParams(query);
  if (last) next.set('after', String(last.id));
  const first = new URLSearchParams(query);
  first.delete('after');
  if (!last && !query.has('after')) return html``;
  return html`<nav class="pager">${query.has('after') ? html`<a class="button" href="${path}?${String(first)}">${list.start}</a>` : html`<span></span>`}
${last && html`<a class="button" href="${path}?${String(next)}">${list.more}</a>`}</nav>`;
}
