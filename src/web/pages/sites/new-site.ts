// The first step of the wizard that adds a site. For a kind of controller without an address, it is the only step.

import { ok } from '../../../domain/result.ts';
import { type AuthenticatedContext, auditContextOf } from '../../http/context.ts';
import type { Route } from '../../http/route.ts';
import { type Html, html } from '../../ui/html.ts';
import { formToken, redirect, renderPage } from '../../ui/layout.ts';
import { saveMessage } from './controller-errors.ts';
import {
  type Basics,
  basicFields,
  hasIssues,
  kindField,
  readBasics,
  readKind,
  readUrl,
  type SiteFormIssues,
} from './site-forms.ts';
import * as wizard from './wizard.ts';
import type { Step } from './wizard-steps.ts';
import { stepList, urlField } from './wizard-steps.ts';

const PATH = '/sites/new';
const FRESH: Basics = { name: '', importsForeign: true };

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
  if (!kind || kind.hasAddress) return withPurpose(context, wizard.probe);
  const { basics, issues } = readBasics(context);
  if (hasIssues(issues)) return firstStep(context, issues);
  const site = { ...basics, active: true, controllerKind: kind.name, controllerSite: 'default' };
  const saved = await context.app.saveSite.add({ ...site, connection: null }, auditContextOf(context));
  return saved.ok
    ? redirect(context, `/sites/${saved.value}`, 'siteMadeUntested')
    : firstStep(context, {}, saveMessage(context, saved.problem));
}

/** Reads the fields of the first step. Later steps contain them as hidden fields, which are validated each time. */
async function withPurpose(context: AuthenticatedContext, run: Step): Promise<Response> {
  const { sites: text } = context.messages.admin;
  const { basics, issues } = readBasics(context);
  const kind = readKind(context);
  const url = readUrl(context);
  if (!kind) issues.kind = text.missing;
  if (url === undefined) issues.url = text.urlWrong;
  if (!kind?.hasAddress || url === undefined || hasIssues(issues)) return firstStep(context, issues);
  return run(context, {
    title: text.add,
    path: PATH,
    cancel: '/sites',
    kind,
    url,
    carried: { name: basics.name, kind: kind.name, url, import: basics.importsForeign ? 'on' : 'off' },
    kept: undefined,
    current: undefined,
    again: (found, message) => firstStep(context, found, message),
    async save({ connection, controllerSite, untested }) {
      const site = {
        ...basics,
        active: !untested,
        controllerKind: kind.name,
        controllerSite,
        connection,
      };
      const saved = await context.app.saveSite.add(site, { ...auditContextOf(context), untested });
      if (!saved.ok) return saved;
      return ok({ path: `/sites/${saved.value}`, notice: untested ? 'siteMadeInactive' : 'siteMade' });
    },
  });
}

function firstStep(context: AuthenticatedContext, issues: SiteFormIssues, message?: Html): Response {
  const { form, messages } = context;
  const { sites: text, cancel } = messages.admin;
  const shown = form.has('name') ? readBasics(context).basics : FRESH;
  const url = { value: form.get('url') ?? '', hint: text.urlHint, error: issues.url };
  return renderPage(context, {
    title: text.add,
    status: message || hasIssues(issues) ? 422 : 200,
    message,
    issues,
    content: html`<h1>${text.add}</h1>${stepList(context, 0)}
<section class="card"><form method="post" action="${PATH}" data-working="${text.connecting}" novalidate>${formToken(context)}
${kindField(context, { value: form.get('kind'), error: issues.kind })}${urlField(context, url)}${basicFields(context, shown, issues)}
<div class="actions"><button class="button primary" type="submit">${text.next}</button><a class="button" href="/sites">${cancel}</a></div></form></section>`,
  });
}
