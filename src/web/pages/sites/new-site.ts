// The wizard that adds sites. Its first step asks for the controller. A kind of controller without an address needs only
// a name.

import type { ControllerKind } from '../../../domain/controller-kind.ts';
import { fail, ok } from '../../../domain/result.ts';
import { type AuthenticatedContext, auditContextOf } from '../../http/context.ts';
import type { Route } from '../../http/route.ts';
import { type Html, html } from '../../ui/html.ts';
import { formToken, redirect, renderPage } from '../../ui/layout.ts';
import { choosePage, readChosen, typedFields } from './choose-sites.ts';
import { refusedMessage, saveMessage } from './controller-errors.ts';
import {
  basicFields,
  hasIssues,
  hiddenFields,
  kindField,
  readBasics,
  readKind,
  readUrl,
  type SiteFormIssues,
} from './site-forms.ts';
import * as wizard from './wizard.ts';
import { type Step, stepList, urlField, type WizardPurpose } from './wizard-steps.ts';

const PATH = '/sites/new';

const step = (path: string, run: Step): Route => ({
  method: 'POST',
  path: PATH + path,
  permission: 'admin',
  run: (context) => withPurpose(context, run),
});
export const newSiteRoutes: Route[] = [
  { method: 'GET', path: PATH, permission: 'admin', run: (context) => firstStep(context, {}) },
  { method: 'POST', path: PATH, permission: 'admin', run: begin },
  step('/certificate', wizard.confirm),
  step('/site', wizard.choose),
  step('/store', wizard.finish),
];

async function begin(context: AuthenticatedContext): Promise<Response> {
  const kind = readKind(context);
  return kind && !kind.hasAddress ? addWithoutAddress(context, kind) : withPurpose(context, wizard.probe);
}

/** Reads the fields of the first step. Later steps contain them as hidden fields, which are validated each time. */
async function withPurpose(context: AuthenticatedContext, run: Step): Promise<Response> {
  const { sites: text } = context.messages.admin;
  const kind = readKind(context);
  const url = readUrl(context);
  if (kind?.hasAddress && url !== undefined)
    return run(context, purposeOf(context, { path: PATH, kind, url, carried: { kind: kind.name, url } }));
  return firstStep(context, {
    ...(!kind?.hasAddress && { kind: text.missing }),
    ...(url === undefined && { url: text.urlWrong }),
  });
}

function purposeOf(
  context: AuthenticatedContext,
  controller: Pick<WizardPurpose, 'path' | 'kind' | 'url' | 'carried'>,
): WizardPurpose {
  const purpose: WizardPurpose = {
    ...controller,
    title: context.messages.admin.sites.add,
    cancel: '/sites',
    kept: undefined,
    current: undefined,
    again: (issues, message) => firstStep(context, issues, message),
    typedFields: (issues) => typedFields(context, issues),
    choicePage: (choosing) => choosePage(context, purpose, choosing),
    async save({ connection, untested }) {
      const { chosen, issues } = readChosen(context);
      if (hasIssues(issues)) return fail({ issues });
      const { importsForeign } = readBasics(context).basics;
      const common = {
        importsForeign,
        active: !untested,
        controllerKind: controller.kind.name,
        connection,
      };
      const saved = await context.app.saveSite.addAll(
        chosen.map((site) => ({ ...common, ...site })),
        { ...auditContextOf(context), untested },
      );
      if (!saved.ok) {
        const mayStoreAnyway = saved.problem.some(({ problem }) => problem.kind === 'test-failed');
        return fail({ message: refusedMessage(context, saved.problem), mayStoreAnyway });
      }
      const [id, ...others] = saved.value;
      return others.length === 0
        ? ok({ path: `/sites/${id}`, notice: untested ? 'siteMadeInactive' : 'siteMade' })
        : ok({ path: '/sites', notice: untested ? 'sitesMadeInactive' : 'sitesMade' });
    },
  };
  return purpose;
}

function firstStep(context: AuthenticatedContext, issues: SiteFormIssues, message?: Html): Response {
  const { form, messages } = context;
  const { sites: text, cancel } = messages.admin;
  const url = { value: form.get('url') ?? '', hint: text.urlHint, error: issues.url };
  return renderPage(context, {
    title: text.add,
    status: message || hasIssues(issues) ? 422 : 200,
    message,
    issues,
    content: html`<h1>${text.add}</h1>${stepList(context, 0)}
<section class="card"><form method="post" action="${PATH}" data-working="${text.connecting}" novalidate>${formToken(context)}
${kindField(context, { value: form.get('kind'), error: issues.kind })}${urlField(context, url)}
<div class="actions"><button class="button primary" type="submit">${text.next}</button><a class="button" href="/sites">${cancel}</a></div></form></section>`,
  });
}

/** Asks for the name of the site, which is all that the kind needs, and adds the site. */
async function addWithoutAddress(context: AuthenticatedContext, kind: ControllerKind): Promise<Response> {
  if (!context.form.has('name')) return namePage(context, kind, {});
  const { basics, issues } = readBasics(context);
  if (hasIssues(issues)) return namePage(context, kind, issues);
  const site = { ...basics, active: true, controllerKind: kind.name, controllerSite: 'default' };
  const saved = await context.app.saveSite.add({ ...site, connection: null }, auditContextOf(context));
  return saved.ok
    ? redirect(context, `/sites/${saved.value}`, 'siteMadeUntested')
    : namePage(context, kind, {}, saveMessage(context, saved.problem));
}

function namePage(
  context: AuthenticatedContext,
  kind: ControllerKind,
  issues: SiteFormIssues,
  message?: Html,
): Response {
  const { sites: text, cancel, save } = context.messages.admin;
  return renderPage(context, {
    title: text.add,
    status: message || hasIssues(issues) ? 422 : 200,
    message,
    issues,
    content: html`<h1>${text.add}</h1>
<section class="card"><form method="post" action="${PATH}" novalidate>${formToken(context)}${hiddenFields({ kind: kind.name })}
${basicFields(context, readBasics(context).basics, issues)}
<div class="actions"><button class="button primary" type="submit">${save}</button><a class="button" href="/sites">${cancel}</a></div></form></section>`,
  });
}
