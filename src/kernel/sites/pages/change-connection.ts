// Changes the controller's URL or the credentials of a site, with the same wizard as for a new site. Stored
// credentials are reused only if the URL is unchanged, so that they cannot be sent to another host. The password is
// asked first: who confirms a wrong certificate sends them to another host too.

import { selectField } from '../../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { fail, ok } from '../../../platform/values/result.ts';
import { findKind } from '../../controllers/controller-kind.ts';
import { type AuthenticatedContext, auditContextOf } from '../../pages/context.ts';
import { formToken, renderPage } from '../../pages/layout.ts';
import { notFoundPage } from '../../pages/problem-page.ts';
import type { Route } from '../../pages/route.ts';
import { lacksPassword } from '../controller-connection.ts';
import { isUnconfirmed, type Site } from '../site.ts';
import { TEST_ORDER } from '../test-site.ts';
import { saveMessage } from './controller-errors.ts';
import {
  controllerSiteField,
  hasIssues,
  readControllerSite,
  readUrl,
  type SiteFormIssues,
} from './site-forms.ts';
import { withSite } from './with-site.ts';
import * as wizard from './wizard.ts';
import type { Choosing, SiteChoice, Step, WizardPurpose } from './wizard-steps.ts';
import { choiceForm, stepList, urlField } from './wizard-steps.ts';

const path = '/sites/:site/access';
const step = (below: string, run: Step): Route => ({
  method: 'POST',
  path: path + below,
  permission: 'admin',
  recentPassword: true,
  run: withPurpose(run),
});

export const siteConnectionRoutes: Route[] = [
  { method: 'GET', path, permission: 'admin', run: withSite(show) },
  step('', wizard.probe),
  step('/certificate', wizard.confirm),
  step('/site', wizard.choose),
  step('/store', wizard.finish),
];

function show(context: AuthenticatedContext, site: Site): Response {
  return site.connection ? firstStep(context, site, {}) : notFoundPage(context);
}

function withPurpose(run: Step): (context: AuthenticatedContext) => Promise<Response> {
  return withSite((context, site) => {
    const { findCertificateHistory, saveSite, kinds } = context.app;
    const { sites: text } = context.messages.admin;
    const kind = findKind(kinds, site.controllerKind);
    if (!site.connection || !kind) return notFoundPage(context);
    const url = readUrl(context);
    if (url === undefined) return firstStep(context, site, { url: text.urlWrong });
    const purpose: WizardPurpose = {
      title: text.connectionOf(site.name),
      path: `/sites/${site.id}/access`,
      cancel: `/sites/${site.id}`,
      kind,
      url,
      carried: { url },
      kept:
        url === site.connection.url && !lacksPassword(site.connection)
          ? site.connection.credentials
          : undefined,
      current: site,
      history: () => findCertificateHistory(site.id),
      again: (found, message) => firstStep(context, site, found, message),
      typedFields: (found) => typedField(context, site, found),
      choicePage: (choosing) => selectPage(context, purpose, choosing),
      async save({ connection, untested }) {
        const { controllerSite, issue } = readControllerSite(context);
        if (issue) return fail({ issues: { site: issue } });
        const activity = untested ? { active: false } : isUnconfirmed(site) && { active: true };
        const change = { connection, controllerSite, ...activity };
        const saved = await saveSite.change(site, change, { ...auditContextOf(context), untested });
        if (saved.ok)
          return ok({ path: `/sites/${site.id}`, notice: untested ? 'siteMadeInactive' : 'siteSaved' });
        const mayStoreAnyway = saved.problem.kind === 'test-failed';
        return fail({ message: saveMessage(context, saved.problem), mayStoreAnyway });
      },
    };
    return run(context, purpose);
  });
}

/** Shows the sites of the controller as a list from which one is chosen. */
function selectPage(context: AuthenticatedContext, purpose: WizardPurpose, choosing: Choosing): Response {
  const { sites: text } = context.messages.admin;
  const { choices, issues = {} } = choosing;
  const free = choices.filter(({ twin }) => !twin);
  const usual = free.find(({ id }) => id === 'default') ?? free[0];
  const field = selectField({
    name: 'site',
    label: text.controllerSite,
    hint: text.siteChoiceHint,
    value: context.form.get('site') ?? purpose.current?.controllerSite ?? usual?.id ?? '',
    choices: choices.map((choice) => ({ value: choice.id, label: sayChoice(context, choice) })),
    error: issues.site,
  });
  return choiceForm(context, purpose, choosing, {
    title: text.siteTitle,
    fields: html`${choices.length === 0 ? purpose.typedFields(issues) : field}<p class="soft">${text.siteTest(TEST_ORDER.name)}</p>`,
    canStore: true,
  });
}

function sayChoice({ messages: { admin } }: AuthenticatedContext, { id, name, twin }: SiteChoice): string {
  const said = name === '' || name === id ? id : `${name} (${id})`;
  return twin ? `${said} – ${admin.sites.siteTaken(twin.name)}` : said;
}

function typedField(context: AuthenticatedContext, site: Site, issues: SiteFormIssues): Html {
  const value = context.form.get('site') ?? site.controllerSite;
  const hint = context.messages.admin.sites.controllerSiteHint;
  return controllerSiteField(context, { value, hint, error: issues.site });
}

function firstStep(
  context: AuthenticatedContext,
  site: Site,
  issues: SiteFormIssues,
  message?: Html,
): Response {
  const { sites: text, cancel } = context.messages.admin;
  const value = context.form.get('url') ?? site.connection?.url ?? '';
  return renderPage(context, {
    title: text.connectionOf(site.name),
    status: message || hasIssues(issues) ? 422 : 200,
    message,
    issues,
    content: html`<h1>${text.connectionOf(site.name)}</h1>${stepList(context, 0)}
<section class="card"><form method="post" action="/sites/${site.id}/access" data-working="${text.connecting}" novalidate>${formToken(context)}
${urlField(context, { value, hint: text.urlHintUnifi, error: issues.url })}
<div class="actions"><button class="button primary" type="submit">${text.next}</button><a class="button" href="/sites/${site.id}">${cancel}</a></div></form></section>`,
  });
}
