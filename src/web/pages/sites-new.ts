// Setting up a site: its first step, and the simulator, which needs no other.

import { ok } from '../../domain/result.ts';
import type { SaveProblem, SaveSite } from '../../domain/sites/save-site.ts';
import type { Answer } from '../../http/exchange.ts';
import { type Html, html } from '../html.ts';
import { answerPage, formToken, redirect } from '../layout.ts';
import type { Route } from '../routes.ts';
import { actorOf, type UserVisit } from '../visit.ts';
import {
  type Basics,
  basicFields,
  type Faults,
  hasFaults,
  kindField,
  readAddress,
  readBasics,
  readKind,
} from './sites-forms.ts';
import { addressField, type Errand, type MeetController, makeGuide, stepList } from './sites-guide.ts';
import { saveNote } from './sites-trouble.ts';

const PATH = '/sites/new';
const FRESH: Basics = { name: '', controllerSite: 'default', importsForeign: true };

interface Needs {
  saveSite: SaveSite;
  meetController: MeetController;
}

export function makeNewSitePages({ saveSite, meetController }: Needs): Route[] {
  const guide = makeGuide(meetController);
  return [
    { method: 'GET', path: PATH, access: 'admin', run: (visit) => firstStep(visit, {}) },
    { method: 'POST', path: PATH, access: 'admin', run: (visit) => begin(visit) },
    {
      method: 'POST',
      path: `${PATH}/certificate`,
      access: 'admin',
      run: (visit) => withErrand(visit, guide.confirm),
    },
    {
      method: 'POST',
      path: `${PATH}/store`,
      access: 'admin',
      run: (visit) => withErrand(visit, guide.finish),
    },
  ];

  async function begin(visit: UserVisit): Promise<Answer> {
    if (readKind(visit) !== 'simulator') return withErrand(visit, guide.meet);
    const { basics, faults } = readBasics(visit);
    if (hasFaults(faults)) return firstStep(visit, faults);
    const anyway = visit.form.has('anyway');
    const site = { ...basics, active: true, controllerKind: 'simulator', access: null };
    const saved = await saveSite.add(site, { actor: actorOf(visit), atMs: visit.nowMs, anyway });
    return saved.ok
      ? redirect(madePath(saved.value, anyway))
      : firstStep(visit, {}, saveNote(visit, saved.problem), saved.problem);
  }

  /** Every step reads what the first one asked for, as if it had been entered only now. */
  async function withErrand(
    visit: UserVisit,
    run: (visit: UserVisit, errand: Errand) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    const { sites: text } = visit.words.admin;
    const { basics, faults } = readBasics(visit);
    const kind = readKind(visit);
    const url = readAddress(visit);
    if (!kind) faults.kind = text.missing;
    if (url === undefined) faults.url = text.addressWrong;
    if (!kind || kind === 'simulator' || url === undefined || hasFaults(faults))
      return firstStep(visit, faults);
    return run(visit, {
      title: text.add,
      path: PATH,
      cancel: '/sites',
      kind,
      url,
      carried: {
        name: basics.name,
        kind,
        site: basics.controllerSite,
        url,
        import: basics.importsForeign ? 'on' : 'off',
      },
      kept: undefined,
      findTwin: () => saveSite.findTwin({ url, controllerSite: basics.controllerSite }),
      again: (found, note) => firstStep(visit, found, note),
      async save(access, anyway) {
        const site = { ...basics, active: true, controllerKind: kind, access };
        const saved = await saveSite.add(site, { actor: actorOf(visit), atMs: visit.nowMs, anyway });
        return saved.ok ? ok(madePath(saved.value, anyway)) : saved;
      },
    });
  }
}

function madePath(id: number, anyway: boolean): string {
  return `/sites/${id}?said=${anyway ? 'madeInactive' : 'made'}`;
}

function firstStep(visit: UserVisit, faults: Faults, note?: Html, problem?: SaveProblem): Answer {
  const { form, words } = visit;
  const { sites: text, cancel } = words.admin;
  const shown = form.has('name') ? readBasics(visit).basics : FRESH;
  const url = { value: form.get('url') ?? '', hint: text.addressHint, error: faults.url };
  return answerPage(visit, {
    title: text.add,
    status: note || hasFaults(faults) ? 422 : 200,
    content: html`<h1>${text.add}</h1>${stepList(visit, 0)}${note}
<section class="card"><form method="post" action="${PATH}" data-working="${text.connecting}" novalidate>${formToken(visit)}
${kindField(visit, form.get('kind') ?? 'unifi', faults.kind)}${addressField(visit, url)}${basicFields(visit, shown, faults)}
<div class="actions"><button class="button primary" type="submit">${text.next}</button>
${problem?.kind === 'test-failed' && html`<button class="button" name="anyway" value="yes">${text.storeAnyway}</button>`}<a class="button" href="/sites">${cancel}</a></div></form></section>`,
  });
}
