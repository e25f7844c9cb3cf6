// The page of a batch. For a single new voucher it shows the code in large print. While a batch is being created, it
// shows the progress. Later it shows how many vouchers guests have used, with buttons to print, export and revoke.

import { voucherStylesheet } from '../../../platform/pages/assets.ts';
import { type Html, html, type Piece } from '../../../platform/pages/ui/html.ts';
import { drawIcons, icon } from '../../../platform/pages/ui/icons.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import { userActor } from '../../audit/actor.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { formToken, redirect, renderPage } from '../../pages/layout.ts';
import { message, note } from '../../pages/message.ts';
import type { Route } from '../../pages/route.ts';
import { waitAWhile } from '../../pages/wait-a-while.ts';
import { failureText } from '../../sites/pages/controller-errors.ts';
import { isDemo, type Site } from '../../sites/site.ts';
import type { SiteSlip } from '../../slips/slip.ts';
import { handOverButtons, PRINT_NOW, printWayOf } from '../../vouchers/pages/hand-over.ts';
import { lostNote, replacedNote } from '../../vouchers/pages/lost-note.ts';
import { qrChoice } from '../../vouchers/pages/qr-choice.ts';
import { demoPill, endOf, usesOf, voucherStatePill } from '../../vouchers/pages/voucher-details.ts';
import {
  type BatchPart,
  findOffer,
  fromSlots,
  type Offer,
  type PrintWay,
  voucherSlots,
} from '../../vouchers/pages/voucher-slots.ts';
import { sayAllowance } from '../../vouchers/texts/allowance.ts';
import { formatCode, statusOf } from '../../vouchers/voucher.ts';
import type { FoundVoucher } from '../../vouchers/voucher-search.ts';
import {
  countsAs,
  hasEnded,
  stateOf,
  VOUCHER_STATES,
  type VoucherState,
  wasUsed,
} from '../../vouchers/voucher-state.ts';
import { type Batch, MAX_BATCH_SIZE, missingFrom } from '../batch.ts';
import { anotherForm, orderFieldsOf } from './another-form.ts';
import { sayCreator, usage } from './batches.ts';
import { lastAttempt } from './last-attempt.ts';
import { withBatch } from './with-batch.ts';

const REFRESH_S = 2;
const PAGE_SIZE = 100;

export const batchRoutes: Route[] = [
  { method: 'GET', path: '/batches/:id', permission: 'operator', run: withBatch(show) },
  { method: 'POST', path: '/batches/:id/retry', permission: 'operator', run: withBatch(retry) },
];

async function show(context: AuthenticatedContext, batch: Batch, site: Site): Promise<Response> {
  const { endedAtMs, problem, vouchers } = batch;
  const [first] = vouchers;
  if (batch.wanted === 1 && first && statusOf(first, context.nowS) === 'expired')
    return redirect(context, `/vouchers/${first.id}`);
  if (context.query.has('print') && endedAtMs !== null && problem === null && vouchers.length > 0)
    return redirect(context, `/vouchers/print?batch=${batch.id}${PRINT_NOW}`);
  const warning = warningOf(context, site);
  const title = titleOf(context, batch);
  const isRunning = batch.endedAtMs === null;
  const parts = await fromSlots(context, (slots) => slots.ofBatch?.(context, batch));
  const offer = await findOffer(context, batch);
  if (!isRunning && batch.wanted > 1 && first)
    return showBatch(context, batch, { site, warning, parts, offer });
  const slip = await context.app.slips.find(site.id);
  return renderPage(context, {
    title,
    stylesheets: [voucherStylesheet],
    under: '/vouchers',
    sendsRequests: true,
    ...(isRunning && { refresh: REFRESH_S }),
    content:
      batch.wanted === 1 && first
        ? hero(context, batch, {
            voucher: first,
            slip,
            site,
            qr: await qrChoice(context, { voucher: first, slip, site }),
            parts,
          })
        : html`<section class="card"><div role="status"><h1>${title}</h1></div>
${isRunning && html`<progress max="${batch.wanted}" value="${batch.vouchers.length}" aria-label="${title}"></progress>`}${shortfall(context, batch)}
<p class="soft">${batch.siteName} · ${batch.order.name} · ${sayAllowance(allowanceOf(batch), context)}</p>${warning}${offer?.note}
${actions(context, batch, { site, parts, offer })}</section>
${batch.vouchers.length > 0 && html`<section class="card"><ul class="codes">${batch.vouchers.map(({ id, code }) => html`<li><a class="code" href="/vouchers/${id}">${formatCode(code)}</a></li>`)}</ul></section>`}`,
  });
}

/** Orders the missing vouchers. A batch of an earlier release, or of vouchers made ahead, may lack vouchers, too. */
async function retry(context: AuthenticatedContext, batch: Batch, site: Site) {
  const last = await lastAttempt(context, batch);
  const { id, isMailUnreadable } = last;
  // The form asks for the address anew.
  if (isMailUnreadable && missingFrom(last, context.nowMs) > 0)
    return redirect(context, `/?${restOf(context, last, site)}`);
  const { app, user, request, query } = context;
  const by = { actor: userActor(user), ip: request.clientIp(), requestId: request.id };
  const resumed = await app.resumeBatch(id, by);
  // Otherwise the page says why.
  if (resumed.ok) await waitAWhile(context, resumed.value.filling);
  return redirect(context, `/batches/${id}${query.has('print') ? '?print' : ''}`);
}

interface Shown {
  site: Site;
  /** What features add. */
  parts: BatchPart[];
  /** Set if other vouchers are offered instead of those that are missing. */
  offer?: Offer | undefined;
}

/** Shows a batch whose creation has ended, whether or not all vouchers were created. */
async function showBatch(
  context: AuthenticatedContext,
  batch: Batch,
  { site, warning, parts, offer }: Shown & { warning: Html | false },
): Promise<Response> {
  const { messages, language, timeZone, query, nowS } = context;
  const { batches: text } = messages;
  const { vouchers } = await context.app.finder.search({
    siteIds: [site.id],
    batchId: batch.id,
    sort: 'oldest',
    limit: MAX_BATCH_SIZE,
    nowS,
  });
  const state = VOUCHER_STATES.find((one) => one === query.get('state'));
  const shown = vouchers.filter((voucher) => !state || countsAs(state, stateOf(voucher, nowS)));
  const facts: [string, string][] = [
    [text.site, batch.siteName],
    [text.allows, sayAllowance(allowanceOf(batch), context)],
    [text.created, sayTime(batch.createdAtMs, { language, timeZone })],
    [text.createdBy, sayCreator(context, batch.createdBy)],
  ];
  return renderPage(context, {
    title: batch.order.name,
    stylesheets: [voucherStylesheet],
    under: '/vouchers',
    sendsRequests: true,
    content: html`<section class="card"><h1>${batch.order.name}</h1>
<p class="soft" role="status">${titleOf(context, batch)}</p>${warning}${shortfall(context, batch)}${offer?.note}${lostNote(context, vouchers, { path: `/batches/${batch.id}`, isBatch: true })}${await replacedNote(context, vouchers)}${await bulkRevocationNote(context, batch)}${parts.map(({ line }) => line)}
<div class="use">${usage(context, { used: vouchers.filter(wasUsed).length, vouchers: vouchers.length })}</div>
${actions(context, batch, { site, parts, offer })}${furtherActions(context, batch, vouchers)}
<dl class="facts">${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl></section>
<section class="card" aria-labelledby="vouchers"><h2 id="vouchers">${text.vouchers}</h2>
${stateChips(context, batch, { vouchers, current: state })}${voucherRows(context, shown, parts)}</section>${pager(context, shown)}`,
  });
}

/** A note with a link to the report of a revocation that is running or that failed for some vouchers. */
async function bulkRevocationNote(context: AuthenticatedContext, batch: Batch): Promise<Html | false> {
  const { bulkRevocations } = context.app;
  const { batches: text } = context.messages;
  const revocation = await bulkRevocations.findOfBatch(batch.id);
  if (!revocation) return false;
  const { failed } = await bulkRevocations.tally(revocation.id);
  const isRunning = revocation.endedAtMs === null;
  if (!isRunning && failed === 0) return false;
  const said = isRunning ? text.revoking : text.notAllRevoked(failed);
  return note(
    isRunning ? 'info' : 'warning',
    html`${said} <a href="/revocations/${revocation.id}">${text.report}</a>`,
  );
}

/** Shows the number of vouchers in each state. Each number is a link that lists these vouchers only. */
function stateChips(
  { messages, nowS, language }: AuthenticatedContext,
  batch: Batch,
  { vouchers, current }: { vouchers: FoundVoucher[]; current: VoucherState | undefined },
): Html {
  const url = (state?: VoucherState) => `/batches/${batch.id}${state ? `?state=${state}` : ''}`;
  const chip = (state: VoucherState | undefined, label: string) =>
    html`<a class="chip" href="${url(state)}"${state === current && html` aria-current="true"`}>${label}</a>`;
  const label = (state: VoucherState, count: string) =>
    state === 'used-up' ? messages.batches.ofThemFull(count) : `${count} ${messages.state[state]}`;
  const states = vouchers.map((voucher) => stateOf(voucher, nowS));
  return html`<div class="chips row">${chip(undefined, messages.batches.all(vouchers.length))}${VOUCHER_STATES.map(
    (state) => {
      const count = states.filter((one) => countsAs(state, one)).length;
      return (count > 0 || state === current) && chip(state, label(state, count.toLocaleString(language)));
    },
  )}</div>`;
}

function voucherRows(context: AuthenticatedContext, vouchers: FoundVoucher[], parts: BatchPart[]): Html {
  const { list } = context.messages;
  const start = startOf(context);
  const marks = parts.flatMap((part) => part.marks ?? []);
  return html`${drawIcons(marks.map((one) => one.icon))}<table class="vouchers"><thead><tr><th scope="col">${list.code}</th><th scope="col">${list.state}</th><th scope="col">${list.uses}</th><th scope="col">${list.ends}</th></tr></thead>
<tbody>${vouchers.slice(start, start + PAGE_SIZE).map(
    (voucher) => html`<tr>
<td class="code-of"><a class="code listed${hasEnded(stateOf(voucher, context.nowS)) && ' over'}" href="/vouchers/${voucher.id}">${formatCode(voucher.code)}</a></td>
<td class="state-of">${voucherStatePill(voucher, context)}${marks.map((one) => one.of(voucher.id))}</td><td class="uses-of" data-label="${list.uses}">${usesOf(voucher)}</td><td class="ends-of">${endOf(voucher, context)}</td></tr>`,
  )}</tbody></table>`;
}

/** The index of the first voucher on this page of the list. */
function startOf({ query }: AuthenticatedContext): number {
  return Number(/^\d{1,4}$/.exec(query.get('from') ?? '')?.[0] ?? 0);
}

function pager(context: AuthenticatedContext, vouchers: FoundVoucher[]): Html | false {
  const { messages, query, path } = context;
  const [start, end] = [startOf(context), startOf(context) + PAGE_SIZE];
  if (start === 0 && end >= vouchers.length) return false;
  const url = (from: number) => {
    const inputs = new URLSearchParams(query);
    inputs.set('from', String(from));
    return `${path}?${inputs}`;
  };
  return html`<nav class="pager">${start > 0 ? html`<a class="button" href="${url(0)}">${messages.list.start}</a>` : html`<span></span>`}
${end < vouchers.length && html`<a class="button" href="${url(end)}">${messages.list.more}</a>`}</nav>`;
}

function furtherActions(
  { messages, nowS }: AuthenticatedContext,
  batch: Batch,
  vouchers: FoundVoucher[],
): Html {
  const { batches: text } = messages;
  const states = vouchers.map((voucher) => stateOf(voucher, nowS));
  const unused = states.filter((state) => state === 'unused').length;
  return html`<div class="actions further">
${!states.every(hasEnded) && html`<a class="button" href="/vouchers/pdf?batch=${batch.id}" download>${text.pdf}</a>`}
<a class="button" href="/export/vouchers.csv?batch=${batch.id}" download>${text.csv}</a>
${unused > 0 && html`<a class="button risky" href="/batches/${batch.id}/revoke">${text.revokeUnused(unused)}</a>`}
<a class="button" href="/batches">${text.allBatches}</a></div>`;
}

/** What the vouchers allow. Vouchers of the reserve have other limits than those that were ordered. */
function allowanceOf({ order, siteTimeZone, vouchers }: Batch) {
  const reserved = vouchers.find(({ consoleName }) => consoleName !== null);
  return { ...(reserved ?? order), siteTimeZone };
}

function warningOf(context: AuthenticatedContext, site: Site): Html | false {
  return isDemo(site) && html`<p>${demoPill(context)}</p>`;
}

interface Hero {
  voucher: Batch['vouchers'][number];
  slip: SiteSlip;
  site: Site;
  qr: Html;
  parts: BatchPart[];
}

function hero(context: AuthenticatedContext, batch: Batch, { voucher, slip, site, qr, parts }: Hero): Html {
  const { list, result } = context.messages;
  const { id, code, consoleName } = voucher;
  const handOver = handOverButtons(
    context,
    { ...allowanceOf(batch), id, code, isDemo: isDemo(site) },
    { slip, print: printOf(context, batch, parts), parts },
  );
  return html`<section class="card hero"><div role="status"><h1>${result.one}</h1></div>
<strong class="code" id="code">${formatCode(code)}</strong>
<p>${sayAllowance(allowanceOf(batch), context)}</p>
<p class="soft">${batch.siteName} · ${batch.order.name}${consoleName !== null && consoleName !== voucher.name && html`<br>${list.onConsole}: ${consoleName}`}</p>${parts.map(({ line }) => line)}${warningOf(context, site)}
${qr}
${actions(context, batch, { site, parts, handOver })}${batch.endedAtMs !== null && anotherForm(context, batch, { site, parts, describedBy: 'code' })}</section>`;
}

function printOf(context: AuthenticatedContext, { id }: Batch, parts: BatchPart[]): PrintWay {
  return printWayOf(context, parts, `/vouchers/print?batch=${id}`);
}

/**
 * The buttons for the next steps. The most likely step is the primary button: create the missing vouchers, print the
 * batch, or show the voucher to the guest.
 */
function actions(
  context: AuthenticatedContext,
  batch: Batch,
  { site, parts, offer, handOver }: Shown & { handOver?: Html },
): Html {
  const { result } = context.messages;
  const { wanted, endedAtMs, problem } = batch;
  const isDone = problem === null;
  const isPrintable = batch.vouchers.some((voucher) => statusOf(voucher, context.nowS) !== 'expired');
  return html`<div class="actions">
${endedAtMs !== null && !isDone && retryButtons(context, batch, { site, isPrimary: !offer })}
${handOver ?? (isPrintable && printOf(context, batch, parts).button(isDone && wanted > 1))}
${endedAtMs === null && html`<a class="button" href="/batches/${batch.id}">${result.reload}</a>`}
${endedAtMs !== null && isDone && wanted > 1 && html`<a class="button" href="/?site=${site.id}">${icon('plus')}${result.another(wanted)}</a>`}</div>`;
}

/** A button that orders the missing vouchers again, and a link to the form that is filled in with the same values. */
function retryButtons(
  context: AuthenticatedContext,
  batch: Batch,
  { site, isPrimary }: { site: Site; isPrimary: boolean },
): Html {
  const { messages, query } = context;
  const { failures, result } = messages;
  const { id, order, vouchers, wanted, replacementId, isUncertain } = batch;
  const missing = missingFrom(batch, context.nowMs);
  const label = vouchers.length === 0 ? failures.retry : result.rest(wanted - vouchers.length);
  // What the batch should have replaced counts as lost again, so another batch replaces it.
  if (replacementId) return html`<a class="button primary" href="/sites/${order.siteId}/lost">${label}</a>`;
  const look = isPrimary && ' primary';
  if (isUncertain) return html`<a class="button${look}" href="/batches/${id}">${result.reload}</a>`;
  if (missing === 0) return html``;
  const action = `/batches/${id}/retry${query.has('print') ? '?print' : ''}`;
  return html`<form method="post" action="${action}" data-working="${messages.form.working}">${formToken(context)}<button class="button${look}" type="submit">${label}</button></form>
<a class="button" href="/?${restOf(context, batch, site)}">${failures.changeInputs}</a>`;
}

function titleOf(
  { messages: { result } }: AuthenticatedContext,
  { vouchers, wanted, endedAtMs, problem }: Batch,
): string {
  if (endedAtMs === null) return result.running(vouchers.length, wanted);
  if (problem === null) return wanted === 1 ? result.one : result.many(wanted);
  return vouchers.length === 0 ? result.none : result.partly(vouchers.length, wanted);
}

/** Explains why fewer vouchers than requested were created, or why a batch waits. */
function shortfall(context: AuthenticatedContext, batch: Batch): Html | false {
  const { messages, language, timeZone } = context;
  const { result, failures } = messages;
  const { vouchers, endedAtMs, problem, goesOnUntilMs } = batch;
  // If there was no problem, all vouchers were created. Vouchers that are missing now were deleted later.
  if (problem === null) return false;
  if (endedAtMs === null)
    return goesOnUntilMs === null
      ? false
      : message(
          'info',
          html`<p>${reasonOf(context, batch, problem)}</p><p>${result.goesOn(sayTime(goesOnUntilMs, { language, timeZone }))}</p>`,
        );
  return message(
    'error',
    html`<p>${result.because} ${reasonOf(context, batch, problem)}</p>
<p>${failures.lastAttempt(sayTime(endedAtMs, { language, timeZone }))}</p>
<p>${vouchers.length > 0 && `${result.kept(vouchers.length)} `}${whatNow(context, batch)}</p>`,
  );
}

/** Says what can be done about the missing vouchers of a batch that has ended. */
function whatNow({ messages: { failures }, nowMs }: AuthenticatedContext, batch: Batch): Piece {
  if (batch.isUncertain) return failures.uncertain;
  if (batch.replacedBy) return html`<a href="/batches/${batch.replacedBy}">${failures.orderedInstead}</a>`;
  if (missingFrom(batch, nowMs) > 0 || batch.replacementId) return failures.inputsKept;
  return batch.wanted > batch.vouchers.length && failures.tooOld;
}

/** The query string that fills in the voucher form, so that it creates the vouchers that are missing in the batch. */
function restOf(context: AuthenticatedContext, batch: Batch, site: Site): string {
  const { id, order, vouchers, wanted } = batch;
  const kept = voucherSlots(context).map(({ keptInQuery }) => keptInQuery?.(context, order));
  const fields: Record<string, string> = {
    ...orderFieldsOf(context, batch, site),
    name: order.name,
    count: String(wanted - vouchers.length),
    instead: id,
  };
  return String(new URLSearchParams(Object.assign(fields, ...kept)));
}

function reasonOf(context: AuthenticatedContext, { order, cause }: Batch, problem: string): Piece {
  const problems: Record<string, string> = context.messages.result.problems;
  // Without a cause, `problem` is a key of `problems` or else a technical text.
  const known = cause === null ? problems[problem] : undefined;
  return known ?? failureText(context, { siteId: order.siteId, cause, text: problem });
}
