// The page that a guest opens with a link, on the guest's own device and without a login: the code, the Wi-Fi and what
// to do. It never reloads itself: a device that is just joining the Wi-Fi would lose the page.

import { guestLanguagesOf } from '../../../kernel/guest-language.ts';
import type { PageContext } from '../../../kernel/pages/context.ts';
import { PAGE_HEADERS, renderPage } from '../../../kernel/pages/layout.ts';
import { makeSiteHead } from '../../../kernel/slips/site-head.ts';
import { zoneOf } from '../../../kernel/vouchers/nights.ts';
import { findSiteHead, showSiteHead } from '../../../kernel/vouchers/pages/site-head.ts';
import type { FoundVoucher } from '../../../kernel/vouchers/voucher-search.ts';
import { guestStylesheet, voucherStylesheet } from '../../../platform/pages/assets.ts';
import { html } from '../../../platform/pages/ui/html.ts';
import { DatabaseUnavailable } from '../../../platform/values/database-unavailable.ts';
import { GUEST_PATH } from '../guest-link.ts';
import { GUEST_PAGE_TEXTS } from '../guest-page-texts.ts';
import { GUEST_PAGES } from '../open-guest-page.ts';
import { guestProblem } from './guest-problem.ts';
import { band, inGuestLanguage, languageLinks, voucherCards } from './voucher-cards.ts';

/** The path of a logo follows the path of the page, so that whoever may see the page may see the logo. */
const LOGO = 'logo';

export async function serveGuestPage(context: PageContext): Promise<Response> {
  const { app, request } = context;
  const spoken = inGuestLanguage(context, context.language);
  if (request.method !== 'GET' && request.method !== 'HEAD') return guestProblem(spoken, 'method');
  const [token = '', below, ...rest] = context.path.slice(GUEST_PATH.length + 1).split('/');
  const isKnown = rest.length === 0 && (below === undefined || below === LOGO);
  try {
    const opened = await app.openGuestPage(isKnown ? token : '', request.clientIp());
    if (below === undefined || opened.result !== 'opened') app.count(GUEST_PAGES, { result: opened.result });
    if (opened.result !== 'opened') return guestProblem(spoken, opened.result);
    if (below === LOGO) return await giveLogo(spoken, opened.voucher);
    if (request.method === 'GET') await noteOpened(context, opened.voucher);
    return await show(context, opened.voucher);
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error;
    app.log.error({ requestId: request.id, err: error }, 'page failed');
    return guestProblem(spoken, 'away');
  }
}

/** If the time cannot be stored, the guest sees the page nevertheless. */
async function noteOpened({ app, nowMs, request }: PageContext, { id }: FoundVoucher): Promise<void> {
  await app.guestLinks
    .noteOpened(id, nowMs)
    .catch((error) => app.log.warn({ requestId: request.id, err: error }, 'the opening was not recorded'));
}

async function giveLogo(context: PageContext, voucher: FoundVoucher): Promise<Response> {
  const { logo } = await findSiteHead(context, voucher);
  if (!logo) return guestProblem(context, 'wrong');
  return context.hono.body(new Uint8Array(logo.image.bytes), 200, {
    ...PAGE_HEADERS,
    'content-type': logo.image.type,
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  });
}

async function show(asked: PageContext, voucher: FoundVoucher): Promise<Response> {
  const slip = await asked.app.slips.find(voucher.siteId);
  const timeZone = zoneOf(voucher.siteTimeZone, asked.timeZone);
  const context = inGuestLanguage(
    { ...asked, timeZone },
    guestLanguagesOf(slip.languages, asked.settings.language)[0],
  );
  return renderPage(context, {
    title: GUEST_PAGE_TEXTS[context.language].title,
    isForGuest: true,
    stylesheets: [voucherStylesheet, guestStylesheet],
    guestHead: showSiteHead(
      await makeSiteHead(context.settings, voucher, asked.app.images.has),
      slip,
      () => `${context.path}/${LOGO}`,
    ),
    message: html``,
    content: html`${band(slip)}${languageLinks(context)}${voucherCards(context, voucher, slip)}`,
  });
}
