// The home page: the form that creates vouchers and a list of recent vouchers. Also handles the submitted form.

import { homeStylesheet } from '../../../platform/pages/assets.ts';
import { emptyState } from '../../../platform/pages/ui/empty-state.ts';
import { html } from '../../../platform/pages/ui/html.ts';
import { startBatch } from '../../batches/pages/start-batch.ts';
import { asBatchId } from '../../ids.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { checkId, readFormId } from '../../pages/form-id.ts';
import { redirect, renderPage } from '../../pages/layout.ts';
import { leaveNotice } from '../../pages/notice.ts';
import type { Route } from '../../pages/route.ts';
import { isFor } from '../../profiles/profile.ts';
import { troubleNote } from '../../sites/pages/controller-errors.ts';
import { isDemo, type Site } from '../../sites/site.ts';
import { isFailing } from '../../sites/site-sync.ts';
import { MAX_NAME_LENGTH } from '../voucher-order.ts';
import { lastSiteOf, printsAtOnce, rememberChoices, rememberPrinting } from './device-choices.ts';
import { failedNote } from './failed-orders.ts';
import { firstStepsCard } from './first-steps.ts';
import { toLimitFields } from './limit-fields.ts';
import { recentCard } from './recent-vouchers.ts';
import { showedOtherEnd, toMinutesFields, toNightsFields } from './validity-field.ts';
import { readVoucherForm, type VoucherFormIssues, voucherForm } from './voucher-form.ts';
import { fromSlots, voucherSlots } from './voucher-slots.ts';

export const newVoucherRoutes: Route[] = [
  { method: 'GET', path: '/', permission: 'operator', run: (context) => show(context, {}) },
  { method: 'POST', path: '/vouchers', formAt: '/', permission: 'operator', run: create },
];

async function create(context: AuthenticatedContext) {
  const sites = await context.app.sitesFor(context.user);
  rememberPrinting(context);
  const readings = await fromSlots(context, (slots) => slots.readForm?.(context, sites));
  if (context.form.has('profile')) return fillIn(context, sites);
  if (context.form.has('switch')) return switchSite(context);
  const { order, wanted, issues } = readVoucherForm(context, sites, readings);
  if (Object.keys(issues).length > 0) return show(context, issues);
  const id = asBatchId(readFormId(context, 'batch'));
  const instead = checkId(context.form.get('instead'));
  const insteadOf = instead && asBatchId(instead);
  const earlier = insteadOf && (await context.app.batches.find(insteadOf));
  // Somebody has resumed it since the form was opened.
  if (earlier && earlier.endedAtMs === null) return redirect(context, `/batches/${insteadOf}`);
  for (const { remember } of readings) remember?.();
  rememberChoices(context, order);
  const site = sites.find((one) => one.id === order.siteId);
  if (showedOtherEnd(context, site)) leaveNotice(context, 'newDay', `/batches/${id}`);
  return startBatch(
    context,
    { id, order, wanted, ...(insteadOf && { insteadOf }) },
    { prints: context.form.has('print') && !readings.some(({ isPrinted }) => isPrinted) },
  );
}

/** Redirects to the form with the values of the chosen profile. What the user has typed is kept. */
async function fillIn(context: AuthenticatedContext, sites: Site[]) {
  const { form } = context;
  const typed = (name: string) => (form.get(name) ?? '').slice(0, MAX_NAME_LENGTH);
  const inputs = new URLSearchParams();
  for (const name of ['site', 'name', 'count', 'instead']) inputs.set(name, typed(name));
  keepOthers(context, inputs);
  const profile = (await offeredTo(context, sites)).find(({ id }) => String(id) === form.get('profile'));
  if (profile) {
    const { id, maxUses, expireMinutes, nights } = profile;
    const fitting = sites.filter((site) => isFor(profile, [site.id]));
    const site = fitting.find((one) => String(one.id) === form.get('site')) ?? fitting[0];
    const filled = {
      profile: id,
      site: site?.id ?? '',
      uses: maxUses,
      ...(nights && site ? toNightsFields(context, site, nights) : toMinutesFields(expireMinutes)),
      ...toLimitFields(profile, context.language),
    };
    for (const [name, value] of Object.entries(filled)) inputs.set(name, String(value));
  }
  return redirect(context, `/?${inputs}`);
}

/**
 * Redirects to the form with the values that were chosen last at the chosen site. What the user has typed into other
 * fields is kept. With JavaScript the form fills them in itself.
 */
function switchSite(context: AuthenticatedContext) {
  const { form } = context;
  const inputs = new URLSearchParams();
  for (const name of ['site', 'name', 'count', 'instead', 'down', 'up', 'quota', 'quotaUnit'])
    inputs.set(name, (form.get(name) ?? '').slice(0, MAX_NAME_LENGTH));
  keepOthers(context, inputs);
  return redirect(context, `/?${inputs}`);
}

/** Keeps what the user has typed into fields of features. */
function keepOthers(context: AuthenticatedContext, inputs: URLSearchParams): void {
  for (const { keptInQuery } of voucherSlots(context))
    for (const [name, value] of Object.entries(keptInQuery?.(context) ?? {})) inputs.set(name, value);
}

async function offeredTo({ app }: AuthenticatedContext, sites: Site[]) {
  const siteIds = sites.map(({ id }) => id);
  return (await app.profiles.list()).filter((profile) => isFor(profile, siteIds));
}

async function show(context: AuthenticatedContext, issues: VoucherFormIssues) {
  const { app, messages } = context;
  const sites = await app.sitesFor(context.user);
  const syncs = await app.syncs.list();
  const away = sites.filter(({ id }) => {
    const sync = syncs.get(id);
    return sync !== undefined && isFailing(sync);
  });
  const shown = {
    sites,
    profiles: await offeredTo(context, sites),
    preselected: preselectedOf(context, sites),
    batchId: readFormId(context, 'batch'),
    insteadOf: checkId(context.form.get('instead') ?? context.query.get('instead')),
    issues,
    printsAtOnce: printsAtOnce(context),
    fields: await fromSlots(context, (slots) => slots.formFields?.(context, { sites, issues })),
  };
  return renderPage(context, {
    title: messages.form.title,
    stylesheets: [homeStylesheet],
    sendsRequests: true,
    issues,
    under: '/',
    content: html`<div class="home"><section class="card making"><h1>${messages.form.title}</h1>
${await failedNote(context, sites)}${await fromSlots(context, (slots) => slots.homeNote?.(context, sites))}${troubleNote(context, away, syncs)}
${sites.length === 0 ? noSites(context) : voucherForm(context, shown)}</section>
${await firstStepsCard(context)}${await recentCard(context, sites)}</div>`,
  });
}

/** The site of the last voucher on this device, otherwise the first site. Ignores demo sites if there are real ones. */
function preselectedOf(context: AuthenticatedContext, sites: Site[]): Site | undefined {
  const real = sites.filter((site) => !isDemo(site));
  const offered = real.length > 0 ? real : sites;
  const last = lastSiteOf(context);
  return offered.find(({ id }) => String(id) === last) ?? offered[0];
}

function noSites({ messages: { form, firstSteps }, user }: AuthenticatedContext) {
  if (user.role !== 'admin') return html`<p>${form.noSites}</p>`;
  return emptyState('place', form.noSitesYet, {
    href: '/sites/new',
    label: firstSteps.addSite,
    isPrimary: true,
  });
}
