// The states of a site's vouchers as one bar of three colours; the table shows the figures next to it.

import type { PageContext } from '../../http/context.ts';
import { type Html, html } from '../../ui/html.ts';

export const STATUSES = ['valid', 'used', 'expired'] as const;
export type StatusCounts = Record<(typeof STATUSES)[number], number>;

const [WIDTH, HEIGHT] = [120, 12];

/** The legend of the colours. */
export function statusLegend({ messages: { state } }: PageContext): Html {
  return html`<p class="legend" aria-hidden="true">${STATUSES.map((status) => html`<span class="${status}">${state[status]}</span>`)}</p>`;
}

export function statusChart({ messages: { state } }: PageContext, counts: StatusCounts): Html {
  const total = STATUSES.reduce((sum, status) => sum + counts[status], 0);
  const label = STATUSES.map((status) => `${counts[status]} ${state[status]}`).join(', ');
  let x = 0;
  return html`<svg class="statuses" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}"><rect class="none" width="${WIDTH}" height="${HEIGHT}" rx="3"/>${STATUSES.map(
    (status) => {
      const width = total === 0 ? 0 : (counts[status] / total) * WIDTH;
      const bar = html`<rect class="${status}" x="${x.toFixed(1)}" width="${width.toFixed(1)}" height="${HEIGHT}"/>`;
      x += width;
      return width > 0 && bar;
    },
  )}</svg>`;
}
