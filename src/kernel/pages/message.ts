// The messages of a page: what happened, and which fields of a form are wrong. The layout places them below the page's
// heading, and screen readers announce them. Notes within the content have the same style.

import { type Html, html, type Piece, trusted } from '../../platform/pages/ui/html.ts';
import { type IconName, icon } from '../../platform/pages/ui/icons.ts';
import type { PageContext } from './context.ts';

export type MessageKind = 'success' | 'info' | 'warning' | 'error';

/** The error texts of invalid fields, by the id of the field. */
export type FieldIssues = Readonly<Record<string, string | undefined>>;

const STYLES = {
  success: { style: 'good', shape: 'valid', role: 'status' },
  info: { style: '', shape: 'info', role: 'status' },
  warning: { style: 'warn', shape: 'warning', role: 'status' },
  error: { style: 'bad', shape: 'warning', role: 'alert' },
} as const satisfies Record<MessageKind, { style: string; shape: IconName; role: string }>;

/** Matches the HTML of a label as `fields.ts` writes it. */
const LABEL = /<label for="([^"]+)">([^<]+)<\/label>/g;

export function message(kind: MessageKind, said: Piece): Html {
  const { style, shape, role } = STYLES[kind];
  return html`<div class="note ${style} message" role="${role}">${icon(shape)}<div>${said}</div></div>`;
}

/** A remark within the content, such as the consequence of a button. Screen readers do not announce it. */
export function note(kind: MessageKind, said: Piece): Html {
  const { style, shape } = STYLES[kind];
  return html`<div class="note ${style}">${icon(shape)}<div>${said}</div></div>`;
}

export function hasFieldIssues(issues: FieldIssues): boolean {
  return Object.values(issues).some((issue) => issue !== undefined);
}

/** The list of invalid fields, which has the focus when the page opens. Each line is a link to its field. */
export function errorSummary(
  { messages: { problem } }: PageContext,
  { issues, content }: { issues: FieldIssues; content: Html },
): Html {
  const text = content.toString();
  const labels = new Map(
    [...text.matchAll(LABEL)].map(([, field, label = '']) => [field, trusted(`${label}: `)]),
  );
  const place = ([field]: [string, unknown]) => text.indexOf(`id="${field}"`);
  const lines = Object.entries(issues)
    .filter(([, issue]) => issue !== undefined)
    .sort((one, other) => place(one) - place(other));
  return html`<div class="note bad message" id="errors" tabindex="-1" autofocus role="group" aria-labelledby="errors-heading">${icon('warning')}<div role="alert"><h2 id="errors-heading">${problem.checkFields(lines.length)}</h2>
<ul>${lines.map(([field, issue]) => html`<li><a href="#${field}">${labels.get(field)}${issue}</a></li>`)}</ul></div></div>`;
}
