// Renders the list of screens, and the details and actions of one screen.

import type { AuthenticatedContext } from '../../../kernel/pages/context.ts';
import { formToken, oneTimeToken } from '../../../kernel/pages/layout.ts';
import { note } from '../../../kernel/pages/message.ts';
import type { Profile } from '../../../kernel/profiles/profile.ts';
import type { Site } from '../../../kernel/sites/site.ts';
import type { SlipVoucher } from '../../../kernel/slips/slip.ts';
import { formatCode } from '../../../kernel/vouchers/voucher.ts';
import { factList } from '../../../platform/pages/ui/fact-list.ts';
import { type Html, html, type Piece } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { ipAddress } from '../../../platform/pages/ui/ip-address.ts';
import { sayAgent } from '../../../platform/pages/ui/say-agent.ts';
import { sayDuration, sayTime } from '../../../platform/texts/durations.ts';
import { UNKNOWN } from '../../../platform/values/unknown-value.ts';
import type { Printer } from '../../printers/printer.ts';
import type { Screen, Terms } from '../screen.ts';
import { SCREEN_TEXTS } from '../screen-texts.ts';
import { pathForm } from './rolling-path.ts';
import { sayStandard } from './screen-choices.ts';
import { screenAdvice, screenStatePill } from './screen-state.ts';

export type Counts = ReadonlyMap<Screen['id'], number>;

interface Listed {
  screens: Screen[];
  sites: Site[];
  /** The vouchers of the last 24 hours. */
  counts: Counts;
}

/** One card for each site. */
export function screenCards(context: AuthenticatedContext, { screens, sites, counts }: Listed): Html {
  const groups = Map.groupBy(screens, ({ siteId }) => siteId);
  return html`${[...groups].map(([siteId, own]) => {
    const [{ siteName } = { siteName: '' }] = own;
    const isActive = sites.some(({ id, active }) => id === siteId && active);
    return html`<section class="card" id="site-${siteId}"><div class="card-head"><h2 class="clamped">${isActive ? siteName : context.messages.admin.users.siteOff(siteName)}</h2><a href="/sites/${siteId}/picture">${SCREEN_TEXTS[context.language].picture}</a></div>${screenTable(context, own, counts)}</section>`;
  })}`;
}

function screenTable(context: AuthenticatedContext, screens: Screen[], counts: Counts): Html {
  const text = SCREEN_TEXTS[context.language];
  const labels = [text.name, text.kind, text.today, text.state];
  return html`<table class="screens"><thead><tr>${labels.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead><tbody>${screens.map(
    (
      screen,
    ) => html`<tr><td data-label="${text.name}"><a class="listed clamped" href="/screens/${screen.id}" title="${screen.name}">${screen.name}</a></td>
<td data-label="${text.kind}">${kindOf(context, screen)}</td>
<td data-label="${text.today}">${usage(context, screen, counts)}</td>
<td data-label="${text.state}">${screenStatePill(context, screen)}</td></tr>`,
  )}</tbody></table>`;
}

/** How many vouchers of the limit per day are handed out. At the limit, the number stands out. */
function usage({ language }: AuthenticatedContext, { id, perDay }: Screen, counts: Counts): Html {
  const count = counts.get(id) ?? 0;
  const said = SCREEN_TEXTS[language].ofLimit(count, perDay);
  return count >= perDay
    ? html`<strong class="at-limit whole">${said}</strong>`
    : html`<span class="whole">${said}</span>`;
}

function kindOf({ messages: { admin }, language }: AuthenticatedContext, { kind }: Screen): string {
  return kind === UNKNOWN ? admin.notKnown : SCREEN_TEXTS[language].kinds[kind].name;
}

export interface Details {
  screen: Screen;
  site: Site | undefined;
  profiles: Profile[];
  printer: Printer | undefined;
  terms: Terms | undefined;
  /** The voucher that a rolling code shows. */
  voucher: SlipVoucher | undefined;
  counts: Counts;
}

export function screenCard(context: AuthenticatedContext, details: Details): Html {
  const text = SCREEN_TEXTS[context.language];
  const { screen, site } = details;
  const { id, name, kind, pairedAtMs } = screen;
  const isPaired = pairedAtMs !== null;
  const pairing = html`<form method="post" action="/screens/${id}/pairing">${formToken(context)}${oneTimeToken()}<button class="button${!isPaired && ' primary'}" type="submit">${icon('screen')}<span>${isPaired ? text.pairOther : text.pair}</span></button></form>`;
  return html`<section class="card"><h1>${name}</h1>${site?.active === false && note('warning', html`${text.siteInactive} <a href="/sites/${site.id}">${site.name}</a>`)}${kind === UNKNOWN ? note('info', context.messages.admin.notKnownKept) : screenAdvice(context, screen)}${factList(factsOf(context, details))}
<div class="actions">${kind !== UNKNOWN && pairing}
${kind === 'rolling' && pathForm(context, screen)}
<a class="button" href="/screens/${id}/edit">${text.edit}</a>
${isPaired && html`<a class="button risky" href="/screens/${id}/unpair">${text.unpair}</a>`}<a class="button risky" href="/screens/${id}/remove">${text.remove}</a></div></section>`;
}

type Fact = [string, Piece];

function factsOf(context: AuthenticatedContext, details: Details): Fact[] {
  const text = SCREEN_TEXTS[context.language];
  const { screen, counts } = details;
  const { id, siteId, siteName, kind, perMinute, perDay, seenAtMs, pairedAtMs } = screen;
  const isKiosk = kind === 'kiosk';
  return [
    [text.state, screenStatePill(context, screen)],
    ...(kind === 'rolling' ? rollingFacts(context, details) : []),
    [text.seen, seenAtMs === null ? text.never : timeOf(context, seenAtMs)],
    ...(pairedAtMs === null ? [] : deviceFacts(context, screen, pairedAtMs)),
    [text.site, html`<a href="/sites/${siteId}">${siteName}</a>`],
    [text.kind, kindOf(context, screen)],
    ...(kind === UNKNOWN
      ? []
      : [[profilesLabel(context, screen), profilesOf(context, details)] satisfies Fact]),
    ...(isKiosk ? kioskFacts(context, details) : []),
    [text.today, usage(context, screen, counts)],
    [text.limits, text.limitsOf(perMinute, perDay)],
    [text.number, id],
  ];
}

function rollingFacts(context: AuthenticatedContext, { screen, voucher }: Details): Fact[] {
  const text = SCREEN_TEXTS[context.language];
  const { lookedAtMs, shownAtMs, idleMinutes } = screen;
  const shown =
    voucher &&
    html`<a class="code" href="/vouchers/${voucher.id}">${formatCode(voucher.code)}</a>${shownAtMs !== null && html` <span class="sub">${text.since(sayTime(shownAtMs, context))}</span>`}`;
  return [
    [text.shows, html`<span>${shown ?? text.showsNothing}</span>`],
    [text.looked, lookedAtMs === null ? text.never : timeOf(context, lookedAtMs)],
    [text.pauses, text.pausesAfter(sayDuration(idleMinutes, context.language))],
  ];
}

function deviceFacts(context: AuthenticatedContext, screen: Screen, pairedAtMs: number): Fact[] {
  const text = SCREEN_TEXTS[context.language];
  const { seenAgent, seenIp } = screen;
  return [
    [
      text.device,
      html`${sayAgent(seenAgent ?? '')}${seenIp !== null && html`<br><span class="soft">${ipAddress(seenIp)}</span>`}`,
    ],
    [text.pairedAt, timeOf(context, pairedAtMs)],
  ];
}

function profilesLabel({ language }: AuthenticatedContext, { kind }: Screen): string {
  const text = SCREEN_TEXTS[language];
  return kind === 'rolling' ? text.profile : text.profiles;
}

/** Removed profiles are left out. If none is left, the screen gives vouchers with the default limits. */
function profilesOf(context: AuthenticatedContext, { screen, profiles }: Details): Piece {
  const own = profiles.filter(({ id }) => screen.profileIds.includes(id));
  return own.length === 0
    ? `${SCREEN_TEXTS[context.language].standard} – ${sayStandard(context)}`
    : own.map(({ name }) => name).join(', ');
}

function kioskFacts(context: AuthenticatedContext, { screen, printer, terms }: Details): Fact[] {
  const text = SCREEN_TEXTS[context.language];
  const { id, siteId, offers, asks, printerId } = screen;
  const asked = asks.map((field) => text.asksChoices[field].label).join(', ');
  const termsSaid = terms
    ? text.termsSince(terms.version, sayTime(terms.createdAtMs, context))
    : text.termsNone;
  return [
    [text.offers, offers === UNKNOWN ? context.messages.admin.notKnown : text.offersChoices[offers]],
    [text.asks, asked || text.asksNothing],
    [text.printer, printerId === null ? text.noPrinter : printerLink(context, printer)],
    [
      text.termsShort,
      html`${termsSaid} · <a href="/screens/${id}/terms">${text.termsChange}<span class="hidden-text">: ${text.terms}</span></a>`,
    ],
    [text.picture, html`<a href="/sites/${siteId}/picture">${text.pictureChange}</a>`],
  ];
}

function printerLink({ language }: AuthenticatedContext, printer: Printer | undefined): Piece {
  return printer
    ? html`<a href="/printers/${printer.id}">${printer.name}</a>`
    : SCREEN_TEXTS[language].printerGone;
}

function timeOf(context: AuthenticatedContext, ms: number): Html {
  return html`<time datetime="${new Date(ms).toISOString()}">${sayTime(ms, context)}</time>`;
}
