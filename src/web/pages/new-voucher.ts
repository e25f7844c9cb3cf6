// Home: the form that makes vouchers, what was made lately beside it, and the answer to the form.

import { randomUUID } from 'node:crypto';
import type { Controller } from '../../domain/controller.ts';
import { asBatchId } from '../../domain/ids.ts';
import type { Site } from '../../domain/sites/site.ts';
import { isFailing, type SiteSync } from '../../domain/sites/site-sync.ts';
import type { User } from '../../domain/users/user.ts';
import type { MakeBatch } from '../../domain/vouchers/make-batch.ts';
import { isFor, type Profile, type ProfileStore } from '../../domain/vouchers/profile.ts';
import type { VoucherFinder } from '../../domain/vouchers/voucher-search.ts';
import { toDurationFields } from '../duration-field.ts';
import { sayTime } from '../durations.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../icons.ts';
import { answerPage, redirect } from '../layout.ts';
import type { Route } from '../routes.ts';
import type { UserVisit } from '../visit.ts';
import { type Faults, readVoucherForm, voucherForm } from '../voucher-form.ts';
import { voucherTable } from '../voucher-table.ts';

const RECENT = 8;
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
    const { order, wanted, faults } = readVoucherForm(visit, { sites, boundsOf });
    if (Object.keys(faults).length > 0) return show(visit, faults);
    const id = asBatchId(readBatchId(visit.form.get('batch')));
    const batch = { id, userId: visit.user.id, order, wanted, createdAtMs: visit.nowMs };
    const making = goOn(makeBatch(batch, visit.user, visit.request.clientAddress()));
    await Promise.race([making, new Promise((resolve) => setTimeout(resolve, WORTH_WAITING_MS).unref())]);
    return redirect(`/batches/${id}`);
  }

  async function show(visit: UserVisit, faults: Faults) {
    const { words, nowMs, language, timeZone } = visit;
    const sites = await sitesFor(visit.user);
    const syncs = await listSyncs();
    const away = sites.filter(({ id }) => {
      const sync = syncs.get(id);
      return sync !== undefined && isFailing(sync);
    });
    const { vouchers: recent } = await finder.search({
      siteIds: sites.map(({ id }) => id),
      atMost: RECENT,
      nowS: Math.floor(nowMs / 1000),
    });
    const siteIds = sites.map(({ id }) => id);
    const offered = (await profiles.list()).filter((profile) => isFor(profile, siteIds));
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
${
  sites.length === 0
    ? html`<p>${words.form.noSites}</p>`
    : html`${profileChips(visit, offered)}${voucherForm(visit, { sites, batchId: readBatchId(visit.form.get('batch')), faults })}`
}</section>
<section class="card" aria-labelledby="recent"><h2 id="recent">${words.list.recent}</h2>
${recent.length === 0 ? html`<div class="empty">${icon('list')}<p>${words.list.empty}</p></div>` : voucherTable(visit, recent)}</section></div>`,
    });
  }
}

/** One click fills the form; what is typed already is the browser's to keep. */
function profileChips({ words, query }: UserVisit, profiles: Profile[]): Html | false {
  if (profiles.length === 0) return false;
  const address = (profile: Profile) => {
    const { id, maxUses, expireMinutes, downKbps, upKbps, quotaMb, siteIds } = profile;
    const [site] = siteIds;
    return `/?${new URLSearchParams({
      profile: String(id),
      uses: String(maxUses),
      validity: 'own',
      ...toDurationFields(expireMinutes),
      down: String(downKbps),
      up: String(upKbps),
      quota: String(quotaMb),
      ...(site !== undefined && { site: String(site) }),
    })}`;
  };
  return html`<nav class="chips profiles" aria-label="${words.profiles.title}">${profiles.map(
    (profile) =>
      html`<a class="chip" href="${address(profile)}"${query.get('profile') === String(profile.id) && html` aria-current="true"`}>${profile.name}</a>`,
  )}</nav>`;
}

/** As the form was given out; a form without one is as good as new. */
function readBatchId(text: string | null): string {
  return text && /^[0-9a-f-]{36}$/.test(text) ? text : randomUUID();
}
