// The SVG charts of the overview. One shows the vouchers per day, also as a table. The other shows the vouchers of a
// site by state.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { localeOf, sayShortDay } from '../../../platform/texts/durations.ts';
import type { PageContext } from '../../pages/context.ts';
import type { DayCount } from '../../vouchers/statistics.ts';
import type { VoucherState } from '../../vouchers/voucher-state.ts';

/** In pixels: the height of the highest column, the space for numbers above it, and the space for dates below it. */
const [HEIGHT, ABOVE, BELOW] = [112, 24, 26];
/** A column fills this share of the width available for a day. */
const FILLED = 0.7;

/** Columns are as wide as the page allows, so their positions are in percent. The text size does not change. */
export function dayChart({ messages: { overview: text }, language }: PageContext, days: DayCount[]): Html {
  const highest = Math.max(1, ...days.map(({ count }) => count));
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const ground = ABOVE + HEIGHT;
  const month = text.hasNumericMonths ? 'numeric' : 'short';
  const say = (date: string) => sayShortDay(Date.parse(date), { language, timeZone: 'UTC' }, month);
  const number = (count: number) => count.toLocaleString(localeOf(language));
  const percent = (part: number) => `${((100 * part) / days.length).toFixed(2)}%`;
  return html`<figure class="chart"><figcaption>${text.perDayText(days.length, total)}</figcaption>
<svg height="${ground + BELOW}" role="img" aria-label="${text.perDayText(days.length, total)}">
<line class="ground" x1="0" x2="100%" y1="${ground}" y2="${ground}"/>
${days.map(({ date, count }, index) => {
  const height = Math.max(2, Math.round((count / highest) * HEIGHT));
  const middle = percent(index + 0.5);
  const column = html`<rect class="column" x="${percent(index + (1 - FILLED) / 2)}" y="${ground - height}" width="${percent(FILLED)}" height="${height}" rx="3"/>
<text x="${middle}" y="${ground - height - 6}">${number(count)}</text>`;
  return html`<g>${count > 0 && column}<text class="soft" x="${middle}" y="${ground + 20}">${say(date)}</text></g>`;
})}</svg>
<details><summary>${text.asTable}</summary><table><thead><tr><th scope="col">${text.date}</th><th scope="col">${text.count}</th></tr></thead>
<tbody>${days.map(({ date, count }) => html`<tr><td data-label="${text.date}">${say(date)}</td><td data-label="${text.count}">${number(count)}</td></tr>`)}</tbody></table></details></figure>`;
}

export const SHARES = ['unused', 'in-use', 'ended'] as const;
type Shares = Record<(typeof SHARES)[number], number>;

/** Counts vouchers whose devices are all in use as `in-use`, and expired, revoked and deleted vouchers as `ended`. */
export function toShares(counts: Record<VoucherState, number> | undefined): Shares {
  const { unused = 0, expired = 0, revoked = 0, deleted = 0 } = counts ?? {};
  const inUse = (counts?.['in-use'] ?? 0) + (counts?.['used-up'] ?? 0);
  return { unused, 'in-use': inUse, ended: expired + revoked + deleted };
}

const [SHARE_WIDTH, SHARE_HEIGHT] = [120, 12];

/** The legend that explains the colours of the chart. */
export function shareLegend(context: PageContext): Html {
  const names = shareNames(context);
  return html`<p class="legend" aria-hidden="true">${SHARES.map((share) => html`<span class="${share}">${names[share]}</span>`)}</p>`;
}

export function shareNames({ messages: { state, overview } }: PageContext): Record<keyof Shares, string> {
  return { ...state, ended: overview.ended };
}

export function shareChart(context: PageContext, shares: Shares): Html {
  const names = shareNames(context);
  const total = SHARES.reduce((sum, share) => sum + shares[share], 0);
  const label = SHARES.map(
    (share) => `${shares[share].toLocaleString(localeOf(context.language))} ${names[share]}`,
  ).join(', ');
  let x = 0;
  return html`<svg class="shares" viewBox="0 0 ${SHARE_WIDTH} ${SHARE_HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}"><rect class="none" width="${SHARE_WIDTH}" height="${SHARE_HEIGHT}" rx="3"/>${SHARES.map(
    (share) => {
      const width = total === 0 ? 0 : (shares[share] / total) * SHARE_WIDTH;
      const bar = html`<rect class="${share}" x="${x.toFixed(1)}" width="${width.toFixed(1)}" height="${SHARE_HEIGHT}"/>`;
      x += width;
      return width > 0 && bar;
    },
  )}</svg>`;
}
