// The overview: is anything wrong? And how many vouchers there were. Every line leads to where it is mended.

import { calendarDate } from '../../domain/calendar-date.ts';
import type { KeyStore } from '../../domain/keys/key-store.ts';
import type { DeliveryStore } from '../../domain/notifications/delivery.ts';
import { toShownUrl, type WebhookStore } from '../../domain/notifications/webhook.ts';
import type { Site, SiteStore } from '../../domain/sites/site.ts';
import { isFailing, type SiteSync, STALE_INTERVALS, type SyncStore } from '../../domain/sites/site-sync.ts';
import { toDays, type VoucherStatistics } from '../../domain/vouchers/statistics.ts';
import type { VoucherStore } from '../../domain/vouchers/voucher-store.ts';
import { dayChart } from '../day-chart.ts';
import { sayTime } from '../durations.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../icons.ts';
import { answerPage } from '../layout.ts';
import type { Route } from '../routes.ts';
import { STATUSES, statusChart, statusLegend } from '../status-chart.ts';
import type { UserVisit } from '../visit.ts';
import { mendOf } from './sites-trouble.ts';

const DAYS = 14;
const DAY_S = 24 * 60 * 60;
/** What was given up earlier is news no more. */
const GIVEN_UP_DAYS = 7;

interface Needs {
  sites: Pick<SiteStore, 'list'>;
  syncs: Pick<SyncStore, 'list' | 'listNeverTried'>;
  syncIntervalS: number;
  deliveries: Pick<DeliveryStore, 'countGivenUp'>;
  webhooks: Pick<WebhookStore, 'list'>;
  vouchers: Pick<VoucherStore, 'countIntents'>;
  keys: Pick<KeyStore, 'list'>;
  statistics: VoucherStatistics;
}

interface Concern {
  text: string;
  href: string;
}

export function makeOverviewPages(needs: Needs): Route[] {
  const { sites, webhooks, deliveries, vouchers, keys, statistics } = needs;
  return [{ method: 'GET', path: '/overview', access: 'admin', run: show }];

  async function show(visit: UserVisit) {
    const { words, nowMs, nowS, timeZone } = visit;
    const { overview: text } = words;
    const [all, syncs] = [await sites.list(), await needs.syncs.list()];
    const concerns = await findConcerns(visit, all, syncs);
    const days = toDays(await statistics.perHour(nowS - (DAYS + 1) * DAY_S), {
      days: DAYS,
      nowMs,
      dateOf: (ms) => calendarDate(ms, timeZone),
    });
    const perSite = await statistics.perSite(nowS - DAYS * DAY_S, nowS);
    return answerPage(visit, {
      title: text.title,
      content: html`<h1>${text.title}</h1>${concernList(visit, concerns)}
<section class="card"><h2>${text.perDay}</h2>${dayChart(visit, days)}</section>
<section class="card"><h2>${text.perSite(DAYS)}</h2>${statusLegend(visit)}${siteTable(visit, { all, syncs, perSite })}</section>`,
    });
  }

  async function findConcerns(
    visit: UserVisit,
    all: Site[],
    syncs: Map<Site['id'], SiteSync>,
  ): Promise<Concern[]> {
    const { overview: text } = visit.words;
    const concerns: Concern[] = [];
    if (all.length === 0) concerns.push({ text: text.noSites, href: '/sites' });
    concerns.push(...(await findSiteConcerns(visit, all, syncs)), ...(await findWebhookConcerns(visit)));
    const open = await vouchers.countIntents();
    if (open > 0) concerns.push({ text: text.openIntents(open), href: '/sites' });
    if ((await keys.list()).length === 0) concerns.push({ text: text.noKeys, href: '/keys' });
    return concerns;
  }

  async function findSiteConcerns(
    visit: UserVisit,
    all: Site[],
    syncs: Map<Site['id'], SiteSync>,
  ): Promise<Concern[]> {
    const { language, timeZone, nowMs } = visit;
    const { overview: text } = visit.words;
    const newMs = STALE_INTERVALS * needs.syncIntervalS * 1_000;
    const neverTried = await needs.syncs.listNeverTried(nowMs - newMs);
    return all.flatMap(({ id, name, active }) => {
      const [sync, href] = [syncs.get(id), `/sites/${id}`];
      if (neverTried.includes(id)) return [{ text: text.siteNeverSynced(name), href }];
      if (!active || !sync || !isFailing(sync)) return [];
      const since = sayTime(sync.failingSinceMs ?? sync.failedAtMs ?? nowMs, { language, timeZone });
      return [{ text: `${text.siteAway(name, since)}. ${mendOf(visit, sync.cause)}`, href }];
    });
  }

  async function findWebhookConcerns({ words: { overview: text }, nowMs }: UserVisit): Promise<Concern[]> {
    const givenUp = await deliveries.countGivenUp(nowMs - GIVEN_UP_DAYS * DAY_S * 1_000);
    return (await webhooks.list()).flatMap(({ id, url, active, failures, offBecause }) => {
      const [address, href, lost] = [toShownUrl(url), `/webhooks/${id}`, givenUp.get(id) ?? 0];
      return [
        ...(offBecause !== null ? [{ text: text.webhookOff(address), href }] : []),
        ...(active && failures > 0 ? [{ text: text.webhookFailing(address, failures), href }] : []),
        ...(lost > 0
          ? [{ text: text.webhookGaveUp(address, lost, GIVEN_UP_DAYS), href: `${href}/deliveries` }]
          : []),
      ];
    });
  }
}

function concernList({ words: { overview: text } }: UserVisit, concerns: Concern[]): Html {
  if (concerns.length === 0)
    return html`<p class="note good" role="status">${icon('valid')}<span>${text.allWell}</span></p>`;
  return html`<section class="card"><h2>${text.attention}</h2><ul class="concerns">${concerns.map(
    ({ text: what, href }) =>
      html`<li>${icon('warning')}<span>${what}</span><a class="mend" href="${href}">${text.mend}<span class="hidden-text">: ${what}</span></a></li>`,
  )}</ul></section>`;
}

interface Figures {
  all: Site[];
  syncs: Map<Site['id'], SiteSync>;
  perSite: Awaited<ReturnType<VoucherStatistics['perSite']>>;
}

function siteTable(visit: UserVisit, { all, syncs, perSite }: Figures): Html {
  const { words, language, timeZone } = visit;
  const { overview: text, state, form } = words;
  const active = all.filter((site) => site.active);
  const health = (sync: SiteSync | undefined) => {
    if (!sync) return html`<span class="pill expired">${icon('expired')}${text.neverSynced}</span>`;
    return isFailing(sync)
      ? html`<span class="pill failing">${icon('warning')}${text.away}</span>`
      : html`<span class="pill valid">${icon('valid')}${text.reachable}</span>`;
  };
  const time = (ms: number | null | undefined) => (ms ? sayTime(ms, { language, timeZone }) : '–');
  const columns = [
    form.site,
    text.controllers,
    text.lastSync,
    text.share,
    ...STATUSES.map((status) => state[status]),
  ];
  return html`<table><thead><tr>${columns.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead><tbody>${active.map(
    ({ id, name }) => {
      const counts = perSite.get(id) ?? { valid: 0, used: 0, expired: 0 };
      const sync = syncs.get(id);
      return html`<tr><td data-label="${form.site}"><a href="/sites/${id}">${name}</a></td><td data-label="${text.controllers}">${health(sync)}</td>
<td data-label="${text.lastSync}">${time(sync?.syncedAtMs)}</td>
<td data-label="${text.share}">${statusChart(visit, counts)}</td>
${STATUSES.map((status) => html`<td data-label="${state[status]}">${counts[status]}</td>`)}</tr>`;
    },
  )}</tbody></table>`;
}
