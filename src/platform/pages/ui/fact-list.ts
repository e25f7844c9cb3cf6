// Renders a list of labels and values, one pair below the other.

import { type Html, html, type Piece } from './html.ts';

export function factList(facts: [label: string, fact: Piece][]): Html {
  return html`<dl class="known">${facts.map(([label, fact]) => html`<div><dt>${label}</dt><dd>${fact}</dd></div>`)}</dl>`;
}
