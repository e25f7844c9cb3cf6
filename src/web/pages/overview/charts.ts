// The charts of the overview, as SVG: vouchers per day, with the same figures in a table for screen readers, and the
// vouchers of a site by status.

import type { Day } from '../../../domain/vouchers/statistics.ts';
import type { PageContext } from '../../http/context.ts';
import { type Html, html } from '../../ui/html.ts';

const [BAR, GAP, HEIGHT] = [32, 8, 112];
/** Space for the number above the highest bar and for the dates below the bars, even with the large type on phones. */
const [ABOVE, BELOW] = [26, 26];

export function dayChart({ messages: { overview: text }, language }: PageContext, days: Day[]): Html {
  const highest = Math.max(1, ...days.map(({ count }) => count));
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const width = days.length * (BAR + GAP) - GAP;
  const ground = ABOVE + HEIGHT;
  const short = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'numeric', timeZone: 'UTC' });
  return html`<figure class="chart"><figcaption>${text.perDayText(days.length, total)}</figcaption>
<svg viewBox="0 0 ${width} ${ground + BELOW}" role="img" aria-label="${text.perDayText(days.length, total)}">
${days.map(({ date, count }, index) => {
  const height = Math.max(2, Math.round((count / highest) * HEIGHT));
  const x = index * (BAR + GAP);
  return html`<g><rect class="bar" x="${x}" y="${ground - height}" width="${BAR}" height="${height}" rx="3"/>
<text x="${x + BAR / 2}" y="${ground - height - 6}">${count > 0 && count}</text>
<text class="soft" x="${x + BAR / 2}" y="${ground + 20}">${short.format(new Date(date))}</text></g>`;
})}</svg>
<table class="hidden-text"><thead><tr><th scope="col">${text.date}</th><th scope="col">${text.count}</th></tr></thead>
<tbody>${days.map(({ date, count }) => html`<tr><td>${date}</td><td>${count}</td></tr>`)}</tbody></table></figure>`;
}

export const STATUSES = ['valid', 'used', 'expired'] as const;
export type StatusCounts = Record<(typeof STATUSES)[number], number>;

const [STATUS_WIDTH, STATUS_HEIGHT] = [120, 12];

/** The legend of the colours. */
export function statusLegend({ messages: { state } }: PageContext): Html {
  return html`<p class="legend" aria-hidden="true">${STATUSES.map((status) => html`<span class="${status}">${state[status]}</span>`)}</p>`;
}

export function statusChart({ messages: { state } }: PageContext, counts: StatusCounts): Html {
  const total = STATUSES.reduce((sum, status) => sum + counts[status], 0);
  const label = STATUSES.map((status) => `${counts[status]} ${state[status]}`).join(', ');
  let x = 0;
  return html`<svg class="statuses" viewBox="0 0 ${STATUS_WIDTH} ${STATUS_HEIGHT}" role="img" aria-label="${label}"><rect class="none" width="${STATUS_WIDTH}" height="${STATUS_HEIGHT}" rx="3"/>${STATUSES.map(
    (status) => {
      const width = total === 0 ? 0 : (counts[status] / total) * STATUS_WIDTH;
      const bar = html`<rect class="${status}" x="${x.toFixed(1)}" width="${width.toFixed(1)}" height="${STATUS_HEIGHT}"/>`;
      x += width;
      return width > 0 && bar;
    },
  )}</svg>`;
}
