// The start page of a kiosk, on which guests take a voucher themselves, and its pictures.

import { redirect } from '../../../kernel/pages/layout.ts';
import { isFor } from '../../../kernel/profiles/profile.ts';
import { type Image, versionOf } from '../../../kernel/settings/settings.ts';
import { findLogo } from '../../../kernel/slips/site-head.ts';
import { namesTag } from '../../../platform/http/if-none-match.ts';
import { html } from '../../../platform/pages/ui/html.ts';
import { hashToken } from '../../../platform/secrets/token.ts';
import type { ScreenOutcome } from '../order-at-screen.ts';
import { type AskedField, SCREEN_PATH } from '../screen.ts';
import { SCREEN_ORDERS } from '../screen-metrics.ts';
import { KIOSK_TEXTS } from '../screen-texts.ts';
import {
  type KioskIssues,
  type KioskOffer,
  type KioskOrder,
  kioskForm,
  readKioskForm,
} from './kiosk-form.ts';
import { dress, type KioskLook, LOGO_PATH, PICTURE_PATH, renderKiosk, renewal } from './kiosk-page.ts';
import { kioskProblem } from './kiosk-problem.ts';
import { ASK_PATH, showAskForm } from './kiosk-request.ts';
import { awaitedPath, leadToResult } from './kiosk-result.ts';
import type { ScreenContext, ScreenRoute } from './screen-context.ts';
import { showClosed } from './screen-problem.ts';

export const kioskRoutes: ScreenRoute[] = [
  { method: 'GET', path: LOGO_PATH, run: giveLogo },
  { method: 'GET', path: PICTURE_PATH, run: givePicture },
];

export async function showKiosk(asked: ScreenContext): Promise<Response> {
  if (asked.screen.offers === 'requests') return showAskForm(asked);
  const { context, look } = await dress(asked);
  return showStart(context, look, { offer: await findOffer(context), issues: {} });
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
  const text = KIOSK_TEXTS[context.language];
  const hasFields = offer.asks.length > 0 || offer.terms !== undefined;
  const canAsk = context.screen.offers === 'both';
  return renderKiosk(context, look, {
    title: text.title,
    kind: 'start',
    languagesAt: SCREEN_PATH,
    issues,
    content: html`<h1>${offer.profiles.length > 1 ? text.several : text.one}</h1><p class="lead">${hasFields ? text.leadFields : text.lead}</p>
${kioskForm(context, offer, issues)}${canAsk && html`<p class="actions other"><a class="button" href="${ASK_PATH}?lang=${context.language}">${text.ask}</a></p>`}${renewal}`,
  });
}

export async function orderAtKiosk(asked: ScreenContext): Promise<Response> {
  const { app } = asked;
  try {
    return await order(asked);
  } catch (error) {
    app.count(SCREEN_ORDERS, { result: 'error' });
    throw error;
  }
}

async function order(asked: ScreenContext): Promise<Response> {
  const { context, look } = await dress(asked);
  const { app, screen, request, form } = context;
  const offer = await findOffer(context);
  const ordered = readKioskForm(context, offer);
  if (Object.keys(ordered.issues).length > 0) {
    app.count(SCREEN_ORDERS, { result: 'invalid' });
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
  app.count(SCREEN_ORDERS, { result: outcome.result });
  return respond(context, look, outcome);
}

function toScreenOrder(context: ScreenContext, offer: KioskOffer, { profile, fields }: KioskOrder) {
  const { screen, settings, language, nowS } = context;
  const { name, email, room } = fields;
  // The note is for the staff, so it is in their language.
  const { room: roomLabel } = KIOSK_TEXTS[settings.language ?? language];
  return {
    profile,
    name: name || screen.name,
    ...(room !== '' && { note: `${roomLabel}: ${room}` }),
    ...(email !== '' && { mail: { address: email, language } }),
    ...(offer.terms && { terms: { termsId: offer.terms.id, acceptedAtS: nowS } }),
  };
}

async function respond(context: ScreenContext, look: KioskLook, outcome: ScreenOutcome): Promise<Response> {
  const { form } = context;
  if (outcome.result === 'closed') return showClosed(context);
  if (outcome.result === 'limit')
    return kioskProblem(context, look, { kind: 'limit', retryAfterS: outcome.retryAfterS });
  if (outcome.result === 'away') return kioskProblem(context, look, { kind: 'away' });
  const once = form.get('once') ?? undefined;
  // A guest who has tapped twice has not seen the result of the first tap.
  if (outcome.result === 'replayed') return redirect(context, awaitedPath(context, once));
  return leadToResult(context, once, outcome);
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
