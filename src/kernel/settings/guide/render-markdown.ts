// Turns a document of ours into HTML. Knows the Markdown that docs/settings.md uses: headings, paragraphs and tables,
// with code, bold text and links in them.

import { type Html, html } from '../../../platform/pages/ui/html.ts';

export function renderMarkdown(text: string): Html {
  return html`${text
    .trim()
    .split(/\n{2,}/)
    .map(renderBlock)}`;
}

function renderBlock(block: string): Html {
  const [, marks, title = ''] = /^(#{1,2}) (.*)$/.exec(block) ?? [];
  if (marks !== undefined)
    return marks === '#' ? html`<h1>${inline(title)}</h1>` : html`<h2>${inline(title)}</h2>`;
  return block.startsWith('|') ? renderTable(block.split('\n')) : html`<p>${inline(block)}</p>`;
}

/** The second line of a table only separates its head from its body. */
function renderTable([head = '', , ...body]: string[]): Html {
  const labels = cellsOf(head);
  const row = (line: string) =>
    html`<tr>${cellsOf(line).map((cell, index) => html`<td data-label="${labels[index]}">${inline(cell)}</td>`)}</tr>`;
  return html`<table><thead><tr>${labels.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead><tbody>${body.map(row)}</tbody></table>`;
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** Links to other documents are shown as plain text, because only this document is served. */
function inline(text: string): Html {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/);
  return html`${parts.map((part) => {
    const [, label = '', href = ''] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part) ?? [];
    if (href) return /^https:/.test(href) ? html`<a href="${href}">${inline(label)}</a>` : inline(label);
    if (/^`.+`$/s.test(part)) return html`<code>${part.slice(1, -1)}</code>`;
    return /^\*\*.+\*\*$/s.test(part) ? html`<strong>${inline(part.slice(2, -2))}</strong>` : part;
  })}`;
}
