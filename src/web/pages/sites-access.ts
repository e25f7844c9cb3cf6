// Pointing a site elsewhere or giving it other credentials, along the same guided way as setting one up.
// Stored credentials are only kept for the address they were entered for, so that nobody can send them away.

import { CONTROLLER_KINDS } from '../../domain/controller.ts';
import { ok } from '../../domain/result.ts';
import type { Site } from '../../domain/sites/site.ts';
import type { Answer } from '../../http/exchange.ts';
import { problemPage } from '../answer-visits.ts';
import { type Html, html } from '../html.ts';
import { answerPage, formToken } from '../layout.ts';
import type { Route } from '../routes.ts';
import { auditOf, type UserVisit } from '../visit.ts';
import type { Step } from './sites-errand.ts';
import { type Faults, hasFaults, readAddress } from './sites-forms.ts';
import { type GuideNeeds, makeGuide } from './sites-guide.ts';
import { addressField, stepList } from './sites-steps.ts';

type WithSite = (visit: UserVisit, run: (site: Site) => Answer | Promise<Answer>) => Promise<Answer>;

export function makeSiteAccessPages({ withSite, ...needs }: GuideNeeds & { withSite: WithSite }): Route[] {
  const { saveSite } = needs;
  const guide = makeGuide(needs);
  const path = '/sites/:site/access';
  const step = (below: string, run: Step): Route => ({
    method: 'POST',
    path: path + below,
    access: 'admin',
    run: (visit) => withErrand(visit, run),
  });
  return [
    { method: 'GET', path, access: 'admin', run: show },
    step('', guide.meet),
    step('/certificate', guide.confirm),
    step('/site', guide.choose),
    step('/store', guide.finish),
  ];

  function show(visit: UserVisit): Promise<Answer> {
    return withSite(visit, (site) =>
      site.access ? firstStep(visit, site, {}) : problemPage(visit, 404, visit.words.problem.notFound),
    );
  }

  function withErrand(visit: UserVisit, run: Step): Promise<Answer> {
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
        current: site,
        again: (found, note) => firstStep(visit, site, found, note),
        async save({ access, controllerSite, untested }) {
          const change = { access, controllerSite, ...(untested && { active: false }) };
          const saved = await saveSite.change(site, change, { ...auditOf(visit), untested });
          return saved.ok ? ok(`/sites/${site.id}?said=${untested ? 'madeInactive' : 'changed'}`) : saved;
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
