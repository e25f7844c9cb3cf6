// The table of API keys: what each key may do, where, how long, and when and from where it was last used.

import { type Html, html, type Piece } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { ipAddress } from '../../../platform/pages/ui/ip-address.ts';
import { sayDay, sayTime } from '../../../platform/texts/durations.ts';
import { UNKNOWN } from '../../../platform/values/unknown-value.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import type { Site } from '../../sites/site.ts';
import { expiryState } from '../expiry.ts';
import type { KeySummary } from '../key-records.ts';

export function keyTable(context: AuthenticatedContext, all: KeySummary[], sites: Site[]): Html {
  const { keys: text } = context.messages.admin;
  const labels = [text.name, text.scope, text.sites, text.lastUsed, text.state];
  return html`<table><thead><tr>${labels.map(
    (label) => html`<th scope="col">${label}</th>`,
  )}<th scope="col"><span class="hidden-text">${text.change}</span></th></tr></thead><tbody>${all.map((key) => row(context, key, sites))}</tbody></table>`;
}

function row(context: AuthenticatedContext, key: KeySummary, sites: Site[]): Html {
  const { language, timeZone, messages } = context;
  const { keys: text, never, notKnown } = messages.admin;
  const { lastUsedAtMs, lastUsedIp } = key;
  const lastUse = lastUsedAtMs === null ? never : sayTime(lastUsedAtMs, { language, timeZone });
  return html`<tr><td data-label="${text.name}">${twoLines(key.name, key.note)}</td>
<td class="words" data-label="${text.scope}">${twoLines(key.scope === UNKNOWN ? notKnown : text[key.scope], key.rateLimit > 0 && text.perMinute(key.rateLimit))}</td>
<td data-label="${text.sites}">${siteNames(context, key, sites)}</td>
<td class="words" data-label="${text.lastUsed}">${twoLines(lastUse, lastUsedIp !== null && ipAddress(lastUsedIp))}</td>
<td class="short" data-label="${text.state}">${stateOf(context, key)}</td>
<td class="doing">${key.revokedAtMs === null && html`<a href="/keys/${key.id}">${text.change}</a><a class="risky" href="/keys/${key.id}/revoke">${text.revoke}</a>`}</td></tr>`;
}

function twoLines(first: Piece, second: Html | string | false): Html {
  return html`<span>${first}${second && html`<br><span class="soft">${second}</span>`}</span>`;
}

/** The names of the sites of a key. If all its sites were removed, the text says that it has none. */
function siteNames({ messages: { admin } }: AuthenticatedContext, key: KeySummary, all: Site[]): string {
  const { sites } = key;
  if (sites === 'all') return admin.keys.allSites;
  const own = all.filter(({ id }) => sites.includes(id));
  const names = own.map(({ name, active }) => (active ? name : admin.users.siteOff(name)));
  return names.join(', ') || admin.keys.noSite;
}

function stateOf(context: AuthenticatedContext, key: KeySummary): Html {
  const { messages, language, timeZone } = context;
  const { expiresAtMs } = key;
  const day = expiresAtMs !== null && sayDay(expiresAtMs - 1, { language, timeZone });
  return twoLines(statePill(context, key), day && messages.admin.keys.until(day));
}

function statePill({ messages: { admin }, nowMs }: AuthenticatedContext, key: KeySummary): Html {
  const { keys: text } = admin;
  if (key.revokedAtMs !== null)
    return html`<span class="pill expired">${icon('expired')}${text.revoked}</span>`;
  const state = expiryState(key.expiresAtMs, nowMs);
  if (state === 'expired') return html`<span class="pill expired">${icon('expired')}${text.expired}</span>`;
  if (state === 'soon') return html`<span class="pill used">${icon('warning')}${text.expiresSoon}</span>`;
  return html`<span class="pill valid">${icon('valid')}${text.active}</span>`;
}
