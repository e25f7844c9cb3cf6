// Setting up a site: its first step, and the simulator, which needs no other.

import { CONTROLLER_KINDS } from '../../domain/controller.ts';
import { ok } from '../../domain/result.ts';
import type { Answer } from '../../http/exchange.ts';
import { type Html, html } from '../html.ts';
import { answerPage, formToken, redirect } from '../layout.ts';
import type { Route } from '../routes.ts';
import { auditOf, type UserVisit } from '../visit.ts';
import type { Step } from './sites-errand.ts';
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
import { type GuideNeeds, makeGuide } from './sites-guide.ts';
import { addressField, stepList } from './sites-steps.ts';
import { saveNote } from './sites-trouble.ts';

const PATH = '/sites/new';
const FRESH: Basics = { name: '', importsForeign: true };

export function makeNewSitePages(needs: GuideNeeds): Route[] {
  const { saveSite } = needs;
  const guide = makeGuide(needs);
  const step = (path: string, run: Step): Route => ({
    method: 'POST',
    path: PATH + path,
    access: 'admin',
    run: (visit) => withErrand(visit, run),
  });
  return [
    { method: 'GET', path: PATH, access: 'admin', run: (visit) => firstStep(visit, {}) },
    { method: 'POST', path: PATH, access: 'admin', run: (visit) => begin(visit) },
    step('/certificate', guide.confirm),
    step('/site', guide.choose),
    step('/store', guide.finish),
  ];

  async function begin(visit: UserVisit): Promise<Answer> {
    if (readKind(visit) !== 'simulator') return withErrand(visit, guide.meet);
    const { basics, faults } = readBasics(visit);
    if (hasFaults(faults)) return firstStep(visit, faults);
    const site = { ...basics, active: true, controllerKind: 'simulator', controllerSite: 'default' };
    const saved = await saveSite.add({ ...site, access: null }, auditOf(visit));
    return saved.ok
      ? redirect(`/sites/${saved.value}?said=madeUntested`)
      : firstStep(visit, {}, saveNote(visit, saved.problem));
  }

  /** Every step reads what the first one asked for, as if it had been entered only now. */
  async function withErrand(visit: UserVisit, run: Step): Promise<Answer> {
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
      carried: { name: basics.name, kind, url, import: basics.importsForeign ? 'on' : 'off' },
      kept: undefined,
      current: undefined,
      again: (found, note) => firstStep(visit, found, note),
      async save({ access, controllerSite, untested }) {
        const site = { ...basics, active: !untested, controllerKind: kind, controllerSite, access };
        const saved = await saveSite.add(site, { ...auditOf(visit), untested });
        return saved.ok ? ok(`/sites/${saved.value}?said=${untested ? 'madeInactive' : 'made'}`) : saved;
      },
    });
  }
}

function firstStep(visit: UserVisit, faults: Faults, note?: Html): Answer {
  const { form, words } = visit;
  const { sites: text, cancel } = words.admin;
  const shown = form.has('name') ? readBasics(visit).basics : FRESH;
  const url = { value: form.get('url') ?? '', hint: text.addressHint, error: faults.url };
  return answerPage(visit, {
    title: text.add,
    status: note || hasFaults(faults) ? 422 : 200,
    content: html`<h1>${text.add}</h1>${stepList(visit, 0)}${note}
<section class="card"><form method="post" action="${PATH}" data-working="${text.connecting}" novalidate>${formToken(visit)}
${kindField(visit, form.get('kind') ?? CONTROLLER_KINDS[0], faults.kind)}${addressField(visit, url)}${basicFields(visit, shown, faults)}
<div class="actions"><button class="button primary" type="submit">${text.next}</button><a class="button" href="/sites">${cancel}</a></div></form></section>`,
  });
}
