// Screens: list, add, change, unpair, remove. Pairing, the addresses of a rolling code, the terms and the picture of a
// site have files of their own.

import { asSiteId } from '../../../kernel/ids.ts';
import { confirm } from '../../../kernel/pages/confirm.ts';
import { type AuthenticatedContext, auditContextOf } from '../../../kernel/pages/context.ts';
import { redirect, renderPage } from '../../../kernel/pages/layout.ts';
import type { FieldIssues } from '../../../kernel/pages/message.ts';
import { notFoundPage } from '../../../kernel/pages/problem-page.ts';
import { adminRoutes, type Route } from '../../../kernel/pages/route.ts';
import { isDemo } from '../../../kernel/sites/site.ts';
import { screensStylesheet } from '../../../platform/pages/assets.ts';
import { emptyState } from '../../../platform/pages/ui/empty-state.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { SCREEN_KINDS, type Screen, type ScreenKind } from '../screen.ts';
import { SCREEN_TEXTS } from '../screen-texts.ts';
import { pairingPage, pairingRoutes } from './pairing.ts';
import { pictureRoutes } from './picture.ts';
import { rollingPathRoutes } from './rolling-path.ts';
import { type Choices, profilesAt } from './screen-choices.ts';
import { addScreenForm, editScreenForm, guide, kindChoice, readTyped, sayIssues } from './screen-form.ts';
import { screenCard, screenCards } from './screen-view.ts';
import { termsRoutes } from './terms.ts';
import { withScreen } from './with-screen.ts';

const { get, post } = adminRoutes('/screens');

export const screenSettingsRoutes: Route[] = [
  get('', list),
  get('/add', (context) => addForm(context)),
  post('/add', add),
  ...pairingRoutes,
  ...rollingPathRoutes,
  ...termsRoutes,
  ...pictureRoutes,
  get('/:screen', withScreen(show)),
  get(
    '/:screen/edit',
    withScreen((context, screen) => editForm(context, screen)),
  ),
  post('/:screen/edit', withScreen(edit)),
  get('/:screen/unpair', withScreen(askUnpair)),
  { method: 'POST', path: '/screens/:screen/unpair', permission: 'admin', run: withScreen(unpair) },
  get('/:screen/remove', withScreen(askRemove)),
  { method: 'POST', path: '/screens/:screen/remove', permission: 'admin', run: withScreen(remove) },
];

async function list(context: AuthenticatedContext): Promise<Response> {
  const text = SCREEN_TEXTS[context.language];
  const { screens, sites } = context.app;
  const [all, allSites] = await Promise.all([screens.list(), sites.list()]);
  const counts = await screens.countVouchers(all.map(({ id }) => id));
  return renderPage(context, {
    stylesheets: [screensStylesheet],
    title: text.title,
    content:
      all.length === 0
        ? html`<h1>${text.title}</h1><p>${text.intro} ${text.empty}</p>${kindChoice(context, '')}`
        : html`<h1>${text.title}</h1><p>${text.intro}</p>
<p><a class="button primary" href="/screens/add">${icon('plus')}<span>${text.add}</span></a></p>${screenCards(context, { screens: all, sites: allSites, counts })}`,
  });
}

async function readChoices({ app }: AuthenticatedContext): Promise<Choices> {
  const [profiles, printers, allSites, mailServer] = await Promise.all([
    app.profiles.list(),
    app.printers.list(),
    app.sites.list(),
    app.mailServer.find(),
  ]);
  return { profiles, printers, allSites, hasMail: mailServer !== undefined };
}

async function addForm(context: AuthenticatedContext, issues: FieldIssues = {}): Promise<Response> {
  const text = SCREEN_TEXTS[context.language];
  const choices = await readChoices(context);
  const sites = choices.allSites;
  const kind = kindIn(context.form.get('kind') ?? context.query.get('kind'));
  const siteId = context.form.get('site') ?? context.query.get('site') ?? '';
  const site =
    sites.find(({ id }) => String(id) === siteId) ??
    sites.find((one) => one.active && !isDemo(one)) ??
    sites.find(({ active }) => active) ??
    sites[0];
  return renderPage(context, {
    stylesheets: [screensStylesheet],
    title: text.add,
    issues,
    content: html`<h1>${text.add}</h1>${
      site === undefined
        ? html`<section class="card">${emptyState('place', text.noSites, { href: '/sites', label: text.addSite, isPrimary: true })}</section>`
        : kind
          ? kindForm({ ...choices, kind, sites, site, issues })
          : html`<h2>${text.choose}</h2>${kindChoice(context, /^\d+$/.test(siteId) ? `&site=${siteId}` : '')}`
    }`,
  });

  function kindForm(form: Parameters<typeof addScreenForm>[1]): Html {
    return html`<div class="halves"><section class="card"><h2>${text.kinds[form.kind].name}</h2><p>${text.kinds[form.kind].what}</p>${addScreenForm(context, form)}</section>
<section class="card">${guide(context, form.kind)}<p class="actions"><a class="button quiet" href="/screens/add">${text.otherKind}</a></p></section></div>`;
  }
}

function kindIn(text: string | null): ScreenKind | undefined {
  return SCREEN_KINDS.find((one) => one === text);
}

/** The page with the pairing code. A rolling code shows its secret addresses on request only. */
async function add(context: AuthenticatedContext): Promise<Response> {
  const { form, app } = context;
  const siteId = asSiteId(Number(/^\d{1,9}$/.test(form.get('site') ?? '') ? form.get('site') : 0));
  const kind = form.get('kind') ?? '';
  const typed = { ...readTyped(context, kind), siteId, kind };
  const added = await app.addScreen(typed, auditContextOf(context));
  if (!added.ok) return addForm(context, sayIssues(context, added.problem));
  const screen = await app.screens.find(added.value.id);
  return screen ? pairingPage(context, screen, added.value.pairingCode) : notFoundPage(context);
}

async function editForm(
  context: AuthenticatedContext,
  screen: Screen,
  issues: FieldIssues = {},
): Promise<Response> {
  const text = SCREEN_TEXTS[context.language];
  const choices = await readChoices(context);
  const profiles = profilesAt(choices.profiles, screen.siteId);
  return renderPage(context, {
    stylesheets: [screensStylesheet],
    title: text.editTitle(screen.name),
    issues,
    content: html`<section class="card"><h1>${text.editTitle(screen.name)}</h1>${editScreenForm(context, { ...choices, profiles, screen, issues })}</section>`,
  });
}

async function edit(context: AuthenticatedContext, screen: Screen): Promise<Response> {
  const typed = readTyped(context, String(screen.kind));
  const changed = await context.app.changeScreen(screen, typed, auditContextOf(context));
  if (!changed.ok) return editForm(context, screen, sayIssues(context, changed.problem));
  return redirect(context, `/screens/${screen.id}`, 'screenSaved');
}

async function show(context: AuthenticatedContext, screen: Screen): Promise<Response> {
  const { app } = context;
  const { id, name, siteId, printerId, termsId, voucherId } = screen;
  const [site, profiles, printer, terms, vouchers, counts] = await Promise.all([
    app.sites.find(siteId),
    app.profiles.list(),
    printerId === null ? undefined : app.printers.find(printerId),
    termsId === null ? undefined : app.screens.findTerms(termsId),
    app.slips.findVouchers({ ids: voucherId === null ? [] : [voucherId], siteIds: [siteId] }),
    app.screens.countVouchers([id]),
  ]);
  const [voucher] = vouchers;
  return renderPage(context, {
    stylesheets: [screensStylesheet],
    title: name,
    content: html`${screenCard(context, { screen, site, profiles, printer, terms, voucher, counts })}
<div class="pager"><a class="button" href="/screens">${SCREEN_TEXTS[context.language].all}</a></div>`,
  });
}

function askUnpair(context: AuthenticatedContext, { id, name }: Screen): Response {
  const text = SCREEN_TEXTS[context.language];
  return confirm(context, {
    ask: text.unpairAsk(name),
    what: text.unpairWhat,
    action: `/screens/${id}/unpair`,
    button: text.unpair,
    back: `/screens/${id}`,
  });
}

async function unpair(context: AuthenticatedContext, { id }: Screen): Promise<Response> {
  await context.app.screens.unpair(id, auditContextOf(context));
  return redirect(context, `/screens/${id}`, 'screenUnpaired');
}

function askRemove(context: AuthenticatedContext, { id, name }: Screen): Response {
  const text = SCREEN_TEXTS[context.language];
  return confirm(context, {
    ask: text.removeAsk(name),
    what: text.removeWhat,
    action: `/screens/${id}/remove`,
    button: text.remove,
    back: `/screens/${id}`,
  });
}

async function remove(context: AuthenticatedContext, { id }: Screen): Promise<Response> {
  await context.app.screens.remove(id, auditContextOf(context));
  return redirect(context, '/screens', 'screenRemoved');
}
