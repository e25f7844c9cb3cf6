// Sites: the list, one site with its state, test it, sync it, rename it, switch it on and off, remove it.

import type { ControllerFailure } from '../../domain/controller.ts';
import { asSiteId } from '../../domain/ids.ts';
import { fail, type Result } from '../../domain/result.ts';
import type { Site, SiteStore } from '../../domain/sites/site.ts';
import type { SyncStore } from '../../domain/sites/site-sync.ts';
import type { SlipStore } from '../../domain/sites/slip.ts';
import type { SyncSite, SyncTally } from '../../domain/vouchers/sync-site.ts';
import { HIGHEST_INTEGER } from '../../domain/vouchers/voucher-order.ts';
import type { Answer } from '../../http/exchange.ts';
import { problemPage } from '../answer-visits.ts';
import { askFirst } from '../ask-first.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../icons.ts';
import { answerPage, redirect } from '../layout.ts';
import type { SlipNeeds } from '../print.ts';
import type { Route } from '../routes.ts';
import { auditOf, type UserVisit } from '../visit.ts';
import { makeSiteSlipPages } from './site-slip.ts';
import { makeSiteAccessPages } from './sites-access.ts';
import { type Faults, hasFaults, readBasics, readControllerSite } from './sites-forms.ts';
import type { GuideNeeds } from './sites-guide.ts';
import { makeNewSitePages } from './sites-new.ts';
import { siteContent, siteTable } from './sites-shown.ts';
import { badNote, goodNote, mendOf, saveNote, testNote } from './sites-trouble.ts';

/** A sync that takes longer goes on after its page was answered. */
const SYNC_PATIENCE_MS = 8_000;

interface Needs extends GuideNeeds, SlipNeeds {
  slips: Pick<SlipStore, 'find' | 'save'>;
  sites: Pick<SiteStore, 'list' | 'find' | 'change' | 'hasTraces' | 'remove'>;
  syncs: Pick<SyncStore, 'list'>;
  syncIntervalS: number;
  syncSite: SyncSite;
  stopping: AbortSignal;
  timeout: (ms: number) => AbortSignal;
  goOn(work: Promise<unknown>): Promise<unknown>;
}

interface Shown {
  status?: number;
  note?: Html;
  faults?: Faults;
}

export function makeSitePages(needs: Needs): Route[] {
  const { sites, syncs, syncIntervalS, saveSite, syncSite, stopping, timeout, goOn } = needs;
  const on = (run: (visit: UserVisit, site: Site) => Answer | Promise<Answer>) => (visit: UserVisit) =>
    withSite(visit, (site) => run(visit, site));
  const path = '/sites/:site';
  return [
    { method: 'GET', path: '/sites', access: 'admin', run: list },
    ...makeNewSitePages(needs),
    { method: 'GET', path, access: 'admin', run: on((visit, site) => show(visit, site)) },
    { method: 'POST', path, access: 'admin', run: on(change) },
    { method: 'POST', path: `${path}/test`, access: 'admin', run: on(test) },
    { method: 'POST', path: `${path}/sync`, access: 'admin', run: on(sync) },
    { method: 'POST', path: `${path}/activate`, access: 'admin', run: on(activate) },
    { method: 'GET', path: `${path}/deactivate`, access: 'admin', run: on(ask) },
    { method: 'POST', path: `${path}/deactivate`, access: 'admin', run: on(deactivate) },
    { method: 'GET', path: `${path}/remove`, access: 'admin', run: on(askToRemove) },
    { method: 'POST', path: `${path}/remove`, access: 'admin', run: on(remove) },
    ...makeSiteAccessPages({ ...needs, withSite }),
    ...makeSiteSlipPages({ ...needs, withSite }),
  ];

  async function withSite(visit: UserVisit, run: (site: Site) => Answer | Promise<Answer>): Promise<Answer> {
    const text = visit.parameters.site ?? '';
    const id =
      /^\d{1,10}$/.test(text) && Number(text) <= HIGHEST_INTEGER ? asSiteId(Number(text)) : undefined;
    const site = id && (await sites.find(id));
    return site ? run(site) : problemPage(visit, 404, visit.words.problem.notFound);
  }

  async function list(visit: UserVisit): Promise<Answer> {
    const { sites: text } = visit.words.admin;
    const all = await sites.list();
    return answerPage(visit, {
      title: text.title,
      content: html`<h1>${text.title}</h1>${saidBefore(visit)}<p>${text.intro}</p>
<p><a class="button primary" href="/sites/new">${icon('plus')}<span>${text.add}</span></a></p>
<section class="card">${all.length === 0 ? html`<p class="soft">${text.empty}</p>` : siteTable(visit, all, await readSyncs())}</section>`,
    });
  }

  async function readSyncs() {
    return { of: await syncs.list(), intervalS: syncIntervalS };
  }

  async function show(visit: UserVisit, site: Site, { status, note, faults = {} }: Shown = {}) {
    const details = { syncs: await readSyncs(), faults, isRemovable: await isRemovable(site) };
    return answerPage(visit, {
      title: site.name,
      status: status ?? 200,
      content: html`<h1>${site.name}</h1>${note ?? saidBefore(visit)}${siteContent(visit, site, details)}`,
    });
  }

  async function change(visit: UserVisit, site: Site): Promise<Answer> {
    const { basics, faults } = readBasics(visit);
    // Of a real controller it is chosen from its list, together with the access.
    const place = site.access ? undefined : readControllerSite(visit);
    if (place?.fault) faults.site = place.fault;
    if (hasFaults(faults)) return show(visit, site, { status: 422, faults });
    const change = { ...basics, ...(place && { controllerSite: place.controllerSite }) };
    const saved = await saveSite.change(site, change, auditOf(visit));
    return saved.ok
      ? redirect(`/sites/${site.id}?said=changed`)
      : show(visit, site, { status: 422, note: saveNote(visit, saved.problem) });
  }

  async function test(visit: UserVisit, site: Site): Promise<Answer> {
    const { sites: text } = visit.words.admin;
    const failed = await saveSite.test(site);
    return show(visit, site, { note: failed ? testNote(visit, failed) : goodNote(text.works(site.name)) });
  }

  async function activate(visit: UserVisit, site: Site): Promise<Answer> {
    const { sites: text } = visit.words.admin;
    await sites.change(site.id, { active: true }, auditOf(visit));
    const failed = await saveSite.test(site);
    const note = failed
      ? html`<p class="note warn">${icon('warning')}<span>${text.activatedBut}</span></p>${testNote(visit, failed)}`
      : goodNote(text.activated);
    return show(visit, { ...site, active: true }, { note });
  }

  function ask(visit: UserVisit, site: Site): Answer {
    const { sites: text } = visit.words.admin;
    return askFirst(visit, {
      ask: text.deactivateAsk(site.name),
      what: text.deactivateWhat,
      action: `/sites/${site.id}/deactivate`,
      button: text.deactivate,
      back: `/sites/${site.id}`,
    });
  }

  async function deactivate(visit: UserVisit, site: Site): Promise<Answer> {
    await sites.change(site.id, { active: false }, auditOf(visit));
    return redirect(`/sites/${site.id}`);
  }

  async function isRemovable({ id, active }: Site): Promise<boolean> {
    return !active && !(await sites.hasTraces(id));
  }

  async function askToRemove(visit: UserVisit, site: Site): Promise<Answer> {
    const { sites: text } = visit.words.admin;
    if (!(await isRemovable(site))) return show(visit, site, { note: badNote(text.removeRefused) });
    return askFirst(visit, {
      ask: text.removeAsk(site.name),
      what: text.removeWhat,
      action: `/sites/${site.id}/remove`,
      button: text.remove,
      back: `/sites/${site.id}`,
    });
  }

  async function remove(visit: UserVisit, site: Site): Promise<Answer> {
    const { sites: text } = visit.words.admin;
    return (await sites.remove(site.id, auditOf(visit)))
      ? redirect('/sites?said=removed')
      : show(visit, site, { status: 422, note: badNote(text.removeRefused) });
  }

  async function sync(visit: UserVisit, site: Site): Promise<Answer> {
    if (!site.active) return redirect(`/sites/${site.id}`);
    let ended: Ended = 'under-way';
    const work = syncSite(site, stopping).then(
      (result) => {
        ended = result ?? 'busy';
      },
      (error) => {
        ended = fail({ kind: 'refused', text: error instanceof Error ? error.message : String(error) });
        throw error;
      },
    );
    await Promise.race([goOn(work), over(timeout(SYNC_PATIENCE_MS))]);
    return show(visit, site, { note: syncNote(visit, ended) });
  }
}

type Ended = Result<SyncTally, ControllerFailure> | 'busy' | 'under-way';

function syncNote(visit: UserVisit, ended: Ended): Html {
  const { sites: text } = visit.words.admin;
  if (ended === 'busy' || ended === 'under-way')
    return html`<p class="note" role="status">${icon('expired')}<span>${ended === 'busy' ? text.syncBusy : text.syncUnderWay}</span></p>`;
  if (!ended.ok)
    return badNote(html`<strong>${text.syncFailed}</strong><br>${mendOf(visit, ended.problem.cause)}`);
  const { listed, changed, gone, imported } = ended.value;
  return goodNote(text.synced(listed, changed, gone, imported));
}

/** What the page before this one has done. */
function saidBefore({ query, words: { admin } }: UserVisit): Html | undefined {
  const { made, madeUntested, madeInactive, changed, removed } = admin.sites;
  const all = new Map(Object.entries({ made, madeUntested, madeInactive, changed, removed }));
  const text = all.get(query.get('said') ?? '');
  return text === undefined ? undefined : goodNote(text);
}

function over(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
