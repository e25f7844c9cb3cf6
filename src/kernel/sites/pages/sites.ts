// Sites: the list and the page of a site, with actions to test, sync, edit, activate, deactivate and remove it.

import { sitesStylesheet } from '../../../platform/pages/assets.ts';
import { emptyState } from '../../../platform/pages/ui/empty-state.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { sayCounted } from '../../../platform/texts/counted.ts';
import { localeOf, sayTime } from '../../../platform/texts/durations.ts';
import { fail, type Result } from '../../../platform/values/result.ts';
import type { ControllerFailure } from '../../controllers/controller.ts';
import { findDemoKey, type KeySummary } from '../../keys/key-records.ts';
import { affected, confirm } from '../../pages/confirm.ts';
import { type AuthenticatedContext, auditContextOf } from '../../pages/context.ts';
import { redirect, renderPage } from '../../pages/layout.ts';
import { message as messageOf } from '../../pages/message.ts';
import type { Route } from '../../pages/route.ts';
import type { SyncTally } from '../../vouchers/sync-site.ts';
import { isDemo, isUnconfirmed, type Site } from '../site.ts';
import { fingerprintOf, type SiteContents } from '../site-contents.ts';
import { explain, saveMessage, testMessage } from './controller-errors.ts';
import {
  guestPageChange,
  hasIssues,
  readBasics,
  readControllerSite,
  readReplyTo,
  readStay,
  type SiteFormIssues,
} from './site-forms.ts';
import { failingFirst, siteContent, siteTable } from './site-view.ts';
import { withSite } from './with-site.ts';

/** How long a response waits for a sync or the removal of a demo, which then continues in the background. */
const PATIENCE_MS = 8_000;

interface Shown {
  status?: 422;
  message?: Html;
  issues?: SiteFormIssues;
}

const path = '/sites/:site';

export const siteRoutes: Route[] = [
  { method: 'GET', path: '/sites', permission: 'admin', run: list },
  { method: 'GET', path, permission: 'admin', run: withSite((context, site) => showSite(context, site)) },
  { method: 'POST', path, permission: 'admin', run: withSite(change) },
  { method: 'POST', path: `${path}/test`, permission: 'admin', run: withSite(test) },
  { method: 'POST', path: `${path}/sync`, permission: 'admin', run: withSite(sync) },
  { method: 'POST', path: `${path}/activate`, permission: 'admin', run: withSite(activate) },
  { method: 'GET', path: `${path}/deactivate`, permission: 'admin', run: withSite(ask) },
  { method: 'POST', path: `${path}/deactivate`, permission: 'admin', run: withSite(deactivate) },
  { method: 'GET', path: `${path}/remove`, permission: 'admin', run: withSite(askToRemove) },
  { method: 'POST', path: `${path}/remove`, permission: 'admin', run: withSite(remove) },
];

async function list(context: AuthenticatedContext): Promise<Response> {
  const { sites: text } = context.messages.admin;
  const all = await context.app.sites.list();
  const syncs = await readSyncs(context);
  return renderPage(context, {
    title: text.title,
    stylesheets: [sitesStylesheet],
    content: html`<h1>${text.title}</h1><p>${text.intro}</p>
<p><a class="button primary" href="/sites/new">${icon('plus')}<span>${text.add}</span></a></p>
<section class="card">${all.length === 0 ? emptyState('place', text.empty) : siteTable(context, failingFirst(all, syncs), syncs)}</section>`,
  });
}

async function readSyncs(context: AuthenticatedContext) {
  const { syncs, syncIntervalS } = context.app;
  return { of: await syncs.list(), intervalS: syncIntervalS };
}

export async function showSite(
  context: AuthenticatedContext,
  site: Site,
  { status, message, issues = {} }: Shown = {},
) {
  const details = {
    syncs: await readSyncs(context),
    issues,
    isRemovable: await isRemovable(context, site),
    isAnswered: message !== undefined,
  };
  // Administrators fix problems on this page. The menu shows at once that a problem is gone.
  const problemCount = await context.app.countConcerns(0);
  return renderPage(
    { ...context, problemCount },
    {
      title: site.name,
      stylesheets: [sitesStylesheet],
      ...(status && { status }),
      message,
      issues,
      content: html`<h1>${site.name}</h1>${siteContent(context, site, details)}${await Promise.all(context.slots.map(({ siteCard }) => siteCard?.(context, site, issues)))}`,
    },
  );
}

async function change(context: AuthenticatedContext, site: Site): Promise<Response> {
  const { basics, issues } = readBasics(context);
  // The controller site can be changed here only for a demo. For real controllers it is chosen in the wizard.
  const place = isDemo(site) ? readControllerSite(context) : undefined;
  if (place?.issue) issues.site = place.issue;
  const { changed, issues: stayIssues } = readStay(context, site);
  const reply = readReplyTo(context, site);
  Object.assign(issues, stayIssues, reply.issues);
  if (hasIssues(issues)) return showSite(context, site, { issues });
  const change = {
    ...basics,
    ...changed,
    ...(place && { controllerSite: place.controllerSite }),
    ...guestPageChange(context, site),
    ...reply.change,
  };
  const saved = await context.app.saveSite.change(site, change, auditContextOf(context));
  return saved.ok
    ? redirect(context, `/sites/${site.id}`, 'siteSaved')
    : showSite(context, site, { status: 422, message: saveMessage(context, saved.problem) });
}

async function test(context: AuthenticatedContext, site: Site): Promise<Response> {
  const { sites: text } = context.messages.admin;
  const failed = await context.app.saveSite.test(site);
  return showSite(context, site, {
    message: failed ? testMessage(context, failed) : messageOf('success', text.works(site.name)),
  });
}

async function activate(context: AuthenticatedContext, site: Site): Promise<Response> {
  const { sites, saveSite } = context.app;
  const { sites: text } = context.messages.admin;
  // A site that was taken over from another tool must be tested first. Its page has a button for this.
  if (isUnconfirmed(site)) return redirect(context, `/sites/${site.id}`);
  await sites.change(site.id, { active: true }, auditContextOf(context));
  const failed = await saveSite.test(site);
  const message = failed
    ? html`${messageOf('warning', text.activatedBut)}${testMessage(context, failed)}`
    : messageOf('success', text.activated);
  return showSite(context, { ...site, active: true }, { message });
}

async function ask(context: AuthenticatedContext, site: Site): Promise<Response> {
  const { sites: text } = context.messages.admin;
  const key = isDemo(site) ? findDemoKey(await context.app.keys.list()) : undefined;
  return confirm(context, {
    ask: text.deactivateAsk(site.name),
    what: text.deactivateWhat,
    action: `/sites/${site.id}/deactivate`,
    ...(key && { fields: keyChoice(context, key) }),
    button: text.deactivate,
    back: `/sites/${site.id}`,
    isHarmless: true,
  });
}

/** Offers to revoke the API key of the first start. Ticked if the key was never used: then nothing depends on it. */
function keyChoice(context: AuthenticatedContext, { name, lastUsedAtMs, lastUsedIp }: KeySummary): Html {
  const { messages, language, timeZone } = context;
  const { sites: text } = messages.admin;
  const lastUse = lastUsedAtMs !== null && sayTime(lastUsedAtMs, { language, timeZone });
  return html`<p><label class="tick"><input type="checkbox" name="revoke-key" value="1" aria-describedby="revoke-key-hint"${!lastUse && html` checked`}>${text.revokeKey(name)}</label>
<span class="hint" id="revoke-key-hint">${text.revokeKeyWhy} ${lastUse ? text.keyUsed(lastUse, lastUsedIp) : text.keyNeverUsed}</span></p>`;
}

async function deactivate(context: AuthenticatedContext, site: Site): Promise<Response> {
  const { sites, keys } = context.app;
  await sites.change(site.id, { active: false }, auditContextOf(context));
  const isKeyWanted = isDemo(site) && context.form.has('revoke-key');
  const key = isKeyWanted ? findDemoKey(await keys.list()) : undefined;
  if (key) await keys.revoke(key.id, auditContextOf(context));
  return redirect(context, `/sites/${site.id}`, key ? 'siteAndKeyOff' : 'siteOff');
}

async function isRemovable(context: AuthenticatedContext, site: Site): Promise<boolean> {
  return !site.active && (isDemo(site) || !(await context.app.sites.hasTraces(site.id)));
}

async function askToRemove(context: AuthenticatedContext, site: Site): Promise<Response> {
  const { sites } = context.app;
  const { sites: text, audit } = context.messages.admin;
  if (!(await isRemovable(context, site)))
    return showSite(context, site, { message: messageOf('error', text.removeRefused) });
  const contents = await sites.listContents(site.id);
  const { stock = 0, ...counts } = contents.counts;
  const lines = sayCounted(audit, { counts, names: contents.names }, localeOf(context.language));
  return confirm(context, {
    ask: text.removeAsk(site.name),
    what: (await sites.hasTraces(site.id)) ? text.removeDemoWhat : text.removeWhat(stock),
    details: affected(text.removeWith, lines),
    action: `/sites/${site.id}/remove`,
    fields: html`<input type="hidden" name="contents" value="${fingerprintOf(contents)}">`,
    button: text.remove,
    back: `/sites/${site.id}`,
  });
}

async function remove(context: AuthenticatedContext, site: Site): Promise<Response> {
  const { runInBackground, timeout, removeSite } = context.app;
  const { sites: text } = context.messages.admin;
  const seen = context.form.get('contents') ?? '';
  const isAgreed = (contents: SiteContents) => fingerprintOf(contents) === seen;
  const removal = removeSite(site.id, isAgreed, auditContextOf(context));
  runInBackground(removal);
  const ended = await Promise.race([removal, over(timeout(PATIENCE_MS))]);
  if (ended?.kind === 'refused')
    return showSite(context, site, { status: 422, message: messageOf('error', text.removeRefused) });
  if (ended?.kind === 'not-agreed')
    return redirect(context, `/sites/${site.id}/remove`, 'siteContentsChanged');
  return redirect(context, '/sites', ended ? 'siteRemoved' : 'siteBeingRemoved');
}

async function sync(context: AuthenticatedContext, site: Site): Promise<Response> {
  const { syncSite, stopping, runInBackground, timeout } = context.app;
  if (!site.active) return redirect(context, `/sites/${site.id}`);
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
  await Promise.race([runInBackground(work), over(timeout(PATIENCE_MS))]);
  return showSite(context, site, { message: syncMessage(context, ended) });
}

type Ended = Result<SyncTally, ControllerFailure> | 'busy' | 'under-way';

function syncMessage(context: AuthenticatedContext, ended: Ended): Html {
  const { sites: text } = context.messages.admin;
  if (ended === 'busy' || ended === 'under-way')
    return messageOf('info', ended === 'busy' ? text.syncBusy : text.syncUnderWay);
  if (!ended.ok)
    return messageOf(
      'error',
      html`<strong>${text.syncFailed}</strong><br>${explain(context, ended.problem.cause)}`,
    );
  const { listed, changed, gone, imported } = ended.value;
  return messageOf('success', text.synced(listed, changed, gone, imported));
}

function over(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
