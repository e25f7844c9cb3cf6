// Home: the form that makes vouchers, what was made lately beside it, and the answer to the form.

import { randomUUID } from 'node:crypto';
import type { Controller } from '../../domain/controller.ts';
import { asBatchId } from '../../domain/ids.ts';
import type { Site } from '../../domain/sites/site.ts';
import { isFailing, type SiteSync } from '../../domain/sites/site-sync.ts';
import type { User } from '../../domain/users/user.ts';
import type { MakeBatch } from '../../domain/vouchers/make-batch.ts';
import { isFor, type ProfileStore } from '../../domain/vouchers/profile.ts';
import { LONGEST_NAME } from '../../domain/vouchers/voucher-order.ts';
import type { VoucherFinder } from '../../domain/vouchers/voucher-search.ts';
import { cookieName, readCookie, setCookie } from '../cookies.ts';
import { toDurationFields } from '../duration-field.ts';
import { sayTime } from '../durations.ts';
import { html } from '../html.ts';
import { icon } from '../icons.ts';
import { answerPage, redirect } from '../layout.ts';
import type { Route } from '../routes.ts';
import type { UserVisit } from '../visit.ts';
import { type Faults, readVoucherForm, voucherForm } from '../voucher-form.ts';
import { voucherTable } from '../voucher-table.ts';

const RECENT = 8;
const SITE_COOKIE = 'last-site';
const YEAR_S = 365 * 24 * 60 * 60;
/** A batch that takes longer is shown as it grows. */
const WORTH_WAITING_MS = 3_000;

export interface VoucherPagesNeeds {
  sitesFor: (user: User) => Promise<Site[]>;
  listSyncs: () => Promise<Map<Site['id'], SiteSync>>;
  makeBatch: MakeBatch;
  controllerOf: (site: Site) => Pick<Controller, 'bounds'>;
  finder: VoucherFinder;
  profiles: Pick<ProfileStore, 'list'>;
  /** Sees to work that may take longer than its page. */
  goOn: (work: Promise<unknown>) => Promise<unknown>;
}

export function makeNewVoucherPages(needs: VoucherPagesNeeds): Route[] {
  const { sitesFor, listSyncs, makeBatch, finder, profiles, goOn } = needs;
  const boundsOf = (site: Site) => needs.controllerOf(site).bounds;
  return [
    { method: 'GET', path: '/', access: 'operator', run: (visit) => show(visit, {}) },
    { method: 'POST', path: '/vouchers', access: 'operator', run: create },
  ];

  async function create(visit: UserVisit) {
    const sites = await sitesFor(visit.user);
    if (visit.form.has('profile')) return fillIn(visit, sites);
    const { order, wanted, faults } = readVoucherForm(visit, { sites, boundsOf });
    if (Object.keys(faults).length > 0) return show(visit, faults);
    const id = asBatchId(readBatchId(visit.form.get('batch')));
    const batch = { id, userId: visit.user.id, order, wanted, createdAtMs: visit.nowMs };
    const making = goOn(makeBatch(batch, visit.user, visit.request.clientAddress()));
    await Promise.race([making, new Promise((resolve) => setTimeout(resolve, WORTH_WAITING_MS).unref())]);
    const isHttps = visit.request.isHttps();
    const cookie = { name: SITE_COOKIE, value: String(order.siteId), isHttps, maxAgeS: YEAR_S };
    return redirect(`/batches/${id}`, { 'set-cookie': setCookie(cookie) });
  }

  /** A profile was chosen: back to the form with what it holds, and with what was typed already. */
  async function fillIn({ form }: UserVisit, sites: Site[]) {
    const typed = (name: string) => (form.get(name) ?? '').slice(0, LONGEST_NAME);
    const wishes = new URLSearchParams({ site: typed('site'), name: typed('name'), count: typed('count') });
    const profile = (await offeredTo(sites)).find(({ id }) => String(id) === form.get('profile'));
    if (profile) {
      const { id, maxUses, expireMinutes, downKbps, upKbps, quotaMb } = profile;
      const fitting = sites.filter((site) => isFor(profile, [site.id]));
      const site = fitting.find((one) => String(one.id) === form.get('site')) ?? fitting[0];
      const filled = {
        profile: id,
        site: site?.id ?? '',
        uses: maxUses,
        validity: 'own',
        ...toDurationFields(expireMinutes),
        down: downKbps,
        up: upKbps,
        quota: quotaMb,
      };
      for (const [name, value] of Object.entries(filled)) wishes.set(name, String(value));
    }
    return redirect(`/?${wishes}`);
  }

  async function offeredTo(sites: Site[]) {
    const siteIds = sites.map(({ id }) => id);
    return (await profiles.list()).filter((profile) => isFor(profile, siteIds));
  }

  async function show(visit: UserVisit, faults: Faults) {
    const { words, nowMs, nowS, language, timeZone } = visit;
    const sites = await sitesFor(visit.user);
    const syncs = await listSyncs();
    const away = sites.filter(({ id }) => {
      const sync = syncs.get(id);
      return sync !== undefined && isFailing(sync);
    });
    const { vouchers: recent } = await finder.search({
      siteIds: sites.map(({ id }) => id),
      atMost: RECENT,
      nowS,
    });
    const shown = {
      sites,
      profiles: await offeredTo(sites),
      lastSite: lastSiteOf(visit, sites),
      batchId: readBatchId(visit.form.get('batch')),
      faults,
    };
    const failed = Object.keys(faults).length > 0;
    return answerPage(visit, {
      title: words.form.title,
      status: failed ? 422 : 200,
      under: '/',
      content: html`<div class="columns"><section class="card"><h1>${words.form.title}</h1>
${away.map(({ id, name }) => {
  const sync = syncs.get(id);
  const since = sayTime(sync?.failingSinceMs ?? sync?.failedAtMs ?? nowMs, { language, timeZone });
  return html`<p class="note warn">${icon('warning')}<span>${words.form.away(name, since)}</span></p>`;
})}
${sites.length === 0 ? html`<p>${words.form.noSites}</p>` : voucherForm(visit, shown)}</section>
<section class="card" aria-labelledby="recent"><h2 id="recent">${words.list.recent}</h2>
${recent.length === 0 ? html`<div class="empty">${icon('list')}<p>${words.list.empty}</p></div>` : voucherTable(visit, recent)}</section></div>`,
    });
  }
}

/** Only if it is still theirs. */
function lastSiteOf({ request }: UserVisit, sites: Site[]): Site | undefined {
  const last = readCookie(request.headers, cookieName(SITE_COOKIE, request.isHttps()));
  return sites.find(({ id }) => String(id) === last);
}

/** As the form was given out; a form without one is as good as new. */
function readBatchId(text: string | null): string {
  return text && /^[0-9a-f-]{36}$/.test(text) ? text : randomUUID();
}
