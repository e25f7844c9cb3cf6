// The wizard that adds sites. Its first step asks for the controller, or offers one that is already in use. A kind of
// controller without an address needs only a name.

import { sitesStylesheet } from '../../../platform/pages/assets.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { fail, ok } from '../../../platform/values/result.ts';
import type { ControllerKind } from '../../controllers/controller-kind.ts';
import { type AuthenticatedContext, auditContextOf } from '../../pages/context.ts';
import { formToken, redirect, renderPage } from '../../pages/layout.ts';
import { message as messageOf } from '../../pages/message.ts';
import type { Route } from '../../pages/route.ts';
import { choosePage, readChosen, typedFields } from './choose-sites.ts';
import { errorMessage, refusedMessage, saveMessage } from './controller-errors.ts';
import {
  FROM_FIELD,
  findReusable,
  REUSE_PATH,
  type ReusableConnection,
  readReused,
  reuseCard,
} from './reuse-connection.ts';
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
const reuseStep = (path: string, run: ReuseStep): Route => ({
  method: 'POST',
  path: REUSE_PATH + path,
  permission: 'admin',
  recentPassword: true,
  run: (context) => withReused(context, run),
});

export const newSiteRoutes: Route[] = [
  { method: 'GET', path: PATH, permission: 'admin', run: (context) => firstStep(context, {}) },
  { method: 'POST', path: PATH, permission: 'admin', run: begin },
  step('/certificate', wizard.confirm),
  step('/site', wizard.choose),
  step('/store', wizard.finish),
  reuseStep('', chooseReused),
  reuseStep('/store', (context, purpose, { connection }) =>
    context.form.has('back') ? purpose.again({}) : wizard.store(context, purpose, { connection, held: {} }),
  ),
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

type ReuseStep = (
  context: AuthenticatedContext,
  purpose: WizardPurpose,
  reused: ReusableConnection,
) => Response | Promise<Response>;

async function withReused(context: AuthenticatedContext, run: ReuseStep): Promise<Response> {
  const { sites: text } = context.messages.admin;
  const reused = await readReused(context);
  if (!reused) return firstStep(context, {}, messageOf('error', text.reuseGone));
  const carried = { [FROM_FIELD]: context.form.get(FROM_FIELD) ?? '' };
  const { kind, connection } = reused;
  return run(context, purposeOf(context, { path: REUSE_PATH, kind, url: connection.url, carried }), reused);
}

async function chooseReused(
  context: AuthenticatedContext,
  purpose: WizardPurpose,
  { connection }: ReusableConnection,
): Promise<Response> {
  const { sites: text } = context.messages.admin;
  const listed = await wizard.listSites(context, purpose, connection);
  return listed.ok
    ? purpose.choicePage({ held: {}, choices: listed.value })
    : purpose.again({}, errorMessage(context, text.loginFailed, listed.problem));
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

async function firstStep(
  context: AuthenticatedContext,
  issues: SiteFormIssues,
  message?: Html,
): Promise<Response> {
  const { form, messages } = context;
  const { sites: text, cancel } = messages.admin;
  const reusable = await findReusable(context);
  const url = {
    value: form.get('url') ?? '',
    hint: text.urlHint,
    error: issues.url,
    autofocus: reusable.length === 0,
  };
  return renderPage(context, {
    title: text.add,
    stylesheets: [sitesStylesheet],
    status: message || hasIssues(issues) ? 422 : 200,
    message,
    issues,
    content: html`<h1>${text.add}</h1>${stepList(context, 0)}
${reusable.length > 0 && reuseCard(context, reusable)}
<section class="card">${reusable.length > 0 && html`<h2>${text.newConsole}</h2>`}<form method="post" action="${PATH}" data-working="${text.connecting}" novalidate>${formToken(context)}
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
    stylesheets: [sitesStylesheet],
    status: message || hasIssues(issues) ? 422 : 200,
    message,
    issues,
    content: html`<h1>${text.add}</h1>
<section class="card"><form method="post" action="${PATH}" novalidate>${formToken(context)}${hiddenFields({ kind: kind.name })}
${basicFields(context, readBasics(context).basics, issues)}
<div class="actions"><button class="button primary" type="submit">${save}</button><a class="button" href="/sites">${cancel}</a></div></form></section>`,
  });
}
