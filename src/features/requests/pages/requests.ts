// The page on which the staff decide on guests' requests. A request is decided by a form only, never by opening a link.

import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { userActor } from '../../../kernel/audit/actor.ts';
import { asGuestRequestId } from '../../../kernel/ids.ts';
import type { AuthenticatedContext } from '../../../kernel/pages/context.ts';
import { formToken, PAGE_HEADERS, redirect, renderPage } from '../../../kernel/pages/layout.ts';
import { message } from '../../../kernel/pages/message.ts';
import { notFoundPage } from '../../../kernel/pages/problem-page.ts';
import type { Route } from '../../../kernel/pages/route.ts';
import { type CreationProblem, causeOf } from '../../../kernel/problem.ts';
import { failureText } from '../../../kernel/sites/pages/controller-errors.ts';
import { sayAllowance } from '../../../kernel/vouchers/texts/allowance.ts';
import { findNameProblem, trimName } from '../../../kernel/vouchers/voucher-name.ts';
import { MAX_INTEGER } from '../../../kernel/vouchers/voucher-order.ts';
import { requestsStylesheet } from '../../../platform/pages/assets.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import type { ApprovalProblem, DecidedBy } from '../decide-request.ts';
import { type GuestRequest, MAX_REASON_LENGTH } from '../guest-request.ts';
import { REQUEST_TEXTS } from '../request-texts.ts';
import { requestList, STANDARD } from './request-list.ts';

const REFRESHED_EVERY_S = 5;
const path = '/requests';

export const requestRoutes: Route[] = [
  { method: 'GET', path, permission: 'operator', run: (context) => show(context) },
  { method: 'GET', path: `${path}/count`, permission: 'operator', run: giveCount },
  {
    method: 'POST',
    path: `${path}/:request/approve`,
    formAt: path,
    permission: 'operator',
    run: withRequest(approve),
  },
  {
    method: 'POST',
    path: `${path}/:request/decline`,
    formAt: path,
    permission: 'operator',
    run: withRequest(decline),
  },
];

interface Shown {
  message?: Html;
  status?: ContentfulStatusCode;
  /** The request whose form was sent. */
  request?: GuestRequest;
}

async function show(context: AuthenticatedContext, { message: said, status, request }: Shown = {}) {
  const { app, language, user } = context;
  const text = REQUEST_TEXTS[language];
  const sites = await app.sitesFor(user);
  const listed = {
    requests: await app.guestRequests.list(sites.map(({ id }) => id)),
    profiles: await app.profiles.list(),
    hasSeveralSites: sites.length > 1,
    kept: request?.id,
  };
  const requestBadge = await app.guestRequests.readBadge(user);
  return renderPage(
    { ...context, requestBadge: { ...requestBadge, isOffered: true } },
    {
      title: text.title,
      under: path,
      message: said,
      ...(status && { status }),
      sendsRequests: true,
      stylesheets: [requestsStylesheet],
      content: html`<h1 data-refresh="${REFRESHED_EVERY_S}" data-source="${path}">${text.title}</h1><p>${text.intro}</p>${requestList(context, listed)}<noscript><meta http-equiv="refresh" content="30;url=${path}"></noscript>`,
    },
  );
}

/** The number of requests that wait, for the menu. */
async function giveCount({ app, user, hono }: AuthenticatedContext): Promise<Response> {
  const { waiting } = await app.guestRequests.readBadge(user);
  return hono.body(String(waiting), 200, { ...PAGE_HEADERS, 'content-type': 'text/plain; charset=utf-8' });
}

type RequestPage = (context: AuthenticatedContext, request: GuestRequest) => Promise<Response>;

/** Responds with 404 if there is no such request at an active site of the user. */
function withRequest(run: RequestPage): (context: AuthenticatedContext) => Promise<Response> {
  return async (context) => {
    const { app, user, parameters } = context;
    const text = parameters.request ?? '';
    const id = /^\d{1,10}$/.test(text) && Number(text) <= MAX_INTEGER ? Number(text) : 0;
    const request = await app.guestRequests.find(asGuestRequestId(id));
    const sites = request ? await app.sitesFor(user) : [];
    const isOwn = sites.some((site) => site.id === request?.siteId);
    return request && isOwn ? run(context, request) : notFoundPage(context);
  };
}

function byOf({ user, nowMs, request }: AuthenticatedContext): DecidedBy {
  return {
    actor: userActor(user),
    atMs: nowMs,
    ip: request.clientIp(),
    userId: user.id,
    requestId: request.id,
  };
}

async function approve(context: AuthenticatedContext, request: GuestRequest): Promise<Response> {
  const { app, form } = context;
  if (form.get('from') === 'reserve') return approveFromReserve(context, request);
  const chosen = form.get('profile') ?? STANDARD;
  const profile = (await app.profiles.list()).find(({ id }) => String(id) === chosen);
  if (chosen !== STANDARD && !profile) return refuse(context, request, { kind: 'profile-not-found' });
  const approved = await app.approveRequest(request, profile?.id ?? null, byOf(context));
  // The form may have been sent twice.
  const isApproved =
    approved.ok ||
    (approved.problem.kind === 'request-decided' && wasApprovedBy(context, approved.problem.request));
  return isApproved ? redirect(context, path, 'requestApproved') : refuse(context, request, approved.problem);
}

async function approveFromReserve(context: AuthenticatedContext, request: GuestRequest): Promise<Response> {
  const { app, language } = context;
  const approved = await app.approveFromReserve(request, byOf(context));
  if (approved.ok) return redirect(context, path, 'requestApproved');
  if (approved.problem.kind === 'no-reserve')
    return show(context, {
      message: message('error', REQUEST_TEXTS[language].noReserve),
      status: 503,
      request,
    });
  return wasApprovedBy(context, approved.problem.request)
    ? redirect(context, path, 'requestApproved')
    : refuse(context, request, approved.problem);
}

async function decline(context: AuthenticatedContext, request: GuestRequest): Promise<Response> {
  const { app, form, language } = context;
  const reason = trimName(form.get('reason') ?? '');
  if (reason !== '' && (findNameProblem(reason) || [...reason].length > MAX_REASON_LENGTH)) {
    const said = message('error', REQUEST_TEXTS[language].reasonTooLong(MAX_REASON_LENGTH));
    return show(context, { message: said, status: 422, request });
  }
  const decision = { reason: reason || null, isForNetwork: form.has('network') };
  const declined = await app.declineRequest(request.id, decision, byOf(context));
  if (!declined.ok) return refuse(context, request, declined.problem);
  return redirect(context, path, declined.value === 1 ? 'requestDeclined' : 'requestsDeclined');
}

async function refuse(context: AuthenticatedContext, asked: GuestRequest, problem: ApprovalProblem) {
  switch (problem.kind) {
    case 'profile-not-found':
      return show(context, {
        message: message('error', REQUEST_TEXTS[context.language].profileGone),
        status: 422,
        request: asked,
      });
    case 'request-decided':
      return show(context, { message: message('info', sayDecided(context, problem.request)), status: 409 });
    case 'not-created':
      return show(context, {
        message: message(
          'error',
          html`${sayNotCreated(context, asked, problem)}${await reserveForm(context, asked, problem)}`,
        ),
        status: 503,
        request: asked,
      });
  }
}

/** While the outcome is open, the request is not waiting, so it cannot be approved in another way. */
async function reserveForm(
  context: AuthenticatedContext,
  { id, siteId }: GuestRequest,
  { isOpen }: { isOpen: boolean },
): Promise<Html | false> {
  const { app, language } = context;
  const { ready, next } = await app.reserves.find(siteId);
  if (isOpen || next === null) return false;
  return html`<form method="post" action="${path}/${id}/approve">${formToken(context)}<input type="hidden" name="from" value="reserve"><button class="button" type="submit">${REQUEST_TEXTS[language].approveFromReserve(ready, sayAllowance(next, context))}</button></form>`;
}

function wasApprovedBy({ user }: AuthenticatedContext, request: GuestRequest | undefined): boolean {
  const by = request?.decidedBy;
  return request?.state === 'approved' && by?.kind === 'user' && by.name === user.name;
}

function sayDecided({ language }: AuthenticatedContext, request: GuestRequest | undefined): string {
  const text = REQUEST_TEXTS[language];
  const name = request?.decidedBy?.name;
  if (name === undefined) return text.gone;
  if (request?.state === 'approved') return text.approvedBy(name);
  if (request?.state === 'declined') return text.declinedBy(name);
  return request?.state === 'approving' ? text.approvingBy(name) : text.gone;
}

function sayNotCreated(
  context: AuthenticatedContext,
  { siteId, name }: GuestRequest,
  { problem, isOpen }: { problem: CreationProblem; isOpen: boolean },
): Html {
  const text = REQUEST_TEXTS[context.language];
  const heading = html`<strong>${name}: ${isOpen ? text.notApprovedOpen : text.notApproved}</strong><br>`;
  if (problem.kind === 'out-of-bounds' || problem.kind === 'end-passed')
    return html`${heading}${text.notPossible}`;
  const failed = {
    siteId,
    cause: causeOf(problem),
    text: problem.kind === 'creation-failed' ? problem.text : null,
  };
  return html`${heading}${failureText(context, failed)}`;
}
