// The result of creating vouchers: a single large code, or the codes of a batch while it grows, and what to do if some
// vouchers could not be created. The page has its own URL, so that reloading is safe.

import type { Batch, BatchStore } from '../../../domain/batches/batch.ts';
import { asBatchId } from '../../../domain/ids.ts';
import { isDemo, type Site } from '../../../domain/sites/site.ts';
import type { SitesFor } from '../../../domain/sites/sites-for.ts';
import type { SiteSlip, SlipStore } from '../../../domain/sites/slip.ts';
import { formatCode } from '../../../domain/vouchers/voucher.ts';
import type { AuthenticatedContext } from '../../http/context.ts';
import { problemPage } from '../../http/problem-page.ts';
import type { Route } from '../../http/route.ts';
import { toDurationFields } from '../../ui/duration-field.ts';
import { type Html, html, type Piece } from '../../ui/html.ts';
import { icon } from '../../ui/icons.ts';
import { renderPage } from '../../ui/layout.ts';
import { mendOf, technicalText } from '../sites/controller-errors.ts';
import { demoPill, qrsOf, sayAllowance } from '../vouchers/voucher-details.ts';

const REFRESH_S = 2;

interface Deps {
  batches: Pick<BatchStore, 'find'>;
  sitesFor: SitesFor;
  slips: Pick<SlipStore, 'find'>;
}

export function makeBatchPages({ batches, sitesFor, slips }: Deps): Route[] {
  return [
    { method: 'GET', path: '/batches/:id', access: 'operator', run: (context) => withBatch(context, show) },
  ];

  /** Responds with 404 unless the user has access to the batch's site. */
  async function withBatch(context: AuthenticatedContext, run: typeof show) {
    const batch = await batches.find(asBatchId(context.parameters.id ?? ''));
    const site = batch && (await sitesFor(context.user)).find(({ id }) => id === batch.order.siteId);
    return site ? run(context, batch, site) : problemPage(context, 404, context.messages.problem.notFound);
  }

  async function show(context: AuthenticatedContext, batch: Batch, site: Site): Promise<Response> {
    const warning = isDemo(site) && html`<p>${demoPill(context)}</p>`;
    const title = titleOf(context, batch);
    const isRunning = batch.endedAtMs === null;
    const [first] = batch.vouchers;
    return renderPage(context, {
      title,
      ...(isRunning && { refresh: REFRESH_S }),
      content:
        batch.wanted === 1 && first
          ? hero(context, batch, { code: first.code, slip: await slips.find(site.id), warning })
          : html`<section class="card"><div role="status"><h1>${title}</h1></div>
${isRunning && html`<progress max="${batch.wanted}" value="${batch.vouchers.length}" aria-label="${title}"></progress>`}${shortfall(context, batch)}
<p class="soft">${batch.siteName} · ${batch.order.name} · ${sayAllowance(batch.order, context)}</p>${warning}
${actions(context, batch)}</section>
${batch.vouchers.length > 0 && html`<section class="card"><ul class="codes">${batch.vouchers.map(({ id, code }) => html`<li><a class="code" href="/vouchers/${id}">${formatCode(code)}</a></li>`)}</ul></section>`}`,
    });
  }
}

function hero(
  context: AuthenticatedContext,
  batch: Batch,
  { code, slip, warning }: { code: string; slip: SiteSlip; warning: Html | false },
): Html {
  const { result } = context.messages;
  return html`<section class="card hero"><div role="status"><h1>${result.one}</h1></div>
<strong class="code">${formatCode(code)}</strong>
<p>${sayAllowance(batch.order, context)}</p>
<p class="soft">${batch.siteName} · ${batch.order.name}</p>${warning}
${qrsOf(code, slip, context)}
${actions(context, batch, code)}</section>`;
}

/**
 * The most likely next step is the primary button: create the missing vouchers, print a batch, or create another
 * voucher.
 */
function actions({ messages: { result } }: AuthenticatedContext, batch: Batch, code?: string): Html {
  const { order, vouchers, wanted, endedAtMs, problem } = batch;
  const missing = wanted - vouchers.length;
  const again = new URLSearchParams({ site: String(order.siteId) });
  const isDone = problem === null;
  return html`<div class="actions">
${endedAtMs !== null && !isDone && html`<a class="button primary" href="/?${restOf(batch)}">${vouchers.length === 0 ? result.again : result.rest(missing)}</a>`}
${code && html`<button class="button" type="button" hidden data-copy="${formatCode(code)}" data-copied="${result.copied}">${icon('copy')}<span>${result.copy}</span></button>`}
${vouchers.length > 0 && html`<a class="button${isDone && wanted > 1 && ' primary'}" href="/vouchers/print?batch=${batch.id}">${icon('print')}${result.print}</a>`}
${endedAtMs === null && html`<a class="button" href="/batches/${batch.id}">${result.reload}</a>`}
${endedAtMs !== null && isDone && html`<a class="button${wanted === 1 && ' primary'}" href="/?${String(again)}">${icon('plus')}${result.another}</a>`}</div>`;
}

function titleOf(
  { messages: { result } }: AuthenticatedContext,
  { vouchers, wanted, endedAtMs, problem }: Batch,
): string {
  if (endedAtMs === null) return result.running(vouchers.length, wanted);
  if (problem === null) return wanted === 1 ? result.one : result.many(wanted);
  return vouchers.length === 0 ? result.none : result.partly(vouchers.length, wanted);
}

/** Explains why fewer vouchers than requested were created. */
function shortfall(context: AuthenticatedContext, batch: Batch): Html | false {
  const { result } = context.messages;
  const { vouchers, endedAtMs, problem } = batch;
  // Without a problem all vouchers were created; any that are missing now were deleted later.
  if (endedAtMs === null || problem === null) return false;
  return html`<div class="note bad" role="alert">${icon('warning')}<div><p>${result.because} ${reasonOf(context, problem, batch.cause)}</p>
${vouchers.length > 0 && html`<p>${result.kept}</p>`}</div></div>`;
}

/** The query string that fills the voucher form with the missing vouchers. */
function restOf({ order, vouchers, wanted }: Batch): string {
  const rest = new URLSearchParams({
    site: String(order.siteId),
    name: order.name,
    uses: String(order.maxUses),
    validity: 'own',
    ...toDurationFields(order.expireMinutes),
    down: String(order.downKbps),
    up: String(order.upKbps),
    quota: String(order.quotaMb),
    count: String(wanted - vouchers.length),
  });
  return String(rest);
}

function reasonOf(context: AuthenticatedContext, problem: string, cause: Batch['cause']): Piece {
  const problems: Record<string, string> = context.messages.result.problems;
  // Without a cause, an unknown problem is a technical text.
  if (cause === null)
    return problems[problem] ?? (context.user.role === 'admin' ? problem : context.messages.result.tellAdmin);
  return html`${mendOf(context, cause)}<br>${technicalText(context, problem)}`;
}
