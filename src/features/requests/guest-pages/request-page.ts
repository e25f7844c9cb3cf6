// The public page of a site on which guests ask the staff for a voucher, and the page on which a guest follows that
// request. Both need no login and set no cookie. Whoever has the address of a request sees its voucher.

import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { guestLanguagesOf } from '../../../kernel/guest-language.ts';
import type { PageContext } from '../../../kernel/pages/context.ts';
import { isFromOurPages } from '../../../kernel/pages/csrf.ts';
import { readGuestForm } from '../../../kernel/pages/form-checks.ts';
import { PAGE_HEADERS, redirect, renderPage } from '../../../kernel/pages/layout.ts';
import { type FieldIssues, message } from '../../../kernel/pages/message.ts';
import { isDemo, type Site } from '../../../kernel/sites/site.ts';
import { findLogo, makeSiteHead } from '../../../kernel/slips/site-head.ts';
import type { SiteSlip } from '../../../kernel/slips/slip.ts';
import { MESSAGES } from '../../../kernel/texts/messages.ts';
import { zoneOf } from '../../../kernel/vouchers/nights.ts';
import { showSiteHead } from '../../../kernel/vouchers/pages/site-head.ts';
import { demoPill } from '../../../kernel/vouchers/pages/voucher-details.ts';
import { guestStylesheet, voucherStylesheet } from '../../../platform/pages/assets.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { isLanguage } from '../../../platform/text/language.ts';
import { UnstorableText } from '../../../platform/text/storable-text.ts';
import { DatabaseUnavailable } from '../../../platform/values/database-unavailable.ts';
import { band, inGuestLanguage, languageLinks, voucherCards } from '../../guest-pages/pages/voucher-cards.ts';
import { type GuestRequest, REQUEST_PATH } from '../guest-request.ts';
import { GUEST_REQUEST_TEXTS } from '../request-texts.ts';
import { readRequestToken, readTyped, requestForm, sayIssues } from './request-form.ts';
import { requestProblem } from './request-problem.ts';
import { followRequest, stateCard } from './request-state.ts';

const LOGO = 'logo';

export async function serveRequestPage(asked: PageContext): Promise<Response> {
  const { app, request, path } = asked;
  const context = inGuestLanguage(asked, asked.language);
  const [pageToken = '', below, ...rest] = path.slice(REQUEST_PATH.length + 1).split('/');
  const isForm = below === undefined || below === '';
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead && !(isForm && request.method === 'POST')) return requestProblem(context, 'method');
  try {
    const requestToken = isForm || below === LOGO ? {} : { requestToken: below };
    const isKnown = rest.length === 0 && below !== '';
    const opened = await app.openRequestPage(
      { pageToken: isKnown ? pageToken : '', ...requestToken },
      request.clientIp(),
    );
    if (opened.result !== 'opened') return requestProblem(context, opened.result);
    const place = { site: opened.site, base: `${REQUEST_PATH}/${pageToken}` };
    if (below === LOGO) return await giveLogo(context, opened.site);
    if (opened.request) return await showFollowed(context, place, opened.request);
    return isRead ? await showForm(asked, place, {}) : await receive(asked, place);
  } catch (error) {
    if (error instanceof UnstorableText) return requestProblem(context, 'unreadable');
    if (!(error instanceof DatabaseUnavailable)) throw error;
    app.log.error({ requestId: request.id, err: error }, 'page failed');
    return requestProblem(context, 'away');
  }
}

interface Place {
  site: Site;
  /** The path of the page with the form. */
  base: string;
}

async function giveLogo(context: PageContext, { id }: Site): Promise<Response> {
  const logo = await findLogo(id, context.app.images.find);
  if (!logo) return requestProblem(context, 'wrong');
  return context.hono.body(new Uint8Array(logo.image.bytes), 200, {
    ...PAGE_HEADERS,
    'content-type': logo.image.type,
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  });
}

interface Problem {
  issues?: FieldIssues;
  said?: Html;
  status?: ContentfulStatusCode;
}

async function showForm(asked: PageContext, place: Place, { issues = {}, said, status }: Problem) {
  const { context, slip } = await dress(asked, place);
  const text = GUEST_REQUEST_TEXTS[context.language];
  return render(context, place, {
    slip,
    title: text.title,
    issues,
    status,
    headers: status === 429 ? { 'retry-after': '60' } : {},
    content: html`${demoLine(context, place)}<section class="card"><h1>${text.title}</h1>${said}<p>${text.intro}</p>
${requestForm(context, { action: place.base, issues })}<p class="sub">${text.privacy}</p></section>`,
  });
}

/** Everything that the page shows of the site, in the language of the guest. */
async function dress(asked: PageContext, { site }: Place): Promise<{ context: PageContext; slip: SiteSlip }> {
  const slip = await asked.app.slips.find(site.id);
  const timeZone = zoneOf(site.timeZone, asked.timeZone);
  const [first] = guestLanguagesOf(slip.languages, asked.settings.language);
  const context = inGuestLanguage({ ...asked, timeZone }, first);
  const chosen = asked.form.get('lang');
  return { context: isLanguage(chosen) ? spoken(context, chosen) : context, slip };
}

function spoken(context: PageContext, language: PageContext['language']): PageContext {
  return { ...context, language, messages: MESSAGES[language] };
}

async function receive(asked: PageContext, place: Place): Promise<Response> {
  const { app, request } = asked;
  if (!isFromOurPages(request.headers)) return requestProblem(asked, 'foreign');
  const body = await readGuestForm(asked);
  if (body !== 'read') return requestProblem(asked, body);
  const { context } = await dress(asked, place);
  const text = GUEST_REQUEST_TEXTS[context.language];
  const token = await app.askForVoucher(readTyped(context), {
    site: place.site,
    language: context.language,
    ip: request.clientIp(),
    requestId: request.id,
    formToken: readRequestToken(context),
  });
  if (token.ok) return redirect(context, `${place.base}/${token.value}`);
  const { problem } = token;
  if (problem.kind === 'wrong-fields')
    return showForm(asked, place, { issues: sayIssues(context, problem.issues) });
  return showForm(asked, place, { said: message('warning', text[problem.kind]), status: 429 });
}

async function showFollowed(asked: PageContext, place: Place, request: GuestRequest): Promise<Response> {
  const { context: dressed, slip } = await dress(asked, place);
  const context = asked.query.has('lang') ? dressed : spoken(dressed, request.language);
  const { base } = place;
  const followed = await followRequest(context, request);
  const content =
    followed.kind === 'approved'
      ? voucherCards(context, followed.voucher, slip)
      : html`${demoLine(context, place)}${stateCard(context, request, { kind: followed.kind, again: base })}`;
  return render(context, place, {
    slip,
    title: GUEST_REQUEST_TEXTS[context.language].yours,
    content: html`<div id="followed" data-part aria-live="polite">${content}</div>`,
  });
}

/** The cards of a voucher say it themselves. */
function demoLine(context: PageContext, { site }: Place): Html | false {
  return isDemo(site) && html`<p class="demo-line">${demoPill(context)}</p>`;
}

interface Shown {
  slip: SiteSlip;
  title: string;
  content: Html;
  issues?: FieldIssues;
  status?: ContentfulStatusCode | undefined;
  headers?: Record<string, string>;
}

async function render(
  context: PageContext,
  { site, base }: Place,
  { slip, content, status, ...page }: Shown,
): Promise<Response> {
  const { app, settings } = context;
  const head = await makeSiteHead(settings, { siteId: site.id, siteName: site.name }, app.images.has);
  return renderPage(context, {
    ...page,
    ...(status && { status }),
    isForGuest: true,
    sendsRequests: true,
    stylesheets: [voucherStylesheet, guestStylesheet],
    guestHead: showSiteHead(head, slip, () => `${base}/${LOGO}`),
    message: html``,
    content: html`${band(slip)}${languageLinks(context)}${content}`,
  });
}
