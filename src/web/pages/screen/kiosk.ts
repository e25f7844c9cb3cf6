// The pages of a kiosk: guests take a voucher themselves. The result is shown once, at an address of its own.

import { createHmac } from 'node:crypto';
import { isFor } from '../../../domain/profiles/profile.ts';
import type { ScreenOutcome } from '../../../domain/screens/order-at-screen.ts';
import { type AskedField, SCREEN_PATH } from '../../../domain/screens/screen.ts';
import { type Image, versionOf } from '../../../domain/settings/settings.ts';
import { isDemo } from '../../../domain/sites/site.ts';
import { hashToken, isPathToken, makePathToken } from '../../../domain/token.ts';
import { namesTag } from '../../../http/if-none-match.ts';
import { MESSAGES } from '../../../i18n/messages.ts';
import { findLogo } from '../../../print/site-head.ts';
import type { ScreenContext } from '../../http/context.ts';
import type { Route } from '../../http/route.ts';
import { html } from '../../ui/html.ts';
import { redirect } from '../../ui/layout.ts';
import {
  type KioskIssues,
  type KioskOffer,
  type KioskOrder,
  kioskForm,
  readKioskForm,
} from './kiosk-form.ts';
import {
  findLook,
  inKioskLanguage,
  type KioskLook,
  LOGO_PATH,
  PICTURE_PATH,
  renderKiosk,
} from './kiosk-page.ts';
import { kioskProblem } from './kiosk-problem.ts';
import { showKioskResult } from './kiosk-result.ts';
import { showClosed } from './screen-problem.ts';

const DONE_PATH = `${SCREEN_PATH}/done`;
/** Without the script of the kiosk, a page that nobody uses is loaded anew after this time. */
const RENEW_S = 300;
/** Added to the address of the result if the mail could not be ordered. */
const NO_MAIL = 'mail=none';

export const kioskRoutes: Route[] = [
  { method: 'GET', path: `${DONE_PATH}/:token`, permission: 'screen', run: showDone },
  { method: 'GET', path: LOGO_PATH, permission: 'screen', run: giveLogo },
  { method: 'GET', path: PICTURE_PATH, permission: 'screen', run: givePicture },
];

export async function showKiosk(asked: ScreenContext): Promise<Response> {
  const { context, look } = await dress(asked);
  return showStart(context, look, { offer: await findOffer(context), issues: {} });
}

async function dress(asked: ScreenContext): Promise<{ context: ScreenContext; look: KioskLook }> {
  const { site } = asked;
  const look = await findLook(asked, { id: site.id, name: site.name, isDemo: isDemo(site) });
  return { context: inKioskLanguage(asked, look), look };
}

/** What the screen offers and asks for, as far as it is possible at the moment. */
async function findOffer({ app, screen, site, settings }: ScreenContext): Promise<KioskOffer> {
  const known = await app.profiles.list();
  const profiles = screen.profileIds
    .map((wanted) => known.find(({ id }) => id === wanted))
    .filter((profile) => profile !== undefined)
    .filter((profile) => isFor(profile, [site.id]));
  const canMail = screen.asks.includes('email') && (await app.mailServer.find()) !== undefined;
  const isAsked: Record<AskedField, boolean> = { name: settings.asksForNames, email: canMail, room: true };
  return {
    profiles,
    asks: screen.asks.filter((field) => isAsked[field]),
    terms: screen.termsId === null ? undefined : await app.screens.findTerms(screen.termsId),
  };
}

function showStart(
  context: ScreenContext,
  look: KioskLook,
  { offer, issues }: { offer: KioskOffer; issues: KioskIssues },
): Response {
  const { screen: text } = context.messages;
  const hasFields = offer.asks.length > 0 || offer.terms !== undefined;
  return renderKiosk(context, look, {
    title: text.title,
    kind: 'start',
    hasLanguages: true,
    issues,
    content: html`<h1>${offer.profiles.length > 1 ? text.several : text.one}</h1><p class="lead">${hasFields ? text.leadFields : text.lead}</p>
${kioskForm(context, offer, issues)}<noscript><meta http-equiv="refresh" content="${RENEW_S};url=${SCREEN_PATH}"></noscript>`,
  });
}

export async function orderAtKiosk(asked: ScreenContext): Promise<Response> {
  const { app } = asked;
  try {
    return await order(asked);
  } catch (error) {
    app.observeScreenOrder('error');
    throw error;
  }
}

async function order(asked: ScreenContext): Promise<Response> {
  const { context, look } = await dress(asked);
  const { app, screen, request, form } = context;
  const offer = await findOffer(context);
  const ordered = readKioskForm(context, offer);
  if (Object.keys(ordered.issues).length > 0) {
    app.observeScreenOrder('invalid');
    return showStart(context, look, { offer, issues: ordered.issues });
  }
  const once = form.get('once');
  const outcome = await app.orderAtScreen(
    screen,
    {
      ...toScreenOrder(context, offer, ordered),
      ...(once && { formId: hashToken(`screen ${screen.id} ${once}`) }),
    },
    { ip: request.clientIp(), requestId: request.id },
  );
  app.observeScreenOrder(outcome.result);
  return respond(context, look, outcome);
}

function toScreenOrder(context: ScreenContext, offer: KioskOffer, { profile, fields }: KioskOrder) {
  const { screen, settings, language, nowS } = context;
  const { name, email, room } = fields;
  // The note is for the staff, so it is in their language.
  const { room: roomLabel } = MESSAGES[settings.language ?? language].screen;
  return {
    profile,
    name: name || screen.name,
    ...(room !== '' && { note: `${roomLabel}: ${room}` }),
    ...(email !== '' && { mail: { address: email, language } }),
    ...(offer.terms && { terms: { termsId: offer.terms.id, acceptedAtS: nowS } }),
  };
}

async function respond(context: ScreenContext, look: KioskLook, outcome: ScreenOutcome): Promise<Response> {
  const { app, screen, language, form } = context;
  if (outcome.result === 'closed') return showClosed(context);
  if (outcome.result === 'limit')
    return kioskProblem(context, look, { kind: 'limit', retryAfterS: outcome.retryAfterS });
  if (outcome.result === 'away') return kioskProblem(context, look, { kind: 'away' });
  const token = resultToken(context, form.get('once'));
  // A guest who has tapped twice has not seen the result of the first tap. If it was seen, its address leads to the start.
  if (outcome.result === 'replayed') return redirect(context, `${DONE_PATH}/${token}`);
  const { voucherId, isMailMissing } = outcome;
  await app.screens.addResult({ screenId: screen.id, tokenHash: hashToken(token), voucherId, language });
  return redirect(context, `${DONE_PATH}/${token}${isMailMissing ? `?${NO_MAIL}` : ''}`);
}

/** The same form leads to the same result. Only the device can compute the token: the key is derived from its cookie. */
function resultToken({ formToken }: ScreenContext, once: string | null): string {
  if (!once) return makePathToken().token;
  return createHmac('sha256', formToken).update(`result ${once}`).digest('hex').slice(0, 32);
}

async function showDone(asked: ScreenContext): Promise<Response> {
  const { app, screen, site, parameters, request, nowS } = asked;
  const { token = '' } = parameters;
  // A HEAD request shows nothing, so it must not use up the result.
  if (!isPathToken(token) || request.method !== 'GET') return redirect(asked, SCREEN_PATH);
  const result = await app.screens.takeResult(screen.id, hashToken(token));
  const found = result && { siteIds: [site.id], id: result.voucherId, limit: 1, nowS };
  const [voucher] = found ? (await app.finder.search(found)).vouchers : [];
  if (!result || !voucher) return redirect(asked, SCREEN_PATH);
  const { language } = result;
  const { context, look } = await dress(asked);
  const spoken = { ...context, language, messages: MESSAGES[language] };
  const isMailed = (await app.mails.newestOf([voucher.id])).size > 0;
  const isMissing = context.request.query === NO_MAIL;
  return showKioskResult(spoken, look, {
    voucher,
    notes: {
      mail: isMailed ? 'sent' : isMissing ? 'not-sent' : undefined,
      isPrinted: (await app.printJobs.newestOf([voucher.id])).size > 0,
    },
  });
}

async function giveLogo(context: ScreenContext): Promise<Response> {
  const logo = await findLogo(context.site.id, context.app.images.find);
  return giveImage(context, logo?.image);
}

async function givePicture(context: ScreenContext): Promise<Response> {
  return giveImage(context, await context.app.images.find(`screen-${context.site.id}`));
}

/** The sandbox policy disables all active content if the image is opened directly. */
function giveImage(context: ScreenContext, image: Image | undefined): Response {
  if (!image) return redirect(context, SCREEN_PATH);
  const etag = `"${versionOf(image)}"`;
  const headers = {
    'content-type': image.type,
    'cache-control': 'private, no-cache',
    etag,
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  };
  if (namesTag(context.request.headers['if-none-match'] ?? '', etag))
    return context.hono.body(null, 304, headers);
  return context.hono.body(new Uint8Array(image.bytes), 200, headers);
}
