// Renders the list of sites, and the details and actions of one site.

import { isCertificateCause } from '../../../domain/controller.ts';
import { lacksPassword } from '../../../domain/sites/controller-connection.ts';
import { isDemo, isUnconfirmed, type Site } from '../../../domain/sites/site.ts';
import { isFailing, type SiteSync, syncStateOf } from '../../../domain/sites/site-sync.ts';
import { sayTime } from '../../../i18n/durations.ts';
import type { AuthenticatedContext } from '../../http/context.ts';
import { factList } from '../../ui/fact-list.ts';
import { type Html, html, type Piece } from '../../ui/html.ts';
import { icon } from '../../ui/icons.ts';
import { formToken } from '../../ui/layout.ts';
import { note } from '../../ui/message.ts';
import { demoPill } from '../vouchers/voucher-details.ts';
import { explain, fixFor, technicalText } from './controller-errors.ts';
import {
  basicFields,
  controllerSiteField,
  kindTexts,
  readBasics,
  type SiteFormIssues,
  sayFingerprint,
} from './site-forms.ts';

interface Syncs {
  of: ReadonlyMap<number, SiteSync>;
  intervalS: number;
}

export function siteTable(context: AuthenticatedContext, all: Site[], syncs: Syncs): Html {
  const { sites: text } = context.messages.admin;
  const labels = [text.name, text.kind, text.state, text.sync];
  return html`<table class="sites"><thead><tr>${labels.map((label) => html`<th scope="col">${label}</th>`)}<th scope="col"><span class="hidden-text">${text.syncNow}</span></th></tr></thead><tbody>${all.map(
    (
      site,
    ) => html`<tr><td class="site-of"><a class="listed clamped" href="/sites/${site.id}" title="${site.name}">${site.name}</a>${isDemo(site) && demoPill(context)}</td>
<td class="console-of"><span class="clipped">${kindTexts(context.messages, site.controllerKind).short}, ${site.controllerSite}</span>${site.connection && html`<span class="sub clipped" title="${site.connection.url}">${site.connection.url}</span>`}</td>
<td class="state-of">${activePill(context, site)}</td>
<td class="sync-of" data-label="${text.sync}"><span>${syncOf(context, site, syncs).inShort}</span></td>
<td class="doing">${site.active && post(context, `/sites/${site.id}/sync`, text.syncNow)}</td></tr>`,
  )}</tbody></table>`;
}

interface Details {
  syncs: Syncs;
  issues: SiteFormIssues;
  isRemovable: boolean;
}

export function siteContent(
  context: AuthenticatedContext,
  site: Site,
  { syncs, issues, isRemovable }: Details,
): Html {
  const { sites: text, save } = context.messages.admin;
  const shown = context.form.has('name') ? readBasics(context).basics : site;
  const place = {
    value: context.form.get('site') ?? site.controllerSite,
    hint: text.controllerSiteTrial,
    error: issues.site,
  };
  return html`${movedInNote(context, site)}${certificateNote(context, site, syncs)}<div class="halves"><section class="card">${factsOf(context, site, syncs)}
<div class="actions">${!isUnconfirmed(site) && post(context, `/sites/${site.id}/test`, text.test)}${site.active && post(context, `/sites/${site.id}/sync`, text.syncNow)}
${site.connection && html`<a class="button" href="/sites/${site.id}/access">${text.changeConnection}</a>`}
<a class="button" href="/sites/${site.id}/slip">${context.messages.slip.title}</a>
${
  site.active
    ? html`<a class="button" href="/sites/${site.id}/deactivate">${text.deactivate}</a>`
    : !isUnconfirmed(site) && post(context, `/sites/${site.id}/activate`, text.activate)
}${isRemovable && html`<a class="button risky" href="/sites/${site.id}/remove">${text.remove}</a>`}</div></section>
<section class="card"><h2>${text.change}</h2><form method="post" action="/sites/${site.id}" novalidate>${formToken(context)}
${basicFields(context, shown, issues)}${isDemo(site) && controllerSiteField(context, place)}
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

/** A note for a site whose sync fails because of the controller's certificate. */
function certificateNote(
  context: AuthenticatedContext,
  { id, connection }: Site,
  { of }: Syncs,
): Html | false {
  const { sites: text } = context.messages.admin;
  const sync = of.get(id);
  if (!connection || !sync || !isFailing(sync) || !isCertificateCause(sync.cause)) return false;
  return note(
    'error',
    html`<p><strong>${text.certificateChanged}</strong><br>${fixFor(context, sync.cause)}</p>
${comparison(context, { id, connection }, html`${text.certificateCompare}`)}`,
  );
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
    [text.state, activePill(context, site)],
    [text.number, site.id],
    [text.kind, kindTexts(context.messages, site.controllerKind).name],
    [text.controllerSite, site.controllerSite],
    ...(connection ? connectionFacts(context, connection) : []),
    ...(site.unreadUrl === undefined ? [] : [[text.url, site.unreadUrl] satisfies [string, Piece]]),
    [text.sync, syncOf(context, site, syncs).atLength],
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

function activePill({ messages: { admin } }: AuthenticatedContext, { active }: Site): Html {
  return active
    ? html`<span class="pill valid">${icon('valid')}${admin.sites.active}</span>`
    : html`<span class="pill expired">${icon('used')}${admin.sites.inactive}</span>`;
}

/** The time of the last successful sync. If the sync fails, also says since when, why, and how to fix it. */
function syncOf(
  context: AuthenticatedContext,
  { id, active }: Site,
  { of, intervalS }: Syncs,
): Record<'inShort' | 'atLength', Piece> {
  const { messages, language, timeZone, nowMs } = context;
  const { sites: text, never } = messages.admin;
  const sync = of.get(id);
  const time = (ms: number | null | undefined) => (ms ? sayTime(ms, { language, timeZone }) : never);
  const last = time(sync?.syncedAtMs);
  const state = syncStateOf(sync, nowMs, intervalS);
  if (sync && state === 'failing') {
    const inShort = html`<span class="pill failing">${icon('warning')}${text.syncFailing}</span>
<span class="sync-problem">${text.syncSince(time(sync.failingSinceMs ?? sync.failedAtMs))} ${explain(context, sync.cause)}</span>`;
    const rest = html`${technicalText(context, sync.error ?? '')}<br><span class="soft">${text.syncSucceeded(last)}</span>`;
    return { inShort, atLength: html`${inShort}${rest}` };
  }
  const stale = html`<span class="pill expired">${icon('expired')}${text.syncStale}</span>
<span class="sync-problem">${text.syncOld(last)}</span>`;
  const said = active && state === 'stale' ? stale : last;
  return { inShort: said, atLength: said };
}

function post(context: AuthenticatedContext, action: string, label: string): Html {
  return html`<form method="post" action="${action}" data-working="${label} …">${formToken(context)}<button class="button" type="submit">${label}</button></form>`;
}
