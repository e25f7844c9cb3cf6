// The overview: current concerns, each with a button to fix it, figures of today, and voucher statistics. The page
// refreshes itself regularly.

import type { ReserveState } from '../../../features/reserve/reserve.ts';
import { RESERVE_TEXTS } from '../../../features/reserve/reserve-texts.ts';
import { overviewStylesheet } from '../../../platform/pages/assets.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { localeOf, sayTime } from '../../../platform/texts/durations.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { renderPage } from '../../pages/layout.ts';
import type { Route } from '../../pages/route.ts';
import { isDemo, type Site } from '../../sites/site.ts';
import { isFailing, type SiteSync } from '../../sites/site-sync.ts';
import { demoPill } from '../../vouchers/pages/voucher-details.ts';
import { lastDays, type VoucherStatistics } from '../../vouchers/statistics.ts';
import { dayChart, SHARES, shareChart, shareLegend, shareNames, toShares } from './charts.ts';
import { concernList } from './concern-list.ts';

const DAYS = 14;
const DAY_S = 24 * 60 * 60;
const REFRESHED_EVERY_S = 30;

type StatesPerSite = Awaited<ReturnType<VoucherStatistics['perSite']>>;

export const overviewRoutes: Route[] = [{ method: 'GET', path: '/overview', permission: 'admin', run: show }];

async function show(context: AuthenticatedContext) {
  const { findConcerns, statistics, sites, syncs } = context.app;
  const { messages, nowMs, nowS, timeZone } = context;
  const { overview: text } = messages;
  const concerns = await findConcerns();
  const days = await statistics.perDay(lastDays(DAYS, nowMs, timeZone));
  const perSite = await statistics.perSite(nowS - DAYS * DAY_S, nowS);
  const reserves = new Map((await context.app.reserves.list()).map((one) => [one.siteId, one]));
  const figures = { all: await sites.list(), syncs: await syncs.list(), perSite, reserves };
  const today = days.at(-1)?.count ?? 0;
  return renderPage(
    { ...context, problemCount: concerns.length },
    {
      title: text.title,
      stylesheets: [overviewStylesheet],
      sendsRequests: true,
      content: html`<h1 data-refresh="${REFRESHED_EVERY_S}">${text.title}</h1>${concernList(context, concerns)}${await hintList(context, figures.all)}
${tiles(context, { today, perSite, failing: concerns.length })}
<section class="card" id="per-day" data-part><h2>${text.perDay}</h2>${dayChart(context, days)}</section>
<section class="card" id="per-site" data-part><h2>${text.perSite(DAYS)}</h2>${shareLegend(context)}${siteTable(context, figures)}</section>`,
    },
  );
}

/** Hints about the installation that are not problems. */
async function hintList({ app, messages }: AuthenticatedContext, all: Site[]): Promise<Html> {
  const { overview: text } = messages;
  const hint = (what: string, more: Html) => html`<li>${icon('expired')}<div>${what}</div>${more}</li>`;
  const view = (href: string) => html`<a class="button mend" href="${href}">${text.mend}</a>`;
  const open = await app.vouchers.countIntents();
  const hints = [
    ...(all.length === 0 ? [hint(text.noSites, view('/sites'))] : []),
    ...(open > 0 ? [hint(text.openIntents(open), view('/sites'))] : []),
    // The health page says how to trust the proxy.
    ...(await app.adviseOnProxies()).map(({ ip }) => hint(text.untrustedProxy(ip), view('/health'))),
    ...((await app.keys.list()).length === 0 ? [hint(text.noKeys, view('/keys'))] : []),
  ];
  return html`${hints.length > 0 && html`<section class="card"><h2>${text.hints}</h2><ul class="concerns hints">${hints}</ul></section>`}`;
}

interface Tiles {
  today: number;
  perSite: StatesPerSite;
  failing: number;
}

function tiles(context: AuthenticatedContext, { today, perSite, failing }: Tiles): Html {
  const { messages, language } = context;
  const { overview: text, state } = messages;
  const sum = (share: 'unused' | 'in-use') =>
    [...perSite.values()].reduce((total, counts) => total + toShares(counts)[share], 0);
  const tile = (href: string, count: number, { label, note, look = '' }: Record<string, string>) =>
    html`<li><a class="tile ${look}" href="${href}"><strong>${count.toLocaleString(localeOf(language))}</strong><span>${label}</span><span class="soft">${note}</span></a></li>`;
  const lately = text.ofLastDays(DAYS);
  return html`<ul class="tiles" id="tiles" data-part>${tile('/vouchers?created=today', today, { label: text.today, note: text.todayNote })}
${tile('/vouchers?state=in-use', sum('in-use'), { label: state['in-use'], note: lately })}
${tile('/vouchers?state=unused', sum('unused'), { label: state.unused, note: lately })}
${tile('#problems', failing, { label: text.problems(failing), note: whatMayFail(context), look: failing > 0 ? 'bad' : '' })}</ul>`;
}

/** Names everything that is counted as a problem. */
function whatMayFail({ app, messages: { overview: text }, language }: AuthenticatedContext): string {
  const ofFeatures = app.healthChecks.flatMap(({ subject }) => (subject ? [subject[language]] : []));
  return [text.failingSites, ...ofFeatures, text.failingClock].join(', ');
}

interface Figures {
  all: Site[];
  syncs: Map<Site['id'], SiteSync>;
  perSite: StatesPerSite;
  reserves: Map<Site['id'], ReserveState>;
}

function siteTable(context: AuthenticatedContext, { all, syncs, perSite, reserves }: Figures): Html {
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
  const columns = [form.site, text.controllers, text.share, ...SHARES.map((share) => names[share])];
  return html`<table class="per-site"><thead><tr>${columns.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead><tbody>${active.map(
    (site) => {
      const { id, name } = site;
      const shares = toShares(perSite.get(id));
      const sync = syncs.get(id);
      return html`<tr><td class="site-of"><a class="listed clamped" href="/sites/${id}" title="${name}">${name}</a>${isDemo(site) && demoPill(context)}</td><td class="console-of">${health(sync)}${sync?.syncedAtMs && html`<span class="sub">${text.synced(sayTime(sync.syncedAtMs, { language, timeZone }))}</span>`}${reserveLine(context, reserves.get(id))}</td>
<td class="share-of">${shareChart(context, shares)}</td>
${SHARES.map((share) => html`<td class="count-of" data-label="${names[share]}">${shares[share].toLocaleString(localeOf(language))}</td>`)}</tr>`;
    },
  )}</tbody></table>`;
}

/** How many vouchers are in reserve. An empty reserve is marked as a failure. */
function reserveLine({ language }: AuthenticatedContext, reserve: ReserveState | undefined): Html | false {
  if (!reserve || reserve.wanted === 0) return false;
  const text = RESERVE_TEXTS[language];
  const said = `${text.title}: ${text.readyOf(reserve.ready, reserve.wanted)}`;
  return reserve.ready === 0
    ? html`<span class="sub"><span class="pill failing">${icon('warning')}${text.empty}</span></span>`
    : html`<span class="sub">${said}</span>`;
}
