// The list of guests' requests for the staff: those that wait with the forms to decide, and those decided lately.

import type { GuestRequestId } from '../../../kernel/ids.ts';
import type { AuthenticatedContext } from '../../../kernel/pages/context.ts';
import { formToken } from '../../../kernel/pages/layout.ts';
import { isFor, type Profile } from '../../../kernel/profiles/profile.ts';
import { sayAllowance } from '../../../kernel/vouchers/texts/allowance.ts';
import { DEFAULT_EXPIRE_MINUTES, DEFAULT_MAX_USES } from '../../../kernel/vouchers/voucher-order.ts';
import { emptyState } from '../../../platform/pages/ui/empty-state.ts';
import { factList } from '../../../platform/pages/ui/fact-list.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { type IconName, icon } from '../../../platform/pages/ui/icons.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import { type GuestRequest, MAX_REASON_LENGTH } from '../guest-request.ts';
import { REQUEST_TEXTS } from '../request-texts.ts';

/** The choice that stands for the default limits. */
export const STANDARD = 'standard';

const STANDARD_LIMITS = {
  maxUses: DEFAULT_MAX_USES,
  expireMinutes: DEFAULT_EXPIRE_MINUTES,
  downKbps: 0,
  upKbps: 0,
  quotaMb: 0,
};

/** From this many waiting requests of one network on, they can be declined together. */
const FLOOD_FROM = 5;

const PILLS: Record<GuestRequest['state'], { style: string; shape: IconName }> = {
  waiting: { style: 'unused', shape: 'new' },
  approving: { style: 'unused', shape: 'expired' },
  approved: { style: 'valid', shape: 'valid' },
  declined: { style: 'expired', shape: 'ended' },
  expired: { style: 'expired', shape: 'expired' },
  unknown: { style: 'expired', shape: 'warning' },
};

export interface Listed {
  requests: GuestRequest[];
  profiles: Profile[];
  hasSeveralSites: boolean;
  /** The request whose form was sent last; what was entered is kept. */
  kept: GuestRequestId | undefined;
}

export function requestList(context: AuthenticatedContext, listed: Listed): Html {
  const text = REQUEST_TEXTS[context.language];
  const isOpen = ({ state }: GuestRequest) => state === 'waiting' || state === 'approving';
  const open = listed.requests.filter(isOpen);
  const decided = listed.requests.filter((request) => !isOpen(request));
  return html`<section class="card" id="waiting-requests" data-part>${
    open.length === 0
      ? emptyState('bell', text.none)
      : html`<h2>${text.waitingCount(open.length)}</h2><ul class="requests">${open.map((request) => waitingItem(context, request, listed))}</ul>`
  }</section>
<section class="card" id="decided-requests" data-part><h2>${text.decided}</h2>${
    decided.length === 0
      ? html`<p class="soft">${text.nothingDecided}</p>`
      : html`<ul class="requests">${decided.map((request) => decidedItem(context, request, listed))}</ul>`
  }</section>`;
}

function waitingItem(context: AuthenticatedContext, request: GuestRequest, listed: Listed): Html {
  const { note } = request;
  return html`<li><h3 class="clamped">${request.name}</h3>${factsOf(context, request, listed)}${note !== '' && html`<p class="own-text"><span class="hidden-text">${REQUEST_TEXTS[context.language].note}: </span>${note}</p>`}
${request.state === 'waiting' ? html`<div class="deciding">${approveForm(context, request, listed)}${declineForm(context, request, listed)}</div>` : pill(context, request)}</li>`;
}

function factsOf(context: AuthenticatedContext, request: GuestRequest, { hasSeveralSites }: Listed): Html {
  const { language, timeZone } = context;
  const text = REQUEST_TEXTS[language];
  const { host, screenId, siteName, createdAtMs } = request;
  const facts: [label: string, fact: string][] = [
    [text.site, hasSeveralSites ? siteName : ''],
    [text.host, host],
    [text.asked, sayTime(createdAtMs, { language, timeZone })],
    [text.where, screenId === null ? text.onPage : text.atScreen],
  ];
  return factList(facts.filter(([, fact]) => fact !== ''));
}

function approveForm(context: AuthenticatedContext, request: GuestRequest, listed: Listed): Html {
  const text = REQUEST_TEXTS[context.language];
  const { id, siteId, name } = request;
  const offered = listed.profiles.filter((profile) => isFor(profile, [siteId]));
  const chosen = listed.kept === id ? context.form.get('profile') : null;
  const option = (value: string, label: string) =>
    html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`;
  return html`<form method="post" action="/requests/${id}/approve" data-working="${text.working}">${formToken(context)}
<label class="hidden-text" for="profile-${id}">${text.profile}</label><select id="profile-${id}" name="profile">${option(STANDARD, `${text.standard}: ${sayAllowance(STANDARD_LIMITS, context)}`)}${offered.map((profile) => option(String(profile.id), `${profile.name}: ${sayAllowance(profile, context)}`))}</select>
<button class="button primary" type="submit" aria-label="${text.approveFor(name)}">${text.approve}</button></form>`;
}

function declineForm(context: AuthenticatedContext, request: GuestRequest, { kept }: Listed): Html {
  const text = REQUEST_TEXTS[context.language];
  const { id, name, waitingOfNetwork: ofNetwork } = request;
  const typed = kept === id ? context.form.get('reason') : null;
  return html`<details${typed !== null && html` open`}><summary class="button" aria-label="${text.declineFor(name)}">${text.decline}</summary><form method="post" action="/requests/${id}/decline">${formToken(context)}
<div class="field"><label for="reason-${id}">${text.reason}</label><input id="reason-${id}" name="reason" type="text" maxlength="${MAX_REASON_LENGTH}" value="${typed}" autocomplete="off"></div>${
    ofNetwork >= FLOOD_FROM &&
    html`
<label class="tick"><input type="checkbox" name="network" value="1"${kept === id && context.form.has('network') && html` checked`}> ${text.declineNetwork(ofNetwork)}</label>`
  }
<button class="button risky" type="submit">${text.declineNow}</button></form></details>`;
}

function decidedItem(context: AuthenticatedContext, request: GuestRequest, listed: Listed): Html {
  const { language, timeZone } = context;
  const text = REQUEST_TEXTS[language];
  const { id, name, voucherId, decidedBy, decidedAtMs } = request;
  const time = decidedAtMs === null ? '' : sayTime(decidedAtMs, { language, timeZone });
  return html`<li id="request-${id}"><h3 class="clamped">${name}</h3><p class="outcome">${pill(context, request)} <span class="soft">${decidedBy ? text.by(decidedBy.name, time) : time}</span></p>${factsOf(context, request, listed)}
${voucherId !== null && html`<a class="button" href="/vouchers/${voucherId}">${text.toVoucher}</a>`}</li>`;
}

function pill({ language }: AuthenticatedContext, { state }: GuestRequest): Html {
  const { style, shape } = PILLS[state];
  return html`<span class="pill ${style}">${icon(shape)}${REQUEST_TEXTS[language].states[state]}</span>`;
}
