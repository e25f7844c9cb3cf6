// Guests ask the staff for a voucher at a kiosk. While a request waits, its page stays open for some minutes. Once it
// is approved, the page leads to the code, once.

import { formToken, redirect } from '../../../kernel/pages/layout.ts';
import { isOnlyHere, linkTo } from '../../../kernel/pages/link-to.ts';
import { type FieldIssues, message } from '../../../kernel/pages/message.ts';
import { MESSAGES } from '../../../kernel/texts/messages.ts';
import { qrFigure } from '../../../kernel/vouchers/pages/voucher-details.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { hashToken, isPathToken } from '../../../platform/secrets/token.ts';
import {
  readRequestToken,
  readTyped,
  requestForm,
  sayIssues,
} from '../../requests/guest-pages/request-form.ts';
import { FOLLOWED_EVERY_S, followRequest } from '../../requests/guest-pages/request-state.ts';
import { REQUEST_PATH } from '../../requests/guest-request.ts';
import { GUEST_REQUEST_TEXTS } from '../../requests/request-texts.ts';
import { RESULT_MS, SCREEN_PATH, type Terms } from '../screen.ts';
import { KIOSK_TEXTS } from '../screen-texts.ts';
import { findTermsIssue, termsField } from './kiosk-form.ts';
import { dress, type KioskLook, renderKiosk, renewal } from './kiosk-page.ts';
import { leadToResult, resultPath } from './kiosk-result.ts';
import type { ScreenContext, ScreenRoute } from './screen-context.ts';
import { showClosed } from './screen-problem.ts';

export const ASK_PATH = `${SCREEN_PATH}/request`;
/** How long a guest can wait at the kiosk. The request stays with the staff for longer. */
const WAIT_MS = 3 * 60_000;
const CLOSES_S = RESULT_MS / 1_000;

export const kioskRequestRoutes: ScreenRoute[] = [
  { method: 'GET', path: ASK_PATH, run: showAskForm },
  { method: 'GET', path: `${ASK_PATH}/:token`, run: showWaiting },
  { method: 'GET', path: `${ASK_PATH}/:token/decision`, run: showDecision },
];

/** Whether guests can ask the staff at this screen. */
export function takesRequests({ screen: { kind, offers } }: ScreenContext): boolean {
  return kind === 'kiosk' && (offers === 'requests' || offers === 'both');
}

export async function showAskForm(asked: ScreenContext): Promise<Response> {
  if (!takesRequests(asked)) return redirect(asked, SCREEN_PATH);
  if (!asked.site.active) return showClosed(asked);
  const { context, look } = await dress(asked);
  return showForm(context, look, { terms: await findTerms(context) });
}

async function findTerms({ app, screen }: ScreenContext): Promise<Terms | undefined> {
  return screen.termsId === null ? undefined : app.screens.findTerms(screen.termsId);
}

interface Shown {
  terms: Terms | undefined;
  issues?: FieldIssues;
  /** Why the request was not taken. */
  refused?: 'throttled' | 'full';
}

function showForm(context: ScreenContext, look: KioskLook, { terms, issues = {}, refused }: Shown): Response {
  const { language, screen } = context;
  const text = GUEST_REQUEST_TEXTS[language];
  return renderKiosk(context, look, {
    title: text.title,
    kind: 'start',
    languagesAt: ASK_PATH,
    issues,
    ...(refused && { status: 429, headers: { 'retry-after': '60' } }),
    content: html`<h1>${text.title}</h1>${refused && message('warning', text[refused])}<p class="lead">${text.intro}</p>
<div class="asking">${requestForm(context, {
      action: SCREEN_PATH,
      issues,
      hidden: formToken(context),
      more: html`${terms && termsField(context, terms, issues.terms)}<p class="sub">${text.privacy}</p>`,
    })}</div>${screen.offers === 'both' && html`<p class="actions other"><a class="button" href="${SCREEN_PATH}?lang=${language}">${KIOSK_TEXTS[language].back}</a></p>`}${renewal}`,
  });
}

export async function askAtKiosk(asked: ScreenContext): Promise<Response> {
  if (!takesRequests(asked)) return redirect(asked, SCREEN_PATH);
  const { context, look } = await dress(asked);
  const { app, screen, site, request, language, nowS } = context;
  const terms = await findTerms(context);
  const termsIssue = findTermsIssue(context, terms);
  if (termsIssue) return showForm(context, look, { terms, issues: { terms: termsIssue } });
  const token = await app.askForVoucher(readTyped(context), {
    site,
    screenId: screen.id,
    language,
    ...(terms && { terms: { termsId: terms.id, acceptedAtS: nowS } }),
    ip: request.clientIp(),
    requestId: request.id,
    formToken: readRequestToken(context),
  });
  if (token.ok) return redirect(context, `${ASK_PATH}/${token.value}`);
  const { problem } = token;
  if (problem.kind === 'wrong-fields')
    return showForm(context, look, { terms, issues: sayIssues(context, problem.issues) });
  return showForm(context, look, { terms, refused: problem.kind });
}

/** The request that was sent from this screen and may still be shown here, in the language of its guest. */
async function findFollowed(asked: ScreenContext) {
  const { app, screen, site, parameters, nowMs } = asked;
  const { token = '' } = parameters;
  if (!isPathToken(token) || !site.active) return undefined;
  const request = await app.guestRequests.findByToken(hashToken(token));
  if (request?.screenId !== screen.id || request.siteId !== site.id) return undefined;
  // Otherwise the next guest could go back to the code of the previous guest.
  if (Math.abs(nowMs - request.createdAtMs) >= WAIT_MS) return undefined;
  const { context, look } = await dress(asked);
  const { language } = request;
  const spoken = { ...context, language, messages: MESSAGES[language] };
  return { context: spoken, look, token, request, followed: await followRequest(spoken, request) };
}

/** Redirects as soon as the request is decided: the script of the kiosk waits for that. */
async function showWaiting(asked: ScreenContext): Promise<Response> {
  const found = await findFollowed(asked);
  if (!found) return redirect(asked, SCREEN_PATH);
  const { context, look, token, request, followed } = found;
  if (followed.kind === 'approved') {
    const origin = `request ${token}`;
    const isFirst =
      asked.request.method === 'GET' &&
      (await context.app.oneTimeForms.take(hashToken(origin), context.nowMs));
    return isFirst
      ? leadToResult(context, origin, { voucherId: followed.voucher.id, isMailMissing: false })
      : redirect(context, resultPath(context, origin));
  }
  if (followed.kind !== 'waiting') return redirect(context, `${ASK_PATH}/${token}/decision`);
  const text = GUEST_REQUEST_TEXTS[context.language];
  const kioskText = KIOSK_TEXTS[context.language];
  const leftS = Math.ceil((request.createdAtMs + WAIT_MS - context.nowMs) / 1_000);
  return renderKiosk(context, look, {
    title: text.yours,
    kind: 'problem',
    content: html`<div data-follow="${FOLLOWED_EVERY_S}"><p class="mark">${icon('expired')}</p><h1>${text.waiting}</h1><p class="lead">${kioskText.waitHere}</p></div>
<noscript><meta http-equiv="refresh" content="${FOLLOWED_EVERY_S}"></noscript>${await phoneQr(context, token)}
<p class="countdown" data-seconds="${leftS}" data-left="${kioskText.left}">${kioskText.closesLater}</p>
<p class="actions"><a class="button" href="${SCREEN_PATH}">${kioskText.done}</a></p>`,
  });
}

/** If the site has a public page for requests, the guest can follow the request on a telephone. */
async function phoneQr(context: ScreenContext, token: string): Promise<Html | false> {
  const { app, site, language } = context;
  const page = await app.guestRequests.findPage(site.id);
  if (page?.token === undefined || isOnlyHere(context)) return false;
  const text = KIOSK_TEXTS[language];
  const url = linkTo(context, `${REQUEST_PATH}/${page.token}/${token}`);
  return html`<div class="qr-part">${qrFigure(url, { label: text.follow, hint: text.followHint })}</div>`;
}

async function showDecision(asked: ScreenContext): Promise<Response> {
  const found = await findFollowed(asked);
  if (!found) return redirect(asked, SCREEN_PATH);
  const { context, look, token, request, followed } = found;
  const { kind } = followed;
  if (kind === 'waiting' || kind === 'approved') return redirect(context, `${ASK_PATH}/${token}`);
  const text = GUEST_REQUEST_TEXTS[context.language];
  const { reason } = request;
  const what = { declined: text.declinedWhat, expired: text.expiredWhat, over: text.overWhat };
  return renderKiosk(context, look, {
    title: text.yours,
    kind: 'problem',
    headers: { refresh: `${CLOSES_S};url=${SCREEN_PATH}` },
    content: html`<p class="mark">${icon('info')}</p><h1>${text[kind]}</h1>${kind === 'declined' && reason !== null && html`<p class="own-text">${reason}</p>`}<p class="lead">${what[kind]}</p>
<p class="actions"><a class="button" href="${SCREEN_PATH}">${KIOSK_TEXTS[context.language].done}</a></p>`,
  });
}
