// Renders the list of sites, and the details and actions of one site.

import { factList } from '../../../platform/pages/ui/fact-list.ts';
import { type Html, html, type Piece } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import { type FailureCause, isCertificateCause, isFixedByConnection } from '../../controllers/controller.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { formToken } from '../../pages/layout.ts';
import { note } from '../../pages/message.ts';
import { isTimeZone } from '../../vouchers/nights.ts';
import { demoPill } from '../../vouchers/pages/voucher-details.ts';
import { lacksPassword } from '../controller-connection.ts';
import { isDemo, isUnconfirmed, type Site } from '../site.ts';
import { isFailing, type SiteSync, syncStateOf } from '../site-sync.ts';
import { fixFor, sayCause, technicalText } from './controller-errors.ts';
import {
  basicFields,
  controllerSiteField,
  guestPageField,
  kindTexts,
  readBasics,
  readStay,
  replyToField,
  type SiteFormIssues,
  sayFingerprint,
  stayFields,
} from './site-forms.ts';

interface Syncs {
  of: ReadonlyMap<number, SiteSync>;
  intervalS: number;
}

/** Sites that fail come first, the others stay in their order. */
export function failingFirst(all: Site[], { of }: Syncs): Site[] {
  const rank = (site: Site) => (failureOf(site, of) ? 0 : 1);
  return all.toSorted((one, other) => rank(one) - rank(other));
}

/** The sync of a site that fails. An inactive site is not synced, so its last failure says nothing about today. */
function failureOf({ id, active }: Site, syncs: Syncs['of']): SiteSync | undefined {
  const sync = syncs.get(id);
  return active && sync && isFailing(sync) ? sync : undefined;
}

export function siteTable(context: AuthenticatedContext, all: Site[], syncs: Syncs): Html {
  const { sites: text } = context.messages.admin;
  const labels = [text.name, text.state, text.sync];
  return html`<table class="sites"><thead><tr>${labels.map((label) => html`<th scope="col">${label}</th>`)}<th scope="col"><span class="hidden-text">${text.syncNow}</span></th></tr></thead><tbody>${all.map(
    (
      site,
    ) => html`<tr><td class="site-of"><a class="listed clamped" href="/sites/${site.id}" title="${site.name}">${site.name}</a>${isDemo(site) && demoPill(context)}${consoleOf(context, site)}</td>
<td class="state-of">${statePill(context, site, syncs)}</td>
<td class="sync-of" data-label="${text.sync}"><span>${syncInList(context, site, syncs)}</span></td>
<td class="doing">${site.active && post(context, `/sites/${site.id}/sync`, text.syncNow)}</td></tr>`,
  )}</tbody></table>`;
}

function consoleOf(
  { messages }: AuthenticatedContext,
  { controllerKind, controllerSite, connection }: Site,
): Html {
  const kind = `${kindTexts(messages, controllerKind).short}, ${controllerSite}`;
  const said = connection ? `${kind} · ${connection.url}` : kind;
  return html`<span class="sub clipped" title="${said}">${said}</span>`;
}

interface Details {
  syncs: Syncs;
  issues: SiteFormIssues;
  isRemovable: boolean;
  /** True if a message above says how a test or a sync has ended. */
  isAnswered: boolean;
}

export function siteContent(
  context: AuthenticatedContext,
  site: Site,
  { syncs, issues, isRemovable, isAnswered }: Details,
): Html {
  const { sites: text, save } = context.messages.admin;
  const shown = context.form.has('name') ? readBasics(context).basics : site;
  const place = {
    value: context.form.get('site') ?? site.controllerSite,
    hint: text.controllerSiteTrial,
    error: issues.site,
  };
  const failure = failureOf(site, syncs.of);
  return html`${movedInNote(context, site)}${failure && failureNote(context, site, { failure, isAnswered })}${zoneNote(context, site)}<div class="halves"><section class="card">${factsOf(context, site, syncs)}
<div class="actions">${!failure && connectionButtons(context, site)}${site.active && post(context, `/sites/${site.id}/sync`, text.syncNow)}
<a class="button" href="/sites/${site.id}/slip">${context.messages.slip.title}</a>${context.slots.map(({ siteLink }) => siteLink && html`\n${siteLink(context, site)}`)}
${
  site.active
    ? html`<a class="button" href="/sites/${site.id}/deactivate">${text.deactivate}</a>`
    : !isUnconfirmed(site) && post(context, `/sites/${site.id}/activate`, text.activate)
}${isRemovable && html`<a class="button risky" href="/sites/${site.id}/remove">${text.remove}</a>`}</div></section>
<section class="card"><h2>${text.change}</h2><form method="post" action="/sites/${site.id}" novalidate>${formToken(context)}
${basicFields(context, shown, issues)}${stayFields(context, readStay(context, site).stay, issues)}${isDemo(site) && controllerSiteField(context, place)}${guestPageField(context, site)}${replyToField(context, site, issues)}
<div class="actions"><button class="button primary" type="submit">${save}</button></div></form></section></div>`;
}

/** A note for a site that was taken over from another tool and has not been tested yet. */
function movedInNote(context: AuthenticatedContext, site: Site): Html | false {
  const { sites: text } = context.messages.admin;
  const { id, connection } = site;
  if (!connection || !isUnconfirmed(site)) return false;
  const isLocked = lacksPassword(connection);
  return note(
    'info',
    html`<p><strong>${text.movedIn}</strong><br>${isLocked ? text.movedInLocked : text.movedInWhat}</p>
${isLocked ? html`<a class="button primary" href="/sites/${id}/access">${text.enterConnection}</a>` : post(context, `/sites/${id}/confirm`, text.testAndActivate)}`,
  );
}

/** A note about a site that fails: what happened, since when, and the way to fix it. */
function failureNote(
  context: AuthenticatedContext,
  site: Site,
  { failure, isAnswered }: { failure: SiteSync; isAnswered: boolean },
): Html {
  const { sites: text } = context.messages.admin;
  const { id, connection } = site;
  const { cause, error } = failure;
  const fix = html` ${fixFor(context, cause)}${error !== null && html`<br>${technicalText(context, error)}`}`;
  return note(
    'error',
    html`<p><strong>${sayCause(context, cause)}</strong><br>${saySince(context, failure)}${!isAnswered && fix}</p>
<div class="actions">${connection && isCertificateCause(cause) && comparison(context, { id, connection }, html`${text.certificateCompare}`)}${connectionButtons(context, site, cause)}</div>`,
  );
}

/** A note about a time zone that this machine does not know, for example after a restore. */
function zoneNote({ messages }: AuthenticatedContext, { timeZone }: Site): Html | false {
  const { sites: text } = messages.admin;
  if (timeZone === null || isTimeZone(timeZone)) return false;
  return note(
    'warning',
    html`<p>${text.timeZoneUnknown(timeZone)} <a href="#time-zone">${text.timeZoneChoose}</a></p>`,
  );
}

/** Buttons to test and to change the connection. First the one that can fix the failure. */
function connectionButtons(
  context: AuthenticatedContext,
  site: Site,
  cause: FailureCause | null = null,
): Html {
  const { sites: text } = context.messages.admin;
  const test = !isUnconfirmed(site) && post(context, `/sites/${site.id}/test`, text.test);
  const change =
    site.connection && html`<a class="button" href="/sites/${site.id}/access">${text.changeConnection}</a>`;
  return isFixedByConnection(cause) ? html`${change}${test}` : html`${test}${change}`;
}

/** A button that connects to the controller and opens the page that compares the fingerprints of its certificates. */
export function comparison(
  context: AuthenticatedContext,
  { id, connection }: Pick<Site, 'id'> & { connection: NonNullable<Site['connection']> },
  label: Html,
): Html {
  const { connecting } = context.messages.admin.sites;
  return html`<form method="post" action="/sites/${id}/access" data-working="${connecting}">${formToken(context)}<input type="hidden" name="url" value="${connection.url}"><button class="button" type="submit">${label}</button></form>`;
}

function factsOf(context: AuthenticatedContext, site: Site, syncs: Syncs): Html {
  const { sites: text } = context.messages.admin;
  const { connection } = site;
  const facts: [string, Piece][] = [
    [text.state, statePill(context, site, syncs)],
    [text.sync, syncOf(context, site, syncs)],
    [text.number, site.id],
    [text.kind, kindTexts(context.messages, site.controllerKind).name],
    [text.controllerSite, site.controllerSite],
    ...(connection ? connectionFacts(context, connection) : []),
    ...(site.unreadUrl === undefined ? [] : [[text.url, site.unreadUrl] satisfies [string, Piece]]),
  ];
  return factList(facts);
}

function connectionFacts(
  context: AuthenticatedContext,
  connection: NonNullable<Site['connection']>,
): [string, Piece][] {
  const { sites: text } = context.messages.admin;
  const { url, trust } = connection;
  const said = text.trusts[trust.kind];
  const certificate =
    trust.kind === 'pinned'
      ? html`${said}<br><code class="said">${sayFingerprint(trust.fingerprint256)}</code>`
      : html`${trust.kind === 'insecure' ? html`<strong>${said}</strong>` : said}`;
  return [
    [text.url, url],
    [text.certificate, certificate],
    [text.credentials, lacksPassword(connection) ? text.credentialsLacking : text.credentialsKept],
  ];
}

function statePill({ messages }: AuthenticatedContext, site: Site, { of }: Syncs): Html {
  const { sites: text } = messages.admin;
  if (failureOf(site, of))
    return html`<span class="pill failing">${icon('warning')}${messages.overview.away}</span>`;
  return site.active
    ? html`<span class="pill valid">${icon('valid')}${text.active}</span>`
    : html`<span class="pill expired">${icon('used')}${text.inactive}</span>`;
}

function saySince({ messages, language, timeZone, nowMs }: AuthenticatedContext, sync: SiteSync): string {
  const since = sync.failingSinceMs ?? sync.failedAtMs ?? nowMs;
  return messages.admin.sites.syncSince(sayTime(since, { language, timeZone }));
}

/** In the list, a site that fails shows why. */
function syncInList(context: AuthenticatedContext, site: Site, syncs: Syncs): Piece {
  const failure = failureOf(site, syncs.of);
  if (!failure) return syncOf(context, site, syncs);
  return html`<span class="sync-problem">${saySince(context, failure)} ${sayCause(context, failure.cause)}.</span>`;
}

/** The time of the last successful sync. */
function syncOf(context: AuthenticatedContext, site: Site, { of, intervalS }: Syncs): Piece {
  const { messages, language, timeZone, nowMs } = context;
  const { sites: text, never } = messages.admin;
  const sync = of.get(site.id);
  const last = sync?.syncedAtMs ? sayTime(sync.syncedAtMs, { language, timeZone }) : never;
  if (failureOf(site, of)) return text.syncSucceeded(last);
  if (!site.active || syncStateOf(sync, nowMs, intervalS) !== 'stale') return last;
  return html`<span class="pill expired">${icon('expired')}${text.syncStale}</span>
<span class="sync-problem">${text.syncOld(last)}</span>`;
}

function post(context: AuthenticatedContext, action: string, label: string): Html {
  return html`<form method="post" action="${action}" data-working="${label} …">${formToken(context)}<button class="button" type="submit">${label}</button></form>`;
}
