// The page of mails: the list with a filter, a mail with its attempts, and the buttons to send it again or to note its
// failure as read. Users see the mails of their sites, administrators all. Addresses are masked.

import { asMessageId, type MessageId, type SiteId } from '../../../kernel/ids.ts';
import type { AuthenticatedContext } from '../../../kernel/pages/context.ts';
import { redirect, renderPage } from '../../../kernel/pages/layout.ts';
import { notFoundPage, problemPage } from '../../../kernel/pages/problem-page.ts';
import type { Route } from '../../../kernel/pages/route.ts';
import { nextOf } from '../../../kernel/sessions/pages/login-form.ts';
import type { SlipVoucher } from '../../../kernel/slips/slip.ts';
import { shownName } from '../../../kernel/vouchers/pages/voucher-details.ts';
import { formatCode } from '../../../kernel/vouchers/voucher.ts';
import { emptyState } from '../../../platform/pages/ui/empty-state.ts';
import { factList } from '../../../platform/pages/ui/fact-list.ts';
import { type Html, html, type Piece } from '../../../platform/pages/ui/html.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import { isAccountMailKind } from '../account-mail.ts';
import type { LoggedMail, MailSearch } from '../mail.ts';
import { MAIL_TEXTS } from '../mail-texts.ts';
import { mailPill, sayMailNow } from './mail-state.ts';
import { canBeMailed, mailButtons, mailedBy } from './mail-voucher.ts';

const PAGE_SIZE = 50;
const NOTHING = '–';
const FILTERS = ['all', 'unread', 'waiting', 'sent', 'failed', 'cancelled'] as const;
type Filter = (typeof FILTERS)[number];

const path = '/mails/:mail';
const permission = 'operator';

export const mailRoutes: Route[] = [
  { method: 'GET', path: '/mails', permission, run: list },
  { method: 'GET', path, permission, run: withMail(show) },
  { method: 'POST', path: `${path}/resend`, permission, run: withMail(resend) },
  { method: 'POST', path: `${path}/read`, permission, run: withMail(markRead) },
];

type Run = (context: AuthenticatedContext, mail: LoggedMail) => Response | Promise<Response>;

function withMail(run: Run) {
  return async (context: AuthenticatedContext) => {
    const id = readId(context.parameters.mail ?? null);
    if (id === undefined) return notFoundPage(context);
    const [mail] = await context.app.mails.search({ ...(await ownMails(context)), id, limit: 1 });
    return mail ? run(context, mail) : notFoundPage(context);
  };
}

/** Administrators also see mails without a site, and mails of inactive sites. */
async function ownMails({ app, user }: AuthenticatedContext): Promise<{ siteIds?: SiteId[] }> {
  return user.role === 'admin' ? {} : { siteIds: (await app.sitesFor(user)).map(({ id }) => id) };
}

function readId(text: string | null): MessageId | undefined {
  return /^\d{1,15}$/.test(text ?? '') ? asMessageId(Number(text)) : undefined;
}

function toSearch(filter: Filter): Pick<MailSearch, 'states' | 'isUnread'> {
  if (filter === 'all') return {};
  if (filter === 'unread') return { isUnread: true };
  return { states: filter === 'waiting' ? ['held', 'waiting'] : [filter] };
}

async function list(context: AuthenticatedContext): Promise<Response> {
  const { language, query, app } = context;
  const text = MAIL_TEXTS[language];
  const filter = FILTERS.find((one) => one === query.get('state')) ?? 'all';
  const beforeId = readId(query.get('before'));
  const found = await app.mails.search({
    ...(await ownMails(context)),
    ...toSearch(filter),
    ...(beforeId !== undefined && { beforeId }),
    limit: PAGE_SIZE + 1,
  });
  const shown = found.slice(0, PAGE_SIZE);
  const empty = emptyState('mail', filter === 'all' ? text.empty : text.nothing);
  return renderPage(context, {
    title: text.title,
    under: '/vouchers',
    content: html`<h1>${text.title}</h1>${filterChips(context, filter)}
<section class="card">${shown.length === 0 ? empty : await mailTable(context, shown)}</section>${pager(context, filter, found)}`,
  });
}

function filterChips({ language }: AuthenticatedContext, current: Filter): Html {
  const text = MAIL_TEXTS[language];
  return html`<nav class="chips row" aria-label="${text.state}">${FILTERS.map(
    (filter) =>
      html`<a class="chip" href="/mails${filter !== 'all' && `?state=${filter}`}"${filter === current && html` aria-current="true"`}>${text.filters[filter]}</a>`,
  )}</nav>`;
}

async function mailTable(context: AuthenticatedContext, mails: LoggedMail[]): Promise<Html> {
  const text = MAIL_TEXTS[context.language];
  const vouchers = await vouchersOf(context, mails);
  const labels = [text.to, text.voucher, text.site, text.state, text.ordered];
  return html`<table><thead><tr>${labels.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead><tbody>${mails.map(
    (mail) => {
      const voucher = vouchers.get(mail.voucherId);
      const { nextAttemptAtMs: next } = mail;
      return html`<tr><td data-label="${text.to}"><a class="listed clamped" href="/mails/${mail.id}">${mail.maskedAddress}</a></td>
<td data-label="${text.voucher}">${voucher ? voucherLink(voucher) : isAccountMailKind(mail.kind) ? text.kinds[mail.kind] : NOTHING}</td><td data-label="${text.site}">${voucher ? html`<span class="clamped">${voucher.siteName}</span>` : NOTHING}</td>
<td data-label="${text.state}"><span>${mailPill(context, mail)}${next !== null && mail.attempts > 0 && html`<span class="sub">${text.nextAttempt} ${timeOf(context, next)}</span>`}</span></td>
<td data-label="${text.ordered}">${timeOf(context, mail.createdAtMs)}</td></tr>`;
    },
  )}</tbody></table>`;
}

/** By id. The voucher of a site that is not active is missing. */
async function vouchersOf(
  { app, user }: AuthenticatedContext,
  mails: LoggedMail[],
): Promise<Map<LoggedMail['voucherId'], SlipVoucher>> {
  const siteIds = (await app.sitesFor(user)).map(({ id }) => id);
  const ids = [...new Set(mails.flatMap(({ voucherId }) => voucherId ?? []))];
  const vouchers = await app.slips.findVouchers({ ids, siteIds });
  return new Map(vouchers.map((voucher) => [voucher.id, voucher]));
}

function voucherLink(voucher: SlipVoucher): Html {
  return html`<span><a class="code" href="/vouchers/${voucher.id}">${formatCode(voucher.code)}</a><span class="sub clamped">${shownName(voucher)}</span></span>`;
}

async function show(context: AuthenticatedContext, mail: LoggedMail): Promise<Response> {
  const text = MAIL_TEXTS[context.language];
  const { id, messageId, createdAtMs, sentAtMs, nextAttemptAtMs } = mail;
  const voucher = (await vouchersOf(context, [mail])).get(mail.voucherId);
  const attempts = await context.app.mails.listAttempts(id);
  const canBeSent = voucher !== undefined && (await canBeMailed(context, voucher));
  const facts: [string, Piece][] = [
    [text.to, mail.maskedAddress],
    isAccountMailKind(mail.kind)
      ? [text.kind, text.kinds[mail.kind]]
      : [text.voucher, voucher ? voucherLink(voucher) : NOTHING],
    [text.site, voucher?.siteName ?? NOTHING],
    [text.ordered, timeOf(context, createdAtMs)],
  ];
  if (sentAtMs !== null) facts.push([text.sentAt, timeOf(context, sentAtMs)]);
  if (nextAttemptAtMs !== null) facts.push([text.nextAttempt, timeOf(context, nextAttemptAtMs)]);
  facts.push(['Message-ID', html`<code class="said">${messageId}</code>`]);
  return renderPage(context, {
    title: text.number(id),
    under: '/vouchers',
    content: html`<section class="card"><h1>${text.number(id)}</h1><p>${mailPill(context, mail)} ${await sayMailNow(context, mail)}</p>${factList(facts)}
<div class="actions">${mailButtons(context, mail, { canBeSent, next: `/mails/${id}` })}<a class="button" href="/mails">${text.all}</a></div></section>
<section class="card"><h2>${text.attempts}</h2>${attempts.length === 0 ? html`<p class="soft">${text.noAttempts}</p>` : attemptTable(context, attempts)}</section>`,
  });
}

type Attempts = Awaited<ReturnType<AuthenticatedContext['app']['mails']['listAttempts']>>;

function attemptTable(context: AuthenticatedContext, attempts: Attempts): Html {
  const text = MAIL_TEXTS[context.language];
  const labels = [text.at, text.duration, text.answer];
  return html`<table class="tries"><thead><tr>${labels.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead><tbody>${attempts.map(
    ({ atMs, durationMs, error, response }) =>
      html`<tr><td data-label="${text.at}">${timeOf(context, atMs)}</td><td class="short" data-label="${text.duration}">${durationMs} ms</td>
<td data-label="${text.answer}"><bdi lang="en">${error ?? response ?? text.accepted}</bdi></td></tr>`,
  )}</tbody></table>`;
}

async function resend(context: AuthenticatedContext, mail: LoggedMail): Promise<Response> {
  const resent = await context.app.resendMail(mail.id, await mailedBy(context));
  if (!resent.ok) return problemPage(context, 409, MAIL_TEXTS[context.language].refused[resent.problem.kind]);
  return redirect(context, nextOf(context), 'mailOrdered');
}

async function markRead(context: AuthenticatedContext, mail: LoggedMail): Promise<Response> {
  await context.app.mails.markRead([mail.id], context.nowMs);
  return redirect(context, nextOf(context));
}

function pager({ language, query }: AuthenticatedContext, filter: Filter, found: LoggedMail[]): Html | false {
  const text = MAIL_TEXTS[language];
  const last = found.length > PAGE_SIZE ? found[PAGE_SIZE - 1] : undefined;
  if (!last && !query.has('before')) return false;
  const url = (before: Record<string, string>) =>
    `/mails?${new URLSearchParams({ ...(filter !== 'all' && { state: filter }), ...before })}`;
  return html`<nav class="pager" aria-label="${text.title}">${query.has('before') ? html`<a class="button" href="${url({})}">${text.newest}</a>` : html`<span></span>`}
${last && html`<a class="button" href="${url({ before: String(last.id) })}">${text.older}</a>`}</nav>`;
}

function timeOf({ language, timeZone }: AuthenticatedContext, ms: number): Html {
  return html`<time datetime="${new Date(ms).toISOString()}">${sayTime(ms, { language, timeZone })}</time>`;
}
