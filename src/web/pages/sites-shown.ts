// How sites are shown: as rows of the list, and one with all that is known of it and can be done with it.

import type { SaveProblem } from '../../domain/sites/save-site.ts';
import type { Site } from '../../domain/sites/site.ts';
import { isFailing, type SiteSync } from '../../domain/sites/site-sync.ts';
import { sayTime } from '../durations.ts';
import { type Html, html, type Piece } from '../html.ts';
import { icon } from '../icons.ts';
import { formToken } from '../layout.ts';
import type { UserVisit } from '../visit.ts';
import { basicFields, type Faults, readBasics, sayFingerprint } from './sites-forms.ts';
import { mendOf } from './sites-trouble.ts';

export function siteTable(visit: UserVisit, all: Site[], syncs: ReadonlyMap<number, SiteSync>): Html {
  const { sites: text, yes, no } = visit.words.admin;
  const labels = [text.name, text.kind, text.state, text.importsShort, text.sync];
  return html`<table class="sites"><thead><tr>${labels.map((label) => html`<th scope="col">${label}</th>`)}<th scope="col"><span class="hidden-text">${text.testShort}</span></th></tr></thead><tbody>${all.map(
    (
      site,
    ) => html`<tr><td data-label="${text.name}"><a class="listed" href="/sites/${site.id}">${site.name}</a></td>
<td data-label="${text.kind}"><span>${said(text.kindsInShort, site.controllerKind)}, ${site.controllerSite}${site.access && html`<br><span class="soft said">${site.access.url}</span>`}</span></td>
<td data-label="${text.state}">${activePill(visit, site)}</td>
<td data-label="${text.importsShort}">${site.importsForeign ? yes : no}</td>
<td data-label="${text.sync}"><span>${syncOf(visit, syncs.get(site.id))}</span></td>
<td>${post(visit, `/sites/${site.id}/test`, text.testShort)}</td></tr>`,
  )}</tbody></table>`;
}

interface Details {
  sync: SiteSync | undefined;
  faults: Faults;
  problem: SaveProblem | undefined;
}

export function siteContent(visit: UserVisit, site: Site, { sync, faults, problem }: Details): Html {
  const { sites: text, save } = visit.words.admin;
  const shown = visit.form.has('name') ? readBasics(visit).basics : site;
  return html`<section class="card">${factsOf(visit, site, sync)}
<div class="actions">${post(visit, `/sites/${site.id}/test`, text.test)}${site.active && post(visit, `/sites/${site.id}/sync`, text.syncNow)}
${site.access && html`<a class="button" href="/sites/${site.id}/access">${text.changeAccess}</a>`}
${
  site.active
    ? html`<a class="button" href="/sites/${site.id}/deactivate">${text.deactivate}</a>`
    : post(visit, `/sites/${site.id}/activate`, text.activate)
}</div></section>
<section class="card"><h2>${text.change}</h2><form method="post" action="/sites/${site.id}" novalidate>${formToken(visit)}
${basicFields(visit, shown, faults)}
<div class="actions"><button class="button primary" type="submit">${save}</button>
${problem?.kind === 'test-failed' && html`<button class="button" name="anyway" value="yes">${text.storeAnyway}</button>`}</div></form></section>`;
}

function factsOf(visit: UserVisit, site: Site, sync: SiteSync | undefined): Html {
  const { sites: text } = visit.words.admin;
  const { access } = site;
  const facts: [string, Piece][] = [
    [text.state, activePill(visit, site)],
    [text.number, site.id],
    [text.kind, said(text.kinds, site.controllerKind)],
    ...(access ? accessFacts(visit, access) : []),
    [text.sync, syncOf(visit, sync)],
  ];
  return html`<dl class="known">${facts.map(([label, fact]) => html`<div><dt>${label}</dt><dd>${fact}</dd></div>`)}</dl>`;
}

function accessFacts(visit: UserVisit, { url, trust }: NonNullable<Site['access']>): [string, Piece][] {
  const { sites: text } = visit.words.admin;
  const said = text.trusts[trust.kind];
  const certificate =
    trust.kind === 'pinned'
      ? html`${said}<br><code class="said">${sayFingerprint(trust.fingerprint256)}</code>`
      : html`${trust.kind === 'insecure' ? html`<strong>${said}</strong>` : said}`;
  return [
    [text.address, url],
    [text.certificate, certificate],
    [text.credentials, text.credentialsKept],
  ];
}

/** A kind nobody has words for is shown by its own name. */
function said(words: Record<string, string>, kind: string): string {
  return new Map(Object.entries(words)).get(kind) ?? kind;
}

function activePill({ words: { admin } }: UserVisit, { active }: Site): Html {
  return active
    ? html`<span class="pill valid">${icon('valid')}${admin.sites.active}</span>`
    : html`<span class="pill expired">${icon('used')}${admin.sites.inactive}</span>`;
}

/** When it last went well; or that it does not, why, and how to mend it. */
function syncOf({ words, language, timeZone }: UserVisit, sync: SiteSync | undefined): Piece {
  const { sites: text, never } = words.admin;
  const time = (ms: number | null | undefined) => (ms ? sayTime(ms, { language, timeZone }) : never);
  if (!sync || !isFailing(sync)) return time(sync?.syncedAtMs);
  return html`<span class="pill failing">${icon('warning')}${text.syncFailing}</span>
<br>${mendOf(sync.error ?? '', words.admin)}<br><span class="soft said">${text.said} ${sync.error}
<br>${text.syncTries(time(sync.failedAtMs), time(sync.syncedAtMs))}</span>`;
}

function post(visit: UserVisit, action: string, label: string): Html {
  return html`<form method="post" action="${action}" data-working="${label} …">${formToken(visit)}<button class="button" type="submit">${label}</button></form>`;
}
