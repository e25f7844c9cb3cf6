// The overview: current concerns, each with a link to the page where it can be fixed, and voucher statistics.

import { calendarDate } from '../../../domain/calendar-date.ts';
import type { KeyStore } from '../../../domain/keys/key-store.ts';
import type { ProxyAdvice } from '../../../domain/settings/untrusted-proxies.ts';
import type { Site, SiteStore } from '../../../domain/sites/site.ts';
import {
  isFailing,
  type SiteSync,
  STALE_INTERVALS,
  type SyncStore,
} from '../../../domain/sites/site-sync.ts';
import { toDays, type VoucherStatistics } from '../../../domain/vouchers/statistics.ts';
import type { VoucherStore } from '../../../domain/vouchers/voucher-store.ts';
import type { DeliveryStore } from '../../../domain/webhooks/delivery.ts';
import { toShownUrl, type WebhookStore } from '../../../domain/webhooks/webhook.ts';
import type { AuthenticatedContext } from '../../http/context.ts';
import type { Route } from '../../http/route.ts';
import { sayTime } from '../../i18n/durations.ts';
import { type Html, html } from '../../ui/html.ts';
import { icon } from '../../ui/icons.ts';
import { renderPage } from '../../ui/layout.ts';
import { mendOf } from '../sites/controller-errors.ts';
import { dayChart, SHARES, shareChart, shareLegend, shareNames, toShares } from './charts.ts';

const DAYS = 14;
const DAY_S = 24 * 60 * 60;
/** Deliveries given up before this period are no longer reported. */
const GIVEN_UP_DAYS = 7;

interface Deps {
  sites: Pick<SiteStore, 'list'>;
  syncs: Pick<SyncStore, 'list' | 'listNeverTried'>;
  syncIntervalS: number;
  deliveries: Pick<DeliveryStore, 'countGivenUp'>;
  webhooks: Pick<WebhookStore, 'list'>;
  vouchers: Pick<VoucherStore, 'countIntents'>;
  keys: Pick<KeyStore, 'list'>;
  statistics: VoucherStatistics;
  adviseOnProxies: () => Promise<ProxyAdvice[]>;
}

interface Concern {
  text: string;
  /** Absent if no page can fix the concern. */
  href?: string;
}

export function makeOverviewPages(deps: Deps): Route[] {
  const { sites, webhooks, deliveries, vouchers, keys, statistics } = deps;
  return [{ method: 'GET', path: '/overview', access: 'admin', run: show }];

  async function show(context: AuthenticatedContext) {
    const { messages, nowMs, nowS, timeZone } = context;
    const { overview: text } = messages;
    const [all, syncs] = [await sites.list(), await deps.syncs.list()];
    const concerns = await findConcerns(context, all, syncs);
    const days = toDays(await statistics.perHour(nowS - (DAYS + 1) * DAY_S), {
      days: DAYS,
      nowMs,
      dateOf: (ms) => calendarDate(ms, timeZone),
    });
    const perSite = await statistics.perSite(nowS - DAYS * DAY_S, nowS);
    return renderPage(context, {
      title: text.title,
      content: html`<h1>${text.title}</h1>${concernList(context, concerns)}
<section class="card"><h2>${text.perDay}</h2>${dayChart(context, days)}</section>
<section class="card"><h2>${text.perSite(DAYS)}</h2>${shareLegend(context)}${siteTable(context, { all, syncs, perSite })}</section>`,
    });
  }

  async function findConcerns(
    context: AuthenticatedContext,
    all: Site[],
    syncs: Map<Site['id'], SiteSync>,
  ): Promise<Concern[]> {
    const { overview: text } = context.messages;
    const concerns: Concern[] = [];
    if (all.length === 0) concerns.push({ text: text.noSites, href: '/sites' });
    concerns.push(...(await findSiteConcerns(context, all, syncs)), ...(await findWebhookConcerns(context)));
    const open = await vouchers.countIntents();
    if (open > 0) concerns.push({ text: text.openIntents(open), href: '/sites' });
    for (const { ip, setting } of await deps.adviseOnProxies())
      concerns.push({ text: text.untrustedProxy(ip, setting) });
    if ((await keys.list()).length === 0) concerns.push({ text: text.noKeys, href: '/keys' });
    return concerns;
  }

  async function findSiteConcerns(
    context: AuthenticatedContext,
    all: Site[],
    syncs: Map<Site['id'], SiteSync>,
  ): Promise<Concern[]> {
    const { language, timeZone, nowMs } = context;
    const { overview: text } = context.messages;
    const newMs = STALE_INTERVALS * deps.syncIntervalS * 1_000;
    const neverTried = await deps.syncs.listNeverTried(nowMs - newMs);
    return all.flatMap(({ id, name, active }) => {
      const [sync, href] = [syncs.get(id), `/sites/${id}`];
      if (neverTried.includes(id)) return [{ text: text.siteNeverSynced(name), href }];
      if (!active || !sync || !isFailing(sync)) return [];
      const since = sayTime(sync.failingSinceMs ?? sync.failedAtMs ?? nowMs, { language, timeZone });
      return [{ text: `${text.siteAway(name, since)}. ${mendOf(context, sync.cause)}`, href }];
    });
  }

  async function findWebhookConcerns({
    messages: { overview: text },
    nowMs,
  }: AuthenticatedContext): Promise<Concern[]> {
    const givenUp = await deliveries.countGivenUp(nowMs - GIVEN_UP_DAYS * DAY_S * 1_000);
    return (await webhooks.list()).flatMap(({ id, url, active, failures, offBecause }) => {
      const [shown, href, lost] = [toShownUrl(url), `/webhooks/${id}`, givenUp.get(id) ?? 0];
      return [
        ...(offBecause !== null ? [{ text: text.webhookOff(shown), href }] : []),
        ...(active && failures > 0 ? [{ text: text.webhookFailing(shown, failures), href }] : []),
        ...(lost > 0
          ? [{ text: text.webhookGaveUp(shown, lost, GIVEN_UP_DAYS), href: `${href}/deliveries` }]
          : []),
      ];
    });
  }
}

function concernList({ messages: { overview: text } }: AuthenticatedContext, concerns: Concern[]): Html {
  if (concerns.length === 0)
    return html`<p class="note good" role="status">${icon('valid')}<span>${text.allWell}</span></p>`;
  return html`<section class="card"><h2>${text.attention}</h2><ul class="concerns">${concerns.map(
    ({ text: what, href }) =>
      html`<li>${icon('warning')}<span>${what}</span>${href !== undefined && html`<a class="mend" href="${href}">${text.mend}<span class="hidden-text">: ${what}</span></a>`}</li>`,
  )}</ul></section>`;
}

interface Figures {
  all: Site[];
  syncs: Map<Site['id'], SiteSync>;
  perSite: Awaited<ReturnType<VoucherStatistics['perSite']>>;
}

function siteTable(context: AuthenticatedContext, { all, syncs, perSite }: Figures): Html {
  const { messages, language, timeZone } = context;
  const { overview: text, form } = messages;
  const names = shareNames(context);
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
    ...SHARES.map((share) => names[share]),
  ];
  return html`<table><thead><tr>${columns.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead><tbody>${active.map(
    ({ id, name }) => {
      const shares = toShares(perSite.get(id));
      const sync = syncs.get(id);
      return html`<tr><td data-label="${form.site}"><a href="/sites/${id}">${name}</a></td><td data-label="${text.controllers}">${health(sync)}</td>
<td data-label="${text.lastSync}">${time(sync?.syncedAtMs)}</td>
<td data-label="${text.share}">${shareChart(context, shares)}</td>
${SHARES.map((share) => html`<td data-label="${names[share]}">${shares[share]}</td>`)}</tr>`;
    },
  )}</tbody></table>`;
}
