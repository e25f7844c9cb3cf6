// Pointing a site elsewhere or giving it other credentials, along the same guided way as setting one up.
// Stored credentials are only kept for the address they were entered for, so that nobody can send them away.

import { CONTROLLER_KINDS } from '../../domain/controller.ts';
import { ok } from '../../domain/result.ts';
import type { SaveSite } from '../../domain/sites/save-site.ts';
import type { Site } from '../../domain/sites/site.ts';
import type { Answer } from '../../http/exchange.ts';
import { problemPage } from '../answer-visits.ts';
import { type Html, html } from '../html.ts';
import { answerPage, formToken } from '../layout.ts';
import type { Route } from '../routes.ts';
import { actorOf, type UserVisit } from '../visit.ts';
import { type Faults, hasFaults, readAddress } from './sites-forms.ts';
import { addressField, type Errand, type MeetController, makeGuide, stepList } from './sites-guide.ts';

type WithSite = (visit: UserVisit, run: (site: Site) => Answer | Promise<Answer>) => Promise<Answer>;

interface Needs {
  saveSite: SaveSite;
  meetController: MeetController;
  withSite: WithSite;
}

export function makeSiteAccessPages({ saveSite, meetController, withSite }: Needs): Route[] {
  const guide = makeGuide(meetController);
  const path = '/sites/:site/access';
  return [
    { method: 'GET', path, access: 'admin', run: show },
    { method: 'POST', path, access: 'admin', run: (visit) => withErrand(visit, guide.meet) },
    {
      method: 'POST',
      path: `${path}/certificate`,
      access: 'admin',
      run: (visit) => withErrand(visit, guide.confirm),
    },
    {
      method: 'POST',
      path: `${path}/store`,
      access: 'admin',
      run: (visit) => withErrand(visit, guide.finish),
    },
  ];

  function show(visit: UserVisit): Promise<Answer> {
    return withSite(visit, (site) =>
      site.access ? firstStep(visit, site, {}) : problemPage(visit, 404, visit.words.problem.notFound),
    );
  }

  function withErrand(
    visit: UserVisit,
    run: (visit: UserVisit, errand: Errand) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    const { sites: text } = visit.words.admin;
    return withSite(visit, (site) => {
      const kind = CONTROLLER_KINDS.find((known) => known === site.controllerKind);
      if (!site.access || !kind) return problemPage(visit, 404, visit.words.problem.notFound);
      const url = readAddress(visit);
      if (url === undefined) return firstStep(visit, site, { url: text.addressWrong });
      return run(visit, {
        title: text.accessOf(site.name),
        path: `/sites/${site.id}/access`,
        cancel: `/sites/${site.id}`,
        kind,
        url,
        carried: { url },
        kept: url === site.access.url ? site.access.credentials : undefined,
        findTwin: () => saveSite.findTwin({ id: site.id, url, controllerSite: site.controllerSite }),
        again: (found, note) => firstStep(visit, site, found, note),
        async save(access, anyway) {
          const wish = { actor: actorOf(visit), atMs: visit.nowMs, anyway };
          const saved = await saveSite.change(site, { access }, wish);
          return saved.ok ? ok(`/sites/${site.id}?said=${anyway ? 'madeInactive' : 'changed'}`) : saved;
        },
      });
    });
  }
}

function firstStep(visit: UserVisit, site: Site, faults: Faults, note?: Html): Answer {
  const { sites: text, cancel } = visit.words.admin;
  const value = visit.form.get('url') ?? site.access?.url ?? '';
  return answerPage(visit, {
    title: text.accessOf(site.name),
    status: note || hasFaults(faults) ? 422 : 200,
    content: html`<h1>${text.accessOf(site.name)}</h1>${stepList(visit, 0)}${note}
<section class="card"><form method="post" action="/sites/${site.id}/access" data-working="${text.connecting}" novalidate>${formToken(visit)}
${addressField(visit, { value, hint: text.addressHintUnifi, error: faults.url })}
<div class="actions"><button class="button primary" type="submit">${text.next}</button><a class="button" href="/sites/${site.id}">${cancel}</a></div></form></section>`,
  });
}
