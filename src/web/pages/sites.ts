// Sites: the list, one site with its state, test it, sync it, rename it, switch it on and off.

import type { ControllerFailure } from '../../domain/controller.ts';
import { asSiteId } from '../../domain/ids.ts';
import { fail, type Result } from '../../domain/result.ts';
import type { SaveProblem, SaveSite } from '../../domain/sites/save-site.ts';
import type { Site, SiteStore } from '../../domain/sites/site.ts';
import type { SyncStore } from '../../domain/sites/site-sync.ts';
import type { SyncSite, SyncTally } from '../../domain/vouchers/sync-site.ts';
import { HIGHEST_INTEGER } from '../../domain/vouchers/voucher-order.ts';
import type { Answer } from '../../http/exchange.ts';
import { problemPage } from '../answer-visits.ts';
import { askFirst } from '../ask-first.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../icons.ts';
import { answerPage, redirect } from '../layout.ts';
import type { Route } from '../routes.ts';
import { auditOf, type UserVisit } from '../visit.ts';
import { makeSiteAccessPages } from './sites-access.ts';
import { type Faults, hasFaults, readBasics } from './sites-forms.ts';
import type { MeetController } from './sites-guide.ts';
import { makeNewSitePages } from './sites-new.ts';
import { siteContent, siteTable } from './sites-shown.ts';
import { goodNote, saveNote, troubleNote } from './sites-trouble.ts';

/** A sync that takes longer goes on after its page was answered. */
const SYNC_PATIENCE_MS = 8_000;

interface Needs {
  sites: Pick<SiteStore, 'list' | 'find' | 'change'>;
  syncs: Pick<SyncStore, 'list'>;
  saveSite: SaveSite;
  meetController: MeetController;
  syncSite: SyncSite;
  stopping: AbortSignal;
  timeout: (ms: number) => AbortSignal;
  goOn(work: Promise<unknown>): Promise<unknown>;
}

interface Shown {
  status?: number;
  note?: Html;
  faults?: Faults;
  problem?: SaveProblem;
}

export function makeSitePages(needs: Needs): Route[] {
  const { sites, syncs, saveSite, syncSite, stopping, timeout, goOn } = needs;
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
    ...makeSiteAccessPages({ ...needs, withSite }),
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
    const [all, known] = await Promise.all([sites.list(), syncs.list()]);
    return answerPage(visit, {
      title: text.title,
      content: html`<h1>${text.title}</h1><p>${text.intro}</p>
<p><a class="button primary" href="/sites/new">${icon('plus')}<span>${text.add}</span></a></p>
<section class="card">${all.length === 0 ? html`<p class="soft">${text.empty}</p>` : siteTable(visit, all, known)}</section>`,
    });
  }

  async function show(
    visit: UserVisit,
    site: Site,
    { status, note, faults, problem }: Shown = {},
  ): Promise<Answer> {
    const sync = (await syncs.list()).get(site.id);
    return answerPage(visit, {
      title: site.name,
      status: status ?? 200,
      content: html`<h1>${site.name}</h1>${note ?? saidBefore(visit)}${siteContent(visit, site, { sync, faults: faults ?? {}, problem })}`,
    });
  }

  async function change(visit: UserVisit, site: Site): Promise<Answer> {
    const { basics, faults } = readBasics(visit);
    if (hasFaults(faults)) return show(visit, site, { status: 422, faults });
    const anyway = visit.form.has('anyway');
    const saved = await saveSite.change(site, basics, { ...auditOf(visit), anyway });
    if (saved.ok) return redirect(`/sites/${site.id}?said=${anyway ? 'madeInactive' : 'changed'}`);
    const { problem } = saved;
    return show(visit, site, { status: 422, note: saveNote(visit, problem), problem });
  }

  async function test(visit: UserVisit, site: Site): Promise<Answer> {
    const { sites: text } = visit.words.admin;
    const failure = await saveSite.test(site);
    return show(visit, site, {
      note: failure ? troubleNote(visit, text.testFailed, failure) : goodNote(text.works(site.name)),
    });
  }

  async function activate(visit: UserVisit, site: Site): Promise<Answer> {
    const { sites: text } = visit.words.admin;
    await sites.change(site.id, { active: true }, auditOf(visit));
    const failure = await saveSite.test(site);
    return show(
      visit,
      { ...site, active: true },
      {
        note: failure ? troubleNote(visit, text.activatedBut, failure) : goodNote(text.activated),
      },
    );
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
  if (!ended.ok) return troubleNote(visit, text.syncFailed, ended.problem);
  const { listed, changed, gone, imported } = ended.value;
  return goodNote(text.synced(listed, changed, gone, imported));
}

/** What the page before this one has done. */
function saidBefore({ query, words: { admin } }: UserVisit): Html | undefined {
  const { made, madeInactive, changed } = admin.sites;
  const text = new Map(Object.entries({ made, madeInactive, changed })).get(query.get('said') ?? '');
  return text === undefined ? undefined : goodNote(text);
}

function over(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
