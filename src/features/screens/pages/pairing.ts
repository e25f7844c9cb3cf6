// The page that pairs a device with a screen: the code, its QR code, and what to do. The code is shown once. The state
// below the code updates by itself. `GET` shows the same page without the code.

import { type AuthenticatedContext, auditContextOf } from '../../../kernel/pages/context.ts';
import { formToken, oneTimeToken, renderPage } from '../../../kernel/pages/layout.ts';
import { isOnlyHere, linkTo } from '../../../kernel/pages/link-to.ts';
import { note } from '../../../kernel/pages/message.ts';
import { onlyHereNote } from '../../../kernel/pages/only-here-note.ts';
import { notFoundPage } from '../../../kernel/pages/problem-page.ts';
import { adminRoutes, type Route } from '../../../kernel/pages/route.ts';
import { qrOf } from '../../../kernel/vouchers/pages/voucher-details.ts';
import { screensStylesheet } from '../../../platform/pages/assets.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { sayAgent } from '../../../platform/pages/ui/say-agent.ts';
import { sayTimeOfDay } from '../../../platform/texts/durations.ts';
import { UNKNOWN } from '../../../platform/values/unknown-value.ts';
import { SCREEN_PATH, type Screen } from '../screen.ts';
import { SCREEN_TEXTS } from '../screen-texts.ts';
import { pathForm } from './rolling-path.ts';
import { hasOpenCode } from './screen-state.ts';
import { withScreen } from './with-screen.ts';

/** While a device may be paired, the state is fetched again after this time. */
const REFRESHED_EVERY_S = 2;

const { get, post } = adminRoutes('/screens/:screen/pairing');

export const pairingRoutes: Route[] = [
  get(
    '',
    withScreen((context, screen) => pairingPage(context, screen)),
  ),
  post('', withScreen(renew)),
];

async function renew(context: AuthenticatedContext, screen: Screen): Promise<Response> {
  if (screen.kind === UNKNOWN) return notFoundPage(context);
  const renewed = await context.app.renewPairing(screen.id, auditContextOf(context));
  if (!renewed) return notFoundPage(context);
  return pairingPage(context, { ...screen, pairingUntilMs: renewed.pairingUntilMs }, renewed.pairingCode);
}

/** `code`: undefined if it has been shown before. */
export function pairingPage(context: AuthenticatedContext, screen: Screen, code?: string): Response {
  const text = SCREEN_TEXTS[context.language];
  const { id, name } = screen;
  const isOpen = hasOpenCode(context, screen);
  return renderPage(context, {
    stylesheets: [screensStylesheet],
    title: text.pairTitle(name),
    under: '/screens',
    sendsRequests: true,
    content: html`<section class="card pairing"><h1>${text.pairTitle(name)}</h1>
${pairingState(context, screen, code !== undefined)}
${code !== undefined && codeAndQr(context, code)}
${isOpen && steps(context)}
<div class="actions"><a class="button primary" href="/screens/${id}">${text.toScreen}</a>${code === undefined && newCodeForm(context, screen)}${screen.kind === 'rolling' && pathForm(context, screen)}</div></section>`,
  });
}

/** The part that updates by itself until the device is paired or the code has expired. */
function pairingState(context: AuthenticatedContext, screen: Screen, isShown: boolean): Html {
  const { id } = screen;
  const isOpen = hasOpenCode(context, screen);
  return html`<div class="pairing-state" id="pairing-state" role="status" data-part${isOpen && html` data-refresh="${REFRESHED_EVERY_S}" data-source="/screens/${id}/pairing"`}>${stateNote(context, screen, isShown)}</div>`;
}

function stateNote(context: AuthenticatedContext, screen: Screen, isShown: boolean): Html {
  const text = SCREEN_TEXTS[context.language];
  const { id, pairedAtMs, pairingUntilMs, seenAgent } = screen;
  if (hasOpenCode(context, screen)) {
    const until = text.pairWaiting(sayTimeOfDay(screen.pairingUntilMs, context));
    const reload = html`<noscript> <a href="/screens/${id}/pairing">${text.pairReload}</a></noscript>`;
    return note(
      'info',
      html`<p>${until}${reload}</p>${pairedAtMs !== null && html`<p>${text.pairKeeps}</p>`}${!isShown && html`<p class="shown-before">${text.pairShownBefore}</p>`}`,
    );
  }
  // The code is gone as soon as it is used.
  if (pairingUntilMs === null && pairedAtMs !== null)
    return html`<div class="is-paired">${note('success', text.pairDone(sayAgent(seenAgent ?? '')))}</div>`;
  return html`<div class="is-over">${note('warning', pairingUntilMs === null ? text.advice.waiting : text.pairExpired)}</div>`;
}

/** A device that scans the QR code could not open an address of this machine. */
function codeAndQr(context: AuthenticatedContext, code: string): Html {
  const text = SCREEN_TEXTS[context.language];
  const url = linkTo(context, `${SCREEN_PATH}#${code}`);
  const qr =
    !isOnlyHere(context) &&
    html`<figure>${qrOf(url, text.pairQr)}<figcaption>${text.pairScan}</figcaption></figure>`;
  return html`<div class="to-type">${onlyHereNote(context)}<div class="code-and-qr"><div><p class="pairing-label">${text.pairCode}</p><p class="pairing-code"><code>${code}</code></p><button class="button" type="button" hidden data-copy="${code}" data-copied="${context.messages.result.copied}">${icon('copy')}<span>${text.pairCopy}</span></button></div>${qr}</div></div>`;
}

function steps(context: AuthenticatedContext): Html {
  const address = linkTo(context, SCREEN_PATH);
  const [first, ...others] = SCREEN_TEXTS[context.language].pairSteps;
  return html`<ol class="guide to-type"><li>${first} <code class="whole-address">${address}</code></li>${others.map((step) => html`<li>${step}</li>`)}</ol>`;
}

export function newCodeForm(context: AuthenticatedContext, { id }: Screen): Html {
  return html`<form method="post" action="/screens/${id}/pairing">${formToken(context)}${oneTimeToken()}<button class="button" type="submit">${SCREEN_TEXTS[context.language].newCode}</button></form>`;
}
